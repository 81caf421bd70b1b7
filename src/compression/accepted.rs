//! What a client takes: `Accept-Encoding` (RFC 9110, section 12.5.3).

use axum::http::{HeaderMap, header};

use super::Coding;

/// What a client takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The coding it likes best of those we know; of several it likes as well, the one that costs least.
    pub(super) coding: Option<Coding>,
    /// Whether it takes a body as it is.
    pub(super) identity: bool,
}

/// A weight in thousandths; 0 is a refusal.
type Weight = u16;

impl Accepted {
    /// What the headers of a request say; `None` where they say nothing.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut lines = headers.get_all(header::ACCEPT_ENCODING).iter().peekable();
        lines.peek()?;
        let stated: Vec<(&str, Weight)> =
            lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(',')).filter_map(entry).collect();
        let weight_of = |names: &[&str]| {
            let named = stated.iter().find(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)));
            named.map(|&(_, weight)| weight)
        };
        let any = weight_of(&["*"]);
        let identity = weight_of(&["identity"]);
        // What is not named is taken as it is, unless the asterisk refuses it.
        let takes_identity = identity.or(any.filter(|&weight| weight == 0)) != Some(0);
        let mut best: Option<(Coding, Weight)> = None;
        for coding in Coding::ALL {
            let weight = weight_of(coding.names()).or(any).unwrap_or(0);
            if weight > best.map_or(0, |(_, weight)| weight) {
                best = Some((coding, weight));
            }
        }
        // A client that names identity and likes it better gets it.
        let coding = best.filter(|&(_, weight)| !takes_identity || weight >= identity.unwrap_or(0));
        Some(Self { coding: coding.map(|(coding, _)| coding), identity: takes_identity })
    }
}

/// A coding and its weight; `None` where the entry has no meaning.
fn entry(text: &str) -> Option<(&str, Weight)> {
    let (name, parameter) = text.split_once(';').unwrap_or((text, ""));
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    let parameter = parameter.trim();
    if parameter.is_empty() {
        return Some((name, 1_000));
    }
    let (key, value) = parameter.split_once('=')?;
    if !key.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    Some((name, weight(value.trim())?))
}

/// `0`, `0.5`, `1.000`: at most three decimals, at most 1.
fn weight(text: &str) -> Option<Weight> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if !matches!(whole, "0" | "1") || decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths: Weight = format!("{decimals:0<3}").parse().ok()?;
    let weight = if whole == "1" { 1_000 + thousandths } else { thousandths };
    (weight <= 1_000).then_some(weight)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn accepted(lines: &[&'static str]) -> Option<Accepted> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        Accepted::of(&headers)
    }

    #[test]
    fn the_best_liked_coding_is_taken_and_of_equals_the_cheapest() {
        let (zstd, brotli, gzip) = (Some(Coding::Zstd), Some(Coding::Brotli), Some(Coding::Gzip));
        for (line, coding, identity) in [
            ("gzip", gzip, true),
            ("gzip, deflate, br", gzip, true),
            ("gzip, deflate, br, zstd", zstd, true),
            ("ZSTD;Q=0.1 , gzip;q=0.9", gzip, true),
            ("br;q=0.001", brotli, true),
            ("x-gzip", gzip, true),
            ("*", zstd, true),
            ("*;q=0.5, zstd;q=0, gzip;q=0.2", brotli, true),
            ("identity", None, true),
            ("identity;q=0.5, gzip;q=0.4", None, true),
            ("identity;q=0.5, gzip;q=0.5", gzip, true),
            ("identity;q=0, gzip", gzip, false),
            ("identity;q=0", None, false),
            ("*;q=0", None, false),
            ("*;q=0, identity", None, true),
            ("identity;q=0, *", zstd, false),
            ("gzip;q=0", None, true),
            ("", None, true),
            ("deflate, compress", None, true),
            ("gzip;q=2, br;q=x, zstd;level=3", None, true),
            ("gzip;q=1.001", None, true),
            ("gzip;q=0.0001", None, true),
        ] {
            assert_eq!(accepted(&[line]), Some(Accepted { coding, identity }), "{line}");
        }
        assert_eq!(accepted(&["br;q=0.2", "gzip;q=0.3"]).and_then(|accepted| accepted.coding), gzip);
        assert_eq!(accepted(&[]), None);
    }

    proptest! {
        #[test]
        fn whatever_is_sent_is_read_without_a_panic(line in "[ -~]{0,80}|[a-z*;=q0-9., ]{0,40}") {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(&line).expect("plain characters"));
            prop_assert!(Accepted::of(&headers).is_some());
        }
    }
}
