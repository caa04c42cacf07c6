// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `teams`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/self/teams: Makes a team. Keys are put into it when they are made or changed, by their
/// `team_id`. (spec/operations/organisation.yaml: teams.create)
#[diagnostic::on_unimplemented(
    message = "operation `teams.create` (POST /api/user/self/teams) has no handler on `{Self}`",
    label = "missing `impl CreateTeam for {Self}`",
    note = "declared at spec/operations/organisation.yaml: teams.create",
    note = "add: impl CreateTeam for {Self} {{ async fn create_team(&self, cx: &Cx, input: CreateTeamInput) -> Result<TeamReply, CreateTeamError> {{ .. }} }}"
)]
pub trait CreateTeam: Send + Sync + 'static {
    /// Answers the operation.
    fn create_team(
        &self,
        cx: &api::Cx,
        input: CreateTeamInput,
    ) -> impl Future<Output = Result<types::TeamReply, CreateTeamError>> + Send;
}

/// The input of [`CreateTeam`].
#[derive(Debug)]
pub struct CreateTeamInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::TeamRequest,
}

impl CreateTeamInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`CreateTeam`].
#[derive(Debug, OpError)]
#[op(operation = "teams.create", spec = "spec/operations/organisation.yaml: teams.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateTeamError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(TEAM_NAME_TAKEN)]
    TeamNameTaken { name: String },
    #[code(TEAM_LIMIT)]
    TeamLimit { count: i64 },
}

pub(in crate::generated) static CREATE_TEAM: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/teams"),
    ],
    members: CreateTeamInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("teams.create", "spec/operations/organisation.yaml: teams.create", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn create_team<S: CreateTeam + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateTeamInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.create_team(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/self/teams: The teams of the organisation by name, closed ones included, each with what is
/// spent of its budgets. (spec/operations/organisation.yaml: teams.list)
#[diagnostic::on_unimplemented(
    message = "operation `teams.list` (GET /api/user/self/teams) has no handler on `{Self}`",
    label = "missing `impl ListTeams for {Self}`",
    note = "declared at spec/operations/organisation.yaml: teams.list",
    note = "add: impl ListTeams for {Self} {{ async fn list_teams(&self, cx: &Cx, input: ListTeamsInput) -> Result<TeamListReply, ListTeamsError> {{ .. }} }}"
)]
pub trait ListTeams: Send + Sync + 'static {
    /// Answers the operation.
    fn list_teams(
        &self,
        cx: &api::Cx,
        input: ListTeamsInput,
    ) -> impl Future<Output = Result<types::TeamListReply, ListTeamsError>> + Send;
}

/// The input of [`ListTeams`].
#[derive(Debug)]
pub struct ListTeamsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListTeamsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "developer", "viewer"];
}

/// The errors of [`ListTeams`].
#[derive(Debug, OpError)]
#[op(operation = "teams.list", spec = "spec/operations/organisation.yaml: teams.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListTeamsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
}

pub(in crate::generated) static LIST_TEAMS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/teams"),
    ],
    members: ListTeamsInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("teams.list", "spec/operations/organisation.yaml: teams.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_teams<S: ListTeams + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListTeamsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_teams(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/user/self/teams/{team_id}: Changes the name and the budgets of a team, from the next request on. A
/// member that is absent stays as it is; null takes the budget away. (spec/operations/organisation.yaml:
/// teams.change)
#[diagnostic::on_unimplemented(
    message = "operation `teams.change` (PATCH /api/user/self/teams/{{team_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeTeam for {Self}`",
    note = "declared at spec/operations/organisation.yaml: teams.change",
    note = "add: impl ChangeTeam for {Self} {{ async fn change_team(&self, cx: &Cx, input: ChangeTeamInput) -> Result<TeamReply, ChangeTeamError> {{ .. }} }}"
)]
pub trait ChangeTeam: Send + Sync + 'static {
    /// Answers the operation.
    fn change_team(
        &self,
        cx: &api::Cx,
        input: ChangeTeamInput,
    ) -> impl Future<Output = Result<types::TeamReply, ChangeTeamError>> + Send;
}

/// The input of [`ChangeTeam`].
#[derive(Debug)]
pub struct ChangeTeamInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the team.
    pub team_id: i64,
    /// The body.
    pub body: types::TeamChange,
}

impl ChangeTeamInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`ChangeTeam`].
#[derive(Debug, OpError)]
#[op(operation = "teams.change", spec = "spec/operations/organisation.yaml: teams.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeTeamError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(BAD_FIELD)]
    BadField { field: String, expected: String, found: String },
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(TEAM_CLOSED)]
    TeamClosed { team_id: i64 },
    #[code(TEAM_NAME_TAKEN)]
    TeamNameTaken { name: String },
}

pub(in crate::generated) static CHANGE_TEAM: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/user/self/teams/{team_id}"),
    ],
    members: ChangeTeamInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("teams.change", "spec/operations/organisation.yaml: teams.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_team<S: ChangeTeam + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeTeamInput {
        caller: call.caller_or_session(&*service).await?,
        team_id: call.path("team_id", "a whole number")?,
        body: call.json().await?,
    };
    let reply = service.change_team(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/teams/{team_id}: Closes a team for ever. Its keys are revoked or put elsewhere before;
/// closing again changes nothing. (spec/operations/organisation.yaml: teams.close)
#[diagnostic::on_unimplemented(
    message = "operation `teams.close` (DELETE /api/user/self/teams/{{team_id}}) has no handler on `{Self}`",
    label = "missing `impl CloseTeam for {Self}`",
    note = "declared at spec/operations/organisation.yaml: teams.close",
    note = "add: impl CloseTeam for {Self} {{ async fn close_team(&self, cx: &Cx, input: CloseTeamInput) -> Result<TeamReply, CloseTeamError> {{ .. }} }}"
)]
pub trait CloseTeam: Send + Sync + 'static {
    /// Answers the operation.
    fn close_team(
        &self,
        cx: &api::Cx,
        input: CloseTeamInput,
    ) -> impl Future<Output = Result<types::TeamReply, CloseTeamError>> + Send;
}

/// The input of [`CloseTeam`].
#[derive(Debug)]
pub struct CloseTeamInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the team.
    pub team_id: i64,
}

impl CloseTeamInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`CloseTeam`].
#[derive(Debug, OpError)]
#[op(operation = "teams.close", spec = "spec/operations/organisation.yaml: teams.close")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CloseTeamError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(TEAM_NOT_FOUND)]
    TeamNotFound { team_id: i64 },
    #[code(TEAM_IN_USE)]
    TeamInUse { team_id: i64, keys: i64 },
}

pub(in crate::generated) static CLOSE_TEAM: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/teams/{team_id}"),
    ],
    members: CloseTeamInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("teams.close", "spec/operations/organisation.yaml: teams.close", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn close_team<S: CloseTeam + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = CloseTeamInput {
        caller: call.caller_or_session(&*service).await?,
        team_id: call.path("team_id", "a whole number")?,
    };
    let reply = service.close_team(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
