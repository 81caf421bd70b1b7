//! Black-box tests: the service over HTTP, the command line, and the index through its public face.

mod cli;
mod rest;
mod support;
mod traversal;
