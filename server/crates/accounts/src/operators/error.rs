//! Refusals about operators.

use tollgate_store::StoreError;

use crate::password::PasswordError;

/// The reasons why an operator is not created, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// Names are 1 to 64 characters without control characters or outer spaces.
    #[error("an operator's name has 1 to 64 characters, no control characters and no outer spaces")]
    NameInvalid,
    /// Another operator has the name, or had it.
    #[error("there is an operator of this name already")]
    NameTaken,
    /// A key would be born expired.
    #[error("the expiry of a key must lie in the future")]
    ExpiryPast,
    /// No operator has this number or name.
    #[error("no such operator")]
    NoSuchOperator,
    /// Keys are not invited.
    #[error("the operator is a key: make another key in its place")]
    NotAPerson,
    /// A key that was disabled stays so.
    #[error("a key that was disabled stays disabled: make another one")]
    KeyDisabled,
    /// Nobody would be left who may do everything.
    #[error("this is the last active owner: make another owner first")]
    LastOwner,
    /// The operator is not as the caller expects: somebody has changed it since.
    #[error("the operator was changed since it was read")]
    Changed,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The reasons why an operator is not let in.
#[derive(Debug, thiserror::Error)]
pub enum OperatorRejection {
    /// Nobody has such a key, session, or name, password and code. Nobody learns which of these does not fit.
    #[error("no such operator")]
    Unknown,
    /// The operator is disabled.
    #[error("the operator is disabled")]
    Disabled,
    /// The time of the key, the session or the invitation is over.
    #[error("the time of the key, session or invitation is over")]
    Over,
    /// Too many tries from there, or with this name.
    #[error("too many tries to sign in: the next one in {wait_seconds} seconds")]
    TooMany {
        /// Seconds until the next try.
        wait_seconds: u32,
    },
    /// More wait for their password to be checked than can be reached in time.
    #[error("too many wait to be signed in")]
    Busy,
    /// The password of an operator has 12 to 1024 characters.
    #[error("the password of an operator has 12 to 1024 characters")]
    PasswordUnfit,
    /// The code is not that of the second factor which is to be bound.
    #[error("the code is not the one that the second factor shows now")]
    CodeWrong,
    /// A password could not be hashed or compared.
    #[error("a password could not be checked")]
    Unchecked(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PasswordError> for OperatorRejection {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::Busy,
            PasswordError::Broken(_) | PasswordError::NoThread(_) | PasswordError::Lost => {
                Self::Unchecked(Box::new(error))
            }
        }
    }
}
