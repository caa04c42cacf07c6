//! The schedule of polls about a provider's task: at growing intervals, and once more shortly before the deadline.

use std::time::Duration;

use tokio::time::Instant;

/// The most time that is reserved for the last poll.
const LAST: Duration = Duration::from_secs(2);
/// The share of the task's time that is reserved for it where that is less: one part in ten.
const LAST_SHARE: u32 = 10;

/// The times of the polls about one task.
#[derive(Debug)]
pub(super) struct TaskPollSchedule {
    /// The pause before the next poll.
    pause: Duration,
    /// The longest pause.
    most: Duration,
    /// The time of the last poll; `None` once it has been made.
    last: Option<Instant>,
    /// The deadline of the task.
    whole: Instant,
}

impl TaskPollSchedule {
    /// The schedule of a task that was accepted at `now` and has until `whole`.
    pub(super) fn new(now: Instant, whole: Instant, first: Duration, most: Duration) -> Self {
        let kept = LAST.min(whole.duration_since(now) / LAST_SHARE);
        Self { pause: first, most, last: whole.checked_sub(kept), whole }
    }

    /// The time of the next poll, or `None` when it is too late. It is after the `wish` of a provider that was polled too
    /// often.
    /// No pause or wish moves the last poll, so that a task which is over by then is not lost.
    pub(super) fn next(&mut self, now: Instant, wish: Duration) -> Option<Instant> {
        let usual = now + self.pause.max(wish);
        self.pause = (self.pause * 3 / 2).min(self.most);
        match self.last {
            Some(last) if last <= usual => {
                self.last = None;
                Some(last.max(now)).filter(|at| *at < self.whole)
            }
            _ => Some(usual).filter(|at| *at < self.whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Duration = Duration::ZERO;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// The polls of a task with `total` milliseconds, each answered at once; `wish` comes with the first answer.
    fn asked(total: u64, first: u64, wish: Duration) -> Vec<u64> {
        let began = Instant::now();
        let mut pace = TaskPollSchedule::new(began, began + ms(total), ms(first), ms(10_000));
        let (mut now, mut asked) = (began, Vec::new());
        while let Some(at) = pace.next(now, if asked.len() == 1 { wish } else { NONE }) {
            asked.push(u64::try_from(at.duration_since(began).as_millis()).expect("small"));
            now = at;
        }
        asked
    }

    #[test]
    fn pauses_grow_up_to_the_longest() {
        let asked = asked(600_000, 1_000, NONE);
        assert_eq!(asked[..4], [1_000, 2_500, 4_750, 8_125]);
        let pauses: Vec<_> = asked.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (grown, after) = pauses.split_at(5);
        assert!(grown.is_sorted() && grown[4] < 10_000, "{grown:?}");
        assert!(after[..after.len() - 1].iter().all(|pause| *pause == 10_000), "{after:?}");
    }

    #[test]
    fn the_last_question_is_asked_shortly_before_the_end() {
        for (total, first, expected) in [
            // Two seconds before it, or a tenth of it.
            (60_000, 50_000, &[50_000, 58_000][..]),
            (10_000, 8_000, &[8_000, 9_000]),
            // Even where no other fits.
            (1_000, 1_000, &[900]),
            (1_000, 5_000, &[900]),
            // Where a pause ends just there, it is the last.
            (1_000, 900, &[900]),
            (1_000, 300, &[300, 750, 900]),
            (10_000, 10, &[10, 25, 47, 81, 131, 207, 321, 492, 748, 1_133, 1_709, 2_574, 3_872, 5_818, 8_737, 9_000]),
        ] {
            assert_eq!(asked(total, first, NONE), expected, "{total} {first}");
        }
        let began = Instant::now();
        assert_eq!(
            TaskPollSchedule::new(began, began, ms(1), ms(1)).next(began, NONE),
            None,
            "there is no time at all"
        );
    }

    #[test]
    fn a_wish_puts_off_the_next_question_and_no_later_one() {
        assert_eq!(asked(600_000, 1_000, ms(30_000))[..3], [1_000, 31_000, 33_250]);
        assert_eq!(asked(600_000, 1_000, ms(10))[..3], [1_000, 2_500, 4_750], "never sooner than without it");
        assert_eq!(asked(60_000, 1_000, ms(3_600_000)), [1_000, 58_000], "but not the last");
    }

    #[test]
    fn the_last_question_is_put_off_by_one_that_hangs() {
        let began = Instant::now();
        let mut pace = TaskPollSchedule::new(began, began + ms(60_000), ms(40_000), ms(10_000));
        assert_eq!(pace.next(began, NONE), Some(began + ms(40_000)));
        let late = began + ms(59_000);
        assert_eq!(pace.next(late, NONE), Some(late), "it is overdue");
        assert_eq!(pace.next(late, NONE), None);
    }
}
