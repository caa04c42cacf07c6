// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! An agent, which lives as long as its key. Whatever revokes the one revokes the other, in the same commit.

tollgate_macros::machine! {
    machine agent,
    spec: "spec/machines/agents.yaml: agent",
    row: { table: "agents", key: "id", state: "state", revision: "rev" },
    states: { Active = "active", Revoked = "revoked" },
    start: Active,
    final: [Revoked],
    actors: { Operator = "operator", AgentsRevoke = "agents.revoke", KeysRevoke = "keys.revoke", AdminKeysRevoke = "admin_keys.revoke", AdminAgentsRevoke = "admin_agents.revoke" },
    moves: {
        /// The wallet is no agent of the account any more, and its key is no longer accepted.
        Revoke = "revoke" { from: [Active], to: Revoked, by: [Operator, AgentsRevoke, KeysRevoke, AdminKeysRevoke, AdminAgentsRevoke], spec: "spec/machines/agents.yaml: agent.revoke" },
    },
}
