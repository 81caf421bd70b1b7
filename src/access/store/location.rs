//! Which store: the value of `--database-url`, or the file in the data folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::postgres::Postgres;
use super::sqlite::Sqlite;
use super::{Error, Store};

/// Where the store is.
#[derive(Clone)]
pub enum Location {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, by its URL.
    Postgres(String),
}

impl Location {
    /// The store that `database_url` names (`sqlite://FILE`, `postgres://…`); without one, `accounts.sqlite` in the data folder.
    ///
    /// # Errors
    /// [`Error::UnknownDatabase`] where the URL begins in another way.
    pub fn new(database_url: Option<&str>, data_dir: &Path) -> Result<Self, Error> {
        let Some(url) = database_url else {
            return Ok(Self::Sqlite(data_dir.join("accounts.sqlite")));
        };
        match url.split_once("://") {
            Some(("sqlite", file)) if !file.is_empty() => Ok(Self::Sqlite(PathBuf::from(file))),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(url.to_owned())),
            _ => Err(Error::UnknownDatabase),
        }
    }

    /// Opens the store, making and migrating it where that is needed.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where it cannot be reached, [`Error::NewerSchema`] where a newer program has changed it.
    pub async fn open(&self) -> Result<Arc<dyn Store>, Error> {
        Ok(match self {
            Self::Sqlite(file) => Arc::new(Sqlite::open(file)?),
            Self::Postgres(url) => Arc::new(Postgres::open(url).await?),
        })
    }
}

/// Without the password that a URL may carry.
impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(file) => f.debug_tuple("Sqlite").field(file).finish(),
            Self::Postgres(_) => f.write_str("Postgres(..)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_the_store_and_the_data_folder_is_the_default() {
        let named = |url| format!("{:?}", Location::new(url, Path::new("data")));
        assert_eq!(named(None), r#"Ok(Sqlite("data/accounts.sqlite"))"#);
        assert_eq!(named(Some("sqlite:///var/lib/a.sqlite")), r#"Ok(Sqlite("/var/lib/a.sqlite"))"#);
        assert_eq!(named(Some("sqlite://a.sqlite")), r#"Ok(Sqlite("a.sqlite"))"#);
        assert_eq!(named(Some("postgres://u:secret@h/d")), "Ok(Postgres(..))");
        for wrong in ["", "mysql://h/d", "sqlite://", "/var/lib/a.sqlite"] {
            assert_eq!(named(Some(wrong)), "Err(UnknownDatabase)", "{wrong}");
        }
    }
}
