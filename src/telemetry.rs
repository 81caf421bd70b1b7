//! The log: to standard error, as text or as JSON.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// The environment variable that says what is logged, such as `debug` or `catalogue_gateway=debug`.
pub const FILTER: &str = "CATALOGUE_LOG";

/// Begins the log. What is logged is `info` and above where [`FILTER`] says nothing else.
pub fn begin(as_json: bool) {
    let filter = EnvFilter::try_from_env(FILTER).unwrap_or_else(|_| EnvFilter::new("info"));
    let colours = std::io::stderr().is_terminal();
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        .with_target(false)
        // A line that cannot be written would otherwise be reported on the same standard error, by a macro that panics where that fails.
        .log_internal_errors(false);
    // A second beginning, as in tests, changes nothing.
    let _already_begun = if as_json { log.json().try_init() } else { log.try_init() };
}
