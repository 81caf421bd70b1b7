//! The media types of GraphQL over HTTP: what is taken, and in which of two an answer is given.

use axum::http::{HeaderMap, HeaderValue, header};

/// The media type of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Media {
    /// `application/json`: the older form, in which only what is wrong with HTTP has another status than 200.
    #[default]
    Json,
    /// `application/graphql-response+json`, in which a request that was not executed has status 400.
    GraphQl,
}

impl Media {
    const ALL: [Self; 2] = [Self::Json, Self::GraphQl];

    /// The one that a client prefers; `None` where it takes neither. A client that does not say takes JSON.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let lines = headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
        let ranges: Vec<Range<'_>> = lines.flat_map(|line| line.split(',')).filter_map(Range::parse).collect();
        if ranges.is_empty() {
            return Some(Self::default());
        }
        let quality = |media: Self| {
            // The most exact range that covers a type says how much it is wanted.
            let covering = ranges.iter().filter(|range| range.covers(media));
            covering.max_by_key(|range| range.exactness()).map_or((0, 0), |range| (range.quality, range.exactness()))
        };
        let wanted = Self::ALL.into_iter().filter(|&media| quality(media).0 > 0);
        // Of equals the first one wins, which is JSON.
        wanted.rev().max_by_key(|&media| quality(media))
    }

    /// The one that a client prefers, or JSON.
    pub(super) fn or_json(headers: &HeaderMap) -> Self {
        Self::of(headers).unwrap_or_default()
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::GraphQl => "application/graphql-response+json",
        }
    }

    pub(super) const fn header(self) -> HeaderValue {
        match self {
            Self::Json => HeaderValue::from_static("application/json; charset=utf-8"),
            Self::GraphQl => HeaderValue::from_static("application/graphql-response+json; charset=utf-8"),
        }
    }
}

/// A media range of `Accept`.
struct Range<'h> {
    name: &'h str,
    /// In thousandths.
    quality: u16,
}

impl<'h> Range<'h> {
    fn parse(text: &'h str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?;
        let quality = parts.find_map(|parameter| parameter.strip_prefix("q=").or_else(|| parameter.strip_prefix("Q=")));
        let quality = quality.map_or(Some(1.0), |quality| quality.parse::<f32>().ok())?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 1,000")]
        let quality = (quality.clamp(0.0, 1.0) * 1_000.0) as u16;
        Some(Self { name, quality })
    }

    fn covers(&self, media: Media) -> bool {
        self.name == "*/*" || self.name == "application/*" || self.name.eq_ignore_ascii_case(media.name())
    }

    fn exactness(&self) -> u8 {
        match self.name {
            "*/*" => 0,
            "application/*" => 1,
            _ => 2,
        }
    }
}

/// Whether a body is said to be JSON in UTF-8 and nothing else.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(stated), None) = (types.next().and_then(|value| value.to_str().ok()), types.next()) else { return false };
    let mut parts = stated.split(';').map(str::trim);
    let is_json = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(Media::Json.name()));
    let mut charsets = parts
        .filter_map(|parameter| parameter.split_once('='))
        .filter(|(name, _)| name.eq_ignore_ascii_case("charset"));
    let is_encoded = headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity");
    is_json && !is_encoded && charsets.all(|(_, charset)| charset.trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(lines: &[&'static str]) -> HeaderMap {
        lines.iter().map(|line| (header::ACCEPT, HeaderValue::from_static(line))).collect()
    }

    #[test]
    fn an_answer_has_the_media_type_that_is_preferred() {
        for (lines, media) in [
            (&["application/json"][..], Some(Media::Json)),
            (&["application/graphql-response+json"], Some(Media::GraphQl)),
            (&["*/*"], Some(Media::Json)),
            (&["application/*"], Some(Media::Json)),
            (&["application/graphql-response+json, application/json;q=0.9"], Some(Media::GraphQl)),
            (&["application/json;q=0.9, application/graphql-response+json"], Some(Media::GraphQl)),
            (&["application/graphql-response+json;q=0.5, */*;q=0.8"], Some(Media::Json)),
            (&["application/graphql-response+json", "*/*"], Some(Media::GraphQl)),
            (&["application/json, application/graphql-response+json"], Some(Media::Json)),
            (&["text/html, */*;q=0.1"], Some(Media::Json)),
            (&["application/json;q=0, */*"], Some(Media::GraphQl)),
            (&["Application/JSON; charset=utf-8"], Some(Media::Json)),
            (&["text/html"], None),
            (&["*/*;q=0"], None),
            (&[""], Some(Media::Json)),
        ] {
            assert_eq!(Media::of(&accepting(lines)), media, "{lines:?}");
        }
        assert_eq!(Media::or_json(&HeaderMap::new()), Media::Json);
    }

    #[test]
    fn a_body_is_json_only_where_it_says_so() {
        for (stated, expected) in [
            ("application/json", true),
            ("application/json; charset=utf-8", true),
            ("Application/Json;charset=\"UTF-8\"", true),
            ("application/json; charset=latin1", false),
            ("text/plain", false),
            ("application/x-www-form-urlencoded", false),
            ("multipart/form-data", false),
            ("", false),
        ] {
            let headers: HeaderMap = [(header::CONTENT_TYPE, HeaderValue::from_static(stated))].into_iter().collect();
            assert_eq!(is_json(&headers), expected, "{stated}");
        }
        assert!(!is_json(&HeaderMap::new()));
    }
}
