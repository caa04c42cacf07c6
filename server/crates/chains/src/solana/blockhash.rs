//! The number of blocks for which the network still takes a transaction, by the blockhash that it names.
//!
//! No method of nodes tells how old a blockhash is: `isBlockhashValid`, `getFeeForMessage` and a simulation tell only whether it is
//! valid still. The network keeps recent blockhashes in an account of its own, the newest first, and any node shows that.

use serde_json::json;

use crate::rpc::RpcError;

use super::SolanaNetwork;
use super::answers::{SlotValue, SolanaAccount};

/// The account in which the network keeps them, a sysvar.
const RECENT_BLOCKHASHES: &str = "SysvarRecentB1ockHashes11111111111111111111";
/// Blocks after the one that a transaction names, which take it.
const VALID_BLOCKS: usize = 150;
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
        let newest = (VALID_BLOCKS + 1).saturating_sub(blocks);
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
}
