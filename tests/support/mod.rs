//! What the tests stand on.

pub(crate) mod command;
pub(crate) mod postgres;
pub(crate) mod stores;
