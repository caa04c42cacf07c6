//! The reasons for which the state of a payment on a chain is not known.

use crate::CreditError;
use tollgate_base::Usd;
use tollgate_chains::evm::RpcError;
use tollgate_store::StoreError;

/// The reason for which the state of a payment is not known.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettleError {
    /// The chain could not be asked.
    #[error("the chain could not be asked for a payment")]
    Chain(#[from] RpcError),
    /// The chain's nodes did not answer within this many seconds.
    #[error("the chain's nodes did not answer about a payment within {0} seconds")]
    TooLong(u64),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// One node alone shows it, beyond the amount that may be credited on the word of one.
    #[error("one node alone shows it, and {before} of the {per_hour} USD an hour on the word of one node are used")]
    OneNode {
        /// The amount that was so credited within the last hour.
        before: Usd,
        /// The most that may be within an hour.
        per_hour: Usd,
    },
    /// It cannot be booked.
    #[error("a payment that came could not be booked")]
    Booking(#[from] CreditError),
    /// It is credited, and was not found. One look is not believed, because behind an address there may be a node that is behind.
    #[error("a payment that is credited was not found in a block; it is looked for again")]
    Missed,
    /// The token is no longer configured.
    #[error("the token {0} of an open payment is not in the configuration any more")]
    NoToken(String),
}

impl SettleError {
    /// The nodes' part in the reason, for an alarm; none if they are not the reason.
    pub(super) fn of_the_nodes(&self) -> Option<String> {
        match self {
            Self::Chain(error) => Some(error.to_string()),
            Self::TooLong(_) => Some(self.to_string()),
            // This has an alarm of its own.
            Self::OneNode { .. } => None,
            Self::Store(_) | Self::Booking(_) | Self::NoToken(_) | Self::Missed => None,
        }
    }
}
