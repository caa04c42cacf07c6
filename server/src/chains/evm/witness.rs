//! What the nodes of a chain show of a payment that is said to have been carried out: what a node tells of it is held against
//! the chain that the same node has, so that one which still shows what was taken back shows nothing.

use alloy::primitives::{B256, U64};
use futures_util::stream::{FuturesUnordered, StreamExt};

use crate::chains::rpc::RpcError;

use super::network::{EvmNetwork, behind};
use super::wire::{Block, BlockWire, ReceiptWire};
use super::{Authorization, EvmToken};

/// What the nodes show of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// It came, exactly as it was signed.
    Came,
    /// It did not.
    Otherwise,
    /// The transaction is in no block of theirs, or in one that was taken back.
    Gone,
}

impl EvmNetwork {
    /// What a transaction shows of a payment, in blocks up to `settled`, which is final. That it came is believed of so many
    /// nodes that show the same; anything else, of all of them alone.
    ///
    /// # Errors
    /// When they do not answer or do not agree, or one is behind or says two things.
    pub async fn shown(
        &self,
        token: &EvmToken,
        authorization: &Authorization,
        hash: &[u8; 32],
        settled: u64,
        witnesses: usize,
    ) -> Result<Shown, RpcError> {
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
        if !receipt.moved(token, authorization) {
            return Ok((Shown::Otherwise, block.hash));
        }
        if !self.is_spent_by(node, token, authorization, settled).await? {
            return Err(RpcError::Unreachable("it shows what came, and that nothing did".to_owned()));
        }
        Ok((Shown::Came, block.hash))
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
