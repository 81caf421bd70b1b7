//! Listeners: connections in, with limits on how slowly they may speak, and an orderly end.

mod patience;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use prometheus::IntGauge;
use tokio::net::TcpListener;
use tower::Service;

use self::patience::Patience;

/// How long a client may take to send a request's headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);

/// How many requests of one HTTP/2 connection are worked on at once.
const MOST_STREAMS: u32 = 100;

/// How long requests in flight may take after the end was called.
const FINISH_WITHIN: Duration = Duration::from_secs(20);

/// How long accepting rests after it failed, as it does while there are no file descriptors left.
const REST: Duration = Duration::from_millis(50);

/// Serves connections until `stopping` is done, then finishes the requests in flight. `connections` counts those that are open.
pub async fn serve<S>(listener: TcpListener, service: S, connections: IntGauge, stopping: impl Future<Output = ()>)
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().header_read_timeout(HEADERS_WITHIN);
    server.http2().timer(TokioTimer::new()).max_concurrent_streams(MOST_STREAMS);
    let open = GracefulShutdown::new();
    tokio::pin!(stopping);
    loop {
        let (stream, peer) = tokio::select! {
            () = &mut stopping => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(REST).await;
                    continue;
                }
            },
        };
        // Answers are written whole: waiting to fill a packet would only delay them.
        let _best_effort = stream.set_nodelay(true);
        let mut server = server.clone();
        server.http1().timer(Patience::new());
        let connection =
            server.serve_connection(TokioIo::new(stream), Connection { service: service.clone(), peer }).into_owned();
        let connection = open.watch(connection);
        // How a connection ended is its client's matter.
        connections.inc();
        let connections = connections.clone();
        tokio::spawn(async move {
            drop(connection.await);
            connections.dec();
        });
    }
    drop(listener);
    if tokio::time::timeout(FINISH_WITHIN, open.shutdown()).await.is_err() {
        tracing::warn!("requests were still in flight after {} seconds", FINISH_WITHIN.as_secs());
    }
}

/// The service as one connection calls it. The library's own adapter would move every request through two more futures.
struct Connection<S> {
    service: S,
    peer: SocketAddr,
}

impl<S: Service<Request> + Clone> hyper::service::Service<axum::http::Request<hyper::body::Incoming>>
    for Connection<S>
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: axum::http::Request<hyper::body::Incoming>) -> S::Future {
        // Most requests have no body, and then none is worth a box.
        let mut request = request.map(|body| if body.is_end_stream() { Body::empty() } else { Body::new(body) });
        request.extensions_mut().insert(ConnectInfo(self.peer));
        // Routes are ready at any time: they are not asked.
        self.service.clone().call(request)
    }
}
