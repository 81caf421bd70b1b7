//! A PostgreSQL of the tests' own: Debian's, in a folder and on a port of its own, gone when the last test that uses it ends.

use std::fs::{self, Permissions};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// A running server.
pub(crate) struct Server {
    port: u16,
    process: Child,
    folder: TempDir,
    databases: AtomicU32,
}

impl Server {
    /// The server that other tests use at this moment, or a new one.
    pub(crate) fn shared() -> Arc<Self> {
        static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Self::start());
            *shared = Arc::downgrade(&server);
            server
        })
    }

    /// Makes an empty database and gives its URL.
    pub(crate) fn database(&self) -> String {
        let name = format!("catalogue_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let port = self.port.to_string();
        run(Command::new(binary("createdb")).args(["-h", "127.0.0.1", "-p", &port, "-U", "postgres", &name]));
        format!("postgres://postgres@127.0.0.1:{port}/{name}")
    }

    /// Where the server keeps its data.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A server that speaks to nobody but by TLS, and the file of its certificate, which is for 127.0.0.1 and which no machine trusts.
    pub(crate) fn encrypted() -> (Self, PathBuf) {
        let folder = open_folder();
        let (key, certificate) = (folder.path().join("server.key"), folder.path().join("server.crt"));
        // The server insists on a key of its own that nobody else can read.
        let mut openssl = unprivileged(Path::new("openssl"));
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
        ]);
        openssl.args(["-subj", "/CN=catalogue", "-addext", "subjectAltName=IP:127.0.0.1"]);
        openssl.args(["-addext", "basicConstraints=critical,CA:FALSE"]);
        run(openssl.arg("-keyout").arg(&key).arg("-out").arg(&certificate));
        let access = folder.path().join("pg_hba.conf");
        fs::write(&access, "hostssl all all 127.0.0.1/32 trust\n").expect("the folder is ours");
        let settings =
            [("ssl", Path::new("on")), ("ssl_key_file", &key), ("ssl_cert_file", &certificate), ("hba_file", &access)];
        let settings: Vec<String> = settings.map(|(name, value)| format!("{name}={}", value.display())).into();
        (Self::start_in(folder, &settings), certificate)
    }

    fn start() -> Self {
        Self::start_in(open_folder(), &[])
    }

    fn start_in(folder: TempDir, settings: &[String]) -> Self {
        let data = folder.path().join("data");
        let initialise = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
        run(unprivileged(&binary("initdb")).arg("-D").arg(&data).args(initialise));
        let port = free_port();
        let process = unprivileged(&binary("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "unix_socket_directories="])
            .args(["-c", "fsync=off", "-c", "max_connections=200"])
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .current_dir("/")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("PostgreSQL starts");
        let mut server = Self { port, process, folder, databases: AtomicU32::new(0) };
        server.wait_until_it_answers();
        server
    }

    fn wait_until_it_answers(&mut self) {
        let port = self.port.to_string();
        for _ in 0..300 {
            let ready = Command::new(binary("pg_isready")).args(["-q", "-h", "127.0.0.1", "-p", &port]).status();
            if TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok()
                && ready.is_ok_and(|status| status.success())
            {
                return;
            }
            assert!(self.process.try_wait().expect("our own child").is_none(), "PostgreSQL ended at once");
            sleep(Duration::from_millis(100));
        }
        panic!("PostgreSQL does not answer");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGINT ends it without waiting for connections that are still open.
        let stopping = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
        if !stopping.is_ok_and(|status| status.success()) {
            let _already_gone = self.process.kill();
        }
        let _reaped = self.process.wait();
    }
}

/// A program of PostgreSQL's, of the newest version there is.
pub(crate) fn binary(name: &str) -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .map(|version| version.path().join("bin").join(name))
        .filter(|program| program.exists())
        .max()
        .expect("PostgreSQL is missing: install it with `apt-get install postgresql`")
}

/// A folder in which the server, which runs as another user, can make its own.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("the folder is ours");
    folder
}

/// PostgreSQL refuses to run as root, so root runs it as its own user.
fn unprivileged(program: &Path) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|us| us.uid() == 0);
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

fn run(command: &mut Command) {
    let output = command.current_dir("/").output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("it is bound").port()
}
