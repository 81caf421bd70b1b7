//! The cookies that hold tokens.
//!
//! Where the browser speaks TLS a cookie is `Secure` and its name begins with `__Host-`, which a browser accepts only from this very host
//! by TLS: nobody on the way and no neighbouring host can plant one. Then only that name is read.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};

use super::session::SessionToken;

/// What a cookie's token is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A session.
    Session,
    /// A visitor who has not signed in, and whose sign-in form must be known from another's.
    Visit,
}

/// How cookies are written and read: by TLS or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    /// Whether the browser speaks TLS, with this service or with a proxy before it.
    pub secure: bool,
}

impl Cookies {
    /// The token that a request carries.
    #[must_use]
    pub fn read(self, kind: Kind, headers: &HeaderMap) -> Option<SessionToken> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
        cookies.find(|cookie| cookie.name() == self.name(kind)).and_then(|cookie| SessionToken::parse(cookie.value()))
    }

    /// The `Set-Cookie` that gives a browser this token until it is closed.
    #[must_use]
    pub fn give(self, kind: Kind, token: &SessionToken) -> HeaderValue {
        self.header(Cookie::build((self.name(kind), token.reveal())))
    }

    /// The `Set-Cookie` that takes a token away.
    #[must_use]
    pub fn take(self, kind: Kind) -> HeaderValue {
        self.header(Cookie::build((self.name(kind), "")).max_age(cookie::time::Duration::ZERO))
    }

    const fn name(self, kind: Kind) -> &'static str {
        match (kind, self.secure) {
            (Kind::Session, true) => "__Host-catalogue-session",
            (Kind::Session, false) => "catalogue-session",
            (Kind::Visit, true) => "__Host-catalogue-visit",
            (Kind::Visit, false) => "catalogue-visit",
        }
    }

    fn header(self, cookie: cookie::CookieBuilder<'_>) -> HeaderValue {
        let cookie = cookie.path("/").http_only(true).same_site(SameSite::Lax).secure(self.secure).build();
        // Names and tokens are plain ASCII.
        HeaderValue::try_from(cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_given_by_tls_is_bound_to_the_host_and_no_other_is_read() {
        let token = SessionToken::parse(&"A".repeat(43)).expect("a token");
        let (tls, plain) = (Cookies { secure: true }, Cookies { secure: false });
        let given = tls.give(Kind::Session, &token);
        let name_and_value = format!("__Host-catalogue-session={}", "A".repeat(43));
        assert_eq!(given, format!("{name_and_value}; HttpOnly; SameSite=Lax; Secure; Path=/"));
        let plainly = plain.give(Kind::Visit, &token);
        assert_eq!(plainly, format!("catalogue-visit={}; HttpOnly; SameSite=Lax; Path=/", "A".repeat(43)));
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::try_from(format!("a=b; {name_and_value}; c")).expect("ASCII"));
        assert_eq!(tls.read(Kind::Session, &headers), Some(token));
        assert_eq!(tls.read(Kind::Visit, &headers), None);
        assert_eq!(plain.read(Kind::Session, &headers), None);
        assert!(plain.take(Kind::Visit).to_str().expect("ASCII").contains("Max-Age=0"));
    }
}
