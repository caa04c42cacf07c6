//! The answers of nodes, as far as they are read.

use alloy::primitives::{Address, B256, Bytes, U64, U128, U256};
use alloy::sol_types::SolEvent;
use serde::{Deserialize, Serialize};

use super::token::contract::{AuthorizationUsed, Transfer};
use super::{EvmMethod, EvmToken, TransferAuthorization};
use crate::{EvmAddress, IncomingTransfer};

/// A block, by its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvmBlock {
    /// Its number.
    pub number: u64,
    /// Its hash, by which it is told from another block of this number.
    pub hash: [u8; 32],
    /// The time at which it was made, in unix seconds.
    pub timestamp: u64,
    /// The base fee of a unit of gas in it, in wei.
    pub base_fee: u128,
}

/// The receipt of a transaction that is in a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvmReceipt {
    /// The transaction.
    pub hash: [u8; 32],
    /// The block.
    pub block: u64,
    /// The block's hash, where the node tells it.
    pub block_hash: Option<[u8; 32]>,
    /// True if it was carried out.
    pub done: bool,
    logs: Vec<LogWire>,
}

/// The transfer that a receipt shows of an authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvmTransferOutcome {
    /// It moved exactly what it says.
    Exactly,
    /// Something else came of it from who was to pay to who was to be paid: the place of the transfer in its block.
    Otherwise(u64),
    /// It was used, and nothing of the kind came.
    Nothing,
    /// That it was used is not shown at all.
    Unshown,
}

impl EvmReceipt {
    /// The transfer that this authorization made.
    /// That the transaction was carried out is not enough: a contract may do something else, or keep a part. Nor is it that such
    /// a transfer is in it: a payer can use up the names of several authorizations beside one transfer. A token tells the use of
    /// an authorization and then the transfer it was used for, so what comes next from that token has to be it, and each transfer
    /// is of one authorization. Of a payment by Permit2 nothing of the kind is told; there the transaction itself is known to be
    /// the one call that carries it out.
    #[must_use]
    pub fn transfer_outcome(&self, token: &EvmToken, authorization: &TransferAuthorization) -> EvmTransferOutcome {
        if !self.done {
            return EvmTransferOutcome::Unshown;
        }
        let (payer, name) = (Address::from(authorization.from.0).into_word(), B256::from(authorization.nonce));
        let is_use = |log: &&LogWire| log.topics.first() == Some(&AuthorizationUsed::SIGNATURE_HASH);
        let is_own = |log: &&LogWire| log.topics[..] == [AuthorizationUsed::SIGNATURE_HASH, payer, name];
        let of_token: Vec<&LogWire> =
            self.logs.iter().filter(|log| log.address.0.0 == token.address.0 && !log.removed).collect();
        let is_exact = |log: &LogWire| transferred_amount(log, authorization) == Some(authorization.value.0);
        let some = |logs: &[&LogWire], least: U256| {
            let came =
                logs.iter().find(|log| transferred_amount(log, authorization).is_some_and(|value| value >= least));
            came.map(|log| EvmTransferOutcome::Otherwise(log.log_index.map_or(0, |index| index.to())))
        };
        match &token.method {
            EvmMethod::Eip3009 { .. } => {
                let Some(own) = of_token.iter().position(is_own) else { return EvmTransferOutcome::Unshown };
                let after = &of_token[own + 1..];
                let after = &after[..after.iter().position(is_use).unwrap_or(after.len())];
                match after.first() {
                    Some(next) if is_exact(next) => EvmTransferOutcome::Exactly,
                    // Two authorizations can have one name. Whoever spends one over a grain must not end an order by the other.
                    _ => some(after, (authorization.value.0 / U256::from(2)).max(U256::ONE))
                        .unwrap_or(EvmTransferOutcome::Nothing),
                }
            }
            EvmMethod::Permit2 if of_token.iter().any(|log| is_exact(log)) => EvmTransferOutcome::Exactly,
            EvmMethod::Permit2 => some(&of_token, U256::ONE).unwrap_or(EvmTransferOutcome::Unshown),
        }
    }

    /// The transfers in it to an address, of any token.
    pub(super) fn incoming(&self, to: &EvmAddress) -> Vec<IncomingTransfer> {
        self.logs.iter().filter_map(|log| log.incoming(to)).collect()
    }

    /// The transfers in it from the authorization's payer to its receiver: the place and the amount of each.
    pub(super) fn transfers(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
    ) -> Vec<(Option<U64>, U256)> {
        let of_token = self.logs.iter().filter(|log| log.address.0.0 == token.address.0 && !log.removed);
        of_token.filter_map(|log| Some((log.log_index, transferred_amount(log, authorization)?))).collect()
    }
}

impl LogWire {
    /// The transfer to an address that an event tells; none where it tells something else, or is of no block.
    pub(super) fn incoming(&self, to: &EvmAddress) -> Option<IncomingTransfer> {
        let moved = Transfer::decode_raw_log(self.topics.iter().copied(), &self.data).ok()?;
        if self.removed || moved.to.0.0 != to.0 {
            return None;
        }
        Some(IncomingTransfer {
            transaction: self.transaction_hash?.to_string(),
            place: Some(self.log_index?.to()),
            asset: EvmAddress(self.address.0.0).to_string(),
            payer: Some(EvmAddress(moved.from.0.0).to_string()),
            amount: u128::try_from(moved.value).unwrap_or(u128::MAX),
            block: self.block_number?.to(),
            at_seconds: None,
            memo: None,
        })
    }
}

/// The amount that an event moves from the authorization's payer to its receiver.
pub(super) fn transferred_amount(log: &LogWire, authorization: &TransferAuthorization) -> Option<U256> {
    let moved = Transfer::decode_raw_log(log.topics.iter().copied(), &log.data).ok()?;
    let is_ours = moved.from.0.0 == authorization.from.0 && moved.to.0.0 == authorization.to.0;
    is_ours.then_some(moved.value)
}

#[derive(Debug, Deserialize)]
pub(super) struct BlockWire {
    number: U64,
    hash: B256,
    timestamp: U64,
    #[serde(rename = "baseFeePerGas", default)]
    base_fee: U128,
}

impl From<BlockWire> for EvmBlock {
    fn from(wire: BlockWire) -> Self {
        let BlockWire { number, hash, timestamp, base_fee } = wire;
        Self { number: number.to(), hash: hash.0, timestamp: timestamp.to(), base_fee: base_fee.to() }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReceiptWire {
    transaction_hash: B256,
    block_number: Option<U64>,
    #[serde(default)]
    block_hash: Option<B256>,
    status: Option<U64>,
    logs: Vec<LogWire>,
}

impl ReceiptWire {
    /// The receipt; none where it is in no block yet.
    pub(super) fn read(self) -> Option<EvmReceipt> {
        let done = self.status == Some(U64::from(1));
        let (block, block_hash) = (self.block_number?.to(), self.block_hash.map(|hash| hash.0));
        Some(EvmReceipt { hash: self.transaction_hash.0, block, block_hash, done, logs: self.logs })
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
    pub(super) block_hash: Option<B256>,
    #[serde(default)]
    pub(super) log_index: Option<U64>,
    #[serde(default)]
    pub(super) removed: bool,
}

/// A transaction, as far as it says what is called.
#[derive(Debug, Deserialize)]
pub(super) struct EvmTransactionWire {
    #[serde(default)]
    pub(super) to: Option<Address>,
    pub(super) input: Bytes,
}

/// A transaction that is tried without being sent.
#[derive(Debug, Serialize)]
pub(super) struct CallWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<Address>,
    pub(super) to: Address,
    pub(super) data: Bytes,
}

/// A filter of events.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FilterWire {
    pub(super) address: Address,
    /// The wanted topics: in each place any one of these.
    pub(super) topics: Vec<Vec<B256>>,
    pub(super) from_block: U64,
    pub(super) to_block: U64,
}

/// A filter of transfers: of any of these tokens, by anybody, to one address.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IncomingFilterWire<'a> {
    pub(super) address: &'a [Address],
    /// The event, the sender and the receiver; absent where any fits.
    pub(super) topics: [Option<B256>; 3],
    pub(super) from_block: U64,
    pub(super) to_block: U64,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TOKEN: EvmAddress = EvmAddress([9; 20]);
    const FROM: EvmAddress = EvmAddress([1; 20]);
    const TO: EvmAddress = EvmAddress([2; 20]);

    const NAME: [u8; 32] = [7; 32];

    fn token() -> EvmToken {
        let method = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        EvmToken { symbol: "USDC".to_owned(), address: TOKEN, decimals: 6, method }
    }

    fn word(address: EvmAddress) -> String {
        format!("0x{:0>64}", data_encoding::HEXLOWER.encode(&address.0))
    }

    fn used(token: EvmAddress, name: [u8; 32]) -> Value {
        let topics = [json!(AuthorizationUsed::SIGNATURE_HASH), json!(word(FROM)), json!(B256::from(name))];
        json!({"address": token.to_string(), "data": "0x", "topics": topics})
    }

    fn transfer(token: EvmAddress, to: EvmAddress, value: u8) -> Value {
        let topics = [json!(Transfer::SIGNATURE_HASH), json!(word(FROM)), json!(word(to))];
        json!({"address": token.to_string(), "data": format!("0x{value:064x}"), "topics": topics, "logIndex": "0x7"})
    }

    fn receipt(status: u8, logs: &[Value]) -> EvmReceipt {
        let wire = json!({
            "transactionHash": format!("0x{}", "aa".repeat(32)), "blockNumber": "0x10", "status": format!("{status:#x}"),
            "logs": logs,
        });
        serde_json::from_value::<ReceiptWire>(wire).unwrap().read().unwrap()
    }

    fn five() -> TransferAuthorization {
        TransferAuthorization {
            from: FROM,
            to: TO,
            value: "5".parse().unwrap(),
            valid_after: "0".parse().unwrap(),
            valid_before: "9".parse().unwrap(),
            nonce: NAME,
        }
    }

    #[test]
    fn money_has_moved_only_as_it_was_signed() {
        let moved = |status, logs: &[Value]| {
            receipt(status, logs).transfer_outcome(&token(), &five()) == EvmTransferOutcome::Exactly
        };
        let (right, other) = (transfer(TOKEN, TO, 5), EvmAddress([8; 20]));
        assert!(moved(1, &[used(TOKEN, NAME), right.clone()]));
        assert!(moved(1, &[used(TOKEN, NAME), transfer(other, TO, 1), right.clone()]), "another token between");
        assert!(!moved(0, &[used(TOKEN, NAME), right.clone()]), "taken back");
        assert!(!moved(1, &[used(TOKEN, NAME), transfer(other, TO, 5)]), "another token");
        assert!(!moved(1, &[used(TOKEN, NAME), transfer(TOKEN, FROM, 5)]), "to another");
        for value in [4, 6] {
            assert!(!moved(1, &[used(TOKEN, NAME), transfer(TOKEN, TO, value)]), "another amount");
        }
        assert!(!moved(1, &[right]), "by no authorization");
    }

    #[test]
    fn a_transfer_is_of_the_one_authorization_that_it_follows() {
        let moved =
            |logs: &[Value]| receipt(1, logs).transfer_outcome(&token(), &five()) == EvmTransferOutcome::Exactly;
        let (right, nothing) = (transfer(TOKEN, TO, 5), transfer(TOKEN, FROM, 0));
        // Used up by a transfer of nothing, beside a payment by another name.
        assert!(!moved(&[used(TOKEN, NAME), nothing.clone(), used(TOKEN, [8; 32]), right.clone()]));
        assert!(!moved(&[used(TOKEN, [8; 32]), right.clone(), used(TOKEN, NAME), nothing.clone()]));
        assert!(moved(&[used(TOKEN, [8; 32]), nothing, used(TOKEN, NAME), right]));
    }

    #[test]
    fn what_came_otherwise_is_told_from_nothing_and_from_what_is_not_shown() {
        let (exact, less, nothing) = (transfer(TOKEN, TO, 5), transfer(TOKEN, TO, 4), transfer(TOKEN, FROM, 5));
        let permit = EvmToken { method: EvmMethod::Permit2, ..token() };
        let own = used(TOKEN, NAME);
        for (logs, expected) in [
            (vec![], [EvmTransferOutcome::Unshown, EvmTransferOutcome::Unshown]),
            (vec![exact.clone()], [EvmTransferOutcome::Unshown, EvmTransferOutcome::Exactly]),
            (vec![own.clone()], [EvmTransferOutcome::Nothing, EvmTransferOutcome::Unshown]),
            (vec![own.clone(), nothing.clone()], [EvmTransferOutcome::Nothing, EvmTransferOutcome::Unshown]),
            (
                vec![own.clone(), less.clone(), nothing.clone()],
                [EvmTransferOutcome::Otherwise(7), EvmTransferOutcome::Otherwise(7)],
            ),
            (vec![own.clone(), nothing, less], [EvmTransferOutcome::Otherwise(7), EvmTransferOutcome::Otherwise(7)]),
            // A grain by another authorization of the same name.
            (
                vec![own.clone(), transfer(TOKEN, TO, 1)],
                [EvmTransferOutcome::Nothing, EvmTransferOutcome::Otherwise(7)],
            ),
            // That of another one behind it is not its own.
            (vec![own, used(TOKEN, [8; 32]), exact], [EvmTransferOutcome::Nothing, EvmTransferOutcome::Exactly]),
        ] {
            let receipt = receipt(1, &logs);
            let found = [receipt.transfer_outcome(&token(), &five()), receipt.transfer_outcome(&permit, &five())];
            assert_eq!(found, expected, "{logs:?}");
        }
        assert_eq!(receipt(0, &[used(TOKEN, NAME)]).transfer_outcome(&token(), &five()), EvmTransferOutcome::Unshown);
    }

    #[test]
    fn a_permit_moves_exactly_what_it_says() {
        let plain = EvmToken { method: EvmMethod::Permit2, ..token() };
        let moved = |status, logs: &[Value]| {
            receipt(status, logs).transfer_outcome(&plain, &five()) == EvmTransferOutcome::Exactly
        };
        let other = EvmAddress([8; 20]);
        assert!(moved(1, &[transfer(TOKEN, TO, 5)]));
        assert!(!moved(0, &[transfer(TOKEN, TO, 5)]), "taken back");
        assert!(!moved(1, &[transfer(other, TO, 5)]), "another token");
        assert!(!moved(1, &[transfer(TOKEN, other, 5)]), "to another");
        assert!(!moved(1, &[transfer(TOKEN, TO, 4), transfer(TOKEN, other, 1)]), "less a fee");
        assert!(!moved(1, &[]));
    }
}
