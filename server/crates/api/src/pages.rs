//! Refusals where people look at pages: who is not signed in, or no longer, is led to the page where people sign in.
//!
//! A refusal is JSON there too, for the script of a page and for programs. It has the headers of a page, so that nobody frames,
//! keeps or guesses at what an address of pages answers.

use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use super::Framework;
use super::family::is_below;
use super::reply::ReportedCode;

/// The headers of an answer that is no page: nothing is loaded by it, framed, kept, or taken for anything else.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// The pages of a service whose visitors sign in.
#[derive(Debug, Clone, Copy)]
pub struct SignedInPages {
    /// The path that all of them are below.
    pub below: &'static str,
    /// The path of the page where people sign in. It has to be public.
    pub sign_in: &'static str,
}

/// A request for a page, on its way to an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageRequest {
    pages: SignedInPages,
    /// True for a browser that goes to the page.
    is_visit: bool,
}

impl SignedInPages {
    /// The request, where it is for one of the pages.
    pub(super) fn request(&self, request: &Request) -> Option<PageRequest> {
        let is_visit = || *request.method() == Method::GET && wants_html(request.headers());
        is_below(self.below, request.uri().path()).then(|| PageRequest { pages: *self, is_visit: is_visit() })
    }
}

impl PageRequest {
    /// The answer as a browser should have it.
    pub(super) fn answer(self, mut response: Response, framework: &Framework) -> Response {
        let signed_out = [framework.session_invalid.code, framework.key_missing.code];
        let told = response.extensions().get::<ReportedCode>();
        if self.is_visit && told.is_some_and(|told| signed_out.contains(&told.0.code)) {
            let (mut parts, _) = response.into_parts();
            parts.status = StatusCode::SEE_OTHER;
            parts.headers.remove(http::header::CONTENT_TYPE);
            parts.headers.insert(LOCATION, HeaderValue::from_static(self.pages.sign_in));
            response = Response::from_parts(parts, axum::body::Body::empty());
        }
        for (name, value) in HEADERS {
            response.headers_mut().entry(name).or_insert(value);
        }
        response
    }
}

/// True where `Accept` names HTML, as it does for what a browser opens, and not for what a script fetches.
fn wants_html(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).into_iter().filter_map(|line| line.to_str().ok());
    let kind = |range: &str| range.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"));
    lines.flat_map(|line| line.split(',')).any(kind)
}
