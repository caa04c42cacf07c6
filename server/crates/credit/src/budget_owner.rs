//! The owner of a budget, by its number.

use tollgate_base::{KeyId, PoolId};

/// The owner of a budget: a key, or a pool that several keys spend from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum BudgetOwner {
    /// A key alone.
    Key(KeyId),
    /// The keys of a member, of a team or of a whole organisation.
    Pool(PoolId),
}
