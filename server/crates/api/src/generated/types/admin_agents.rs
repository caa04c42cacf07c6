// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_agents`.

use tollgate_macros::Wire;


/// An agent that is revoked, with its key.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_agents.yaml: AgentRevoked")]
pub struct AgentRevoked {
    /// The agent as it stands now.
    pub agent: super::Agent,
    /// True if this call revoked it. False where it was revoked before.
    pub was_active: bool,
}

/// Answer of `admin_agents.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_agents.yaml: AccountAgentListReply")]
pub struct AccountAgentListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agents, revoked ones included.
    pub data: Vec<super::Agent>,
}

/// Answer of `admin_agents.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_agents.yaml: AccountAgentChangedReply")]
pub struct AccountAgentChangedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agent as it stands now.
    pub data: super::Agent,
}

/// Answer of `admin_agents.revoke`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_agents.yaml: AccountAgentReply")]
pub struct AccountAgentReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The agent as it stands now.
    pub data: AgentRevoked,
}
