//! The contract: the OpenAPI document, and what programs that were never written for this service make of it.

mod clients;
mod conformance;
mod document;
mod linters;
mod site;
mod tools;
