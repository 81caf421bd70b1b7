//! `/` of the internal listener: the catalogue at a glance.
//!
//! Every chart is a table whose last column is a bar, and the map has a number in each state: read aloud, printed, without colour and on a
//! phone they say what they say on a screen. The bars are rectangles that the template writes. Libraries that draw charts on the server
//! draw pictures of fixed size and colour, each of which would need such a table beside it; those that draw in the browser need a script
//! that the page's policy would have to let in.

mod bars;
mod figures;
mod map;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use moka::future::Cache;

use self::bars::Share;
use self::figures::Figures;
use super::analyst::Analyst;
use super::assets::Assets;
use super::moment::{Count, Moment, age_in_words};
use super::page::page;
use super::problem::Problem;
use super::signed_in::Holder;
use crate::access::usage::KeyUsage;
use crate::app::App;
use crate::resolvers::insight::apart;

/// How many keys are listed.
const MOST_KEYS: u32 = 20;

/// The figures that were counted last: a catalogue and a minute have one set, however many look at it.
#[derive(Clone, Debug)]
pub struct Dashboard(Cache<(u64, i64), Arc<Figures>>);

impl Default for Dashboard {
    fn default() -> Self {
        Self(Cache::new(2))
    }
}

impl Dashboard {
    /// The figures of this minute; `None` before the first publication.
    async fn figures(&self, app: &App) -> Result<Option<Arc<Figures>>, Problem> {
        let Some(generation) = app.catalogue.current() else { return Ok(None) };
        let now = app.clock.now();
        let minute = now.unix_millis().div_euclid(60_000);
        let catalogue = Arc::clone(&app.catalogue);
        let counting = self.0.try_get_with((generation.number(), minute), async {
            apart(move || Figures::count(&catalogue, &generation, now)).await.map(Arc::new)
        });
        counting.await.map(Some).map_err(Problem::Catalogue)
    }
}

#[derive(Template)]
#[template(path = "dashboard.html")]
struct DashboardPage {
    assets: Assets,
    place: &'static str,
    holder: Option<Holder>,
    figures: Option<Arc<Figures>>,
    now: Moment,
    /// How long ago the crawl was.
    age: String,
    keys: Vec<KeyRow>,
    requests: Count,
    daily_limit: Count,
}

/// A key and its requests of today, as the table shows them.
struct KeyRow {
    usage: KeyUsage,
    made: Count,
    left: Count,
    share: Share,
    last_used: Option<Moment>,
}

/// The page.
pub(crate) async fn show(Analyst { holder }: Analyst, State(app): State<App>) -> Result<Response, Problem> {
    let figures = app.dashboard.figures(&app).await?;
    let daily_limit = u64::from(app.access.untouched().limit);
    let keys: Vec<KeyRow> =
        app.access.usage(MOST_KEYS).await?.into_iter().map(|usage| row(usage, daily_limit)).collect();
    let now = app.clock.now();
    let dashboard = DashboardPage {
        assets: Assets,
        place: "/",
        holder,
        age: figures.as_ref().map(|figures| age_in_words(figures.crawled.0, now)).unwrap_or_default(),
        figures,
        now: Moment(now),
        requests: Count(keys.iter().map(|key| key.made.0).sum()),
        keys,
        daily_limit: Count(daily_limit),
    };
    page(StatusCode::OK, &dashboard)
}

fn row(usage: KeyUsage, daily_limit: u64) -> KeyRow {
    let (made, left) = (Count(usage.made.into()), Count(usage.remaining.into()));
    let last_used = usage.key.last_used.map(Moment);
    KeyRow { share: Share::of(made.0, daily_limit), made, left, last_used, usage }
}
