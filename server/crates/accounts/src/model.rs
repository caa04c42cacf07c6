//! The types of this room: accounts, keys and sessions.

use super::KeyLimits;
use tollgate_api::generated::types::MemberRole;
use tollgate_base::{
    AccountGroup, AccountId, AddressRange, AgentId, Caller, CallerCredential, KeyId, KeyScope, MemberCaller, PoolId,
    Secret, SessionId, Usd,
};

/// An account: one balance, any number of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Its name, unique.
    pub name: String,
    /// Its state, by which its keys are accepted or refused.
    pub state: AccountState,
    /// The group that its prices go by.
    pub group: AccountGroup,
    /// A note for operators: at most 500 characters, may be empty.
    pub note: String,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
}

/// A change of an account. Absent stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// The new state.
    pub state: Option<AccountState>,
    /// The new group.
    pub group: Option<AccountGroup>,
    /// The new note.
    pub note: Option<String>,
}

/// The state of an account, by which its keys are accepted or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    /// Its keys are accepted.
    Active,
    /// Its keys are all refused; money stays where it is.
    Frozen,
}

/// An API key, as it may be shown: without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its number.
    pub id: KeyId,
    /// The account that pays for it.
    pub account: AccountId,
    /// The first eight characters and the last four, `sk-AbCdE…wxyz`.
    pub shown: String,
    /// The label that its owner gave it.
    pub label: String,
    /// Its state, by which it is accepted or refused.
    pub state: KeyState,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Unix time in milliseconds from which it is refused; never where absent.
    pub expires_at_ms: Option<i64>,
    /// The limits on its use.
    pub limits: KeyLimits,
    /// The agent whose key it is.
    pub agent: Option<AgentId>,
    /// The member who made it, or whose key did. Absent where the account itself or an operator did, and where the maker has left it to
    /// the organisation.
    pub made_by: Option<PoolId>,
    /// True if it may manage the account. One that is or was a member's, or is or was limited, may not.
    pub manages: bool,
}

/// The state of a key, by which it is accepted or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// It is accepted until it expires.
    Active,
    /// It is never accepted again.
    Revoked,
}

/// A key to be made.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// The account that pays for it.
    pub account: AccountId,
    /// The label that its owner gives it: at most 64 characters, may be empty.
    pub label: String,
    /// Unix time in milliseconds from which it is refused; never where absent.
    pub expires_at_ms: Option<i64>,
}

/// A change of a key. Absent stays as it is; an absent limit inside takes the limit away.
#[derive(Debug, Clone, Default)]
pub struct KeyChange {
    /// The label that its owner gives it.
    pub label: Option<String>,
    /// The models that it may use.
    pub models: Option<Option<Vec<String>>>,
    /// The operations that it may be used for.
    pub operations: Option<Option<Vec<String>>>,
    /// The addresses that it may be used from.
    pub addresses: Option<Option<Vec<AddressRange>>>,
    /// The most it may spend in a UTC day.
    pub budget_day: Option<Option<Usd>>,
    /// The most it may spend in a UTC week, from Monday.
    pub budget_week: Option<Option<Usd>>,
    /// The most it may spend in a UTC month.
    pub budget_month: Option<Option<Usd>>,
    /// The most it may ever spend.
    pub budget_life: Option<Option<Usd>>,
    /// Model requests that it may begin in a minute.
    pub requests_per_minute: Option<Option<i64>>,
    /// Tokens that its model requests may use in a minute.
    pub tokens_per_minute: Option<Option<i64>>,
    /// Model requests that it may have under way.
    pub in_flight: Option<Option<i64>>,
    /// The team that it is of.
    pub team: Option<Option<PoolId>>,
    /// The member that it is of.
    pub member: Option<Option<PoolId>>,
    /// True if its answers tell their cost beside the counts of tokens.
    pub include_cost: Option<bool>,
}

impl KeyChange {
    /// The key with the changes made.
    #[must_use]
    pub fn of(self, key: ApiKey) -> ApiKey {
        let old = key.limits;
        let scope = KeyScope {
            models: self.models.unwrap_or(old.scope.models),
            operations: self.operations.unwrap_or(old.scope.operations),
            addresses: self.addresses.unwrap_or(old.scope.addresses),
        };
        let limits = KeyLimits {
            scope,
            budget_day: self.budget_day.unwrap_or(old.budget_day),
            budget_week: self.budget_week.unwrap_or(old.budget_week),
            budget_month: self.budget_month.unwrap_or(old.budget_month),
            budget_life: self.budget_life.unwrap_or(old.budget_life),
            requests_per_minute: self.requests_per_minute.unwrap_or(old.requests_per_minute),
            tokens_per_minute: self.tokens_per_minute.unwrap_or(old.tokens_per_minute),
            in_flight: self.in_flight.unwrap_or(old.in_flight),
            team: self.team.unwrap_or(old.team),
            member: self.member.unwrap_or(old.member),
            include_cost: self.include_cost.unwrap_or(old.include_cost),
        };
        ApiKey { label: self.label.unwrap_or(key.label), limits, ..key }
    }
}

/// A person's session, as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// The id by which it is found.
    pub id: SessionId,
    /// The account that is signed in to: the person's own.
    pub account: AccountId,
    /// The organisation that the person acts for, where that is not the own account.
    pub member: Option<ActingMember>,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// The time of its last use, to a minute, in unix milliseconds.
    pub seen_at_ms: i64,
    /// The time at which it ends however much it is used, in unix milliseconds.
    pub ends_at_ms: i64,
}

impl UserSession {
    /// The person who is signed in, as a caller.
    #[must_use]
    pub fn caller(&self) -> Caller {
        let by = CallerCredential::Session(self.id);
        let of = |acting: ActingMember| MemberCaller {
            id: acting.id,
            person: self.account,
            role: acting.role.as_str(),
            by_groups: acting.by_groups,
        };
        let account = self.member.map_or(self.account, |acting| acting.organisation);
        Caller { account, by, member: self.member.map(of) }
    }
}

/// The membership by which a person acts for an organisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActingMember {
    /// The member, by the number of its budgets.
    pub id: PoolId,
    /// The account of the organisation.
    pub organisation: AccountId,
    /// The role, as it is now.
    pub role: MemberRole,
    /// True for a member that groups of a sign-in provider have made.
    pub by_groups: bool,
}

/// A session that was just begun: the one time its token is at hand.
#[derive(Debug)]
pub struct NewSession {
    /// The session.
    pub session: UserSession,
    /// Its token. It cannot be shown again.
    pub token: Secret,
}

/// A key that was just made: the one time its secret is at hand.
#[derive(Debug)]
pub struct CreatedKey {
    /// The key.
    pub key: ApiKey,
    /// Its secret. It cannot be shown again.
    pub secret: Secret,
}

/// The result of a revocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevokedKey {
    /// The key, now revoked.
    pub key: ApiKey,
    /// True if this call revoked it; false where it was revoked before.
    pub was_active: bool,
}

impl AccountState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
        }
    }

    /// Reads a stored state.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Frozen].into_iter().find(|state| state.as_str() == text)
    }
}

impl KeyState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked => "revoked",
        }
    }

    /// Reads a stored state.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Revoked].into_iter().find(|state| state.as_str() == text)
    }
}
