//! Floor 5: the operations of operators that go across rooms: accounts with their credit, the log of changes, and the console,
//! which is the pages for all of it.
//!
//! Imports the rooms that it shows. Owns no table: it reads theirs, and changes through their handles alone, so that an operator
//! and the command line have one way to change a thing. What concerns one room is answered by that room: keys and the operators
//! themselves by `accounts`, grants and takings by `credit`, what is on offer by `catalog`, payments by `topup`.
//! Start reading at [`Admin`].

mod accounts;
mod changes;
mod pages;
mod sql;

use std::error::Error;

use tollgate_accounts::AccountService;
use tollgate_accounts::operators::OperatorService;
use tollgate_api::Cx;
use tollgate_catalog::CatalogService;
use tollgate_gateway::Gateway;
use tollgate_store::Store;
use tollgate_topup::Topups;

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Admin {
    store: Store,
    accounts: AccountService,
    operators: OperatorService,
    gateway: Gateway,
    catalog: CatalogService,
    topups: Topups,
}

impl Admin {
    /// A handle over the rooms.
    #[must_use]
    pub fn new(
        store: Store,
        accounts: AccountService,
        operators: OperatorService,
        gateway: Gateway,
        catalog: CatalogService,
        topups: Topups,
    ) -> Self {
        Self { store, accounts, operators, gateway, catalog, topups }
    }
}

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "what operators ask for could not be read or written");
}
