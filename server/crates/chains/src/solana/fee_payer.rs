//! Our own account on the chain, which pays the fees of payments and signs for nothing else.

use std::fmt;

use ed25519_dalek::{Signer, SigningKey};

use crate::SolanaAddress;
use tollgate_base::Secret;

use super::payment::SolanaPayment;
use super::signature::SolanaSignature;

/// A key with the address that belongs to it.
const PAIR_BYTES: usize = 64;
/// The longest text of it in base58; decoding takes the square of the length.
const PAIR_TEXT_MAX: usize = 88;

/// The key of our account.
#[derive(Clone)]
pub struct FeePayer(SigningKey);

/// The text is no private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no key pair: 64 bytes in base58, or as the list of numbers that key files have")]
pub struct KeyPairParseError;

/// A transaction as it is sent, and its signature, which is known before it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolanaSignedTransaction {
    /// The bytes to send.
    pub raw: Vec<u8>,
    /// Our signature, by which it is found.
    /// For the same message it is always the same, so whatever the payer changes in the bytes around a message, one transaction
    /// has one name.
    pub signature: SolanaSignature,
}

impl FeePayer {
    /// Reads a key with its address behind it, as wallets and key files have it.
    ///
    /// # Errors
    /// When it is none, or the address is of another key.
    pub fn new(key: &Secret) -> Result<Self, KeyPairParseError> {
        let text = key.reveal().trim();
        let bytes: Vec<u8> = if text.starts_with('[') {
            serde_json::from_str(text).map_err(|_| KeyPairParseError)?
        } else if text.len() <= PAIR_TEXT_MAX {
            bs58::decode(text).into_vec().map_err(|_| KeyPairParseError)?
        } else {
            return Err(KeyPairParseError);
        };
        let pair: [u8; PAIR_BYTES] = bytes.try_into().map_err(|_| KeyPairParseError)?;
        SigningKey::from_keypair_bytes(&pair).map(Self).map_err(|_| KeyPairParseError)
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> SolanaAddress {
        SolanaAddress(self.0.verifying_key().to_bytes())
    }

    /// Signs a payment as the one who pays its fee. There is no other thing that it signs: a payment exists only where it
    /// was read and found to be harmless to us.
    #[must_use]
    pub fn sign(&self, payment: &SolanaPayment) -> SolanaSignedTransaction {
        let signature = self.0.sign(payment.message()).to_bytes();
        SolanaSignedTransaction { raw: payment.with(signature), signature: SolanaSignature(signature) }
    }
}

impl fmt::Debug for FeePayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FeePayer({})", self.address())
    }
}
