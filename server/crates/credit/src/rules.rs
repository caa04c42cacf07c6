//! The rules of money, pure: what a batch may do to the balances and holds it has loaded. No I/O, no clock.
//!
//! The database enforces the same bounds with its own words (CHECK and triggers); the two must never disagree, and
//! where they do the database wins and the batch is rolled back.

use std::collections::{BTreeSet, HashMap};

use super::claim_key::ClaimKey;
use super::limits::{BudgetPeriod, BudgetWindow, BudgetWindowId, CountedLimits, RateLimitState, RateLimited};
use super::loaded_key::LoadedKey;
use super::{BudgetHolder, BudgetOwner};
use tollgate_base::{AccountId, HoldId, KeyId, RequestId, Usd};

/// An account's money. `posted - held` is what can be reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccountBalance {
    /// All credits less all charges.
    pub posted: Usd,
    /// The sum of open holds, part of `posted`.
    pub held: Usd,
}

impl AccountBalance {
    /// The part that can be reserved.
    #[must_use]
    pub fn available(&self) -> Usd {
        self.posted.checked_sub(self.held).unwrap_or(Usd::ZERO)
    }
}

/// A hold as it was loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LoadedHold {
    pub(super) account: AccountId,
    /// The request that it was taken for; absent where that is none of a server's.
    pub(super) request: Option<RequestId>,
    pub(super) amount: Usd,
    pub(super) open: bool,
    pub(super) expires_at_ms: i64,
    /// The limits of its key that it counts against, beside the balance of its account.
    pub(super) counted: Option<CountedLimits>,
    /// The budgets of pools that it counts against.
    pub(super) pooled: Vec<BudgetWindowId>,
}

/// The rows that a batch loaded. Each decision changes them, so that the next one in the batch sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LoadedRows {
    pub(super) balances: HashMap<AccountId, AccountBalance>,
    pub(super) holds: HashMap<HoldId, LoadedHold>,
    pub(super) keys: HashMap<KeyId, LoadedKey>,
    /// Budgets that have rows. A budget without one is unspent.
    pub(super) windows: HashMap<BudgetWindowId, BudgetWindow>,
    /// Keys whose rates a decision has changed.
    pub(super) rated: BTreeSet<KeyId>,
    /// The requests that have the Idempotency-Keys that are claimed.
    pub(super) claims: HashMap<ClaimKey, RequestId>,
    /// The numbers above it are free.
    pub(super) last_hold: i64,
    /// The number of the start of a server that may write: on a file the latest, on a database server the one that asks. Zero
    /// where that one was taken for gone.
    pub(super) epoch: i64,
}

/// The reason that money was not reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReserveRefused {
    NoSuchAccount,
    /// The account does not have it.
    Insufficient(AccountBalance),
    /// The account has it, but other holds tie it up.
    TiedUp(AccountBalance),
}

/// A request for money of an account and a key, and the way that it counts against the key's limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReserveRequest {
    pub(super) account: AccountId,
    pub(super) key: KeyId,
    /// The wanted amount; `least` is the smallest part of it that is of use.
    pub(super) want: Usd,
    pub(super) least: Usd,
    /// Tokens, as far as they are known.
    pub(super) tokens: i64,
    /// True if it counts as a request under way.
    pub(super) in_flight: bool,
    pub(super) now_ms: i64,
}

/// Money that was reserved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReservedMoney {
    pub(super) amount: Usd,
    pub(super) counted: Option<CountedLimits>,
    /// The budgets of pools that it counts against.
    pub(super) pooled: Vec<BudgetWindowId>,
    pub(super) standing: RateLimitState,
}

/// The reason that a key may not reserve money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyReserveRefused {
    Money(ReserveRefused),
    /// It was revoked, or belongs to another account.
    Revoked,
    Expired,
    AccountFrozen,
    /// A budget is spent.
    OverBudget {
        holder: BudgetHolder,
        period: BudgetPeriod,
        window: BudgetWindow,
    },
    /// A budget would suffice, but other holds tie it up.
    BudgetTiedUp {
        holder: BudgetHolder,
        period: BudgetPeriod,
        window: BudgetWindow,
    },
    TooSoon(RateLimited),
}

/// The reason that a hold was not resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HoldEndRefused {
    /// It is not there, or was resolved before.
    NotOpen,
    /// It was to be resolved only if it had expired, or it has an owner that lives.
    NotExpired,
}

/// The charge for a settled hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HoldCharge {
    pub(super) charged: Usd,
    /// The part of the cost that the account could not pay.
    pub(super) shortfall: Usd,
}

impl LoadedRows {
    /// The number of a hold that is about to be taken.
    pub(super) fn next_hold(&mut self) -> HoldId {
        self.last_hold += 1;
        HoldId(self.last_hold)
    }

    /// Reserves money for a key, within the limits that it has. A refusal changes nothing.
    pub(super) fn take(&mut self, taking: &ReserveRequest) -> Result<ReservedMoney, KeyReserveRefused> {
        let ReserveRequest { account, key, want, least, now_ms, .. } = *taking;
        // One that is not there has no limits: the database knows none of it either.
        let found = self.keys.get(&key);
        if let Some(found) = found {
            live(found, account, now_ms)?;
        }
        let Some(found) = found.filter(|found| found.is_bounded()) else {
            let amount = self.reserve(account, want, least).map_err(KeyReserveRefused::Money)?;
            return Ok(ReservedMoney {
                amount,
                counted: None,
                pooled: Vec::new(),
                standing: RateLimitState::default(),
            });
        };
        let found = found.clone();
        let mut used = found.used.at(now_ms, &found.limits);
        used.take(taking.tokens, taking.in_flight, &found.limits).map_err(KeyReserveRefused::TooSoon)?;
        let windows: Vec<(BudgetWindowId, BudgetWindow)> =
            found.windows(key, now_ms).map(|found| self.window(found)).collect();
        let within = want.min(room(&windows, &found, least, now_ms)?);
        let amount = self.reserve(account, within, least).map_err(KeyReserveRefused::Money)?;
        let pooled = windows.iter().map(|(id, _)| *id).filter(|id| matches!(id.owner, BudgetOwner::Pool(_))).collect();
        for (id, mut window) in windows {
            window.hold(amount);
            self.windows.insert(id, window);
        }
        if found.limits.is_empty() {
            return Ok(ReservedMoney { amount, counted: None, pooled, standing: RateLimitState::default() });
        }
        self.rated.insert(key);
        let starts = BudgetPeriod::ALL.map(|period| period.starts_at_ms(now_ms));
        let budgets = found.limits.budgets;
        let starts_at_ms = std::array::from_fn(|index| budgets[index].map(|_| starts[index]));
        let counted = CountedLimits { key, starts_at_ms, tokens: taking.tokens, in_flight: taking.in_flight };
        let standing = used.standing(&found.limits);
        self.keys.insert(key, LoadedKey { used, ..found });
        Ok(ReservedMoney { amount, counted: Some(counted), pooled, standing })
    }

    /// A budget as it stands, with what it is now: a raise of a pool may have begun or ended since the last hold.
    fn window(&self, (id, budget): (BudgetWindowId, Usd)) -> (BudgetWindowId, BudgetWindow) {
        let found = self.windows.get(&id).map(|window| window.with_budget(budget));
        (id, found.unwrap_or(BudgetWindow::new(budget)))
    }

    /// Reserves `want`, or what is available of it, but not less than `least`.
    pub(super) fn reserve(&mut self, account: AccountId, want: Usd, least: Usd) -> Result<Usd, ReserveRefused> {
        let balance = self.balances.get_mut(&account).ok_or(ReserveRefused::NoSuchAccount)?;
        let granted = want.min(balance.available());
        if granted < least {
            let tied_up = balance.posted >= least;
            return Err(if tied_up {
                ReserveRefused::TiedUp(*balance)
            } else {
                ReserveRefused::Insufficient(*balance)
            });
        }
        balance.held = balance.held.checked_add(granted).expect("what is available fits beside what is held");
        Ok(granted)
    }

    /// Ends a hold and charges `cost`: as far as the hold and what is available beside it go, and its budgets. A cost of
    /// zero is a release. It has used so many tokens.
    pub(super) fn resolve(&mut self, id: HoldId, cost: Usd, tokens: i64) -> Result<HoldCharge, HoldEndRefused> {
        let hold = self.holds.get_mut(&id).filter(|hold| hold.open).ok_or(HoldEndRefused::NotOpen)?;
        let (amount, counted) = (hold.amount, hold.counted);
        let windows = counted.iter().flat_map(CountedLimits::windows).chain(hold.pooled.iter().copied());
        let windows: Vec<BudgetWindowId> = windows.collect();
        let room = windows.iter().filter_map(|window| Some(self.windows.get(window)?.room())).min();
        let balance = self.balances.get_mut(&hold.account).ok_or(HoldEndRefused::NotOpen)?;
        let given_back = balance.held.checked_sub(hold.amount).ok_or(HoldEndRefused::NotOpen)?;
        hold.open = false;
        balance.held = given_back;
        // Now `available` is the hold's own money and what is free beside it.
        let most = room.map_or(Usd::MAX, |room| amount.checked_add(room).unwrap_or(Usd::MAX));
        let charged = cost.min(balance.available()).min(most);
        balance.posted = balance.posted.checked_sub(charged).expect("a charge is at most what is available");
        let shortfall = cost.checked_sub(charged).expect("a charge is at most the cost");
        for window in windows {
            self.windows.entry(window).and_modify(|window| window.give_back(amount, charged));
        }
        if let Some(counted) = counted {
            self.keys.entry(counted.key).and_modify(|key| key.used.end(&counted, tokens));
            self.rated.insert(counted.key);
        }
        Ok(HoldCharge { charged, shortfall })
    }

    /// Ends a hold whose time is over at `now_ms`, never one whose time is not.
    pub(super) fn expire(&mut self, id: HoldId, now_ms: i64) -> Result<HoldCharge, HoldEndRefused> {
        match self.holds.get(&id) {
            Some(hold) if hold.open && now_ms < hold.expires_at_ms => Err(HoldEndRefused::NotExpired),
            _ => self.resolve(id, Usd::ZERO, 0),
        }
    }
}

/// Refuses a key that may not be used at all: revoked, expired, or of a frozen account.
fn live(key: &LoadedKey, account: AccountId, now_ms: i64) -> Result<(), KeyReserveRefused> {
    match key {
        key if !key.active || key.account != account => Err(KeyReserveRefused::Revoked),
        key if key.expires_at_ms.is_some_and(|at| now_ms >= at) => Err(KeyReserveRefused::Expired),
        key if !key.account_active => Err(KeyReserveRefused::AccountFrozen),
        _ => Ok(()),
    }
}

/// The amount that all of the budgets leave; refused where it is less than `least`.
fn room(
    windows: &[(BudgetWindowId, BudgetWindow)],
    key: &LoadedKey,
    least: Usd,
    now_ms: i64,
) -> Result<Usd, KeyReserveRefused> {
    let short = || windows.iter().filter(|(_, window)| window.room() < least);
    // Of the budget, not of the cap: what is held beyond a budget that was lowered does not come back to it.
    let unspent = |window: &BudgetWindow| window.budget.checked_sub(window.spent).unwrap_or(Usd::ZERO);
    // The one that begins anew last, and of several the widest.
    let spent =
        short().filter(|(_, window)| unspent(window) < least).map(|(id, window)| (key.holder(id.owner), id, window));
    let ends = |id: &BudgetWindowId| id.period.ends_at_ms(now_ms).unwrap_or(i64::MAX);
    if let Some((holder, id, window)) = spent.max_by_key(|(holder, id, _)| (ends(id), *holder)) {
        return Err(KeyReserveRefused::OverBudget { holder, period: id.period, window: *window });
    }
    match short().next() {
        Some((id, window)) => {
            let (holder, period) = (key.holder(id.owner), id.period);
            Err(KeyReserveRefused::BudgetTiedUp { holder, period, window: *window })
        }
        None => Ok(windows.iter().map(|(_, window)| window.room()).min().unwrap_or(Usd::MAX)),
    }
}
