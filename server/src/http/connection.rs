//! One connection: what it is given to answer with, and how long it may take to ask.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use futures_util::future::{Either, ready};
use http::HeaderValue;
use http::header::CONNECTION;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::Watcher;
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tower::Service as _;

use super::headers::HeaderBounds;
use super::{Config, Refusals};
use crate::api::{Code, Failure};
use crate::generated::errors::code;

/// What all connections share.
pub(super) struct Connections {
    builder: Builder<TokioExecutor>,
    router: Router,
    refusals: Refusals,
    bounds: HeaderBounds,
    first_request: Duration,
    per_address: usize,
}

/// What a connection needs of a service.
trait HttpService:
    Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send + 'static> + Send + 'static
{
}

impl<S> HttpService for S where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send + 'static> + Send + 'static
{
}

impl Connections {
    pub(super) fn new(config: &Config, router: Router, refusals: Refusals) -> Arc<Self> {
        Arc::new(Self {
            builder: builder(config),
            router,
            refusals,
            bounds: HeaderBounds { count: config.header_count, bytes: config.header_bytes },
            first_request: config.header_read,
            per_address: config.connections_per_address,
        })
    }

    /// Serves a connection to its end. hyper bounds the headers of HTTP/1, but has no clock while it waits to learn the
    /// version, nor for a client of HTTP/2 that never asks: so the first request has its time here.
    pub(super) async fn serve(self: Arc<Self>, stream: TcpStream, peer: SocketAddr, watcher: Watcher) {
        // A reply is written whole: waiting for more to send would only delay it.
        let _ = stream.set_nodelay(true);
        let asked = Arc::new(AtomicBool::new(false));
        let service = self.service(peer, asked.clone());
        let connection = self.builder.serve_connection(TokioIo::new(stream), service);
        let mut connection = pin!(watcher.watch(connection.into_owned()));
        let ended = tokio::select! {
            ended = &mut connection => ended,
            () = sleep(self.first_request) => {
                if !asked.load(Ordering::Relaxed) {
                    return;
                }
                connection.await
            }
        };
        // A client that breaks its connection is no event of ours; what it asked for is looked after elsewhere.
        if let Err(error) = ended {
            tracing::debug!(error = %error, "a connection ended early");
        }
    }

    /// The router for requests within their bounds, with the peer's address put into each.
    fn service(&self, peer: SocketAddr, asked: Arc<AtomicBool>) -> impl HttpService + use<> {
        let (router, refusals, bounds) = (self.router.clone(), self.refusals.clone(), self.bounds);
        service_fn(move |request: Request<Incoming>| {
            asked.store(true, Ordering::Relaxed);
            if let Err(failure) = bounds.check(request.uri(), request.headers()) {
                return Either::Left(ready(Ok(refusals.answer(request.uri().path(), &failure))));
            }
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            // A router is always ready.
            Either::Right(router.clone().call(request))
        })
    }

    /// Tells a client that its address has too many connections, in answer to whatever it asks first, and closes.
    pub(super) async fn turn_away(self: Arc<Self>, stream: TcpStream) {
        let told = Arc::new(Notify::new());
        let service = self.refusing(told.clone());
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(stream), service));
        let telling = async {
            tokio::select! {
                _ = &mut connection => return,
                () = told.notified() => {}
            }
            connection.as_mut().graceful_shutdown();
            // That the client has gone is as good.
            let _ = connection.await;
        };
        // Whoever has not asked by then is not told.
        let _ = timeout(self.first_request, telling).await;
    }

    fn refusing(&self, told: Arc<Notify>) -> impl HttpService + use<> {
        let (refusals, failure) = (self.refusals.clone(), too_many(self.per_address));
        service_fn(move |request: Request<Incoming>| {
            let mut response = refusals.answer(request.uri().path(), &failure);
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            told.notify_one();
            ready(Ok(response))
        })
    }
}

fn too_many(per_address: usize) -> Failure {
    code::RateLimited { limit: format!("{per_address} connections of one address are open") }.failure()
}

fn builder(config: &Config) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(config.header_read)
        .max_headers(2 * config.header_count)
        // The read buffer also holds the start of a body, and may not be smaller than 8 KiB.
        .max_buf_size(2 * config.header_bytes + 16 * 1024);
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
