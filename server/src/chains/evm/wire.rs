//! What nodes answer, as far as it is read.

use alloy::primitives::{Address, B256, Bytes, U64, U128};
use alloy::sol_types::SolEvent;
use serde::{Deserialize, Serialize};

use crate::chains::EvmAddress;

use super::Units;
use super::token::contract::Transfer;

/// A block, by its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Its number.
    pub number: u64,
    /// When it was made, in unix seconds.
    pub timestamp: u64,
    /// What a unit of work costs in it, in wei.
    pub base_fee: u128,
}

/// What became of a transaction that is in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The transaction.
    pub hash: [u8; 32],
    /// The block.
    pub block: u64,
    /// Whether it was carried out.
    pub done: bool,
    logs: Vec<LogWire>,
}

impl Receipt {
    /// Whether it moved exactly so much of the token from one to the other. That it was carried out is not enough: a contract
    /// may do something else, or keep a part.
    #[must_use]
    pub fn moved(&self, token: &EvmAddress, from: &EvmAddress, to: &EvmAddress, value: &Units) -> bool {
        let exact = |log: &LogWire| {
            let decoded = Transfer::decode_raw_log(log.topics.iter().copied(), &log.data);
            log.address.0.0 == token.0
                && !log.removed
                && decoded.is_ok_and(|moved| moved.from.0.0 == from.0 && moved.to.0.0 == to.0 && moved.value == value.0)
        };
        self.done && self.logs.iter().any(exact)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct BlockWire {
    number: U64,
    timestamp: U64,
    #[serde(rename = "baseFeePerGas", default)]
    base_fee: U128,
}

impl From<BlockWire> for Block {
    fn from(wire: BlockWire) -> Self {
        Self { number: wire.number.to(), timestamp: wire.timestamp.to(), base_fee: wire.base_fee.to() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceiptWire {
    transaction_hash: B256,
    block_number: Option<U64>,
    status: Option<U64>,
    logs: Vec<LogWire>,
}

impl ReceiptWire {
    /// None where it is in no block yet.
    pub(super) fn read(self) -> Option<Receipt> {
        let done = self.status == Some(U64::from(1));
        Some(Receipt { hash: self.transaction_hash.0, block: self.block_number?.to(), done, logs: self.logs })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogWire {
    pub(super) address: Address,
    pub(super) topics: Vec<B256>,
    pub(super) data: Bytes,
    #[serde(default)]
    pub(super) transaction_hash: Option<B256>,
    #[serde(default)]
    pub(super) block_number: Option<U64>,
    #[serde(default)]
    pub(super) removed: bool,
}

/// A transaction that is tried without being sent.
#[derive(Debug, Serialize)]
pub(super) struct CallWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Address>,
    pub(super) to: Address,
    pub(super) data: Bytes,
}

/// Which events are wanted.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilterWire {
    pub(super) address: Address,
    /// In each place any one of these.
    pub(super) topics: [Vec<B256>; 3],
    pub(super) from_block: U64,
    pub(super) to_block: U64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: EvmAddress = EvmAddress([9; 20]);
    const FROM: EvmAddress = EvmAddress([1; 20]);
    const TO: EvmAddress = EvmAddress([2; 20]);

    fn receipt(status: u8, token: EvmAddress, to: EvmAddress, value: u8) -> Receipt {
        let address = |address: EvmAddress| format!("0x{:0>64}", data_encoding::HEXLOWER.encode(&address.0));
        let wire = serde_json::json!({
            "transactionHash": format!("0x{}", "aa".repeat(32)), "blockNumber": "0x10", "status": format!("{status:#x}"),
            "logs": [{
                "address": token.to_string(), "data": format!("0x{value:064x}"),
                "topics": [Transfer::SIGNATURE_HASH, address(FROM), address(to)],
            }],
        });
        serde_json::from_value::<ReceiptWire>(wire).unwrap().read().unwrap()
    }

    #[test]
    fn money_has_moved_only_as_it_was_signed() {
        let five: Units = "5".parse().unwrap();
        let moved = |receipt: Receipt| receipt.moved(&TOKEN, &FROM, &TO, &five);
        assert!(moved(receipt(1, TOKEN, TO, 5)));
        assert!(!moved(receipt(0, TOKEN, TO, 5)), "taken back");
        assert!(!moved(receipt(1, EvmAddress([8; 20]), TO, 5)), "another token");
        assert!(!moved(receipt(1, TOKEN, FROM, 5)), "to another");
        assert!(!moved(receipt(1, TOKEN, TO, 4)) && !moved(receipt(1, TOKEN, TO, 6)), "another amount");
    }
}
