//! Refusals of this room.

use tollgate_accounts::{AccountError, BadLimit};
use tollgate_store::StoreError;

/// The reasons why an organisation or a team is not shown, made or changed.
#[derive(Debug, thiserror::Error)]
pub enum OrganisationError {
    /// A member of what was asked cannot be so.
    #[error("{0}")]
    Unfit(BadLimit),
    /// The organisation has no team of this number.
    #[error("no such team")]
    NoSuchTeam,
    /// A closed team stays as it is.
    #[error("the team is closed")]
    Closed,
    /// Another open team of the organisation has the name.
    #[error("another team has the name")]
    NameTaken,
    /// Live keys are of the team.
    #[error("the team has {0} live keys")]
    InUse(i64),
    /// The organisation has as many open teams as it may.
    #[error("the organisation has {0} teams, the most there may be")]
    TooMany(i64),
    /// The caller may not manage teams, or not any more.
    #[error(transparent)]
    Caller(#[from] AccountError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
