//! `catalogue serve` as a process of its own, which can be killed.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Stdio};

use serde_json::Value;

use super::client::Client;
use super::command::catalogue;

/// A gateway in its own process, which ends with this.
pub(crate) struct Process {
    child: Child,
    public: SocketAddr,
}

impl Process {
    /// Serves a data folder and an account store on ports of its own.
    pub(crate) fn serve(data: &Path, store: &str, daily_limit: u32) -> Self {
        let mut child = catalogue(data)
            .args(["--database-url", store, "--log-format", "json", "serve", "--internal-listen", "127.0.0.1:0"])
            .args(["--listen", "127.0.0.1:0", "--daily-limit", &daily_limit.to_string()])
            .env("RUST_LOG", "info")
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut log = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let public = log.by_ref().map_while(Result::ok).find_map(|line| listens_at(&line));
        // Whoever reads no more of a log stops who writes it.
        std::thread::spawn(move || log.map_while(Result::ok).for_each(drop));
        let Some(public) = public else {
            panic!("the gateway ended before it listened: {:?}", child.wait());
        };
        Self { child, public }
    }

    /// A client with this key.
    pub(crate) fn client(&self, key: &str) -> Client {
        Client::new(self.public, Some(key))
    }

    /// Ends the process as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The public listener's address, where this line of the log says it.
fn listens_at(line: &str) -> Option<SocketAddr> {
    let said: Value = serde_json::from_str(line).ok()?;
    said["fields"]["public"].as_str()?.parse().ok()
}
