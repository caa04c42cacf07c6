//! A ledger in memory that keeps the same rules as the databases: what a batch may write is checked again where it is
//! written, and a batch is written whole or not at all.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use crate::AccountBalance;
use crate::backend::{BackendError, BatchPlan, LedgerBackend, Touched};
use crate::rules::{LoadedHold, LoadedRows};
use tollgate_base::{AccountId, HoldId, RequestId, Usd};
use tollgate_store::{ErrorClass, StoreError};

/// The rows.
#[derive(Debug, Clone, Default)]
struct Rows {
    balances: HashMap<AccountId, AccountBalance>,
    holds: HashMap<HoldId, LoadedHold>,
    requests: HashSet<RequestId>,
    receipts: HashMap<HoldId, (Usd, Usd)>,
    last_hold: i64,
}

/// A ledger in memory. All clones are the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Arc<Mutex<Rows>>);

impl Memory {
    pub(super) fn grant(&self, account: AccountId, amount: Usd) {
        let mut rows = self.0.lock().unwrap();
        let balance = rows.balances.entry(account).or_default();
        balance.posted = balance.posted.checked_add(amount).unwrap();
    }

    pub(super) fn balance(&self, account: AccountId) -> AccountBalance {
        self.0.lock().unwrap().balances[&account]
    }
}

#[derive(Debug)]
pub(super) struct MemoryLedger(pub(super) Memory);

fn refused(rule: &'static str) -> BackendError {
    let source = StoreError::Unreadable { what: "a batch that keeps the rules", found: rule.to_owned() };
    BackendError { fault: ErrorClass::Refused, duplicate: rule == UNIQUE, source }
}

const UNIQUE: &str = "holds.request_id";

impl Rows {
    /// Writes in the order of the databases: receipts first, because what they free may be held again.
    fn write(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        for receipt in &plan.receipts {
            let hold = self.holds.get_mut(&receipt.hold).filter(|hold| hold.open).ok_or(refused("resolves once"))?;
            hold.open = false;
            let (account, amount) = (hold.account, hold.amount);
            let balance = self.balances.get_mut(&account).ok_or(refused("a hold is of an account"))?;
            balance.held = balance.held.checked_sub(amount).ok_or(refused("held_not_negative"))?;
            balance.posted = balance.posted.checked_sub(receipt.charged).ok_or(refused("a charge is money"))?;
            self.receipts.insert(receipt.hold, (receipt.charged, receipt.shortfall));
        }
        for hold in &plan.holds {
            let ask = hold.ask;
            let balance = self.balances.get_mut(&ask.account).ok_or(refused("a hold is of an account"))?;
            balance.held = balance.held.checked_add(hold.amount).ok_or(refused("held is money"))?;
            if !self.requests.insert(ask.request) {
                return Err(refused(UNIQUE));
            }
            let row = LoadedHold {
                account: ask.account,
                request: Some(ask.request),
                amount: hold.amount,
                open: true,
                expires_at_ms: ask.expires_at_ms,
                counted: hold.counted,
                pooled: hold.pooled.clone(),
            };
            if self.holds.insert(hold.id, row).is_some() {
                return Err(refused("holds.id"));
            }
            self.last_hold = self.last_hold.max(hold.id.0);
        }
        let fits = |balance: &AccountBalance| Usd::ZERO <= balance.held && balance.held <= balance.posted;
        self.balances.values().all(fits).then_some(()).ok_or(refused("available_not_negative"))
    }
}

impl LedgerBackend for MemoryLedger {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        let rows = self.0.0.lock().unwrap();
        let balance = |account: &AccountId| Some((*account, *rows.balances.get(account)?));
        let hold = |id: &HoldId| Some((*id, rows.holds.get(id)?.clone()));
        Ok(LoadedRows {
            balances: touched.accounts.iter().filter_map(balance).collect(),
            holds: touched.holds.iter().filter_map(hold).collect(),
            last_hold: rows.last_hold,
            epoch: 1,
            ..LoadedRows::default()
        })
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        let mut rows = self.0.0.lock().unwrap();
        let mut written = rows.clone();
        written.write(plan)?;
        *rows = written;
        Ok(())
    }

    async fn roll_back(&mut self, _after: Option<ErrorClass>) {}

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        let rows = self.0.0.lock().unwrap();
        let receipts = plan.receipts.iter().all(|receipt| rows.receipts.contains_key(&receipt.hold));
        Ok(receipts && plan.holds.iter().all(|hold| rows.holds.contains_key(&hold.id)))
    }
}
