//! What the catalogue service says: its resources, its filters, its refusals.
//!
//! One struct per resource serves every surface, so that a field is documented, named and made nullable in one place. The
//! values inside are parsed types: a [`Slug`], a [`Money`] or a [`Timestamp`] cannot hold a wrong value, so nothing that
//! receives one checks it again.
//!
//! # The null convention (specification, part 1)
//!
//! `None` means that the source did not say. It never means zero, an empty list or false, and it is written as `null`, never
//! left out.
//!
//! Read [`grant`] first; the other resources follow its pattern.

pub mod change;
pub mod envelope;
pub mod filter;
pub mod funder;
pub mod grant;
pub mod insight;
pub mod money;
pub mod recipient;
pub mod refusal;
pub mod slug;
pub mod text;
pub mod timestamp;
pub mod us_state;
pub mod year;

pub use change::{Change, ChangeKind};
pub use filter::{Dropped, FilterField, Requested};
pub use funder::{Funder, FunderName, Giving};
pub use grant::{Grant, Status};
pub use money::Money;
pub use recipient::{Award, AwardYear, Recipient, RecipientDetail};
pub use refusal::Refusal;
pub use slug::Slug;
pub use text::Code;
pub use timestamp::Timestamp;
pub use us_state::UsState;
pub use year::Year;
