//! The reasons why a provider shows nobody.

/// The error of making the client that asks providers: TLS has no roots.
pub type OidcClientError = reqwest::Error;

/// The error of a sign-in provider that cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
#[error("the sign-in provider `{name}` cannot be used as it is configured")]
pub struct UnusableSignInProvider {
    pub(super) name: String,
    pub(super) source: Box<dyn std::error::Error + Send + Sync>,
}

/// The reasons why a provider shows nobody.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OidcError {
    /// It could not be asked, or its answer cannot be read. The words are for the log.
    #[error("the sign-in provider could not be asked: {0}")]
    Unavailable(String),
    /// It was asked to exchange a code and did not, for a reason that may be the code. The words are for the log.
    #[error("the sign-in provider did not exchange the code: {0}")]
    NotExchanged(String),
    /// What it has said does not count. The words are for whoever signs in, or for the provider that signs somebody out.
    #[error("{0}")]
    Refused(&'static str),
}
