//! Floor 5: the operations of operators that go across rooms: accounts with their credit, and the log of changes.
//!
//! Imports the rooms that it shows. Owns no table: it reads theirs, and changes through their handles alone, so that an operator
//! and the command line have one way to change a thing. What concerns one room is answered by that room: keys and the operators
//! themselves by `accounts`, grants and takings by `credit`.
//! Start reading at [`Admin`].

mod accounts;
mod changes;
mod sql;

use std::error::Error;

use tollgate_accounts::AccountService;
use tollgate_api::Cx;
use tollgate_gateway::Gateway;
use tollgate_store::Store;

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Admin {
    store: Store,
    accounts: AccountService,
    gateway: Gateway,
}

impl Admin {
    /// A handle over the rooms.
    #[must_use]
    pub fn new(store: Store, accounts: AccountService, gateway: Gateway) -> Self {
        Self { store, accounts, gateway }
    }
}

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "what operators ask for could not be read or written");
}
