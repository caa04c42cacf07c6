//! A signature of a wallet: ed25519, 64 bytes in base58.

use std::fmt;
use std::str::FromStr;

use ed25519_dalek::{Signature, VerifyingKey};

use crate::{SignatureParseError, SignerMismatch, SolanaAddress};

const BYTES: usize = 64;
const TEXT_MAX: usize = 88;

/// A signature, not yet compared with anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolanaSignature(pub [u8; BYTES]);

impl SolanaSignature {
    /// Sees that the holder of an address has signed a message. An address that is on no curve belongs to a program, which
    /// signs nothing; a key of small order would make one signature fit many messages.
    ///
    /// # Errors
    /// When that is not so.
    pub fn verify(&self, by: &SolanaAddress, message: &[u8]) -> Result<(), SignerMismatch> {
        let key = VerifyingKey::from_bytes(&by.0).map_err(|_| SignerMismatch)?;
        key.verify_strict(message, &Signature::from_bytes(&self.0)).map_err(|_| SignerMismatch)
    }
}

impl FromStr for SolanaSignature {
    type Err = SignatureParseError;

    fn from_str(text: &str) -> Result<Self, SignatureParseError> {
        // Decoding takes the square of the length.
        if text.len() > TEXT_MAX {
            return Err(SignatureParseError::Form);
        }
        let bytes = bs58::decode(text).into_vec().map_err(|_| SignatureParseError::Form)?;
        bytes.try_into().map(Self).map_err(|_| SignatureParseError::Form)
    }
}

impl fmt::Display for SolanaSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&bs58::encode(self.0).into_string())
    }
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer, SigningKey};

    use super::*;

    #[test]
    fn a_message_is_signed_by_its_wallet_alone() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let wallet = SolanaAddress(key.verifying_key().to_bytes());
        let signature = SolanaSignature(key.sign(b"text").to_bytes());
        assert_eq!(signature.verify(&wallet, b"text"), Ok(()));
        assert_eq!(signature.verify(&wallet, b"texts"), Err(SignerMismatch));
        let other = SolanaAddress(SigningKey::from_bytes(&[8; 32]).verifying_key().to_bytes());
        assert_eq!(signature.verify(&other, b"text"), Err(SignerMismatch));
    }

    #[test]
    fn a_key_of_small_order_signs_nothing() {
        // Lenient verification takes all of these: the neutral point as key and as `R`, with `s` zero.
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut signature = [0; BYTES];
        signature[..32].copy_from_slice(&neutral);
        for key in [neutral, [0; 32]] {
            assert_eq!(SolanaSignature(signature).verify(&SolanaAddress(key), b"text"), Err(SignerMismatch));
            assert_eq!(SolanaSignature([0; BYTES]).verify(&SolanaAddress(key), b"text"), Err(SignerMismatch));
        }
        let lenient = VerifyingKey::from_bytes(&neutral).unwrap();
        let made_up = Signature::from_bytes(&signature);
        assert!(ed25519_dalek::Verifier::verify(&lenient, b"text", &made_up).is_ok(), "or the case shows nothing");
    }

    #[test]
    fn a_number_beyond_the_order_is_no_second_way_to_write_one() {
        // `s` plus the order of the group, little-endian.
        const ORDER: [u8; 32] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let key = SigningKey::from_bytes(&[7; 32]);
        let mut signature = key.sign(b"text").to_bytes();
        let mut carry = 0;
        for (byte, order) in signature[32..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(order) + carry;
            *byte = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert_eq!(carry, 0, "the sum fits");
        let wallet = SolanaAddress(key.verifying_key().to_bytes());
        assert_eq!(SolanaSignature(signature).verify(&wallet, b"text"), Err(SignerMismatch));
    }

    #[test]
    fn an_address_that_is_on_no_curve_signs_nothing() {
        let program_owned = (2..=255).map(|byte| [byte; 32]).find(|key| VerifyingKey::from_bytes(key).is_err());
        let address = SolanaAddress(program_owned.expect("half of all numbers are on no curve"));
        assert_eq!(SolanaSignature([1; BYTES]).verify(&address, b""), Err(SignerMismatch));
    }

    #[test]
    fn other_text_is_no_signature() {
        let long = "1".repeat(89);
        for text in ["", "1", "0", &"1".repeat(63), &"1".repeat(65), &long] {
            assert_eq!(text.parse::<SolanaSignature>(), Err(SignatureParseError::Form), "{text}");
        }
        assert_eq!("1".repeat(64).parse::<SolanaSignature>(), Ok(SolanaSignature([0; BYTES])));
    }
}
