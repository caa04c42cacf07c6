//! Places for requests in flight: further ones are refused at once instead of being answered too late. A part of them is
//! all that one account may have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Operation;
use tollgate_base::AccountId;

/// The bound on requests in flight at the same time. Cheap to clone; clones count together.
#[derive(Debug, Clone)]
pub struct InFlightRequests {
    free: Arc<Semaphore>,
    most: usize,
    shares: Arc<AccountShares>,
}

/// The number of requests in flight of each account.
#[derive(Debug)]
struct AccountShares {
    taken: Mutex<HashMap<AccountId, usize>>,
    most: usize,
}

/// One request's place; free again when the last clone is dropped.
#[derive(Debug, Clone)]
pub(super) struct InFlightPermit(Option<Arc<InFlightEntry>>);

#[derive(Debug)]
struct InFlightEntry {
    _permit: OwnedSemaphorePermit,
    shares: Arc<AccountShares>,
    /// The account whose request it is, once that is known.
    account: OnceLock<AccountId>,
}

/// The account has as many requests in flight as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShareTaken {
    /// The most that the account may have.
    pub most: usize,
}

impl InFlightRequests {
    /// A bound of so many places, and so many of them for one account.
    #[must_use]
    pub fn new(most: usize, per_account: usize) -> Self {
        let most = most.min(Semaphore::MAX_PERMITS);
        let shares = Arc::new(AccountShares { taken: Mutex::default(), most: per_account });
        Self { free: Arc::new(Semaphore::new(most)), most, shares }
    }

    /// The number of places that are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.most - self.free.available_permits()
    }

    /// A place, unless all are taken. Operations about the service itself need none.
    pub(super) fn try_acquire(&self, operation: &Operation) -> Option<InFlightPermit> {
        if operation.is_about_service() {
            return Some(InFlightPermit(None));
        }
        let permit = self.free.clone().try_acquire_owned().ok()?;
        let held = InFlightEntry { _permit: permit, shares: self.shares.clone(), account: OnceLock::new() };
        Some(InFlightPermit(Some(Arc::new(held))))
    }
}

impl InFlightPermit {
    /// Counts it as the account's.
    pub(super) fn assign_to(&self, account: AccountId) -> Result<(), ShareTaken> {
        let Some(held) = &self.0 else { return Ok(()) };
        if held.account.get().is_some() {
            return Ok(());
        }
        let mut taken = held.shares.taken();
        let count = taken.entry(account).or_default();
        if *count >= held.shares.most {
            return Err(ShareTaken { most: held.shares.most });
        }
        *count += 1;
        // Set under the lock, and by the one request that it belongs to.
        let _ = held.account.set(account);
        Ok(())
    }

    /// True if it takes no place.
    pub(super) fn is_exempt(&self) -> bool {
        self.0.is_none()
    }
}

impl AccountShares {
    /// Numbers alone are changed under the lock, so that a panic elsewhere leaves them right.
    fn taken(&self) -> MutexGuard<'_, HashMap<AccountId, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for InFlightEntry {
    fn drop(&mut self) {
        let Some(account) = self.account.get() else { return };
        let mut taken = self.shares.taken();
        let Some(count) = taken.get_mut(account) else { return };
        *count -= 1;
        if *count == 0 {
            taken.remove(account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::ECHO;
    use super::*;

    #[test]
    fn an_account_has_its_share_and_gets_it_back() {
        let places = InFlightRequests::new(10, 2);
        let take = || places.try_acquire(&ECHO).expect("a place");
        let held: Vec<_> = (0..2).map(|_| take()).collect();
        for place in &held {
            // A request is counted once, however often it is asked whose it is.
            assert_eq!((place.assign_to(AccountId(1)), place.assign_to(AccountId(1))), (Ok(()), Ok(())));
        }
        assert_eq!(take().assign_to(AccountId(1)), Err(ShareTaken { most: 2 }));
        assert_eq!(take().assign_to(AccountId(2)), Ok(()), "another account");
        let clone = held[0].clone();
        drop(held);
        assert_eq!(places.taken(), 1, "a clone keeps it");
        drop(clone);
        assert_eq!(take().assign_to(AccountId(1)), Ok(()));
        assert!(places.shares.taken().is_empty(), "nothing is kept about who has gone");
    }
}
