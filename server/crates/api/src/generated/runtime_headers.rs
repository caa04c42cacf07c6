// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Headers that the runtime reads and sends by itself.
use http::HeaderName;
/// Id of the request, as on its receipt. `request-id` has the same, for clients of format A.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// `true` or `false`, of every refusal: whether sending the same again can help.
pub const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
/// Any value, in a request that changes something by a session. A page of another origin cannot send it.
pub const CSRF: HeaderName = HeaderName::from_static("x-tollgate-csrf");
/// Up to 8 tags of a model request, in the client's own words, separated by commas: letters, digits and
/// `-_.:/@`, 1 to 64 of them in each. Its receipt has them, and receipts and usage are told by them. No provider
/// is sent them.
pub const TAGS: HeaderName = HeaderName::from_static("x-tollgate-tags");
/// `true` where the answer was given before, to the first request with the same Idempotency-Key.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Id of the request that the answer was given to before. Only where it is given again.
pub const FIRST_REQUEST_ID: HeaderName = HeaderName::from_static(
    "x-tollgate-first-request-id",
);
