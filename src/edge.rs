//! The edge: what happens to every request and every response, whichever route they take.
//!
//! One layer does it all, because each layer of its own costs a microsecond that a page could be assembled in: a request id, the
//! time limit, panics turned into `internal_error`, the allowance's headers, compression, `HEAD`, the counters, and a line in the log.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::HttpBody as _;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use catalogue_schema::Refusal;
use data_encoding::HEXLOWER;
use futures_util::FutureExt;
use futures_util::future::poll_immediate;
use tower::Service;

use crate::access::{Access, Denied, RateLimit, RateSlot, StoreFailed};
use crate::compression::{Accepted, compress};
use crate::error::{Failed, denied, refused};
use crate::metrics::Traffic;

/// How long a request may take.
const TIME_LIMIT: Duration = Duration::from_secs(10);

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const RATE_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RATE_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const CONTENT_TYPE_OPTIONS: HeaderName = HeaderName::from_static("x-content-type-options");
const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");

/// A listener's routes with the edge around them.
#[derive(Clone)]
pub struct Edge<S> {
    inner: S,
    shared: Arc<Shared>,
}

struct Shared {
    access: Arc<Access>,
    /// Whether responses report an allowance.
    reports_allowance: bool,
    traffic: Traffic,
    /// Tells the requests of this process from those of every other.
    prefix: u32,
    requests: AtomicU64,
}

impl<S> Edge<S> {
    /// Puts the edge around `inner`, whose requests `traffic` counts. With `reports_allowance`, every response reports the allowance.
    pub fn new(inner: S, access: Arc<Access>, traffic: Traffic, reports_allowance: bool) -> Self {
        // An id need not be secret, only unlikely to come again: without randomness the process id serves.
        let prefix = getrandom::u32().unwrap_or_else(|_| std::process::id());
        let shared = Shared { access, reports_allowance, traffic, prefix, requests: AtomicU64::new(0) };
        Self { inner, shared: Arc::new(shared) }
    }
}

impl<S> Service<Request> for Edge<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let shared = Arc::clone(&self.shared);
        let slot = RateSlot::default();
        request.extensions_mut().insert(slot.clone());
        let started = Instant::now();
        let route = shared.traffic.route_of(request.uri().path());
        let is_logged = tracing::enabled!(tracing::Level::DEBUG);
        let logged = is_logged.then(|| (request.method().clone(), request.uri().path().to_owned()));
        let accepted = Accepted::of(request.headers());
        // Answered as GET is to the last byte, which is then not sent: so its headers are the same.
        let is_head = request.method() == Method::HEAD;
        if is_head {
            *request.method_mut() = Method::GET;
        }
        let answer = self.inner.call(request);
        Box::pin(async move {
            let id = shared.next_id();
            let mut answer = pin!(AssertUnwindSafe(answer).catch_unwind());
            // Most answers are there at once: only the others are worth a timer.
            let answered = match poll_immediate(answer.as_mut()).await {
                Some(answered) => Ok(answered),
                None => Box::pin(tokio::time::timeout(TIME_LIMIT, answer)).await,
            };
            let mut response = match answered {
                Ok(Ok(Ok(response))) => response,
                Ok(Err(panic)) => {
                    tracing::error!(
                        request = id.to_str().unwrap_or_default(),
                        panic = said(&*panic),
                        "a request panicked"
                    );
                    refused(&Refusal::InternalError, None)
                }
                Err(_) => {
                    tracing::error!(
                        request = id.to_str().unwrap_or_default(),
                        "a request took longer than its time limit"
                    );
                    refused(&Refusal::Unavailable, None)
                }
            };
            let mut rate = slot.get();
            if let Some(why) = response.extensions_mut().remove::<Denied>() {
                rate = Some(why.rate());
                response = denied(&why);
                shared.traffic.refused(why.refusal());
            }
            if response.status().is_server_error()
                && let Some(failed) = response.extensions_mut().remove::<Failed>()
            {
                failed.log(id.to_str().unwrap_or_default());
            }
            if response.status() == StatusCode::SERVICE_UNAVAILABLE {
                if response.extensions_mut().remove::<StoreFailed>().is_some() {
                    shared.access.count_store_failure();
                }
                if let Some(caller) = slot.caller() {
                    rate = Some(shared.access.uncharge(&caller).await);
                }
            }
            if shared.reports_allowance {
                write_rate(response.headers_mut(), rate.unwrap_or_else(|| shared.access.untouched()));
            }
            response.headers_mut().insert(CONTENT_TYPE_OPTIONS, NOSNIFF);
            if let Some(accepted) = accepted {
                response = Box::pin(compress(response, accepted)).await;
            }
            if is_head {
                leave_body_out(&mut response);
            }
            let took = started.elapsed();
            shared.traffic.answered(route, response.status(), took);
            if let Some((method, path)) = logged {
                let status = response.status().as_u16();
                let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                let id = id.to_str().unwrap_or_default();
                tracing::debug!(request = id, %method, path, status, micros, "answered");
            }
            response.headers_mut().insert(REQUEST_ID, id);
            Ok(response)
        })
    }
}

impl Shared {
    fn next_id(&self) -> HeaderValue {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let mut id = [0; 12];
        id[..4].copy_from_slice(&self.prefix.to_be_bytes());
        id[4..].copy_from_slice(&number.to_be_bytes());
        let mut text = [0; 24];
        HEXLOWER.encode_mut(&id, &mut text);
        // Hexadecimal digits always make a header value.
        HeaderValue::from_bytes(&text).unwrap_or_else(|_| HeaderValue::from_static("-"))
    }
}

/// Keeps what the headers say of the body, and not the body.
fn leave_body_out(response: &mut Response) {
    let body = std::mem::take(response.body_mut());
    // A response that never has a body says nothing of one.
    if response.status() != StatusCode::NOT_MODIFIED
        && let Some(size) = body.size_hint().exact()
    {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert_with(|| size.into());
    }
}

fn write_rate(headers: &mut HeaderMap, rate: RateLimit) {
    headers.insert(RATE_LIMIT, number(rate.limit));
    headers.insert(RATE_REMAINING, number(rate.remaining));
    headers.insert(RATE_RESET, number(rate.resets_at));
}

/// A number as a header's value, in one allocation where the library's own conversion takes two.
fn number(number: impl itoa::Integer) -> HeaderValue {
    HeaderValue::from_str(itoa::Buffer::new().format(number)).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nothing readable")
}
