//! The progress of the searches of a chain for events, and the number of blocks that they ask for at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alloy::primitives::{Address, B256};

/// Blocks that are looked through by one question, where a node does not refuse them.
pub(super) const BLOCKS_AT_ONCE: u64 = 1000;
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
    pub(super) fn reached(&self) -> MutexGuard<'_, HashMap<EventSearchKey, u64>> {
        // A number is whole whoever held it.
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of blocks that were last answered for at once.
    pub(super) fn blocks_at_once(&self) -> u64 {
        self.blocks_at_once.load(Ordering::Relaxed)
    }

    /// Notes that so many blocks were answered for at once.
    pub(super) fn set_blocks_at_once(&self, blocks: u64) {
        self.blocks_at_once.store(blocks, Ordering::Relaxed);
    }

    pub(super) fn record_progress(&self, sought: &EventSearchKey, block: u64) {
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
