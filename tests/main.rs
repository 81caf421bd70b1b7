//! Black-box tests.

mod access;
mod publication;
mod support;
