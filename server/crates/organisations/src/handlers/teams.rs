//! `/api/user/self/teams`: make, list, change and close.

use super::convert::{new_team, team_change, team_reply};
use super::refusal::OrganisationRefusal;
use crate::OrganisationService;
use tollgate_accounts::BadLimit;
use tollgate_api::Cx;
use tollgate_api::generated::ops::teams::{
    ChangeTeam, ChangeTeamError, ChangeTeamInput, CloseTeam, CloseTeamError, CloseTeamInput, CreateTeam,
    CreateTeamError, CreateTeamInput, ListTeams, ListTeamsError, ListTeamsInput,
};
use tollgate_api::generated::types::{TeamListReply, TeamReply};
use tollgate_base::PoolId;

impl CreateTeam for OrganisationService {
    async fn create_team(&self, cx: &Cx, input: CreateTeamInput) -> Result<TeamReply, CreateTeamError> {
        let (name, budgets) = new_team(input.body);
        let team = self.create_team(&input.caller, name.clone(), budgets).await;
        let team = team.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Field(BadLimit { field, expected, found }) => {
                CreateTeamError::BadField { field, expected: expected.to_owned(), found }
            }
            OrganisationRefusal::Limited => CreateTeamError::KeyLimited,
            OrganisationRefusal::SignedOut => CreateTeamError::SessionInvalid,
            OrganisationRefusal::Frozen => CreateTeamError::KeyDisabled,
            OrganisationRefusal::NameTaken => CreateTeamError::TeamNameTaken { name },
            OrganisationRefusal::TooMany(count) => CreateTeamError::TeamLimit { count },
            _ => CreateTeamError::LedgerUnavailable,
        })?;
        Ok(reply(team))
    }
}

impl ListTeams for OrganisationService {
    async fn list_teams(&self, cx: &Cx, input: ListTeamsInput) -> Result<TeamListReply, ListTeamsError> {
        let teams = self.teams(&input.caller).await.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Limited => ListTeamsError::KeyLimited,
            OrganisationRefusal::SignedOut => ListTeamsError::SessionInvalid,
            OrganisationRefusal::Frozen => ListTeamsError::KeyDisabled,
            _ => ListTeamsError::LedgerUnavailable,
        })?;
        let data = teams.into_iter().map(team_reply).collect();
        Ok(TeamListReply { success: true, message: String::new(), data })
    }
}

impl ChangeTeam for OrganisationService {
    async fn change_team(&self, cx: &Cx, input: ChangeTeamInput) -> Result<TeamReply, ChangeTeamError> {
        let team_id = input.team_id;
        let name = input.body.name.clone().unwrap_or_default();
        let team = self.change_team(&input.caller, PoolId(team_id), team_change(input.body)).await;
        let team = team.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Field(BadLimit { field, expected, found }) => {
                ChangeTeamError::BadField { field, expected: expected.to_owned(), found }
            }
            OrganisationRefusal::Limited => ChangeTeamError::KeyLimited,
            OrganisationRefusal::SignedOut => ChangeTeamError::SessionInvalid,
            OrganisationRefusal::Frozen => ChangeTeamError::KeyDisabled,
            OrganisationRefusal::NotFound => ChangeTeamError::TeamNotFound { team_id },
            OrganisationRefusal::Closed => ChangeTeamError::TeamClosed { team_id },
            OrganisationRefusal::NameTaken => ChangeTeamError::TeamNameTaken { name },
            _ => ChangeTeamError::LedgerUnavailable,
        })?;
        Ok(reply(team))
    }
}

impl CloseTeam for OrganisationService {
    async fn close_team(&self, cx: &Cx, input: CloseTeamInput) -> Result<TeamReply, CloseTeamError> {
        let team_id = input.team_id;
        let team = self.close_team(&input.caller, PoolId(team_id)).await;
        let team = team.map_err(|error| match OrganisationRefusal::of(cx, error) {
            OrganisationRefusal::Limited => CloseTeamError::KeyLimited,
            OrganisationRefusal::SignedOut => CloseTeamError::SessionInvalid,
            OrganisationRefusal::Frozen => CloseTeamError::KeyDisabled,
            OrganisationRefusal::NotFound => CloseTeamError::TeamNotFound { team_id },
            OrganisationRefusal::InUse(keys) => CloseTeamError::TeamInUse { team_id, keys },
            _ => CloseTeamError::LedgerUnavailable,
        })?;
        Ok(reply(team))
    }
}

fn reply(team: crate::Team) -> TeamReply {
    TeamReply { success: true, message: String::new(), data: team_reply(team) }
}
