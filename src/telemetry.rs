//! The log: to standard error, as text or as JSON.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// The environment variable that says what is logged, such as `debug` or `catalogue_gateway=debug`.
pub const FILTER: &str = "CATALOGUE_LOG";

/// What is logged where nothing else is asked for.
const USUAL: &str = "info";

/// Begins the log. What is logged is [`USUAL`] and above where [`FILTER`] says nothing else, or nothing that can be read.
pub fn begin(as_json: bool) {
    let stated = std::env::var_os(FILTER).filter(|filter| !filter.is_empty());
    let read = stated.map(|filter| filter.to_string_lossy().parse::<EnvFilter>());
    let (filter, unread) = match read {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (EnvFilter::new(USUAL), Some(error)),
        None => (EnvFilter::new(USUAL), None),
    };
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
    if let Some(error) = unread {
        tracing::warn!(%error, "{FILTER} cannot be read: what is logged is {USUAL} and above");
    }
}
