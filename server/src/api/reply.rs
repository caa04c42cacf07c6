//! What handlers give back, and how it becomes a response.

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};

/// A body that may still be on its way. Made with `BoxBody::new(any http_body::Body<Data = Bytes>)`.
pub type BoxBody = axum::body::Body;

/// An answer in the bytes of an upstream, or in bytes made like its.
#[derive(Debug)]
pub struct ProxyReply {
    /// The status.
    pub status: StatusCode,
    /// The headers to send; those that name the request are set by the router.
    pub headers: HeaderMap,
    /// The body.
    pub body: ProxyReplyBody,
}

/// The body of a [`ProxyReply`].
#[derive(Debug)]
pub enum ProxyReplyBody {
    /// All of it.
    Whole(Bytes),
    /// As it arrives.
    Stream(BoxBody),
}

impl ProxyReply {
    /// The reply as a response.
    #[must_use]
    pub fn into_response(self) -> Response {
        let mut response = Response::new(match self.body {
            ProxyReplyBody::Whole(bytes) => bytes.into(),
            ProxyReplyBody::Stream(body) => body,
        });
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}
