//! A service with something of everything: a synthetic catalogue of two crawls, so that its feed has entries.

use catalogue_gateway::synthetic::{self, Churn, DEFAULT_SEED, Size, default_crawled_at};

use crate::support::data::Data;
use crate::support::service::{Choices, PUBLISHED_AT, Service};

/// Serves it, with more requests to the day than any test makes.
pub(super) fn serve() -> Service {
    let (data, exports) = (Data::new(), tempfile::tempdir().expect("a folder"));
    let [first, second] = ["first", "second"].map(|name| exports.path().join(name));
    synthetic::write(&first, Size::of_grants(120), DEFAULT_SEED, default_crawled_at()).expect("an export");
    synthetic::write_next(&second, &first, DEFAULT_SEED, None, Churn::default()).expect("the next export");
    data.publish_folder(&first, PUBLISHED_AT);
    data.publish_folder(&second, "2026-07-01T13:00:00.000Z");
    Service::over(data, Choices { daily_limit: 1_000_000, ..Choices::default() })
}
