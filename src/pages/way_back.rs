//! Where somebody wanted to go who was asked to sign in first.
//!
//! The page's address goes with the form and comes back with it, so anyone can put one there: only an address on this very listener is
//! taken, or a link to our sign-in page could end on another's site.

use std::fmt;

use axum::http::Uri;

/// The parameter, and the field of the form, that holds it.
pub(super) const NAME: &str = "next";

/// A longer address is no page of ours; and forms are short.
const LONGEST: usize = 1_000;

/// A path on this listener, with its query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WayBack(String);

impl WayBack {
    /// The address that a client states, where it is one of ours.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // Browsers read `//host` and `/\host` as another host, and drop tabs and line ends wherever they are.
        let begins_here = text.starts_with('/') && !text.starts_with("//");
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        (begins_here && is_plain && text.len() <= LONGEST).then(|| Self(text.to_owned()))
    }

    /// The address that is asked for; without its query where that is long.
    pub(super) fn to(uri: &Uri) -> Option<Self> {
        uri.path_and_query().and_then(|address| Self::parse(address.as_str())).or_else(|| Self::parse(uri.path()))
    }

    /// The one that the query of the sign-in page states.
    pub(super) fn in_query(query: Option<&str>) -> Option<Self> {
        let mut parameters = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        parameters.find(|(name, _)| name == NAME).and_then(|(_, value)| Self::parse(&value))
    }

    /// The sign-in page that leads back here.
    pub(super) fn by_sign_in(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(NAME, &self.0);
        format!("/account/sign-in?{}", query.finish())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WayBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_back_never_leads_to_another_host() {
        for ours in ["/", "/graphiql", "/graphiql?query=%7Bgrants%7D&x=/y", "/a//b"] {
            assert_eq!(WayBack::parse(ours).expect(ours).as_str(), ours);
        }
        let long = format!("/{}", "a".repeat(LONGEST));
        for other in [
            "",
            "graphiql",
            "//example.org",
            "///example.org",
            "/\\example.org",
            "\\/example.org",
            "/\t/example.org",
            "/\n/example.org",
            " /x",
            "/x y",
            "https://example.org/",
            "javascript:alert(1)",
            "/ü",
            &long,
        ] {
            assert_eq!(WayBack::parse(other), None, "{other:?}");
        }
    }

    #[test]
    fn a_way_back_comes_through_the_sign_in_page() {
        let way = WayBack::to(&"/graphiql?query={a%20&b}#c".parse().expect("an address")).expect("ours");
        let address = way.by_sign_in();
        assert_eq!(WayBack::in_query(address.split_once('?').map(|(_, query)| query)), Some(way));
        assert_eq!(WayBack::in_query(Some("signed-out")), None);
        assert_eq!(WayBack::in_query(Some("next=%2F%2Fexample.org")), None);
        let long: Uri = format!("/graphiql?query={}", "a".repeat(LONGEST)).parse().expect("an address");
        assert_eq!(WayBack::to(&long).expect("its path").as_str(), "/graphiql");
    }
}
