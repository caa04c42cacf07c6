//! Floor 5: the operations of operators that go across rooms: accounts with their credit, the log of changes, alarms, work on the
//! whole ledger, and the console, which is the pages for all of it.
//!
//! Imports the rooms that it shows. Its own tables are those of alarms and jobs; those of other rooms it reads, and changes through
//! their handles alone, so that an operator and the command line have one way to change a thing. What concerns one room is answered
//! by that room: keys and the operators themselves by `accounts`, grants and takings by `credit`, what is on offer by `catalog`,
//! payments by `topup`.
//! Start reading at [`Admin`].

mod accounts;
mod alarms;
mod changes;
mod jobs;
mod live_numbers;
mod margin;
mod pages;
mod settings;
mod settings_in_force;
mod sql;

use std::error::Error;
use std::sync::Arc;

use tokio::sync::watch;

use tollgate_accounts::AccountService;
use tollgate_accounts::operators::OperatorService;
use tollgate_agents::AgentService;
use tollgate_api::{Cx, InFlightRequests};
use tollgate_base::{Branding, Clock};
use tollgate_catalog::CatalogService;
use tollgate_credit::Ledger;
use tollgate_gateway::Gateway;
use tollgate_store::Store;
use tollgate_topup::Topups;

pub use alarms::AlarmRecorder;
pub use jobs::{JobPlaces, JobService};
pub use live_numbers::LiveNumbersFeed;
pub use pages::signed_in_pages;
pub use settings_in_force::SettingsInForce;

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Admin {
    /// The ledger.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// Accounts and their keys.
    pub accounts: AccountService,
    /// Agents of accounts.
    pub agents: AgentService,
    /// Operators.
    pub operators: OperatorService,
    /// Model requests.
    pub gateway: Gateway,
    /// The catalog: providers, models, prices and groups.
    pub catalog: CatalogService,
    /// Orders and their payments.
    pub topups: Topups,
    /// The ledger's reads.
    pub credit: Ledger,
    /// Work on the ledger.
    pub jobs: JobService,
    /// Requests that are being answered here.
    pub in_flight: InFlightRequests,
    /// Name, logo and colour of the pages.
    pub branding: Arc<Branding>,
    /// The settings in force at this server.
    pub settings: SettingsInForce,
    /// The numbers of the overview, for those who look at it.
    pub live: LiveNumbersFeed,
    /// True once the server is told to stop.
    pub stopped: watch::Receiver<bool>,
}

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "what operators ask for could not be read or written");
}
