//! A page or a file as it is sent, and what its policy lets it do.

use askama::Template;
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, LOCATION, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderValue, StatusCode};

use tollgate_api::{ProxyReply, ProxyReplyBody};
use tollgate_base::Logo;

/// Policy of the pages: nothing but the files beside them and the operations of the service. The QR code is a picture in the page,
/// and the logo one beside it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/// Policy of the logo, which stays a picture where it is opened by itself: nothing in it is loaded or run. Its own style is a part of
/// the picture.
const PICTURE: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// A page with what one person may see, which no cache keeps.
///
/// # Panics
/// Never: a template that is written to a text fails where there is no memory alone.
#[must_use]
pub fn page(page: &impl Template) -> ProxyReply {
    let html = page.render().expect("a text grows as long as there is memory");
    whole("text/html; charset=utf-8", POLICY, "no-store", html.into())
}

/// A file that is the same for everybody until the next start of the service.
#[must_use]
pub fn file(kind: &'static str, text: Bytes) -> ProxyReply {
    whole(kind, POLICY, "no-cache", text)
}

/// The logo of the service.
#[must_use]
pub fn logo(logo: &Logo) -> ProxyReply {
    whole(logo.content_type(), PICTURE, "no-cache", Bytes::copy_from_slice(logo.bytes()))
}

/// Sends the browser on to another page beside this one.
#[must_use]
pub fn see_other(path: &str) -> ProxyReply {
    let mut reply = whole("text/plain; charset=utf-8", POLICY, "no-store", Bytes::new());
    reply.status = StatusCode::SEE_OTHER;
    if let Ok(path) = HeaderValue::from_str(path) {
        reply.headers.insert(LOCATION, path);
    }
    reply
}

fn whole(kind: &'static str, policy: &'static str, cache: &'static str, body: Bytes) -> ProxyReply {
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy)),
        // The policy says so too; this is for what does not read it.
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (OPENER, HeaderValue::from_static("same-origin")),
        (CACHE_CONTROL, HeaderValue::from_static(cache)),
    ]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) }
}
