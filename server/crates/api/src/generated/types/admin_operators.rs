// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_operators`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// Role of an operator, from the section `roles`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorRole")]
pub enum OperatorRole {
    /// Everything, the operators themselves included.
    #[wire(name = "owner")]
    Owner,
    /// Accounts, models, prices and providers.
    #[wire(name = "operator")]
    Operator,
    /// Money: credit, orders and payments.
    #[wire(name = "finance")]
    Finance,
    /// Keys and agents of any account, for who helps customers.
    #[wire(name = "support")]
    Support,
    /// Reading alone.
    #[wire(name = "reader")]
    Reader,
}

/// Kind of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorKind")]
pub enum OperatorKind {
    /// Somebody who signs in.
    #[wire(name = "person")]
    Person,
    /// A key for a program.
    #[wire(name = "key")]
    Key,
}

/// State of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorState")]
pub enum OperatorState {
    /// Let in.
    #[wire(name = "active")]
    Active,
    /// Refused. A key stays so.
    #[wire(name = "disabled")]
    Disabled,
}

/// A new operator.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorRequest")]
pub struct OperatorRequest {
    /// Name, unique, by which the log of changes knows the operator. It never changes.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// Person or key.
    pub kind: OperatorKind,
    /// The role.
    pub role: OperatorRole,
    /// Of a key: time at which it ends. Absent means never.
    #[wire(optional, max = 253402300799)]
    pub expires_at: Option<i64>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A change of an operator. Absent members stay as they are.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorUpdate")]
pub struct OperatorUpdate {
    /// The new role.
    #[wire(optional)]
    pub role: Option<OperatorRole>,
    /// The new state.
    #[wire(optional)]
    pub state: Option<OperatorState>,
    /// The reason, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// A person or a key that operates the service.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: Operator")]
pub struct Operator {
    /// Number of the operator.
    pub operator_id: i64,
    /// Its name.
    pub name: String,
    /// Person or key.
    pub kind: OperatorKind,
    /// Its role.
    pub role: OperatorRole,
    /// Its state.
    pub state: OperatorState,
    /// Time at which it was made.
    pub created_at: i64,
    /// Of a key: its beginning and its end, `op-AbCdE…wxyz`.
    #[wire(optional)]
    pub prefix: Option<String>,
    /// Of a key: time at which it ends. Absent means never.
    #[wire(optional)]
    pub expires_at: Option<i64>,
    /// Of a person: time at which the open invitation ends.
    #[wire(optional)]
    pub invitation_ends_at: Option<i64>,
    /// Of a person: true once the invitation is accepted.
    pub enrolled: bool,
    /// Changes with role and state; for `If-Match`.
    pub version: String,
}

/// An operator, with the secret that was just made.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorCreated")]
pub struct OperatorCreated {
    /// The operator.
    pub operator: Operator,
    /// Of a key: the key. Shown here only, and stored as a hash.
    #[wire(optional)]
    pub api_key: Option<api::ShownOnce>,
    /// Of a person: the invitation, which works once. Shown here only, and stored as a hash.
    #[wire(optional)]
    pub invitation: Option<api::ShownOnce>,
}

/// A session of an operator.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorSessionInfo")]
pub struct OperatorSessionInfo {
    /// The session, by the hash of its token in hexadecimal.
    pub session_id: String,
    /// The address that it was begun from.
    #[wire(optional)]
    pub address: Option<String>,
    /// The name that the browser gave itself.
    #[wire(optional)]
    pub browser: Option<String>,
    /// Time at which it was begun.
    pub created_at: i64,
    /// Time of its last use, to a minute.
    pub seen_at: i64,
    /// Time at which it ends by itself at the latest.
    pub expires_at: i64,
}

/// The number of sessions that have ended.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorSessionsEnded")]
pub struct OperatorSessionsEnded {
    /// The number.
    #[wire(min = 0)]
    pub ended: i64,
}

/// Answer of `admin_operators.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorListReply")]
pub struct OperatorListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The operators, disabled ones included.
    pub data: Vec<Operator>,
}

/// Answer of `admin_operators.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorCreatedReply")]
pub struct OperatorCreatedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The operator with its secret.
    pub data: OperatorCreated,
}

/// Answer of `admin_operators.change`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorReply")]
pub struct OperatorReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The operator as it stands now.
    pub data: Operator,
}

/// Answer of `admin_operators.sessions`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorSessionInfoListReply")]
pub struct OperatorSessionInfoListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The sessions.
    pub data: Vec<OperatorSessionInfo>,
}

/// Answer of `admin_operators.end_sessions`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_operators.yaml: OperatorSessionsEndedReply")]
pub struct OperatorSessionsEndedReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The number of sessions that have ended.
    pub data: OperatorSessionsEnded,
}
