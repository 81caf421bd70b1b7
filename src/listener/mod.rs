//! Listeners: connections in, with limits on how slowly they may speak, and an orderly end.

mod patience;

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
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

/// How long a client may take to send a request's headers: the first ones too.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);

/// After how long in which an HTTP/2 connection said nothing it is asked whether it still lives, which it has to say within
/// [`HEADERS_WITHIN`].
const ASKED_AFTER: Duration = Duration::from_secs(30);

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
    serve_within(HEADERS_WITHIN, listener, service, connections, stopping).await;
}

async fn serve_within<S>(
    headers_within: Duration,
    listener: TcpListener,
    service: S,
    connections: IntGauge,
    stopping: impl Future<Output = ()>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    let mut server = Builder::new(TokioExecutor::new());
    server.http1().header_read_timeout(headers_within);
    server
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(ASKED_AFTER)
        .keep_alive_timeout(headers_within)
        .max_concurrent_streams(MOST_STREAMS);
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
        let has_asked = Arc::new(AtomicBool::new(false));
        let answering = Connection { service: service.clone(), peer, has_asked: Arc::clone(&has_asked) };
        let connection = server.serve_connection(TokioIo::new(stream), answering).into_owned();
        let connection = open.watch(connection);
        connections.inc();
        let connections = connections.clone();
        tokio::spawn(async move {
            converse(connection, &has_asked, headers_within).await;
            connections.dec();
        });
    }
    drop(listener);
    if tokio::time::timeout(FINISH_WITHIN, open.shutdown()).await.is_err() {
        tracing::warn!("requests were still in flight after {} seconds", FINISH_WITHIN.as_secs());
    }
}

/// Answers a connection to its end; one that has not asked for anything in time is closed.
///
/// The library waits for the first bytes, which tell the version of HTTP, without any limit. So there is one here until the first
/// request is in; from then on the library's own hold, and requests pay for no timer.
async fn converse(connection: impl Future, has_asked: &AtomicBool, within: Duration) {
    // How a connection ended is its client's matter.
    let mut connection = pin!(connection);
    let first = poll_fn(|context| match Pin::as_mut(&mut connection).poll(context) {
        Poll::Ready(_) => Poll::Ready(false),
        Poll::Pending if has_asked.load(Ordering::Relaxed) => Poll::Ready(true),
        Poll::Pending => Poll::Pending,
    });
    if tokio::time::timeout(within, first).await == Ok(true) {
        connection.await;
    }
}

/// The service as one connection calls it. The library's own adapter would move every request through two more futures.
struct Connection<S> {
    service: S,
    peer: SocketAddr,
    has_asked: Arc<AtomicBool>,
}

impl<S: Service<Request> + Clone> hyper::service::Service<axum::http::Request<hyper::body::Incoming>>
    for Connection<S>
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn call(&self, request: axum::http::Request<hyper::body::Incoming>) -> S::Future {
        self.has_asked.store(true, Ordering::Relaxed);
        // Most requests have no body, and then none is worth a box.
        let mut request = request.map(|body| if body.is_end_stream() { Body::empty() } else { Body::new(body) });
        request.extensions_mut().insert(ConnectInfo(self.peer));
        // Routes are ready at any time: they are not asked.
        self.service.clone().call(request)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use super::*;

    const WITHIN: Duration = Duration::from_millis(200);

    /// Where a listener answers that has little patience.
    async fn impatient() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let answer = tower::service_fn(async |_: Request| Ok::<_, Infallible>(Response::new(Body::from("answered"))));
        let connections = IntGauge::new("open", "open").expect("a good name");
        tokio::spawn(serve_within(WITHIN, listener, answer, connections, std::future::pending()));
        address
    }

    /// What comes back until the listener closes the connection, which it must.
    async fn said_to(stream: &mut TcpStream) -> Vec<u8> {
        let mut said = Vec::new();
        let closed = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut said)).await;
        closed.expect("the listener closes it").ok();
        said
    }

    #[tokio::test]
    async fn who_asks_for_nothing_is_not_listened_to_for_ever() {
        let address = impatient().await;
        let whole = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
        for beginning in [&b""[..], b"P", b"PRI * HTTP/2.0\r\n", whole, b"GET / HTTP/1.1\r\nHost: x\r\n"] {
            let mut stream = TcpStream::connect(address).await.expect("it listens");
            let began = Instant::now();
            stream.write_all(beginning).await.expect("it is open");
            let said = said_to(&mut stream).await;
            assert!(began.elapsed() >= WITHIN, "{beginning:?}: {said:?}");
        }
    }

    #[tokio::test]
    async fn who_has_asked_may_ask_again_for_as_long_as_pauses_are_short() {
        let mut stream = TcpStream::connect(impatient().await).await.expect("it listens");
        for _ in 0..5 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("it is open");
            let mut said = [0; 512];
            let length = stream.read(&mut said).await.expect("it is open");
            assert!(said[..length].ends_with(b"answered"), "{:?}", String::from_utf8_lossy(&said[..length]));
            tokio::time::sleep(WITHIN / 2).await;
        }
        assert_eq!(said_to(&mut stream).await, b"");
    }
}
