//! The interface of a database to the writer. One implementation per kind of store; tests have one that fails on demand.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::future::{Future, ready};

use super::attached_statements::Statement;
use super::claim_key::ClaimKey;
use super::claims::{BatchReplies, ClaimEnd};
use super::hold_ending::HoldEnding;
use super::limits::{BudgetWindowId, CountedLimits, RateUsage};
use super::rules::LoadedRows;
use super::{HoldRequest, ServiceClass, TokenPrices};
use tollgate_api::KeyClaim;
use tollgate_base::{AccountId, HoldId, KeyId, RequestId, Usd};
use tollgate_store::{ErrorClass, StoreError};

/// A ledger that carries out one batch at a time. Nothing of a batch is visible before
/// [`carry_out`](Self::carry_out), and everything is on the disk after it.
pub(super) trait LedgerBackend: Send + 'static {
    /// Begins a transaction that may write, and reads what the batch touches and which start of a server may
    /// write.
    fn begin(&mut self, touched: &Touched) -> impl Future<Output = Result<LoadedRows, BackendError>> + Send;

    /// Writes the plan and commits. With [`BackendError::Refused`] nothing was written; after any other fault only
    /// [`is_written`](Self::is_written) can tell.
    fn carry_out(&mut self, plan: &BatchPlan<'_>) -> impl Future<Output = Result<(), BackendError>> + Send;

    /// Leaves the transaction, whatever state it is in, ready for the next [`begin`](Self::begin).
    fn roll_back(&mut self, after: Option<ErrorClass>) -> impl Future<Output = ()> + Send;

    /// True if a plan that failed was carried out after all: each of its rows, as it was to be written. Some of its rows
    /// without the others are an error, because then nobody knows what is there.
    fn is_written(&mut self, plan: &BatchPlan<'_>) -> impl Future<Output = Result<bool, BackendError>> + Send;

    /// The accounts among these that another session keeps locked, looked at between transactions without waiting for any. None
    /// where nobody can tell, and where a store is locked whole or not at all.
    fn locked(&mut self, accounts: Vec<AccountId>) -> impl Future<Output = BTreeSet<AccountId>> + Send {
        drop(accounts);
        ready(BTreeSet::new())
    }
}

/// The accounts, holds and keys that a batch touches.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) accounts: Vec<AccountId>,
    pub(super) holds: Vec<HoldId>,
    /// The keys of requests that ask for holds.
    pub(super) keys: Vec<KeyId>,
    /// Unix time in milliseconds at which the batch is decided.
    pub(super) now_ms: i64,
    /// The most holds that it may take.
    pub(super) new_holds: usize,
    /// Idempotency-Keys that are claimed with new holds.
    pub(super) claims: Vec<ClaimKey>,
}

/// The rows that a batch writes.
#[derive(Debug, Default)]
pub(super) struct BatchPlan<'a> {
    pub(super) epoch: i64,
    pub(super) now_ms: i64,
    pub(super) holds: Vec<NewHold<'a>>,
    pub(super) receipts: Vec<NewReceipt<'a>>,
    pub(super) rates: Vec<NewRate>,
    /// Claims to be written down with the holds.
    pub(super) claims: Vec<&'a KeyClaim>,
    pub(super) replies: BatchReplies,
    /// Claims that end with the receipts.
    pub(super) claims_ended: Vec<ClaimEnd<'a>>,
}

impl<'a> BatchPlan<'a> {
    /// The prices that its rows refer to, each once, but those that are known to be there.
    pub(super) fn prices(&self, known: &HashSet<i64>) -> Vec<NewPrice<'a>> {
        let of_holds = self.holds.iter().map(|hold| (hold.price_id, &hold.ask.price));
        let of_receipts = self.receipts.iter().flat_map(NewReceipt::prices).map(|price| (price.id(), price));
        let new: BTreeMap<_, _> = of_holds.chain(of_receipts).filter(|(id, _)| !known.contains(id)).collect();
        new.into_iter().map(|(id, price)| NewPrice { id, price }).collect()
    }
}

/// Prices to insert, where they are not there.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewPrice<'a> {
    pub(super) id: i64,
    pub(super) price: &'a TokenPrices,
}

/// A hold to insert.
#[derive(Debug)]
pub(super) struct NewHold<'a> {
    pub(super) id: HoldId,
    /// The number of the row of its prices.
    pub(super) price_id: i64,
    pub(super) amount: Usd,
    pub(super) ask: &'a HoldRequest,
    pub(super) rider: &'a [Statement],
    /// The limits of its key that it counts against, beside the balance of its account.
    pub(super) counted: Option<CountedLimits>,
    /// The budgets of pools that it counts against.
    pub(super) pooled: Vec<BudgetWindowId>,
}

/// The used part of a key's rates. The number of its requests under way is the database's to count.
#[derive(Debug)]
pub(super) struct NewRate {
    pub(super) key: KeyId,
    pub(super) used: RateUsage,
}

/// A receipt to insert; the database resolves its hold by it.
#[derive(Debug)]
pub(super) struct NewReceipt<'a> {
    pub(super) hold: HoldId,
    /// The request that it is of; absent where that is none of a server's.
    pub(super) request: Option<RequestId>,
    pub(super) charged: Usd,
    pub(super) shortfall: Usd,
    pub(super) ending: &'a HoldEnding,
}

impl<'a> NewReceipt<'a> {
    /// The class of service that it is charged in.
    pub(super) fn class(&self) -> Option<&'a ServiceClass> {
        self.ending.services.as_deref()?.class.as_ref()
    }

    /// The uses of tools that it is charged for, as JSON: of each its name, how many, and the price of one in pico-USD.
    pub(super) fn tools(&self) -> Option<String> {
        let uses = self.ending.services.as_deref().map_or(&[][..], |services| &services.uses);
        let lines: Vec<_> = uses.iter().map(|line| (&line.tool, line.uses, line.price.picos())).collect();
        (!lines.is_empty()).then(|| serde_json::to_string(&lines).expect("names and numbers are JSON"))
    }

    /// The prices that it tells beside those of its hold.
    fn prices(&self) -> impl Iterator<Item = &'a TokenPrices> + use<'a> {
        let fallback = self.ending.fallback.as_ref().map(|fallback| &fallback.price);
        let tier = self.ending.tier.as_deref().map(|tier| &tier.price);
        let class = self.class().map(|class| &class.price);
        [fallback, tier, class].into_iter().flatten()
    }
}

impl BatchPlan<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.holds.is_empty() && self.receipts.is_empty()
    }
}

/// A step of a batch that failed.
#[derive(Debug, thiserror::Error)]
#[error("a step of a batch failed")]
pub(super) struct BackendError {
    pub(super) fault: ErrorClass,
    /// True if the rule that refused it is that a request id, or an Idempotency-Key, is used once.
    pub(super) duplicate: bool,
    pub(super) source: StoreError,
}
