//! The number of blocks for which the network still takes a transaction, by the blockhash that it names.
//!
//! No method of nodes tells how old a blockhash is: `isBlockhashValid`, `getFeeForMessage` and a simulation tell only whether it is
//! valid still. The network keeps recent blockhashes in an account of its own, the newest first, and any node shows that.
//!
//! The last block that takes a transaction decides when its payment is given up and its fee leaves the budget. No single node is
//! believed on it: by a height that is too low every payment would end at the first look, by one that is too high none.

use std::ops::RangeInclusive;

use futures_util::future::join;
use serde_json::json;

use crate::rpc::RpcError;

use super::SolanaNetwork;
use super::answers::{LatestBlockhash, SlotValue, SolanaAccount};
use super::network::at;

/// The account in which the network keeps them, a sysvar.
const RECENT_BLOCKHASHES: &str = "SysvarRecentB1ockHashes11111111111111111111";
/// Blocks after the one that a transaction names, which take it.
const VALID_BLOCKS: u16 = 150;
/// The most blocks, or slots, some minute, by which nodes may differ on the newest one.
const APART_MAX: u64 = 150;
/// The most blocks from the newest confirmed one to the last that takes a transaction which names the newest of all.
const AHEAD_MAX: u64 = 300;
/// The bytes of the count before the entries.
const COUNT_BYTES: usize = 8;
const HASH_BYTES: usize = 32;
/// A blockhash, and what a signature cost then.
const ENTRY_BYTES: usize = HASH_BYTES + 8;

impl SolanaNetwork {
    /// True if at least so many blocks more take a transaction that names this blockhash.
    /// It has to be known as of `slot`, or it is not told from one that is too old.
    ///
    /// # Errors
    /// When no node answers that is as far as that slot, or what it shows is no list of blockhashes.
    pub async fn is_valid_for(&self, blockhash: &[u8; 32], blocks: usize, slot: u64) -> Result<bool, RpcError> {
        // The newest is valid for all of them, and each one behind it for one less.
        let newest = (usize::from(VALID_BLOCKS) + 1).saturating_sub(blocks);
        let how = json!({
            "encoding": "base64", "commitment": "confirmed", "minContextSlot": slot,
            "dataSlice": {"offset": 0, "length": COUNT_BYTES + newest * ENTRY_BYTES},
        });
        let found: SlotValue<Option<SolanaAccount>> = self.rpc.ask("getAccountInfo", (RECENT_BLOCKHASHES, how)).await?;
        let data = found.value.as_ref().and_then(SolanaAccount::bytes);
        let data = data.filter(|data| data.len() >= COUNT_BYTES + ENTRY_BYTES);
        let data = data.ok_or_else(|| RpcError::Unreachable("it does not show the recent blockhashes".to_owned()))?;
        Ok(newest_of(&data, newest).any(|recent| recent == blockhash))
    }

    /// The height of the last block that takes a transaction which was tried as of `slot`: at least 150 blocks above the newest
    /// confirmed one. Each node is asked, and those count that answer within moments of the first.
    ///
    /// # Errors
    /// When no node answers, the nodes differ on the newest block, `slot` is far from it, or no node tells a last height that can
    /// be right. Nothing may be signed then.
    pub async fn last_height(&self, slot: u64) -> Result<u64, RpcError> {
        let heights = self.rpc.tell_all::<u64>("getBlockHeight", [at("confirmed")]);
        let latest = self.rpc.tell_all::<SlotValue<LatestBlockhash>>("getLatestBlockhash", [at("processed")]);
        let (heights, latest) = join(heights, latest).await;
        let (heights, latest) = (answered(heights)?, answered(latest)?);
        let (slots, lasts): (Vec<u64>, Vec<u64>) =
            latest.into_iter().map(|latest| (latest.context.slot, latest.value.last_valid_block_height)).unzip();
        agreed_last_height(slot, heights, slots, &lasts).map_err(|why| RpcError::Disagreed(why.to_owned()))
    }
}

/// The answers that there are.
fn answered<T>(all: Vec<Result<T, RpcError>>) -> Result<Vec<T>, RpcError> {
    let (mut answers, mut last) = (Vec::new(), RpcError::Unreachable("there is no node".to_owned()));
    for told in all {
        match told {
            Ok(answer) => answers.push(answer),
            Err(error) => last = error,
        }
    }
    if answers.is_empty() { Err(last) } else { Ok(answers) }
}

/// The last height by what the nodes say of the newest confirmed height, the newest slot, and the last height: the largest that
/// can be right.
fn agreed_last_height(slot: u64, heights: Vec<u64>, slots: Vec<u64>, lasts: &[u64]) -> Result<u64, &'static str> {
    let height = middle(heights).ok_or("they differ on the height of the newest block")?;
    let newest = middle(slots).ok_or("they differ on the newest slot")?;
    if newest.abs_diff(slot) > APART_MAX {
        return Err("one of them tried a transaction as of a slot that is far from the newest");
    }
    let possible: RangeInclusive<u64> = height..=height.saturating_add(AHEAD_MAX);
    let last = lasts.iter().filter(|last| possible.contains(last)).max();
    let last = last.ok_or("none tells a last height of a blockhash that can be right")?;
    // Nodes that are behind the one that tried it do not know its blockhash yet. A block takes at least a slot.
    let behind = slot.saturating_sub(newest);
    Ok(height.saturating_add(VALID_BLOCKS.into()).max(*last).saturating_add(behind))
}

/// The middle of what several nodes say: one among three or more does not move it beyond what the others say. None where those in
/// the middle are far apart, so that it is not known which of them is right.
fn middle(mut told: Vec<u64>) -> Option<u64> {
    told.sort_unstable();
    let lower = told.get(told.len().checked_sub(1)? / 2)?;
    let upper = told.get(told.len() / 2)?;
    (upper - lower <= APART_MAX).then_some(*upper)
}

/// The newest blockhashes, out of the data of the account. Whatever a node sends, no more than so many.
fn newest_of(data: &[u8], count: usize) -> impl Iterator<Item = &[u8]> {
    data[COUNT_BYTES..].chunks_exact(ENTRY_BYTES).take(count).map(|entry| &entry[..HASH_BYTES])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_come_first_and_a_node_that_sends_more_makes_none_newer() {
        let entry = |hash: u8| [[hash; HASH_BYTES].as_slice(), &[0; 8]].concat();
        let data = [vec![0; COUNT_BYTES], entry(3), entry(2), entry(1)].concat();
        let firsts = |count| newest_of(&data, count).map(|hash| hash[0]).collect::<Vec<_>>();
        assert_eq!((firsts(2), firsts(9)), (vec![3, 2], vec![3, 2, 1]));
    }

    const HUGE: u64 = u64::MAX;

    fn last_height(heights: &[u64], slots: &[u64], lasts: &[u64]) -> Option<u64> {
        agreed_last_height(9_000, heights.to_vec(), slots.to_vec(), lasts).ok()
    }

    #[test]
    fn no_single_node_moves_the_last_height() {
        let (height, slot, last) = (1_000, 9_000, 1_152);
        assert_eq!(last_height(&[height], &[slot], &[last]), Some(last));
        for lie in [0, 1, height - 1, last + 1_000, HUGE] {
            // Beside an honest node, whichever comes first.
            assert_eq!(last_height(&[height; 2], &[slot; 2], &[lie, last]), Some(last), "{lie}");
            assert_eq!(last_height(&[height; 2], &[slot; 2], &[last, lie]), Some(last), "{lie}");
            // Alone it signs nothing.
            assert_eq!(last_height(&[height], &[slot], &[lie]), None, "{lie}");
        }
        // A lie within what is possible shortens nothing, and lengthens it by a minute.
        assert_eq!(last_height(&[height], &[slot], &[height]), Some(1_150));
        assert_eq!(last_height(&[height; 2], &[slot; 2], &[last, 1_300]), Some(1_300));
        // A whole lie of one of two nodes is not told from the truth: nothing is signed. Of three, the other two decide.
        for (lie, slot_lie) in [(1, slot), (500_000, slot), (height, 1), (height, HUGE)] {
            let (heights, slots, lasts) = ([lie, height, height], [slot_lie, slot, slot], [lie + 150, last, last]);
            assert_eq!(last_height(&heights[..2], &slots[..2], &lasts[..2]), None, "{lie} {slot_lie}");
            assert_eq!(last_height(&heights, &slots, &lasts), Some(last), "{lie} {slot_lie}");
        }
    }

    #[test]
    fn a_transaction_is_not_tried_as_of_a_slot_that_no_node_has() {
        for (newest, expected) in [(8_850, Some(1_302)), (8_849, None), (9_150, Some(1_152)), (9_151, None)] {
            assert_eq!(last_height(&[1_000], &[newest], &[1_152]), expected, "{newest}");
        }
        assert_eq!(last_height(&[], &[9_000], &[1_152]), None);
        assert_eq!(last_height(&[1_000], &[9_000], &[]), None);
    }
}
