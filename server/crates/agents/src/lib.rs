//! Floor 3: agents, wallets that act for an account by a key of their own and within caps of their own.
//!
//! Imports `base`, `api`, `store`, `chains` and `accounts`. Knows nothing of orders: what an agent tops up is
//! counted against its caps by whoever takes the payment, in windows whose rules are the database's. Invariants: a wallet
//! is a live agent of one account at most, and an account has at most fifty; a proof registers once; an agent and its key
//! are made in one commit and revoked in one, whichever of the two somebody revokes; no agent manages agents or keys.
//! Wallets that are contracts (ERC-1271) cannot show that they are somebody's: that takes a connection to their chain.
//! Start reading at [`AgentService::register`].

mod agent;
mod config;
mod error;
mod handlers;
mod manage;
mod register;
mod sql;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use tollgate_accounts::AccountService;
use tollgate_base::Clock;
use tollgate_store::Store;

pub use agent::{Agent, AgentBudgets, AgentCaps, AgentChange, AgentState, NewAgent, RegisteredAgent, RevokedAgent};
pub use config::{Config, MAINNET};
pub use error::AgentError;

/// The handle of this room. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AgentService {
    store: Store,
    clock: Clock,
    accounts: AccountService,
    config: Arc<Config>,
    /// The address of the service that a proof has to name; without one nothing is registered.
    audience: Option<Arc<str>>,
}

impl AgentService {
    /// A handle on the agents of `store`, whose keys are those of `accounts`. `audience` is the public address of the
    /// service; without one nothing is registered.
    #[must_use]
    pub fn new(store: Store, clock: Clock, accounts: AccountService, config: Config, audience: Option<String>) -> Self {
        let audience = audience.filter(|_| config.enabled).map(Arc::from);
        Self { store, clock, accounts, config: Arc::new(config), audience }
    }
}
