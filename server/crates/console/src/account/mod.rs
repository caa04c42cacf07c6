//! The console of an account: pages that are written for each request, for who is signed in.
//!
//! Data comes by the operations of the API, called in the process; changes go by the same operations over HTTP, which the script of
//! the pages asks for. Invariants: a page has what belongs to the account of the session alone; no parameter says where to go on:
//! where a sign-in leads stands in the page, and of whoever comes from a payment the number of the order alone is taken along.
//! The words for people are in [`texts`].

mod agents;
mod files;
mod first_steps;
mod frame;
mod keys;
mod organisation;
mod overview;
mod playground;
mod pools;
mod public;
mod receipts;
mod refused;
mod settings;
mod spending;
mod tag_spending;
mod texts;
mod topup;
mod usage;

use std::sync::Arc;

use tollgate_accounts::AccountService;
use tollgate_agents::AgentService;
use tollgate_base::{Branding, Clock};
use tollgate_credit::Ledger;
use tollgate_gateway::Gateway;
use tollgate_identities::IdentityService;
use tollgate_organisations::OrganisationService;
use tollgate_topup::Topups;

pub use refused::signed_in_pages;

/// The handle of the pages. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AccountPages {
    /// The time.
    pub clock: Clock,
    /// Accounts, keys and sessions.
    pub accounts: AccountService,
    /// Balances, receipts and usage.
    pub credit: Ledger,
    /// The models on offer.
    pub gateway: Gateway,
    /// The rails.
    pub topups: Topups,
    /// Teams and members.
    pub organisations: OrganisationService,
    /// Agents of accounts.
    pub agents: AgentService,
    /// Ways to sign in beside a password.
    pub identities: IdentityService,
    /// The address at which clients reach the service, without a slash at its end. Absent where it is not configured.
    pub address: Option<String>,
    /// The name, logo and colour that the pages bear.
    pub branding: Arc<Branding>,
}

/// Something that a page needs cannot be read. It is logged.
#[derive(Debug)]
struct Unreadable;
