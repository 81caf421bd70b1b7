//! What it costs a request to be counted: its route found, its latency taken, its answer noted. Together they are to stay within 0.3 µs.

use std::hint::black_box;
use std::time::Instant;

use axum::http::StatusCode;
use catalogue_gateway::metrics::{Metrics, Traffic};
use criterion::{Criterion, criterion_group, criterion_main};

/// As many routes as the public listener has, and of the same forms.
const ROUTES: [&str; 15] = [
    "/api/v1/grants",
    "/api/v1/grants/{slug}",
    "/api/v1/funders",
    "/api/v1/funders/{slug}",
    "/api/v1/recipients",
    "/api/v1/recipients/{slug}",
    "/api/v1/changes",
    "/account",
    "/account/sign-in",
    "/account/sign-out",
    "/account/keys",
    "/account/keys/{id}/revoke",
    "/account/style.css",
    "/account/script.js",
    "/account/icon.svg",
];

const PATH: &str = "/api/v1/grants/juniper-rural-water-quality-fund-round-two-942";

criterion_group!(benches, counting);
criterion_main!(benches);

fn counting(criterion: &mut Criterion) {
    let metrics = Metrics::new();
    let traffic = Traffic::new(&metrics, "public", ROUTES.map(str::to_owned).into());
    let route = traffic.route_of(PATH);
    criterion.bench_function("metrics/route", |bencher| bencher.iter(|| traffic.route_of(black_box(PATH))));
    let took = Instant::now().elapsed();
    criterion.bench_function("metrics/answered", |bencher| {
        bencher.iter(|| traffic.answered(route, black_box(StatusCode::OK), black_box(took)));
    });
    criterion.bench_function("metrics/whole", |bencher| {
        bencher.iter(|| {
            let started = Instant::now();
            let route = traffic.route_of(black_box(PATH));
            traffic.answered(route, black_box(StatusCode::OK), started.elapsed());
        });
    });
}
