//! The headers that every answer gets, and answers without a body.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::RequestId;
use super::router_context::RouterContext;
use crate::generated::runtime_headers;

/// The names that tell the request's id: ours, and the one that clients of format A read.
pub(super) const REQUEST_ID: [HeaderName; 2] = [runtime_headers::REQUEST_ID, HeaderName::from_static("request-id")];

/// Puts the request's id on the answer, over whatever an upstream called it.
pub(super) fn name_request(headers: &mut HeaderMap, request_id: &RequestId) {
    let value = HeaderValue::from_maybe_shared(Bytes::copy_from_slice(request_id.as_str().as_bytes()))
        .expect("a request id is ASCII");
    for name in REQUEST_ID {
        headers.insert(name, value.clone());
    }
}

/// Shortens the wait that an answer asks for, ours or an upstream's: beyond `most`, known clients give up.
pub(super) fn bound_wait(headers: &mut HeaderMap, most: Duration) {
    let Some(asked) = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse::<u64>().ok()) else {
        return;
    };
    if asked > most.as_secs() {
        headers.insert(RETRY_AFTER, most.as_secs().into());
    }
}

/// The answer to HEAD: everything but the body, whose length is told where it is known.
pub(super) fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.entry(CONTENT_LENGTH).or_insert_with(|| length.into());
    }
    Response::from_parts(parts, Body::empty())
}

/// An answer that says nothing.
pub(super) fn no_content<S>(host: &RouterContext<S>) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    name_request(response.headers_mut(), &RequestId::mint(host.config.clock.now_ms()));
    response
}
