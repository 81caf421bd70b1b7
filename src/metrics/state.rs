//! What is read when Prometheus asks: the catalogue that is served, and what others count for themselves.

use catalogue_schema::Timestamp;
use prometheus::proto::MetricFamily;
use prometheus::{Gauge, GaugeVec, IntCounter, IntGauge, IntGaugeVec, Registry};

use super::{opts, registered};
use crate::app::App;

/// The state at this moment.
pub(super) fn gather(app: &App) -> Vec<MetricFamily> {
    // Made anew each time: what is not known now, such as the age of a generation that is not there, is then not told.
    let registry = Registry::new();
    catalogue(&registry, app);
    access(&registry, app);
    registry.gather()
}

fn catalogue(registry: &Registry, app: &App) {
    let generation = app.catalogue.current();
    let number = generation.as_ref().map_or(0, |generation| generation.number());
    let help = "Number of the generation that is served; 0 before the first publication.";
    registered(registry, IntGauge::with_opts(opts("generation_number", help))).set(signed(number));
    let Some(generation) = generation else { return };
    let manifest = generation.manifest();
    let now = app.clock.now();
    let help = "Seconds since the generation that is served was published.";
    registered(registry, Gauge::with_opts(opts("generation_age_seconds", help)))
        .set(seconds(manifest.publication().at, now));
    let help = "Seconds since the crawl was made that is served.";
    registered(registry, Gauge::with_opts(opts("crawl_age_seconds", help))).set(seconds(manifest.crawled_at, now));
    let help = "Bytes on disk of the generation that is served, the change log included.";
    registered(registry, IntGauge::with_opts(opts("index_size_bytes", help))).set(signed(generation.bytes()));
    let help = "Rows of the generation that is served.";
    let rows = registered(registry, IntGaugeVec::new(opts("rows", help), &["resource"]));
    let counts = manifest.counts;
    for (resource, count) in [
        ("grants", counts.grants),
        ("funders", counts.funders),
        ("recipients", counts.recipients),
        ("awards", counts.awards),
        ("changes", manifest.publication().log_entries),
    ] {
        rows.with_label_values(&[resource]).set(signed(count));
    }
}

fn access(registry: &Registry, app: &App) {
    let argon = app.access.argon();
    let help = "Passwords and keys under comparison or waiting for a core to be compared on.";
    let jobs = registered(registry, GaugeVec::new(opts("argon2_jobs", help), &["state"]));
    for (state, count) in [("running", argon.running()), ("waiting", argon.waiting())] {
        // There are never as many as a number of this kind cannot tell apart.
        jobs.with_label_values(&[state]).set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
    let help = "Runs of Argon2 begun.";
    registered(registry, IntCounter::with_opts(opts("argon2_runs_total", help))).inc_by(argon.runs());
    let help = "Requests and tasks that met an account store which did not answer.";
    registered(registry, IntCounter::with_opts(opts("account_store_failures_total", help)))
        .inc_by(app.access.store_failures());
}

fn seconds(since: Timestamp, now: Timestamp) -> f64 {
    let millis = (now.unix_millis() - since.unix_millis()).max(0).cast_unsigned();
    std::time::Duration::from_millis(millis).as_secs_f64()
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
