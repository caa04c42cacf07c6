//! Looking for an event in many blocks, a part of them at a time. Nodes bound how many may be asked for at once, each in its
//! own way, and what is looked for may lie a day back: a search that does not come to its end goes on the next time where it
//! was.

use alloy::primitives::{Address, U64};
use alloy::sol_types::SolEvent;

use crate::rpc::RpcError;

use super::event_searches::{BLOCKS_AT_ONCE, BlockBatchSize, BlockRange, TopicFilter};
use super::network::EvmNetwork;
use super::token::contract::Transfer;
use super::wire::{FilterWire, LogWire};

/// Questions of a search in one go.
const QUESTIONS_MAX: usize = 400;

impl EvmNetwork {
    /// Asks for events as payments are looked for that others have carried: without them nobody knows what became of those.
    pub(super) async fn check_events(&self) -> Result<(), RpcError> {
        let Some(token) = self.config().tokens.first() else { return Ok(()) };
        let head = self.head().await?.number;
        let us = Address::from(self.config().pay_to.0).into_word();
        let topics = vec![vec![Transfer::SIGNATURE_HASH], vec![us], vec![us]];
        let mut width = BlockBatchSize::new(BLOCKS_AT_ONCE);
        loop {
            let span = BlockRange { from: head.saturating_sub(width.now - 1), to: head };
            match self.events(Address::from(token.address.0), topics.clone(), span).await {
                Ok(_) => break,
                Err(RpcError::Refused { .. }) if width.refused(width.now) => {}
                Err(error) => return Err(error),
            }
        }
        self.searches.set_blocks_at_once(width.now);
        Ok(())
    }

    /// The first event that fits, for the payment of a name. Where it was not found, all of the blocks were looked through, in
    /// one go or in several.
    ///
    /// # Errors
    /// When no node answers, or when this go is over.
    pub(super) async fn first_event(
        &self,
        address: Address,
        topics: TopicFilter,
        span: BlockRange,
        name: [u8; 32],
        fits: impl Fn(&LogWire) -> bool,
    ) -> Result<Option<LogWire>, RpcError> {
        let searches = &self.searches;
        let sought = (address, topics, span.from, name);
        let mut from = searches.reached().get(&sought).copied().unwrap_or(span.from);
        let mut width = BlockBatchSize::new(searches.blocks_at_once());
        for _ in 0..QUESTIONS_MAX {
            if from > span.to {
                // The next search looks at everything once more: a node may have been behind.
                searches.reached().remove(&sought);
                return Ok(None);
            }
            let to = span.to.min(from.saturating_add(width.now - 1));
            match self.events(address, sought.1.clone(), BlockRange { from, to }).await {
                Ok(logs) => {
                    searches.set_blocks_at_once(width.now);
                    if let Some(found) = logs.into_iter().find(&fits) {
                        searches.reached().remove(&sought);
                        return Ok(Some(found));
                    }
                    width.answered();
                    from = to + 1;
                    searches.record_progress(&sought, from);
                }
                Err(RpcError::Refused { .. }) if width.refused(to - from + 1) => {}
                Err(error) => return Err(error),
            }
        }
        let left = span.to.saturating_sub(from).saturating_add(1);
        Err(RpcError::Unreachable(format!("{left} blocks are left to look through for an event")))
    }

    pub(super) async fn events(
        &self,
        address: Address,
        topics: TopicFilter,
        span: BlockRange,
    ) -> Result<Vec<LogWire>, RpcError> {
        let (from_block, to_block) = (U64::from(span.from), U64::from(span.to));
        let filter = FilterWire { address, topics, from_block, to_block };
        let logs: Vec<LogWire> = self.rpc.ask("eth_getLogs", [filter]).await?;
        Ok(logs.into_iter().filter(|log| !log.removed && log.address == address).collect())
    }

    /// The number of blocks that the nodes answer for at once.
    #[must_use]
    pub fn blocks_at_once(&self) -> u64 {
        self.searches.blocks_at_once()
    }
}
