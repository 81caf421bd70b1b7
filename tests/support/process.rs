//! `catalogue serve` as a process of its own, which can be killed.

use std::io::{BufRead as _, BufReader, Lines};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::client::Client;
use super::command::catalogue;

/// A gateway in its own process, which ends with this.
pub(crate) struct Process {
    child: Child,
    public: SocketAddr,
    internal: SocketAddr,
}

impl Process {
    /// Serves a data folder and an account store on ports of its own.
    pub(crate) fn serve(data: &Path, store: &str, daily_limit: u32) -> Self {
        let (process, log) = Self::start(data, store, daily_limit);
        // Whoever reads no more of a log stops who writes it.
        std::thread::spawn(move || log.map_while(Result::ok).for_each(drop));
        process
    }

    /// Serves like that, and gives what the log says from when it listens on. Whoever drops that leaves the log to nobody.
    pub(crate) fn start(data: &Path, store: &str, daily_limit: u32) -> (Self, Lines<BufReader<ChildStderr>>) {
        let mut child = catalogue(data)
            .args(["--database-url", store, "--log-format", "json", "serve", "--internal-listen", "127.0.0.1:0"])
            .args(["--listen", "127.0.0.1:0", "--daily-limit", &daily_limit.to_string()])
            .env("CATALOGUE_LOG", "info")
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut log = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let Some((public, internal)) = log.by_ref().map_while(Result::ok).find_map(|line| listens_at(&line)) else {
            panic!("the gateway ended before it listened: {:?}", child.wait());
        };
        (Self { child, public, internal }, log)
    }

    /// Runs a demo; gives what it prints up to the end of what there is to try.
    pub(crate) fn demo(data: &Path, public: &str, internal: &str) -> (Self, Vec<String>) {
        let mut child = catalogue(data)
            .args(["demo", "--listen", public, "--internal-listen", internal])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let mut printed = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let lines: Vec<String> = printed.by_ref().take_while(|line| !line.contains("/metrics")).collect();
        // Whoever reads no more stops who prints.
        std::thread::spawn(move || printed.for_each(drop));
        let address = |text: &str| text.parse().expect("an address");
        (Self { child, public: address(public), internal: address(internal) }, lines)
    }

    /// Where the public listener answers.
    pub(crate) fn public(&self) -> SocketAddr {
        self.public
    }

    /// Asks the process to end, as service managers do.
    pub(crate) fn ask_to_end(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(status.expect("kill runs").success());
    }

    /// How the process ended; `None` while it runs.
    pub(crate) fn has_ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child can be asked for")
    }

    /// The exit status of a process that ends of itself before long.
    pub(crate) fn end_of_itself(&mut self) -> Option<i32> {
        for _ in 0..3_000 {
            if let Some(status) = self.has_ended() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the process does not end");
    }

    /// A client with this key.
    pub(crate) fn client(&self, key: &str) -> Client {
        Client::new(self.public, Some(key))
    }

    /// A client of the internal listener.
    pub(crate) fn operations(&self) -> Client {
        Client::new(self.internal, None)
    }

    /// Asks the process to end, as an operator does, and waits until it has.
    pub(crate) fn terminate(mut self) -> ExitStatus {
        self.ask_to_end();
        self.child.wait().expect("it is ours")
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

/// The addresses of both listeners, where this line of the log says them.
fn listens_at(line: &str) -> Option<(SocketAddr, SocketAddr)> {
    let said: Value = serde_json::from_str(line).ok()?;
    let address = |listener: &str| said["fields"][listener].as_str()?.parse().ok();
    Some((address("public")?, address("internal")?))
}
