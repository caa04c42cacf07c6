// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Ways to say who is calling, and the names that headers are accepted under.
use crate::api;
/// bearer
pub static BEARER: api::Scheme = api::Scheme {
    id: "bearer",
    header: Some(&names::AUTHORIZATION),
    prefix: "Bearer ",
    query: None,
    cookie: None,
    key_starts: "sk-",
};

/// g_key
pub static G_KEY: api::Scheme = api::Scheme {
    id: "g_key",
    header: Some(&names::X_G_KEY),
    prefix: "",
    query: Some("key"),
    cookie: None,
    key_starts: "",
};

/// operator_key
pub static OPERATOR_KEY: api::Scheme = api::Scheme {
    id: "operator_key",
    header: Some(&names::AUTHORIZATION),
    prefix: "Bearer ",
    query: None,
    cookie: None,
    key_starts: "op-",
};

/// operator_session
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
    /// `a-version`, `other-version`.
    pub static A_VERSION: WireName = {
        static ACCEPTS: [HeaderName; 2] = [
            HeaderName::from_static("a-version"),
            HeaderName::from_static("other-version"),
        ];
        WireName {
            canonical: "a-version",
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
    /// `range`.
    pub static RANGE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("range")];
        WireName {
            canonical: "range",
            accepts: &ACCEPTS,
        }
    };
    /// `x-g-key`.
    pub static X_G_KEY: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-g-key")];
        WireName {
            canonical: "x-g-key",
            accepts: &ACCEPTS,
        }
    };
    /// `x-mini-csrf`.
    pub static X_MINI_CSRF: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-mini-csrf")];
        WireName {
            canonical: "x-mini-csrf",
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
    /// `x-tone`.
    pub static X_TONE: WireName = {
        static ACCEPTS: [HeaderName; 1] = [HeaderName::from_static("x-tone")];
        WireName {
            canonical: "x-tone",
            accepts: &ACCEPTS,
        }
    };
}
