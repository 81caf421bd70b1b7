//! The catalogue gateway: a read-only catalogue API of funding programmes.
//!
//! A request comes in by [`router`]; a crawl comes in by `catalogue reindex`. ARCHITECTURE.md walks both ways.

pub mod access;
pub mod app;
pub mod caching;
pub mod cli;
pub mod clock;
pub mod compression;
pub mod edge;
pub mod error;
pub mod gateway;
pub mod graphql;
pub mod listener;
pub mod metrics;
pub mod operations;
pub mod pages;
pub mod proxies;
pub mod resolvers;
pub mod rest;
pub mod router;
pub mod shutdown;
pub mod synthetic;
pub mod telemetry;
