//! Exports in, generations out, pages back.

pub mod catalogue;
pub mod data_folder;
pub mod error;
pub mod export;
mod fields;
pub mod generation;
pub mod insight;
mod pages;
pub mod reindex;
pub mod retention;
mod text;

pub use catalogue::Catalogue;
pub use data_folder::DataFolder;
pub use error::Error;
pub use generation::list::Place;
pub use generation::{Generation, Resource};
pub use reindex::{Options, Report, Step, reindex};

pub use pages::traversal::{Found, Page, Tag, Traversal};
pub use reindex::rollback::rollback;
