//! Every transfer of a configured token to our address in a span of time, as one node of the chain tells it: what was paid is
//! compared with what was credited, so that nothing of ours decides which transfers are looked for.

use alloy::primitives::{Address, B256, U64};
use alloy::sol_types::SolEvent;

use crate::chains::incoming::is_current;
use crate::chains::rpc::RpcError;
use crate::chains::{EvmAddress, IncomingTransfer};

use super::network::EvmNetwork;
use super::search::{BLOCKS_AT_ONCE, Width};
use super::token::contract::Transfer;
use super::wire::{Block, BlockWire, IncomingFilterWire, LogWire};

impl EvmNetwork {
    /// How many nodes there are.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.rpc.count()
    }

    /// Transfers of the configured tokens to `pay_to` in the blocks since a time that lie as deep in the chain of this node as a
    /// payment has to. What `pay_to` sends to itself is none. Times are unix seconds.
    ///
    /// # Errors
    /// When the node does not answer, refuses even one block, or has had no new block for an hour.
    pub async fn incoming(
        &self,
        node: usize,
        since_seconds: u64,
        now_seconds: u64,
    ) -> Result<Vec<IncomingTransfer>, RpcError> {
        let newest = self.block_patiently(node, "latest").await?.ok_or(RpcError::Behind)?;
        is_current(newest.timestamp, now_seconds)?;
        let Some(settled) = self.settled_by(Some(node), self.config().depth).await? else { return Ok(Vec::new()) };
        let Some(first) = self.first_since(node, settled, since_seconds).await? else { return Ok(Vec::new()) };
        self.incoming_in(node, first, settled.number).await
    }

    /// Transfers of any token to an address in one transaction. None where this node does not have it in a block of its chain, or it
    /// was not carried out.
    ///
    /// # Errors
    /// When the node does not answer, or has not got so far.
    pub async fn incoming_by(
        &self,
        node: usize,
        transaction: &[u8; 32],
        to: &EvmAddress,
    ) -> Result<Option<Vec<IncomingTransfer>>, RpcError> {
        let found = self.receipt_by(node, transaction).await?.filter(|(receipt, _)| receipt.done);
        Ok(found.map(|(receipt, _)| receipt.incoming(to)))
    }

    /// When a block was made, in unix seconds, as any node says.
    ///
    /// # Errors
    /// When no node answers, or it does not have the block.
    pub async fn time_of(&self, block: u64) -> Result<u64, RpcError> {
        let block = self.block_by(None, U64::from(block)).await?.ok_or(RpcError::Behind)?;
        Ok(block.timestamp)
    }

    /// The first block that was made at a time or after it; none where the last one was made before.
    async fn first_since(&self, node: usize, last: Block, since_seconds: u64) -> Result<Option<u64>, RpcError> {
        if last.timestamp < since_seconds {
            return Ok(None);
        }
        // A binary search: at most 64 questions.
        let (mut low, mut high) = (0, last.number);
        while low < high {
            let middle = low + (high - low) / 2;
            let block = self.block_patiently(node, U64::from(middle)).await?.ok_or(RpcError::Behind)?;
            if block.timestamp < since_seconds { low = middle + 1 } else { high = middle }
        }
        Ok(Some(low))
    }

    async fn block_patiently(&self, node: usize, which: impl serde::Serialize) -> Result<Option<Block>, RpcError> {
        let block: Option<BlockWire> = self.rpc.ask_patiently(node, "eth_getBlockByNumber", (which, false)).await?;
        Ok(block.map(Block::from))
    }

    /// Both ends included. Fewer blocks are asked for at once where the node refuses.
    async fn incoming_in(&self, node: usize, from: u64, to: u64) -> Result<Vec<IncomingTransfer>, RpcError> {
        let us = self.config().pay_to;
        let tokens: Vec<Address> = self.config().tokens.iter().map(|token| Address::from(token.address.0)).collect();
        let topics: [Option<B256>; 3] = [Some(Transfer::SIGNATURE_HASH), None, Some(Address::from(us.0).into_word())];
        let (mut next, mut width, mut found) = (from, Width::new(BLOCKS_AT_ONCE), Vec::new());
        while next <= to {
            let last = to.min(next.saturating_add(width.now - 1));
            let (from_block, to_block) = (U64::from(next), U64::from(last));
            let filter = IncomingFilterWire { address: &tokens, topics, from_block, to_block };
            match self.rpc.ask_patiently::<Vec<LogWire>>(node, "eth_getLogs", [filter]).await {
                Ok(logs) => {
                    let of_tokens = logs.iter().filter(|log| tokens.contains(&log.address));
                    let incoming = of_tokens.filter_map(|log| log.incoming(&us));
                    let is_ours = |transfer: &IncomingTransfer| transfer.payer.as_deref() == Some(&*us.to_string());
                    found.extend(
                        incoming.filter(|transfer| (next..=last).contains(&transfer.block) && !is_ours(transfer)),
                    );
                    width.answered();
                    next = last + 1;
                }
                Err(RpcError::Refused { .. }) if width.refused(last - next + 1) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}
