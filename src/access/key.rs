//! API keys: `ctg_<key id>_<secret>` (decisions, section 6).
//!
//! A token is written in lower-case base32 without letters that are easily mistaken, so that a double click selects it whole and no
//! shell or URL needs it quoted. After the 5 bytes of the key id come
//!
//! - 16 random bytes: the secret, 128 bits,
//! - 5 bytes of a seal: an HMAC of the id and the secret under a key that only the store has,
//! - 4 bytes of a CRC32 of all that stands before.
//!
//! The checksum is for people: no single wrong character and no two neighbours swapped get past it. The seal is for attackers: whoever
//! makes up a secret for a real key id can compute a checksum but no seal, so guesses are refused without a look-up and without
//! Argon2, however many there are; one guess in 2⁴⁰ gets further. Neither takes part in the proof: that is Argon2id over the secret.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use catalogue_schema::Timestamp;
use data_encoding::{Encoding, Specification};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

use super::error::Error;
use super::plan::named;

const PREFIX: &[u8; 4] = b"ctg_";
const ID_BYTES: usize = 5;
const SECRET_BYTES: usize = 16;
const SEAL_BYTES: usize = 5;
const CHECK_BYTES: usize = 4;
const BODY_BYTES: usize = SECRET_BYTES + SEAL_BYTES + CHECK_BYTES;
const ID_TEXT: usize = ID_BYTES * 8 / 5;
const BODY_TEXT: usize = BODY_BYTES * 8 / 5;

/// The longest name of a key, in characters.
pub const LONGEST_NAME: usize = 100;

static BASE32: LazyLock<Encoding> = LazyLock::new(|| {
    let mut specification = Specification::new();
    specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
    specification.encoding().expect("32 different ASCII symbols are an encoding")
});

/// A key as the store knows it: everything but the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The public part of the token.
    pub id: KeyId,
    /// Where the key runs, in its holder's words.
    pub name: String,
    /// When it was made.
    pub created: Timestamp,
    /// When it last opened the service, to a few seconds.
    pub last_used: Option<Timestamp>,
    /// When it was revoked, where it was.
    pub revoked: Option<Timestamp>,
}

/// A key about to be made.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// The public part of the token.
    pub id: KeyId,
    /// Where the key runs, in its holder's words.
    pub name: String,
    /// The Argon2id hash of the secret.
    pub secret_hash: String,
    /// When it is made.
    pub created: Timestamp,
}

/// A name that a key can have: it is all that tells one key from another when choosing which to revoke.
///
/// # Errors
/// [`Error::BadName`] where the name is empty, too long or has control characters.
pub fn key_name(name: &str) -> Result<String, Error> {
    named("key", name, LONGEST_NAME)
}

/// The public part of a key: 40 bits, written as eight characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyId(u64);

impl KeyId {
    fn from_bytes(bytes: [u8; ID_BYTES]) -> Self {
        let mut number = [0; 8];
        number[8 - ID_BYTES..].copy_from_slice(&bytes);
        Self(u64::from_be_bytes(number))
    }

    fn to_bytes(self) -> [u8; ID_BYTES] {
        let mut bytes = [0; ID_BYTES];
        bytes.copy_from_slice(&self.0.to_be_bytes()[8 - ID_BYTES..]);
        bytes
    }

    /// The number under which the store keeps the key.
    pub(super) fn to_store(self) -> i64 {
        self.0.cast_signed()
    }

    /// The key that the store keeps under this number.
    pub(super) fn from_store(number: i64) -> Self {
        Self(number.cast_unsigned())
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE32.encode(&self.to_bytes()))
    }
}

/// A text is no key id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAKeyId;

impl FromStr for KeyId {
    type Err = NotAKeyId;

    fn from_str(text: &str) -> Result<Self, NotAKeyId> {
        decoded::<ID_BYTES, ID_TEXT>(text.as_bytes()).map(Self::from_bytes).ok_or(NotAKeyId)
    }
}

/// The key of the store under which tokens are sealed.
pub struct SealingKey([u8; 32]);

impl SealingKey {
    /// The sealing key with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn mac(&self, id: KeyId, secret: &[u8; SECRET_BYTES]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes a key of any length");
        mac.update(PREFIX);
        mac.update(&id.to_bytes());
        mac.update(secret);
        mac
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealingKey(..)")
    }
}

/// A token with a right checksum. Whether any key stands behind it is another matter.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    id: KeyId,
    secret: [u8; SECRET_BYTES],
    seal: [u8; SEAL_BYTES],
}

impl Token {
    /// A new token, sealed for one store.
    ///
    /// # Errors
    /// [`Error::Randomness`] where the operating system gives no random bytes.
    pub fn mint(sealing: &SealingKey) -> Result<Self, Error> {
        let mut random = [0; ID_BYTES + SECRET_BYTES];
        getrandom::fill(&mut random).map_err(Error::Randomness)?;
        let (mut id, mut secret) = ([0; ID_BYTES], [0; SECRET_BYTES]);
        id.copy_from_slice(&random[..ID_BYTES]);
        secret.copy_from_slice(&random[ID_BYTES..]);
        let id = KeyId::from_bytes(id);
        let mut seal = [0; SEAL_BYTES];
        seal.copy_from_slice(&sealing.mac(id, &secret).finalize().into_bytes()[..SEAL_BYTES]);
        Ok(Self { id, secret, seal })
    }

    /// Reads what a client presented, or `None` where it is no token or was mistyped.
    #[must_use]
    pub fn parse(presented: &[u8]) -> Option<Self> {
        let (id, body) = presented.strip_prefix(PREFIX)?.split_at_checked(ID_TEXT)?;
        let id = KeyId::from_bytes(decoded::<ID_BYTES, ID_TEXT>(id)?);
        let body = decoded::<BODY_BYTES, BODY_TEXT>(body.strip_prefix(b"_")?)?;
        let (secret, rest) = body.split_first_chunk()?;
        let (seal, check) = rest.split_first_chunk()?;
        let token = Self { id, secret: *secret, seal: *seal };
        (token.check() == check).then_some(token)
    }

    /// The public part.
    #[must_use]
    pub const fn id(&self) -> KeyId {
        self.id
    }

    /// What Argon2 hashes.
    #[must_use]
    pub const fn secret(&self) -> &[u8; SECRET_BYTES] {
        &self.secret
    }

    /// Whether this store made the token.
    #[must_use]
    pub fn is_sealed_by(&self, sealing: &SealingKey) -> bool {
        sealing.mac(self.id, &self.secret).verify_truncated_left(&self.seal).is_ok()
    }

    /// The token as its holder sees it, once.
    #[must_use]
    pub fn reveal(&self) -> String {
        let mut body = [0; BODY_BYTES];
        body[..SECRET_BYTES].copy_from_slice(&self.secret);
        body[SECRET_BYTES..SECRET_BYTES + SEAL_BYTES].copy_from_slice(&self.seal);
        body[SECRET_BYTES + SEAL_BYTES..].copy_from_slice(&self.check());
        format!("ctg_{}_{}", self.id, BASE32.encode(&body))
    }

    /// Under which a verified token is remembered: the token itself never is.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.id.to_bytes());
        hasher.update(self.secret);
        hasher.update(self.seal);
        hasher.finalize().into()
    }

    fn check(&self) -> [u8; CHECK_BYTES] {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(PREFIX);
        hasher.update(&self.id.to_bytes());
        hasher.update(&self.secret);
        hasher.update(&self.seal);
        // Lowest byte first is the order in which a CRC sees a burst across its own beginning.
        hasher.finalize().to_le_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({}, ..)", self.id)
    }
}

fn decoded<const BYTES: usize, const TEXT: usize>(text: &[u8]) -> Option<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    // The length is compared first: decoding into a buffer of another size is a panic.
    if text.len() != TEXT {
        return None;
    }
    BASE32.decode_mut(text, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SEALING: SealingKey = SealingKey::new([7; 32]);

    fn minted() -> Token {
        Token::mint(&SEALING).expect("random bytes")
    }

    #[test]
    fn a_token_reads_back_as_what_was_minted() {
        let token = minted();
        let text = token.reveal();
        assert_eq!(text.len(), 53);
        assert!(text.starts_with(&format!("ctg_{}_", token.id())));
        assert!(text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'));
        assert_eq!(Token::parse(text.as_bytes()).expect("its own text"), token);
        assert_eq!(token.id().to_string().parse(), Ok(token.id()));
        assert_eq!(KeyId::from_store(token.id().to_store()), token.id());
    }

    #[test]
    fn a_token_of_another_store_is_not_sealed_by_this_one() {
        assert!(minted().is_sealed_by(&SEALING));
        assert!(!minted().is_sealed_by(&SealingKey::new([8; 32])));
    }

    #[test]
    fn a_made_up_secret_with_a_right_checksum_is_not_sealed() {
        let mut forged = minted();
        forged.secret[0] ^= 1;
        let presented = Token::parse(forged.reveal().as_bytes()).expect("the checksum is right");
        assert!(!presented.is_sealed_by(&SEALING));
    }

    #[test]
    fn no_wrong_character_and_no_swap_gets_past_the_checksum() {
        let text = minted().reveal().into_bytes();
        for at in 0..text.len() {
            for byte in 0..=255 {
                let mut wrong = text.clone();
                wrong[at] = byte;
                assert_eq!(Token::parse(&wrong).is_some(), wrong == text);
            }
            let mut swapped = text.clone();
            swapped.swap(at, (at + 1) % text.len());
            assert_eq!(Token::parse(&swapped).is_some(), swapped == text);
            let mut shorter = text.clone();
            shorter.remove(at);
            assert_eq!(Token::parse(&shorter), None);
        }
    }

    #[test]
    fn a_token_is_never_written_into_a_log() {
        let token = minted();
        let text = format!("{token:?} {SEALING:?}");
        assert!(!text.contains(&token.reveal()[13..]));
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(Token::parse(&bytes), None);
        }

        #[test]
        fn whatever_looks_like_a_token_is_read_or_refused(text in "ctg_[0-9a-z]{8}_[0-9a-z]{38,42}") {
            if let Some(token) = Token::parse(text.as_bytes()) {
                prop_assert_eq!(token.reveal(), text);
            }
        }
    }
}
