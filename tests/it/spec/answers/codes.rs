//! What a client is to see of each code: status, shape, names, and whether and when to try again. Written out here a
//! second time, so that a slip in the spec or in what is made from it is a difference.

use std::collections::BTreeSet;

use http::{HeaderMap, StatusCode};
use serde_json::Value;

use Again::{Later, Never, Now};
use Kind::{
    Authentication, BadRequest, Conflict, NotFound, Overloaded, Payment, Permission, Rate, Server, Timeout, TooLarge,
    Unavailable, Upstream,
};

/// Codes that a shape has no case for, with the reason.
pub(super) const NEVER: &[(&str, &[&str], &str)] = &[
    ("UPSTREAM_BROKE_OFF", &["video_create"], "an order is answered whole"),
    (
        "UNKNOWN_PRICE",
        &["video_create"],
        "no video is beyond all money, and a group without prices is tried with turns",
    ),
    (
        "IDEMPOTENCY_DONE",
        &["account", "video_create", "x402_pay"],
        "an order is answered whole, so that its answer is given again; a payment takes no key",
    ),
    ("IDEMPOTENCY_IN_FLIGHT", &["x402_pay"], "a payment is carried out once by what is signed"),
    ("IDEMPOTENCY_MISMATCH", &["x402_pay"], "as for IDEMPOTENCY_IN_FLIGHT"),
    ("SESSION_INVALID", &["a", "g", "o", "video_create", "x402_pay"], "only operations of the account take a session"),
    ("ORIGIN_REFUSED", &["a", "g", "o", "video_create", "x402_pay"], "as for SESSION_INVALID"),
    ("CALLER_CONFLICT", &["a", "g", "o", "video_create", "x402_pay"], "as for SESSION_INVALID"),
    ("MISSING_HEADER", &["account", "g", "o", "video_create", "x402_pay"], "only messages.create needs a header"),
    ("KEY_MISSING", &["x402_pay"], "a payment takes no key"),
    ("KEY_INVALID", &["x402_pay"], "as for KEY_MISSING"),
    ("KEY_DISABLED", &["x402_pay"], "as for KEY_MISSING"),
    ("KEY_EXPIRED", &["x402_pay"], "as for KEY_MISSING"),
    ("OPERATION_NOT_ALLOWED", &["x402_pay"], "as for KEY_MISSING"),
    ("ADDRESS_NOT_ALLOWED", &["x402_pay"], "as for KEY_MISSING"),
    ("BAD_JSON", &["x402_pay"], "whatever is no payment is a PAYLOAD_MISMATCH, in the words of the operation"),
    ("BAD_FIELD", &["x402_pay"], "as for BAD_JSON"),
    ("MISSING_FIELD", &["x402_pay"], "as for BAD_JSON"),
    (
        "OPERATOR_ROLE",
        &["a", "account", "g", "o", "video_create", "x402_pay"],
        "only operations of operators have roles, and their examples show it",
    ),
    ("MEMBER_ROLE", &["a", "g", "o", "video_create", "x402_pay"], "what a session may ask is answered in one shape"),
    ("BAD_CONTENT_TYPE", &["x402_pay"], "the bytes are read whatever they say they are"),
];

/// How errors are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    A,
    Account,
    G,
    O,
    /// As `Pay`, in the operation that has an HTTP status for each.
    Handshake,
    /// Of the operation that takes a payment.
    Pay,
    /// Of the second video family.
    VideoCreate,
}

impl Shape {
    /// The shape of an operation's errors where the request chooses no other.
    pub(super) fn of(operation: &str) -> Self {
        match operation.split('.').next().expect("a group") {
            "x402" if operation == "x402.pay" => Self::Pay,
            "x402" if operation == "x402.handshake" => Self::Handshake,
            "crypto" if operation != "crypto.page" => Self::Account,
            "ewallet" if operation == "ewallet.page" => Self::O,
            "messages" => Self::A,
            "content" => Self::G,
            "balance" | "receipts" | "usage" | "keys" | "agents" | "sessions" | "identities" | "oidc" | "topup"
            | "x402" | "ewallet" | "standing" | "console" | "organisation" | "organisations" | "teams" | "members"
            | "invitations" => Self::Account,
            "video_a" => Self::VideoCreate,
            _ => Self::O,
        }
    }

    /// The envelope's name in the spec.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::Account => "account",
            Self::G => "g",
            Self::O => "o",
            Self::Pay | Self::Handshake => "x402_pay",
            Self::VideoCreate => "video_create",
        }
    }

    /// The shape that a body has.
    pub(super) fn found(body: &Value) -> Option<Self> {
        let error = body.get("error");
        Some(match (body.get("success"), body.get("type"), error.and_then(|error| error.get("status"))) {
            (Some(_), ..) => Self::Account,
            (_, Some(_), _) => Self::A,
            (.., Some(_)) => Self::G,
            _ if error.is_some_and(|error| error.get("request_id").is_none()) => Self::VideoCreate,
            _ if error.is_some() => Self::O,
            _ => return None,
        })
    }

    /// Code, kind and request id, where they have to stand, and nothing beside them.
    pub(super) fn read(self, status: u16, body: &Value) -> [String; 3] {
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let members = |value: &Value, known: &[&str]| {
            let names = value.as_object().expect("an object").keys();
            names.into_iter().all(|name| known.contains(&name.as_str()))
        };
        match self {
            Self::A => {
                assert!(body["type"] == "error" && members(body, &["type", "error", "request_id"]), "{body}");
                [text("/error/code"), text("/error/type"), text("/request_id")]
            }
            Self::Account | Self::Pay | Self::Handshake => {
                assert!(body["success"] == false && body["message"] == body["code"], "{body}");
                [text("/code"), String::new(), text("/request_id")]
            }
            Self::G => {
                assert!(body["error"]["code"] == status && members(body, &["error"]), "{body}");
                [text("/error/details/0/reason"), text("/error/status"), text("/error/details/0/metadata/request_id")]
            }
            Self::O => {
                let known = ["message", "type", "param", "code", "request_id", "details"];
                assert!(members(body, &["error"]) && members(&body["error"], &known), "{body}");
                [text("/error/code"), text("/error/type"), text("/error/request_id")]
            }
            Self::VideoCreate => {
                // Four texts, and no place for the id.
                let error = body["error"].as_object().expect("an object");
                assert!(
                    members(body, &["error"]) && members(&body["error"], &["message", "type", "param", "code"]),
                    "{body}"
                );
                assert!(error.len() == 4 && error.values().all(Value::is_string), "{body}");
                [text("/error/code"), text("/error/type"), String::new()]
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Authentication,
    Permission,
    Payment,
    Rate,
    BadRequest,
    NotFound,
    Conflict,
    TooLarge,
    Timeout,
    Upstream,
    Overloaded,
    Unavailable,
    Server,
}

impl Kind {
    fn name(self, shape: Shape) -> &'static str {
        let [a, g, o] = match self {
            Authentication => ["authentication_error", "UNAUTHENTICATED", "invalid_request_error"],
            Permission => ["permission_error", "PERMISSION_DENIED", "permission_error"],
            Payment => ["billing_error", "RESOURCE_EXHAUSTED", "insufficient_quota"],
            Rate => ["rate_limit_error", "RESOURCE_EXHAUSTED", "rate_limit_error"],
            BadRequest => ["invalid_request_error", "INVALID_ARGUMENT", "invalid_request_error"],
            NotFound => ["not_found_error", "NOT_FOUND", "invalid_request_error"],
            Conflict => ["conflict_error", "ABORTED", "invalid_request_error"],
            TooLarge => ["request_too_large", "INVALID_ARGUMENT", "invalid_request_error"],
            Timeout => ["timeout_error", "DEADLINE_EXCEEDED", "timeout_error"],
            Upstream => ["api_error", "UNAVAILABLE", "upstream_error"],
            Overloaded => ["overloaded_error", "UNAVAILABLE", "server_error"],
            Unavailable => ["api_error", "UNAVAILABLE", "server_error"],
            Server => ["api_error", "INTERNAL", "server_error"],
        };
        match shape {
            Shape::A => a,
            Shape::Account | Shape::Pay | Shape::Handshake => "",
            Shape::G => g,
            Shape::O | Shape::VideoCreate => o,
        }
    }
}

/// What a client is told about trying again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Again {
    Never,
    Now,
    /// After `Retry-After`.
    Later,
}

#[rustfmt::skip] // a row is read as a row
const CODES: &[(&str, u16, Kind, Again)] = &[
    ("KEY_MISSING", 401, Authentication, Never),
    ("KEY_INVALID", 401, Authentication, Never),
    ("KEY_DISABLED", 401, Authentication, Never),
    ("KEY_EXPIRED", 401, Authentication, Never),
    ("SESSION_INVALID", 401, Authentication, Never),
    ("ORIGIN_REFUSED", 403, Permission, Never),
    ("KEY_SPEND_CAP_EXCEEDED", 402, Payment, Never),
    ("BUDGET_EXCEEDED", 402, Payment, Never),
    ("BUDGET_IN_FLIGHT", 429, Rate, Later),
    ("TEAM_NOT_FOUND", 404, NotFound, Never),
    ("MEMBER_NOT_FOUND", 404, NotFound, Never),
    ("INVITATION_NOT_FOUND", 404, NotFound, Never),
    ("INVITATION_NOT_OPEN", 404, NotFound, Never),
    ("ORGANISATION_NOT_FOUND", 404, NotFound, Never),
    ("MEMBER_LEFT", 409, Conflict, Never),
    ("MEMBER_ROLE", 403, Permission, Never),
    ("NOT_A_MEMBER", 409, Conflict, Never),
    ("ALREADY_A_MEMBER", 409, Conflict, Never),
    ("LAST_OWNER", 409, Conflict, Never),
    ("INVITATION_ACCEPTED", 409, Conflict, Never),
    ("INVITATION_LIMIT", 409, Conflict, Never),
    ("ORGANISATION_NAME_TAKEN", 409, Conflict, Never),
    ("ORGANISATION_LIMIT", 409, Conflict, Never),
    ("OWNERS_ONLY", 403, Permission, Never),
    ("OWN_KEYS_ONLY", 403, Permission, Never),
    ("TEAM_CLOSED", 409, Conflict, Never),
    ("TEAM_NAME_TAKEN", 409, Conflict, Never),
    ("TEAM_IN_USE", 409, Conflict, Never),
    ("TEAM_LIMIT", 409, Conflict, Never),
    ("CALLER_CONFLICT", 401, Authentication, Never),
    ("LOGIN_FAILED", 401, Authentication, Never),
    ("SIGN_IN_STALE", 403, Permission, Never),
    ("OPERATION_NOT_ALLOWED", 403, Permission, Never),
    ("ADDRESS_NOT_ALLOWED", 403, Permission, Never),
    ("MODEL_NOT_ALLOWED", 403, Permission, Never),
    ("KEY_LIMITED", 403, Permission, Never),
    ("KEY_NOT_FOUND", 404, NotFound, Never),
    ("KEY_REVOKED", 409, Conflict, Never),
    ("KEY_LIMIT", 409, Conflict, Never),
    ("AGENTS_DISABLED", 403, Permission, Never),
    ("AGENT_NOT_FOUND", 404, NotFound, Never),
    ("AGENT_REVOKED", 409, Conflict, Never),
    ("AGENT_LIMIT", 409, Conflict, Never),
    ("AGENT_EXISTS", 409, Conflict, Never),
    ("NONCE_USED", 409, Conflict, Never),
    ("ISSUED_AT_OUT_OF_RANGE", 400, BadRequest, Never),
    ("BAD_OWNERSHIP_SIG", 403, Permission, Never),
    ("REGISTRATION_DISABLED", 403, Permission, Never),
    ("ACCOUNT_EXISTS", 409, Conflict, Never),
    ("ACCOUNT_FROZEN", 403, Permission, Never),
    ("WALLETS_DISABLED", 403, Permission, Never),
    ("CHALLENGE_INVALID", 409, Conflict, Never),
    ("BAD_WALLET_SIGNATURE", 403, Permission, Never),
    ("OIDC_LOGOUT_REFUSED", 400, BadRequest, Never),
    ("OIDC_PROVIDER_NOT_FOUND", 404, NotFound, Never),
    ("OIDC_REFUSED", 403, Permission, Never),
    ("OIDC_UNAVAILABLE", 502, Upstream, Now),
    ("IDENTITY_EXISTS", 409, Conflict, Never),
    ("IDENTITY_LIMIT", 409, Conflict, Never),
    ("IDENTITY_NOT_FOUND", 404, NotFound, Never),
    ("IDENTITY_LAST", 409, Conflict, Never),
    ("INSUFFICIENT_CREDIT", 402, Payment, Never),
    ("CREDIT_IN_FLIGHT", 429, Rate, Later),
    ("LEDGER_UNAVAILABLE", 503, Unavailable, Later),
    ("SHUTTING_DOWN", 503, Unavailable, Later),
    ("MODEL_NOT_FOUND", 404, NotFound, Never),
    ("UNKNOWN_PRICE", 503, Unavailable, Never),
    ("UPSTREAM_REFUSED", 400, BadRequest, Never),
    ("UPSTREAM_RATE_LIMITED", 429, Rate, Later),
    ("UPSTREAM_FAILED", 502, Upstream, Now),
    ("UPSTREAM_OVERLOADED", 503, Overloaded, Later),
    ("UPSTREAM_TIMEOUT", 504, Timeout, Now),
    ("UPSTREAM_BROKE_OFF", 502, Upstream, Now),
    ("NOT_CONVERTIBLE", 400, BadRequest, Never),
    ("MEMBER_UNKNOWN", 400, BadRequest, Never),
    ("NOT_OFFERED", 400, BadRequest, Never),
    ("PROVIDER_STATE", 400, BadRequest, Never),
    ("THREAD_UNSUPPORTED", 400, BadRequest, Never),
    ("BAD_JSON", 400, BadRequest, Never),
    ("BAD_FIELD", 400, BadRequest, Never),
    ("MISSING_FIELD", 400, BadRequest, Never),
    ("MISSING_HEADER", 400, BadRequest, Never),
    ("BAD_PARAMETER", 400, BadRequest, Never),
    ("BAD_CONTENT_TYPE", 415, BadRequest, Never),
    ("METHOD_NOT_ALLOWED", 405, BadRequest, Never),
    ("ROUTE_NOT_FOUND", 404, NotFound, Never),
    ("BODY_TOO_LARGE", 413, TooLarge, Never),
    ("HEADERS_TOO_LARGE", 431, TooLarge, Never),
    ("BODY_TIMEOUT", 408, Timeout, Now),
    ("INTERNAL", 500, Server, Now),
    ("REQUEST_TIMEOUT", 504, Timeout, Never),
    ("OVERLOADED", 503, Overloaded, Later),
    ("RATE_LIMITED", 429, Rate, Later),
    ("RECEIPT_NOT_FOUND", 404, NotFound, Never),
    ("IDEMPOTENCY_IN_FLIGHT", 409, Conflict, Later),
    ("IDEMPOTENCY_DONE", 409, Conflict, Never),
    ("IDEMPOTENCY_MISMATCH", 422, BadRequest, Never),
    ("USAGE_TOO_WIDE", 400, BadRequest, Never),
    ("VIDEO_NOT_FOUND", 404, NotFound, Never),
    ("VIDEO_NOT_READY", 409, Conflict, Never),
    ("RESPONSE_NOT_FOUND", 404, NotFound, Never),
    ("PREVIOUS_RESPONSE_NOT_FOUND", 400, BadRequest, Never),
    ("ITEM_NOT_FOUND", 404, NotFound, Never),
    ("NOT_CANCELLABLE", 400, BadRequest, Never),
    ("BAD_COMPACTION", 400, BadRequest, Never),
    ("ORDER_NOT_FOUND", 404, NotFound, Never),
    ("INVALID_AMOUNT", 400, BadRequest, Never),
    ("RAIL_DISABLED", 409, Conflict, Never),
    ("UNSUPPORTED_WALLET", 400, BadRequest, Never),
    ("CHECKOUT_UNAVAILABLE", 502, Upstream, Now),
    ("NOTICE_REFUSED", 403, Permission, Never),
    ("X402_INVALID_AMOUNT", 400, BadRequest, Never),
    ("X402_DISABLED", 409, Conflict, Never),
    ("X402_CHAIN_UNAVAILABLE", 503, Unavailable, Later),
    ("X402_UNSUPPORTED_ASSET", 400, BadRequest, Never),
    ("X402_PENDING_CAP", 429, Rate, Never),
    ("X402_SPEND_CAP_EXCEEDED", 402, Payment, Never),
    ("ORDER_NOT_PENDING", 409, Conflict, Never),
    ("ORDER_EXPIRED", 410, Conflict, Never),
    ("PAYLOAD_MISMATCH", 400, BadRequest, Never),
    ("SETTLING_IN_PROGRESS", 409, Conflict, Never),
    ("ORDER_ALREADY_SETTLED", 409, Conflict, Never),
    ("SPEND_CAP_EXCEEDED", 402, Payment, Never),
    ("X402_SETTLE_PENDING", 409, Conflict, Never),
    ("X402_PAYMENT_REJECTED", 402, Payment, Never),
    ("X402_PAYMENT_SET_ASIDE", 409, Conflict, Never),
    ("CHAIN_UNAVAILABLE", 503, Unavailable, Later),
    ("PAYMENT_REQUIRED", 402, Payment, Never),
];

/// The status of a code in a shape.
fn status_in(shape: Shape, code: &str, status: u16) -> u16 {
    match (shape, code) {
        (Shape::A, "OVERLOADED" | "UPSTREAM_OVERLOADED") => 529,
        (Shape::G, "UPSTREAM_FAILED") => 503,
        // Before the operation is found there is nobody who would say 200.
        (Shape::Pay, "METHOD_NOT_ALLOWED" | "ROUTE_NOT_FOUND" | "HEADERS_TOO_LARGE" | "INTERNAL") => status,
        (Shape::Pay, _)
        | (Shape::Account, "ORDER_NOT_PENDING" | "INVALID_AMOUNT" | "RAIL_DISABLED" | "UNSUPPORTED_WALLET") => 200,
        (Shape::Account, code) if code.starts_with("X402_") => 200,
        _ => status,
    }
}

/// The name of a code in a shape.
fn name_in(shape: Shape, code: &str) -> String {
    let shape = if shape == Shape::VideoCreate { Shape::O } else { shape };
    match (shape, code) {
        (Shape::O, "KEY_MISSING" | "KEY_INVALID" | "KEY_DISABLED" | "KEY_EXPIRED") => "invalid_api_key".to_owned(),
        (Shape::G, "KEY_MISSING" | "KEY_INVALID" | "KEY_DISABLED" | "KEY_EXPIRED") => "API_KEY_INVALID".to_owned(),
        (Shape::O, "RATE_LIMITED") => "rate_limit_exceeded".to_owned(),
        (Shape::O, "UNKNOWN_PRICE") => "model_price_unknown".to_owned(),
        (Shape::O, "UPSTREAM_FAILED") => "bad_gateway".to_owned(),
        (Shape::O, "UPSTREAM_OVERLOADED") => "no_available_channel".to_owned(),
        (Shape::O, _) => code.to_ascii_lowercase(),
        _ => code.to_owned(),
    }
}

/// What is expected of one answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expected {
    pub(super) shape: Shape,
    pub(super) code: &'static str,
    /// Seconds until the next try, where it says any; one second is told where nobody knows better.
    pub(super) wait: u32,
    /// The status, where it is the provider's own.
    pub(super) status: Option<u16>,
}

impl Expected {
    pub(super) fn new(shape: Shape, code: &'static str) -> Self {
        Self { shape, code, wait: 1, status: None }
    }
}

/// The cases that held.
#[derive(Debug, Default)]
pub(super) struct Cases {
    /// Shapes and codes, as the spec names them.
    pub(super) told: BTreeSet<(String, String)>,
}

impl Cases {
    /// Sees that an answer is as expected.
    pub(super) async fn answered(&mut self, expected: Expected, reply: reqwest::Response) {
        let (status, headers) = (reply.status(), reply.headers().clone());
        let what = format!("{expected:?} from {}", reply.url());
        let text = reply.text().await.expect("a body");
        self.told(expected, status, &headers, text.as_bytes(), &what);
    }

    /// The same for the parts of an answer.
    pub(super) fn told(
        &mut self,
        expected: Expected,
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        what: &str,
    ) {
        let (_, http, _, again) = row(expected.code);
        let header = |name: &str| headers.get(name).map(|value| value.to_str().expect("text"));
        let http = expected.status.unwrap_or(status_in(expected.shape, expected.code, http));
        assert_eq!(status.as_u16(), http, "{what}: {}", String::from_utf8_lossy(body));
        assert_eq!(header("x-should-retry"), Some(if again == Never { "false" } else { "true" }), "{what}");
        let wait = (again == Later).then(|| expected.wait.to_string());
        assert_eq!(header("retry-after"), wait.as_deref(), "{what}");
        assert_eq!(header("content-type"), Some("application/json"), "{what}");
        self.body(expected, status, body, header("x-request-id").expect("every answer has one"), what);
    }

    /// The same for a body alone, as the last event of a stream has it.
    pub(super) fn body(&mut self, expected: Expected, status: StatusCode, body: &[u8], request_id: &str, what: &str) {
        let Expected { shape, code, .. } = expected;
        let body: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{what}: {error}"));
        let request_id = if shape == Shape::VideoCreate { "" } else { request_id };
        let told = [name_in(shape, code), row(code).2.name(shape).to_owned(), request_id.to_owned()];
        assert_eq!(shape.read(status.as_u16(), &body), told, "{what}: {body}");
        self.told.insert((shape.name().to_owned(), code.to_owned()));
    }
}

fn row(code: &str) -> (&'static str, u16, Kind, Again) {
    *CODES.iter().find(|(known, ..)| *known == code).unwrap_or_else(|| panic!("{code} has no row"))
}
