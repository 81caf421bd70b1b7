//! `catalogue completions` and `catalogue man`: what shells and readers of manuals need, from the command line's own definition.

use std::path::PathBuf;

use clap::{Args, Command, ValueEnum};

use super::Failure;
use super::output::print;

/// The shells that completions are written for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl From<Shell> for clap_complete::Shell {
    fn from(shell: Shell) -> Self {
        match shell {
            Shell::Bash => Self::Bash,
            Shell::Zsh => Self::Zsh,
            Shell::Fish => Self::Fish,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Writes a page for every command into this folder, instead of the first one to standard output
    dir: Option<PathBuf>,
}

/// Prints the completions of a command line.
pub(crate) fn run(mut command: Command, options: &Completions) -> Result<(), Failure> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(clap_complete::Shell::from(options.shell), &mut command, name, &mut script);
    print(script)
}

/// Prints the manual's page of a command line, or writes all of its pages.
pub(crate) fn manual(command: Command, options: &Manual) -> Result<(), Failure> {
    if let Some(dir) = &options.dir {
        std::fs::create_dir_all(dir)?;
        return Ok(clap_mangen::generate_to(command, dir)?);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(page)
}
