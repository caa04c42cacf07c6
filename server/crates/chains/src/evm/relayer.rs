//! Our own account on a chain, which pays the fees and signs what carries a payment there.

use std::fmt;

use alloy::consensus::{SignableTransaction, TxEip1559, TxEnvelope};
use alloy::eips::eip2718::Encodable2718;
use alloy::primitives::{Address, TxKind, U256};
use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;

use crate::EvmAddress;
use tollgate_base::Secret;

/// The key of our account.
#[derive(Clone)]
pub struct Relayer(PrivateKeySigner);

/// The text is no private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no private key: 64 hexadecimal digits")]
pub struct PrivateKeyParseError;

/// Signing failed.
#[derive(Debug, thiserror::Error)]
#[error("signing a transaction failed")]
pub struct TransactionSignError(#[source] alloy::signers::Error);

/// A transaction of ours before it is signed: a call without money.
#[derive(Debug, Clone, Copy)]
pub struct RelayerCall<'a> {
    /// The number of the chain.
    pub chain: u64,
    /// Its number among those of our account.
    pub nonce: u64,
    /// The contract.
    pub to: EvmAddress,
    /// The call data.
    pub data: &'a [u8],
    /// The gas limit.
    pub gas: u64,
    /// The fees that it may cost.
    pub fees: GasFees,
}

/// The most that a unit of gas may cost, in wei.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GasFees {
    /// The most in all.
    pub most: u128,
    /// The part of it for whoever takes the transaction into a block.
    pub tip: u128,
}

/// The present price of a unit of gas, in wei.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GasPrice {
    /// The base fee, which the chain takes.
    pub base: u128,
    /// The usual tip beyond it, for whoever takes a transaction into a block.
    pub tip: u128,
}

impl GasPrice {
    /// The fees to offer, with room for the base fee to double; none where these are above `most`.
    /// A transaction that is signed with less may get stuck, and all later transactions behind it.
    #[must_use]
    pub fn offered(self, most: u128) -> Option<GasFees> {
        let doubled = self.base.saturating_mul(2).saturating_add(self.tip);
        (doubled <= most).then_some(GasFees { most: doubled, tip: self.tip })
    }

    /// The fees to offer where there is nothing to choose: at most `most`.
    #[must_use]
    pub fn capped(self, most: u128) -> GasFees {
        self.offered(most).unwrap_or(GasFees { most, tip: self.tip.min(most) })
    }
}

/// A transaction as it is sent, and its hash, which is known before it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTransaction {
    /// The bytes to send.
    pub raw: Vec<u8>,
    /// The hash by which it is found.
    pub hash: [u8; 32],
}

impl Relayer {
    /// Reads a key.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(key: &Secret) -> Result<Self, PrivateKeyParseError> {
        key.reveal().parse().map(Self).map_err(|_| PrivateKeyParseError)
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> EvmAddress {
        EvmAddress(self.0.address().into())
    }

    /// Signs a call.
    ///
    /// # Errors
    /// When the key cannot sign.
    pub fn sign(&self, call: &RelayerCall<'_>) -> Result<SignedTransaction, TransactionSignError> {
        let transaction = TxEip1559 {
            chain_id: call.chain,
            nonce: call.nonce,
            gas_limit: call.gas,
            max_fee_per_gas: call.fees.most,
            max_priority_fee_per_gas: call.fees.tip,
            to: TxKind::Call(Address::from(call.to.0)),
            value: U256::ZERO,
            access_list: alloy::eips::eip2930::AccessList::default(),
            input: alloy::primitives::Bytes::copy_from_slice(call.data),
        };
        let signature = self.0.sign_hash_sync(&transaction.signature_hash()).map_err(TransactionSignError)?;
        let envelope = TxEnvelope::from(transaction.into_signed(signature));
        Ok(SignedTransaction { hash: envelope.tx_hash().0, raw: envelope.encoded_2718() })
    }
}

impl fmt::Debug for Relayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relayer({})", self.address())
    }
}

impl GasFees {
    /// The least that a node takes in the place of these for the same number: a tenth more is what most want, so an eighth.
    #[must_use]
    pub fn raised(self) -> Self {
        let more = |fee: u128| fee.saturating_add(fee / 8).saturating_add(1);
        Self { most: more(self.most), tip: more(self.tip) }
    }

    /// The same with this tip, where it is higher, and as much room for the base fee as before.
    #[must_use]
    pub fn with_tip(self, tip: u128) -> Self {
        Self { most: self.most.saturating_add(tip.saturating_sub(self.tip)), tip: self.tip.max(tip) }
    }

    /// The higher of both, part by part.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self { most: self.most.max(other.most), tip: self.tip.max(other.tip) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";

    #[test]
    fn a_key_is_read_and_never_printed() {
        let relayer = Relayer::new(&Secret::new(KEY.to_owned())).unwrap();
        assert_eq!(format!("{relayer:?}"), "Relayer(0x90f79bf6eb2c4f870365e785982e1f101e93b906)");
        for text in ["", "0x", "1234", &KEY[..60], &"0".repeat(64)] {
            assert!(Relayer::new(&Secret::new(text.to_owned())).is_err(), "{text}");
        }
    }

    #[test]
    fn no_more_is_offered_than_may_be_and_nothing_where_that_is_too_little() {
        let price = GasPrice { base: 100, tip: 20 };
        for (most, is_offered) in [(1_000, true), (220, true), (219, false), (100, false), (0, false)] {
            let offered = price.offered(most);
            assert_eq!(offered, is_offered.then_some(GasFees { most: 220, tip: 20 }), "{most}");
            assert_eq!(price.capped(most), offered.unwrap_or(GasFees { most, tip: most.min(20) }), "{most}");
        }
        let absurd = GasPrice { base: u128::MAX, tip: u128::MAX };
        assert_eq!(absurd.offered(u128::MAX - 1), None);
    }

    #[test]
    fn the_same_call_has_the_same_bytes_and_another_fee_another_name() {
        let relayer = Relayer::new(&Secret::new(KEY.to_owned())).unwrap();
        let fees = GasFees { most: 100, tip: 10 };
        let call = RelayerCall { chain: 1, nonce: 3, to: EvmAddress([4; 20]), data: &[1, 2], gas: 90_000, fees };
        let signed = relayer.sign(&call).unwrap();
        assert_eq!(signed, relayer.sign(&call).unwrap());
        assert_eq!(alloy::primitives::keccak256(&signed.raw).0, signed.hash);
        let dearer = relayer.sign(&RelayerCall { fees: fees.raised(), ..call }).unwrap();
        assert_ne!(dearer.hash, signed.hash);
        assert_eq!(fees.raised(), GasFees { most: 113, tip: 12 });
    }
}
