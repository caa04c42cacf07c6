//! The operations about operators: this room's reasons as codes.

mod manage;
mod session;

use std::error::Error;

use super::Operator;
use tollgate_api::generated::types;
use tollgate_api::{Cx, version_of};

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "operators could not be read or written");
}

/// An operator in the words of the spec.
fn operator_reply(operator: Operator) -> types::Operator {
    let version = version(&operator);
    types::Operator {
        operator_id: operator.id.0,
        name: operator.name,
        kind: operator.kind,
        role: operator.role,
        state: operator.state,
        created_at: operator.created_at_ms / 1000,
        prefix: operator.shown,
        expires_at: operator.expires_at_ms.map(|at| at / 1000),
        invitation_ends_at: operator.invitation_ends_at_ms.map(|at| at / 1000),
        enrolled: operator.enrolled,
        version,
    }
}

/// The version of what can be changed of an operator.
fn version(operator: &Operator) -> String {
    version_of(&format!("{} {}", operator.role.as_str(), operator.state.as_str()))
}
