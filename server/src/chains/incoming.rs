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
    /// In the smallest units of the token; the largest number where it is more than 128 bits.
    pub amount: u128,
    /// The block or slot.
    pub block: u64,
    /// When that was made, in unix seconds, where the node says so with the transfer.
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

/// How old the newest block of a node may be; what an older one does not have is no evidence.
const BEHIND_SECONDS: u64 = 3_600;

/// Refuses a node whose newest block is of so long ago.
pub(super) fn is_current(newest_seconds: u64, now_seconds: u64) -> Result<(), RpcError> {
    let behind = now_seconds.saturating_sub(newest_seconds);
    if behind > BEHIND_SECONDS {
        return Err(RpcError::Unreachable(format!("its newest block is {behind} seconds old")));
    }
    Ok(())
}
