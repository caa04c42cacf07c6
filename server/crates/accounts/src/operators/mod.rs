//! Operators: the people and the keys that run the service, each with a role.
//!
//! A key is shown once and stored as its SHA-256. A person is invited by a link that works once, chooses a password and binds a
//! second factor (TOTP, RFC 6238); the factor's secret is sealed by a key that only the password gives, so that the database
//! alone gives no codes. Invariants: somebody who is active is an owner at any time; what an operator may do is decided by the
//! role at the moment of the request, and a change of role, password or state ends the sessions; each change is a line in the
//! log of changes, in the same transaction.

mod error;
mod handlers;
mod manage;
mod model;
mod second_factor;
mod sign_in;
mod sql;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::failures::SignInFailures;
use super::password::PasswordHashPool;
pub use tollgate_api::generated::types::{OperatorKind, OperatorRole, OperatorState};
use tollgate_base::Clock;
use tollgate_store::Store;

pub use error::{OperatorError, OperatorRejection};
pub use model::{
    BegunOperatorSession, CreatedOperatorKey, InvitedOperator, NewSecondFactor, Operator, OperatorChange,
    OperatorSession, OperatorSignIn,
};

/// The handle on the operators. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OperatorService {
    store: Store,
    clock: Clock,
    passwords: Arc<PasswordHashPool>,
    failures: Arc<SignInFailures>,
}

impl OperatorService {
    /// A handle on the operators in `store`.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, passwords: Arc::default(), failures: Arc::default() }
    }
}
