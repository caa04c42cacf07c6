//! The types of this room.

use std::fmt;

use tollgate_api::generated::types::IdentityKind;
use tollgate_base::AccountId;
use tollgate_chains::{ChainFamily, WalletAddress};

/// A way to sign in to an account beside a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Its number.
    pub id: i64,
    /// The account that is signed in to by it.
    pub account: AccountId,
    /// Its kind.
    pub kind: IdentityKind,
    /// The provider of OpenID Connect; empty for a wallet.
    pub issuer: String,
    /// The address of the wallet, in the one way that it is written; or what the provider calls the person.
    pub subject: String,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// The time of the latest sign-in by it, in unix milliseconds; before the first, when it was made.
    pub used_at_ms: i64,
}

/// The wallet that is to sign a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWalletChallenge {
    /// The family of chains that it is said to be of.
    pub chain: ChainFamily,
    /// The wallet, in any way that it may be written.
    pub address: String,
}

/// The signature of a wallet over a text of the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletProof {
    /// The wallet.
    pub wallet: NewWalletChallenge,
    /// The nonce of the text.
    pub nonce: String,
    /// The signature.
    pub signature: String,
}

/// The key by which an identity is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IdentityKey {
    pub(super) kind: IdentityKind,
    /// The provider of OpenID Connect; empty for a wallet.
    pub(super) issuer: String,
    pub(super) subject: String,
}

impl From<&WalletAddress> for IdentityKey {
    fn from(wallet: &WalletAddress) -> Self {
        Self { kind: kind_of(wallet), issuer: String::new(), subject: wallet.to_string() }
    }
}

impl fmt::Display for IdentityKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, issuer, subject } = self;
        let separator = if issuer.is_empty() { "" } else { " " };
        write!(f, "{} {issuer}{separator}{subject}", kind.as_str())
    }
}

/// The kind of the identity that a wallet is.
pub(super) fn kind_of(wallet: &WalletAddress) -> IdentityKind {
    match wallet.chain() {
        ChainFamily::Evm => IdentityKind::Evm,
        ChainFamily::Solana => IdentityKind::Solana,
    }
}
