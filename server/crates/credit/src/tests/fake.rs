//! A ledger in memory that fails when it is told to.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::Notify;

use crate::AccountBalance;
use crate::backend::{BackendError, BatchPlan, LedgerBackend, Touched};
use crate::rules::{LoadedHold, LoadedRows};
use tollgate_base::{AccountId, HoldId, RequestId, Usd};
use tollgate_store::{ErrorClass, StoreError};

/// The result of the next commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commit {
    /// It does not fail.
    Works,
    /// It fails and nothing is written.
    Fails(ErrorClass),
    /// It fails and everything is written.
    FailsWritten(ErrorClass),
}

#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) commits: VecDeque<Commit>,
    /// Begins that fail before one works.
    pub(super) begins: VecDeque<ErrorClass>,
    /// Holds whose request or whose ending the database refuses.
    pub(super) poison: BTreeSet<i64>,
    pub(super) stuck: bool,
    /// The time that each begin takes.
    pub(super) slow: Duration,
    /// True if the time of each hold is over.
    pub(super) expired: bool,
    pub(super) blind: bool,
    pub(super) holds: Vec<(i64, bool)>,
    pub(super) requests: HashMap<i64, RequestId>,
    /// Holds that ended by a settlement.
    pub(super) charged: Vec<i64>,
    pub(super) batches: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Fake(Arc<Mutex<Script>>, Arc<Notify>);

const POSTED: Usd = Usd::from_nanos(1_000_000_000_000);
pub(super) const POISON: &str = "poison";

impl Fake {
    pub(super) fn edit<T>(&self, edit: impl FnOnce(&mut Script) -> T) -> T {
        edit(&mut self.0.lock().unwrap())
    }

    /// Ends its being stuck.
    pub(super) fn go_on(&self) {
        self.edit(|script| script.stuck = false);
        self.1.notify_one();
    }

    fn write(&self, plan: &BatchPlan<'_>) {
        self.edit(|script| {
            script.batches += 1;
            let settled = plan.receipts.iter().filter(|receipt| receipt.ending.usage.is_some());
            script.charged.extend(settled.map(|receipt| receipt.hold.0));
            script.holds.extend(plan.holds.iter().map(|hold| (hold.id.0, true)));
            script.requests.extend(plan.holds.iter().map(|hold| (hold.id.0, hold.ask.request)));
            for receipt in &plan.receipts {
                script.holds.iter_mut().find(|hold| hold.0 == receipt.hold.0).unwrap().1 = false;
            }
        });
    }
}

fn trouble(fault: ErrorClass) -> BackendError {
    BackendError { fault, duplicate: false, source: StoreError::Unreadable { what: "a test", found: String::new() } }
}

#[derive(Debug)]
pub(super) struct FakeLedger(pub(super) Fake);

impl LedgerBackend for FakeLedger {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        if self.0.edit(|script| script.stuck) {
            self.0.1.notified().await;
        }
        tokio::time::sleep(self.0.edit(|script| script.slow)).await;
        if let Some(fault) = self.0.edit(|script| script.begins.pop_front()) {
            return Err(trouble(fault));
        }
        let (holds, expired) = self.0.edit(|script| (script.holds.clone(), script.expired));
        let requests = self.0.edit(|script| script.requests.clone());
        let open = i64::try_from(holds.iter().filter(|hold| hold.1).count()).unwrap();
        let balance = AccountBalance { posted: POSTED, held: Usd::from_nanos(open) };
        let loaded = |&(id, open): &(i64, bool)| {
            (
                HoldId(id),
                LoadedHold {
                    account: AccountId(1),
                    request: requests.get(&id).copied(),
                    amount: Usd::from_nanos(1),
                    open,
                    expires_at_ms: if expired { i64::MIN } else { i64::MAX },
                    counted: None,
                    pooled: Vec::new(),
                },
            )
        };
        Ok(LoadedRows {
            balances: touched.accounts.iter().map(|account| (*account, balance)).collect(),
            holds: holds.iter().map(loaded).collect(),
            last_hold: holds.iter().map(|hold| hold.0).max().unwrap_or(0),
            epoch: 1,
            ..LoadedRows::default()
        })
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        let poisoned = plan.holds.iter().any(|hold| hold.ask.model == POISON)
            || self.0.edit(|script| {
                plan.receipts
                    .iter()
                    .any(|receipt| receipt.ending.usage.is_some() && script.poison.contains(&receipt.hold.0))
            });
        if poisoned {
            return Err(trouble(ErrorClass::Refused));
        }
        let commit = self.0.edit(|script| script.commits.pop_front());
        if let Some(Commit::Fails(fault)) = commit {
            return Err(trouble(fault));
        }
        self.0.write(plan);
        match commit {
            Some(Commit::FailsWritten(fault)) => Err(trouble(fault)),
            Some(Commit::Fails(_) | Commit::Works) | None => Ok(()),
        }
    }

    async fn roll_back(&mut self, _after: Option<ErrorClass>) {}

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        if self.0.edit(|script| script.blind) {
            return Err(trouble(ErrorClass::Lost));
        }
        Ok(self.0.edit(|script| {
            let there = |id: i64, open| script.holds.contains(&(id, open));
            plan.holds.iter().all(|hold| there(hold.id.0, true))
                && plan.receipts.iter().all(|receipt| there(receipt.hold.0, false))
        }))
    }
}
