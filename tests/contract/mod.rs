//! The contract: the OpenAPI document, and what programs that were never written for this service make of it.

mod clients;
mod conformance;
mod document;
mod linters;
mod tools;

use crate::support::sample;
use crate::support::service::{Choices, Service};

/// A service with something of everything, and with more requests to the day than any test makes.
fn service() -> Service {
    sample::serve(120, Choices { daily_limit: 1_000_000, ..Choices::default() })
}
