//! Members of an organisation, and invitations to become one.

use super::budgets::UsedPool;
use super::{BudgetUse, BudgetsChange, PooledBudgets};
use tollgate_api::generated::types::{MemberRole, MemberStatus};
use tollgate_base::{AccountId, PoolId, Secret};

/// A member of an organisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its number, which is that of its budgets.
    pub id: PoolId,
    /// The account that the person signs in to.
    pub person: AccountId,
    /// The name of that account.
    pub name: String,
    /// Its role.
    pub role: MemberRole,
    /// Its state.
    pub state: MemberStatus,
    /// The provider whose groups made it a member, and give and take the role. Absent for who was invited.
    pub issuer: Option<String>,
    /// The identifier of the person at that provider, where it is known.
    pub subject: Option<String>,
    /// True if groups have ended it and make the person a member again: nobody has taken the person out, and it is no member now.
    pub may_return: bool,
    /// The budgets that its keys spend together.
    pub budgets: PooledBudgets,
    /// Their use.
    pub usage: Vec<BudgetUse>,
    /// The number of its live keys.
    pub keys: i64,
    /// Unix time in milliseconds at which it became a member.
    pub created_at_ms: i64,
    /// Unix time in milliseconds at which it left.
    pub left_at_ms: Option<i64>,
}

/// A person, as a sign-in provider knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderPerson {
    /// The provider.
    pub issuer: String,
    /// The identifier of the person there, which never is another's.
    pub subject: String,
}

/// A change of a member; absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct MemberChange {
    /// Its role.
    pub role: Option<MemberRole>,
    /// Its budgets.
    pub budgets: BudgetsChange,
}

/// An invitation to become a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its number.
    pub id: i64,
    /// The organisation.
    pub organisation: AccountId,
    /// For whom it is, in the words of who invites.
    pub invited: String,
    /// The role that it is for.
    pub role: MemberRole,
    /// Its state.
    pub state: InvitationState,
    /// Unix time in milliseconds at which it was made.
    pub created_at_ms: i64,
    /// Unix time in milliseconds at which it ends.
    pub ends_at_ms: i64,
    /// The member who invited; absent where that was the account itself.
    pub by: Option<PoolId>,
    /// The member that accepted it.
    pub member: Option<PoolId>,
}

/// The state of an invitation. One whose time is over is open still, and nobody accepts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationState {
    /// Nobody has answered it.
    Open,
    /// Somebody became a member by it.
    Accepted,
    /// It was taken back.
    Withdrawn,
}

/// An invitation that was just made: the one time its secret is at hand.
#[derive(Debug)]
pub struct CreatedInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// Its secret. It cannot be shown again.
    pub token: Secret,
}

/// An account that a person acts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// The role there.
    pub role: MemberRole,
    /// The member that the person is there; absent for the own account.
    pub member: Option<PoolId>,
}

impl Member {
    /// Its budgets, and the place for their use.
    pub(super) fn pool(&mut self) -> UsedPool<'_> {
        UsedPool { id: self.id, budgets: self.budgets, usage: &mut self.usage }
    }
}

impl InvitationState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "accepted",
            Self::Withdrawn => "withdrawn",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        [Self::Open, Self::Accepted, Self::Withdrawn].into_iter().find(|state| state.as_str() == text)
    }
}
