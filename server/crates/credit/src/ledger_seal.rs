//! One link of the chain of seals, and the rows that it covers.

/// A SHA-256.
pub(super) type SealHash = [u8; 32];

/// The last rows that a seal covers, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SealBounds {
    pub(super) transfers: i64,
    pub(super) receipts: i64,
    pub(super) audit: i64,
}

impl SealBounds {
    /// The bounds in front of all rows, whatever their numbers.
    pub(super) const NOTHING: Self = Self { transfers: i64::MIN, receipts: i64::MIN, audit: i64::MIN };
}

/// One link of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerSeal {
    /// Its place in the chain, from 1.
    pub number: i64,
    pub(super) upto: SealBounds,
    /// The number of rows that it covers.
    pub rows: i64,
    /// The hash of the receipts among them, which may be taken away with their month one day.
    pub(super) receipts_hash: SealHash,
    pub(super) hash: SealHash,
    /// Unix time in milliseconds.
    pub created_at_ms: i64,
}

impl LedgerSeal {
    /// The hash in hexadecimal digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        data_encoding::HEXLOWER.encode(&self.hash)
    }
}
