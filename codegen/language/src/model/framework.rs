//! The runtime's own acts: the events that it answers, the bounds that it keeps, and the headers that it reads and sends.
//!
//! The runtime knows them by these keys alone. A spec gives each a code in `framework`, a limit in `runtime_limits` or a name in
//! `runtime_headers`, as far as its operations need them.

use schemars::{Schema, SchemaGenerator, json_schema};

use self::RuntimeCause::{
    AccountCaller, AccountKey, AnyRequest, Body, BodyWithoutLimit, Caller, Cookie, IdempotencyKey, Key, KeyAndCookie,
    Member, Multipart, Operator, OwnPage, Paid, Proxy, RequiredHeader,
};
use super::WithType::{Int, String as Text};
use super::{LimitUnit, WithType};

/// An event that the runtime answers by itself; `framework` names its code.
#[derive(Debug)]
pub struct FrameworkEvent {
    /// Its key in `framework`.
    pub name: &'static str,
    /// The event in words.
    pub doc: &'static str,
    /// The values that it always offers to its code.
    pub offers: &'static [(&'static str, WithType)],
    /// The operations that it may happen to.
    pub cause: RuntimeCause,
}

/// A bound that the runtime keeps by itself; `runtime_limits` names its limit.
#[derive(Debug)]
pub struct RuntimeLimit {
    /// Its key in `runtime_limits`.
    pub name: &'static str,
    /// The quantity that it bounds, in words.
    pub doc: &'static str,
    /// The unit of its limit.
    pub unit: LimitUnit,
    /// The operations that it bounds.
    pub cause: RuntimeCause,
}

/// A header that the runtime reads or sends by itself; `runtime_headers` names it.
#[derive(Debug)]
pub struct RuntimeHeader {
    /// Its key in `runtime_headers`.
    pub name: &'static str,
    /// Its value, in words.
    pub doc: &'static str,
    /// The operations that it is read or sent for.
    pub cause: RuntimeCause,
}

/// The operations that an event may happen to, or that a bound is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeCause {
    /// All of them, and requests for none.
    AnyRequest,
    /// Those with a body.
    Body,
    /// Those with a body that names no limit of its own.
    BodyWithoutLimit,
    /// Those that take a form of parts.
    Multipart,
    /// Those that a header must be sent to.
    RequiredHeader,
    /// Those that wait for an upstream.
    Proxy,
    /// Those that admit callers.
    Caller,
    /// Those that admit callers of an account.
    AccountCaller,
    /// Those that admit operators.
    Operator,
    /// Those that admit members of organisations.
    Member,
    /// Those that admit a caller by a key.
    Key,
    /// Those that admit a caller by a key of an account.
    AccountKey,
    /// Those that admit a caller by a cookie.
    Cookie,
    /// Those that admit a caller by a cookie, or begin a session.
    OwnPage,
    /// Those that admit a caller of an account by a key and by a cookie.
    KeyAndCookie,
    /// Those that are carried out once for each Idempotency-Key.
    IdempotencyKey,
    /// Those that are, and wait for an upstream, which is paid for.
    Paid,
}

impl FrameworkEvent {
    /// True if it is over before a handler is called, which never raises its code. A key that is revoked or expires, and a session
    /// that ends, may do so while a handler runs, and the limit of a handler may have the code of too many requests.
    #[must_use]
    pub fn is_before_handlers(&self) -> bool {
        let once = !matches!(self.name, "key_disabled" | "key_expired" | "session_invalid" | "too_many_requests");
        let causes = [AccountCaller, Key, AccountKey, Operator, Member, Cookie, OwnPage, KeyAndCookie, IdempotencyKey];
        once && causes.contains(&self.cause)
    }
}

impl RuntimeCause {
    /// True if an operation answers with the codes of such events whether or not it lists them.
    #[must_use]
    pub const fn is_implied(self) -> bool {
        matches!(self, Self::AnyRequest | Self::Body | Self::RequiredHeader)
    }

    /// The cause in words that follow "an operation".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::AnyRequest => "is asked for",
            Self::Body => "takes a body",
            Self::BodyWithoutLimit => "takes a body that names no limit",
            Self::Multipart => "takes a form",
            Self::RequiredHeader => "needs a header",
            Self::Proxy => "waits for an upstream",
            Self::Caller => "admits callers",
            Self::AccountCaller => "admits callers of an account",
            Self::Operator => "admits operators",
            Self::Member => "admits members of organisations",
            Self::Key => "admits callers by a key",
            Self::AccountKey => "admits callers by a key of an account",
            Self::Cookie => "admits callers by a cookie",
            Self::OwnPage => "goes by a session",
            Self::KeyAndCookie => "admits callers of an account by a key and by a cookie",
            Self::IdempotencyKey => "has an idempotency key",
            Self::Paid => "waits for an upstream and has an idempotency key",
        }
    }
}

/// The event of a request without credentials.
pub const KEY_MISSING: &str = "key_missing";
/// The event of a request that names two accounts.
pub const CALLER_CONFLICT: &str = "caller_conflict";
/// The event of an operator whose role may not call the operation.
pub const ROLE_MISSING: &str = "role_missing";
/// The event of a body beyond its limit.
pub const BODY_TOO_LARGE: &str = "body_too_large";
/// The bound of a body that names no limit of its own.
pub const BODY_BYTES: &str = "body_bytes";

const NOTHING: &[(&str, WithType)] = &[];
const FIRST_REQUEST: &[(&str, WithType)] = &[("first_request_id", WithType::String)];

const fn event(
    name: &'static str,
    cause: RuntimeCause,
    offers: &'static [(&'static str, WithType)],
    doc: &'static str,
) -> FrameworkEvent {
    FrameworkEvent { name, doc, offers, cause }
}

const fn bound(name: &'static str, cause: RuntimeCause, unit: LimitUnit, doc: &'static str) -> RuntimeLimit {
    RuntimeLimit { name, doc, unit, cause }
}

const fn header(name: &'static str, cause: RuntimeCause, doc: &'static str) -> RuntimeHeader {
    RuntimeHeader { name, doc, cause }
}

/// Everything that the runtime may answer before or around an operation.
#[rustfmt::skip]
pub static FRAMEWORK_EVENTS: [FrameworkEvent; 29] = [
    event("bad_json", Body, &[("reason", Text)], "the body is not JSON"),
    event("bad_field", Body, &[("field", Text), ("expected", Text), ("found", Text)], "a member of the body is not as declared"),
    event("missing_field", Body, &[("field", Text)], "a required member of the body is absent"),
    event("missing_header", RequiredHeader, &[("header", Text)], "a required header is absent"),
    event("bad_parameter", AnyRequest, &[("parameter", Text), ("expected", Text), ("found", Text)],
        "a parameter or header is not as declared"),
    event("bad_content_type", Body, &[("expected", Text), ("found", Text)], "the body is of another media type"),
    event("wrong_method", AnyRequest, &[("method", Text), ("allowed", Text)], "the path has no operation of this method"),
    event("unknown_path", AnyRequest, &[("method", Text), ("path", Text)], "no operation has this path"),
    event("body_too_large", Body, &[("limit_bytes", Int)], "the body is larger than its limit"),
    event("body_timeout", Body, &[("bound", Text), ("seconds", Int)], "the body came too slowly"),
    event("panic", AnyRequest, NOTHING, "the service is at fault"),
    event("timeout", AnyRequest, &[("seconds", Int)], "the operation did not answer in time"),
    event("overloaded", AnyRequest, NOTHING, "the service has no room for the request"),
    event("key_missing", AccountCaller, NOTHING, "no credentials were sent"),
    event("key_invalid", Key, NOTHING, "the key is not known"),
    event("key_disabled", Key, NOTHING, "the key was revoked"),
    event("key_expired", Key, NOTHING, "the key has expired"),
    event("auth_unavailable", Caller, NOTHING, "credentials, or requests with an idempotency key, cannot be looked up"),
    event("session_invalid", Cookie, NOTHING, "the session has ended or never was"),
    event("origin_refused", OwnPage, NOTHING, "a session is used or begun by a page of another origin"),
    event("caller_conflict", KeyAndCookie, NOTHING, "a request names two different accounts"),
    event("operation_not_allowed", AccountKey, &[("operation", Text)], "the key may not be used for the operation"),
    event("address_not_allowed", AccountKey, NOTHING, "the key may not be used from the client's address"),
    event("role_missing", Operator, &[("roles", Text)], "the operator has none of the roles that may call the operation"),
    event("member_role_missing", Member, &[("roles", Text)], "the member has none of the roles that may call the operation"),
    event("too_many_requests", AccountCaller, &[("limit", Text)], "the account has too many requests in flight"),
    event("idempotency_in_flight", IdempotencyKey, FIRST_REQUEST, "the first request with the idempotency key is under way"),
    event("idempotency_done", IdempotencyKey, FIRST_REQUEST, "the answer to the first request with the key is not kept"),
    event("idempotency_mismatch", IdempotencyKey, FIRST_REQUEST, "the first request with the idempotency key was another one"),
];

/// Every bound that the runtime keeps, whatever the operation.
#[rustfmt::skip]
pub static RUNTIME_LIMITS: [RuntimeLimit; 6] = [
    bound("body_bytes", BodyWithoutLimit, LimitUnit::Bytes, "size of a body that names no limit of its own"),
    bound("json_levels", Body, LimitUnit::Count, "depth to which a JSON body may be nested"),
    bound("multipart_parts", Multipart, LimitUnit::Count, "parts of a form"),
    bound("body_idle_seconds", Body, LimitUnit::Seconds, "longest pause while a body arrives"),
    bound("body_total_seconds", Body, LimitUnit::Seconds, "time in which a body must arrive"),
    bound("proxy_total_seconds", Proxy, LimitUnit::Seconds, "time in which an operation that waits for an upstream must answer"),
];

/// Every header that the runtime reads or sends by itself.
#[rustfmt::skip]
pub static RUNTIME_HEADERS: [RuntimeHeader; 6] = [
    header(REQUEST_ID, AnyRequest, "id of the request, in every answer"),
    header(SHOULD_RETRY, AnyRequest, "`true` or `false`, in every refusal: whether sending the same again can help"),
    header("csrf", OwnPage, "any value, in a request that changes something by a session: a form of another page cannot send it"),
    header(TAGS, Paid, "tags of a request that is paid for"),
    header(REPLAYED, IdempotencyKey, "`true` in an answer that was given before"),
    header(FIRST_REQUEST_ID, IdempotencyKey, "id of the request that the answer was given to before"),
];

/// The header with the id of the request.
pub const REQUEST_ID: &str = "request_id";
/// The header that says whether to try again.
pub const SHOULD_RETRY: &str = "should_retry";
/// The header with the tags of a request.
pub const TAGS: &str = "tags";
/// The header of an answer that was given before.
pub const REPLAYED: &str = "replayed";
/// The header with the request that the answer was given to before.
pub const FIRST_REQUEST_ID: &str = "first_request_id";

/// `framework` is a mapping from the known events, so that a misspelt one is an unknown key.
pub(super) fn framework_schema(generator: &mut SchemaGenerator) -> Schema {
    keys(generator, FRAMEWORK_EVENTS.iter().map(|event| (event.name, event.doc)))
}

/// `runtime_limits` is a mapping from the known bounds.
pub(super) fn runtime_limits_schema(generator: &mut SchemaGenerator) -> Schema {
    keys(generator, RUNTIME_LIMITS.iter().map(|bound| (bound.name, bound.doc)))
}

/// `runtime_headers` is a mapping from the known headers.
pub(super) fn runtime_headers_schema(generator: &mut SchemaGenerator) -> Schema {
    keys(generator, RUNTIME_HEADERS.iter().map(|header| (header.name, header.doc)))
}

fn keys(generator: &mut SchemaGenerator, known: impl Iterator<Item = (&'static str, &'static str)>) -> Schema {
    let word = generator.subschema_for::<String>();
    let described = |(name, doc): (&str, &str)| {
        let mut value = word.clone();
        value.insert("description".to_owned(), format!("{}{}.", doc[..1].to_uppercase(), &doc[1..]).into());
        (name.to_owned(), value.to_value())
    };
    let properties: serde_json::Map<String, serde_json::Value> = known.map(described).collect();
    json_schema!({"type": "object", "properties": properties, "additionalProperties": false})
}
