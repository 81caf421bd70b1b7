//! Exports in, generations out, pages back.

pub mod data_folder;
pub mod error;
pub mod export;
mod fields;
pub mod generation;
pub mod reindex;
mod text;
