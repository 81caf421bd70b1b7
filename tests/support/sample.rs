//! A service with something of everything: a synthetic catalogue of two crawls, so that its feed has entries.

use catalogue_gateway::synthetic::{self, Churn, DEFAULT_SEED, Size, default_crawled_at};

use super::data::Data;
use super::service::{Choices, PUBLISHED_AT, Service};

/// When the second crawl is published.
pub(crate) const PUBLISHED_AGAIN_AT: &str = "2026-07-01T13:00:00.000Z";

/// Serves a catalogue of so many grants as the test chooses.
pub(crate) fn serve(grants: u64, choices: Choices) -> Service {
    let (data, exports) = (Data::new(), tempfile::tempdir().expect("a folder"));
    let [first, second] = ["first", "second"].map(|name| exports.path().join(name));
    synthetic::write(&first, Size::of_grants(grants), DEFAULT_SEED, default_crawled_at()).expect("an export");
    synthetic::write_next(&second, &first, DEFAULT_SEED, None, Churn::default()).expect("the next export");
    data.publish_folder(&first, PUBLISHED_AT);
    data.publish_folder(&second, PUBLISHED_AGAIN_AT);
    Service::over(data, choices)
}
