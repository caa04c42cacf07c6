// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Headers that the runtime reads and sends by itself.
use http::HeaderName;
///
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
///
pub const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
///
pub const CSRF: HeaderName = HeaderName::from_static("x-mini-csrf");
