//! What a form carries to show that it is one of this service's own, made for the browser that sends it.
//!
//! It is an HMAC of the token in the browser's cookie under a secret of the store, so that nothing need be kept, every gateway of the
//! store knows it, and another site, which can read neither, cannot make one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::cookies::Kind;
use super::service::Access;
use super::session::SessionToken;

impl Access {
    /// What the forms of this browser carry.
    #[must_use]
    pub fn form_token(&self, kind: Kind, token: &SessionToken) -> String {
        URL_SAFE_NO_PAD.encode(self.form_mac(kind, token).finalize().into_bytes())
    }

    /// Whether a form carries what this browser's forms do. The time this takes says nothing about how much of it is right.
    #[must_use]
    pub fn is_form_token(&self, presented: &str, kind: Kind, token: &SessionToken) -> bool {
        let Ok(presented) = URL_SAFE_NO_PAD.decode(presented) else { return false };
        self.form_mac(kind, token).verify_slice(&presented).is_ok()
    }

    fn form_mac(&self, kind: Kind, token: &SessionToken) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.form_secret).expect("HMAC takes a key of any length");
        mac.update(match kind {
            Kind::Session => b"session",
            Kind::Visit => b"visit",
        });
        mac.update(token.bytes());
        mac
    }
}
