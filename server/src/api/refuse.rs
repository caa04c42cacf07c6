//! The last touches to every answer, and the answers that no operation gives.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_LENGTH, ORIGIN, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use tokio::time::Instant;

use super::cors::let_read;
use super::router::{ObservedResponse, RouterContext};
use super::{Envelope, Failure, Operation, RequestId, Rules};

const REQUEST_ID: [HeaderName; 2] = [HeaderName::from_static("x-request-id"), HeaderName::from_static("request-id")];

/// A failure of an operation, in the shape that the request chose.
pub(super) fn refusal(
    failure: Failure,
    operation: &Operation,
    envelope: &'static Envelope,
    request_id: &RequestId,
) -> Response {
    let always = operation.always_http.and_then(|status| StatusCode::from_u16(status).ok());
    let failure = match always {
        Some(status) => failure.with_http(status),
        None => failure,
    };
    rendered(&failure, envelope, request_id)
}

fn rendered(failure: &Failure, envelope: &'static Envelope, request_id: &RequestId) -> Response {
    let (status, headers, body) = failure.render(envelope, request_id);
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

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

/// The answer where the path has operations, but of other methods.
pub(super) fn answer_other_method<S>(host: &RouterContext<S>, request: &Request, allowed: &[&Method]) -> Response {
    let mut names: Vec<&str> = allowed.iter().map(|method| method.as_str()).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.sort_unstable();
    names.dedup();
    let allowed = names.join(", ");
    let value = HeaderValue::try_from(allowed.clone()).expect("method names are ASCII");
    let mut response = if request.method() == Method::OPTIONS {
        no_content(host)
    } else {
        let failure = Failure::new(host.rules.framework.wrong_method).with("method", request.method().to_string());
        refuse(host, request, &failure.with("allowed", allowed))
    };
    response.headers_mut().insert(ALLOW, value);
    response
}

/// The answer where the spec has no such path.
pub(super) fn answer_unknown_path<S>(host: &RouterContext<S>, request: &Request) -> Response {
    let failure = Failure::new(host.rules.framework.unknown_path).with("method", request.method().to_string());
    refuse(host, request, &failure.with("path", request.uri().path().to_owned()))
}

/// An answer that says nothing.
pub(super) fn no_content<S>(host: &RouterContext<S>) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    name_request(response.headers_mut(), &RequestId::mint(host.config.clock.now_ms()));
    response
}

fn refuse<S>(host: &RouterContext<S>, request: &Request, failure: &Failure) -> Response {
    let request_id = RequestId::mint(host.config.clock.now_ms());
    let response = host.rules.refuse(request.uri(), request.headers(), failure, request_id);
    if let Some(observer) = &host.config.observer {
        let (status, code) = (response.status(), Some(failure.info()));
        observer.answered(&ObservedResponse { operation: None, request_id, status, code, began: Instant::now() });
    }
    response
}

impl Rules {
    /// A failure of no operation, in the shape of the request's family: for layers above the router too.
    #[must_use]
    pub fn refuse(&self, uri: &Uri, headers: &HeaderMap, failure: &Failure, request_id: RequestId) -> Response {
        let mut response = rendered(failure, self.family(uri, headers), &request_id);
        name_request(response.headers_mut(), &request_id);
        if headers.contains_key(ORIGIN) && self.is_open(uri.path()) {
            let_read(response.headers_mut());
        }
        response
    }
}
