//! Refusals of this room.

use tollgate_accounts::{AccountError, BadLimit};
use tollgate_chains::OwnershipProofError;
use tollgate_store::StoreError;

/// The reasons why an agent is not registered, found or changed.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// Agents are switched off, or the service knows no address that a proof could name.
    #[error("agents are not registered here: they are switched off, or public_url is not set")]
    Disabled,
    /// A member of what was asked cannot be so.
    #[error("{0}")]
    Unfit(BadLimit),
    /// It was signed too long ago, or in the future.
    #[error("issued_at is {off_seconds} seconds from now")]
    IssuedAt {
        /// The seconds between it and the service's clock.
        off_seconds: i64,
    },
    /// The signature does not show that the wallet is the caller's.
    #[error("the signature does not show that the wallet is the caller's")]
    Proof(#[from] OwnershipProofError),
    /// The nonce was used by an earlier registration.
    #[error("the nonce has been used")]
    NonceUsed,
    /// The wallet is a live agent, of this account or of another.
    #[error("the wallet is an agent already")]
    WalletTaken,
    /// The account has as many live agents as it may.
    #[error("the account has {0} live agents, the most there may be: revoke one that is no longer used")]
    TooMany(i64),
    /// The account was frozen since the caller was let in.
    #[error("the account is frozen")]
    AccountFrozen,
    /// No agent has this number or wallet.
    #[error("no such agent")]
    NoSuchAgent,
    /// An agent that was revoked stays as it is.
    #[error("the agent is revoked")]
    Revoked,
    /// Its key could not be made or changed.
    #[error(transparent)]
    Key(#[from] AccountError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
