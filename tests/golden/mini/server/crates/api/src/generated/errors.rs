// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Error codes, the bodies they are shown in, and what is answered where no operation is to blame.
use std::time::Duration;
use crate::api;
/// The answers where no operation is to blame, and the bounds that hold for every request.
pub static RULES: api::Rules = api::Rules {
    framework: api::Framework {
        bad_json: &code::BAD_JSON,
        bad_field: &code::BAD_FIELD,
        missing_field: &code::MISSING_FIELD,
        missing_header: &code::MISSING_HEADER,
        bad_parameter: &code::BAD_PARAMETER,
        bad_content_type: &code::BAD_CONTENT_TYPE,
        wrong_method: &code::METHOD_NOT_ALLOWED,
        unknown_path: &code::ROUTE_NOT_FOUND,
        body_too_large: &code::BODY_TOO_LARGE,
        body_timeout: &code::BODY_TIMEOUT,
        panic: &code::INTERNAL,
        timeout: &code::REQUEST_TIMEOUT,
        overloaded: &code::OVERLOADED,
        key_missing: &code::KEY_MISSING,
        key_invalid: &code::KEY_INVALID,
        key_disabled: &code::KEY_DISABLED,
        key_expired: &code::KEY_EXPIRED,
        auth_unavailable: &code::LEDGER_UNAVAILABLE,
        session_invalid: &code::SESSION_INVALID,
        origin_refused: &code::ORIGIN_REFUSED,
        caller_conflict: &code::INTERNAL,
        operation_not_allowed: &code::KEY_INVALID,
        address_not_allowed: &code::KEY_INVALID,
        role_missing: &code::ROLE_MISSING,
        member_role_missing: &code::INTERNAL,
        too_many_requests: &code::OVERLOADED,
        idempotency_in_flight: &code::INTERNAL,
        idempotency_done: &code::INTERNAL,
        idempotency_mismatch: &code::INTERNAL,
    },
    families: &[
        api::Family::new("/api", &envelopes::O).with(api::Probe::Query("key")),
        api::Family::new("/api", &envelopes::ACCOUNT),
        api::Family::new("/v1", &envelopes::ACCOUNT)
            .with(api::Probe::Header(&super::auth::names::A_VERSION)),
        api::Family::new("/v1", &envelopes::O),
        api::Family::new("/", &envelopes::O),
    ],
    any_origin: &[],
    operator_paths: &["/admin"],
    schemes: &[
        &super::auth::BEARER,
        &super::auth::G_KEY,
        &super::auth::OPERATOR_KEY,
        &super::auth::OPERATOR_SESSION,
    ],
    json_levels: 32,
    multipart_parts: 8,
    body_idle: Duration::from_secs(5),
    body_total: Duration::from_secs(30),
    proxy_total: Duration::from_secs(30),
};

/// The bodies of errors.
pub mod envelopes {
    use crate::api::Envelope;
    use crate::api::Absent::Null;
    use crate::api::Piece::{Json, Member, Value, Within};
    use crate::api::Slot::{Code, Kind, Param, Remedy, RequestId, Say, With};
    /// o
    pub static O: Envelope = Envelope {
        name: "o",
        style: "o",
        body: &[
            Json("{\"error\":{\"message\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"type\":"),
            Value(Kind, Null),
            Json(",\"param\":"),
            Value(Param, Null),
            Json(",\"code\":"),
            Value(Code, Null),
            Member(",\"details\":", With, ""),
            Json("}}"),
        ],
    };
    /// a
    pub static A: Envelope = Envelope {
        name: "a",
        style: "a",
        body: &[
            Json("{\"type\":\"error\",\"error\":{\"type\":"),
            Value(Kind, Null),
            Json(",\"message\":"),
            Value(Say, Null),
            Json("},\"request_id\":"),
            Value(RequestId, Null),
            Json("}"),
        ],
    };
    /// account
    pub static ACCOUNT: Envelope = Envelope {
        name: "account",
        style: "account",
        body: &[
            Json("{\"success\":false,\"message\":"),
            Value(Code, Null),
            Json(",\"detail\":"),
            Value(Say, Null),
            Json(",\"data\":"),
            Value(With, Null),
            Json("}"),
        ],
    };
}

/// Kinds of errors, as each style names them.
pub mod kinds {
    crate::api::kinds! {
        BAD = "bad" ["a" "invalid_request_error", "o" "invalid_request_error"];
        LOST = "lost" ["a" "not_found_error", "o" "not_found"];
        SERVER = "server" ["a" "api_error", "o" "server_error"];
        LATE = "late" ["a" "timeout_error", "o" "timeout_error"];
    }
}

/// Error codes: a marker type each, for `raise`, and what the spec says about it. In a row: values, kind, status,
/// statuses and names by style, whether to retry; then what is said, and what can be done.
pub mod code {
    crate::api::codes! {
        KeyMissing = KEY_MISSING {} BAD 401 [] [] Never:
            "no key was sent", "send one";
        KeyInvalid = KEY_INVALID {} BAD 401 [] [] Never:
            "the key is not known", "check it";
        KeyDisabled = KEY_DISABLED {} BAD 401 [] [] Never:
            "the key was revoked", "take another";
        KeyExpired = KEY_EXPIRED {} BAD 401 [] [] Never:
            "the key has expired", "take another";
        SessionInvalid = SESSION_INVALID {} BAD 401 [] [] Never:
            "the session is over", "sign in";
        OriginRefused = ORIGIN_REFUSED {} BAD 403 [] [] Never:
            "the page is another's", "use ours";
        RoleMissing = ROLE_MISSING { roles: String } BAD 403 [] [] Never:
            "it takes one of the roles {roles}", "ask an owner";
        LedgerUnavailable = LEDGER_UNAVAILABLE {} SERVER 503 [] [] After:
            "keys cannot be read", "wait";
        NoThing = NO_THING { thing: String } LOST 404 [] ["o" "thing_not_found"] Never:
            "there is no '{thing}'", "look again";
        TooDear = TOO_DEAR { price_usd: crate::api::Usd, count: i64 } BAD 402 [] [] Now:
            "it costs {price_usd} USD", "pay";
        BadJson = BAD_JSON { reason: String } BAD 400 [] [] Never:
            "no JSON: {reason}", "send JSON";
        BadField = BAD_FIELD { field: String, expected: String, found: String } BAD 400 [] [] Never:
            "'{field}' must be {expected}, not {found}", "correct it";
        MissingField = MISSING_FIELD { field: String } BAD 400 [] [] Never:
            "'{field}' is missing", "add it";
        MissingHeader = MISSING_HEADER { header: String } BAD 400 [] [] Never:
            "'{header}' is missing", "add it";
        BadParameter = BAD_PARAMETER { parameter: String, expected: String, found: String } BAD 400 [] [] Never:
            "'{parameter}' must be {expected}, not {found}", "correct it";
        BadContentType = BAD_CONTENT_TYPE { found: String, expected: String } BAD 415 [] [] Never:
            "must be {expected}, not {found}", "set it";
        MethodNotAllowed = METHOD_NOT_ALLOWED { allowed: String } BAD 405 [] [] Never:
            "use {allowed}", "use that";
        RouteNotFound = ROUTE_NOT_FOUND { method: String, path: String } LOST 404 [] [] Never:
            "no {method} {path}", "check it";
        BodyTooLarge = BODY_TOO_LARGE { limit_bytes: i64 } BAD 413 [] [] Never:
            "larger than {limit_bytes}", "send less";
        BodyTimeout = BODY_TIMEOUT {} LATE 408 [] [] Now:
            "too slow", "again";
        Internal = INTERNAL {} SERVER 500 [] [] Now:
            "failed", "again";
        RequestTimeout = REQUEST_TIMEOUT {} LATE 504 [] [] Never:
            "too long", "ask for less";
        Overloaded = OVERLOADED {} SERVER 503 ["a" 529] [] After:
            "too many", "wait";
    }
}
