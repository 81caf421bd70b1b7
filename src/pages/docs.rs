//! `/docs` and `/docs/reference`: a guide with examples, and a reference in which calls can be tried. Both are written when the gateway
//! begins.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use catalogue_schema::Refusal;

use super::assets::Assets;
use super::examples::{EXAMPLES, Examples};
use super::moment::Count;
use super::page::{ContentPolicy, PublicPage};
use crate::app::App;
use crate::caching::Held;

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    assets: Assets,
    examples: &'static Examples,
    daily_limit: Count,
    refusals: Vec<RefusalRow>,
}

/// A refusal, as the guide lists it.
struct RefusalRow {
    status: u16,
    slug: &'static str,
    remedy: &'static str,
}

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage {
    assets: Assets,
}

/// The pages of the documentation.
#[derive(Debug)]
pub struct Documentation {
    guide: PublicPage,
    reference: PublicPage,
}

impl Documentation {
    /// Writes the pages, for a service that allows so many requests a day.
    ///
    /// # Errors
    /// Those of the templates.
    pub fn new(daily_limit: u32) -> askama::Result<Self> {
        let refusals = Refusal::examples().map(|refusal| RefusalRow {
            status: refusal.status(),
            slug: refusal.slug(),
            remedy: remedy(&refusal),
        });
        let guide = GuidePage {
            assets: Assets,
            examples: &EXAMPLES,
            daily_limit: Count(daily_limit.into()),
            refusals: refusals.into(),
        };
        Ok(Self {
            guide: PublicPage::new(&guide, ContentPolicy::OwnFilesAlone)?,
            reference: PublicPage::new(&ReferencePage { assets: Assets }, ContentPolicy::WithCalls)?,
        })
    }
}

/// The guide.
pub(crate) async fn guide(State(app): State<App>, held: Held) -> Response {
    app.documentation.guide.answer(&held)
}

/// The reference.
pub(crate) async fn reference(State(app): State<App>, held: Held) -> Response {
    app.documentation.reference.answer(&held)
}

/// What a client does about a refusal.
const fn remedy(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::InvalidParameter { .. } => "Put the parameter right that `parameter` names.",
        Refusal::CursorFilterMismatch => "Start again without a cursor, or with the filters it was given for.",
        Refusal::WindowTooLarge { .. } => "Ask for a later `since`; the message names one that fits.",
        Refusal::MissingKey => "Send the header `Authorization: Bearer <key>`.",
        Refusal::InvalidKey => "Look at the key: it is mistyped, or was revoked.",
        Refusal::PlanRequired => "The key is good; ask for a plan that includes the API.",
        Refusal::AnalystRequired => "Use a key of an analyst's account.",
        Refusal::NotFound => "Nothing has this slug, or there is no such address.",
        Refusal::MethodNotAllowed => "Use GET or HEAD.",
        Refusal::RateLimited => "Wait for as many seconds as `Retry-After` says.",
        Refusal::InternalError => "Report it, with the `X-Request-Id`.",
        Refusal::Unavailable => "Try again after as many seconds as `Retry-After` says.",
    }
}
