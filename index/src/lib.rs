//! Exports in, generations out, pages back.

pub mod export;
