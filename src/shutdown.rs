//! The call to stop: SIGTERM or SIGINT, told to everything that runs.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Waits for the call to stop.
#[derive(Clone, Debug)]
pub struct Stopping(watch::Receiver<bool>);

/// Calls everything to stop.
#[derive(Debug)]
pub struct Stop(watch::Sender<bool>);

/// A call to stop, and those who wait for it.
#[must_use]
pub fn channel() -> (Stop, Stopping) {
    let (sender, receiver) = watch::channel(false);
    (Stop(sender), Stopping(receiver))
}

impl Stop {
    /// Calls.
    pub fn call(&self) {
        self.0.send_replace(true);
    }
}

impl Stopping {
    /// Is done when the call has come, or when nobody is left who could call.
    pub async fn wait(mut self) {
        let _called_or_alone = self.0.wait_for(|called| *called).await;
    }
}

/// Is done when the process is asked to end.
///
/// # Errors
/// Where signals cannot be listened to.
pub async fn asked_by_signal() -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}
