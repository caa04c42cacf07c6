//! The errors of managing keys, before they are codes of one operation.

use super::unavailable;
use crate::{AccountError, BadLimit};
use tollgate_api::Cx;

/// The errors of the four operations, each as far as it can happen to it.
#[derive(Debug)]
pub(super) enum KeyManagementError {
    /// A member of the request cannot be so.
    Field(BadLimit),
    /// The caller's own key is limited.
    Limited,
    /// The caller's session is over since it was let in.
    SignedOut,
    /// The caller's account was frozen since it was let in.
    Frozen,
    /// The account has no such key.
    NotFound,
    /// The key is revoked.
    Revoked,
    /// The account has no such open team.
    NoTeam(i64),
    /// The organisation has no such member, or it has left.
    NoMember(i64),
    /// A developer asked for a key that is not the own one, or of a team.
    OwnKeysOnly,
    /// The account has so many keys.
    TooMany(i64),
    /// The store failed.
    Ledger,
}

impl KeyManagementError {
    pub(super) fn of(cx: &Cx, error: AccountError) -> Self {
        let field = |field: &str, expected, found: &str| {
            Self::Field(BadLimit { field: field.to_owned(), expected, found: found.to_owned() })
        };
        match error {
            AccountError::BadLimit(bad) => Self::Field(bad),
            AccountError::LabelInvalid => field("label", "at most 64 characters without line breaks", "another text"),
            AccountError::ExpiryPast => field("expires_at", "a time in the future", "one that has passed"),
            AccountError::ExpiryBeyondMaker => {
                field("expires_at", "no later than the end of the key that asks", "later")
            }
            AccountError::KeyLimited => Self::Limited,
            AccountError::SignedOut => Self::SignedOut,
            AccountError::Frozen => Self::Frozen,
            AccountError::NoSuchKey | AccountError::Ambiguous => Self::NotFound,
            AccountError::KeyRevoked => Self::Revoked,
            AccountError::NoSuchTeam(team) => Self::NoTeam(team.0),
            AccountError::NoSuchMember(member) => Self::NoMember(member.0),
            AccountError::OwnKeysOnly => Self::OwnKeysOnly,
            AccountError::TooManyKeys(count) => Self::TooMany(count),
            AccountError::NameInvalid
            | AccountError::NameTaken
            | AccountError::NoteTooLong
            | AccountError::Changed
            | AccountError::NoSuchAccount
            | AccountError::PasswordUnfit
            | AccountError::SignInStale
            | AccountError::Hashing
            | AccountError::Store(_) => {
                unavailable(cx, &error);
                Self::Ledger
            }
        }
    }
}
