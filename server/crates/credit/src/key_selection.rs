//! The keys whose requests a list or sums are about.

use tollgate_base::{Caller, KeyId, PoolId};

/// A member that no organisation has.
const NOBODY: PoolId = PoolId(0);

/// A choice among the keys of an account; what is absent leaves all of them. Team and member are those that a key has now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KeySelection {
    /// Only this key.
    pub key: Option<KeyId>,
    /// Only keys of this team.
    pub team: Option<PoolId>,
    /// Only keys of this member.
    pub member: Option<PoolId>,
}

impl KeySelection {
    /// The choice that is left of it for a caller: a developer sees the own keys alone.
    #[must_use]
    pub fn seen_by(self, caller: &Caller) -> Self {
        let Some(own) = caller.own_keys_only() else { return self };
        let member = self.member.filter(|member| *member != own).map_or(own, |_| NOBODY);
        Self { member: Some(member), ..self }
    }

    /// True if it leaves some out.
    pub(super) fn is_narrowed(self) -> bool {
        self != Self::default()
    }
}

#[cfg(test)]
mod tests {
    use tollgate_api::generated::types::MemberRole;
    use tollgate_base::{AccountId, CallerCredential, DEVELOPER, MemberCaller, OWNER, SessionId};

    use super::*;

    #[test]
    fn a_developer_sees_the_own_keys_alone() {
        assert_eq!(DEVELOPER, MemberRole::Developer.as_str());
        assert_eq!(OWNER, MemberRole::Owner.as_str());
        let of = |role| Caller {
            account: AccountId(1),
            by: CallerCredential::Session(SessionId([0; 32])),
            member: Some(MemberCaller { id: PoolId(7), person: AccountId(2), role, by_groups: false }),
        };
        let by = |member| KeySelection { key: Some(KeyId(3)), team: None, member };
        for (role, asked, seen) in [
            ("viewer", None, None),
            ("viewer", Some(PoolId(8)), Some(PoolId(8))),
            (DEVELOPER, None, Some(PoolId(7))),
            (DEVELOPER, Some(PoolId(7)), Some(PoolId(7))),
            (DEVELOPER, Some(PoolId(8)), Some(NOBODY)),
        ] {
            assert_eq!(by(asked).seen_by(&of(role)), by(seen), "{role} {asked:?}");
        }
    }
}
