//! The change feed: the real crawls, and random ones against a naive model.

mod log;
mod model;
mod random;
mod real;
