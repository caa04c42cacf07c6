//! A little service of its own: two codes' worth of spec, so that the runtime is tested without the real one.

mod envelope;
mod form;
mod head;
mod http;

use std::time::Duration;

use ::http::{HeaderName, Method};

use super::{
    Absent, AuthFailure, Authenticate, BodyLimit, Caller, Envelope, Family, Framework, Operation, Piece, Principal,
    Probe, Route, Rules, Scheme, Slot, WireName,
};
use tollgate_base::{AccountGroup, AccountId, CallerCredential, KeyId, MemberCaller, PoolId, SessionId};

#[expect(unreachable_pub, reason = "the macro is made for a public module")]
mod kinds {
    crate::kinds! {
        BAD = "bad_request" ["a" "invalid_request_error"];
        AUTH = "authentication" [];
        SERVER = "server" [];
    }
}

#[allow(dead_code, unreachable_pub, reason = "the macro is made for a public module that others use")]
pub(super) mod code {
    crate::codes! {
        BadJson = BAD_JSON { line: i64, column: i64, reason: String } BAD 400 [] [] Never: "not a JSON object: {reason}", "send one";
        BadField = BAD_FIELD { field: String, expected: String, found: String } BAD 400 [] [] Never: "'{field}' must be {expected}, not {found}", "correct it";
        MissingField = MISSING_FIELD { field: String } BAD 400 [] [] Never: "'{field}' is missing", "add it";
        MissingHeader = MISSING_HEADER { header: String } BAD 400 [] [] Never: "'{header}' is missing", "add it";
        BadParameter = BAD_PARAMETER { parameter: String, expected: String, found: String } BAD 400 [] [] Never: "'{parameter}' must be {expected}, not {found}", "correct it";
        BadContentType = BAD_CONTENT_TYPE { expected: String, found: String } BAD 415 [] [] Never: "must be {expected}, not {found}", "correct it";
        WrongMethod = WRONG_METHOD { allowed: String } BAD 405 [] [] Never: "wrong method", "use {allowed}";
        UnknownPath = UNKNOWN_PATH { method: String, path: String } BAD 404 [] [] Never: "nothing at {method} {path}", "look again";
        TooLarge = TOO_LARGE { limit_bytes: i64 } BAD 413 | 400 [] [] Never: "larger than {limit_bytes}", "send less";
        TooSlow = TOO_SLOW { bound: String, seconds: i64 } BAD 408 [] [] Now: "slow", "again";
        Broken = BROKEN {} SERVER 500 [] [] Now: "broken", "again";
        Late = LATE { seconds: i64 } SERVER 504 [] [] Never: "late after {seconds} s", "again";
        Full = FULL {} SERVER 503 ["a" 529] ["o" "too_full"] After: "full", "wait";
        KeyMissing = KEY_MISSING {} AUTH 401 [] ["o" "invalid_api_key"] Never: "no key", "send one";
        KeyInvalid = KEY_INVALID {} AUTH 401 [] [] Never: "unknown key", "check it";
        MemberRole = MEMBER_ROLE { roles: String } AUTH 403 [] [] Never: "for {roles}", "ask one";
    }
}

pub(super) mod envelopes {
    use super::{Absent, Envelope, Piece, Slot};

    pub(crate) static A: Envelope = Envelope {
        name: "a",
        style: "a",
        body: &[
            Piece::Json(r#"{"type":"error","error":{"type":"#),
            Piece::Value(Slot::Kind, Absent::Null),
            Piece::Json(r#","message":""#),
            Piece::Within(Slot::Say),
            Piece::Json("; "),
            Piece::Within(Slot::Remedy),
            Piece::Json(r#"""#),
            Piece::Member(r#","details":"#, Slot::With, ""),
            Piece::Json(r#"},"request_id":"#),
            Piece::Value(Slot::RequestId, Absent::Null),
            Piece::Json("}"),
        ],
    };
    pub(crate) static O: Envelope = Envelope {
        name: "o",
        style: "o",
        body: &[
            Piece::Json(r#"{"error":{"code":"#),
            Piece::Value(Slot::Code, Absent::Null),
            Piece::Json(r#","param":"#),
            Piece::Value(Slot::Param, Absent::Null),
            Piece::Json(r#","status":"#),
            Piece::Value(Slot::HttpInt, Absent::Null),
            Piece::Json("}}"),
        ],
    };
}

pub(super) static RULES: Rules = Rules {
    framework: Framework {
        bad_json: &code::BAD_JSON,
        bad_field: &code::BAD_FIELD,
        missing_field: &code::MISSING_FIELD,
        missing_header: &code::MISSING_HEADER,
        bad_parameter: &code::BAD_PARAMETER,
        bad_content_type: &code::BAD_CONTENT_TYPE,
        wrong_method: &code::WRONG_METHOD,
        unknown_path: &code::UNKNOWN_PATH,
        body_too_large: &code::TOO_LARGE,
        body_timeout: &code::TOO_SLOW,
        panic: &code::BROKEN,
        timeout: &code::LATE,
        overloaded: &code::FULL,
        role_missing: &code::KEY_INVALID,
        member_role_missing: &code::MEMBER_ROLE,
        too_many_requests: &code::FULL,
        idempotency_in_flight: &code::FULL,
        idempotency_done: &code::FULL,
        idempotency_mismatch: &code::FULL,
        key_missing: &code::KEY_MISSING,
        key_invalid: &code::KEY_INVALID,
        key_disabled: &code::KEY_INVALID,
        key_expired: &code::KEY_INVALID,
        auth_unavailable: &code::FULL,
        session_invalid: &code::KEY_INVALID,
        origin_refused: &code::KEY_INVALID,
        caller_conflict: &code::KEY_INVALID,
        operation_not_allowed: &code::KEY_INVALID,
        address_not_allowed: &code::KEY_INVALID,
    },
    families: &[
        Family::of_verbs("/echo", &envelopes::A),
        Family::new("/both", &envelopes::A).with(Probe::Header(&VERSION)),
        Family::new("/both", &envelopes::A).with(Probe::Query("v")),
        Family::new("/a", &envelopes::A),
        Family::new("/", &envelopes::O),
    ],
    any_origin: &["/a", "/fail"],
    operator_paths: &["/ops"],
    schemes: &[&BEARER, &G_KEY, &SESSION],
    json_levels: 8,
    multipart_parts: 8,
    body_idle: Duration::from_secs(5),
    body_total: Duration::from_secs(10),
    proxy_total: Duration::from_secs(20),
};

static AUTHORIZATION: WireName = {
    static NAMES: [HeaderName; 1] = [HeaderName::from_static("authorization")];
    WireName { canonical: "authorization", accepts: &NAMES }
};
static X_G_KEY: WireName = {
    static NAMES: [HeaderName; 2] = [HeaderName::from_static("x-g-key"), HeaderName::from_static("x-vendor-key")];
    WireName { canonical: "x-g-key", accepts: &NAMES }
};
static VERSION: WireName = {
    static NAMES: [HeaderName; 2] = [HeaderName::from_static("a-version"), HeaderName::from_static("vendor-version")];
    WireName { canonical: "a-version", accepts: &NAMES }
};
static BEARER: Scheme = Scheme {
    id: "bearer",
    header: Some(&AUTHORIZATION),
    prefix: "Bearer ",
    query: None,
    cookie: None,
    key_starts: "sk-",
};
static G_KEY: Scheme =
    Scheme { id: "g_key", header: Some(&X_G_KEY), prefix: "", query: Some("key"), cookie: None, key_starts: "" };
static SESSION: Scheme =
    Scheme { id: "session", header: None, prefix: "", query: None, cookie: Some("session"), key_starts: "" };

/// Takes any key that ends in `good`.
struct Service;

impl Authenticate for Service {
    async fn authenticate(&self, secret: &str) -> Result<Principal, AuthFailure> {
        let known = Principal {
            account: AccountId(1),
            key: KeyId(2),
            agent: None,
            group: AccountGroup::DEFAULT,
            scope: None,
            include_cost: false,
        };
        if secret.ends_with("good") { Ok(known) } else { Err(AuthFailure::Unknown) }
    }

    async fn authenticate_session(&self, token: &str) -> Result<Caller, AuthFailure> {
        let by = CallerCredential::Session(SessionId([7; 32]));
        let of = |account, member| Ok(Caller { account: AccountId(account), by: by.clone(), member });
        let acting = |role| MemberCaller { id: PoolId(3), person: AccountId(9), role, by_groups: false };
        match token {
            "good" => of(1, None),
            "other" => of(2, None),
            "owning" => of(1, Some(acting("owner"))),
            "viewing" => of(1, Some(acting("viewer"))),
            _ => Err(AuthFailure::Unknown),
        }
    }
}

pub(super) static ECHO: Operation = Operation {
    routes: &[Route::new(Method::POST, "/echo/{id}")],
    schemes: &[&BEARER, &G_KEY, &SESSION],
    members: &["owner", "developer"],
    for_one_account: true,
    body: BodyLimit { bytes: 64, over: None },
    ..Operation::new("echo.post", "spec:1", &envelopes::O)
};
/// Names no members, as no generated operation with such a scheme does.
static OWN: Operation = Operation {
    routes: &[Route::new(Method::GET, "/own")],
    schemes: &[&SESSION],
    ..Operation::new("own.get", "spec:1", &envelopes::A)
};
static ECHO_A: Operation = Operation {
    routes: &[Route::new(Method::POST, "/a/echo/{id}")],
    schemes: &[&BEARER],
    body: BodyLimit { bytes: 64, over: None },
    ..Operation::new("a.echo", "spec:1", &envelopes::A)
};
static GENERATE: Operation = Operation {
    routes: &[Route::with_suffix(Method::POST, "/a/models/{*model}", ":generate")],
    ..Operation::new("a.generate", "spec:2", &envelopes::A)
};
static GET: Operation = Operation {
    routes: &[Route::new(Method::GET, "/a/models/{model}"), Route::new(Method::GET, "/b/models/{*model}")],
    select: Some(|seen| if seen.has(0) { &envelopes::A } else { &envelopes::O }),
    probes: &[Probe::Header(&VERSION), Probe::Query("v")],
    ..Operation::new("a.get", "spec:3", &envelopes::O)
};
static FAIL: Operation = Operation {
    routes: &[Route::new(Method::GET, "/fail/{how}")],
    always_http: Some(200),
    ..Operation::new("fail.get", "spec:4", &envelopes::O)
};
