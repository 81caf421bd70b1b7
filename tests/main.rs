//! Black-box tests: the service over HTTP, the command line, and the index through its public face.

mod access;
mod cli;
mod contract;
mod dependencies;
mod feed;
mod graphql;
mod insight;
mod operations;
mod pages;
mod publication;
mod rest;
mod support;
mod tidy;
mod traversal;
