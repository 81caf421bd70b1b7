//! Black-box tests: the service over HTTP, the command line, and the index through its public face.

mod access;
mod dependencies;
mod rest;
mod support;
