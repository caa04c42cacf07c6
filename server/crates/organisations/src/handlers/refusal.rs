//! The errors of managing organisations, before they are codes of one operation.

use crate::OrganisationError;
use tollgate_accounts::{AccountError, BadLimit};
use tollgate_api::Cx;

/// The errors of the operations, each as far as it can happen to it.
#[derive(Debug)]
pub(super) enum OrganisationRefusal {
    /// A member of the request cannot be so.
    Field(BadLimit),
    /// The caller's own key is limited.
    Limited,
    /// The caller's session is over since it was let in.
    SignedOut,
    /// The caller's account was frozen meanwhile.
    Frozen,
    /// The organisation has no such team, member or invitation, or the person no such organisation.
    NotFound,
    /// The team is closed, the member has left, or the invitation was accepted.
    Closed,
    /// Another team or account has the name.
    NameTaken,
    /// The team has so many live keys.
    InUse(i64),
    /// There are so many of what is asked for.
    TooMany(i64),
    /// It is about an owner, and the caller is none.
    OwnersOnly,
    /// No owner would be left.
    LastOwner,
    /// The caller acts for the own account.
    OwnAccount,
    /// The invitation is not open.
    NotOpen,
    /// The person is a member already.
    AlreadyMember,
    /// Registration is switched off.
    RegistrationClosed,
    /// The store failed.
    Ledger,
}

impl OrganisationRefusal {
    pub(super) fn of(cx: &Cx, error: OrganisationError) -> Self {
        match error {
            OrganisationError::Unfit(bad) => Self::Field(bad),
            OrganisationError::NoSuchTeam
            | OrganisationError::NoSuchMember
            | OrganisationError::NoSuchInvitation
            | OrganisationError::NoSuchOrganisation => Self::NotFound,
            OrganisationError::Closed | OrganisationError::Left | OrganisationError::Accepted => Self::Closed,
            OrganisationError::OwnersOnly => Self::OwnersOnly,
            OrganisationError::LastOwner => Self::LastOwner,
            OrganisationError::OwnAccount => Self::OwnAccount,
            OrganisationError::NotOpen => Self::NotOpen,
            OrganisationError::AlreadyMember => Self::AlreadyMember,
            OrganisationError::RegistrationClosed => Self::RegistrationClosed,
            OrganisationError::NameTaken => Self::NameTaken,
            OrganisationError::InUse(keys) => Self::InUse(keys),
            OrganisationError::TooMany(count)
            | OrganisationError::TooManyInvitations(count)
            | OrganisationError::TooManyOrganisations(count) => Self::TooMany(count),
            OrganisationError::Caller(AccountError::NameTaken) => Self::NameTaken,
            OrganisationError::Caller(AccountError::NameInvalid) => Self::Field(BadLimit {
                field: "name".to_owned(),
                expected: "1 to 64 characters without line breaks and outer spaces, and not a number",
                found: "another text".to_owned(),
            }),
            OrganisationError::Caller(AccountError::KeyLimited) => Self::Limited,
            OrganisationError::Caller(AccountError::SignedOut) => Self::SignedOut,
            OrganisationError::Caller(AccountError::Frozen) => Self::Frozen,
            error @ (OrganisationError::Caller(_) | OrganisationError::Store(_)) => {
                let request_id = cx.request_id;
                let error = &error as &dyn std::error::Error;
                tracing::error!(%request_id, error, "an organisation could not be read or written");
                Self::Ledger
            }
        }
    }
}
