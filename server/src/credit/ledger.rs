//! What the writer needs of a database. One implementation per kind of store; tests have one that fails on demand.

use std::collections::BTreeSet;
use std::future::{Future, ready};

use super::claims::{BatchReplies, ClaimEnd, ClaimKey};
use super::limits::{Counted, Used};
use super::rider::Statement;
use super::rules::Loaded;
use super::{HoldAsk, ServiceClass, Services, ToolUse, queue::Ending};
use crate::api::KeyClaim;
use crate::base::{AccountId, HoldId, KeyId, Usd};
use crate::store::{Fault, StoreError};

/// A ledger that carries out one batch at a time. Nothing of a batch is visible before
/// [`carry_out`](Self::carry_out), and everything is on the disk after it.
pub(super) trait Ledger: Send + 'static {
    /// Begins a transaction that may write, and reads what the batch touches and which start of a server may
    /// write.
    fn begin(&mut self, touched: &Touched) -> impl Future<Output = Result<Loaded, Trouble>> + Send;

    /// Writes the plan and commits. With [`Fault::Refused`] nothing was written; after any other fault only
    /// [`is_written`](Self::is_written) can tell.
    fn carry_out(&mut self, plan: &Plan<'_>) -> impl Future<Output = Result<(), Trouble>> + Send;

    /// Leaves the transaction, whatever state it is in, ready for the next [`begin`](Self::begin).
    fn roll_back(&mut self, after: Option<Fault>) -> impl Future<Output = ()> + Send;

    /// Whether a plan that failed was carried out after all: each row of it, as it was to be written. Some of its rows
    /// without the others are an error, because then nobody knows what is there.
    fn is_written(&mut self, plan: &Plan<'_>) -> impl Future<Output = Result<bool, Trouble>> + Send;

    /// Which of these accounts somebody else keeps locked, looked at between transactions without waiting for any. None where
    /// nobody can tell, and where a store is locked whole or not at all.
    fn locked(&mut self, accounts: Vec<AccountId>) -> impl Future<Output = BTreeSet<AccountId>> + Send {
        drop(accounts);
        ready(BTreeSet::new())
    }
}

/// What a batch touches.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) accounts: Vec<AccountId>,
    pub(super) holds: Vec<HoldId>,
    /// Of those who ask for holds.
    pub(super) keys: Vec<KeyId>,
    /// Unix time in milliseconds at which the batch is decided.
    pub(super) now_ms: i64,
    /// How many holds it may take.
    pub(super) new_holds: usize,
    /// Idempotency-Keys that are claimed with them.
    pub(super) claims: Vec<ClaimKey>,
}

/// What a batch writes.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    pub(super) epoch: i64,
    pub(super) now_ms: i64,
    pub(super) holds: Vec<NewHold<'a>>,
    pub(super) receipts: Vec<NewReceipt<'a>>,
    pub(super) rates: Vec<NewRate>,
    /// To be written down with the holds.
    pub(super) claims: Vec<&'a KeyClaim>,
    pub(super) replies: BatchReplies,
    /// That end with the receipts.
    pub(super) claims_ended: Vec<ClaimEnd<'a>>,
}

impl<'a> Plan<'a> {
    /// The classes of service that its receipts are charged in.
    pub(super) fn service_classes(&self) -> impl Iterator<Item = (HoldId, &'a ServiceClass)> {
        self.services().filter_map(|(hold, services)| Some((hold, services.class.as_ref()?)))
    }

    /// The uses of tools that its receipts are charged for.
    pub(super) fn tool_uses(&self) -> impl Iterator<Item = (HoldId, &'a ToolUse)> {
        self.services().flat_map(|(hold, services)| services.uses.iter().map(move |line| (hold, line)))
    }

    fn services(&self) -> impl Iterator<Item = (HoldId, &'a Services)> {
        self.receipts.iter().filter_map(|receipt| Some((receipt.hold, receipt.ending.services.as_deref()?)))
    }
}

/// A hold to insert.
#[derive(Debug)]
pub(super) struct NewHold<'a> {
    pub(super) id: HoldId,
    pub(super) amount: Usd,
    pub(super) ask: &'a HoldAsk,
    pub(super) rider: &'a [Statement],
    /// What it counts against beside the account.
    pub(super) counted: Option<Counted>,
}

/// What a key has used of its rates. How many of its requests are under way is the database's to count.
#[derive(Debug)]
pub(super) struct NewRate {
    pub(super) key: KeyId,
    pub(super) used: Used,
}

/// A receipt to insert; the database resolves its hold by it.
#[derive(Debug)]
pub(super) struct NewReceipt<'a> {
    pub(super) hold: HoldId,
    pub(super) charged: Usd,
    pub(super) shortfall: Usd,
    pub(super) ending: &'a Ending,
}

impl Plan<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.receipts.is_empty()
    }
}

/// A step that failed.
#[derive(Debug, thiserror::Error)]
#[error("a step of a batch failed")]
pub(super) struct Trouble {
    pub(super) fault: Fault,
    /// The rule that refused it is that a request id holds once.
    pub(super) duplicate: bool,
    pub(super) source: StoreError,
}
