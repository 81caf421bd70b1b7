//! Cursors: where a traversal stands, sealed so that only this service can make one.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalogue_schema::Timestamp;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::generation::Resource;
use crate::generation::list::Place;

const VERSION: u8 = 1;
const BODY: usize = 1 + 1 + 8 + 8 + 8 + 16 + 4;
const SEAL: usize = 16;
/// Longer texts are no cursors, and are not looked at.
const LONGEST: usize = 2048;

/// What a cursor says (decisions, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) resource: Resource,
    /// The instant of the traversal's first page.
    pub(crate) as_of: Timestamp,
    pub(crate) generation: u64,
    /// When that generation was published, by which it is told from another of its number.
    pub(crate) published_at: Timestamp,
    pub(crate) fingerprint: [u8; 16],
    /// The last row that was sent.
    pub(crate) after: Place,
}

/// Seals cursors and opens them again.
#[derive(Clone)]
pub(crate) struct Sealer(Hmac<Sha256>);

impl Sealer {
    pub(crate) fn new(secret: &[u8; 32]) -> Self {
        // HMAC pads a key with zeros to the digest's block anyway.
        let mut key = [0; 64];
        key[..secret.len()].copy_from_slice(secret);
        Self(Hmac::new(&key.into()))
    }

    /// The URL-safe text of a cursor.
    pub(crate) fn seal(&self, cursor: &Cursor) -> String {
        let mut bytes = Vec::with_capacity(BODY + SEAL);
        bytes.push(VERSION);
        bytes.push(code_of(cursor.resource));
        bytes.extend_from_slice(&cursor.as_of.unix_millis().to_le_bytes());
        bytes.extend_from_slice(&cursor.generation.to_le_bytes());
        bytes.extend_from_slice(&cursor.published_at.unix_millis().to_le_bytes());
        bytes.extend_from_slice(&cursor.fingerprint);
        bytes.extend_from_slice(&cursor.after.to_le_bytes());
        let seal = self.0.clone().chain_update(&bytes).finalize().into_bytes();
        bytes.extend_from_slice(&seal[..SEAL]);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The cursor of a text; `None` where this service did not make it.
    pub(crate) fn open(&self, text: &str) -> Option<Cursor> {
        if text.len() > LONGEST {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (body, seal) = bytes.split_first_chunk::<BODY>()?;
        self.0.clone().chain_update(body).verify_truncated_left(seal).ok().filter(|()| seal.len() == SEAL)?;
        let (&[version, resource], rest) = body.split_first_chunk::<2>()?;
        let (as_of, rest) = rest.split_first_chunk::<8>()?;
        let (generation, rest) = rest.split_first_chunk::<8>()?;
        let (published_at, rest) = rest.split_first_chunk::<8>()?;
        let (fingerprint, after) = rest.split_first_chunk::<16>()?;
        if version != VERSION {
            return None;
        }
        Some(Cursor {
            resource: resource_of(resource)?,
            as_of: Timestamp::from_unix_millis(i64::from_le_bytes(*as_of))?,
            generation: u64::from_le_bytes(*generation),
            published_at: Timestamp::from_unix_millis(i64::from_le_bytes(*published_at))?,
            fingerprint: *fingerprint,
            after: Place::from_le_bytes(after.try_into().ok()?),
        })
    }
}

const RESOURCES: [Resource; 4] = [Resource::Grants, Resource::Funders, Resource::Recipients, Resource::Changes];

pub(crate) fn code_of(resource: Resource) -> u8 {
    match resource {
        Resource::Grants => 0,
        Resource::Funders => 1,
        Resource::Recipients => 2,
        Resource::Changes => 3,
    }
}

fn resource_of(code: u8) -> Option<Resource> {
    RESOURCES.get(usize::from(code)).copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cursor(resource: u8, as_of: i64, generation: u64, fingerprint: [u8; 16], after: u32) -> Cursor {
        Cursor {
            resource: resource_of(resource).expect("one of four"),
            as_of: Timestamp::from_unix_millis(as_of).expect("in range"),
            generation,
            published_at: Timestamp::from_unix_millis(as_of / 2).expect("in range"),
            fingerprint,
            after,
        }
    }

    proptest! {
        #[test]
        fn a_cursor_is_read_as_it_was_made_and_by_its_own_service_only(
            resource in 0..4_u8, as_of in 0..4_102_444_800_000_i64, generation: u64, fingerprint: [u8; 16], after: u32,
        ) {
            let made = cursor(resource, as_of, generation, fingerprint, after);
            let sealer = Sealer::new(&[7; 32]);
            let text = sealer.seal(&made);
            prop_assert!(text.len() < 2000 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            prop_assert_eq!(sealer.open(&text), Some(made));
            prop_assert_eq!(Sealer::new(&[8; 32]).open(&text), None);
        }

        #[test]
        fn any_change_to_a_cursor_is_refused(at: prop::sample::Index, to in "[A-Za-z0-9_=+/ -]", cut: prop::sample::Index) {
            let sealer = Sealer::new(&[7; 32]);
            let text = sealer.seal(&cursor(0, 1_000, 3, [1; 16], 99));
            let at = at.index(text.len());
            let mut changed = text.clone();
            changed.replace_range(at..=at, &to);
            prop_assert_eq!(sealer.open(&changed).is_some(), changed == text);
            prop_assert_eq!(sealer.open(&text[..cut.index(text.len())]), None);
            prop_assert_eq!(sealer.open(&format!("{text}{to}")), None);
        }

        #[test]
        fn junk_is_no_cursor(text in ".{0,3000}") {
            prop_assert_eq!(Sealer::new(&[7; 32]).open(&text), None);
        }
    }
}
