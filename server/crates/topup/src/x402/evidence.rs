//! The evidence that a chain shows of a payment, on its way or credited.

use crate::OrderFailure;
use tollgate_api::Code as _;
use tollgate_api::generated::errors::code;
use tollgate_chains::WitnessCount;

/// The code of payments that did not come, as the pay operation has it.
pub(super) const REJECTED: &str = code::X402PaymentRejected::INFO.code;

/// The cause of a payment's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureCause {
    /// The payer can have seen to it. The chain refused what was signed while it was valid, or it was used up otherwise. Our
    /// account pays the fee all the same.
    Payer {
        /// The block that shows it.
        block: u64,
    },
    /// The chain took no transaction of it while it was valid. One that came too late may have cost a fee.
    Chain,
    /// No block has its one transaction, and none takes it any more: it costs no fee, once that is certain.
    Lapsed,
}

/// The evidence on a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChainEvidence {
    /// The money is there, deep enough.
    Came {
        /// The transaction by which it came.
        receipt: String,
        /// The block of that transaction.
        block: u64,
        /// True if the chain says that the block cannot be reorganised any more.
        is_final: bool,
        /// The number of nodes that show it.
        witnesses: WitnessCount,
    },
    /// It has not come yet; the block that it was seen in, if any.
    Waits(Option<u64>),
    /// Another amount came than was signed, by this transfer: an operator decides.
    Otherwise(String),
    /// It did not come. Unless it is `closed`, it still could.
    Not { why: OrderFailure, closed: bool, cause: FailureCause },
    /// It was used up for nothing that is ours: an operator has to look.
    UsedUp {
        /// The failure that the payer is shown.
        why: OrderFailure,
        /// The transaction that has used it up; none if nothing shows it.
        by: Option<String>,
        /// The block that shows it.
        block: u64,
    },
    /// The amount came, and nothing shows that it came for this payment.
    Unnamed {
        /// The transfers that are deep enough: a transaction each, and the place in its block.
        transfers: Vec<String>,
        /// The block of a transfer that is not deep enough.
        later: Option<u64>,
        /// True if every node has all that there is, by the chain's own time.
        is_all: bool,
        /// The block of the last transfer.
        block: u64,
    },
}

/// The standing of a credited payment on its chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PaymentFinality {
    /// Its block, where that is known, is final.
    ForEver(Option<u64>),
    /// It is in this block, which could be reorganised.
    In(u64),
    /// It is in no block any more.
    Gone,
}

/// The evidence of a payment that did not come, for this reason.
pub(super) fn not(detail: &str, closed: bool, cause: FailureCause) -> ChainEvidence {
    ChainEvidence::Not { why: rejected(detail), closed, cause }
}

pub(super) fn rejected(detail: &str) -> OrderFailure {
    OrderFailure { code: REJECTED.to_owned(), detail: detail.to_owned() }
}
