//! The rules of money, pure: what a batch may do to the balances and holds it has loaded. No I/O, no clock.
//!
//! The database enforces the same bounds with its own words (CHECK and triggers); the two must never disagree, and
//! where they do the database wins and the batch is rolled back.

use std::collections::HashMap;

use crate::base::{AccountId, HoldId, Usd};

/// An account's money. `posted - held` is what can be reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// All credits less all charges.
    pub posted: Usd,
    /// The sum of open holds, part of `posted`.
    pub held: Usd,
}

impl Balance {
    /// What can be reserved.
    #[must_use]
    pub fn available(&self) -> Usd {
        self.posted.checked_sub(self.held).unwrap_or(Usd::ZERO)
    }
}

/// A hold as it was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoadedHold {
    pub(super) account: AccountId,
    pub(super) amount: Usd,
    pub(super) open: bool,
    pub(super) expires_at_ms: i64,
}

/// What a batch loaded. Each decision changes it, so that the next one in the batch sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Loaded {
    pub(super) balances: HashMap<AccountId, Balance>,
    pub(super) holds: HashMap<HoldId, LoadedHold>,
    /// The numbers above it are free.
    pub(super) last_hold: i64,
    /// The number of the start of a server that may write: on a file the latest, on a database server the one that asks. Zero
    /// where that one was taken for gone.
    pub(super) epoch: i64,
}

/// Why money was not reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReserveRefused {
    NoSuchAccount,
    /// The account does not have it.
    Insufficient(Balance),
    /// The account has it, but other holds tie it up.
    TiedUp(Balance),
}

/// Why a hold was not resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResolveRefused {
    /// It is not there, or was resolved before.
    NotOpen,
    /// It was to be resolved only if it had expired, or it has an owner that lives.
    NotExpired,
}

/// What was taken for a settled hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Charge {
    pub(super) charged: Usd,
    /// What the account could not pay of the cost.
    pub(super) shortfall: Usd,
}

impl Loaded {
    /// The number of a hold that is about to be taken.
    pub(super) fn next_hold(&mut self) -> HoldId {
        self.last_hold += 1;
        HoldId(self.last_hold)
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

    /// Ends a hold and charges `cost`: as far as the hold and what is available beside it go. A cost of zero is a
    /// release.
    pub(super) fn resolve(&mut self, id: HoldId, cost: Usd) -> Result<Charge, ResolveRefused> {
        let hold = self.holds.get_mut(&id).filter(|hold| hold.open).ok_or(ResolveRefused::NotOpen)?;
        let balance = self.balances.get_mut(&hold.account).ok_or(ResolveRefused::NotOpen)?;
        let given_back = balance.held.checked_sub(hold.amount).ok_or(ResolveRefused::NotOpen)?;
        hold.open = false;
        balance.held = given_back;
        // Now `available` is the hold's own money and what is free beside it.
        let charged = cost.min(balance.available());
        balance.posted = balance.posted.checked_sub(charged).expect("a charge is at most what is available");
        let shortfall = cost.checked_sub(charged).expect("a charge is at most the cost");
        Ok(Charge { charged, shortfall })
    }

    /// Ends a hold whose time is over at `now_ms`, never one whose time is not.
    pub(super) fn expire(&mut self, id: HoldId, now_ms: i64) -> Result<Charge, ResolveRefused> {
        match self.holds.get(&id) {
            Some(hold) if hold.open && now_ms < hold.expires_at_ms => Err(ResolveRefused::NotExpired),
            _ => self.resolve(id, Usd::ZERO),
        }
    }
}
