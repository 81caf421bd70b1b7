//! The requests of one listener, by route and status.
//!
//! The route is the pattern that the router matches, never the path that a client writes: a client could write as many paths as it
//! likes. The edge stands outside the router and asks the same matcher with the same patterns, at some 20 ns.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::http::StatusCode;
use catalogue_schema::Refusal;
use prometheus::{Histogram, IntCounter, IntCounterVec};

use super::{Metrics, Refusals};

/// Counts the requests that no route matches.
const UNMATCHED: &str = "unmatched";

/// The least status there is, and how many can follow it.
const FIRST_STATUS: u16 = 100;
const STATUSES: usize = 500;

/// The counters of one listener.
#[derive(Clone, Debug)]
pub struct Traffic(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    listener: &'static str,
    matcher: matchit::Router<usize>,
    /// By number; the last one is of what no route matches.
    routes: Vec<Route>,
    requests: IntCounterVec,
    refusals: Refusals,
}

#[derive(Debug)]
struct Route {
    path: String,
    /// Made when a status is first answered, so that only those are told that have been.
    answers: Box<[OnceLock<IntCounter>]>,
    durations: Histogram,
}

/// The number of a route.
#[derive(Clone, Copy, Debug)]
pub struct RouteNumber(usize);

impl Traffic {
    /// Counts what comes to `listener`, whose routes these are.
    ///
    /// # Panics
    /// Where two routes exclude one another, as the router itself would.
    #[must_use]
    pub fn new(metrics: &Metrics, listener: &'static str, paths: Vec<String>) -> Self {
        let mut matcher = matchit::Router::new();
        for (number, path) in paths.iter().enumerate() {
            matcher.insert(path, number).expect("the router takes the same routes");
        }
        let route = |path: String| Route {
            answers: (0..STATUSES).map(|_| OnceLock::new()).collect(),
            durations: metrics.durations.with_label_values(&[listener, &path]),
            path,
        };
        Self(Arc::new(Shared {
            listener,
            matcher,
            routes: paths.into_iter().chain([UNMATCHED.to_owned()]).map(route).collect(),
            requests: metrics.requests.clone(),
            refusals: metrics.refusals.clone(),
        }))
    }

    /// The route that a path takes.
    #[must_use]
    pub fn route_of(&self, path: &str) -> RouteNumber {
        let unmatched = self.0.routes.len() - 1;
        RouteNumber(self.0.matcher.at(path).map_or(unmatched, |matched| *matched.value))
    }

    /// Counts a request that has been answered.
    pub fn answered(&self, RouteNumber(number): RouteNumber, status: StatusCode, took: Duration) {
        let Some(route) = self.0.routes.get(number) else { return };
        route.durations.observe(took.as_secs_f64());
        if let Some(counter) = route.answers.get(usize::from(status.as_u16() - FIRST_STATUS)) {
            counter
                .get_or_init(|| self.0.requests.with_label_values(&[self.0.listener, &route.path, status.as_str()]))
                .inc();
        }
    }

    /// Counts a request that was not let in.
    pub fn refused(&self, refusal: &Refusal) {
        self.0.refusals.count(refusal);
    }
}
