// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! A key, of an account or of an agent. Revoking is for ever; a lost key is replaced, not revived.

tollgate_macros::machine! {
    machine api_key,
    spec: "spec/machines/keys.yaml: api_key",
    row: { table: "api_keys", key: "id", state: "state", revision: "rev" },
    states: { Active = "active", Revoked = "revoked" },
    start: Active,
    final: [Revoked],
    actors: { Operator = "operator", KeysRevoke = "keys.revoke", AgentsRevoke = "agents.revoke", AdminKeysRevoke = "admin_keys.revoke", AdminAgentsRevoke = "admin_agents.revoke" },
    moves: {
        /// No further request may use the key.
        Revoke = "revoke" { from: [Active], to: Revoked, by: [Operator, KeysRevoke, AgentsRevoke, AdminKeysRevoke, AdminAgentsRevoke], spec: "spec/machines/keys.yaml: api_key.revoke" },
    },
}
