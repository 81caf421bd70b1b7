//! What the service counts and times of itself, as Prometheus reads it from `/metrics`.
//!
//! A page takes microseconds, so nothing on a request's way may look a label up, write a text or wait: each route holds its counters
//! ready ([`traffic`]), and recording a request is three atomic additions. What somebody else counts already, or what is a state and no
//! count, is read when Prometheus asks ([`state`]).
//!
//! The library is `prometheus`, without its own server: of those looked at it alone writes the classic text form, which every reader of
//! metrics takes, from atomics of a few nanoseconds. `metrics-exporter-prometheus` keeps each latency until it is asked for them;
//! `prometheus-client` writes the newer `OpenMetrics` form alone.

mod state;
pub mod traffic;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use catalogue_schema::Refusal;
use prometheus::core::Collector;
use prometheus::{
    Encoder as _, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};

use crate::app::App;
use crate::caching::Untagged;

pub use traffic::Traffic;

/// The upper bounds of the latencies that are told apart, in seconds: a page is expected within the first three, Argon2 in the eighth.
pub const BOUNDS: [f64; 14] =
    [25e-6, 50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 100e-3, 250e-3, 1.0, 10.0];

/// The counters of one gateway.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    refusals: Refusals,
    connections: IntGaugeVec,
}

/// Requests that were not let in, by reason.
#[derive(Clone, Debug)]
struct Refusals {
    missing_key: IntCounter,
    invalid_key: IntCounter,
    plan_required: IntCounter,
    rate_limited: IntCounter,
    unavailable: IntCounter,
}

impl Metrics {
    /// Counters that stand at nothing.
    #[must_use]
    pub fn new() -> Self {
        let registry = Registry::new();
        let build = IntGaugeVec::new(opts("build_info", "Always 1; the label names the version."), &["version"]);
        let requests = IntCounterVec::new(
            opts("http_requests_total", "Requests answered, by the route they took and the status they got."),
            &["listener", "route", "status"],
        );
        let durations = HistogramVec::new(
            HistogramOpts::from(opts(
                "http_request_duration_seconds",
                "Seconds from a request's headers to its answer, before the answer is sent.",
            ))
            .buckets(BOUNDS.to_vec()),
            &["listener", "route"],
        );
        let refusals = IntCounterVec::new(
            opts(
                "access_refusals_total",
                "Requests with a key, or without the one they need, that were not let in; rate_limited are those past the day's allowance.",
            ),
            &["reason"],
        );
        let connections = IntGaugeVec::new(opts("open_connections", "Connections that are open."), &["listener"]);
        registered(&registry, build).with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        let refusals = registered(&registry, refusals);
        let reason = |refusal: &Refusal| refusals.with_label_values(&[refusal.slug()]);
        Self {
            requests: registered(&registry, requests),
            durations: registered(&registry, durations),
            connections: registered(&registry, connections),
            refusals: Refusals {
                missing_key: reason(&Refusal::MissingKey),
                invalid_key: reason(&Refusal::InvalidKey),
                plan_required: reason(&Refusal::PlanRequired),
                rate_limited: reason(&Refusal::RateLimited),
                unavailable: reason(&Refusal::Unavailable),
            },
            registry,
        }
    }

    /// The counter of a listener's open connections.
    #[must_use]
    pub fn connections(&self, listener: &str) -> IntGauge {
        self.connections.with_label_values(&[listener])
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Refusals {
    fn count(&self, refusal: &Refusal) {
        match refusal {
            Refusal::MissingKey => self.missing_key.inc(),
            Refusal::InvalidKey => self.invalid_key.inc(),
            Refusal::PlanRequired => self.plan_required.inc(),
            Refusal::RateLimited => self.rate_limited.inc(),
            Refusal::Unavailable => self.unavailable.inc(),
            // What is refused for other reasons was let in before.
            _ => {}
        }
    }
}

/// `/metrics`: everything, in the text form of Prometheus.
pub(crate) fn answer(app: &App) -> Response {
    let mut text = Vec::new();
    let families = [app.metrics.registry.gather(), state::gather(app)].concat();
    if let Err(error) = TextEncoder::new().encode(&families, &mut text) {
        tracing::error!(%error, "the metrics cannot be written");
        return axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let kind = HeaderValue::from_static(prometheus::TEXT_FORMAT);
    let mut response = ([(header::CONTENT_TYPE, kind)], text).into_response();
    Untagged::Never.write(response.headers_mut());
    response
}

/// What every metric is called alike, and what it says.
fn opts(name: &str, help: &str) -> Opts {
    Opts::new(name, help).namespace("catalogue")
}

/// A metric whose name and labels are written in this room, and cannot be wrong for one gateway and right for another.
fn registered<C: Collector + Clone + 'static>(registry: &Registry, metric: prometheus::Result<C>) -> C {
    let metric = metric.expect("a metric has a good name");
    registry.register(Box::new(metric.clone())).expect("no other metric has its name");
    metric
}
