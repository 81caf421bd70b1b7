//! Standard output, as every command writes to it.
//!
//! The macros of the standard library panic where nothing can be written, and a command that has published a catalogue must not end as one
//! that has not.

use std::io::{self, Write as _};

use super::Failure;

/// Writes what a command has to say. Whoever closes the pipe early, as `head` does, has read enough.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    match show(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output cannot be written to: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes what somebody has to see.
pub(crate) fn show(text: impl AsRef<[u8]>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_ref())?;
    out.flush()
}
