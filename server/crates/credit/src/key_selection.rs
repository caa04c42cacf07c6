//! The keys whose requests a list or sums are about.

use tollgate_base::{KeyId, PoolId};

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
    /// The choice that is left of it for whoever sees the keys of a team or of a member alone.
    #[must_use]
    pub fn within(self, seen: Self) -> Self {
        let both = |asked: Option<PoolId>, seen: Option<PoolId>| match (asked, seen) {
            (Some(asked), Some(seen)) if asked != seen => Some(NOBODY),
            (asked, seen) => seen.or(asked),
        };
        Self { key: self.key, team: both(self.team, seen.team), member: both(self.member, seen.member) }
    }

    /// True if it leaves some out.
    #[must_use]
    pub fn is_narrowed(self) -> bool {
        self != Self::default()
    }
}

#[cfg(test)]
mod tests {
    use tollgate_api::generated::types::MemberRole;
    use tollgate_base::{DEVELOPER, OWNER};

    use super::*;

    #[test]
    fn roles_are_called_as_in_the_spec() {
        assert_eq!((DEVELOPER, OWNER), (MemberRole::Developer.as_str(), MemberRole::Owner.as_str()));
    }

    #[test]
    fn nobody_sees_more_than_the_keys_that_it_may() {
        let of = |team: Option<i64>, member: Option<i64>| KeySelection {
            key: Some(KeyId(3)),
            team: team.map(PoolId),
            member: member.map(PoolId),
        };
        let seen = KeySelection { key: None, team: None, member: Some(PoolId(7)) };
        for (asked, left) in [(None, 7), (Some(7), 7), (Some(8), NOBODY.0)] {
            assert_eq!(of(Some(5), asked).within(seen), of(Some(5), Some(left)), "{asked:?}");
            assert_eq!(of(None, asked).within(KeySelection::default()), of(None, asked));
        }
        let team = KeySelection { key: None, team: Some(PoolId(5)), member: None };
        assert_eq!(of(Some(6), None).within(team), of(Some(NOBODY.0), None));
    }
}
