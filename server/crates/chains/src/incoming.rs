//! Transfers of tokens that have reached an address, the same of every chain.

use super::rpc::RpcError;

/// Transfers of one token to one address in one transaction, as one node of the chain tells them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IncomingTransfer {
    /// The transaction, as its chain writes it.
    pub transaction: String,
    /// The place of the transfer among the events of its block, where the chain has events.
    pub place: Option<u64>,
    /// The address of the token.
    pub asset: String,
    /// The address that has sent it, where the node names one.
    pub payer: Option<String>,
    /// The amount in the smallest units of the token; the largest number where it is more than 128 bits.
    pub amount: u128,
    /// The block or slot.
    pub block: u64,
    /// The time at which that was made, in unix seconds, where the node says so with the transfer.
    pub at_seconds: Option<u64>,
    /// The text that its sender has put beside it.
    pub memo: Option<String>,
}

impl IncomingTransfer {
    /// A name by which it is told from every other transfer of its chain.
    #[must_use]
    pub fn name(&self) -> String {
        match self.place {
            Some(place) => format!("{}/{place}", self.transaction),
            None => self.transaction.clone(),
        }
    }
}

/// The transfers that one node tells of a span of time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncomingScan {
    /// Each transfer, in the order of the blocks or the newest first.
    pub transfers: Vec<IncomingTransfer>,
    /// The blocks that the node does not answer for, with its reason for the first.
    pub left_out: Option<SkippedBlocks>,
}

/// Blocks of which a node tells no transfers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedBlocks {
    /// Their numbers, at most [`LEFT_OUT_MAX`].
    pub blocks: Vec<u64>,
    /// The node's reason for the first of them.
    pub why: String,
}

/// Transfers that one node may tell in one comparison; a node that tells more is not believed.
pub(super) const TRANSFERS_MAX: usize = 100_000;
/// Questions that one node is asked in one comparison: thirty days of a chain with four blocks a second, a thousand at once.
pub(super) const QUESTIONS_MAX: usize = 20_000;
/// Blocks that one node may leave out before it counts as silent.
pub(super) const LEFT_OUT_MAX: usize = 16;

/// The questions that one node may still be asked in one comparison.
#[derive(Debug)]
pub(super) struct QuestionBudget(usize);

impl QuestionBudget {
    pub(super) const fn new(questions: usize) -> Self {
        Self(questions)
    }

    /// Counts one question.
    ///
    /// # Errors
    /// When as many were asked as one node is asked.
    pub(super) fn take(&mut self) -> Result<(), RpcError> {
        let spent =
            || RpcError::Unreachable("it tells more than one comparison asks for: too many questions".to_owned());
        self.0 = self.0.checked_sub(1).ok_or_else(spent)?;
        Ok(())
    }
}

/// Refuses a node that tells too many transfers.
pub(super) fn is_bounded(transfers: usize) -> Result<(), RpcError> {
    if transfers > TRANSFERS_MAX {
        let why = format!("it tells more than {TRANSFERS_MAX} transfers: more than one comparison takes");
        return Err(RpcError::Unreachable(why));
    }
    Ok(())
}

/// The greatest age of a node's newest settled block: chains that settle on another one are hours behind.
const SETTLED_BEHIND_SECONDS: u64 = 12 * 3_600;
/// The greatest age of a node's newest block; what an older one does not have is no evidence.
const BEHIND_SECONDS: u64 = 3_600;

/// Refuses a node whose newest settled block is so old that most of the span would not be looked at.
pub(super) fn is_settling(settled_seconds: u64, now_seconds: u64) -> Result<(), RpcError> {
    let behind = now_seconds.saturating_sub(settled_seconds);
    if behind > SETTLED_BEHIND_SECONDS {
        return Err(RpcError::Unreachable(format!("its newest settled block is {behind} seconds old")));
    }
    Ok(())
}

/// Refuses a node whose newest block is of so long ago.
pub(super) fn is_current(newest_seconds: u64, now_seconds: u64) -> Result<(), RpcError> {
    let behind = now_seconds.saturating_sub(newest_seconds);
    if behind > BEHIND_SECONDS {
        return Err(RpcError::Unreachable(format!("its newest block is {behind} seconds old")));
    }
    Ok(())
}
