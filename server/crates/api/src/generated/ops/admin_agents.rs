// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `admin_agents`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /api/admin/accounts/{account_id}/agents: The agents of an account, the newest first, revoked ones
/// included. (spec/operations/admin_agents.yaml: admin_agents.list)
#[diagnostic::on_unimplemented(
    message = "operation `admin_agents.list` (GET /api/admin/accounts/{{account_id}}/agents) has no handler on `{Self}`",
    label = "missing `impl ListAccountAgents for {Self}`",
    note = "declared at spec/operations/admin_agents.yaml: admin_agents.list",
    note = "add: impl ListAccountAgents for {Self} {{ async fn list_account_agents(&self, cx: &Cx, input: ListAccountAgentsInput) -> Result<AccountAgentListReply, ListAccountAgentsError> {{ .. }} }}"
)]
pub trait ListAccountAgents: Send + Sync + 'static {
    /// Answers the operation.
    fn list_account_agents(
        &self,
        cx: &api::Cx,
        input: ListAccountAgentsInput,
    ) -> impl Future<Output = Result<types::AccountAgentListReply, ListAccountAgentsError>> + Send;
}

/// The input of [`ListAccountAgents`].
#[derive(Debug)]
pub struct ListAccountAgentsInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the account, from the list of accounts.
    pub account_id: i64,
}

impl ListAccountAgentsInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "finance", "support", "reader"];
}

/// The errors of [`ListAccountAgents`].
#[derive(Debug, OpError)]
#[op(operation = "admin_agents.list", spec = "spec/operations/admin_agents.yaml: admin_agents.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAccountAgentsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
}

pub(in crate::generated) static LIST_ACCOUNT_AGENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/admin/accounts/{account_id}/agents"),
    ],
    roles: ListAccountAgentsInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_agents.list", "spec/operations/admin_agents.yaml: admin_agents.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_account_agents<S: ListAccountAgents + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAccountAgentsInput {
        caller: call.operator(&*service).await?,
        account_id: call.path("account_id", api::Whole::least(1))?,
    };
    let reply = service.list_account_agents(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/admin/agents/{agent_id}: Changes what an agent of any account may do, from the next request and
/// the next payment on. A member that is absent stays as it is; null takes the cap away. The wallet of an agent
/// never changes. (spec/operations/admin_agents.yaml: admin_agents.change)
#[diagnostic::on_unimplemented(
    message = "operation `admin_agents.change` (PATCH /api/admin/agents/{{agent_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeAccountAgent for {Self}`",
    note = "declared at spec/operations/admin_agents.yaml: admin_agents.change",
    note = "add: impl ChangeAccountAgent for {Self} {{ async fn change_account_agent(&self, cx: &Cx, input: ChangeAccountAgentInput) -> Result<AccountAgentChangedReply, ChangeAccountAgentError> {{ .. }} }}"
)]
pub trait ChangeAccountAgent: Send + Sync + 'static {
    /// Answers the operation.
    fn change_account_agent(
        &self,
        cx: &api::Cx,
        input: ChangeAccountAgentInput,
    ) -> impl Future<Output = Result<types::AccountAgentChangedReply, ChangeAccountAgentError>> + Send;
}

/// The input of [`ChangeAccountAgent`].
#[derive(Debug)]
pub struct ChangeAccountAgentInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the agent, from the list of agents.
    pub agent_id: i64,
    /// The body.
    pub body: types::AgentChange,
}

impl ChangeAccountAgentInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "support"];
}

/// The errors of [`ChangeAccountAgent`].
#[derive(Debug, OpError)]
#[op(operation = "admin_agents.change", spec = "spec/operations/admin_agents.yaml: admin_agents.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeAccountAgentError {
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
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
    #[code(AGENT_REVOKED)]
    AgentRevoked { agent_id: i64 },
}

pub(in crate::generated) static CHANGE_ACCOUNT_AGENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/admin/agents/{agent_id}"),
    ],
    roles: ChangeAccountAgentInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    ..api::Operation::new("admin_agents.change", "spec/operations/admin_agents.yaml: admin_agents.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_account_agent<S: ChangeAccountAgent + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeAccountAgentInput {
        caller: call.operator(&*service).await?,
        agent_id: call.path("agent_id", api::Whole::least(1))?,
        body: call.json_of_operator(&*service).await?,
    };
    let reply = service.change_account_agent(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/admin/agents/{agent_id}: Revokes an agent of any account and its key for ever. Requests under way
/// still end; revoking again changes nothing. (spec/operations/admin_agents.yaml: admin_agents.revoke)
#[diagnostic::on_unimplemented(
    message = "operation `admin_agents.revoke` (DELETE /api/admin/agents/{{agent_id}}) has no handler on `{Self}`",
    label = "missing `impl RevokeAccountAgent for {Self}`",
    note = "declared at spec/operations/admin_agents.yaml: admin_agents.revoke",
    note = "add: impl RevokeAccountAgent for {Self} {{ async fn revoke_account_agent(&self, cx: &Cx, input: RevokeAccountAgentInput) -> Result<AccountAgentReply, RevokeAccountAgentError> {{ .. }} }}"
)]
pub trait RevokeAccountAgent: Send + Sync + 'static {
    /// Answers the operation.
    fn revoke_account_agent(
        &self,
        cx: &api::Cx,
        input: RevokeAccountAgentInput,
    ) -> impl Future<Output = Result<types::AccountAgentReply, RevokeAccountAgentError>> + Send;
}

/// The input of [`RevokeAccountAgent`].
#[derive(Debug)]
pub struct RevokeAccountAgentInput {
    /// The authenticated caller.
    pub caller: api::OperatorCaller,
    /// Number of the agent, from the list of agents.
    pub agent_id: i64,
}

impl RevokeAccountAgentInput {
    /// The roles by which operators may call it.
    pub const ROLES: &'static [&'static str] = &["owner", "operator", "support"];
}

/// The errors of [`RevokeAccountAgent`].
#[derive(Debug, OpError)]
#[op(operation = "admin_agents.revoke", spec = "spec/operations/admin_agents.yaml: admin_agents.revoke")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RevokeAccountAgentError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SESSION_INVALID)]
    SessionInvalid,
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
}

pub(in crate::generated) static REVOKE_ACCOUNT_AGENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/admin/agents/{agent_id}"),
    ],
    roles: RevokeAccountAgentInput::ROLES,
    schemes: &[&auth::OPERATOR_KEY, &auth::OPERATOR_SESSION],
    ..api::Operation::new("admin_agents.revoke", "spec/operations/admin_agents.yaml: admin_agents.revoke", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn revoke_account_agent<S: RevokeAccountAgent + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RevokeAccountAgentInput {
        caller: call.operator(&*service).await?,
        agent_id: call.path("agent_id", api::Whole::least(1))?,
    };
    let reply = service.revoke_account_agent(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
