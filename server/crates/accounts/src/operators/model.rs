//! The types of operators.

use std::net::IpAddr;

use tollgate_api::generated::types::{OperatorKind, OperatorRole, OperatorState};
use tollgate_base::{OperatorId, Secret, SessionId};

/// A person or a key that operates the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Its number.
    pub id: OperatorId,
    /// Its name, unique, which never changes.
    pub name: String,
    /// Person or key.
    pub kind: OperatorKind,
    /// Its role, which says what it may do.
    pub role: OperatorRole,
    /// Its state, by which it is let in or refused.
    pub state: OperatorState,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// Of a key: its first eight characters and its last four, `op-AbCdE…wxyz`.
    pub shown: Option<String>,
    /// Of a key: unix time in milliseconds from which it is refused; never where absent.
    pub expires_at_ms: Option<i64>,
    /// Of a person: unix time in milliseconds at which the open invitation ends.
    pub invitation_ends_at_ms: Option<i64>,
    /// Of a person: true once a password is chosen and the second factor bound.
    pub enrolled: bool,
}

/// A key of an operator that was just made: the one time its secret is at hand.
#[derive(Debug)]
pub struct CreatedOperatorKey {
    /// The operator.
    pub operator: Operator,
    /// The secret. It cannot be shown again.
    pub secret: Secret,
}

/// A person who was just invited: the one time the invitation is at hand.
#[derive(Debug)]
pub struct InvitedOperator {
    /// The operator.
    pub operator: Operator,
    /// The invitation, which works once. It cannot be shown again.
    pub invitation: Secret,
}

/// A change of an operator. Absent stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OperatorChange {
    /// The new role.
    pub role: Option<OperatorRole>,
    /// The new state.
    pub state: Option<OperatorState>,
}

/// A second factor that is offered to a person who accepts an invitation. It is stored nowhere.
#[derive(Debug)]
pub struct NewSecondFactor {
    /// The name of the person that the invitation is for.
    pub name: String,
    /// The secret in base 32, to be typed.
    pub secret: Secret,
    /// The same as `otpauth:` URI, to be scanned.
    pub uri: Secret,
    /// That URI as a QR code, drawn as SVG.
    pub qr_svg: Secret,
}

/// A try to sign in.
#[derive(Debug, Clone)]
pub struct OperatorSignIn {
    /// The name of the operator.
    pub name: String,
    /// The password.
    pub password: Secret,
    /// The code of the second factor: six digits.
    pub code: Secret,
    /// The address that it comes from.
    pub from: Option<IpAddr>,
    /// The name that the browser gives itself.
    pub browser: String,
}

/// A session of an operator, as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSession {
    /// The id by which it is found.
    pub id: SessionId,
    /// The operator who is signed in.
    pub operator: OperatorId,
    /// The address that it was begun from.
    pub address: Option<String>,
    /// The name that the browser gave itself.
    pub browser: Option<String>,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// The time of its last use, to a minute, in unix milliseconds.
    pub seen_at_ms: i64,
    /// The time at which it ends however much it is used, in unix milliseconds.
    pub ends_at_ms: i64,
}

/// A session that was just begun: the one time its token is at hand.
#[derive(Debug)]
pub struct BegunOperatorSession {
    /// The operator who is signed in.
    pub operator: Operator,
    /// The session.
    pub session: OperatorSession,
    /// Its token. It cannot be shown again.
    pub token: Secret,
}
