//! Query parameters and slugs, read so that a refusal names the parameter (decisions, section 3).

use std::borrow::Cow;
use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use catalogue_schema::{FilterField, Refusal, Requested, Slug, Timestamp};
use percent_encoding::percent_decode_str;

use crate::error::Error;
use crate::resolvers::{ListRequest, PageSize};

/// How many values of filters one address may have: more than there are states, and few enough to be looked up and listed.
pub(super) const MOST_VALUES: usize = 100;

/// What an endpoint takes.
pub(crate) trait Endpoint {
    /// The filters whose values are matched with the catalogue, each with what it means here.
    const FILTERS: &'static [(FilterField, &'static str)] = &[];
    /// The filter that begins a window of time.
    const WINDOW: Option<Window> = None;
    /// Whether it is a list, which takes `limit` and `cursor`.
    const IS_LIST: bool = true;
}

/// A filter that begins a window of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    UpdatedSince,
    Since,
}

impl Window {
    /// The query parameter's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::UpdatedSince => "updated_since",
            Self::Since => "since",
        }
    }

    /// What it means.
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Self::UpdatedSince => {
                "Only grants of which a field other than `last_verified_at` changed at or after this instant: a date is the start of that \
                UTC day."
            }
            Self::Since => {
                "Only changes observed at or after this instant: a date is the start of that UTC day. Without it, all there ever were. To \
                go on with a feed, give the greatest `observed_at` met so far; it is met again."
            }
        }
    }
}

/// The query of an endpoint.
pub(crate) struct Query<E> {
    pub(super) list: ListRequest,
    endpoint: PhantomData<E>,
}

/// A single-record endpoint, which takes no parameters.
pub(crate) struct Single;

impl Endpoint for Single {
    const IS_LIST: bool = false;
}

impl<E: Endpoint, S: Sync> FromRequestParts<S> for Query<E> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let list = read::<E>(parts.uri.query().unwrap_or_default())?;
        Ok(Self { list, endpoint: PhantomData })
    }
}

/// A parameter of some endpoint.
enum Parameter {
    Filter(FilterField),
    Window(Window),
    Limit,
    Cursor,
}

impl Parameter {
    fn of<E: Endpoint>(name: &str) -> Option<Self> {
        match name {
            "limit" => E::IS_LIST.then_some(Self::Limit),
            "cursor" => E::IS_LIST.then_some(Self::Cursor),
            name => {
                let filter = E::FILTERS.iter().find(|(field, _)| field.name() == name);
                let window = || E::WINDOW.filter(|window| window.name() == name).map(Self::Window);
                filter.map(|(field, _)| Self::Filter(*field)).or_else(window)
            }
        }
    }

    fn is_repeatable(&self) -> bool {
        matches!(self, Self::Filter(field) if field.is_repeatable())
    }
}

fn read<E: Endpoint>(query: &str) -> Result<ListRequest, Refusal> {
    let mut asked = Requested::default();
    let mut size = PageSize::default();
    let mut cursor = None;
    let mut met: Vec<Cow<'_, str>> = Vec::new();
    // `+` and `%20` are spaces; a stray `%` and bytes that are no UTF-8 are text.
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let Some(parameter) = Parameter::of::<E>(&name) else {
            return Err(Refusal::parameter(name, "this address does not know it"));
        };
        // An empty value counts as not given.
        if value.is_empty() {
            continue;
        }
        if !parameter.is_repeatable() && met.contains(&name) {
            return Err(Refusal::parameter(name, "it is given more than once and takes one value"));
        }
        match parameter {
            Parameter::Filter(_) if asked.values.len() == MOST_VALUES => {
                let reason = format!("an address takes at most {MOST_VALUES} values of filters");
                return Err(Refusal::parameter(name, reason));
            }
            Parameter::Filter(field) => asked.values.push((field, value.into_owned())),
            Parameter::Window(Window::UpdatedSince) => asked.updated_since = Some(instant(&name, &value)?),
            Parameter::Window(Window::Since) => asked.since = Some(instant(&name, &value)?),
            Parameter::Limit => {
                size = PageSize::parse(&value)
                    .ok_or_else(|| Refusal::parameter("limit", "it must be a whole number from 1 to 100"))?;
            }
            Parameter::Cursor => cursor = Some(value.into_owned()),
        }
        met.push(name);
    }
    Ok(ListRequest { asked, size, cursor })
}

fn instant(name: &str, value: &str) -> Result<Timestamp, Refusal> {
    Timestamp::parse_window_start(value).ok_or_else(|| {
        let hint = if value.contains(' ') { "; the `+` of an offset must be written %2B in an address" } else { "" };
        let reason =
            format!("it must be a date such as 2026-07-26 or an RFC 3339 timestamp such as 2026-07-26T20:05:28Z{hint}");
        Refusal::parameter(name, reason)
    })
}

/// The slug at the end of the path.
pub(crate) struct SlugPath(pub(super) Slug);

impl<S: Sync> FromRequestParts<S> for SlugPath {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let last = parts.uri.path().rsplit('/').next().unwrap_or_default();
        let slug = percent_decode_str(last).decode_utf8_lossy().parse().map_err(|_| Refusal::NotFound)?;
        Ok(Self(slug))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::grants::Grants;
    use super::*;

    fn refused(query: &str) -> String {
        match read::<Grants>(query) {
            Err(Refusal::InvalidParameter { parameter, .. }) => parameter,
            other => panic!("{query} gave {:?}", other.map(|list| list.asked)),
        }
    }

    #[test]
    fn what_cannot_be_acted_on_is_refused_by_name() {
        for (query, parameter) in [
            ("colour=red", "colour"),
            ("since=2026-01-01", "since"),
            ("q=a&q=b", "q"),
            ("status=open&status=open", "status"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=%2B5", "limit"),
            ("limit=ten", "limit"),
            ("limit=5&limit=5", "limit"),
            ("updated_since=yesterday", "updated_since"),
            ("updated_since=2026-07-26T00:00:00+02:00", "updated_since"),
            ("q=a&%00=b", "\0"),
        ] {
            assert_eq!(refused(query), parameter, "{query}");
        }
    }

    #[test]
    fn an_empty_value_counts_as_not_given() {
        let list =
            read::<Grants>("q=&limit=&cursor=&state=&updated_since=&status&limit=7&&").expect("nothing is wrong");
        assert_eq!(list.asked, Requested::default());
        assert_eq!((list.size.get(), list.cursor), (7, None));
    }

    #[test]
    fn values_are_kept_in_the_order_given() {
        let list = read::<Grants>("state=ca&q=50%25+off%zz&state=NY&entity=x").expect("nothing is wrong");
        let values: Vec<_> = list.asked.values.iter().map(|(field, value)| (field.name(), value.as_str())).collect();
        assert_eq!(values, [("state", "ca"), ("q", "50% off%zz"), ("state", "NY"), ("entity", "x")]);
    }

    proptest! {
        #[test]
        fn no_query_makes_the_reader_panic(query in ".{0,400}") {
            let _ = read::<Grants>(&query);
        }
    }
}
