//! Pages of other origins: what a browser is told, so that it lets a page call what takes no cookie.
//!
//! The spec says below which paths (`any_origin`); the generator sees that nothing there goes by a cookie. So any origin may
//! call, send any header and read any header of an answer, and none is ever told that credentials of the browser count.

use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method};

use super::answer_headers::no_content;
use super::router_context::RouterContext;

const ANY: HeaderValue = HeaderValue::from_static("*");
/// Browsers that keep it for less keep it for as long as they do.
const A_DAY: HeaderValue = HeaderValue::from_static("86400");
/// Headers of a preflight that its answer depends on.
const REPEATED: HeaderValue =
    HeaderValue::from_static("origin, access-control-request-method, access-control-request-headers");

/// True for a preflight: the request that a browser sends before a page's own, to learn what the page may send.
pub(super) fn is_preflight(request: &Request) -> bool {
    let has = |name| request.headers().contains_key(name);
    *request.method() == Method::OPTIONS && has(&ORIGIN) && has(&ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: whatever is asked for, may be sent. Whether it is served is for its own answer to tell, which
/// the page can read.
pub(super) fn answer_preflight<S>(host: &RouterContext<S>, request: &Request) -> Response {
    let mut response = no_content(host);
    let headers = response.headers_mut();
    for (asked, told) in [
        (ACCESS_CONTROL_REQUEST_METHOD, ACCESS_CONTROL_ALLOW_METHODS),
        (ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_ALLOW_HEADERS),
    ] {
        headers.extend(request.headers().get(asked).map(|value| (told, value.clone())));
    }
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    headers.insert(ACCESS_CONTROL_MAX_AGE, A_DAY);
    headers.insert(VARY, REPEATED);
    response
}

/// Lets the page that asked read an answer and its headers.
pub(super) fn let_read(answer: &mut HeaderMap) {
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
    answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, ANY);
}
