//! The internal listener: what operators and their machines are told, and who may ask.

mod asking;
mod exposition;
mod metrics;
