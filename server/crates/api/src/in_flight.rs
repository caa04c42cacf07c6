//! Places for requests in flight: further ones are refused at once instead of being answered too late. A part of them is
//! all that one account may have. Of its model requests it may have as many as its group says, under way and in a minute.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Operation;
use tollgate_base::{AccountGroup, AccountId};

const MINUTE: Duration = Duration::from_secs(60);
/// Idle accounts are swept when there are so many, or twice as many as stayed at the last time.
const SWEEP_THRESHOLD: usize = 1024;

/// The bound on requests in flight at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct InFlightRequests {
    free: Arc<Semaphore>,
    most: usize,
    shares: Arc<AccountShares>,
}

/// The bounds of each account of a group on its model requests, on each server; absent is without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GroupBounds {
    /// Model requests that it may have in flight.
    pub in_flight: Option<u32>,
    /// Model requests that it may begin in a minute. As many may begin at once, and each comes back in its part of the minute.
    pub requests_per_minute: Option<u32>,
}

/// The requests of each account.
#[derive(Debug)]
struct AccountShares {
    taken: Mutex<AccountsTaken>,
    most: usize,
    groups: ArcSwap<BTreeMap<AccountGroup, GroupBounds>>,
}

#[derive(Debug)]
struct AccountsTaken {
    accounts: HashMap<AccountId, AccountTaken>,
    sweep_at: usize,
}

/// The requests of one account.
#[derive(Debug, Default)]
struct AccountTaken {
    in_flight: usize,
    model_requests: usize,
    /// The time at which the whole allowance of a minute is there again; absent where it is.
    minute_whole_at: Option<Instant>,
}

/// One request's place; free again when the last clone is dropped.
#[derive(Debug, Clone)]
pub(super) struct InFlightPermit(Option<Arc<InFlightEntry>>);

#[derive(Debug)]
struct InFlightEntry {
    _permit: OwnedSemaphorePermit,
    shares: Arc<AccountShares>,
    /// The account whose request it is, once that is known, and whether it is a model request.
    account: OnceLock<(AccountId, bool)>,
}

/// The account has as many requests as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdmissionRefusal {
    /// So many are in flight.
    InFlight(usize),
    /// So many model requests are in flight, by the bound of its group.
    ModelsInFlight(u32),
    /// So many model requests were begun within a minute, by the bound of its group.
    Minute {
        /// The bound.
        most: u32,
        /// The time until the next may begin.
        wait: Duration,
    },
}

impl InFlightRequests {
    /// A bound of so many places, and so many of them for one account.
    #[must_use]
    pub fn new(most: usize, per_account: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let taken = AccountsTaken { accounts: HashMap::new(), sweep_at: SWEEP_THRESHOLD };
        let shares = AccountShares { taken: Mutex::new(taken), most: per_account, groups: ArcSwap::default() };
        Self { free: Arc::new(Semaphore::new(most)), most, shares: Arc::new(shares) }
    }

    /// Bounds the accounts of groups by these from now on, in the place of all bounds before.
    pub fn bound_groups(&self, groups: BTreeMap<AccountGroup, GroupBounds>) {
        self.shares.groups.store(Arc::new(groups));
    }

    /// The number of places that are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.most - self.free.available_permits()
    }

    /// A place, unless all are taken. Operations about the service itself need none.
    pub(super) fn try_acquire(&self, operation: &Operation) -> Option<InFlightPermit> {
        if operation.about_service {
            return Some(InFlightPermit(None));
        }
        let permit = self.free.clone().try_acquire_owned().ok()?;
        let held = InFlightEntry { _permit: permit, shares: self.shares.clone(), account: OnceLock::new() };
        Some(InFlightPermit(Some(Arc::new(held))))
    }
}

impl InFlightPermit {
    /// Counts it as the account's; as a model request where the group of the account is told.
    pub(super) fn assign_to(&self, account: AccountId, group: Option<AccountGroup>) -> Result<(), AdmissionRefusal> {
        let Some(held) = &self.0 else { return Ok(()) };
        if held.account.get().is_some() {
            return Ok(());
        }
        let bounds = group.and_then(|group| held.shares.groups.load().get(&group).copied());
        let mut taken = held.shares.taken();
        let now = Instant::now();
        taken.entry(account, now).take(held.shares.most, group.is_some(), bounds.unwrap_or_default(), now)?;
        // Set under the lock, and by the one request that it belongs to.
        let _ = held.account.set((account, group.is_some()));
        Ok(())
    }

    /// True if it takes no place.
    pub(super) fn is_exempt(&self) -> bool {
        self.0.is_none()
    }
}

impl AccountShares {
    /// Numbers alone are changed under the lock, so that a panic elsewhere leaves them right.
    fn taken(&self) -> MutexGuard<'_, AccountsTaken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AccountsTaken {
    fn entry(&mut self, account: AccountId, now: Instant) -> &mut AccountTaken {
        if self.accounts.len() >= self.sweep_at {
            self.accounts.retain(|_, taken| !taken.is_idle(now));
            self.sweep_at = SWEEP_THRESHOLD.max(self.accounts.len().saturating_mul(2));
        }
        self.accounts.entry(account).or_default()
    }
}

impl AccountTaken {
    /// One more request.
    fn take(&mut self, most: usize, of_model: bool, bounds: GroupBounds, now: Instant) -> Result<(), AdmissionRefusal> {
        if self.in_flight >= most {
            return Err(AdmissionRefusal::InFlight(most));
        }
        let is_reached = |places: &u32| usize::try_from(*places).is_ok_and(|places| self.model_requests >= places);
        let places = bounds.in_flight.filter(is_reached);
        if let Some(places) = places {
            return Err(AdmissionRefusal::ModelsInFlight(places));
        }
        if let Some(most) = bounds.requests_per_minute {
            // A bound that was lowered is not waited for by what was begun under a larger one.
            let whole_at = self.minute_whole_at.map_or(now, |at| at.clamp(now, now + MINUTE)) + MINUTE / most.max(1);
            if let Some(wait) = whole_at.checked_duration_since(now + MINUTE).filter(|wait| !wait.is_zero()) {
                return Err(AdmissionRefusal::Minute { most, wait });
            }
            self.minute_whole_at = Some(whole_at);
        }
        self.in_flight += 1;
        self.model_requests += usize::from(of_model);
        Ok(())
    }

    /// True if there is nothing to remember of it.
    fn is_idle(&self, now: Instant) -> bool {
        self.in_flight == 0 && self.minute_whole_at.is_none_or(|at| at <= now)
    }
}

impl Drop for InFlightEntry {
    fn drop(&mut self) {
        let Some((account, of_model)) = self.account.get() else { return };
        let mut taken = self.shares.taken();
        let Some(of_account) = taken.accounts.get_mut(account) else { return };
        of_account.in_flight -= 1;
        of_account.model_requests -= usize::from(*of_model);
        if of_account.is_idle(Instant::now()) {
            taken.accounts.remove(account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ECHO;
    use super::*;

    const GOLD: AccountGroup = AccountGroup::DEFAULT;

    fn bounded(in_flight: Option<u32>, requests_per_minute: Option<u32>) -> InFlightRequests {
        let places = InFlightRequests::new(10, 8);
        places.bound_groups(BTreeMap::from([(GOLD, GroupBounds { in_flight, requests_per_minute })]));
        places
    }

    #[test]
    fn an_account_has_its_share_and_gets_it_back() {
        let places = InFlightRequests::new(10, 2);
        let take = || places.try_acquire(&ECHO).expect("a place");
        let held: Vec<_> = (0..2).map(|_| take()).collect();
        for place in &held {
            // A request is counted once, however often it is asked whose it is.
            assert_eq!((place.assign_to(AccountId(1), None), place.assign_to(AccountId(1), None)), (Ok(()), Ok(())));
        }
        assert_eq!(take().assign_to(AccountId(1), None), Err(AdmissionRefusal::InFlight(2)));
        assert_eq!(take().assign_to(AccountId(2), None), Ok(()), "another account");
        let clone = held[0].clone();
        drop(held);
        assert_eq!(places.taken(), 1, "a clone keeps it");
        drop(clone);
        assert_eq!(take().assign_to(AccountId(1), None), Ok(()));
        assert!(places.shares.taken().accounts.is_empty(), "nothing is kept about who has gone");
    }

    #[test]
    fn a_group_bounds_the_model_requests_of_each_of_its_accounts() {
        let places = bounded(Some(1), None);
        let take = || places.try_acquire(&ECHO).expect("a place");
        let (one, other) = (take(), take());
        assert_eq!(one.assign_to(AccountId(1), Some(GOLD)), Ok(()));
        assert_eq!(take().assign_to(AccountId(1), Some(GOLD)), Err(AdmissionRefusal::ModelsInFlight(1)));
        assert_eq!(other.assign_to(AccountId(1), None), Ok(()), "requests for no model are not bounded by it");
        assert_eq!(take().assign_to(AccountId(2), Some(GOLD)), Ok(()), "another account");
        assert_eq!(take().assign_to(AccountId(1), "silver".parse().ok()), Ok(()), "another group");
        drop(one);
        assert_eq!(take().assign_to(AccountId(1), Some(GOLD)), Ok(()));
        places.bound_groups(BTreeMap::new());
        let held = [take(), take()];
        assert!(
            held.iter().all(|place| place.assign_to(AccountId(1), Some(GOLD)).is_ok()),
            "a bound that was taken off"
        );
    }

    #[test]
    fn a_minutes_requests_come_back_by_and_by() {
        let bounds = GroupBounds { in_flight: None, requests_per_minute: Some(3) };
        let (mut account, begin) = (AccountTaken::default(), Instant::now());
        let mut take = |after_ms: u64| {
            let taken = account.take(100, true, bounds, begin + Duration::from_millis(after_ms));
            taken.map_err(|why| match why {
                AdmissionRefusal::Minute { most: 3, wait } => wait.as_millis(),
                other => panic!("{other:?}"),
            })
        };
        assert_eq!([take(0), take(0), take(0)], [Ok(()); 3]);
        assert_eq!((take(0), take(19_000), take(20_000), take(20_000)), (Err(20_000), Err(1_000), Ok(()), Err(20_000)));
        assert_eq!([take(80_000), take(80_000), take(80_000), take(80_000)], [Ok(()), Ok(()), Ok(()), Err(20_000)]);
        let lowered = GroupBounds { in_flight: None, requests_per_minute: Some(1) };
        let wait = account.take(100, true, lowered, begin + Duration::from_millis(80_000));
        assert_eq!(wait, Err(AdmissionRefusal::Minute { most: 1, wait: MINUTE }));
        assert!(!account.is_idle(begin), "in flight");
    }

    #[test]
    fn what_is_refused_is_not_counted() {
        let places = bounded(Some(1), Some(1));
        let take = || places.try_acquire(&ECHO).expect("a place");
        assert_eq!(take().assign_to(AccountId(1), Some(GOLD)), Ok(()));
        let waits = take().assign_to(AccountId(1), Some(GOLD));
        assert!(matches!(waits, Err(AdmissionRefusal::Minute { most: 1, wait }) if wait <= MINUTE), "{waits:?}");
        assert_eq!(places.shares.taken().accounts[&AccountId(1)].in_flight, 0);
        assert_eq!(places.shares.taken().accounts.len(), 1, "it is remembered until its minute is over");
        let over = Instant::now() + MINUTE;
        assert!(places.shares.taken().accounts[&AccountId(1)].is_idle(over));
    }

    #[test]
    fn who_has_gone_is_forgotten_when_there_are_many() {
        let mut taken = AccountsTaken { accounts: HashMap::new(), sweep_at: SWEEP_THRESHOLD };
        let (now, bounds) = (Instant::now(), GroupBounds { in_flight: None, requests_per_minute: Some(60) });
        for account in 0..SWEEP_THRESHOLD {
            let account = taken.entry(AccountId(i64::try_from(account).unwrap()), now);
            account.take(10, true, bounds, now).unwrap();
            account.in_flight = 0;
        }
        taken.entry(AccountId(-1), now);
        assert_eq!(taken.accounts.len(), SWEEP_THRESHOLD + 1, "their minute is not over");
        taken.sweep_at = 0;
        taken.entry(AccountId(-2), now + MINUTE);
        assert_eq!((taken.accounts.len(), taken.sweep_at), (1, SWEEP_THRESHOLD));
    }
}
