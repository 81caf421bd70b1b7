//! What the tests stand on: exports written from rows, a real gateway in this process, a client, and the real binary.

pub(crate) mod client;
pub(crate) mod command;
pub(crate) mod crawl;
pub(crate) mod data;
pub(crate) mod export;
pub(crate) mod folder;
pub(crate) mod listing;
pub(crate) mod postgres;
pub(crate) mod process;
pub(crate) mod reader;
pub(crate) mod sample;
pub(crate) mod service;
pub(crate) mod shared;
pub(crate) mod stores;
pub(crate) mod strace;
pub(crate) mod vault;

use catalogue_schema::Timestamp;

/// The instant that a text names.
pub(crate) fn at(instant: &str) -> Timestamp {
    instant.parse().expect(instant)
}
