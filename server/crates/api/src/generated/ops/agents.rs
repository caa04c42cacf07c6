// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `agents`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /api/user/self/agents: Makes a wallet an agent of the account, with a key of its own. The key is shown
/// in this answer and never again. The wallet shows by a signature that it is the caller's; a wallet that is a
/// contract cannot do so yet. A key that is limited in any way, or that ends, registers none. The caps and
/// budgets are those that the service gives every new agent. (spec/operations/agents.yaml: agents.register,
/// source §4)
#[diagnostic::on_unimplemented(
    message = "operation `agents.register` (POST /api/user/self/agents) has no handler on `{Self}`",
    label = "missing `impl RegisterAgent for {Self}`",
    note = "declared at spec/operations/agents.yaml: agents.register",
    note = "add: impl RegisterAgent for {Self} {{ async fn register_agent(&self, cx: &Cx, input: RegisterAgentInput) -> Result<AgentCreatedReply, RegisterAgentError> {{ .. }} }}"
)]
pub trait RegisterAgent: Send + Sync + 'static {
    /// Answers the operation.
    fn register_agent(
        &self,
        cx: &api::Cx,
        input: RegisterAgentInput,
    ) -> impl Future<Output = Result<types::AgentCreatedReply, RegisterAgentError>> + Send;
}

/// The input of [`RegisterAgent`].
#[derive(Debug)]
pub struct RegisterAgentInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// The body.
    pub body: types::AgentRegistration,
}

impl RegisterAgentInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`RegisterAgent`].
#[derive(Debug, OpError)]
#[op(operation = "agents.register", spec = "spec/operations/agents.yaml: agents.register")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RegisterAgentError {
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
    #[code(AGENTS_DISABLED)]
    AgentsDisabled,
    #[code(KEY_LIMITED)]
    KeyLimited,
    #[code(KEY_LIMIT)]
    KeyLimit { count: i64 },
    #[code(AGENT_LIMIT)]
    AgentLimit { count: i64 },
    #[code(AGENT_EXISTS)]
    AgentExists { agent_addr: String },
    #[code(NONCE_USED)]
    NonceUsed,
    #[code(ISSUED_AT_OUT_OF_RANGE)]
    IssuedAtOutOfRange { off_seconds: i64, allowed_seconds: i64 },
    #[code(BAD_OWNERSHIP_SIG)]
    BadOwnershipSig { agent_addr: String },
}

pub(in crate::generated) static REGISTER_AGENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/api/user/self/agents"),
    ],
    members: RegisterAgentInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("agents.register", "spec/operations/agents.yaml: agents.register", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn register_agent<S: RegisterAgent + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = RegisterAgentInput {
        caller: call.caller_or_session(&*service).await?,
        body: call.json().await?,
    };
    let reply = service.register_agent(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /api/user/self/agents: The agents of the account, the newest first, revoked ones included. With an
/// agent's own key, that agent alone. (spec/operations/agents.yaml: agents.list)
#[diagnostic::on_unimplemented(
    message = "operation `agents.list` (GET /api/user/self/agents) has no handler on `{Self}`",
    label = "missing `impl ListAgents for {Self}`",
    note = "declared at spec/operations/agents.yaml: agents.list",
    note = "add: impl ListAgents for {Self} {{ async fn list_agents(&self, cx: &Cx, input: ListAgentsInput) -> Result<AgentListReply, ListAgentsError> {{ .. }} }}"
)]
pub trait ListAgents: Send + Sync + 'static {
    /// Answers the operation.
    fn list_agents(
        &self,
        cx: &api::Cx,
        input: ListAgentsInput,
    ) -> impl Future<Output = Result<types::AgentListReply, ListAgentsError>> + Send;
}

/// The input of [`ListAgents`].
#[derive(Debug)]
pub struct ListAgentsInput {
    /// The authenticated caller.
    pub caller: api::Caller,
}

impl ListAgentsInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin", "billing", "viewer"];
}

/// The errors of [`ListAgents`].
#[derive(Debug, OpError)]
#[op(operation = "agents.list", spec = "spec/operations/agents.yaml: agents.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListAgentsError {
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

pub(in crate::generated) static LIST_AGENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/api/user/self/agents"),
    ],
    members: ListAgentsInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("agents.list", "spec/operations/agents.yaml: agents.list", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn list_agents<S: ListAgents + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListAgentsInput {
        caller: call.caller_or_session(&*service).await?,
    };
    let reply = service.list_agents(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// PATCH /api/user/self/agents/{agent_id}: Changes what an agent may do, from the next request and the next
/// payment on. A member that is absent stays as it is; null takes the cap away. The wallet of an agent never
/// changes. No agent changes itself. (spec/operations/agents.yaml: agents.change)
#[diagnostic::on_unimplemented(
    message = "operation `agents.change` (PATCH /api/user/self/agents/{{agent_id}}) has no handler on `{Self}`",
    label = "missing `impl ChangeAgent for {Self}`",
    note = "declared at spec/operations/agents.yaml: agents.change",
    note = "add: impl ChangeAgent for {Self} {{ async fn change_agent(&self, cx: &Cx, input: ChangeAgentInput) -> Result<AgentReply, ChangeAgentError> {{ .. }} }}"
)]
pub trait ChangeAgent: Send + Sync + 'static {
    /// Answers the operation.
    fn change_agent(
        &self,
        cx: &api::Cx,
        input: ChangeAgentInput,
    ) -> impl Future<Output = Result<types::AgentReply, ChangeAgentError>> + Send;
}

/// The input of [`ChangeAgent`].
#[derive(Debug)]
pub struct ChangeAgentInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the agent, from the list of agents.
    pub agent_id: i64,
    /// The body.
    pub body: types::AgentChange,
}

impl ChangeAgentInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`ChangeAgent`].
#[derive(Debug, OpError)]
#[op(operation = "agents.change", spec = "spec/operations/agents.yaml: agents.change")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ChangeAgentError {
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
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
    #[code(AGENT_REVOKED)]
    AgentRevoked { agent_id: i64 },
}

pub(in crate::generated) static CHANGE_AGENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PATCH, "/api/user/self/agents/{agent_id}"),
    ],
    members: ChangeAgentInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    body: api::BodyLimit { bytes: limits::JSON_BODY, over: None },
    for_one_account: true,
    ..api::Operation::new("agents.change", "spec/operations/agents.yaml: agents.change", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn change_agent<S: ChangeAgent + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = ChangeAgentInput {
        caller: call.caller_or_session(&*service).await?,
        agent_id: call.path("agent_id", api::Whole::least(1))?,
        body: call.json().await?,
    };
    let reply = service.change_agent(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /api/user/self/agents/{agent_id}: Revokes an agent and its key for ever. Requests under way still end;
/// revoking again changes nothing. The wallet may be registered anew, as another agent.
/// (spec/operations/agents.yaml: agents.revoke)
#[diagnostic::on_unimplemented(
    message = "operation `agents.revoke` (DELETE /api/user/self/agents/{{agent_id}}) has no handler on `{Self}`",
    label = "missing `impl RevokeAgent for {Self}`",
    note = "declared at spec/operations/agents.yaml: agents.revoke",
    note = "add: impl RevokeAgent for {Self} {{ async fn revoke_agent(&self, cx: &Cx, input: RevokeAgentInput) -> Result<AgentReply, RevokeAgentError> {{ .. }} }}"
)]
pub trait RevokeAgent: Send + Sync + 'static {
    /// Answers the operation.
    fn revoke_agent(
        &self,
        cx: &api::Cx,
        input: RevokeAgentInput,
    ) -> impl Future<Output = Result<types::AgentReply, RevokeAgentError>> + Send;
}

/// The input of [`RevokeAgent`].
#[derive(Debug)]
pub struct RevokeAgentInput {
    /// The authenticated caller.
    pub caller: api::Caller,
    /// Number of the agent, from the list of agents.
    pub agent_id: i64,
}

impl RevokeAgentInput {
    /// The roles by which members of an organisation may call it.
    pub const MEMBERS: &'static [&'static str] = &["owner", "admin"];
}

/// The errors of [`RevokeAgent`].
#[derive(Debug, OpError)]
#[op(operation = "agents.revoke", spec = "spec/operations/agents.yaml: agents.revoke")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RevokeAgentError {
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
    #[code(AGENT_NOT_FOUND)]
    AgentNotFound { agent_id: i64 },
}

pub(in crate::generated) static REVOKE_AGENT: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/api/user/self/agents/{agent_id}"),
    ],
    members: RevokeAgentInput::MEMBERS,
    schemes: &[&auth::BEARER, &auth::SESSION],
    for_one_account: true,
    ..api::Operation::new("agents.revoke", "spec/operations/agents.yaml: agents.revoke", &envelopes::ACCOUNT)
};

pub(in crate::generated) async fn revoke_agent<S: RevokeAgent + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = RevokeAgentInput {
        caller: call.caller_or_session(&*service).await?,
        agent_id: call.path("agent_id", api::Whole::least(1))?,
    };
    let reply = service.revoke_agent(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
