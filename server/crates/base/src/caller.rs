//! Types for "who is calling": a value of these types exists only after a credential was checked.

use std::sync::Arc;

use super::{AccountGroup, AccountId, AgentId, KeyId, KeyScope, OperatorId, PoolId};

/// The role of members who may do everything, by its word in the spec.
pub const OWNER: &str = "owner";
/// The role of members who see their own keys alone, by its word in the spec.
pub const DEVELOPER: &str = "developer";

/// The holder of an API key. A handler that received one need not ask again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    /// The account that pays.
    pub account: AccountId,
    /// The key that was shown.
    pub key: KeyId,
    /// The agent whose key it is, where it is one's: what it orders is bound to its wallet and counts against its caps.
    pub agent: Option<AgentId>,
    /// The group of the account, by which its prices go.
    pub group: AccountGroup,
    /// The restrictions of the key; absent where it may be used for everything.
    pub scope: Option<Arc<KeyScope>>,
    /// Answers tell their cost beside the counts of tokens, whatever the request says.
    pub include_cost: bool,
}

/// The holder of an API key, or a person who is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub account: AccountId,
    /// The credential that the caller has shown.
    pub by: CallerCredential,
    /// The membership by which a person acts for the account. Absent for keys, and where the account is the person's own.
    pub member: Option<MemberCaller>,
}

/// A member of an organisation, who acts for its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberCaller {
    /// The member, by the number of its budgets.
    pub id: PoolId,
    /// The account of the person, which is what is signed in to.
    pub person: AccountId,
    /// The role, by its word in the spec.
    pub role: &'static str,
    /// True for a member that groups of a sign-in provider have made.
    pub by_groups: bool,
}

impl Caller {
    /// The account of the person who is signed in; for a key that of the key.
    #[must_use]
    pub fn person(&self) -> AccountId {
        self.member.map_or(self.account, |member| member.person)
    }

    /// True for an owner of the account: a member in that role, and whoever has the account itself.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.member.is_none_or(|member| member.role == OWNER)
    }

    /// The member whose keys, and what these used, are all that the caller sees: a developer. Absent for everybody else.
    #[must_use]
    pub fn own_keys_only(&self) -> Option<PoolId> {
        self.member.filter(|member| member.role == DEVELOPER).map(|member| member.id)
    }
}

/// A credential that shows whose an account is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallerCredential {
    /// A key of the account.
    Key(KeyId),
    /// The key of an agent.
    Agent(AgentId, KeyId),
    /// A session.
    Session(SessionId),
}

/// An operator, a person or a key, whose credential was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorCaller {
    /// The operator.
    pub operator: OperatorId,
    /// The name, unique, by which the log of changes knows the operator.
    pub name: Arc<str>,
    /// The role, by its word in the spec.
    pub role: &'static str,
    /// The session, where it is a person's.
    pub session: Option<SessionId>,
}

impl OperatorCaller {
    /// The name by which the log of changes knows an operator: `operator ada`.
    #[must_use]
    pub fn actor_name(name: &str) -> String {
        format!("operator {name}")
    }
}

/// A session, named by the hash of its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionId(pub [u8; 32]);

impl From<Principal> for Caller {
    fn from(principal: Principal) -> Self {
        let by = principal
            .agent
            .map_or(CallerCredential::Key(principal.key), |agent| CallerCredential::Agent(agent, principal.key));
        Self { account: principal.account, by, member: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_developer_alone_sees_the_own_keys_alone() {
        let by = CallerCredential::Session(SessionId([0; 32]));
        let member = |role| Some(MemberCaller { id: PoolId(7), person: AccountId(2), role, by_groups: false });
        let caller = |member| Caller { account: AccountId(1), by: by.clone(), member };
        assert_eq!(caller(member(DEVELOPER)).own_keys_only(), Some(PoolId(7)));
        for other in [member("viewer"), member("admin"), member(OWNER), None] {
            assert_eq!(caller(other).own_keys_only(), None, "{other:?}");
        }
    }
}
