//! A page or a file as it is sent, and what its policy lets it do.

use askama::Template;
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use tollgate_api::{ProxyReply, ProxyReplyBody};

/// Policy of the pages: nothing but the files beside them and the operations of the service. The QR code is a picture in the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// A page with what one operator may see, which no cache keeps.
pub(super) fn page(page: &impl Template) -> ProxyReply {
    let html = page.render().expect("a text grows as long as there is memory");
    whole("text/html; charset=utf-8", "no-store", html.into())
}

/// A file that is the same for everybody until the next version of the service.
pub(super) fn file(kind: &'static str, text: &'static str) -> ProxyReply {
    whole(kind, "no-cache", Bytes::from_static(text.as_bytes()))
}

/// Sends the browser on to another page of the console.
pub(super) fn see_other(path: &str) -> ProxyReply {
    let mut reply = whole("text/plain; charset=utf-8", "no-store", Bytes::new());
    reply.status = StatusCode::SEE_OTHER;
    if let Ok(path) = HeaderValue::from_str(path) {
        reply.headers.insert(LOCATION, path);
    }
    reply
}

fn whole(kind: &'static str, cache: &'static str, body: Bytes) -> ProxyReply {
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        // The policy says so too; this is for what does not read it.
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (OPENER, HeaderValue::from_static("same-origin")),
        (CACHE_CONTROL, HeaderValue::from_static(cache)),
    ]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) }
}
