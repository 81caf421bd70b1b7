//! `catalogue account`.

use std::fmt::Write as _;
use std::io::{self, Read};

use clap::Subcommand;

use super::output::print;
use super::{Failure, Global};
use crate::access::account::NewAccount;
use crate::access::store::Store;
use crate::access::{Email, Error, Role, password};
use crate::clock::Clock;

/// How much is read of what should be a password: enough to tell that it is too long, with a newline after it.
const MOST_READ: u64 = password::LONGEST as u64 + 3;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Makes an account
    Add {
        /// The address its holder signs in with
        email: String,
        /// The plan it is on
        #[arg(long)]
        plan: String,
        /// What it may see
        #[arg(long, default_value = "client")]
        role: Role,
        /// Reads the password from standard input; a newline at its end is not part of it
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Puts an account on a plan
    Plan {
        /// The account's address
        email: String,
        /// The plan's name
        plan: String,
    },
    /// Gives an account another role; who has signed in with it must sign in again
    Role {
        /// The account's address
        email: String,
        /// What it may see from now on
        role: Role,
    },
    /// Gives an account another password; who has signed in with it must sign in again
    Password {
        /// The account's address
        email: String,
        /// Reads the password from standard input; a newline at its end is not part of it
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Lists all accounts: address, role, plan, when made
    List,
}

pub(crate) fn run(global: &Global, command: Command) -> Result<(), Failure> {
    match command {
        Command::Add { email, plan, role, password_stdin: _ } => {
            global.with_store(async move |store| add(store, &email, plan, role).await)
        }
        Command::Plan { email, plan } => {
            global.with_store_there(async move |store| Ok(store.change_plan(&email.parse()?, &plan).await?))
        }
        Command::Role { email, role } => {
            global.with_store_there(async move |store| Ok(store.change_role(&email.parse()?, role).await?))
        }
        Command::Password { email, password_stdin: _ } => {
            global.with_store_there(async move |store| change_password(store, &email.parse()?).await)
        }
        Command::List => global.with_store_there(list),
    }
}

async fn add(store: &dyn Store, email: &str, plan: String, role: Role) -> Result<(), Failure> {
    let email: Email = email.parse()?;
    let password = read_password(io::stdin())?;
    let password_hash = password::hash(password.as_bytes())?;
    let created = Clock::System.now();
    store.add_account(&NewAccount { email, role, plan, password_hash, created }).await?;
    Ok(())
}

async fn change_password(store: &dyn Store, email: &Email) -> Result<(), Failure> {
    let password_hash = password::hash(read_password(io::stdin())?.as_bytes())?;
    Ok(store.change_password(email, &password_hash).await?)
}

async fn list(store: &dyn Store) -> Result<(), Failure> {
    let mut list = "email\trole\tplan\tcreated\n".to_owned();
    for account in store.accounts().await? {
        writeln!(list, "{}\t{}\t{}\t{}", account.email, account.role.as_str(), account.plan, account.created)?;
    }
    print(list)
}

fn read_password(input: impl Read) -> Result<String, Failure> {
    let mut read = Vec::new();
    input
        .take(MOST_READ)
        .read_to_end(&mut read)
        .map_err(|error| Failure::new(format!("the password cannot be read: {error}")))?;
    let line = read.strip_suffix(b"\n").map_or(&*read, |line| line.strip_suffix(b"\r").unwrap_or(line));
    // What is too long may have been cut within a letter.
    if line.len() > password::LONGEST {
        return Err(Error::LongPassword.into());
    }
    let line = std::str::from_utf8(line).map_err(|_| Failure::new("the password is not UTF-8"))?;
    Ok(password::chosen(line)?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piped_password_loses_its_newline_and_nothing_else() {
        for (piped, password) in [
            ("secret", "secret"),
            ("secret\n", "secret"),
            ("secret\r\n", "secret"),
            ("secret\n\n", "secret\n"),
            (" secret \n", " secret "),
            ("secret\r", "secret\r"),
        ] {
            assert_eq!(read_password(piped.as_bytes()).expect(piped), password);
        }
    }

    #[test]
    fn an_empty_or_endless_password_is_refused() {
        for piped in ["", "\n", "\r\n"] {
            assert_eq!(read_password(piped.as_bytes()).expect_err(piped).message, "the password is empty");
        }
        assert!(read_password(&b"\xff\n"[..]).is_err());
        let longest = "\u{fc}".repeat(password::LONGEST / 2);
        assert_eq!(read_password(format!("{longest}\r\n").as_bytes()).expect("it is one"), longest);
        for long in [format!("{longest}a"), format!("{longest}\n\n\n"), "\u{2603}".repeat(password::LONGEST)] {
            let failure = read_password(long.as_bytes()).expect_err("it is too long");
            assert_eq!(failure.message, "the password is longer than 1000 bytes");
        }
        assert!(read_password(io::repeat(b'a')).is_err());
    }
}
