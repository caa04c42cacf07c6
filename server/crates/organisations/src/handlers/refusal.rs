//! The errors of managing teams, before they are codes of one operation.

use crate::OrganisationError;
use tollgate_accounts::{AccountError, BadLimit};
use tollgate_api::Cx;

/// The errors of the operations, each as far as it can happen to it.
#[derive(Debug)]
pub(super) enum TeamManagementError {
    /// A member of the request cannot be so.
    Field(BadLimit),
    /// The caller's own key is limited.
    Limited,
    /// The caller's session is over since it was let in.
    SignedOut,
    /// The caller's account was frozen meanwhile.
    Frozen,
    /// The organisation has no such team.
    NotFound,
    /// The team is closed.
    Closed,
    /// Another team has the name.
    NameTaken,
    /// The team has so many live keys.
    InUse(i64),
    /// The organisation has so many teams.
    TooMany(i64),
    /// The store failed.
    Ledger,
}

impl TeamManagementError {
    pub(super) fn of(cx: &Cx, error: OrganisationError) -> Self {
        match error {
            OrganisationError::Unfit(bad) => Self::Field(bad),
            OrganisationError::NoSuchTeam => Self::NotFound,
            OrganisationError::Closed => Self::Closed,
            OrganisationError::NameTaken => Self::NameTaken,
            OrganisationError::InUse(keys) => Self::InUse(keys),
            OrganisationError::TooMany(count) => Self::TooMany(count),
            OrganisationError::Caller(AccountError::KeyLimited) => Self::Limited,
            OrganisationError::Caller(AccountError::SignedOut) => Self::SignedOut,
            OrganisationError::Caller(AccountError::Frozen) => Self::Frozen,
            error @ (OrganisationError::Caller(_) | OrganisationError::Store(_)) => {
                let request_id = cx.request_id;
                let error = &error as &dyn std::error::Error;
                tracing::error!(%request_id, error, "teams could not be read or written");
                Self::Ledger
            }
        }
    }
}
