//! The router as hyper wants it: with the peer's address put into each request.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use tower::Service as _;

/// What a connection needs of a service.
pub(super) trait HttpService:
    Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send + 'static> + Send + 'static
{
}

impl<S> HttpService for S where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible, Future: Send + 'static> + Send + 'static
{
}

/// The router for one connection from `peer`.
pub(super) fn with_peer(router: Router, peer: SocketAddr) -> impl HttpService {
    service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        // A router is always ready.
        router.clone().call(request)
    })
}
