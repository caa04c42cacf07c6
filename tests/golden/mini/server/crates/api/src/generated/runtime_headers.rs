// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Headers that the runtime reads and sends by itself.
use http::HeaderName;
/// request_id
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// should_retry
pub const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
/// csrf
pub const CSRF: HeaderName = HeaderName::from_static("x-mini-csrf");
