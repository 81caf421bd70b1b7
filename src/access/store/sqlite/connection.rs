//! The connections to an SQLite file: one for each thread that reads, and two that write.

use std::cell::RefCell;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};
use thread_local::ThreadLocal;

use super::super::Error;
use super::commits::Commits;

/// The schema, one step after another. A step that has been released is never changed; the next one follows it.
const MIGRATIONS: &[&str] = &[include_str!("1.sql"), include_str!("2.sql")];

/// How long a connection waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connections to one file.
pub(super) struct Connections {
    file: PathBuf,
    readers: ThreadLocal<RefCell<Connection>>,
    /// Writes what must survive a power cut once it is acknowledged.
    careful: Arc<Mutex<Connection>>,
    /// Writes counts, which only need to survive the end of the program.
    quick: Arc<Mutex<Connection>>,
    /// Tells whether any of them, or another process, has written.
    pub(super) commits: Commits,
}

impl Connections {
    /// Opens the file, making it (for its owner alone) and its folder where they are missing, and migrates it.
    pub(super) fn open(file: &Path) -> Result<Self, Error> {
        make(file).map_err(|error| Error::unavailable(format!("{}: {error}", file.display())))?;
        let mut careful = connect(file)?;
        turn_wal_on(&careful)?;
        careful.pragma_update(None, "synchronous", "FULL")?;
        migrate(&mut careful)?;
        let quick = connect(file)?;
        // SQLite follows symbolic links before it names the files beside this one.
        let commits = Commits::of(careful.path().map_or(file, Path::new))
            .map_err(|error| Error::unavailable(format!("the index beside {}: {error}", file.display())))?;
        Ok(Self {
            file: file.to_owned(),
            readers: ThreadLocal::new(),
            careful: Arc::new(Mutex::new(careful)),
            quick: Arc::new(Mutex::new(quick)),
            commits,
        })
    }

    /// Reads on this very thread, by its own connection.
    pub(super) fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, Error> {
        let reader = self.readers.get_or_try(|| {
            let connection = connect(&self.file)?;
            connection.pragma_update(None, "query_only", true)?;
            Ok::<_, Error>(RefCell::new(connection))
        })?;
        Ok(read(&reader.borrow())?)
    }

    /// Writes in one transaction that is on the disk when this returns.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        transact(&self.careful, work).await
    }

    /// Writes in one transaction that other processes see when this returns, and the disk a little later.
    pub(super) async fn count<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        transact(&self.quick, work).await
    }
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("file", &self.file).finish_non_exhaustive()
    }
}

async fn transact<T: Send + 'static>(
    connection: &Arc<Mutex<Connection>>,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let connection = Arc::clone(connection);
    let writing = tokio::task::spawn_blocking(move || {
        // A panic elsewhere has rolled its transaction back: the connection itself is sound.
        let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
        // The write lock is taken at the beginning: two that read first and write later could both have to give up.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = work(&transaction)?;
        transaction.commit()?;
        Ok(value)
    });
    writing.await.map_err(Error::unavailable)?
}

fn make(file: &Path) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    // SQLite gives its own files beside this one the same mode.
    OpenOptions::new().create(true).append(true).mode(0o600).open(file)?;
    Ok(())
}

fn connect(file: &Path) -> Result<Connection, Error> {
    // Without SQLITE_OPEN_URI a file is a path, whatever its name looks like.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    // Otherwise SQLite plans a statement anew for every value bound to it: ten times the price of the read itself.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

/// Readers and the writer work side by side only with a write-ahead log. The file remembers it; the first to turn it on needs the file
/// alone for a moment, and SQLite refuses rather than waits where two try at once.
fn turn_wal_on(connection: &Connection) -> Result<(), Error> {
    let pause = Duration::from_millis(10);
    let mut waited = Duration::ZERO;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && waited < PATIENCE => {
                std::thread::sleep(pause);
                waited += pause;
            }
            outcome => return Ok(outcome?),
        }
    }
}

fn migrate(connection: &mut Connection) -> Result<(), Error> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Err(Error::NewerSchema { found, known });
    }
    for step in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    Ok(transaction.commit()?)
}
