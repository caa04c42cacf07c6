//! The types of this room.

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
    /// The address of the wallet, in the one way that it is written.
    pub subject: String,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
    /// The time of the latest sign-in by it, in unix milliseconds; before the first, when it was made.
    pub used_at_ms: i64,
}

/// The kind of an identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityKind {
    /// A wallet of EVM chains.
    Evm,
    /// A wallet of Solana.
    Solana,
    /// A person as a provider of OpenID Connect knows them.
    Oidc,
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

impl IdentityKind {
    /// The kind as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Evm => "evm",
            Self::Solana => "solana",
            Self::Oidc => "oidc",
        }
    }

    /// Reads a stored kind.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Evm, Self::Solana, Self::Oidc].into_iter().find(|kind| kind.as_str() == text)
    }

    /// The kind of a wallet.
    #[must_use]
    pub fn of_wallet(wallet: &WalletAddress) -> Self {
        match wallet.chain() {
            ChainFamily::Evm => Self::Evm,
            ChainFamily::Solana => Self::Solana,
        }
    }
}
