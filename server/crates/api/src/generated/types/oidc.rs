// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `oidc`.

use tollgate_macros::Wire;

use crate::api;

/// A provider of OpenID Connect that people sign in by.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: SignInProvider")]
pub struct SignInProvider {
    /// Its name in the configuration.
    pub name: String,
    /// Its name for people.
    pub label: String,
}

/// The provider to sign in by.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcBegin")]
pub struct OidcBegin {
    /// Its name.
    #[wire(min_len = 1, max_len = 32)]
    pub provider: String,
}

/// A sign-in that has begun.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcStart")]
pub struct OidcStart {
    /// The address at the provider that the browser goes to.
    pub url: String,
    /// The secret of this sign-in, which comes back with the code and stays in the browser till then. The values in
    /// the address are hashes of it.
    pub secret: api::ShownOnce,
    /// Time from which the sign-in cannot be finished.
    pub expires_at: i64,
}

/// The answer of a provider, as the browser brought it back.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcAnswer")]
pub struct OidcAnswer {
    /// The name of the provider in the path that the browser came back to.
    #[wire(min_len = 1, max_len = 32)]
    pub provider: String,
    /// The secret of the sign-in.
    #[wire(min_len = 1, max_len = 128)]
    pub secret: api::ShownOnce,
    /// The parameter `state`.
    #[wire(min_len = 1, max_len = 128)]
    pub state: String,
    /// The parameter `code`.
    #[wire(min_len = 1, max_len = 4096)]
    pub code: api::ShownOnce,
    /// The parameter `iss`, where there is one (RFC 9207).
    #[wire(optional, min_len = 1, max_len = 255)]
    pub issuer: Option<String>,
}

/// A person whom a provider has signed out.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcLogout")]
pub struct OidcLogout {
    /// The logout token of the provider.
    #[wire(min_len = 1, max_len = 16384)]
    pub logout_token: api::ShownOnce,
}

/// Answer of `oidc.providers`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: SignInProviderListReply")]
pub struct SignInProviderListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The providers.
    pub data: Vec<SignInProvider>,
}

/// Answer of `oidc.begin`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcStartReply")]
pub struct OidcStartReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sign-in that has begun.
    pub data: OidcStart,
}

/// Answer of `oidc.log_out`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/oidc.yaml: OidcLogoutReply")]
pub struct OidcLogoutReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The number of sessions that have ended.
    pub data: super::SessionsEnded,
}
