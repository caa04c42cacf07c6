//! What the nodes of a chain show of a payment that is said to have been carried out: what a node tells of it is held against
//! the chain that the same node has, so that one which still shows what was taken back shows nothing.

use alloy::primitives::{Address, B256, U64};
use alloy::sol_types::SolEvent;
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::chains::rpc::RpcError;

use super::network::{EvmNetwork, behind};
use super::token::contract::Transfer;
use super::wire::{Block, BlockWire, FilterWire, LogWire, Moved, Receipt, ReceiptWire, came};
use super::{Authorization, EvmToken, Units};

/// What the nodes show of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// It came, exactly as it was signed.
    Came,
    /// Something else came of it, by the transfer at this place of its block.
    Otherwise(u64),
    /// It was used up, and nothing came.
    Nothing,
    /// The transaction was carried out, and does not say what for.
    Unclear,
    /// The transaction is in no block of theirs, or in one that was taken back.
    Gone,
}

impl EvmNetwork {
    /// What a transaction shows of a payment, in blocks up to `settled`, which is final. That it came is believed of one node, or
    /// where it is much, of two that show the same; anything else, of all of them alone.
    ///
    /// # Errors
    /// When they do not answer or do not agree, or one is behind or says two things.
    pub async fn shown(
        &self,
        token: &EvmToken,
        authorization: &Authorization,
        hash: &[u8; 32],
        settled: u64,
    ) -> Result<Shown, RpcError> {
        let witnesses = self.witnesses(token, authorization);
        let nodes = 0..self.rpc.count();
        let mut asked: FuturesUnordered<_> =
            nodes.map(|node| self.shown_by(node, token, authorization, hash, settled)).collect();
        let (mut came, mut told, mut last) = (Vec::new(), Vec::new(), None);
        while let Some(answer) = asked.next().await {
            match answer {
                Ok((Shown::Came, block)) => {
                    came.push(block);
                    if came.iter().filter(|other| **other == block).count() >= witnesses {
                        return Ok(Shown::Came);
                    }
                }
                Ok((shown, _)) => told.push(shown),
                Err(error) => last = Some(error),
            }
        }
        match (&told[..], last) {
            (_, Some(error)) => Err(error),
            ([first, rest @ ..], None) if came.is_empty() && rest.iter().all(|other| other == first) => Ok(*first),
            _ => Err(RpcError::Unreachable("its nodes do not agree".to_owned())),
        }
    }

    /// How many nodes have to show a payment. One that is alone has nobody beside it.
    fn witnesses(&self, token: &EvmToken, authorization: &Authorization) -> usize {
        let most = Units::of_usd(self.config().two_above, token.decimals);
        let is_much = most.is_none_or(|most| authorization.value > most);
        if is_much { self.rpc.count().min(2) } else { 1 }
    }

    /// What one of them shows, and by which block.
    async fn shown_by(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &Authorization,
        hash: &[u8; 32],
        settled: u64,
    ) -> Result<(Shown, [u8; 32]), RpcError> {
        let receipt: Option<ReceiptWire> =
            self.rpc.ask_of(node, "eth_getTransactionReceipt", [B256::from(*hash)]).await?;
        let receipt = receipt.and_then(ReceiptWire::read).filter(|receipt| receipt.hash == *hash);
        let Some(receipt) = receipt else { return Ok((Shown::Gone, [0; 32])) };
        let block: Option<BlockWire> =
            self.rpc.ask_of(node, "eth_getBlockByNumber", (U64::from(receipt.block), false)).await?;
        let block = block.map(Block::from).ok_or_else(behind)?;
        if receipt.block_hash != Some(block.hash) {
            return Ok((Shown::Gone, block.hash));
        }
        if !receipt.done || receipt.block > settled {
            return Err(RpcError::Unreachable("it shows it otherwise than another".to_owned()));
        }
        let shown = match receipt.moved(token, authorization) {
            Moved::Exactly => Shown::Came,
            Moved::Unshown => return Ok((Shown::Unclear, block.hash)),
            // Its events, asked for by themselves, have to say the same: nothing else is believed of a receipt alone.
            Moved::Otherwise(_) | Moved::Nothing if !self.agrees(node, token, authorization, &receipt).await? => {
                return Err(RpcError::Unreachable("its receipt and its events do not agree".to_owned()));
            }
            Moved::Otherwise(place) => Shown::Otherwise(place),
            Moved::Nothing => Shown::Nothing,
        };
        if !self.is_spent_by(node, token, authorization, settled).await? {
            return Err(RpcError::Unreachable("it shows what came, and that nothing did".to_owned()));
        }
        Ok((shown, block.hash))
    }

    /// Whether the transfers of a receipt are those that the same node tells of its block.
    async fn agrees(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &Authorization,
        receipt: &Receipt,
    ) -> Result<bool, RpcError> {
        let word_of = |address: [u8; 20]| vec![Address::from(address).into_word()];
        let topics = vec![vec![Transfer::SIGNATURE_HASH], word_of(authorization.from.0), word_of(authorization.to.0)];
        let block = U64::from(receipt.block);
        let filter = FilterWire { address: Address::from(token.address.0), topics, from_block: block, to_block: block };
        let logs: Vec<LogWire> = self.rpc.ask_of(node, "eth_getLogs", [filter]).await?;
        let of_it = logs.iter().filter(|log| !log.removed && log.transaction_hash == Some(B256::from(receipt.hash)));
        let told: Vec<_> = of_it.filter_map(|log| Some((log.log_index, came(log, authorization)?))).collect();
        Ok(told == receipt.transfers(token, authorization))
    }

    /// Whether an authorization is used up as one node tells, of a block where it remembers that, or else of its newest one.
    async fn is_spent_by(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &Authorization,
        settled: u64,
    ) -> Result<bool, RpcError> {
        match self.is_spent_at(Some(node), token, authorization, U64::from(settled)).await {
            Err(RpcError::Refused { .. }) => self.is_spent_at(Some(node), token, authorization, "latest").await,
            told => told,
        }
    }
}
