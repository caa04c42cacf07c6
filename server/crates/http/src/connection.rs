//! One connection: its service, its timeouts, and the refusal of connections beyond the bound.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use futures_util::TryFutureExt;
use futures_util::future::{Either, ready};
use http::HeaderValue;
use http::header::CONNECTION;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tower::Service as _;

use super::activity::{ConnectionActivity, IdleTimeouts, WatchedBody};
use super::client::TrustedProxies;
use super::headers::HeaderBounds;
use super::socket::ClientSocket;
use super::stall::PacedExecutor;
use super::stop::StopReceiver;
use super::{Config, ListenerRefusals};
use tollgate_api::generated::errors::code;
use tollgate_api::{Code, Failure, collapse_slashes};

/// The state that all connections share.
pub(super) struct ConnectionHandler {
    builder: Builder<PacedExecutor>,
    router: Router,
    refusals: ListenerRefusals,
    bounds: HeaderBounds,
    trusted: TrustedProxies,
    leisure: IdleTimeouts,
    client_read_idle: Duration,
    per_address: usize,
}

/// The HTTP service of a connection.
trait HttpService:
    Service<Request<Incoming>, Response = Response<WatchedBody>, Error = Infallible, Future: Send + 'static>
    + Send
    + 'static
{
}

impl<S> HttpService for S where
    S: Service<Request<Incoming>, Response = Response<WatchedBody>, Error = Infallible, Future: Send + 'static>
        + Send
        + 'static
{
}

impl ConnectionHandler {
    pub(super) fn new(config: &Config, router: Router, refusals: ListenerRefusals) -> Arc<Self> {
        Arc::new(Self {
            builder: builder(config),
            router,
            refusals,
            bounds: HeaderBounds { count: config.header_count, bytes: config.header_bytes },
            trusted: TrustedProxies::new(&config.trusted_proxies),
            leisure: IdleTimeouts { first: config.header_read, later: config.http2_idle },
            client_read_idle: config.client_read_idle,
            per_address: config.connections_per_address,
        })
    }

    /// Serves a connection to its end. hyper bounds the headers of HTTP/1, but has no clock while it waits to learn the
    /// version, nor for a client of HTTP/2 that asks nothing: so a connection without a request has its time here.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, mut stop: StopReceiver) {
        let activity = ConnectionActivity::new();
        let service = self.service(peer, activity.clone());
        let mut connection = pin!(self.builder.serve_connection(self.io(stream), service));
        let (mut start, mut leisure, mut closing) = (Instant::now(), self.leisure, false);
        let ended = loop {
            tokio::select! {
                ended = &mut connection => break ended,
                () = activity.idle(start, leisure) => {
                    // A client that has asked nothing, or was told to go and stays, is not waited for.
                    if closing || !activity.has_had_requests() {
                        return;
                    }
                }
                () = stop.wait(), if !closing => {
                    // The answer may not be sent yet. The listener bounds the time for that when it stops.
                    connection.as_mut().graceful_shutdown();
                    (start, closing) = (Instant::now(), true);
                    continue;
                }
            }
            connection.as_mut().graceful_shutdown();
            (start, leisure.later, closing) = (Instant::now(), leisure.first, true);
        };
        // A client that breaks its connection is no event of ours; what it asked for is looked after elsewhere.
        if let Err(error) = ended {
            tracing::debug!(error = %error, "a connection ended early");
        }
    }

    fn io(&self, stream: TcpStream) -> TokioIo<ClientSocket<TcpStream>> {
        // A reply is written whole: waiting for more to send would only delay it.
        let _ = stream.set_nodelay(true);
        TokioIo::new(ClientSocket::new(stream, self.client_read_idle))
    }

    /// The router for requests within their bounds, with the address that each came from put into it.
    fn service(&self, peer: SocketAddr, activity: ConnectionActivity) -> impl HttpService + use<> {
        let (router, refusals, bounds) = (self.router.clone(), self.refusals.clone(), self.bounds);
        let trusted = self.trusted.clone();
        service_fn(move |mut request: Request<Incoming>| {
            let in_flight = activity.begin();
            collapse_slashes(request.uri_mut());
            if let Err(failure) = bounds.check(request.uri(), request.headers()) {
                let response = refusals.answer(&request, &failure);
                return Either::Left(ready(Ok(response.map(|body| WatchedBody::new(body, in_flight)))));
            }
            let mut request = request.map(Body::new);
            let client = trusted.client(peer, request.headers());
            request.extensions_mut().insert(ConnectInfo(peer));
            if let Some(client) = client {
                request.extensions_mut().insert(client);
            }
            // A router is always ready.
            let answer = router.clone().call(request);
            Either::Right(answer.map_ok(|response| response.map(|body| WatchedBody::new(body, in_flight))))
        })
    }

    /// Tells a client that its address has too many connections, in answer to whatever it asks first, and closes.
    pub(super) async fn refuse_connection(self: Arc<Self>, stream: TcpStream, mut stop: StopReceiver) {
        let told = Arc::new(Notify::new());
        let service = self.refusing(told.clone());
        let mut connection = pin!(self.builder.serve_connection(self.io(stream), service));
        let telling = async {
            tokio::select! {
                _ = &mut connection => return,
                () = told.notified() => {}
            }
            connection.as_mut().graceful_shutdown();
            // That the client has gone is as good.
            let _ = connection.await;
        };
        // A client that asks nothing in that time is not told.
        tokio::select! {
            _ = timeout(self.leisure.first, telling) => {}
            () = stop.wait() => {}
        }
    }

    fn refusing(&self, told: Arc<Notify>) -> impl HttpService + use<> {
        let (refusals, failure, activity) =
            (self.refusals.clone(), too_many(self.per_address), ConnectionActivity::new());
        service_fn(move |request: Request<Incoming>| {
            let mut response = refusals.answer(&request, &failure);
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            told.notify_one();
            ready(Ok(response.map(|body| WatchedBody::new(body, activity.begin()))))
        })
    }
}

fn too_many(per_address: usize) -> Failure {
    code::RateLimited { limit: format!("{per_address} connections of one address are open") }.failure()
}

/// The head of a request has line ends, spaces and colons that [`HeaderBounds`] does not count, and ought to be refused by
/// those rather than by hyper. No more than fits: above 65,534 bytes hyper has another refusal for the path alone.
const HEAD_SLACK: usize = 24 * 1024;

fn builder(config: &Config) -> Builder<PacedExecutor> {
    let mut builder = Builder::new(PacedExecutor { longest: config.client_read_idle });
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.header_read)
        .max_headers(2 * config.header_count)
        .max_buf_size(config.header_bytes + HEAD_SLACK);
    // Counted with 32 bytes for each header, and with those of the request line.
    let list = 2 * config.header_bytes + 64 * config.header_count;
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(config.http2_streams)
        .max_header_list_size(u32::try_from(list).unwrap_or(u32::MAX))
        .keep_alive_interval(config.http2_silence)
        .keep_alive_timeout(config.header_read);
    builder
}
