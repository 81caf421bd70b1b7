//! Black-box tests: the service over HTTP, the command line, and the index through its public face.

mod rest;
mod support;
mod traversal;
