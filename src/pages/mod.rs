//! Pages: those of an account (decisions, section 6), to sign in, see one's keys, make one, revoke one and sign out; the documentation;
//! and for analysts, on the internal listener, the [`dashboard`] and [`graphiql`].
//!
//! They are written on the server and work without scripts; a script adds a button that copies and a dialog that asks. No page runs a
//! script or a style of its own ([`page`] forbids it), so that text that came in by a form cannot become one.
//!
//! A handler's first argument says who it is for: [`visitor::Visitor`] is anyone with a browser, [`signed_in::SignedIn`] somebody who
//! has signed in, [`signed_in::SignedForm`] that person sending a form of ours, [`analyst::Analyst`] an analyst. Whoever is not that never
//! reaches the handler.

pub mod account;
pub mod analyst;
pub mod assets;
pub mod dashboard;
pub mod docs;
mod examples;
mod form;
pub mod graphiql;
pub mod keys;
mod moment;
pub(crate) mod page;
mod problem;
pub mod revoke;
pub mod sign_in;
pub mod signed_in;
pub mod visitor;
mod way_back;
