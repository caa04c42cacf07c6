//! Refusals of this room.

use tollgate_accounts::{AccountError, BadLimit};
use tollgate_store::StoreError;

/// The reasons why an organisation, a team or a member is not shown, made or changed.
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
    /// The organisation has no member of this number.
    #[error("no such member")]
    NoSuchMember,
    /// Who has left stays away.
    #[error("the member has left")]
    Left,
    /// Owners are made, changed and taken out by owners alone.
    #[error("this is about an owner, and for owners alone")]
    OwnersOnly,
    /// An organisation has an owner in any case.
    #[error("the organisation would be left without an owner")]
    LastOwner,
    /// Nobody leaves the own account.
    #[error("the account is the person's own")]
    OwnAccount,
    /// The person is a member already, or the account is the own one.
    #[error("the person is a member already")]
    AlreadyMember,
    /// The organisation has no invitation of this number.
    #[error("no such invitation")]
    NoSuchInvitation,
    /// The invitation was used or withdrawn, has ended, or never was.
    #[error("the invitation is not open")]
    NotOpen,
    /// An accepted invitation is not withdrawn.
    #[error("the invitation was accepted")]
    Accepted,
    /// As many invitations are open as may be.
    #[error("{0} invitations are open, the most there may be")]
    TooManyInvitations(i64),
    /// The person is no member of such an organisation.
    #[error("no such organisation")]
    NoSuchOrganisation,
    /// The person is a member of as many organisations as may be.
    #[error("the person is a member of {0} organisations, the most there may be")]
    TooManyOrganisations(i64),
    /// People may not open accounts by themselves.
    #[error("registration is switched off")]
    RegistrationClosed,
    /// The caller may not manage the organisation, or not any more.
    #[error(transparent)]
    Caller(#[from] AccountError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
