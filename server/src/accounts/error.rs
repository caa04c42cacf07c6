//! Refusals of this room.

use crate::store::StoreError;

/// Why a presented key was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum KeyRefused {
    /// Not the form of a key, or a typing mistake: the checksum is wrong. Nothing was looked up.
    #[error("not an API key: its form or checksum is wrong")]
    Malformed,
    /// Well formed and not ours.
    #[error("no such API key")]
    Unknown,
    /// It was revoked.
    #[error("this API key was revoked")]
    Revoked,
    /// Its time is over.
    #[error("this API key has expired")]
    Expired,
    /// Its account is frozen.
    #[error("the account of this API key is frozen")]
    AccountFrozen,
    /// It could not be looked up.
    #[error("keys cannot be looked up at the moment")]
    Unavailable(#[source] StoreError),
}

/// Why an account or key was not created, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Account names are 1 to 64 characters without control characters or outer spaces, and not a number.
    #[error("an account name has 1 to 64 characters, no control characters, no outer spaces, and is not a number")]
    NameInvalid,
    /// Another account has the name.
    #[error("there is an account of this name already")]
    NameTaken,
    /// Labels are at most 64 characters without control characters.
    #[error("a key label has at most 64 characters and no control characters")]
    LabelInvalid,
    /// A key would be born expired.
    #[error("the expiry of a key must lie in the future")]
    ExpiryPast,
    /// The account has as many live keys as it may.
    #[error("the account has {0} live keys, the most there may be: revoke one that is no longer used")]
    TooManyKeys(i64),
    /// No account has this number or name.
    #[error("no such account")]
    NoSuchAccount,
    /// No key has this number or shown prefix.
    #[error("no such key")]
    NoSuchKey,
    /// More than one key starts like this.
    #[error("more than one key is shown like this: use its number")]
    Ambiguous,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
