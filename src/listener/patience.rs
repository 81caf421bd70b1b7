//! How long one connection's next request is waited for.
//!
//! The HTTP library asks for a new timer with every request and drops it when the request's headers are in. Each would be put into
//! the runtime's wheel of timers and taken out again, under its lock: a twentieth of what a request costs. So a connection has one alarm
//! that stays in the wheel. It rings no later than the earliest deadline asked for; where the deadline has moved on meanwhile, it is set
//! again, which happens once in ten seconds and not once a request.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::rt::Timer;

/// The timer of one connection, which waits for one thing at a time.
#[derive(Clone)]
pub(super) struct Patience(Arc<Mutex<Option<Alarm>>>);

type Alarm = Pin<Box<tokio::time::Sleep>>;

impl Patience {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }
}

impl Timer for Patience {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        Box::pin(Wait { deadline: deadline.into(), alarm: Arc::clone(&self.0) })
    }
}

/// Done at its deadline.
struct Wait {
    deadline: tokio::time::Instant,
    alarm: Arc<Mutex<Option<Alarm>>>,
}

impl hyper::rt::Sleep for Wait {}

impl Future for Wait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let deadline = self.deadline;
        // An alarm is sound whatever happened to who held it.
        let mut alarm = self.alarm.lock().unwrap_or_else(PoisonError::into_inner);
        let alarm = alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if alarm.deadline() > deadline {
            alarm.as_mut().reset(deadline);
        }
        loop {
            ready!(alarm.as_mut().poll(context));
            if alarm.deadline() >= deadline {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_wait_ends_at_its_own_deadline() {
        let patience = Patience::new();
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        patience.sleep_until(at(20)).await;
        assert!(Instant::now() >= at(20));
        // Later than the one before; then one that is given up, and one that ends before that would have.
        patience.sleep_until(at(40)).await;
        assert!(Instant::now() >= at(40));
        let given_up = tokio::time::timeout(Duration::from_millis(1), patience.sleep_until(at(3_600_000))).await;
        assert!(given_up.is_err());
        let soon = tokio::time::timeout(Duration::from_mins(1), patience.sleep_until(at(60))).await;
        assert!(soon.is_ok() && Instant::now() >= at(60));
    }
}
