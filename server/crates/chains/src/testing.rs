//! Holders of wallets, for the tests of any room, with the feature `testing` alone.

use alloy::primitives::B256;
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use ed25519_dalek::{Signer, SigningKey};

use super::{EvmAddress, OwnershipStatement, SolanaAddress, WalletAddress, ownership_digest, ownership_text};

/// The holder of a wallet's key.
pub enum Holder {
    /// Of an EVM wallet.
    Evm(PrivateKeySigner),
    /// Of a Solana wallet.
    Solana(SigningKey),
}

impl Holder {
    /// The holder of an EVM wallet; another for each number above zero.
    pub fn evm(number: u64) -> Self {
        let mut key = [0; 32];
        key[24..].copy_from_slice(&number.to_be_bytes());
        Self::Evm(PrivateKeySigner::from_bytes(&B256::from(key)).expect("a number above zero"))
    }

    /// The holder of a Solana wallet; another for each number.
    pub fn solana(number: u64) -> Self {
        let mut seed = [0; 32];
        seed[24..].copy_from_slice(&number.to_be_bytes());
        Self::Solana(SigningKey::from_bytes(&seed))
    }

    /// Signs what an EVM wallet is asked to (`eth_signTypedData_v4`), as wallets do: by what it says alone.
    pub fn sign_typed(&self, data: &serde_json::Value) -> String {
        let Self::Evm(key) = self else { panic!("an EVM wallet") };
        let data = serde_json::from_value(data.clone()).expect("typed data");
        hex(&key.sign_dynamic_typed_data_sync(&data).expect("a signature").as_bytes())
    }

    /// Signs a digest with an EVM wallet.
    pub fn sign_digest(&self, digest: &[u8; 32]) -> String {
        let Self::Evm(key) = self else { panic!("an EVM wallet") };
        hex(&key.sign_hash_sync(&B256::from(*digest)).expect("a signature").as_bytes())
    }

    /// Signs a text, as wallets do that are asked to sign a message.
    pub fn sign_text(&self, text: &str) -> String {
        match self {
            Self::Evm(key) => hex(&key.sign_message_sync(text.as_bytes()).expect("a signature").as_bytes()),
            Self::Solana(key) => bs58::encode(key.sign(text.as_bytes()).to_bytes()).into_string(),
        }
    }

    /// A signature of Solana that says the same to a lenient reader: its second number plus `order`, both little-endian.
    pub fn malleated(signature: &str, order: &[u8; 32]) -> String {
        let mut bytes = bs58::decode(signature).into_vec().expect("base58");
        let mut carry = 0;
        for (byte, order) in bytes[32..].iter_mut().zip(order) {
            let sum = u16::from(*byte) + u16::from(*order) + carry;
            *byte = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert_eq!(carry, 0, "the sum fits");
        bs58::encode(bytes).into_string()
    }

    /// Its wallet.
    pub fn wallet(&self) -> WalletAddress {
        match self {
            Self::Evm(key) => WalletAddress::Evm(EvmAddress(key.address().into())),
            Self::Solana(key) => WalletAddress::Solana(SolanaAddress(key.verifying_key().to_bytes())),
        }
    }

    /// Signs for a wallet, which need not be its own.
    pub fn sign(&self, ownership: &OwnershipStatement<'_>, wallet: &WalletAddress) -> String {
        match (self, wallet) {
            (Self::Evm(key), WalletAddress::Evm(wallet)) => {
                let digest = ownership_digest(ownership, wallet).expect("a time after 1970");
                let signature = key.sign_hash_sync(&B256::from(digest)).expect("the key is at hand");
                format!("0x{}", data_encoding::HEXLOWER.encode(&signature.as_bytes()))
            }
            (Self::Solana(key), WalletAddress::Solana(wallet)) => {
                bs58::encode(key.sign(ownership_text(ownership, wallet).as_bytes()).to_bytes()).into_string()
            }
            _ => panic!("a wallet of another chain"),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    format!("0x{}", data_encoding::HEXLOWER.encode(bytes))
}
