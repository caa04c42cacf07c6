// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Ways to say who is calling, and the names that headers are accepted under.
use crate::api;
/// An API key or an agent key in the Authorization header.
pub static BEARER: api::Scheme = api::Scheme {
    id: "bearer",
    header: Some(&names::AUTHORIZATION),
    prefix: "Bearer ",
    query: None,
    cookie: None,
    key_starts: "sk-",
};

/// API key in the header that clients of format A use.
pub static X_API_KEY: api::Scheme = api::Scheme {
    id: "x_api_key",
    header: Some(&names::X_API_KEY),
    prefix: "",
    query: None,
    cookie: None,
    key_starts: "",
};

/// API key in the header or the query parameter that clients of format G use.
pub static G_KEY: api::Scheme = api::Scheme {
    id: "g_key",
    header: Some(&names::X_G_API_KEY),
    prefix: "",
    query: Some("key"),
    cookie: None,
    key_starts: "",
};

/// The cookie of a signed-in browser, `__Host-session` where the service is reached by https. Requests that
/// change something must also come from the service's own origin, and have the header `x-tollgate-csrf` with any
/// value. The header `x-tollgate-account`, where it is sent, has to name the account that the session acts for.
pub static SESSION: api::Scheme = api::Scheme {
    id: "session",
    header: None,
    prefix: "",
    query: None,
    cookie: Some("session"),
    key_starts: "",
};

/// A key of an operator in the Authorization header. Without it, and without a session of an operator, the
/// operations of operators answer as paths that do not exist.
pub static OPERATOR_KEY: api::Scheme = api::Scheme {
    id: "operator_key",
    header: Some(&names::AUTHORIZATION),
    prefix: "Bearer ",
    query: None,
    cookie: None,
    key_starts: "op-",
};

/// The cookie of a signed-in operator, `__Host-operator_session` where the service is reached by https. Requests
/// that change something must also come from the service's own origin, and have the header `x-tollgate-csrf`
/// with any value.
pub static OPERATOR_SESSION: api::Scheme = api::Scheme {
    id: "operator_session",
    header: None,
    prefix: "",
    query: None,
    cookie: Some("operator_session"),
    key_starts: "",
};

/// Headers, with every name they are accepted under.
pub mod names {
    use crate::api::WireName;
    use http::HeaderName;
    /// `a-beta`, `anthropic-beta`.
    pub static A_BETA: WireName = {
        static ACCEPTS: [HeaderName; 2] = [
            HeaderName::from_static("a-beta"),
            HeaderName::from_static("anthropic-beta"),
        ];
        WireName {
            canonical: "a-beta",
            accepts: &ACCEPTS,
        }
    };
    /// `a-version`, `anthropic-version`.
    pub static A_VERSION: WireName = {
        static ACCEPTS: [HeaderName; 2] = [
            HeaderName::from_static("a-version"),
            HeaderName::from_static("anthropic-version"),
        ];
        WireName {
            canonical: "a-version",
            accepts: &ACCEPTS,
        }
    };
    /// `accept-ranges`.
    pub static ACCEPT_RANGES: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("accept-ranges")];
        WireName {
            canonical: "accept-ranges",
            accepts: &ACCEPTS,
        }
    };
    /// `authorization`.
    pub static AUTHORIZATION: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("authorization")];
        WireName {
            canonical: "authorization",
            accepts: &ACCEPTS,
        }
    };
    /// `cache-control`.
    pub static CACHE_CONTROL: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("cache-control")];
        WireName {
            canonical: "cache-control",
            accepts: &ACCEPTS,
        }
    };
    /// `content-range`.
    pub static CONTENT_RANGE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("content-range")];
        WireName {
            canonical: "content-range",
            accepts: &ACCEPTS,
        }
    };
    /// `etag`.
    pub static ETAG: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("etag")];
        WireName {
            canonical: "etag",
            accepts: &ACCEPTS,
        }
    };
    /// `idempotency-key`.
    pub static IDEMPOTENCY_KEY: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("idempotency-key")];
        WireName {
            canonical: "idempotency-key",
            accepts: &ACCEPTS,
        }
    };
    /// `idempotent-replayed`.
    pub static IDEMPOTENT_REPLAYED: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("idempotent-replayed"),
        ];
        WireName {
            canonical: "idempotent-replayed",
            accepts: &ACCEPTS,
        }
    };
    /// `if-match`.
    pub static IF_MATCH: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("if-match")];
        WireName {
            canonical: "if-match",
            accepts: &ACCEPTS,
        }
    };
    /// `if-range`.
    pub static IF_RANGE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("if-range")];
        WireName {
            canonical: "if-range",
            accepts: &ACCEPTS,
        }
    };
    /// `last-modified`.
    pub static LAST_MODIFIED: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("last-modified")];
        WireName {
            canonical: "last-modified",
            accepts: &ACCEPTS,
        }
    };
    /// `payment-required`.
    pub static PAYMENT_REQUIRED: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("payment-required")];
        WireName {
            canonical: "payment-required",
            accepts: &ACCEPTS,
        }
    };
    /// `payment-response`.
    pub static PAYMENT_RESPONSE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("payment-response")];
        WireName {
            canonical: "payment-response",
            accepts: &ACCEPTS,
        }
    };
    /// `payment-signature`.
    pub static PAYMENT_SIGNATURE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("payment-signature")];
        WireName {
            canonical: "payment-signature",
            accepts: &ACCEPTS,
        }
    };
    /// `range`.
    pub static RANGE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("range")];
        WireName {
            canonical: "range",
            accepts: &ACCEPTS,
        }
    };
    /// `x-api-key`.
    pub static X_API_KEY: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-api-key")];
        WireName {
            canonical: "x-api-key",
            accepts: &ACCEPTS,
        }
    };
    /// `x-g-api-key`, `x-goog-api-key`.
    pub static X_G_API_KEY: WireName = {
        static ACCEPTS: [HeaderName; 2] = [
            HeaderName::from_static("x-g-api-key"),
            HeaderName::from_static("x-goog-api-key"),
        ];
        WireName {
            canonical: "x-g-api-key",
            accepts: &ACCEPTS,
        }
    };
    /// `x-request-id`.
    pub static X_REQUEST_ID: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-request-id")];
        WireName {
            canonical: "x-request-id",
            accepts: &ACCEPTS,
        }
    };
    /// `x-should-retry`.
    pub static X_SHOULD_RETRY: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-should-retry")];
        WireName {
            canonical: "x-should-retry",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-account`.
    pub static X_TOLLGATE_ACCOUNT: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-account"),
        ];
        WireName {
            canonical: "x-tollgate-account",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-cost-usd`.
    pub static X_TOLLGATE_COST_USD: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-cost-usd"),
        ];
        WireName {
            canonical: "x-tollgate-cost-usd",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-csrf`.
    pub static X_TOLLGATE_CSRF: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-tollgate-csrf")];
        WireName {
            canonical: "x-tollgate-csrf",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-dropped`.
    pub static X_TOLLGATE_DROPPED: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-dropped"),
        ];
        WireName {
            canonical: "x-tollgate-dropped",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-estimated`.
    pub static X_TOLLGATE_ESTIMATED: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-estimated"),
        ];
        WireName {
            canonical: "x-tollgate-estimated",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-fallback`.
    pub static X_TOLLGATE_FALLBACK: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-fallback"),
        ];
        WireName {
            canonical: "x-tollgate-fallback",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-first-request-id`.
    pub static X_TOLLGATE_FIRST_REQUEST_ID: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-first-request-id"),
        ];
        WireName {
            canonical: "x-tollgate-first-request-id",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-include-cost`.
    pub static X_TOLLGATE_INCLUDE_COST: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-include-cost"),
        ];
        WireName {
            canonical: "x-tollgate-include-cost",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-next`.
    pub static X_TOLLGATE_NEXT: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-tollgate-next")];
        WireName {
            canonical: "x-tollgate-next",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-output-bound`.
    pub static X_TOLLGATE_OUTPUT_BOUND: WireName = {
        static ACCEPTS: [HeaderName; 1] = [
            HeaderName::from_static("x-tollgate-output-bound"),
        ];
        WireName {
            canonical: "x-tollgate-output-bound",
            accepts: &ACCEPTS,
        }
    };
    /// `x-tollgate-tags`.
    pub static X_TOLLGATE_TAGS: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-tollgate-tags")];
        WireName {
            canonical: "x-tollgate-tags",
            accepts: &ACCEPTS,
        }
    };
}
