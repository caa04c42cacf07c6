//! Looking for an event in many blocks, a part of them at a time. Nodes bound how many may be asked for at once, each in its
//! own way, and what is looked for may lie a day back: a search that does not come to its end goes on the next time where it
//! was.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alloy::primitives::{Address, B256, U64};
use alloy::sol_types::SolEvent;

use crate::chains::rpc::RpcError;

use super::network::EvmNetwork;
use super::token::contract::Transfer;
use super::wire::{FilterWire, LogWire};

/// Blocks that are looked through by one question, where a node does not refuse them.
pub(super) const BLOCKS_AT_ONCE: u64 = 1000;
/// Questions of a search in one go.
const QUESTIONS_MAX: usize = 400;
/// Searches of which it is known where they are. Where there are more, all begin anew.
const SEARCHES_MAX: usize = 1000;

/// The wanted topics of an event: in each place any one of these.
pub(super) type TopicFilter = Vec<Vec<B256>>;

/// Blocks to look through.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockRange {
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The key of a search: events of a contract, since a block, for the payment of a nonce.
/// The events of two payments may be alike.
type EventSearchKey = (Address, TopicFilter, u64, [u8; 32]);

/// The progress of the searches of a chain.
#[derive(Debug)]
pub(super) struct EventSearches {
    /// The block that each goes on with.
    reached: Mutex<HashMap<EventSearchKey, u64>>,
    /// The number of blocks that were last answered for at once.
    blocks_at_once: AtomicU64,
}

impl Default for EventSearches {
    fn default() -> Self {
        Self { reached: Mutex::default(), blocks_at_once: AtomicU64::new(BLOCKS_AT_ONCE) }
    }
}

impl EventSearches {
    fn reached(&self) -> MutexGuard<'_, HashMap<EventSearchKey, u64>> {
        // A number is whole whoever held it.
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that so many blocks were answered for at once.
    fn set_blocks_at_once(&self, blocks: u64) {
        self.blocks_at_once.store(blocks, Ordering::Relaxed);
    }

    fn record_progress(&self, sought: &EventSearchKey, block: u64) {
        let mut reached = self.reached();
        if reached.len() >= SEARCHES_MAX && !reached.contains_key(sought) {
            reached.clear();
        }
        reached.insert(sought.clone(), block);
    }
}

/// The number of blocks to ask for at once: more after each answer, up to what was refused.
#[derive(Debug)]
pub(super) struct BlockBatchSize {
    pub(super) now: u64,
    refused: u64,
}

impl BlockBatchSize {
    pub(super) const fn new(now: u64) -> Self {
        Self { now, refused: u64::MAX }
    }

    pub(super) fn answered(&mut self) {
        let more = self.now.saturating_mul(2).min(BLOCKS_AT_ONCE);
        if more < self.refused {
            self.now = more;
        }
    }

    /// Halves the number after a refusal of so many blocks. False where no fewer can be asked for.
    pub(super) fn refused(&mut self, blocks: u64) -> bool {
        self.refused = blocks;
        self.now = blocks / 2;
        self.now > 0
    }
}

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
        let mut width = BlockBatchSize::new(searches.blocks_at_once.load(Ordering::Relaxed));
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
        self.searches.blocks_at_once.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_blocks_are_asked_for_until_a_node_answers() {
        let mut width = BlockBatchSize::new(BLOCKS_AT_ONCE);
        let mut asked = Vec::new();
        // A node that answers for a hundred, and then what it takes.
        while asked.len() < 8 {
            asked.push(width.now);
            if width.now > 100 { assert!(width.refused(width.now)) } else { width.answered() }
        }
        assert_eq!(asked, [1000, 500, 250, 125, 62, 124, 62, 62]);
        let mut width = BlockBatchSize::new(62);
        let mut asked = Vec::new();
        while asked.len() < 5 {
            asked.push(width.now);
            if width.now > 100 { assert!(width.refused(width.now)) } else { width.answered() }
        }
        assert_eq!(asked, [62, 124, 62, 62, 62], "the next search tries more");
        assert!(!BlockBatchSize { now: 1, refused: 2 }.refused(1), "one is the least");
    }

    #[test]
    fn searches_that_are_too_many_begin_anew() {
        let searches = EventSearches::default();
        let sought = |from| (Address::ZERO, Vec::new(), from, [0; 32]);
        for from in (0..).take(SEARCHES_MAX) {
            searches.record_progress(&sought(from), from + 1);
        }
        let found = || {
            let reached = searches.reached();
            (reached.len(), reached.get(&sought(0)).copied())
        };
        searches.record_progress(&sought(0), 7);
        assert_eq!(found(), (SEARCHES_MAX, Some(7)));
        searches.record_progress(&sought(u64::MAX), 8);
        assert_eq!(found(), (1, None));
    }
}
