//! The bound of what somebody may do within a minute.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tollgate_base::AddressRange;

const MINUTE_MS: i64 = 60_000;
/// The most that are remembered with their tries.
/// Of more, those with the fewest tries are forgotten first: a bound on memory, which no crowd of newcomers can use to have the
/// count of somebody else begin anew.
const COUNTS_MAX: usize = 100_000;
/// The number among which the one to be forgotten is chosen.
const LOOKED_AT: usize = 64;

/// The network that somebody comes from; none where it is not known.
pub type ClientNetwork = Option<AddressRange>;

/// The tries of this process within a minute, by whoever tries. A minute begins with the first try of each.
#[derive(Debug)]
pub struct AttemptLimiter<K> {
    most: u32,
    /// Tells two from each other by a number that nobody outside can predict.
    hasher: RandomState,
    counts: Mutex<AttemptCounts>,
    by: PhantomData<fn(K)>,
}

#[derive(Debug, Default)]
struct AttemptCounts {
    places: HashMap<u64, usize>,
    counts: Vec<AttemptCount>,
    /// The place from which the next one to be forgotten is looked for.
    hand: usize,
    max: usize,
}

#[derive(Debug, Clone, Copy)]
struct AttemptCount {
    of: u64,
    began_at_ms: i64,
    tries: u32,
}

impl<K: Hash> AttemptLimiter<K> {
    /// A bound of so many tries a minute for each.
    #[must_use]
    pub fn new(most: u32) -> Self {
        Self::remembering(most, COUNTS_MAX)
    }

    fn remembering(most: u32, max: usize) -> Self {
        let counts = Mutex::new(AttemptCounts { max, ..AttemptCounts::default() });
        Self { most, hasher: RandomState::new(), counts, by: PhantomData }
    }

    /// Counts a try.
    ///
    /// # Errors
    /// One too many, with the seconds until the next. It is not counted, so that whoever keeps trying is not
    /// kept out for good.
    pub fn count(&self, by: &K, now_ms: i64) -> Result<(), u32> {
        let of = self.hasher.hash_one(by);
        let mut counts = self.counts();
        let count = counts.of(of, now_ms);
        if count.tries >= self.most {
            let wait_ms = (count.began_at_ms + MINUTE_MS - now_ms).max(1);
            return Err(u32::try_from((wait_ms + 999) / 1000).unwrap_or(60));
        }
        count.tries += 1;
        Ok(())
    }

    /// Takes back a try that was counted.
    pub fn uncount(&self, by: &K) {
        let of = self.hasher.hash_one(by);
        let mut counts = self.counts();
        if let Some(&place) = counts.places.get(&of) {
            let count = &mut counts.counts[place];
            count.tries = count.tries.saturating_sub(1);
        }
    }

    /// A count is whole after each of its changes, whoever panicked.
    fn counts(&self) -> MutexGuard<'_, AttemptCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AttemptLimiter<ClientNetwork> {
    /// Counts a try of a client by its address.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn count_from(&self, from: Option<IpAddr>, now_ms: i64) -> Result<(), u32> {
        self.count(&from.map(AddressRange::of_client), now_ms)
    }
}

impl AttemptCounts {
    /// The count of one, which begins anew where its minute is over.
    fn of(&mut self, of: u64, now_ms: i64) -> &mut AttemptCount {
        let fresh = AttemptCount { of, began_at_ms: now_ms, tries: 0 };
        let place = match self.places.get(&of) {
            Some(&place) => {
                if self.counts[place].is_over(now_ms) {
                    self.counts[place] = fresh;
                }
                place
            }
            None if self.counts.len() < self.max => {
                self.counts.push(fresh);
                self.places.insert(of, self.counts.len() - 1);
                self.counts.len() - 1
            }
            None => {
                let place = self.least(now_ms);
                self.places.remove(&self.counts[place].of);
                self.counts[place] = fresh;
                self.places.insert(of, place);
                place
            }
        };
        &mut self.counts[place]
    }

    /// The place with the fewest tries, of those that are looked at.
    fn least(&mut self, now_ms: i64) -> usize {
        let all = self.counts.len();
        let looked_at = (0..LOOKED_AT.min(all)).map(|step| (self.hand + step) % all);
        let tries = |place: usize| if self.counts[place].is_over(now_ms) { 0 } else { self.counts[place].tries };
        let least = looked_at.min_by_key(|&place| tries(place)).unwrap_or(0);
        self.hand = (self.hand + LOOKED_AT) % all;
        least
    }
}

impl AttemptCount {
    /// True if its minute is over, also where the clock was set back to before it.
    fn is_over(&self, now_ms: i64) -> bool {
        !(self.began_at_ms..self.began_at_ms + MINUTE_MS).contains(&now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_so_many_tries_a_minute() {
        let tries = AttemptLimiter::new(60);
        for _ in 0..60 {
            assert_eq!(tries.count(&"one", 1_000), Ok(()));
        }
        assert_eq!(tries.count(&"one", 31_000), Err(30));
        assert_eq!(tries.count(&"other", 31_000), Ok(()));
        assert_eq!(tries.count(&"one", 61_000), Ok(()), "its minute is over");
        assert_eq!(tries.count(&"one", 500), Ok(()), "the clock was set back");
    }

    #[test]
    fn a_try_that_is_taken_back_does_not_count() {
        let tries = AttemptLimiter::new(1);
        for _ in 0..3 {
            assert_eq!(tries.count(&1, 0), Ok(()));
            tries.uncount(&1);
        }
        tries.uncount(&1);
        tries.uncount(&2);
        assert_eq!(tries.count(&1, 0), Ok(()));
        assert_eq!(tries.count(&1, 0), Err(60));
    }

    /// A crowd that tries once each does not make room for one that has used its tries up.
    #[test]
    fn a_crowd_does_not_reset_the_count_of_another() {
        let tries = AttemptLimiter::remembering(5, 1_000);
        for _ in 0..5 {
            tries.count(&u64::MAX, 0).unwrap();
        }
        for newcomer in 0..100_000 {
            tries.count(&newcomer, 1).unwrap();
        }
        assert_eq!(tries.count(&u64::MAX, 1), Err(60));
        assert_eq!(tries.counts().counts.len(), 1_000);
        assert_eq!(tries.counts().places.len(), 1_000);
        // Those whose minute is over are forgotten before anybody whose is not.
        for newcomer in 0..999 {
            tries.count(&(newcomer + 200_000), 60_001).unwrap();
        }
        assert_eq!(tries.count(&200_998, 60_001), Ok(()));
    }
}
