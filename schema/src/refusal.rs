//! Every refusal the service gives: one table of slug, status and sentence (specification, part 7; decisions, section 5).

use std::fmt;

use crate::Timestamp;
use crate::envelope::ErrorBody;

/// Why a request is refused. Clients branch on [`Refusal::slug`]; the sentence is for logs and people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A parameter the API cannot act on.
    InvalidParameter {
        /// The parameter's name, as the client wrote it.
        parameter: String,
        /// What is wrong with it, as a sentence.
        reason: String,
    },
    /// The cursor belongs to another filter or endpoint.
    CursorFilterMismatch,
    /// The window holds more changes than one traversal serves.
    WindowTooLarge {
        /// How many changes one traversal serves.
        limit: u64,
        /// How many the window holds.
        count: u64,
        /// The earliest `since` whose window would be served, where there is one.
        fits_since: Option<Timestamp>,
    },
    /// No `Authorization` header.
    MissingKey,
    /// Not a key, or a revoked one.
    InvalidKey,
    /// A real key of an account whose plan excludes the API.
    PlanRequired,
    /// A real key or session of an account that is not an analyst's.
    AnalystRequired,
    /// No resource at this address.
    NotFound,
    /// The address does not answer the method.
    MethodNotAllowed,
    /// The key has used its requests of the day.
    RateLimited,
    /// Something failed inside the service.
    InternalError,
    /// The service cannot answer yet, or not now.
    Unavailable,
}

impl Refusal {
    /// A refusal of one parameter.
    #[must_use]
    pub fn parameter(parameter: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::InvalidParameter { parameter: parameter.into(), reason: reason.into() }
    }

    /// One of each that a client of REST can meet, as its documentation shows them.
    #[must_use]
    pub fn examples() -> [Self; 11] {
        let fits_since = Timestamp::parse_window_start("2026-07-26");
        [
            Self::parameter("limit", "it must be a whole number from 1 to 100"),
            Self::CursorFilterMismatch,
            Self::WindowTooLarge { limit: 10_000, count: 12_345, fits_since },
            Self::MissingKey,
            Self::InvalidKey,
            Self::PlanRequired,
            Self::NotFound,
            Self::MethodNotAllowed,
            Self::RateLimited,
            Self::InternalError,
            Self::Unavailable,
        ]
    }

    /// The slug and the HTTP status: the table every surface reads.
    #[must_use]
    pub const fn row(&self) -> (&'static str, u16) {
        match self {
            Self::InvalidParameter { .. } => ("invalid_parameter", 400),
            Self::CursorFilterMismatch => ("cursor_filter_mismatch", 400),
            Self::WindowTooLarge { .. } => ("window_too_large", 400),
            Self::MissingKey => ("missing_key", 401),
            Self::InvalidKey => ("invalid_key", 401),
            Self::PlanRequired => ("plan_required", 403),
            Self::AnalystRequired => ("analyst_required", 403),
            Self::NotFound => ("not_found", 404),
            Self::MethodNotAllowed => ("method_not_allowed", 405),
            Self::RateLimited => ("rate_limited", 429),
            Self::InternalError => ("internal_error", 500),
            Self::Unavailable => ("unavailable", 503),
        }
    }

    /// The stable slug.
    #[must_use]
    pub const fn slug(&self) -> &'static str {
        self.row().0
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.row().1
    }

    /// The body that tells a client.
    #[must_use]
    pub fn body(&self) -> ErrorBody {
        let parameter = match self {
            Self::InvalidParameter { parameter, .. } => Some(parameter.clone()),
            Self::CursorFilterMismatch => Some("cursor".to_owned()),
            Self::WindowTooLarge { .. } => Some("since".to_owned()),
            _ => None,
        };
        ErrorBody { error: self.slug().to_owned(), message: self.to_string(), parameter }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidParameter { parameter, reason } => {
                write!(f, "The parameter `{parameter}` cannot be used: {reason}.")
            }
            Self::CursorFilterMismatch => {
                f.write_str("The cursor belongs to another filter or endpoint: start again without a cursor.")
            }
            Self::WindowTooLarge { limit, count, fits_since } => {
                write!(f, "The window holds {count} changes and one traversal serves at most {limit}: ")?;
                match fits_since {
                    Some(since) => write!(f, "ask again with `since={since}` or later."),
                    None => f.write_str("the last publication alone holds more, so no later `since` would fit."),
                }
            }
            Self::MissingKey => f.write_str("Send an API key as `Authorization: Bearer <API_KEY>`."),
            Self::InvalidKey => f.write_str("The API key is not valid or was revoked."),
            Self::PlanRequired => f.write_str("The key is valid, but the account's plan does not include the API."),
            Self::AnalystRequired => f.write_str("This is for analysts, and the account is not an analyst's."),
            Self::NotFound => f.write_str("There is nothing at this address."),
            Self::MethodNotAllowed => {
                f.write_str("This address does not answer that method: `Allow` lists those it does.")
            }
            Self::RateLimited => {
                f.write_str("The key has used its requests of the day: wait until the time that `Retry-After` gives.")
            }
            Self::InternalError => f.write_str("The service failed to answer; the failure has been recorded."),
            Self::Unavailable => {
                f.write_str("The service cannot answer now: try again after the time that `Retry-After` gives.")
            }
        }
    }
}

impl std::error::Error for Refusal {}
