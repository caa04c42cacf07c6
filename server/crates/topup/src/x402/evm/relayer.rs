//! One of our accounts on an EVM chain, as the ledger keeps it.

/// The state of one of our accounts on a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayerNumber {
    /// The chain, by its CAIP-2 id.
    pub network: String,
    /// The account's address on it.
    pub relayer: String,
    /// The number of its next transaction.
    pub next: u64,
    /// The number of transactions that it has signed for payments that are not decided yet.
    pub on_their_way: u64,
}
