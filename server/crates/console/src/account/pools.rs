//! Teams and members, by their names: to look for what their keys spent, and to tell it.

use super::frame::ConsolePowers;
use super::spending::{SpentOn, SpentSum};
use super::{AccountPages, Unreadable};
use tollgate_api::generated::ops::members::{ListMembers, ListMembersInput};
use tollgate_api::generated::ops::teams::{ListTeams, ListTeamsInput};
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
}

/// The spending of a team or a member.
#[derive(Debug)]
pub(super) struct PoolSpending {
    /// The number of the team or the member. Empty for keys that are of none.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) sum: SpentSum,
}

impl NamedPools {
    /// True where there is anything to tell apart by.
    pub(super) fn has_any(&self) -> bool {
        !self.teams.is_empty() || !self.members.is_empty()
    }
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
        let named = |(id, name): (i64, String)| NamedPool { id: id.to_string(), name };
        let teams = teams.into_iter().map(|team| named((team.team_id, team.name))).collect();
        if !powers.sees_members {
            return Ok(NamedPools { teams, members: Vec::new() });
        }
        let list = ListMembersInput { caller: caller.clone() };
        let members = self.organisations.list_members(cx, list).await.map_err(|_| Unreadable)?.data;
        let members = members.into_iter().map(|member| named((member.member_id, member.name))).collect();
        Ok(NamedPools { teams, members })
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
