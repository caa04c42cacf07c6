//! The replies of handlers, and how they become responses.

use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::{CodeInfo, Failure};

/// The result of a route function: an answer, or a failure that the router renders.
pub type Answer = Result<Response, Failure>;

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

/// The code that a response tells, for the observer; beside the response, because its body is bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportedCode(pub(super) &'static CodeInfo);

/// The body of a [`ProxyReply`].
#[derive(Debug)]
pub enum ProxyReplyBody {
    /// All of it.
    Whole(Bytes),
    /// All of an error, rendered or in an upstream's words, and the code that it stands for, so that it is counted as one.
    Error(Bytes, &'static CodeInfo),
    /// The body as it arrives.
    Stream(BoxBody),
}

impl ProxyReply {
    /// The reply as a response.
    #[must_use]
    pub fn into_response(self) -> Response {
        let (body, code) = match self.body {
            ProxyReplyBody::Whole(bytes) => (bytes.into(), None),
            ProxyReplyBody::Error(bytes, code) => (bytes.into(), Some(code)),
            ProxyReplyBody::Stream(body) => (body, None),
        };
        let mut response = Response::new(body);
        if let Some(code) = code {
            response.extensions_mut().insert(ReportedCode(code));
        }
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}
