//! Teams and members, by their names: to look for what their keys spent, to tell it, and to put keys into them.

use super::frame::ConsolePowers;
use super::spending::{SpentOn, SpentSum};
use super::texts::ConsoleTexts;
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::members::{ListMembers, ListMembersInput};
use tollgate_api::generated::ops::teams::{ListTeams, ListTeamsInput};
use tollgate_api::generated::types::{Key, Member, MemberStatus, Team, TeamStatus};
use tollgate_api::{Caller, Cx};

/// The teams and the members of an organisation, closed teams and members who have left included: what their keys spent stays.
#[derive(Debug, Default)]
pub(super) struct NamedPools {
    pub(super) teams: Vec<NamedPool>,
    /// None for whom the role does not show them.
    pub(super) members: Vec<NamedPool>,
}

/// A team or a member.
#[derive(Debug)]
pub(super) struct NamedPool {
    /// Its number, as addresses have it.
    pub(super) id: String,
    pub(super) name: String,
    /// True for a team that is not closed, and for a member who has not left.
    pub(super) takes_keys: bool,
}

/// The spending of a team or a member.
#[derive(Debug)]
pub(super) struct PoolSpending {
    /// The number of the team or the member. Empty for keys that are of none.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) sum: SpentSum,
}

/// The sums by team, or by member.
#[derive(Debug)]
pub(super) struct PoolTable<'a> {
    /// The parameter of pages that shows one of them alone.
    pub(super) parameter: &'static str,
    pub(super) title: &'static str,
    pub(super) of: &'static str,
    /// The words for keys that are of none.
    pub(super) none: &'static str,
    pub(super) rows: &'a [PoolSpending],
}

impl<'a> PoolTable<'a> {
    pub(super) const fn of_teams(t: &'static ConsoleTexts, rows: &'a [PoolSpending]) -> Self {
        Self { parameter: "team_id", title: t.by_team, of: t.team, none: t.of_no_team, rows }
    }

    pub(super) const fn of_members(t: &'static ConsoleTexts, rows: &'a [PoolSpending]) -> Self {
        Self { parameter: "member_id", title: t.by_member, of: t.member, none: t.of_no_member, rows }
    }
}

impl NamedPools {
    /// True where there is anything to tell apart by.
    pub(super) fn has_any(&self) -> bool {
        !self.teams.is_empty() || !self.members.is_empty()
    }

    /// True where a key can be put into a team or given to a member.
    pub(super) fn take_keys(&self) -> bool {
        self.teams.iter().chain(&self.members).any(|pool| pool.takes_keys)
    }

    /// The teams that a key can be put into.
    pub(super) fn open_teams(&self) -> Vec<&NamedPool> {
        self.teams.iter().filter(|team| team.takes_keys).collect()
    }

    /// The members whom a key can be given.
    pub(super) fn present_members(&self) -> Vec<&NamedPool> {
        self.members.iter().filter(|member| member.takes_keys).collect()
    }

    /// The name of the team that a key is of; empty where it is of none.
    pub(super) fn team_of(&self, key: &Key) -> &str {
        name_of(&self.teams, key.team_id)
    }

    /// The name of the member whose key it is; empty where it is nobody's.
    pub(super) fn member_of(&self, key: &Key) -> &str {
        name_of(&self.members, key.member_id)
    }
}

impl NamedPool {
    /// True for the pool of this number.
    pub(super) fn is(&self, id: &Option<i64>) -> bool {
        id.is_some_and(|id| id.to_string() == self.id)
    }
}

fn name_of(pools: &[NamedPool], id: Option<i64>) -> &str {
    pools.iter().find(|pool| pool.is(&id)).map(|pool| pool.name.as_str()).unwrap_or_default()
}

impl AccountPages {
    /// The teams and the members that a person may look for.
    pub(super) async fn named_pools(
        &self,
        cx: &Cx,
        caller: &Caller,
        powers: ConsolePowers,
    ) -> Result<NamedPools, Unreadable> {
        let list = ListTeamsInput { caller: caller.clone() };
        let teams = self.organisations.list_teams(cx, list).await.map_err(|_| Unreadable)?.data;
        let named = |id: i64, name, takes_keys| NamedPool { id: id.to_string(), name, takes_keys };
        let team = |team: Team| named(team.team_id, team.name, team.status == TeamStatus::Active);
        let teams = teams.into_iter().map(team).collect();
        if !powers.sees_members {
            return Ok(NamedPools { teams, members: Vec::new() });
        }
        let list = ListMembersInput { caller: caller.clone() };
        let members = self.organisations.list_members(cx, list).await.map_err(|_| Unreadable)?.data;
        let member = |member: Member| named(member.member_id, member.name, member.status == MemberStatus::Active);
        Ok(NamedPools { teams, members: members.into_iter().map(member).collect() })
    }
}

/// Sums with the names of what they are of. Nothing where there is nothing to tell apart.
pub(super) fn named(pools: &[NamedPool], spent: Vec<SpentOn>) -> Vec<PoolSpending> {
    if pools.is_empty() {
        return Vec::new();
    }
    let name = |id: &str| pools.iter().find(|pool| pool.id == id).map(|pool| pool.name.clone()).unwrap_or_default();
    spent.into_iter().map(|on| PoolSpending { name: name(&on.name), id: on.name, sum: on.sum }).collect()
}
