//! The breaker against an independent description of it, and single cases by name.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use tollgate_base::Clock;

const FAILURES_TO_OPEN: u32 = 3;

fn health_of(failures_to_open: u32) -> CandidateHealth {
    let (clock, _) = Clock::manual(1_800_000_000_000);
    CandidateHealth::new(failures_to_open, Arc::new(ProviderHistory::new(clock)))
}

fn fail(health: &CandidateHealth, now: Instant, times: u32) {
    for _ in 0..times {
        health.try_acquire(now).expect("closed").failed(now, None);
    }
}

#[test]
fn it_opens_probes_and_closes() {
    let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
    fail(&health, start, FAILURES_TO_OPEN);
    assert!(health.try_acquire(start).is_none(), "open");
    let later = start + OPEN_FIRST;
    let probe = health.try_acquire(later).expect("a probe");
    assert!(health.try_acquire(later).is_none(), "one probe at a time");
    probe.failed(later, None);
    assert!(health.try_acquire(later + OPEN_FIRST).is_none(), "open for twice as long");
    let probe = health.try_acquire(later + OPEN_FIRST * 2).expect("another probe");
    probe.answered(Duration::from_millis(5));
    fail(&health, later, FAILURES_TO_OPEN - 1);
    assert!(health.try_acquire(later).is_some(), "closed, and counts from nothing");
}

#[test]
fn a_probe_without_an_end_makes_room_for_the_next() {
    let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
    fail(&health, start, FAILURES_TO_OPEN);
    drop(health.try_acquire(start + OPEN_FIRST).expect("a probe"));
    assert!(health.try_acquire(start + OPEN_FIRST).is_some());
}

/// A hundred requests under way when a provider fails are one failure of it, and not a hundred.
#[test]
fn what_was_sent_before_it_opened_moves_it_no_more() {
    let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
    let sent: Vec<_> = (0..100).map(|_| health.try_acquire(start).expect("closed")).collect();
    let good = health.try_acquire(start).expect("closed");
    let late = health.try_acquire(start).expect("closed");
    sent.into_iter().for_each(|leave| leave.failed(start, None));
    assert_eq!(health.shut_until(start), Some(start + OPEN_FIRST), "as long as after the first");
    good.answered(Duration::from_millis(5));
    assert!(health.try_acquire(start).is_none(), "an old answer does not close it");
    let probe = health.try_acquire(start + OPEN_FIRST).expect("a probe");
    late.answered(Duration::from_millis(5));
    assert!(health.try_acquire(start + OPEN_FIRST).is_none(), "the probe is still the only one");
    probe.answered(Duration::from_millis(5));
    assert!(health.try_acquire(start + OPEN_FIRST).is_some());
}

#[test]
fn a_provider_that_asks_for_rest_gets_it_within_bounds() {
    let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
    let sent = health.try_acquire(start).expect("closed");
    health.try_acquire(start).expect("closed").limited(start, Some(Duration::from_secs(3600)));
    sent.answered(Duration::from_millis(5));
    assert!(health.try_acquire(start + REST_MAX - Duration::from_millis(1)).is_none(), "an old answer does not end it");
    assert!(health.try_acquire(start + REST_MAX).is_some());
    health.try_acquire(start + REST_MAX).expect("closed").limited(start, None);
    assert!(health.try_acquire(start + REST_MAX).is_some(), "no wish, no rest");
    health.try_acquire(start + REST_MAX).expect("closed").failed(start + REST_MAX, Some(Duration::from_secs(9)));
    assert_eq!(health.shut_until(start + REST_MAX), Some(start + REST_MAX + Duration::from_secs(9)));
}

#[test]
fn it_can_be_told_never_to_open() {
    let (health, now) = (health_of(0), Instant::now());
    fail(&health, now, 100);
    health.try_acquire(now).expect("closed").limited(now, Some(REST_MAX));
    health.try_acquire(now).expect("closed").failed(now, Some(REST_MAX));
    assert!(health.try_acquire(now).is_some());
}

#[test]
fn latency_follows_slowly() {
    let (health, now) = (health_of(FAILURES_TO_OPEN), Instant::now());
    assert_eq!(health.latency(), None);
    for (sample, usual) in [(80, 80), (160, 90), (80, 88)] {
        health.try_acquire(now).expect("closed").answered(Duration::from_millis(sample));
        let found = health.latency().expect("known").as_millis();
        assert!(found.abs_diff(usual) <= 1, "{found} for {usual}");
    }
}

/// Every outcome is counted, and each time that the breaker opens, anew after a probe included.
#[test]
fn outcomes_are_in_the_history_of_the_provider() {
    let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
    let (late, untold) = (health.try_acquire(start).expect("closed"), health.try_acquire(start).expect("closed"));
    health.try_acquire(start).expect("closed").answered(Duration::from_millis(8));
    health.try_acquire(start).expect("closed").limited(start, None);
    fail(&health, start, FAILURES_TO_OPEN);
    late.failed(start, None);
    drop(untold);
    health.try_acquire(start + OPEN_FIRST).expect("a probe").failed(start + OPEN_FIRST, None);
    let minute = *health.history.minutes().last().expect("the present one");
    assert_eq!((minute.attempts, minute.failures, minute.limited, minute.openings), (7, 5, 1, 2));
    assert_eq!(minute.first_byte, Some(Duration::from_millis(8)));
}

/// An event in the life of a candidate.
#[derive(Debug, Clone)]
enum Step {
    /// Seconds go by.
    Wait(u64),
    /// A permit is asked for.
    Ask,
    /// One of the requests under way ends.
    End(usize, End),
}

#[derive(Debug, Clone, Copy)]
enum End {
    Answered,
    Failed(Option<u64>),
    Limited(Option<u64>),
    Untold,
}

fn any_step() -> impl Strategy<Value = Step> {
    let wish = || prop::option::of(0..100_u64);
    let end = prop_oneof![
        2 => Just(End::Answered),
        4 => wish().prop_map(End::Failed),
        1 => wish().prop_map(End::Limited),
        1 => Just(End::Untold),
    ];
    prop_oneof![
        1 => (0..70_u64).prop_map(Step::Wait),
        4 => Just(Step::Ask),
        4 => (any::<usize>(), end).prop_map(|(which, end)| Step::End(which, end)),
    ]
}

/// The model to compare with: all that ever counted, from which everything is computed anew. Times in seconds.
#[derive(Debug, Default)]
struct Story {
    /// Outcomes since the breaker last closed, while it was closed; true if the provider failed.
    told: Vec<bool>,
    /// Starts of each opening since it last closed; the first is the breaker's, further ones are its probes'.
    openings: Vec<u64>,
    probe: Option<usize>,
    /// The ends of the rests that the provider wished for.
    wishes: Vec<u64>,
}

impl Story {
    fn open_until(&self) -> Option<u64> {
        let began = self.openings.last()?;
        let doublings = u32::try_from(self.openings.len() - 1).expect("few");
        Some(began + 2_u64.saturating_pow(doublings + 1).min(60))
    }

    fn lets_go(&self, now: u64) -> bool {
        let closed_or_due = self.open_until().is_none_or(|until| now >= until && self.probe.is_none());
        closed_or_due && self.wishes.iter().all(|until| now >= *until)
    }

    fn shut_until(&self, now: u64) -> Option<u64> {
        self.wishes.iter().copied().chain(self.open_until()).max().filter(|until| now < *until)
    }

    fn ends(&mut self, request: usize, end: End, now: u64) {
        let is_probe = self.probe == Some(request);
        if is_probe {
            self.probe = None;
        }
        if let End::Failed(Some(wish)) | End::Limited(Some(wish)) = end {
            self.wishes.push(now + wish.min(60));
        }
        match end {
            End::Answered if is_probe => *self = Self { wishes: std::mem::take(&mut self.wishes), ..Self::default() },
            End::Failed(_) if is_probe => self.openings.push(now),
            End::Answered if self.openings.is_empty() => self.told.push(false),
            End::Failed(_) if self.openings.is_empty() => {
                self.told.push(true);
                let in_a_row = self.told.iter().rev().take_while(|failed| **failed).count();
                if in_a_row >= FAILURES_TO_OPEN as usize {
                    self.openings.push(now);
                }
            }
            End::Answered | End::Failed(_) | End::Limited(_) | End::Untold => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_does_as_described(steps in vec(any_step(), 0..80)) {
        let (health, start) = (health_of(FAILURES_TO_OPEN), Instant::now());
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let (mut story, mut now, mut under_way) = (Story::default(), 0, Vec::new());
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Wait(seconds) => now += seconds,
                Step::Ask => {
                    let leave = health.try_acquire(at(now));
                    prop_assert_eq!(leave.is_some(), story.lets_go(now), "at {} of {:?}", now, story);
                    if let Some(leave) = leave {
                        if !story.openings.is_empty() {
                            story.probe = Some(number);
                        }
                        under_way.push((number, leave));
                    }
                }
                Step::End(..) if under_way.is_empty() => {}
                Step::End(which, end) => {
                    let (request, leave) = under_way.swap_remove(which % under_way.len());
                    story.ends(request, end, now);
                    let wait = |seconds: Option<u64>| seconds.map(Duration::from_secs);
                    match end {
                        End::Answered => leave.answered(Duration::from_millis(5)),
                        End::Failed(wish) => leave.failed(at(now), wait(wish)),
                        End::Limited(wish) => leave.limited(at(now), wait(wish)),
                        End::Untold => drop(leave),
                    }
                }
            }
            prop_assert_eq!(health.shut_until(at(now)), story.shut_until(now).map(at), "at {} of {:?}", now, story);
        }
    }
}
