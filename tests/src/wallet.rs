//! Wallets of agents, which sign as the wallets of other programs do.

use std::sync::atomic::{AtomicU64, Ordering};

use alloy::primitives::B256;
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use ed25519_dalek::{Signer, SigningKey};
use serde_json::{Value, json};
use tollgate_agents::MAINNET;
use tollgate_base::Clock;
use tollgate_chains::{OwnershipStatement, WalletAddress, ownership_digest, ownership_text};

/// What a registration says where a test wants nothing else.
pub const LABEL: &str = "bot-1";

/// A wallet and its key.
#[derive(Debug, Clone)]
pub enum Wallet {
    /// Of an EVM chain.
    Evm(PrivateKeySigner),
    /// Of Solana.
    Solana(SigningKey),
}

impl Wallet {
    /// One of an EVM chain that no other test has.
    #[must_use]
    pub fn evm() -> Self {
        Self::Evm(PrivateKeySigner::random())
    }

    /// The one of a private key.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn of_key(key: &str) -> Self {
        Self::Evm(key.parse().expect("a key"))
    }

    /// One of Solana, the same for the same seed.
    #[must_use]
    pub fn solana(seed: u8) -> Self {
        Self::Solana(SigningKey::from_bytes(&[seed; 32]))
    }

    /// Its address, as wallets write it.
    #[must_use]
    pub fn address(&self) -> String {
        match self {
            Self::Evm(key) => key.address().to_checksum(None),
            Self::Solana(key) => bs58::encode(key.verifying_key().to_bytes()).into_string(),
        }
    }

    /// Its private key, as programs are told it.
    #[must_use]
    pub fn secret(&self) -> String {
        match self {
            Self::Evm(key) => format!("0x{}", data_encoding::HEXLOWER.encode(key.to_bytes().as_slice())),
            Self::Solana(key) => bs58::encode(key.to_keypair_bytes()).into_string(),
        }
    }

    /// Signs that it belongs to whoever asks.
    ///
    /// # Panics
    /// When the time is before 1970.
    #[must_use]
    pub fn sign(&self, ownership: &OwnershipStatement<'_>) -> String {
        let wallet: WalletAddress = self.address().parse().expect("an address");
        match (self, wallet) {
            (Self::Evm(key), WalletAddress::Evm(wallet)) => {
                let digest = ownership_digest(ownership, &wallet).expect("a time after 1970");
                key.sign_hash_sync(&B256::from(digest)).expect("the key is at hand").to_string()
            }
            (Self::Solana(key), WalletAddress::Solana(wallet)) => {
                let text = ownership_text(ownership, &wallet);
                bs58::encode(key.sign(text.as_bytes()).to_bytes()).into_string()
            }
            _ => unreachable!("an address is of its wallet's chain"),
        }
    }

    /// Signs a text, as a wallet does that is asked to sign a message.
    ///
    /// # Panics
    /// Never: the key is at hand.
    #[must_use]
    pub fn sign_text(&self, text: &str) -> String {
        match self {
            Self::Evm(key) => key.sign_message_sync(text.as_bytes()).expect("the key is at hand").to_string(),
            Self::Solana(key) => bs58::encode(key.sign(text.as_bytes()).to_bytes()).into_string(),
        }
    }

    /// The name of its chains, as requests tell it.
    #[must_use]
    pub const fn chain(&self) -> &'static str {
        match self {
            Self::Evm(_) => "evm",
            Self::Solana(_) => "solana",
        }
    }

    /// What shows that a text was signed: the text is the answer to a request for one.
    ///
    /// # Panics
    /// When it is no such answer.
    #[must_use]
    pub fn proof(&self, told: &Value) -> Value {
        let data = &told["data"];
        let message = data["message"].as_str().unwrap_or_else(|| panic!("{told}"));
        json!({
            "chain": self.chain(), "address": self.address(), "nonce": data["nonce"],
            "signature": self.sign_text(message),
        })
    }

    /// The body of a registration at this service, with a nonce of its own, signed now.
    #[must_use]
    pub fn registration(&self, audience: &str) -> Value {
        let issued_at = Clock::system().now_ms() / 1000;
        self.registration_with(audience, &nonce(), issued_at)
    }

    /// The same with a nonce and a time.
    #[must_use]
    pub fn registration_with(&self, audience: &str, nonce: &str, issued_at: i64) -> Value {
        let ownership = OwnershipStatement { label: LABEL, audience, nonce, issued_at, solana_network: MAINNET };
        json!({
            "label": LABEL, "agent_addr": self.address(), "ownership_sig": self.sign(&ownership), "nonce": nonce,
            "issued_at": issued_at,
        })
    }
}

/// One that was not used.
#[must_use]
pub fn nonce() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("nonce-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
