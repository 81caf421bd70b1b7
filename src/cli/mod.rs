//! The command line (decisions, section 8).
//!
//! Results go to standard output, logs and progress to standard error. Exit status: 0 done; 1 failed; 2 wrong usage; 3 the export
//! was refused and nothing was published.

mod account;
mod completions;
mod demo;
mod generate;
mod generation;
mod key;
mod output;
mod plan;
mod reindex;
mod serve;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::telemetry;

use crate::access::{Location, Store};

/// A read-only catalogue API of funding programmes.
#[derive(Debug, Parser)]
#[command(name = "catalogue", version, propagate_version = true)]
struct CommandLine {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Folder of the catalogue: its generations and, by default, its accounts
    #[arg(long, global = true, env = "CATALOGUE_DATA_DIR", default_value = "./data", value_name = "DIR")]
    pub(crate) data_dir: PathBuf,
    /// Where accounts, plans and keys are kept: `sqlite://FILE`, or `postgres://…` for several gateways [default: an SQLite file in the data
    /// folder]
    #[arg(long, global = true, env = "CATALOGUE_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub(crate) database_url: Option<String>,
    /// Form of the log on standard error
    #[arg(long, global = true, env = "CATALOGUE_LOG_FORMAT", default_value = "text", value_name = "FORMAT")]
    pub(crate) log_format: LogFormat,
}

impl Global {
    /// Where the account store is.
    pub(crate) fn location(&self) -> Result<Location, Failure> {
        Ok(Location::new(self.database_url.as_deref(), &self.data_dir)?)
    }

    /// Opens the account store, making it where there is none, and does one thing with it.
    pub(crate) fn with_store<T>(&self, work: impl AsyncFnOnce(&dyn Store) -> Result<T, Failure>) -> Result<T, Failure> {
        let location = self.location()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async { work(&*location.open().await?).await })
    }

    /// As [`Global::with_store`], for what would be in vain in a store that is only now made: then there is none.
    pub(crate) fn with_store_there<T>(
        &self,
        work: impl AsyncFnOnce(&dyn Store) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if let Location::Sqlite(file) = self.location()?
            && !file.exists()
        {
            return Err(Failure::new(format!("there is no account store {}", file.display())));
        }
        self.with_store(work)
    }
}

/// The form of the log.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Builds a sample catalogue with an account, a key and an analyst, and serves it
    Demo(serve::Options),
    /// Reads and checks an export, and publishes it as the next generation
    Reindex(reindex::Options),
    /// Serves REST on the public listener, and operations on the internal one
    Serve(serve::Options),
    /// Manages accounts
    #[command(subcommand)]
    Account(account::Command),
    /// Manages plans
    #[command(subcommand)]
    Plan(plan::Command),
    /// Manages API keys
    #[command(subcommand)]
    Key(key::Command),
    /// Shows, goes back to, and clears away published generations
    #[command(subcommand)]
    Generation(generation::Command),
    /// Writes a synthetic export of any size, the same for the same seed
    Generate(generate::Options),
    /// Prints completions of this command line for a shell
    Completions(completions::Completions),
    /// Prints the manual page of this command line
    Man(completions::Manual),
}

/// Why a command ended without doing what it was asked: an exit status and a sentence for standard error.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Failure {
    /// The command failed: exit status 1.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { status: 1, message: message.into() }
    }

    /// The same failure, after something that has been done all the same.
    pub(crate) fn after(self, done: &str) -> Self {
        Self { message: format!("{done}, but {}", self.message), ..self }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Self::new(message)
    }
}

/// Reads the command line, does what it asks and gives the exit status.
#[must_use]
pub fn run() -> ExitCode {
    let CommandLine { global, command } = CommandLine::parse();
    telemetry::begin(matches!(global.log_format, LogFormat::Json));
    let outcome = match command {
        Command::Demo(options) => demo::run(&global, &options),
        Command::Reindex(options) => reindex::run(&global, &options),
        Command::Serve(options) => serve::run(&global, &options),
        Command::Account(command) => account::run(&global, command),
        Command::Plan(command) => plan::run(&global, command),
        Command::Key(command) => key::run(&global, command),
        Command::Generation(command) => generation::run(&global, &command),
        Command::Generate(options) => generate::run(&options),
        Command::Completions(options) => completions::run(CommandLine::command(), &options),
        Command::Man(options) => completions::manual(CommandLine::command(), &options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { status, message }) => {
            // Where standard error cannot be written to, the exit status still says it.
            let _ = writeln!(io::stderr(), "catalogue: {message}");
            ExitCode::from(status)
        }
    }
}
