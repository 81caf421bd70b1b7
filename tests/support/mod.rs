//! What the tests stand on.

pub(crate) mod command;
pub(crate) mod crawl;
pub(crate) mod postgres;
pub(crate) mod reader;
pub(crate) mod stores;
pub(crate) mod strace;
pub(crate) mod vault;
