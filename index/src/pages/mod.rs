//! Pages back: from a filter and a position to the rows of a page.
//!
//! Nothing is scored, collected or counted. A page is a seek to a place and a walk of as many matches as the page has rows:
//! [`filter`] turns what a client asks into clauses, [`walk`] goes through the documents of one segment that meet them
//! ([`conjunction`] those that hold a phrase), [`order`] strings the segments together in the order of the clock, and [`traversal`]
//! pins the clock and the generation from page to page.

pub(crate) mod conjunction;
pub(crate) mod cursor;
pub(crate) mod filter;
pub(crate) mod order;
pub(crate) mod traversal;
pub(crate) mod walk;
