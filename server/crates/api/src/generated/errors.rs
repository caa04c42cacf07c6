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
        caller_conflict: &code::CALLER_CONFLICT,
        operation_not_allowed: &code::OPERATION_NOT_ALLOWED,
        address_not_allowed: &code::ADDRESS_NOT_ALLOWED,
        role_missing: &code::OPERATOR_ROLE,
        member_role_missing: &code::MEMBER_ROLE,
        too_many_requests: &code::RATE_LIMITED,
        idempotency_in_flight: &code::IDEMPOTENCY_IN_FLIGHT,
        idempotency_done: &code::IDEMPOTENCY_DONE,
        idempotency_mismatch: &code::IDEMPOTENCY_MISMATCH,
    },
    families: &[
        api::Family::new("/upload/v1beta", &envelopes::G),
        api::Family::new("/v1beta/openai", &envelopes::O),
        api::Family::new("/api/x402/pay", &envelopes::X402_PAY),
        api::Family::new("/v1/messages", &envelopes::A),
        api::Family::new("/api/admin", &envelopes::ACCOUNT),
        api::Family::of_verbs("/v1/models", &envelopes::G),
        api::Family::new("/messages", &envelopes::A),
        api::Family::new("/console", &envelopes::ACCOUNT),
        api::Family::new("/v1beta", &envelopes::G),
        api::Family::new("/videoA", &envelopes::VIDEO_CREATE),
        api::Family::new("/admin", &envelopes::ACCOUNT),
        api::Family::new("/kling", &envelopes::VIDEO_CREATE),
        api::Family::new("/api", &envelopes::ACCOUNT),
        api::Family::new("/v1", &envelopes::A)
            .with(api::Probe::Header(&super::auth::names::A_VERSION)),
        api::Family::new("/v1", &envelopes::G)
            .with(api::Probe::Header(&super::auth::names::X_G_API_KEY)),
        api::Family::new("/v1", &envelopes::G).with(api::Probe::Query("key")),
        api::Family::new("/v1", &envelopes::A)
            .with(api::Probe::Header(&super::auth::names::X_API_KEY)),
        api::Family::new("/v1", &envelopes::O),
        api::Family::new("/", &envelopes::A)
            .with(api::Probe::Header(&super::auth::names::A_VERSION)),
        api::Family::new("/", &envelopes::G)
            .with(api::Probe::Header(&super::auth::names::X_G_API_KEY)),
        api::Family::new("/", &envelopes::G).with(api::Probe::Query("key")),
        api::Family::new("/", &envelopes::A)
            .with(api::Probe::Header(&super::auth::names::X_API_KEY)),
        api::Family::new("/", &envelopes::O),
    ],
    any_origin: &[
        "/v1",
        "/v1beta",
        "/upload/v1beta",
        "/videoA",
        "/kling",
        "/chat",
        "/completions",
        "/embeddings",
        "/images",
        "/messages",
        "/models",
        "/moderations",
        "/responses",
        "/videos",
        "/api/x402/pay",
    ],
    operator_paths: &["/admin", "/api/admin"],
    schemes: &[
        &super::auth::BEARER,
        &super::auth::X_API_KEY,
        &super::auth::G_KEY,
        &super::auth::SESSION,
        &super::auth::OPERATOR_KEY,
        &super::auth::OPERATOR_SESSION,
    ],
    json_levels: 128,
    multipart_parts: 256,
    body_idle: Duration::from_secs(30),
    body_total: Duration::from_secs(120),
    proxy_total: Duration::from_secs(660),
};

/// The bodies of errors.
pub mod envelopes {
    use crate::api::Envelope;
    use crate::api::Absent::{Empty, Null};
    use crate::api::Piece::{Json, Member, Value, Within};
    use crate::api::Slot::{Code, HttpInt, Kind, Param, Remedy, RequestId, Say, With};
    /// Error of format A.
    pub static A: Envelope = Envelope {
        name: "a",
        style: "a",
        body: &[
            Json("{\"type\":\"error\",\"error\":{\"type\":"),
            Value(Kind, Null),
            Json(",\"message\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"code\":"),
            Value(Code, Null),
            Member(",\"details\":", With, ""),
            Json("},\"request_id\":"),
            Value(RequestId, Null),
            Json("}"),
        ],
    };
    /// Error of format O and its family.
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
            Json(",\"request_id\":"),
            Value(RequestId, Null),
            Member(",\"details\":", With, ""),
            Json("}}"),
        ],
    };
    /// Error of format G. `error` is the only key of the body, because clients of this format test for it in
    /// streams.
    pub static G: Envelope = Envelope {
        name: "g",
        style: "g",
        body: &[
            Json("{\"error\":{\"code\":"),
            Value(HttpInt, Null),
            Json(",\"message\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"status\":"),
            Value(Kind, Null),
            Json(
                ",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.ErrorInfo\",\"reason\":",
            ),
            Value(Code, Null),
            Json(",\"domain\":\"tollgate\",\"metadata\":{\"request_id\":"),
            Value(RequestId, Null),
            Json("}}]"),
            Member(",\"data\":", With, ""),
            Json("}}"),
        ],
    };
    /// Error of the account operations. The code is in `message`, and again in `code`; `detail` is the sentence.
    pub static ACCOUNT: Envelope = Envelope {
        name: "account",
        style: "account",
        body: &[
            Json("{\"success\":false,\"message\":"),
            Value(Code, Null),
            Json(",\"code\":"),
            Value(Code, Null),
            Json(",\"detail\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"request_id\":"),
            Value(RequestId, Null),
            Json(",\"data\":"),
            Value(With, Null),
            Json("}"),
        ],
    };
    /// Failure of a payment. `data` has the number, the name and the status of the order where the code is about
    /// one.
    pub static X402_PAY: Envelope = Envelope {
        name: "x402_pay",
        style: "account",
        body: &[
            Json("{\"success\":false,\"message\":"),
            Value(Code, Null),
            Json(",\"code\":"),
            Value(Code, Null),
            Json(",\"detail\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"request_id\":"),
            Value(RequestId, Null),
            Json(",\"data\":"),
            Value(With, Null),
            Json("}"),
        ],
    };
    /// Error of the second video family. All four members are strings.
    pub static VIDEO_CREATE: Envelope = Envelope {
        name: "video_create",
        style: "o",
        body: &[
            Json("{\"error\":{\"message\":\""),
            Within(Say),
            Json("; "),
            Within(Remedy),
            Json("\",\"type\":"),
            Value(Kind, Null),
            Json(",\"param\":"),
            Value(Param, Empty),
            Json(",\"code\":"),
            Value(Code, Null),
            Json("}}"),
        ],
    };
}

/// Kinds of errors, as each style names them.
pub mod kinds {
    crate::api::kinds! {
        AUTHENTICATION = "authentication" ["a" "authentication_error", "o" "invalid_request_error", "g" "UNAUTHENTICATED"];
        PERMISSION = "permission" ["a" "permission_error", "o" "permission_error", "g" "PERMISSION_DENIED"];
        PAYMENT = "payment" ["a" "billing_error", "o" "insufficient_quota", "g" "RESOURCE_EXHAUSTED"];
        RATE = "rate" ["a" "rate_limit_error", "o" "rate_limit_error", "g" "RESOURCE_EXHAUSTED"];
        BAD_REQUEST = "bad_request" ["a" "invalid_request_error", "o" "invalid_request_error", "g" "INVALID_ARGUMENT"];
        NOT_FOUND = "not_found" ["a" "not_found_error", "o" "invalid_request_error", "g" "NOT_FOUND"];
        CONFLICT = "conflict" ["a" "conflict_error", "o" "invalid_request_error", "g" "ABORTED"];
        GONE = "gone" ["a" "invalid_request_error", "o" "invalid_request_error", "g" "FAILED_PRECONDITION"];
        TOO_LARGE = "too_large" ["a" "request_too_large", "o" "invalid_request_error", "g" "INVALID_ARGUMENT"];
        TIMEOUT = "timeout" ["a" "timeout_error", "o" "timeout_error", "g" "DEADLINE_EXCEEDED"];
        UPSTREAM = "upstream" ["a" "api_error", "o" "upstream_error", "g" "UNAVAILABLE"];
        OVERLOADED = "overloaded" ["a" "overloaded_error", "o" "server_error", "g" "UNAVAILABLE"];
        UNAVAILABLE = "unavailable" ["a" "api_error", "o" "server_error", "g" "UNAVAILABLE"];
        SERVER = "server" ["a" "api_error", "o" "server_error", "g" "INTERNAL"];
    }
}

/// Error codes: a marker type each, for `raise`, and what the spec says about it. In a row: values, kind, status,
/// statuses and names by style, whether to retry; then what is said, and what can be done.
pub mod code {
    crate::api::codes! {
        KeyMissing = KEY_MISSING {} AUTHENTICATION 401 [] ["o" "invalid_api_key", "g" "API_KEY_INVALID"] Never:
            "no API key was sent", "send it as 'Authorization: Bearer sk-…'";
        KeyInvalid = KEY_INVALID {} AUTHENTICATION 401 [] ["o" "invalid_api_key", "g" "API_KEY_INVALID"] Never:
            "the API key is not known", "check the key for missing characters or create a new one";
        KeyDisabled = KEY_DISABLED {} AUTHENTICATION 401 [] ["o" "invalid_api_key", "g" "API_KEY_INVALID"] Never:
            "the API key has been revoked", "use another key of the account";
        KeyExpired = KEY_EXPIRED {} AUTHENTICATION 401 [] ["o" "invalid_api_key", "g" "API_KEY_INVALID"] Never:
            "the API key has expired", "create a new key";
        CallerConflict = CALLER_CONFLICT {} AUTHENTICATION 401 [] [] Never:
            "this request names two different accounts, by its key, its session or the header x-tollgate-account", "send the key or the session alone, and load a page again that was made for another account";
        InsufficientCredit = INSUFFICIENT_CREDIT { needed_usd: crate::api::Usd, available_usd: crate::api::Usd, held_usd: crate::api::Usd } PAYMENT 402 [] [] Never:
            "the credit is too small: this request needs {needed_usd} USD and {available_usd} USD are available ({held_usd} USD are held by requests under way)", "top up the account or ask for fewer output tokens";
        CreditInFlight = CREDIT_IN_FLIGHT { needed_usd: crate::api::Usd, available_usd: crate::api::Usd, held_usd: crate::api::Usd } RATE 429 [] [] After:
            "the credit would suffice, but {held_usd} USD of it are held by requests under way: this request needs {needed_usd} USD and {available_usd} USD are available", "send it again when one of them has ended, or top up the account";
        BudgetInFlight = BUDGET_IN_FLIGHT { holder: String, period: String, held_usd: crate::api::Usd, left_usd: crate::api::Usd, needed_usd: crate::api::Usd } RATE 429 [] [] After:
            "the {period} budget of the {holder} would suffice, but {held_usd} USD of it are held by requests under way: this request needs {needed_usd} USD and {left_usd} USD are left", "send it again when one of them has ended, or ask an owner of the organisation to raise the budget";
        LedgerUnavailable = LEDGER_UNAVAILABLE {} UNAVAILABLE 503 [] [] After:
            "accounts and credit cannot be read or written at the moment", "send the request again after the time in Retry-After; it was charged only if its receipt says so";
        IdempotencyInFlight = IDEMPOTENCY_IN_FLIGHT { first_request_id: String } CONFLICT 409 [] [] After:
            "the request {first_request_id} with this Idempotency-Key is under way", "send it again after the time in Retry-After to get its answer";
        IdempotencyDone = IDEMPOTENCY_DONE { first_request_id: String } CONFLICT 409 [] [] Never:
            "the request {first_request_id} with this Idempotency-Key was carried out, and its answer cannot be given again", "see the receipt of that request, and use a new key for another one";
        IdempotencyMismatch = IDEMPOTENCY_MISMATCH { first_request_id: String } BAD_REQUEST 422 [] [] Never:
            "this Idempotency-Key belongs to the request {first_request_id}, which was another one", "use a new key for a request that differs in its path or body";
        ModelNotFound = MODEL_NOT_FOUND { model: String } NOT_FOUND 404 [] [] Never:
            "there is no model '{model}'", "choose one from the model list";
        UnknownPrice = UNKNOWN_PRICE { model: String } UNAVAILABLE 503 [] ["o" "model_price_unknown"] Never:
            "the most that this request to '{model}' could cost has no price, and without a price nothing is sold", "ask for fewer or shorter answers, or choose another model";
        UpstreamRefused = UPSTREAM_REFUSED { reason: String } BAD_REQUEST 400 | 404 | 413 | 416 | 422 [] [] Never:
            "the provider of the model refused the request: {reason}", "change the request accordingly";
        UpstreamRateLimited = UPSTREAM_RATE_LIMITED { model: String } RATE 429 [] [] After:
            "the provider of '{model}' accepts no more requests at the moment", "send the request again after the time in Retry-After";
        UpstreamFailed = UPSTREAM_FAILED { model: String } UPSTREAM 502 ["g" 503] ["o" "bad_gateway"] Now:
            "the provider of '{model}' failed before it answered", "send the request again; nothing was charged";
        UpstreamOverloaded = UPSTREAM_OVERLOADED { model: String } OVERLOADED 503 ["a" 529] ["o" "no_available_channel"] After:
            "no provider of '{model}' can take the request at the moment", "send it again after the time in Retry-After; nothing was charged";
        UpstreamTimeout = UPSTREAM_TIMEOUT { model: String } TIMEOUT 504 [] [] Now:
            "the provider of '{model}' did not answer in time", "send the request again, or ask for a shorter answer";
        UpstreamBrokeOff = UPSTREAM_BROKE_OFF { model: String } UPSTREAM 502 [] [] Now:
            "the provider of '{model}' broke off in the middle of the answer", "see the receipt of this request for what was charged, then send it again";
        RateLimited = RATE_LIMITED { limit: String } RATE 429 [] ["o" "rate_limit_exceeded"] After:
            "too many requests: {limit}", "slow down and send it again after the time in Retry-After";
        BadJson = BAD_JSON { reason: String } BAD_REQUEST 400 [] [] Never:
            "the body is not a JSON object: {reason}", "send one complete JSON object in UTF-8";
        BadField = BAD_FIELD { field: String, expected: String, found: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' must be {expected}, not {found}", "correct the field";
        MissingField = MISSING_FIELD { field: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' is missing", "add the field to the body";
        MissingHeader = MISSING_HEADER { header: String } BAD_REQUEST 400 [] [] Never:
            "the header '{header}' is missing", "add the header";
        BadParameter = BAD_PARAMETER { parameter: String, expected: String, found: String } BAD_REQUEST 400 [] [] Never:
            "the parameter '{parameter}' must be {expected}, not {found}", "correct the parameter";
        BadContentType = BAD_CONTENT_TYPE { found: String, expected: String } BAD_REQUEST 415 [] [] Never:
            "the body must be {expected}, not {found}", "set the headers Content-Type and Content-Encoding to match what is sent";
        MethodNotAllowed = METHOD_NOT_ALLOWED { allowed: String } BAD_REQUEST 405 [] [] Never:
            "this path does not take this method", "use {allowed}";
        RouteNotFound = ROUTE_NOT_FOUND { method: String, path: String } NOT_FOUND 404 [] [] Never:
            "there is no operation {method} {path}", "check the path and the base address";
        BodyTooLarge = BODY_TOO_LARGE { limit_bytes: i64 } TOO_LARGE 413 [] [] Never:
            "the body is larger than {limit_bytes} bytes", "send less";
        HeadersTooLarge = HEADERS_TOO_LARGE { limit: String } TOO_LARGE 431 [] [] Never:
            "the headers of the request are too many or too large: at most {limit}", "send fewer or shorter headers";
        BodyTimeout = BODY_TIMEOUT { bound: String, seconds: i64 } TIMEOUT 408 [] [] Now:
            "the body did not arrive in time: its {bound} limit is {seconds} seconds", "send the request again over a steadier connection";
        Internal = INTERNAL {} SERVER 500 [] [] Now:
            "the service failed in a way that it did not foresee", "send the request again, and report the request id if it happens twice";
        RequestTimeout = REQUEST_TIMEOUT { seconds: i64 } TIMEOUT 504 [] [] Never:
            "the request took longer than {seconds} seconds, and the service waits no longer", "ask for a shorter answer, or stream it";
        Overloaded = OVERLOADED {} OVERLOADED 503 ["a" 529] [] After:
            "the service has as many requests as it can carry", "send the request again after the time in Retry-After";
        ShuttingDown = SHUTTING_DOWN {} UNAVAILABLE 503 [] [] After:
            "the service was told to stop and finishes what it began", "send the request to another address of the service, or again after the time in Retry-After";
        ReceiptNotFound = RECEIPT_NOT_FOUND { request_id: String } NOT_FOUND 404 [] [] Never:
            "this account has no receipt for the request '{request_id}'", "take the request id from the header x-request-id of the answer";
        UsageTooWide = USAGE_TOO_WIDE { from: String, to: String, reason: String } BAD_REQUEST 400 [] [] Never:
            "usage from {from} to {to} cannot be told in one answer: {reason}", "ask for fewer days, or tell the rows apart by less";
        ModelNotAllowed = MODEL_NOT_ALLOWED { model: String } PERMISSION 403 [] [] Never:
            "this key may not use the model '{model}'", "use another key, or widen the models of this one";
        OperationNotAllowed = OPERATION_NOT_ALLOWED { operation: String } PERMISSION 403 [] [] Never:
            "this key may not be used for '{operation}'", "use another key, or widen the operations of this one";
        AddressNotAllowed = ADDRESS_NOT_ALLOWED {} PERMISSION 403 [] [] Never:
            "this key may not be used from this address", "call from an allowed address, or widen the address ranges of the key";
        KeySpendCapExceeded = KEY_SPEND_CAP_EXCEEDED { cap_usd: crate::api::Usd, spent_usd: crate::api::Usd, needed_usd: crate::api::Usd, resets_at: String } PAYMENT 402 [] [] Never:
            "the budget of this key is {cap_usd} USD and {spent_usd} USD of it are spent or held; this request needs {needed_usd} USD", "wait until the budget begins anew ({resets_at}), or raise it";
        BudgetExceeded = BUDGET_EXCEEDED { holder: String, period: String, budget_usd: crate::api::Usd, left_usd: crate::api::Usd, needed_usd: crate::api::Usd, resets_at: String } PAYMENT 402 [] [] Never:
            "the {period} budget of the {holder} is {budget_usd} USD and {left_usd} USD of it are left; this request needs {needed_usd} USD", "ask an owner of the organisation to raise the budget, which begins anew: {resets_at}";
        NotConvertible = NOT_CONVERTIBLE { field: String, model: String, reason: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' cannot be carried to the provider of '{model}': {reason}", "change or leave out the field, or choose a model that is reached in this format";
        MemberUnknown = MEMBER_UNKNOWN { field: String, setting: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' is not known here, and what it asks for may cost money that nobody is charged", "leave it out; an operator lets it through by {setting} in the configuration";
        NotOffered = NOT_OFFERED { field: String, what: String, model: String, setting: String } BAD_REQUEST 400 [] [] Never:
            "'{field}': {what} is not offered for model '{model}'", "leave it out, or choose another model; an operator offers it by {setting}";
        ProviderState = PROVIDER_STATE { field: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' refers to something kept at the provider, where all accounts are one", "send what it stands for";
        ThreadUnsupported = THREAD_UNSUPPORTED { error_code: String } BAD_REQUEST 400 [] [] Never:
            "threads are kept at the provider, where all accounts are one", "leave out 'thread', and send the whole conversation";
        ResponseNotFound = RESPONSE_NOT_FOUND { response_id: String } NOT_FOUND 404 [] [] Never:
            "this account has no response '{response_id}'", "check the id, and that the response was stored";
        PreviousResponseNotFound = PREVIOUS_RESPONSE_NOT_FOUND { response_id: String } BAD_REQUEST 400 [] [] Never:
            "this account has no response '{response_id}' to go on from", "send the whole conversation as input";
        ItemNotFound = ITEM_NOT_FOUND { item_id: String, field: String } NOT_FOUND 404 [] [] Never:
            "Item with id '{item_id}' not found", "send the item itself in place of its id";
        NotCancellable = NOT_CANCELLABLE { response_id: String } BAD_REQUEST 400 [] [] Never:
            "the response '{response_id}' does not run in the background", "close the connection to end it";
        BadCompaction = BAD_COMPACTION {} BAD_REQUEST 400 [] [] Never:
            "a compacted part of the input was not made by this service for this account, or was altered", "send the parts back exactly as they came";
        VideoNotFound = VIDEO_NOT_FOUND { task_id: String } NOT_FOUND 404 [] [] Never:
            "this account has no video '{task_id}'", "check the id";
        VideoNotReady = VIDEO_NOT_READY { task_id: String, status: String } CONFLICT 409 [] [] Never:
            "the video '{task_id}' is {status}", "ask again when it is completed";
        SessionInvalid = SESSION_INVALID {} AUTHENTICATION 401 [] [] Never:
            "the session has ended or never was", "sign in again, or use an API key";
        OriginRefused = ORIGIN_REFUSED {} PERMISSION 403 [] [] Never:
            "the request does not show that it comes from a page of the service itself", "call from the service's own pages with the header x-tollgate-csrf, or use an API key";
        LoginFailed = LOGIN_FAILED {} AUTHENTICATION 401 [] [] Never:
            "name and password do not fit together", "check both";
        SignInStale = SIGN_IN_STALE {} PERMISSION 403 [] [] Never:
            "the session began too long ago to add a way to sign in", "sign in again, and add it then";
        RegistrationDisabled = REGISTRATION_DISABLED {} PERMISSION 403 [] [] Never:
            "registration is switched off", "ask the operator for an account";
        AccountExists = ACCOUNT_EXISTS {} CONFLICT 409 [] [] Never:
            "there is an account of this name", "sign in to it";
        AccountFrozen = ACCOUNT_FROZEN {} PERMISSION 403 [] [] Never:
            "the account is frozen", "ask the operator";
        WalletsDisabled = WALLETS_DISABLED {} PERMISSION 403 [] [] Never:
            "nobody signs in by a wallet here", "sign in by a password, or ask the operator to set public_url";
        ChallengeInvalid = CHALLENGE_INVALID {} CONFLICT 409 [] [] Never:
            "the text was signed already, is too old, or is not for this wallet", "ask for a new text, sign it, and send its nonce";
        BadWalletSignature = BAD_WALLET_SIGNATURE { address: String } PERMISSION 403 [] [] Never:
            "the signature is not one of the key of {address} over the text", "sign the text as it is with that wallet, and send 65 bytes in hexadecimal with a low s, or on Solana 64 bytes in base58; a wallet that is a contract cannot sign in";
        OidcProviderNotFound = OIDC_PROVIDER_NOT_FOUND { provider: String } NOT_FOUND 404 [] [] Never:
            "nobody signs in by a provider '{provider}' here", "take its name from the list of sign-in providers";
        OidcUnavailable = OIDC_UNAVAILABLE { provider: String } UPSTREAM 502 [] [] Now:
            "the sign-in provider '{provider}' could not be asked", "begin the sign-in again in a minute, or send the logout token again; or tell the operator";
        OidcRefused = OIDC_REFUSED { provider: String, reason: String } PERMISSION 403 [] [] Never:
            "what came back from the sign-in provider '{provider}' signs nobody in: {reason}", "begin the sign-in again, in the same window";
        OidcLogoutRefused = OIDC_LOGOUT_REFUSED { reason: String } BAD_REQUEST 400 [] [] Never:
            "nobody is signed out: {reason}", "send a logout token for this client as OpenID Connect Back-Channel Logout 1.0 has it, which names the person by `sub`";
        IdentityExists = IDENTITY_EXISTS { identity: String } CONFLICT 409 [] [] Never:
            "{identity} is a way to sign in already, to this account or another one", "sign in by it";
        IdentityLimit = IDENTITY_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "the account has {count} identities, the most there may be", "remove one that is no longer used";
        IdentityNotFound = IDENTITY_NOT_FOUND { identity_id: i64 } NOT_FOUND 404 [] [] Never:
            "this account has no identity {identity_id}", "take the id from the list of identities";
        IdentityLast = IDENTITY_LAST { identity_id: i64 } CONFLICT 409 [] [] Never:
            "the identity {identity_id} is the last way to sign in to the account", "add another one first";
        KeyNotFound = KEY_NOT_FOUND { key_id: i64 } NOT_FOUND 404 [] [] Never:
            "this account has no key {key_id}", "take the id from the list of keys";
        KeyRevoked = KEY_REVOKED { key_id: i64 } CONFLICT 409 [] [] Never:
            "the key {key_id} is revoked and cannot be changed", "create a new key";
        KeyLimited = KEY_LIMITED {} PERMISSION 403 [] [] Never:
            "this key is limited itself, and may not manage keys and agents", "use a key without limits, or sign in";
        KeyLimit = KEY_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "the account has {count} keys, the most there may be", "revoke a key that is no longer used";
        AgentsDisabled = AGENTS_DISABLED {} PERMISSION 403 [] [] Never:
            "agents are not registered here", "ask the operator to switch them on and to set public_url";
        TeamNotFound = TEAM_NOT_FOUND { team_id: i64 } NOT_FOUND 404 [] [] Never:
            "this organisation has no team {team_id}", "take the id from the list of teams";
        TeamClosed = TEAM_CLOSED { team_id: i64 } CONFLICT 409 [] [] Never:
            "the team {team_id} is closed and cannot be changed", "make another team";
        TeamNameTaken = TEAM_NAME_TAKEN { name: String } CONFLICT 409 [] [] Never:
            "another team is called {name}", "give it another name";
        TeamInUse = TEAM_IN_USE { team_id: i64, keys: i64 } CONFLICT 409 [] [] Never:
            "the team {team_id} has {keys} keys that are not revoked", "revoke its keys or put them into another team first";
        TeamLimit = TEAM_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "the organisation has {count} teams, the most there may be", "close a team that is no longer used";
        MemberNotFound = MEMBER_NOT_FOUND { member_id: i64 } NOT_FOUND 404 [] [] Never:
            "this organisation has no member {member_id}", "take the id from the list of members";
        MemberLeft = MEMBER_LEFT { member_id: i64 } CONFLICT 409 [] [] Never:
            "the member {member_id} has left the organisation", "invite the person anew";
        NotAMember = NOT_A_MEMBER {} CONFLICT 409 [] [] Never:
            "the session acts for the person's own account, which nobody leaves", "enter the organisation first";
        AlreadyAMember = ALREADY_A_MEMBER {} CONFLICT 409 [] [] Never:
            "you are a member of this organisation already, or it is your own account", "ask its admins for another role";
        OwnersOnly = OWNERS_ONLY {} PERMISSION 403 [] [] Never:
            "only an owner of the organisation makes, changes or takes out owners", "ask an owner";
        OwnKeysOnly = OWN_KEYS_ONLY {} PERMISSION 403 [] [] Never:
            "a developer makes own keys outside of teams, and moves no key to another member or into or out of a team", "ask an admin of the organisation";
        LastOwner = LAST_OWNER {} CONFLICT 409 [] [] Never:
            "the organisation would be left without an owner", "make another member an owner first";
        InvitationNotOpen = INVITATION_NOT_OPEN {} NOT_FOUND 404 [] [] Never:
            "the invitation was used or withdrawn, has ended, or never was", "ask for another invitation";
        InvitationNotFound = INVITATION_NOT_FOUND { invitation_id: i64 } NOT_FOUND 404 [] [] Never:
            "this organisation has no invitation {invitation_id}", "take the id from the list of invitations";
        InvitationAccepted = INVITATION_ACCEPTED { invitation_id: i64 } CONFLICT 409 [] [] Never:
            "the invitation {invitation_id} was accepted", "take the member out instead";
        InvitationLimit = INVITATION_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "{count} invitations of the organisation are open, the most there may be", "withdraw one, or wait until one ends";
        OrganisationNotFound = ORGANISATION_NOT_FOUND { account_id: i64 } NOT_FOUND 404 [] [] Never:
            "you are no member of an organisation {account_id}", "take the id from the list of your organisations";
        OrganisationNameTaken = ORGANISATION_NAME_TAKEN { name: String } CONFLICT 409 [] [] Never:
            "there is an account of the name {name}", "give it another name";
        OrganisationLimit = ORGANISATION_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "you are a member of {count} organisations, the most there may be", "leave one that you need no longer";
        MemberRole = MEMBER_ROLE { roles: String } PERMISSION 403 [] [] Never:
            "this is for members of the organisation with one of the roles {roles}", "ask an owner or an admin of the organisation to change your role";
        AgentNotFound = AGENT_NOT_FOUND { agent_id: i64 } NOT_FOUND 404 [] [] Never:
            "this account has no agent {agent_id}", "take the id from the list of agents";
        AgentRevoked = AGENT_REVOKED { agent_id: i64 } CONFLICT 409 [] [] Never:
            "the agent {agent_id} is revoked and cannot be changed", "register the wallet again";
        AgentLimit = AGENT_LIMIT { count: i64 } CONFLICT 409 [] [] Never:
            "the account has {count} agents, the most there may be", "revoke an agent that is no longer used";
        AgentExists = AGENT_EXISTS { agent_addr: String } CONFLICT 409 [] [] Never:
            "the wallet {agent_addr} is an agent already", "use its key, or revoke that agent first";
        NonceUsed = NONCE_USED {} CONFLICT 409 [] [] Never:
            "the nonce has been used", "make a new nonce and sign again";
        IssuedAtOutOfRange = ISSUED_AT_OUT_OF_RANGE { off_seconds: i64, allowed_seconds: i64 } BAD_REQUEST 400 [] [] Never:
            "issued_at is {off_seconds} seconds from the service's time; {allowed_seconds} are allowed", "set the clock, then sign again";
        BadOwnershipSig = BAD_OWNERSHIP_SIG { agent_addr: String } PERMISSION 403 [] [] Never:
            "the signature does not show that {agent_addr} belongs to the caller", "sign the ownership message with that wallet, with the same label, nonce and issued_at";
        InvalidAmount = INVALID_AMOUNT { allowed: String, nearest_usd: crate::api::Usd } BAD_REQUEST 400 ["account" 200] [] Never:
            "the amount of an order must be {allowed}; the nearest is {nearest_usd}", "send that one, or another within the bounds of the top-up info";
        RailDisabled = RAIL_DISABLED { rail: String } CONFLICT 409 ["account" 200] [] Never:
            "the rail {rail} is switched off", "choose another rail from the top-up info";
        UnsupportedWallet = UNSUPPORTED_WALLET { wallet: String } BAD_REQUEST 400 ["account" 200] [] Never:
            "the wallet {wallet} is not offered", "choose one from the top-up info";
        CheckoutUnavailable = CHECKOUT_UNAVAILABLE {} UPSTREAM 502 [] [] Now:
            "the payment provider could not open a checkout page", "create the order again, or choose another rail; nothing was paid";
        X402InvalidAmount = X402_INVALID_AMOUNT { networks: String, min_usd: crate::api::Usd, max_usd: crate::api::Usd, decimal_places: i64, nearest_usd: crate::api::Usd } BAD_REQUEST 400 ["account" 200] [] Never:
            "the amount of an x402 order on {networks} must be from {min_usd} to {max_usd} USD, with at most {decimal_places} decimal places; the nearest is {nearest_usd}", "send that one, or another within the bounds of the x402 config";
        X402Disabled = X402_DISABLED {} CONFLICT 409 ["account" 200] [] Never:
            "x402 payments are switched off", "choose another rail from the top-up info";
        X402ChainUnavailable = X402_CHAIN_UNAVAILABLE { networks: String } UNAVAILABLE 503 ["account" 200] [] After:
            "no payment can be taken on {networks} now: the chain cannot be reached, or its fees cannot be paid", "ask again after the time in Retry-After, or for another network of the x402 config";
        X402UnsupportedAsset = X402_UNSUPPORTED_ASSET { network: String, symbol: String } BAD_REQUEST 400 ["account" 200] [] Never:
            "{symbol} on {network} is not accepted", "choose a network and a token from the x402 config";
        X402PendingCap = X402_PENDING_CAP { count: i64 } RATE 429 ["account" 200] [] Never:
            "{count} orders wait for payment already, the most there may be", "pay one of them, or wait until one expires";
        X402SpendCapExceeded = X402_SPEND_CAP_EXCEEDED { amount_usd: crate::api::Usd, cap_usd: crate::api::Usd, window: String } PAYMENT 402 ["account" 200] [] Never:
            "an order over {amount_usd} USD would exceed the agent's cap of {cap_usd} USD per {window}", "choose a smaller amount, wait for the next window, or have the cap raised by the account";
        OrderNotFound = ORDER_NOT_FOUND { order: String } NOT_FOUND 404 [] [] Never:
            "there is no order {order}", "check the order's id";
        OrderExpired = ORDER_EXPIRED { order_id: i64, trade_no: String, status: String } GONE 410 [] [] Never:
            "the order {order_id} is past its validity", "create a new order; a payment that is on its way is still credited";
        OrderNotPending = ORDER_NOT_PENDING { order_id: i64, status: String } CONFLICT 409 ["account" 200] [] Never:
            "the order {order_id} is {status} and cannot be made anew", "poll the order; where it has failed, a payment of it waits for a person: do not pay again";
        PayloadMismatch = PAYLOAD_MISMATCH { order_id: i64, trade_no: String, status: String, field: String, expected: String, found: String } BAD_REQUEST 400 [] [] Never:
            "the payment for the order {order_id} does not match its challenge: {field} must be {expected}, not {found}", "fetch the challenge again and sign exactly what it asks for; the order is still {status}";
        SettlingInProgress = SETTLING_IN_PROGRESS { order_id: i64, trade_no: String, status: String } CONFLICT 409 [] [] Never:
            "a payment for the order {order_id} is being settled", "poll the order; do not pay again";
        OrderAlreadySettled = ORDER_ALREADY_SETTLED { order_id: i64, trade_no: String, status: String } CONFLICT 409 [] [] Never:
            "the order {order_id} has been paid and credited", "create a new order to pay more";
        SpendCapExceeded = SPEND_CAP_EXCEEDED { order_id: i64, trade_no: String, status: String, amount_usd: crate::api::Usd, cap_usd: crate::api::Usd, window: String } PAYMENT 402 [] [] Never:
            "the order {order_id} over {amount_usd} USD would exceed the agent's cap of {cap_usd} USD per {window}", "wait for the next window, or have the cap raised by the account";
        X402SettlePending = X402_SETTLE_PENDING { order_id: i64, trade_no: String, status: String } CONFLICT 409 [] [] Never:
            "the payment for the order {order_id} waits for confirmation on chain", "poll the order and sign nothing else; where it says pending, send the same payment again";
        X402PaymentRejected = X402_PAYMENT_REJECTED { order_id: i64, trade_no: String, status: String, reason: String } PAYMENT 402 [] [] Never:
            "the payment for the order {order_id} cannot be carried out: {reason}", "correct the cause and sign again; nothing was paid for this order, which is {status}";
        X402PaymentSetAside = X402_PAYMENT_SET_ASIDE { order_id: i64, trade_no: String, status: String, reason: String } CONFLICT 409 [] [] Never:
            "the payment for the order {order_id} was set aside: {reason}", "do not pay again: a person looks at it, and credits it or gives it back";
        ChainUnavailable = CHAIN_UNAVAILABLE { order_id: i64, trade_no: String, status: String, network: String } UNAVAILABLE 503 [] [] After:
            "the network {network} cannot be reached, so the payment was not sent", "pay again after the time in Retry-After";
        PaymentRequired = PAYMENT_REQUIRED { order_id: i64, trade_no: String, status: String } PAYMENT 402 [] [] Never:
            "the order {order_id} waits for payment", "sign one of the options in the header PAYMENT-REQUIRED and send it in the header PAYMENT-SIGNATURE";
        NoticeRefused = NOTICE_REFUSED { reason: String } PERMISSION 403 [] [] Never:
            "the notice was refused: {reason}", "check the signing key and the order that the notice names";
        OperatorRole = OPERATOR_ROLE { roles: String } PERMISSION 403 [] [] Never:
            "this is for operators with one of the roles {roles}", "use a key with such a role, or ask an owner to change yours";
        OperatorLoginFailed = OPERATOR_LOGIN_FAILED {} AUTHENTICATION 401 [] [] Never:
            "name, password and code do not fit together, or the code was used before", "check all three, and wait for the next code; an owner can invite you anew";
        InvitationInvalid = INVITATION_INVALID {} AUTHENTICATION 401 [] [] Never:
            "the invitation was used, has ended, or never was", "ask an owner to invite you anew";
        SecondFactorWrong = SECOND_FACTOR_WRONG {} BAD_REQUEST 400 [] [] Never:
            "the code is not the one that the second factor shows now", "send the code that the app shows for the secret that was offered; compare the clock of the app";
        OperatorNotFound = OPERATOR_NOT_FOUND { operator_id: i64 } NOT_FOUND 404 [] [] Never:
            "there is no operator {operator_id}", "check the list of operators";
        OperatorExists = OPERATOR_EXISTS { name: String } CONFLICT 409 [] [] Never:
            "there is an operator of the name {name}, or there was", "choose another name";
        OperatorKeyDisabled = OPERATOR_KEY_DISABLED { operator_id: i64 } CONFLICT 409 [] [] Never:
            "the operator {operator_id} is a key that was disabled, and stays so", "make another key";
        OperatorLastOwner = OPERATOR_LAST_OWNER { operator_id: i64 } CONFLICT 409 [] [] Never:
            "the operator {operator_id} is the last active owner", "make another owner first";
        OperatorIsKey = OPERATOR_IS_KEY { operator_id: i64 } CONFLICT 409 [] [] Never:
            "the operator {operator_id} is a key, and is not invited", "make another key in its place";
        ChangedMeanwhile = CHANGED_MEANWHILE { version: String } CONFLICT 412 [] [] Never:
            "it was changed since the version {version}", "read it again, and change it with the version that it has now";
        AccountNotFound = ACCOUNT_NOT_FOUND { account_id: i64 } NOT_FOUND 404 [] [] Never:
            "there is no account {account_id}", "check the list of accounts";
        AccountNameTaken = ACCOUNT_NAME_TAKEN { name: String } CONFLICT 409 [] [] Never:
            "there is an account of the name {name}", "choose another name";
        PaymentNotFound = PAYMENT_NOT_FOUND { payment_id: i64 } NOT_FOUND 404 [] [] Never:
            "there is no payment {payment_id}", "check the list of payments that were set aside";
        PaymentUnderWay = PAYMENT_UNDER_WAY { payment_id: i64 } CONFLICT 409 [] [] Never:
            "the payment {payment_id} is still on its way", "wait: it is credited by itself when it comes";
        PaymentCredited = PAYMENT_CREDITED { payment_id: i64, order_id: i64 } CONFLICT 409 [] [] Never:
            "the payment {payment_id} was credited when it came, with its order {order_id}", "book a reversal where the money went back";
        PaymentDecided = PAYMENT_DECIDED { payment_id: i64, decision: String } CONFLICT 409 [] [] Never:
            "the payment {payment_id} was decided on otherwise before: {decision}", "a decision is final; grant or take credit where it was wrong";
        CreditedPaymentNotFound = CREDITED_PAYMENT_NOT_FOUND { payment: String } NOT_FOUND 404 [] [] Never:
            "nothing was credited by a payment or an order `{payment}`", "check its number or name";
        PaymentAmbiguous = PAYMENT_AMBIGUOUS { payment: String, payments: String } CONFLICT 409 [] [] Never:
            "several payments of the order `{payment}` were credited: {payments}", "name one of them";
        CatalogNotFound = CATALOG_NOT_FOUND { kind: String, name: String } NOT_FOUND 404 [] [] Never:
            "there is no {kind} `{name}` on offer", "check the list, and that a name with slashes is percent-encoded";
        CatalogNameTaken = CATALOG_NAME_TAKEN { kind: String, name: String } CONFLICT 409 [] [] Never:
            "there is a {kind} `{name}` already", "choose another name, or change that one";
        CatalogConfigured = CATALOG_CONFIGURED { kind: String, name: String } CONFLICT 409 [] [] Never:
            "the {kind} `{name}` is the configuration's", "change it in the file, or choose another name";
        CatalogUnusable = CATALOG_UNUSABLE { field: String, reason: String } BAD_REQUEST 400 [] [] Never:
            "'{field}' cannot be used: {reason}", "correct it and send it again";
        CatalogInUse = CATALOG_IN_USE { kind: String, name: String, by: String } CONFLICT 409 [] [] Never:
            "the {kind} `{name}` is needed: {by}", "change what needs it first";
        CatalogNoSecrets = CATALOG_NO_SECRETS {} CONFLICT 409 [] [] Never:
            "secrets are not kept: the configuration has no key to seal them under", "set admin.secrets_key_env or admin.secrets_key_file, or add the provider in the file";
        CatalogSandbox = CATALOG_SANDBOX {} CONFLICT 409 [] [] Never:
            "a sandbox sells what it has", "start without the sandbox: with a configuration file, or with sandbox.enabled = false";
        AlarmNotFound = ALARM_NOT_FOUND { alarm_id: i64 } NOT_FOUND 404 [] [] Never:
            "there is no alarm `{alarm_id}`", "check the number";
        AlarmRangAgain = ALARM_RANG_AGAIN { alarm_id: i64, occurrences: i64 } CONFLICT 412 [] [] Never:
            "the alarm {alarm_id} has rung since: {occurrences} times by now", "look at it again";
        JobNotFound = JOB_NOT_FOUND { job_id: i64 } NOT_FOUND 404 [] [] Never:
            "there is no job `{job_id}`", "check the number";
        JobUnderWay = JOB_UNDER_WAY { job_id: i64 } CONFLICT 409 [] [] Never:
            "the job {job_id} is under way", "wait until it has ended";
        JobUnsupported = JOB_UNSUPPORTED { kind: String, reason: String, remedy: String } CONFLICT 409 [] [] Never:
            "a job of kind `{kind}` cannot be done with this ledger: {reason}", "{remedy}";
        SettingsUnusable = SETTINGS_UNUSABLE { reason: String } CONFLICT 409 [] [] Never:
            "the configuration cannot be used, and all stays as it was: {reason}", "mend the file; `tollgate check` names all of it";
        BookingKeyUsed = BOOKING_KEY_USED { amount_usd: crate::api::Usd, account_id: i64 } CONFLICT 409 [] [] Never:
            "the idempotency key was used before, for {amount_usd} USD of the account {account_id}", "use another key for another booking";
    }
}
