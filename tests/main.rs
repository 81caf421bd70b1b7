//! Black-box tests.

mod access;
mod dependencies;
mod support;
