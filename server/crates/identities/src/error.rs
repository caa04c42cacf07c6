//! Refusals of this room.

use super::oidc::OidcError;
use tollgate_accounts::{AccountError, BadLimit, SignInRejection};
use tollgate_chains::OwnershipProofError;
use tollgate_store::StoreError;

/// The reasons why nobody is signed in by an identity, or none is found, added or taken away.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The service knows no address that a text could name.
    #[error("nobody signs in by a wallet here: public_url is not set")]
    Disabled,
    /// A member of what was asked cannot be so.
    #[error("{0}")]
    Unfit(BadLimit),
    /// The configuration has no sign-in provider of this name.
    #[error("no such sign-in provider")]
    NoProvider,
    /// A sign-in provider could not be asked, or its answer cannot be read.
    #[error("{0}")]
    OidcUnavailable(String),
    /// A sign-in provider was asked to exchange a code and did not: the code may be made up, or the provider knows the service otherwise.
    #[error("{0}")]
    OidcNotExchanged(String),
    /// What a sign-in provider has said does not count. The words are for whoever signs in, or for the provider that signs somebody out.
    #[error("{0}")]
    OidcRefused(&'static str),
    /// Somebody tried too often from there.
    #[error("too many tries: the next one in {wait_seconds} seconds")]
    TooMany {
        /// Seconds until the next try.
        wait_seconds: u32,
    },
    /// The text was signed already, is too old, or was made for something else. Nobody learns which.
    #[error("no such text waits for a signature of this wallet")]
    Challenge,
    /// The signature does not show that the wallet is the caller's.
    #[error("the signature does not show that the wallet is the caller's")]
    Proof(#[from] OwnershipProofError),
    /// The account of the wallet is frozen.
    #[error("the account is frozen")]
    Frozen,
    /// Nobody has the wallet, and registration is switched off.
    #[error("registration is switched off")]
    Closed,
    /// Another account has the name that a new one would get.
    #[error("there is an account of this name already")]
    NameTaken,
    /// It is a way to sign in already.
    #[error("it is a way to sign in already")]
    Exists,
    /// The account has as many identities as it may.
    #[error("the account has {0} identities, the most there may be")]
    Limit(i64),
    /// The session that the caller was let in by is over since.
    #[error("the session is over: sign in again")]
    SignedOut,
    /// The session that the caller was let in by began too long ago.
    #[error("the session began too long ago: sign in again")]
    SignInStale,
    /// The account has no identity of this number.
    #[error("no such identity")]
    NotFound,
    /// It is the last way to sign in to the account.
    #[error("the last way to sign in to an account stays")]
    Last,
    /// The groups of the provider have made the person the only owner of an organisation.
    #[error("an organisation would be left without an owner")]
    LastOwner,
    /// An account could not be made or read.
    #[error("an account could not be made or read")]
    Account(#[source] AccountError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<OidcError> for IdentityError {
    fn from(error: OidcError) -> Self {
        match error {
            OidcError::Unavailable(_) => Self::OidcUnavailable(error.to_string()),
            OidcError::NotExchanged(_) => Self::OidcNotExchanged(error.to_string()),
            OidcError::Refused(reason) => Self::OidcRefused(reason),
        }
    }
}

impl From<AccountError> for IdentityError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::SignedOut => Self::SignedOut,
            AccountError::SignInStale => Self::SignInStale,
            AccountError::NameTaken => Self::NameTaken,
            AccountError::Store(error) => Self::Store(error),
            error => Self::Account(error),
        }
    }
}

impl IdentityError {
    /// A refusal to count another try.
    pub(super) fn counted(rejection: &SignInRejection) -> Self {
        let wait_seconds = if let SignInRejection::TooMany { wait_seconds } = rejection { *wait_seconds } else { 1 };
        Self::TooMany { wait_seconds }
    }
}
