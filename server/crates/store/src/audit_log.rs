//! The audit log: who did what by hand. Written in the transaction of the act it tells of.

use super::{StoreError, StoreTransaction, query};

/// One line of the audit log.
#[derive(Debug)]
pub struct AuditEntry<'a> {
    /// Unix time in milliseconds.
    pub at_ms: i64,
    /// The actor: `cli`, an account, a part of the server.
    pub actor: &'a str,
    /// The act: `key.revoke`.
    pub action: &'static str,
    /// The person or thing that it was done to.
    pub subject: &'a str,
    /// The rest, never a secret.
    pub detail: &'a str,
}

/// Appends a line to the audit log.
///
/// # Errors
/// When the statement fails; the caller's transaction is then not to be committed.
pub async fn record(transaction: &mut StoreTransaction, entry: &AuditEntry<'_>) -> Result<(), StoreError> {
    let line = query("INSERT INTO audit_log (at, actor, action, subject, detail) VALUES ($1, $2, $3, $4, $5)");
    let line = line.bind(entry.at_ms).bind(entry.actor).bind(entry.action).bind(entry.subject).bind(entry.detail);
    line.execute(transaction).await.map(drop).map_err(StoreError::write("the audit log"))
}
