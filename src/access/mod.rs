//! Who may call, and how often (specification, parts 5 and 8; decisions, sections 5, 6 and 9).
//!
//! [`Caller`] is the way in: an extractor that a handler names first. It exists only for a request whose key is real, whose plan
//! includes the API and whose allowance had a request left. Behind it stands [`Access`], one per gateway:
//!
//! 1. [`key`] reads the token. What is mistyped or made up is refused here, without a look-up and without Argon2.
//! 2. A token met for the first time is compared with the stored hash by [`password`]; after that a digest of it is remembered.
//! 3. [`store`] says on every request whether the key is revoked and what the account's plan includes.
//! 4. [`allowance`] spends one request of the day.
//!
//! People come in another way: [`sign_in`] looks at address and password and begins a [`session`], which a browser holds by one of the
//! [`cookies`]; [`holder`] is what they then do with their keys. [`analyst`] lets analysts in, however they come, and [`usage`] tells them
//! how much the keys are used.

pub mod account;
pub mod allowance;
pub mod analyst;
pub mod authorization;
pub mod caller;
pub mod cookies;
pub mod error;
mod form_token;
pub mod holder;
pub mod key;
mod last_used;
pub mod password;
pub mod plan;
mod service;
pub mod session;
pub mod sign_in;
pub mod store;
pub mod usage;

pub use account::{Account, Email, Role};
pub use allowance::RateLimit;
pub use caller::{Caller, Denied, RateSlot};
pub use cookies::Cookies;
pub use error::Error;
pub use key::{Key, KeyId, Token};
pub use plan::Plan;
pub use service::{Access, Identity, StoreFailed};
pub use session::Session;
pub use store::{Location, Store};
