//! The authorization of EIP-3009 that a payer signs: exactly so much goes to exactly that address, and anybody may carry it
//! there.

use alloy::primitives::{Address, B256, Bytes, U256};
use alloy::sol_types::{SolCall, SolStruct};

use crate::EvmAddress;

use super::token::contract::{by_bytes, by_parts};
use super::{EvmMethod, EvmSignature, EvmToken, TokenUnits};

/// The bytes at the end of a signature for an account that is still to be made (ERC-6492). To settle by it is to call a contract
/// that the payer chooses, from our account: never done.
const UNMADE_ACCOUNT: [u8; 32] = [
    0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64,
    0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92,
];
/// The longest signature that a contract may judge, in bytes. Our account pays for each of them; passkeys and wallets of fifteen
/// owners need less.
const SIGNATURE_BYTES_MAX: usize = 1024;

mod typed {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        /// The signed struct. Its name, and the names and order of its members, are part of the digest.
        struct TransferWithAuthorization {
            address from;
            address to;
            uint256 value;
            uint256 validAfter;
            uint256 validBefore;
            bytes32 nonce;
        }
    }
}

/// The transfer that a payer signs: amount, receiver, validity and nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferAuthorization {
    /// The payer.
    pub from: EvmAddress,
    /// The receiver.
    pub to: EvmAddress,
    /// The amount, in the smallest units of the token.
    pub value: TokenUnits,
    /// The moment after which it can be used, in unix seconds.
    pub valid_after: TokenUnits,
    /// The moment before which it can be used, in unix seconds.
    pub valid_before: TokenUnits,
    /// The nonce, by which it can be used only once.
    pub nonce: [u8; 32],
}

/// The signature that shows a payment to be the payer's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentSignature {
    /// The payer's key, checked here.
    Key(EvmSignature),
    /// The bytes that the payer's contract may take for a signature; the contract alone can say.
    Contract(Vec<u8>),
}

/// The origin of a signature, as far as it can be told without the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureOrigin {
    /// The payer's key has made it.
    Key(EvmSignature),
    /// Something else than the payer's key has made it. If the payer is a contract, it may take it.
    Other(Vec<u8>),
}

impl TransferAuthorization {
    /// The digest that the payer signs, for this token on this chain.
    #[must_use]
    pub fn digest(&self, token: &EvmToken, chain: u64) -> [u8; 32] {
        if token.method == EvmMethod::Permit2 {
            return self.permit_digest(token, chain);
        }
        let data = typed::TransferWithAuthorization {
            from: Address::from(self.from.0),
            to: Address::from(self.to.0),
            value: self.value.0,
            validAfter: self.valid_after.0,
            validBefore: self.valid_before.0,
            nonce: B256::from(self.nonce),
        };
        data.eip712_signing_hash(&token.domain(chain)).0
    }

    /// The possible origin of a signature.
    /// None where the text is no signature in its one encoding, or one that is never taken.
    #[must_use]
    pub fn signed_by(&self, signature: &str, token: &EvmToken, chain: u64) -> Option<SignatureOrigin> {
        let digits = signature.strip_prefix("0x").filter(|digits| digits.len() <= 2 * SIGNATURE_BYTES_MAX)?;
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()?;
        if bytes.is_empty() || bytes.ends_with(&UNMADE_ACCOUNT) {
            return None;
        }
        let by_key = <[u8; 65]>::try_from(&bytes[..]).ok().and_then(|bytes| EvmSignature::from_bytes(&bytes).ok());
        match by_key {
            Some(by) if by.recover(&self.digest(token, chain)) == Some(self.from) => Some(SignatureOrigin::Key(by)),
            _ => Some(SignatureOrigin::Other(bytes)),
        }
    }

    /// True if it can be used at this moment, in unix seconds. The contract is as strict.
    #[must_use]
    pub fn is_valid_at(&self, seconds: u64) -> bool {
        let now = U256::from(seconds);
        self.valid_after.0 < now && now < self.valid_before.0
    }

    /// The first moment at which it cannot be used any more, in unix seconds.
    /// `i64::MAX` where its end lies beyond that. Permit2 still takes it in its last second.
    #[must_use]
    pub fn ends(&self, token: &EvmToken) -> i64 {
        let last = i64::try_from(self.valid_before.0).unwrap_or(i64::MAX);
        match &token.method {
            EvmMethod::Eip3009 { .. } => last,
            EvmMethod::Permit2 => last.saturating_add(1),
        }
    }

    /// The call of the token's carrier that carries it out.
    #[must_use]
    pub fn call(&self, token: &EvmToken, signature: &PaymentSignature) -> Vec<u8> {
        if token.method == EvmMethod::Permit2 {
            return self.permit_call(token, signature);
        }
        let (from, to) = (Address::from(self.from.0), Address::from(self.to.0));
        let Self { value, valid_after, valid_before, .. } = *self;
        let nonce = B256::from(self.nonce);
        match signature {
            PaymentSignature::Key(signature) => {
                let bytes = signature.to_bytes();
                by_parts::transferWithAuthorizationCall {
                    from,
                    to,
                    value: value.0,
                    validAfter: valid_after.0,
                    validBefore: valid_before.0,
                    nonce,
                    v: bytes[64],
                    r: B256::from_slice(&bytes[..32]),
                    s: B256::from_slice(&bytes[32..64]),
                }
                .abi_encode()
            }
            PaymentSignature::Contract(signature) => by_bytes::transferWithAuthorizationCall {
                from,
                to,
                value: value.0,
                validAfter: valid_after.0,
                validBefore: valid_before.0,
                nonce,
                signature: Bytes::copy_from_slice(signature),
            }
            .abi_encode(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_that_of_the_standard() {
        let typehash = alloy::primitives::keccak256(typed::TransferWithAuthorization::eip712_encode_type().as_bytes());
        let expected = "7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267";
        assert_eq!(data_encoding::HEXLOWER.encode(typehash.as_slice()), expected);
    }

    fn authorization() -> TransferAuthorization {
        TransferAuthorization {
            from: EvmAddress([1; 20]),
            to: EvmAddress([2; 20]),
            value: "5".parse().unwrap(),
            valid_after: "10".parse().unwrap(),
            valid_before: "20".parse().unwrap(),
            nonce: [3; 32],
        }
    }

    fn token() -> EvmToken {
        let method = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        EvmToken { symbol: "USDC".to_owned(), address: EvmAddress([9; 20]), decimals: 6, method }
    }

    #[test]
    fn its_time_is_open_at_both_ends() {
        let valid: Vec<u64> = (8..23).filter(|at| authorization().is_valid_at(*at)).collect();
        assert_eq!(valid, (11..20).collect::<Vec<_>>());
        let endless = TransferAuthorization { valid_before: TokenUnits(U256::MAX), ..authorization() };
        assert!(endless.is_valid_at(u64::MAX) && endless.ends(&token()) == i64::MAX);
    }

    #[test]
    fn a_signature_for_an_account_that_is_still_to_be_made_is_none() {
        let signed_by = |text: &str| authorization().signed_by(text, &token(), 1);
        let unmade = format!("0x{}{}", "ab".repeat(65), "6492".repeat(16));
        for text in ["", "0x", "0xzz", "0xabc", &unmade, &format!("0x{}", "ab".repeat(1025))] {
            assert_eq!(signed_by(text), None, "{text}");
        }
        let longest = format!("0x{}", "ab".repeat(1024));
        assert_eq!(signed_by(&longest), Some(SignatureOrigin::Other(vec![0xab; 1024])));
        assert_eq!(signed_by("0xabcd"), Some(SignatureOrigin::Other(vec![0xab, 0xcd])), "a contract may take anything");
    }
}
