//! Every transfer of a configured token to our address in a span of time, as one node of the chain tells it: what was paid is
//! compared with what was credited, so that nothing of ours decides which transfers are looked for.

use alloy::primitives::{Address, B256, U64};
use alloy::sol_types::SolEvent;

use crate::incoming::{LEFT_OUT_MAX, QUESTIONS_MAX, QuestionBudget, is_bounded, is_current, is_settling};
use crate::rpc::RpcError;
use crate::{EvmAddress, IncomingScan, IncomingTransfer, SkippedBlocks};

use super::ConfirmationDepth;
use super::event_searches::{BLOCKS_AT_ONCE, BlockBatchSize};
use super::network::EvmNetwork;
use super::token::contract::Transfer;
use super::wire::{BlockWire, EvmBlock, IncomingFilterWire, LogWire};

impl EvmNetwork {
    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.rpc.count()
    }

    /// Transfers of the configured tokens to `pay_to` in the blocks since a time that lie as deep in the chain of this node as a
    /// payment has to. What `pay_to` sends to itself is none, nor is a transfer of nothing. Single blocks that the node refuses are
    /// left out and told. Times are unix seconds.
    ///
    /// # Errors
    /// When the node does not answer, refuses too many blocks, has had no new block for an hour or no new settled one for half a
    /// day, or would have to be asked, or tells, more than one comparison takes.
    pub async fn incoming(&self, node: usize, since_seconds: u64, now_seconds: u64) -> Result<IncomingScan, RpcError> {
        let newest = self.block_patiently(node, "latest").await?.ok_or(RpcError::Behind)?;
        is_current(newest.timestamp, now_seconds)?;
        // A chain that is shorter than payments have to lie deep has none.
        let is_short =
            |depth: ConfirmationDepth| matches!(depth, ConfirmationDepth::Blocks(blocks) if newest.number < blocks);
        let Some(settled) = self.settled_by(Some(node), self.config().depth).await? else {
            return if is_short(self.config().depth) { Ok(IncomingScan::default()) } else { Err(RpcError::Behind) };
        };
        is_settling(settled.timestamp, now_seconds)?;
        let mut budget = QuestionBudget::new(QUESTIONS_MAX);
        let Some(first) = self.first_since(node, settled, since_seconds).await? else {
            return Ok(IncomingScan::default());
        };
        self.incoming_in(node, (first, settled.number), &mut budget).await
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

    /// The time at which a block was made, in unix seconds, as any node says.
    ///
    /// # Errors
    /// When no node answers, or it does not have the block.
    pub async fn time_of(&self, block: u64) -> Result<u64, RpcError> {
        let block = self.block_by(None, U64::from(block)).await?.ok_or(RpcError::Behind)?;
        Ok(block.timestamp)
    }

    /// The first block that was made at a time or after it; none where the last one was made before. Goes back from the last one in
    /// steps that double, as many nodes have no old blocks.
    async fn first_since(&self, node: usize, last: EvmBlock, since_seconds: u64) -> Result<Option<u64>, RpcError> {
        if last.timestamp < since_seconds {
            return Ok(None);
        }
        // `high` was made since; what is below `low` was made before, or the node does not have it. At most 128 questions.
        let (mut low, mut high, mut step, mut is_missing) = (0, last.number, BLOCKS_AT_ONCE, false);
        while low == 0 && high > 0 {
            let block = high.saturating_sub(step);
            match self.is_since(node, block, since_seconds).await? {
                Some(true) => high = block,
                told => (low, is_missing) = (block + 1, told.is_none()),
            }
            step = step.saturating_mul(2);
        }
        while low < high {
            let middle = low + (high - low) / 2;
            match self.is_since(node, middle, since_seconds).await? {
                Some(true) => high = middle,
                told => (low, is_missing) = (middle + 1, told.is_none()),
            }
        }
        if is_missing {
            return Err(RpcError::Unreachable(format!("it has no blocks before {low}, which was made since")));
        }
        Ok(Some(low))
    }

    /// True where a block was made at a time or after it; none where the node does not have it.
    async fn is_since(&self, node: usize, block: u64, since_seconds: u64) -> Result<Option<bool>, RpcError> {
        match self.block_patiently(node, U64::from(block)).await {
            Ok(block) => Ok(block.map(|block| block.timestamp >= since_seconds)),
            Err(RpcError::Refused { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn block_patiently(&self, node: usize, which: impl serde::Serialize) -> Result<Option<EvmBlock>, RpcError> {
        let block: Option<BlockWire> = self.rpc.ask_patiently(node, "eth_getBlockByNumber", (which, false)).await?;
        Ok(block.map(EvmBlock::from))
    }

    /// The transfers in a range of blocks, both ends included.
    /// Fewer blocks are asked for at once where the node refuses; a single one that it refuses is left out.
    async fn incoming_in(
        &self,
        node: usize,
        (from, to): (u64, u64),
        budget: &mut QuestionBudget,
    ) -> Result<IncomingScan, RpcError> {
        let (mut next, mut width, mut found) = (from, BlockBatchSize::new(BLOCKS_AT_ONCE), IncomingScan::default());
        let mut is_answered = false;
        while next <= to {
            budget.take()?;
            let last = to.min(next.saturating_add(width.now - 1));
            match self.logs_in(node, next, last).await {
                Ok(transfers) => {
                    found.transfers.extend(transfers);
                    is_bounded(found.transfers.len())?;
                    is_answered = true;
                    width.answered();
                }
                Err(RpcError::Refused { .. }) if width.refused(last - next + 1) => continue,
                Err(refused @ RpcError::Refused { .. }) => {
                    width = BlockBatchSize::new(1);
                    let left_out = found
                        .left_out
                        .get_or_insert_with(|| SkippedBlocks { blocks: Vec::new(), why: refused.to_string() });
                    left_out.blocks.push(next);
                    if left_out.blocks.len() > LEFT_OUT_MAX {
                        return Err(refused);
                    }
                }
                Err(error) => return Err(error),
            }
            let Some(after) = last.checked_add(1) else { break };
            next = after;
        }
        match found.left_out {
            // One that refuses everything has told nothing.
            Some(left_out) if !is_answered => Err(RpcError::Unreachable(left_out.why)),
            _ => Ok(found),
        }
    }

    async fn logs_in(&self, node: usize, from: u64, to: u64) -> Result<Vec<IncomingTransfer>, RpcError> {
        let us = self.config().pay_to;
        let tokens: Vec<Address> = self.config().tokens.iter().map(|token| Address::from(token.address.0)).collect();
        let topics: [Option<B256>; 3] = [Some(Transfer::SIGNATURE_HASH), None, Some(Address::from(us.0).into_word())];
        let (from_block, to_block) = (U64::from(from), U64::from(to));
        let filter = [IncomingFilterWire { address: &tokens, topics, from_block, to_block }];
        let logs: Vec<LogWire> = match from == to {
            true => self.rpc.ask_about_block(node, "eth_getLogs", filter).await?,
            false => self.rpc.ask_patiently(node, "eth_getLogs", filter).await?,
        };
        let own = us.to_string();
        let is_incoming = |transfer: &IncomingTransfer| {
            transfer.amount > 0
                && (from..=to).contains(&transfer.block)
                && transfer.payer.as_deref() != Some(own.as_str())
        };
        let of_tokens = logs.iter().filter(|log| tokens.contains(&log.address));
        Ok(of_tokens.filter_map(|log| log.incoming(&us)).filter(is_incoming).collect())
    }
}

#[cfg(test)]
mod tests;
