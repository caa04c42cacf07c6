//! The fee for the data of a transaction, on chains that keep these on the chain below: on the OP stack it is taken beside the gas,
//! and no transaction can bound it. It grows with the size of the call, which a payer chooses who is a contract.

use alloy::primitives::{Address, Bytes, U256, address, keccak256};
use alloy::sol_types::SolCall;

use contract::{getL1FeeCall, getL1FeeUpperBoundCall};

use crate::rpc::RpcError;

use super::EvmNetwork;
use super::wire::CallWire;

/// The contract that tells it, at the same address on each of these chains.
const GAS_PRICE_ORACLE: Address = address!("420000000000000000000000000000000000000F");
/// The most bytes that a transaction of ours has beside its call, without the signature.
const ENVELOPE_BYTES_MAX: usize = 128;
/// The bytes of a signature, as that contract counts them.
const SIGNATURE_BYTES: usize = 68;

mod contract {
    #![allow(missing_docs, reason = "the macro writes items that take no documentation")]
    alloy::sol! {
        /// The most for an unsigned transaction of so many bytes, whatever is in it.
        function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256);
        /// Of older versions: the fee for these bytes.
        function getL1Fee(bytes data) external view returns (uint256);
    }
}

impl EvmNetwork {
    /// The most that the data of a transaction cost beside its gas, in wei, for a call of so many bytes: the largest answer of the
    /// nodes that answer. Zero on chains without such a fee.
    ///
    /// # Errors
    /// When no node answers, or none of them tells the fee of a chain that has one.
    pub async fn data_fee(&self, call_bytes: usize) -> Result<u128, RpcError> {
        if !self.has_gas_price_oracle().await? {
            return Ok(0);
        }
        let bytes = call_bytes.saturating_add(ENVELOPE_BYTES_MAX);
        let fee = match self.largest_fee(getL1FeeUpperBoundCall { unsignedTxSize: U256::from(bytes) }).await {
            Some(fee) => Some(fee),
            None => self.largest_fee(getL1FeeCall { data: incompressible(bytes + SIGNATURE_BYTES) }).await,
        };
        fee.ok_or_else(|| RpcError::Unreachable("it does not tell the fee for the data of a transaction".to_owned()))
    }

    /// True if one of the nodes shows code there. False is kept where each of them has answered.
    pub(super) async fn has_gas_price_oracle(&self) -> Result<bool, RpcError> {
        if let Some(has_oracle) = self.has_data_fee.get() {
            return Ok(*has_oracle);
        }
        let (mut has_oracle, mut answers, mut last) = (false, 0, None);
        for code in self.rpc.tell_all::<Bytes>("eth_getCode", (GAS_PRICE_ORACLE, "latest")).await {
            match code {
                Ok(code) => (has_oracle, answers) = (has_oracle || !code.is_empty(), answers + 1),
                Err(error) => last = Some(error),
            }
        }
        match last {
            Some(error) if answers == 0 => Err(error),
            Some(_) if !has_oracle => Ok(false),
            Some(_) | None => Ok(*self.has_data_fee.get_or_init(|| has_oracle)),
        }
    }

    /// The largest fee that a node tells; none where no node tells one.
    async fn largest_fee<C: SolCall<Return = U256>>(&self, call: C) -> Option<u128> {
        let call = CallWire { from: None, to: GAS_PRICE_ORACLE, data: call.abi_encode().into() };
        let answers = self.rpc.tell_all::<Bytes>("eth_call", (call, "latest")).await;
        let fees = answers.iter().flatten().filter_map(|answer| C::abi_decode_returns(answer).ok());
        fees.max().map(|fee| u128::try_from(fee).unwrap_or(u128::MAX))
    }
}

/// So many bytes that nothing makes shorter, as those of a call could be.
fn incompressible(bytes: usize) -> Bytes {
    let hashes = (0_u64..).flat_map(|number| keccak256(number.to_be_bytes()).0);
    hashes.take(bytes).collect::<Vec<u8>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_are_those_of_the_contract() {
        let selector = |call: &[u8]| data_encoding::HEXLOWER.encode(&call[..4]);
        let of_size = getL1FeeUpperBoundCall { unsignedTxSize: U256::from(300) }.abi_encode();
        assert_eq!((selector(&of_size).as_str(), of_size[35], of_size[34]), ("f1c7a58b", 44, 1));
        assert_eq!(selector(&getL1FeeCall { data: Bytes::new() }.abi_encode()), "49948e0e");
    }

    #[test]
    fn bytes_are_as_many_as_asked_for() {
        for bytes in [0, 31, 32, 33, 700] {
            assert_eq!(incompressible(bytes).len(), bytes);
        }
    }
}
