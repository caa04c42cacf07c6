//! Refusals of this room.

use super::BadLimit;
use super::password::PasswordError;
use tollgate_base::PoolId;
use tollgate_store::StoreError;

/// The reasons why a presented key is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum KeyRejection {
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

/// The reasons why an account or key is not created, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Account names are 1 to 64 characters without control characters or outer spaces, and not a number.
    #[error("an account name has 1 to 64 characters, no control characters, no outer spaces, and is not a number")]
    NameInvalid,
    /// Another account has the name.
    #[error("there is an account of this name already")]
    NameTaken,
    /// Notes are at most 500 characters.
    #[error("the note on an account has at most 500 characters")]
    NoteTooLong,
    /// The account is not as the caller expects: somebody has changed it since.
    #[error("the account was changed since it was read")]
    Changed,
    /// Labels are at most 64 characters without control characters.
    #[error("a key label has at most 64 characters and no control characters")]
    LabelInvalid,
    /// A key would be born expired.
    #[error("the expiry of a key must lie in the future")]
    ExpiryPast,
    /// A key would outlive the key that makes it.
    #[error("the expiry of a key must not lie after that of the key that makes it")]
    ExpiryBeyondMaker,
    /// A limit of a key cannot be so.
    #[error("{0}")]
    BadLimit(BadLimit),
    /// Only a caller who is not limited may manage keys.
    #[error("a key that is limited may not manage keys")]
    KeyLimited,
    /// The session that the caller was let in by is over since.
    #[error("the session is over: sign in again")]
    SignedOut,
    /// The session that the caller was let in by began too long ago to add a way to sign in.
    #[error("the session began too long ago: sign in again")]
    SignInStale,
    /// The account was frozen since the caller was let in.
    #[error("the account is frozen")]
    Frozen,
    /// A key is of an open team of its account.
    #[error("there is no open team {0}")]
    NoSuchTeam(PoolId),
    /// A key is of a member of its organisation who has not left.
    #[error("there is no member {0}")]
    NoSuchMember(PoolId),
    /// A developer makes and changes keys of the own, outside of teams.
    #[error("a developer makes and changes keys of the own, outside of teams")]
    OwnKeysOnly,
    /// A key that was revoked stays as it is.
    #[error("the key is revoked")]
    KeyRevoked,
    /// Passwords have 8 to 1024 characters.
    #[error("a password has 8 to 1024 characters")]
    PasswordUnfit,
    /// A password could not be hashed.
    #[error("the password could not be hashed: memory is short")]
    Hashing,
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
    #[error("more than one key is shown with these characters: use the number of the key")]
    Ambiguous,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reasons why a session is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SessionRejection {
    /// Nobody's, or ended by its owner, or by the freezing of the account.
    #[error("no such session")]
    Unknown,
    /// Its time is over.
    #[error("the session is over")]
    Over,
    /// It could not be looked up.
    #[error("sessions cannot be looked up at the moment")]
    Unavailable(#[source] StoreError),
}

/// The reasons why nobody is signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInRejection {
    /// Name and password do not fit together. Nobody learns which.
    #[error("name and password do not fit together")]
    Wrong,
    /// Somebody tried too often from there, or with this name.
    #[error("too many tries to sign in: the next one in {wait_seconds} seconds")]
    TooMany {
        /// Seconds until the next try.
        wait_seconds: u32,
    },
    /// More wait for their password to be checked than can be reached in time.
    #[error("too many wait to be signed in")]
    Busy,
    /// Registration is switched off.
    #[error("registration is switched off")]
    Closed,
    /// The given text is no e-mail address.
    #[error("not an e-mail address")]
    NoAddress,
    /// Another account has the name.
    #[error("there is an account of this name already")]
    NameTaken,
    /// A password could not be hashed or compared.
    #[error("a password could not be checked")]
    Unchecked(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reasons why an account is not given its first password.
#[derive(Debug, thiserror::Error)]
pub enum FirstPasswordRejection {
    /// The account has a password: who knows it changes it.
    #[error("the account has a password")]
    HasOne,
    /// The session that asks is over.
    #[error("the session is over: sign in again")]
    SignedOut,
    /// The session that asks began too long ago.
    #[error("the session began too long ago to set a first password")]
    Stale,
    /// More passwords wait to be hashed than can be in time.
    #[error("too many passwords wait to be hashed")]
    Busy,
    /// The password has another length than the operation lets through.
    #[error("the first password could not be set")]
    Unset(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasswordError> for SignInRejection {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::Busy,
            PasswordError::Broken(_) | PasswordError::NoThread(_) | PasswordError::Lost => {
                Self::Unchecked(Box::new(error))
            }
        }
    }
}
