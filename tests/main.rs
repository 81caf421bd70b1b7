//! Black-box tests.

mod access;
mod support;
