//! Refusals where people look at pages: who is not signed in, or no longer, is led to the page where people sign in, and is told
//! everything else by a page.
//!
//! For the script of a page and for programs a refusal is JSON there too. It has the headers of a page, so that nobody frames, keeps
//! or guesses at what an address of pages answers.

use axum::extract::Request;
use axum::response::Response;
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};

use super::answer_headers::REQUEST_ID;
use super::family::is_below;
use super::reply::ReportedCode;
use super::signed_in_pages::{SignedInPages, VisitRefusal};
use super::{Failure, Framework};

/// The headers of an answer that is no page: nothing is loaded by it, framed, kept, or taken for anything else.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// A request for a page, on its way to an answer.
#[derive(Debug)]
pub(super) struct PageRequest {
    pages: SignedInPages,
    /// True for a browser that goes to the page.
    is_visit: bool,
}

impl SignedInPages {
    /// True if a path is one of the pages', or below one.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.below.iter().any(|below| is_below(below, path))
    }

    /// The request, where it is for one of the pages.
    pub(super) fn request(&self, request: &Request) -> Option<PageRequest> {
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        let is_visit = || is_read && wants_html(request.headers());
        self.holds(request.uri().path()).then(|| PageRequest { pages: self.clone(), is_visit: is_visit() })
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
            parts.headers.remove(CONTENT_TYPE);
            parts.headers.remove(CONTENT_LENGTH);
            parts.headers.insert(LOCATION, HeaderValue::from_static(self.pages.sign_in));
            response = Response::from_parts(parts, axum::body::Body::empty());
        } else if self.is_visit {
            response = self.as_page(response);
        }
        for (name, value) in HEADERS {
            response.headers_mut().entry(name).or_insert(value);
        }
        response
    }

    /// The answer, by a page where it is a refusal.
    fn as_page(&self, mut response: Response) -> Response {
        let Some(failure) = response.extensions_mut().remove::<Failure>() else { return response };
        let request_id = response.headers().get(&REQUEST_ID[0]).and_then(|id| id.to_str().ok()).unwrap_or_default();
        let refusal = VisitRefusal { failure: &failure, status: response.status(), request_id };
        let Some(page) = (self.pages.refused)(&refusal) else { return response };
        let (mut parts, _) = response.into_parts();
        let page = page.into_response();
        parts.headers.remove(CONTENT_LENGTH);
        for (name, value) in page.headers() {
            parts.headers.insert(name, value.clone());
        }
        Response::from_parts(parts, page.into_body())
    }
}

/// True where `Accept` names HTML, as it does for what a browser opens, and not for what a script fetches.
fn wants_html(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT).into_iter().filter_map(|line| line.to_str().ok());
    let kind = |range: &str| range.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"));
    lines.flat_map(|line| line.split(',')).any(kind)
}
