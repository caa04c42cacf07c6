//! A sign-in that has begun, and what a browser brings back of it.

use tollgate_base::Secret;

/// The answer of a provider, as a browser brought it back.
#[derive(Debug, Clone)]
pub struct OidcAnswer {
    /// The name of the provider in the path that it came back to.
    pub provider: String,
    /// The secret of the sign-in.
    pub secret: Secret,
    /// The parameter `state`.
    pub state: String,
    /// The parameter `code`.
    pub code: Secret,
    /// The parameter `iss`, where there is one.
    pub issuer: Option<String>,
}

/// A sign-in that has begun.
#[derive(Debug)]
pub struct OidcStart {
    /// The address at the provider that the browser goes to.
    pub url: String,
    /// The secret, which the browser keeps until it comes back.
    pub secret: Secret,
    /// Unix time in milliseconds from which it cannot be finished.
    pub expires_at_ms: i64,
}
