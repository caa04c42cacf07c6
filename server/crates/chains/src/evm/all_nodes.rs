//! The answers of each node of a chain by itself. The first one is not enough where a node may have stopped, which goes on answering.
//!
//! Nothing here is evidence that money came. An answer of one node has the others asked, or keeps something from being signed.

use std::ops::RangeInclusive;

use alloy::primitives::{Address, U64, U128};
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::{Duration, Instant, timeout_at};

use crate::rpc::{BEHIND_THE_FIRST, RpcError};

use super::network::{ConfirmationDepth, EvmNetwork};
use super::wire::{BlockWire, EvmBlock, EvmReceipt};
use super::{EvmToken, TransferAuthorization};

/// The time for the first answer.
const FIRST: Duration = Duration::from_secs(15);
/// The number of blocks on top of one that Ethereum calls safe, and final.
const SAFE_BLOCKS: u64 = 32;
const FINALIZED_BLOCKS: u64 = 64;
/// The number of blocks beyond the depth that a search begins earlier.
const MARGIN_BLOCKS: u64 = 32;

impl EvmNetwork {
    /// The number of its nodes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.rpc.count()
    }

    /// The receipts of transactions that any node shows, in no order. Nodes that do not answer soon after the first are left out.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn receipts_of_any(&self, hashes: &[[u8; 32]]) -> Result<Vec<EvmReceipt>, RpcError> {
        let told = self.of_each(|node| async move {
            let mut receipts = Vec::new();
            for hash in hashes {
                match self.receipt_of(node, hash).await {
                    Ok(receipt) => receipts.extend(receipt),
                    Err(error) if receipts.is_empty() => return Err(error),
                    Err(_) => break,
                }
            }
            Ok(receipts)
        });
        let told = told.await;
        if told.is_empty() { Err(silent()) } else { Ok(told.into_iter().flatten().collect()) }
    }

    /// The newest block at the configured depth that any node tells of its own chain. A node may tell of one that is not there:
    /// it says which receipts are worth comparing, and not that a block is final.
    pub async fn settled_newest(&self) -> Option<EvmBlock> {
        let told = self.of_each(|node| self.settled_by(Some(node), self.config().depth)).await;
        told.into_iter().flatten().max_by_key(|block| block.number)
    }

    /// A block before all those that can have what pays an order that is made now. It lies below the least newest block of the
    /// nodes that answer within a moment, so that one that is ahead hides nothing, and by more than is reorganised at the configured
    /// depth. What is found twice because of that has one name, and is credited once.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn block_before_now(&self) -> Result<u64, RpcError> {
        let (mut least, mut last) = (None::<u64>, silent());
        for answer in self.rpc.ask_promptly::<Option<BlockWire>>("eth_getBlockByNumber", ("latest", false)).await {
            match answer {
                Ok(block) => {
                    let number = block.map(|block| EvmBlock::from(block).number);
                    least = least.into_iter().chain(number).min();
                }
                Err(error) => last = error,
            }
        }
        let depth = match self.config().depth {
            ConfirmationDepth::Blocks(deep) => deep,
            ConfirmationDepth::Safe => SAFE_BLOCKS,
            ConfirmationDepth::Finalized => FINALIZED_BLOCKS,
        };
        least.map(|least| least.saturating_sub(depth.saturating_add(MARGIN_BLOCKS))).ok_or(last)
    }

    /// True if any node says that what was signed is used up.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_spent_at_any(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
    ) -> Result<bool, RpcError> {
        let told = self.of_each(|node| self.is_spent_at(Some(node), token, authorization, "latest")).await;
        if told.is_empty() { Err(silent()) } else { Ok(told.contains(&true)) }
    }

    /// The number of our account's transactions that are in blocks: the least and the most that its nodes say. Nodes that do not
    /// answer soon after the first are left out.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn sent_range(&self) -> Result<RangeInclusive<u64>, RpcError> {
        let address = Address::from(self.config().relayer.address().0);
        let told = self.of_each(|node| async move {
            let count: U64 = self.rpc.ask_of(node, "eth_getTransactionCount", (address, "latest")).await?;
            Ok(count.to::<u64>())
        });
        let told = told.await;
        let least = told.iter().min().zip(told.iter().max());
        least.map(|(least, most)| *least..=*most).ok_or_else(silent)
    }

    /// The highest tip, in wei, that any node says is usual.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn tip_highest(&self) -> Result<u128, RpcError> {
        let told = self.rpc.ask_promptly::<U128>("eth_maxPriorityFeePerGas", [(); 0]).await;
        told.into_iter().flatten().max().map(|tip| tip.to()).ok_or_else(silent)
    }

    /// The answers of those nodes that answer soon after the first.
    async fn of_each<T, F: Future<Output = Result<T, RpcError>>>(&self, ask: impl Fn(usize) -> F) -> Vec<T> {
        let mut under_way: FuturesUnordered<F> = (0..self.rpc.count()).map(ask).collect();
        let (mut told, mut until) = (Vec::new(), Instant::now() + FIRST);
        while let Ok(Some(answer)) = timeout_at(until, under_way.next()).await {
            if let Ok(answer) = answer {
                until = until.min(Instant::now() + BEHIND_THE_FIRST);
                told.push(answer);
            }
        }
        told
    }
}

fn silent() -> RpcError {
    RpcError::Unreachable("no node answers".to_owned())
}
