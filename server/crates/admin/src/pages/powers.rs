//! The forms that a role is shown.

use tollgate_api::generated::types::OperatorRole;

/// What a role may change, by the `roles` of the operations that the forms call. The operations decide; a form that is shown in vain
/// would be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Powers {
    /// Make accounts, and change their state, group and note.
    pub(super) accounts: bool,
    /// Grant and take credit.
    pub(super) credit: bool,
    /// Make and revoke keys of accounts.
    pub(super) keys: bool,
    /// Make, change and invite operators, and see and end their sessions.
    pub(super) operators: bool,
}

impl Powers {
    pub(super) fn of(role: OperatorRole) -> Self {
        let [accounts, credit, keys, operators] = match role {
            OperatorRole::Owner => [true, true, true, true],
            OperatorRole::Operator => [true, false, true, false],
            OperatorRole::Finance => [false, true, false, false],
            OperatorRole::Support => [false, false, true, false],
            OperatorRole::Reader => [false, false, false, false],
        };
        Self { accounts, credit, keys, operators }
    }
}
