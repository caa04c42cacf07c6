//! The answers that no operation gives, and those of operations that fail.

use axum::body::HttpBody;
use axum::extract::Request;
use axum::response::Response;
use http::header::{ALLOW, CONTENT_LENGTH, ORIGIN};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use tokio::time::Instant;

use super::answer_headers::{name_request, no_content};
use super::cors::let_read;
use super::reply::ReportedCode;
use super::router_context::RouterContext;
use super::{Envelope, Failure, Framework, ObservedResponse, Operation, RequestId, Rules};

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
    rendered(failure, envelope, request_id)
}

/// The answer. The failure goes with it, for pages that tell it, and its code.
fn rendered(failure: Failure, envelope: &'static Envelope, request_id: &RequestId) -> Response {
    let (status, headers, body) = failure.render(envelope, request_id);
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response.extensions_mut().insert(ReportedCode(failure.info()));
    response.extensions_mut().insert(failure);
    response
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
    let mut response = refuse(host, request, &unknown_path(&host.rules.framework, request.method(), request.uri()));
    // axum tells the length of what its fallback answers, and of no other answer: nothing tells a path that is hidden from none.
    let length = response.body().size_hint().exact();
    response.headers_mut().extend(length.map(|length| (CONTENT_LENGTH, HeaderValue::from(length))));
    response
}

/// The failure of a request for no operation.
pub(super) fn unknown_path(framework: &Framework, method: &Method, uri: &Uri) -> Failure {
    Failure::new(framework.unknown_path).with("method", method.to_string()).with("path", uri.path().to_owned())
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
        let mut response = rendered(failure.clone(), self.family(uri, headers), &request_id);
        name_request(response.headers_mut(), &request_id);
        if headers.contains_key(ORIGIN) && self.is_open(uri.path()) {
            let_read(response.headers_mut());
        }
        response
    }
}
