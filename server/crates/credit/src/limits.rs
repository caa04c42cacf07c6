//! The limits of a key beside the credit of its account: budgets for a period, those of its pools among them, and rates. Pure,
//! like `rules`.

use super::BudgetOwner;
use tollgate_base::{KeyId, Usd, YearMonth};

/// One request or token of a minute's allowance, in the parts that are counted: a limit of n a minute gives back n of them
/// every millisecond.
const WHOLE: i64 = 60_000;
/// The most minutes' worth of tokens that a key waits for, after requests that took more than there was.
const OVER_MINUTES: i64 = 60;
/// The most milliseconds that another server's clock may be ahead.
const AHEAD_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const WEEK_MS: i64 = 7 * DAY_MS;
/// Weeks begin on Mondays, and the first of January 1970 was a Thursday.
const MONDAY_MS: i64 = 3 * DAY_MS;
/// The wait that is told where no more requests may be under way, in milliseconds. Nobody knows when one ends.
const PLACE_WAIT_MS: i64 = 1_000;

/// The time that a budget is for, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BudgetPeriod {
    /// A day.
    Day,
    /// A week, from Monday.
    Week,
    /// A month.
    Month,
    /// All time: the life of the key, or of whatever else has the budget.
    Life,
}

/// The limits of a key; absent is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LoadedLimits {
    /// In the order of [`BudgetPeriod::ALL`].
    pub(super) budgets: [Option<Usd>; 4],
    pub(super) requests_per_minute: Option<i64>,
    pub(super) tokens_per_minute: Option<i64>,
    pub(super) in_flight: Option<i64>,
}

/// A budget's day, week, month or life: which, by its beginning in unix milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BudgetWindowId {
    pub(super) owner: BudgetOwner,
    pub(super) period: BudgetPeriod,
    pub(super) starts_at_ms: i64,
}

/// The spending of one budget in one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BudgetWindow {
    pub(super) budget: Usd,
    /// The budget, or what is spent and held where that is more: it was lowered since.
    pub(super) cap: Usd,
    pub(super) spent: Usd,
    pub(super) held: Usd,
}

/// The used part of a minute's allowance, in parts, and the number of requests under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RateUsage {
    /// Unix time in milliseconds at which the two numbers were right.
    pub(super) at_ms: i64,
    pub(super) requests: i64,
    pub(super) tokens: i64,
    pub(super) in_flight: i64,
}

/// The limits that a hold counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedLimits {
    pub(super) key: KeyId,
    /// The beginnings of its budgets, in the order of [`BudgetPeriod::ALL`].
    pub(super) starts_at_ms: [Option<i64>; 4],
    /// Tokens that were taken off the minute's allowance.
    pub(super) tokens: i64,
    pub(super) in_flight: bool,
}

/// The state of a key's rate limits, as clients are told in headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RateLimitState {
    /// Unix time in milliseconds of this state.
    pub at_ms: i64,
    /// Requests a minute.
    pub requests: Option<RateMeter>,
    /// Tokens a minute.
    pub tokens: Option<RateMeter>,
}

/// The state of one rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateMeter {
    /// The limit a minute.
    pub limit: u64,
    /// The number that may be used at once from now.
    pub remaining: u64,
    /// Milliseconds until all are left again, where nothing more is used.
    pub reset_ms: u64,
}

/// A rate that a key has used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateKind {
    /// Requests a minute.
    Requests,
    /// Tokens a minute.
    Tokens,
    /// Requests under way.
    InFlight,
}

/// A request beyond a rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimited {
    /// The rate that is used up.
    pub rate: RateKind,
    /// The limit of that rate.
    pub limit: u64,
    /// Milliseconds until it may be asked again.
    pub wait_ms: u64,
    /// The state of the key's rate limits.
    pub standing: RateLimitState,
}

impl BudgetPeriod {
    /// All of them, the shortest first.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Life];

    /// The period as it is stored and told.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Life => "life",
        }
    }

    /// The word for a budget of it, as people are told: the `daily` budget.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "daily",
            Self::Week => "weekly",
            Self::Month => "monthly",
            Self::Life => "total",
        }
    }

    /// The period of its text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|period| period.as_str() == text)
    }

    /// Unix time in milliseconds at which the period of `now_ms` began; zero for all time.
    #[must_use]
    pub fn starts_at_ms(self, now_ms: i64) -> i64 {
        match self {
            Self::Day => now_ms.saturating_sub(now_ms.rem_euclid(DAY_MS)),
            Self::Week => now_ms.saturating_sub(now_ms.saturating_add(MONDAY_MS).rem_euclid(WEEK_MS)),
            Self::Month => YearMonth::of_ms(now_ms).starts_at_ms(),
            Self::Life => 0,
        }
    }

    /// Unix time in milliseconds at which the next period begins; absent for all time.
    #[must_use]
    pub fn ends_at_ms(self, now_ms: i64) -> Option<i64> {
        match self {
            Self::Day => Some(Self::Day.starts_at_ms(now_ms) + DAY_MS),
            Self::Week => Some(Self::Week.starts_at_ms(now_ms) + WEEK_MS),
            Self::Month => Some(YearMonth::of_ms(now_ms).ends_at_ms()),
            Self::Life => None,
        }
    }
}

impl LoadedLimits {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn rated(&self) -> bool {
        self.requests_per_minute.is_some() || self.tokens_per_minute.is_some()
    }

    /// The budgets that there are, each by its window at a time.
    pub(super) fn windows(&self, key: KeyId, now_ms: i64) -> impl Iterator<Item = (BudgetWindowId, Usd)> + use<> {
        let budgets = BudgetPeriod::ALL.into_iter().zip(self.budgets);
        budgets.filter_map(move |(period, budget)| {
            let starts_at_ms = period.starts_at_ms(now_ms);
            Some((BudgetWindowId { owner: BudgetOwner::Key(key), period, starts_at_ms }, budget?))
        })
    }
}

impl BudgetWindow {
    /// A budget of which nothing is spent.
    pub(super) fn new(budget: Usd) -> Self {
        Self { budget, cap: budget, spent: Usd::ZERO, held: Usd::ZERO }
    }

    /// The same with a budget that may have changed since.
    pub(super) fn with_budget(self, budget: Usd) -> Self {
        Self { budget, cap: budget.max(self.used()), ..self }
    }

    pub(super) fn used(&self) -> Usd {
        sum(self.spent, self.held)
    }

    /// The part of the budget that is left.
    pub(super) fn room(&self) -> Usd {
        self.cap.checked_sub(self.used()).unwrap_or(Usd::ZERO).max(Usd::ZERO)
    }

    pub(super) fn hold(&mut self, amount: Usd) {
        self.held = sum(self.held, amount);
    }

    /// Ends a hold of `amount` that cost `cost`: the amount is given back, and the cost is spent.
    pub(super) fn give_back(&mut self, amount: Usd, cost: Usd) {
        self.held = self.held.checked_sub(amount).unwrap_or(Usd::ZERO);
        self.spent = sum(self.spent, cost);
        self.cap = self.budget.max(self.used());
    }
}

impl RateUsage {
    /// The used part at a later time: some has run off meanwhile. At an earlier one, nothing has.
    #[must_use]
    pub(super) fn at(mut self, now_ms: i64, limits: &LoadedLimits) -> Self {
        if self.at_ms.saturating_sub(now_ms) > AHEAD_MS {
            // Somebody's clock was far ahead. Nothing would come back until then.
            self.at_ms = now_ms;
        }
        let passed = now_ms.saturating_sub(self.at_ms).max(0);
        // A limit that was lowered is not waited for by what was used of a larger one.
        let left = |used: i64, limit: Option<i64>, minutes: i64| {
            let most = |limit: i64| limit.saturating_mul(WHOLE).saturating_mul(minutes);
            limit.map_or(0, |limit| used.min(most(limit)).saturating_sub(passed.saturating_mul(limit)).max(0))
        };
        self.requests = left(self.requests, limits.requests_per_minute, 1);
        self.tokens = left(self.tokens, limits.tokens_per_minute, OVER_MINUTES);
        self.at_ms = self.at_ms.max(now_ms);
        self
    }

    /// One more request with so many tokens. One that is larger than a whole minute's allowance waits for all of it.
    ///
    /// # Errors
    /// What is used up, and for how long.
    pub(super) fn take(&mut self, tokens: i64, in_flight: bool, limits: &LoadedLimits) -> Result<(), RateLimited> {
        let short = |rate, limit: i64, wait_ms: i64| RateLimited {
            rate,
            limit: count(limit),
            wait_ms: count(wait_ms.max(1)),
            standing: self.standing(limits),
        };
        if let Some(limit) = limits.in_flight.filter(|limit| in_flight && self.in_flight >= *limit) {
            return Err(short(RateKind::InFlight, limit, PLACE_WAIT_MS));
        }
        let wait = |used: i64, more: i64, limit: i64| {
            let full = limit.saturating_mul(WHOLE);
            let over = used.saturating_add(more.saturating_mul(WHOLE).min(full)).saturating_sub(full);
            (over > 0).then(|| over.saturating_add(limit - 1) / limit)
        };
        if let Some(limit) = limits.requests_per_minute
            && let Some(wait_ms) = wait(self.requests, 1, limit)
        {
            return Err(short(RateKind::Requests, limit, wait_ms));
        }
        if let Some(limit) = limits.tokens_per_minute
            && let Some(wait_ms) = wait(self.tokens, tokens, limit)
        {
            return Err(short(RateKind::Tokens, limit, wait_ms));
        }
        self.requests = self.requests.saturating_add(WHOLE);
        self.tokens = self.tokens.saturating_add(tokens.saturating_mul(WHOLE));
        self.in_flight += i64::from(in_flight);
        Ok(())
    }

    /// A request has ended, and it were these tokens in the place of those that were taken.
    pub(super) fn end(&mut self, counted: &CountedLimits, tokens: i64) {
        let more = tokens.saturating_sub(counted.tokens).saturating_mul(WHOLE);
        self.tokens = self.tokens.saturating_add(more).max(0);
        self.in_flight -= i64::from(counted.in_flight);
    }

    pub(super) fn standing(&self, limits: &LoadedLimits) -> RateLimitState {
        let meter = |used: i64, limit: i64| RateMeter {
            limit: count(limit),
            remaining: count(limit.saturating_mul(WHOLE).saturating_sub(used) / WHOLE),
            reset_ms: count(used.saturating_add(limit - 1) / limit),
        };
        RateLimitState {
            at_ms: self.at_ms,
            requests: limits.requests_per_minute.map(|limit| meter(self.requests, limit)),
            tokens: limits.tokens_per_minute.map(|limit| meter(self.tokens, limit)),
        }
    }
}

impl CountedLimits {
    /// The budgets that it counts against.
    pub(super) fn windows(&self) -> impl Iterator<Item = BudgetWindowId> + use<> {
        let key = self.key;
        let (owner, starts) = (BudgetOwner::Key(key), BudgetPeriod::ALL.into_iter().zip(self.starts_at_ms));
        starts.filter_map(move |(period, at)| at.map(|starts_at_ms| BudgetWindowId { owner, period, starts_at_ms }))
    }
}

impl RateLimitState {
    /// True if the key has neither rate limit, so that there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requests.is_none() && self.tokens.is_none()
    }
}

fn sum(one: Usd, other: Usd) -> Usd {
    one.checked_add(other).unwrap_or(Usd::MAX)
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_base::rfc3339;

    fn ms(text: &str) -> i64 {
        let at = time::OffsetDateTime::parse(text, &time::format_description::well_known::Rfc3339).unwrap();
        at.unix_timestamp() * 1_000
    }

    #[test]
    fn a_day_a_week_and_a_month_begin_at_midnight_utc() {
        for (now, day, week, month, next_day, next_week, next_month) in [
            (
                "2026-11-22T10:20:30Z",
                "2026-11-22",
                "2026-11-16",
                "2026-11-01",
                "2026-11-23",
                "2026-11-23",
                "2026-12-01",
            ),
            (
                "2026-11-23T00:00:00Z",
                "2026-11-23",
                "2026-11-23",
                "2026-11-01",
                "2026-11-24",
                "2026-11-30",
                "2026-12-01",
            ),
            (
                "2026-12-31T23:59:59Z",
                "2026-12-31",
                "2026-12-28",
                "2026-12-01",
                "2027-01-01",
                "2027-01-04",
                "2027-01-01",
            ),
            (
                "2027-01-01T00:00:00Z",
                "2027-01-01",
                "2026-12-28",
                "2027-01-01",
                "2027-01-02",
                "2027-01-04",
                "2027-02-01",
            ),
            (
                "2028-02-29T12:00:00Z",
                "2028-02-29",
                "2028-02-28",
                "2028-02-01",
                "2028-03-01",
                "2028-03-06",
                "2028-03-01",
            ),
        ] {
            let midnight = |date: &str| ms(&format!("{date}T00:00:00Z"));
            let now = ms(now) + 999;
            assert_eq!(rfc3339(BudgetPeriod::Day.starts_at_ms(now)), rfc3339(midnight(day)));
            assert_eq!(rfc3339(BudgetPeriod::Week.starts_at_ms(now)), rfc3339(midnight(week)));
            assert_eq!(BudgetPeriod::Week.ends_at_ms(now), Some(midnight(next_week)));
            assert_eq!(rfc3339(BudgetPeriod::Month.starts_at_ms(now)), rfc3339(midnight(month)));
            assert_eq!(BudgetPeriod::Day.ends_at_ms(now), Some(midnight(next_day)));
            assert_eq!(BudgetPeriod::Month.ends_at_ms(now), Some(midnight(next_month)));
        }
        assert_eq!((BudgetPeriod::Life.starts_at_ms(5), BudgetPeriod::Life.ends_at_ms(5)), (0, None));
        for extreme in [i64::MIN, -1, 0, i64::MAX] {
            for period in BudgetPeriod::ALL {
                let _ = period.starts_at_ms(extreme);
            }
        }
    }

    const RATED: LoadedLimits = LoadedLimits {
        budgets: [None; 4],
        requests_per_minute: Some(3),
        tokens_per_minute: Some(100),
        in_flight: Some(2),
    };

    #[test]
    fn a_minutes_allowance_comes_back_by_and_by() {
        let mut used = RateUsage::default().at(1_000_000, &RATED);
        for _ in 0..3 {
            used.take(10, false, &RATED).unwrap();
        }
        let refused = used.take(10, false, &RATED).unwrap_err();
        assert_eq!((refused.rate, refused.limit, refused.wait_ms), (RateKind::Requests, 3, 20_000));
        assert_eq!(refused.standing.requests, Some(RateMeter { limit: 3, remaining: 0, reset_ms: 60_000 }));
        assert_eq!(refused.standing.tokens, Some(RateMeter { limit: 100, remaining: 70, reset_ms: 18_000 }));
        assert!(used.at(1_019_999, &RATED).take(10, false, &RATED).is_err());
        used = used.at(1_020_000, &RATED);
        used.take(10, false, &RATED).unwrap();
        assert!(used.at(900_000, &RATED).take(10, false, &RATED).is_err(), "a clock that goes back gives nothing");
        assert_eq!(used.at(9_000_000, &RATED).requests, 0);
    }

    #[test]
    fn what_is_larger_than_a_minutes_allowance_waits_for_all_of_it_and_is_paid_back() {
        let mut used = RateUsage::default().at(0, &RATED);
        used.take(1, false, &RATED).unwrap();
        let refused = used.take(1_000, false, &RATED).unwrap_err();
        assert_eq!((refused.rate, refused.wait_ms), (RateKind::Tokens, 600));
        used = used.at(600, &RATED);
        used.take(1_000, false, &RATED).unwrap();
        assert_eq!(used.take(1, false, &RATED).unwrap_err().wait_ms, 540_600);
        // It were fewer.
        used.end(&CountedLimits { key: KeyId(1), starts_at_ms: [None; 4], tokens: 1_000, in_flight: false }, 40);
        assert_eq!(used.standing(&RATED).tokens.map(|meter| meter.remaining), Some(60));
    }

    #[test]
    fn a_limit_that_was_lowered_and_a_clock_that_was_ahead_are_not_waited_for() {
        let wide = LoadedLimits { requests_per_minute: Some(1_000), tokens_per_minute: Some(1_000_000), ..RATED };
        let mut used = RateUsage::default().at(0, &wide);
        for _ in 0..1_000 {
            used.take(1_000, false, &wide).unwrap();
        }
        let lowered = used.at(1, &RATED);
        assert_eq!(lowered.standing(&RATED).requests, Some(RateMeter { limit: 3, remaining: 0, reset_ms: 59_999 }));
        let hour = 60 * 60_000 - 1;
        assert_eq!(lowered.standing(&RATED).tokens, Some(RateMeter { limit: 100, remaining: 0, reset_ms: hour }));
        let ahead = RateUsage { at_ms: 9_000_000, ..lowered };
        assert_eq!(ahead.at(60_000, &RATED).at_ms, 60_000, "and nothing is given away");
        assert_eq!(ahead.at(60_000, &RATED).requests, lowered.requests);
        assert_eq!(ahead.at(8_990_000, &RATED).at_ms, 9_000_000, "a little ahead is usual");
    }

    #[test]
    fn requests_under_way_are_counted_until_they_end() {
        let mut used = RateUsage::default();
        used.take(0, true, &RATED).unwrap();
        used.take(0, true, &RATED).unwrap();
        assert_eq!(used.take(0, true, &RATED).unwrap_err().rate, RateKind::InFlight);
        used.end(&CountedLimits { key: KeyId(1), starts_at_ms: [None; 4], tokens: 0, in_flight: true }, 0);
        used.take(0, true, &RATED).unwrap();
    }

    #[test]
    fn the_ends_of_the_range_are_safe() {
        let wide = LoadedLimits {
            requests_per_minute: Some(1_000_000_000),
            tokens_per_minute: Some(1_000_000_000_000),
            ..RATED
        };
        let mut used = RateUsage { at_ms: i64::MIN, requests: i64::MAX, tokens: i64::MAX, in_flight: 0 };
        assert!(used.take(i64::MAX, false, &wide).is_err());
        used = used.at(i64::MAX, &wide);
        used.take(i64::MAX, false, &wide).unwrap();
        used.standing(&wide);
        used.end(&CountedLimits { key: KeyId(1), starts_at_ms: [None; 4], tokens: 0, in_flight: false }, i64::MAX);
        let mut window = BudgetWindow::new(Usd::MAX);
        window.hold(Usd::MAX);
        window.give_back(Usd::ZERO, Usd::MAX);
        assert_eq!(window.room(), Usd::ZERO);
    }
}
