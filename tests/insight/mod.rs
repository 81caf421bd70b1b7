//! Insight against a naive model: every row of the list, read by following cursors and counted one by one.

mod changes;
mod model;
mod random;
