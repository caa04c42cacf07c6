//! Floor 3: organisations, whose wallet an account is: teams, and budgets that several keys spend together.
//!
//! Imports `base`, `api`, `store`, `accounts` and `credit`. Writes budgets down; that no more is spent is for the
//! ledger, in the transaction of each hold, under rules that are the database's. Invariants: a team is open or closed for ever,
//! and no live key is of a closed one; the name of an open team is its own; budgets change under the lock that the ledger
//! decides by.
//! Start reading at [`OrganisationService::change_team`].

mod budgets;
mod error;
mod handlers;
mod organisation;
mod sql;
mod team;
mod teams;

use tollgate_accounts::AccountService;
use tollgate_base::Clock;
use tollgate_store::Store;

pub use budgets::{BudgetUse, BudgetsChange, PooledBudgets};
pub use error::OrganisationError;
pub use organisation::Organisation;
pub use team::{Team, TeamChange, TeamState};

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct OrganisationService {
    store: Store,
    clock: Clock,
    accounts: AccountService,
}

impl OrganisationService {
    /// A handle on the organisations of `store`, whose keys and people are those of `accounts`.
    #[must_use]
    pub fn new(store: Store, clock: Clock, accounts: AccountService) -> Self {
        Self { store, clock, accounts }
    }
}
