//! The forms that a role is shown.

use tollgate_api::generated::ops::admin_accounts::{ChangeAccountInput, GrantCreditInput};
use tollgate_api::generated::ops::admin_alarms::AcknowledgeAlarmInput;
use tollgate_api::generated::ops::admin_jobs::{
    StartArchiveInput, StartAuditInput, StartBackupInput, StartReconciliationInput,
};
use tollgate_api::generated::ops::admin_keys::CreateAccountKeyInput;
use tollgate_api::generated::ops::admin_operators::ChangeOperatorInput;
use tollgate_api::generated::ops::admin_payments::ResolvePaymentInput;
use tollgate_api::generated::ops::admin_providers::{ChangeProviderInput, ResealSecretsInput};
use tollgate_api::generated::types::OperatorRole;

/// The changes that a role may make, by the `roles` of an operation of each kind. The operations decide; a form that is shown in vain
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
    /// Add, change, try and remove providers, models, prices and groups.
    pub(super) catalog: bool,
    /// Acknowledge alarms, and read the configuration again.
    pub(super) upkeep: bool,
    /// Audit the ledger.
    pub(super) audits: bool,
    /// Compare the ledger with the rails.
    pub(super) comparisons: bool,
    /// Copy the ledger's file.
    pub(super) backups: bool,
    /// Take months out of the ledger.
    pub(super) archives: bool,
    /// Seal the secrets of providers anew.
    pub(super) secrets: bool,
    /// Decide on payments, and book what went back.
    pub(super) payments: bool,
}

impl Powers {
    pub(super) fn of(role: OperatorRole) -> Self {
        let may = |roles: &[&str]| roles.contains(&role.as_str());
        Self {
            accounts: may(ChangeAccountInput::ROLES),
            credit: may(GrantCreditInput::ROLES),
            keys: may(CreateAccountKeyInput::ROLES),
            operators: may(ChangeOperatorInput::ROLES),
            catalog: may(ChangeProviderInput::ROLES),
            upkeep: may(AcknowledgeAlarmInput::ROLES),
            audits: may(StartAuditInput::ROLES),
            comparisons: may(StartReconciliationInput::ROLES),
            backups: may(StartBackupInput::ROLES),
            archives: may(StartArchiveInput::ROLES),
            secrets: may(ResealSecretsInput::ROLES),
            payments: may(ResolvePaymentInput::ROLES),
        }
    }
}
