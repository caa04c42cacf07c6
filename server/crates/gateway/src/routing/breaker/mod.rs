//! The health of one model at one upstream: a breaker, a rest that the provider asked for, and its usual latency.
//!
//! Closed, requests go. After a number of failures in a row it opens: requests pass it by for a while. Then one
//! request goes as a probe; its success closes the breaker, its failure opens it for twice as long. A probe that ends
//! without either, because its client left, gives its place to the next. In memory, a node of several for itself.
//!
//! Breaker and rest do not touch each other: a request goes when neither keeps it. Many requests are under way when a
//! provider fails, and what becomes of them is told late: once the breaker has opened, only its probe moves it.

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::provider_history::ProviderHistory;

/// The time for which the breaker stays open at first.
const OPEN_FIRST: Duration = Duration::from_secs(2);
/// The longest time for which the breaker stays open.
const OPEN_MAX: Duration = Duration::from_secs(60);
/// The longest rest that a provider is granted.
const REST_MAX: Duration = Duration::from_secs(60);
/// The weight of a new latency in the usual one: an eighth.
const LATENCY_SHARE: u64 = 8;

/// The breaker, the rest and the usual latency of one model at one upstream.
#[derive(Debug)]
pub struct CandidateHealth {
    /// Failures in a row that open the breaker; 0 for no rest at all.
    failures_to_open: u32,
    /// The last hour of its provider, where outcomes are counted too.
    history: Arc<ProviderHistory>,
    state: Mutex<HealthState>,
    /// The usual time to the first byte in microseconds; 0 while nothing is known.
    latency_us: AtomicU64,
}

#[derive(Debug, Default)]
struct HealthState {
    breaker: BreakerState,
    /// The end of the rest that the provider asked for: nothing is sent before it.
    rests_until: Option<Instant>,
}

#[derive(Debug)]
enum BreakerState {
    Closed {
        /// Failures in a row.
        failures: u32,
    },
    Open {
        until: Instant,
        /// The time for which it is open this time.
        lasts: Duration,
        /// True if a probe is under way.
        probed: bool,
    },
}

impl Default for BreakerState {
    fn default() -> Self {
        Self::Closed { failures: 0 }
    }
}

/// A permit to send one request, whose outcome has to be reported. Dropped without, it counts as neither good nor bad.
#[derive(Debug)]
pub struct BreakerPermit<'h> {
    health: &'h CandidateHealth,
    probe: bool,
}

impl CandidateHealth {
    /// Failures in a row that open the breaker; 0 for none.
    #[must_use]
    pub fn opens_after(&self) -> u32 {
        self.failures_to_open
    }

    /// The health of a candidate that nothing is known of yet.
    ///
    /// `failures_to_open` is how many failures in a row open the breaker; 0 for no rest at all, a provider's own wish
    /// included.
    #[must_use]
    pub fn new(failures_to_open: u32, history: Arc<ProviderHistory>) -> Self {
        Self { failures_to_open, history, state: Mutex::default(), latency_us: AtomicU64::new(0) }
    }

    /// A permit to send a request now; `None` while the breaker is open or the provider rests.
    pub fn try_acquire(&self, now: Instant) -> Option<BreakerPermit<'_>> {
        let mut state = self.state();
        if state.rests_until.is_some_and(|until| now < until) {
            return None;
        }
        let probe = match &mut state.breaker {
            BreakerState::Closed { .. } => false,
            BreakerState::Open { until, probed, .. } if now < *until || *probed => return None,
            BreakerState::Open { probed, .. } => {
                *probed = true;
                true
            }
        };
        Some(BreakerPermit { health: self, probe })
    }

    /// The usual time to the first byte, once there was one.
    #[must_use]
    pub fn latency(&self) -> Option<Duration> {
        match self.latency_us.load(Ordering::Relaxed) {
            0 => None,
            micros => Some(Duration::from_micros(micros)),
        }
    }

    /// The time from which requests may go again; `None` where they may now.
    #[must_use]
    pub fn shut_until(&self, now: Instant) -> Option<Instant> {
        let state = self.state();
        let open_until = match state.breaker {
            BreakerState::Closed { .. } => None,
            BreakerState::Open { until, .. } => Some(until),
        };
        state.rests_until.max(open_until).filter(|until| now < *until)
    }

    fn state(&self) -> MutexGuard<'_, HealthState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, first_byte: Duration) {
        let micros = u64::try_from(first_byte.as_micros()).unwrap_or(u64::MAX).max(1);
        // Two requests at once may lose one of the two figures, which does no harm.
        let usual = self.latency_us.load(Ordering::Relaxed);
        let next = if usual == 0 { micros } else { usual - usual / LATENCY_SHARE + micros / LATENCY_SHARE };
        self.latency_us.store(next.max(1), Ordering::Relaxed);
    }
}

impl BreakerPermit<'_> {
    /// The provider answered; a refusal of the request is an answer too.
    pub fn answered(mut self, first_byte: Duration) {
        let probe = self.take_probe();
        let mut state = self.health.state();
        if probe || matches!(state.breaker, BreakerState::Closed { .. }) {
            state.breaker = BreakerState::default();
        }
        drop(state);
        self.health.history.note_answer(first_byte);
        self.health.learn(first_byte);
    }

    /// The provider failed, and says for how long it wants to be left alone where it does.
    pub fn failed(mut self, now: Instant, retry_after: Option<Duration>) {
        let probe = self.take_probe();
        self.health.history.note_failure();
        let most = self.health.failures_to_open;
        if most == 0 {
            return;
        }
        let mut state = self.health.state();
        state.rest(now, retry_after);
        let lasts = match &mut state.breaker {
            BreakerState::Closed { failures } if *failures + 1 < most => {
                *failures += 1;
                return;
            }
            BreakerState::Closed { .. } => OPEN_FIRST,
            BreakerState::Open { lasts, .. } if probe => (*lasts * 2).min(OPEN_MAX),
            // It was sent before the breaker opened, and tells nothing new.
            BreakerState::Open { .. } => return,
        };
        state.breaker = BreakerState::open(now, lasts);
        self.health.history.note_opening();
    }

    /// The provider takes no more for now, and says for how long where it does.
    pub fn limited(self, now: Instant, retry_after: Option<Duration>) {
        self.health.history.note_limit();
        if self.health.failures_to_open > 0 {
            self.health.state().rest(now, retry_after);
        }
    }

    /// True if it is the probe. From here on its outcome is reported, and dropping it reports nothing more.
    fn take_probe(&mut self) -> bool {
        std::mem::take(&mut self.probe)
    }
}

impl BreakerState {
    fn open(now: Instant, lasts: Duration) -> Self {
        Self::Open { until: now + lasts, lasts, probed: false }
    }
}

impl HealthState {
    /// Lengthens the rest; a wish never shortens an earlier one.
    fn rest(&mut self, now: Instant, wish: Option<Duration>) {
        self.rests_until = wish.map(|wait| now + wait.min(REST_MAX)).max(self.rests_until);
    }
}

impl Drop for BreakerPermit<'_> {
    fn drop(&mut self) {
        if !self.take_probe() {
            return;
        }
        if let BreakerState::Open { probed, .. } = &mut self.health.state().breaker {
            *probed = false;
        }
    }
}
