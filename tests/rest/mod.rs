//! REST, as a client meets it.

mod caching;
mod clock;
mod compression;
mod cursors;
mod decision_order;
mod envelope;
mod filters;
mod hostile;
mod refusals;
mod single;
mod text;
mod windows;
