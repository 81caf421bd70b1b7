//! The program, run as an operator runs it and watched from outside.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often a running process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The program with its data folder.
pub(crate) struct Catalogue {
    data: PathBuf,
}

/// What a reindex took.
pub(crate) struct Reindexed {
    pub(crate) took: Duration,
    /// The most memory it held at once, in bytes, as the kernel counts it.
    pub(crate) peak: u64,
}

impl Catalogue {
    pub(crate) fn in_folder(data: PathBuf) -> Self {
        Self { data }
    }

    /// Removes all that was published.
    pub(crate) fn clear(&self) {
        if self.data.exists() {
            fs::remove_dir_all(&self.data).expect("the data folder can be removed");
        }
    }

    /// Takes an export in.
    pub(crate) fn reindex(&self, export: &Path) -> Reindexed {
        let started = Instant::now();
        let mut child = self.command().arg("reindex").arg(export).stdout(Stdio::null()).spawn().expect("it starts");
        let mut peak = 0;
        loop {
            if let Some(status) = child.try_wait().expect("it can be waited for") {
                assert!(status.success(), "the export was not taken in");
                return Reindexed { took: started.elapsed(), peak };
            }
            peak = peak.max(peak_of(&child));
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Starts the gateway and gives how long it took until it said that it is ready.
    pub(crate) fn start(&self) -> Duration {
        let internal = free_address();
        let listen = ["--listen".to_owned(), "127.0.0.1:0".to_owned()];
        let internal_listen = ["--internal-listen".to_owned(), internal.to_string()];
        let mut command = self.command();
        command.arg("serve").args(listen).args(internal_listen).stderr(Stdio::null());
        let started = Instant::now();
        let mut child = command.spawn().expect("it starts");
        while !is_ready(internal) {
            assert!(started.elapsed() < Duration::from_secs(30), "the gateway does not get ready");
            std::thread::sleep(Duration::from_micros(500));
        }
        let took = started.elapsed();
        child.kill().and_then(|()| child.wait()).expect("it can be ended");
        took
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_catalogue"));
        command.arg("--data-dir").arg(&self.data);
        command
    }
}

/// The high-water mark of a process's memory; 0 where the kernel does not tell.
fn peak_of(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn is_ready(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer.starts_with("HTTP/1.1 200"))
    };
    ask().unwrap_or(false)
}

/// An address nobody listens on.
fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("there is a free port")
}
