//! The errors of managing agents, before they are codes of one operation.

use crate::AgentError;
use tollgate_accounts::{AccountError, BadLimit};
use tollgate_api::Cx;

/// The errors of the four operations, each as far as it can happen to it.
#[derive(Debug)]
pub(super) enum AgentManagementError {
    /// A member of the request cannot be so.
    Field(BadLimit),
    /// Agents are not registered here.
    Disabled,
    /// The caller's own key is limited.
    Limited,
    /// The caller's session is over since it was let in.
    SignedOut,
    /// The caller's account was frozen meanwhile.
    Frozen,
    /// The account has so many keys.
    Keys(i64),
    /// The account has so many agents.
    Agents(i64),
    /// The proof was made so many seconds before or after.
    OffBy(i64),
    /// The proof shows nothing.
    Unproven,
    /// The nonce was used.
    NonceUsed,
    /// The wallet is an agent.
    Exists,
    /// The account has no such agent.
    NotFound,
    /// The agent is revoked.
    Revoked,
    /// The store failed.
    Ledger,
}

impl AgentManagementError {
    pub(super) fn of(cx: &Cx, error: AgentError) -> Self {
        match error {
            AgentError::Disabled => Self::Disabled,
            AgentError::Unfit(bad) => Self::Field(bad),
            AgentError::IssuedAt { off_seconds } => Self::OffBy(off_seconds),
            AgentError::Proof(_) => Self::Unproven,
            AgentError::NonceUsed => Self::NonceUsed,
            AgentError::WalletTaken => Self::Exists,
            AgentError::TooMany(count) => Self::Agents(count),
            AgentError::AccountFrozen | AgentError::Key(AccountError::Frozen) => Self::Frozen,
            AgentError::NoSuchAgent => Self::NotFound,
            AgentError::Revoked => Self::Revoked,
            AgentError::Key(AccountError::KeyLimited) => Self::Limited,
            AgentError::Key(AccountError::SignedOut) => Self::SignedOut,
            AgentError::Key(AccountError::TooManyKeys(count)) => Self::Keys(count),
            AgentError::Key(AccountError::BadLimit(bad)) => Self::Field(bad),
            // The rest cannot happen to the key of an agent, which has a label that fits and no end.
            AgentError::Key(_) | AgentError::Store(_) => {
                let request_id = cx.request_id;
                let error = &error as &dyn std::error::Error;
                tracing::error!(%request_id, error, "agents could not be read or written");
                Self::Ledger
            }
        }
    }
}
