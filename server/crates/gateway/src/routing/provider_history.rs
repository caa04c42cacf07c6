//! The attempts at one provider in the last hour, by the minute: how many, how they ended, and how long they took.
//!
//! In memory, a node of several for itself. The size is fixed, and noting an outcome takes a lock in the first attempt of a minute
//! alone.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tollgate_base::Clock;

/// The minutes that are kept, the present one included.
const MINUTES: usize = 60;
const MINUTE_MS: i64 = 60_000;

/// The last hour of a provider.
#[derive(Debug)]
pub struct ProviderHistory {
    clock: Clock,
    /// Held while a slot goes over to another minute.
    turnover: Mutex<()>,
    /// The slot of a minute is its number modulo [`MINUTES`].
    slots: [MinuteSlot; MINUTES],
}

/// A minute of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProviderMinute {
    /// Its start, in unix milliseconds.
    pub start_ms: i64,
    /// Attempts that ended in it, those without an outcome left out.
    pub attempts: u64,
    /// Attempts that failed.
    pub failures: u64,
    /// Attempts that the provider turned away, because it takes no more for now.
    pub limited: u64,
    /// Mean time to the first byte of those that were answered; `None` where none was.
    pub first_byte: Option<Duration>,
    /// Times that the breaker of a model opened.
    pub openings: u64,
}

#[derive(Debug)]
struct MinuteSlot {
    /// The number of the minute since 1970; −1 before the first.
    minute: AtomicI64,
    answered: AtomicU64,
    failures: AtomicU64,
    limited: AtomicU64,
    openings: AtomicU64,
    /// The sum of the times to the first byte, in microseconds.
    first_byte_us: AtomicU64,
}

impl ProviderHistory {
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, turnover: Mutex::default(), slots: std::array::from_fn(|_| MinuteSlot::empty()) }
    }

    pub(super) fn note_answer(&self, first_byte: Duration) {
        let slot = self.slot();
        slot.answered.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(first_byte.as_micros()).unwrap_or(u64::MAX);
        slot.first_byte_us.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn note_failure(&self) {
        self.slot().failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn note_limit(&self) {
        self.slot().limited.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn note_opening(&self) {
        self.slot().openings.fetch_add(1, Ordering::Relaxed);
    }

    /// The last 60 minutes, the oldest first, those without an attempt included.
    #[must_use]
    pub fn minutes(&self) -> Vec<ProviderMinute> {
        let last = self.minute();
        let first = last - i64::try_from(MINUTES - 1).unwrap_or_default();
        (first..=last).map(|minute| self.slots[index(minute)].read(minute)).collect()
    }

    /// The number of the present minute since 1970.
    fn minute(&self) -> i64 {
        self.clock.now_ms().div_euclid(MINUTE_MS)
    }

    /// The slot of the present minute. An attempt that takes it while it goes over may be counted in the minute beside, or lost.
    fn slot(&self) -> &MinuteSlot {
        let minute = self.minute();
        let slot = &self.slots[index(minute)];
        if slot.minute.load(Ordering::Acquire) != minute {
            let _turnover = self.turnover.lock().unwrap_or_else(PoisonError::into_inner);
            if slot.minute.load(Ordering::Relaxed) != minute {
                slot.empty_for(minute);
            }
        }
        slot
    }
}

fn index(minute: i64) -> usize {
    let count = i64::try_from(MINUTES).unwrap_or(i64::MAX);
    usize::try_from(minute.rem_euclid(count)).unwrap_or_default()
}

impl MinuteSlot {
    const fn empty() -> Self {
        Self {
            minute: AtomicI64::new(-1),
            answered: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            limited: AtomicU64::new(0),
            openings: AtomicU64::new(0),
            first_byte_us: AtomicU64::new(0),
        }
    }

    fn empty_for(&self, minute: i64) {
        for count in [&self.answered, &self.failures, &self.limited, &self.openings, &self.first_byte_us] {
            count.store(0, Ordering::Relaxed);
        }
        self.minute.store(minute, Ordering::Release);
    }

    /// What it has of that minute: nothing where it is of another.
    fn read(&self, minute: i64) -> ProviderMinute {
        let start_ms = minute.saturating_mul(MINUTE_MS);
        if self.minute.load(Ordering::Acquire) != minute {
            return ProviderMinute { start_ms, ..ProviderMinute::default() };
        }
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (answered, failures, limited) = (of(&self.answered), of(&self.failures), of(&self.limited));
        ProviderMinute {
            start_ms,
            attempts: answered + failures + limited,
            failures,
            limited,
            first_byte: of(&self.first_byte_us).checked_div(answered).map(Duration::from_micros),
            openings: of(&self.openings),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START_MS: i64 = 1_800_000_000_000;

    fn noted(minutes: &[ProviderMinute]) -> Vec<(usize, ProviderMinute)> {
        let noted = minutes.iter().copied().enumerate();
        noted.filter(|(_, minute)| minute.attempts > 0 || minute.openings > 0).collect()
    }

    #[test]
    fn outcomes_are_counted_by_the_minute_for_an_hour() {
        let (clock, hand) = Clock::manual(START_MS);
        let history = ProviderHistory::new(clock);
        assert_eq!(noted(&history.minutes()), []);
        history.note_answer(Duration::from_millis(100));
        history.note_answer(Duration::from_millis(300));
        hand.advance_ms(MINUTE_MS - 1);
        history.note_failure();
        hand.advance_ms(1);
        history.note_failure();
        history.note_opening();
        history.note_limit();
        let first = ProviderMinute {
            start_ms: START_MS,
            attempts: 3,
            failures: 1,
            first_byte: Some(Duration::from_millis(200)),
            ..ProviderMinute::default()
        };
        let second = ProviderMinute {
            start_ms: START_MS + MINUTE_MS,
            attempts: 2,
            failures: 1,
            limited: 1,
            openings: 1,
            ..ProviderMinute::default()
        };
        assert_eq!(noted(&history.minutes()), [(58, first), (59, second)]);
        hand.advance_ms(58 * MINUTE_MS);
        assert_eq!(noted(&history.minutes()), [(0, first), (1, second)]);
        hand.advance_ms(MINUTE_MS);
        assert_eq!(noted(&history.minutes()), [(0, second)], "an hour ago is no more");
    }

    #[test]
    fn a_slot_forgets_the_minute_before_it() {
        let (clock, hand) = Clock::manual(START_MS);
        let history = ProviderHistory::new(clock);
        history.note_answer(Duration::from_millis(100));
        hand.advance_ms(60 * MINUTE_MS);
        history.note_failure();
        let [(59, minute)] = noted(&history.minutes())[..] else { panic!("{:?}", history.minutes()) };
        assert_eq!((minute.attempts, minute.failures, minute.first_byte), (1, 1, None));
        // The clock of the machine was set back.
        hand.advance_ms(-60 * MINUTE_MS);
        assert_eq!(noted(&history.minutes()), []);
        history.note_answer(Duration::ZERO);
        assert_eq!(noted(&history.minutes()).len(), 1);
    }

    #[test]
    fn nothing_is_lost_where_many_note_at_once() {
        let (clock, _) = Clock::manual(START_MS);
        let history = ProviderHistory::new(clock);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..1_000).for_each(|_| history.note_answer(Duration::from_micros(7))));
            }
        });
        let [(59, minute)] = noted(&history.minutes())[..] else { panic!("{:?}", history.minutes()) };
        assert_eq!((minute.attempts, minute.first_byte), (8_000, Some(Duration::from_micros(7))));
    }
}
