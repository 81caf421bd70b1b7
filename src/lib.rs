//! The catalogue gateway: a read-only catalogue API of funding programmes.

pub mod access;
pub mod cli;
pub mod clock;
pub mod synthetic;
