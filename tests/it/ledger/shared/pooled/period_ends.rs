//! The same at the end of a day, a week, a month and a raise: the clock of both servers is set over it while they are asked, and
//! one of them is killed at that moment.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Row};
use time::{Duration, OffsetDateTime, Time, Weekday};
use tollgate_base::Clock;
use tollgate_tests::set_clock::SetClock;
use tollgate_tests::wait::until_within;

use super::*;

/// At a moment and beside it the clocks show a second before and a second after.
const BESIDE: Duration = Duration::SECOND;
const ROOM: i64 = 400;
const BEFORE_THE_RAISE: i64 = 100;
/// Few enough that what all of them hold at once is but a part of the room.
const CLIENTS: usize = 16;
/// More than what one request holds: a hundred tokens of the answer, and a token of the prompt for each of its bytes.
const HOLD_MAX: i64 = 100_000;
/// A bound for a hang: what takes seconds takes a minute beside other work.
const ANSWERED_WITHIN: std::time::Duration = std::time::Duration::from_secs(300);
const ENDS: [Ending; 4] = [Ending::Day, Ending::Week, Ending::Month, Ending::Raise];

/// A period of a budget, or a raise, that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Day,
    Week,
    Month,
    Raise,
}

impl Ending {
    /// The budget that is about to end, as the ledger names it.
    fn period(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Raise => "life",
        }
    }

    /// The beginning and the end of the period that ends next; a raise ends with the day. Of months it is the one after this: it has
    /// nothing of what was spent after the last one.
    fn after(self, now: OffsetDateTime) -> (OffsetDateTime, OffsetDateTime) {
        let today = now.date();
        let first = |date: time::Date| date.replace_day(1).expect("each month has a first");
        let (began, ends) = match self {
            Self::Day | Self::Raise => (today, today + Duration::DAY),
            Self::Week => {
                (today.next_occurrence(Weekday::Monday) - Duration::WEEK, today.next_occurrence(Weekday::Monday))
            }
            Self::Month => {
                let next = first(first(today) + Duration::days(31));
                (next, first(next + Duration::days(31)))
            }
        };
        (began.with_time(Time::MIDNIGHT).assume_utc(), ends.with_time(Time::MIDNIGHT).assume_utc())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_budget_is_kept_over_the_end_of_a_day_a_week_a_month_and_a_raise() {
    killed_at_period_ends(ENDS.len()).await;
}

// suite: long 900s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooled_budget_is_kept_through_a_hundred_kills_at_the_end_of_its_period() {
    killed_at_period_ends(MANY_RUNS).await;
}

/// The end of a period or of a raise: the budget until then, and what of it was spent before.
#[derive(Debug)]
struct PeriodEnd {
    ends: Ending,
    at: OffsetDateTime,
    began: i64,
    spent: i64,
    budget: i64,
    raise: i64,
}

impl PeriodEnd {
    async fn after(now: OffsetDateTime, ends: Ending, ledger: &mut PgConnection) -> Self {
        let (began, at) = ends.after(now);
        let began = if ends == Ending::Raise { 0 } else { milliseconds(began) };
        let spent = window(ledger, ends.period(), began).await;
        let (budget, raise) = match ends {
            Ending::Raise => (spent + BEFORE_THE_RAISE * nanos(COST), ROOM * nanos(COST)),
            Ending::Day | Ending::Week | Ending::Month => (spent + ROOM * nanos(COST) + UNEVEN, 0),
        };
        Self { ends, at, began, spent, budget, raise }
    }

    /// The period that has ended spent no more than its budget, and the next one the whole of its own.
    async fn assert_kept(&self, ledger: &mut PgConnection) {
        let before = window(ledger, self.ends.period(), self.began).await;
        // A raise has no other time after it: by the day is seen when something was let in.
        let next = if self.ends == Ending::Raise { "day" } else { self.ends.period() };
        let after = window(ledger, next, milliseconds(self.at)).await;
        assert!(before <= self.budget + self.raise, "{before} in {self:?}");
        if self.ends == Ending::Raise {
            assert!(before > self.budget, "the raise was used: {before} in {self:?}");
            assert_eq!(after, 0, "nothing is let in by a raise that is over: {self:?}");
        } else {
            assert!(before > self.spent, "the load before was real: {before} in {self:?}");
            let whole = self.budget - HOLD_MAX..=self.budget;
            assert!(whole.contains(&after), "the next is spent whole: {after} in {self:?}");
        }
    }
}

async fn killed_at_period_ends(runs: usize) {
    let shared = Shared::new().await;
    let owner = shared.account("100");
    // Ahead of the clock of those who have made the account.
    let mut now =
        OffsetDateTime::from_unix_timestamp(Clock::system().now_ms() / 1_000).expect("a time") + Duration::DAY * 2;
    let clock = SetClock::at(milliseconds(now));
    let start = |number: usize| Served::start_by(&clock, &shared.args(u8::try_from(number + 1).expect("one of two")));
    let first = start(0);
    let keys = Arc::new(keys(first.url(), &owner).await);
    assert!(first.terminate(), "told to stop, it ends well");
    let (mut random, mut complete) = (Random::new(30), 0);
    let mut ledger = shared.ledger().await;
    for run in 0..runs {
        let end = PeriodEnd::after(now, ENDS[run % ENDS.len()], &mut ledger).await;
        clock.set(milliseconds(end.at - BESIDE));
        let mut servers = [0, 1].map(|number| Some(start(number)));
        let urls = [0, 1].map(|number: usize| servers[number].as_ref().expect("it runs").url().to_owned());
        let killed = (run + run / ENDS.len()) % 2;
        let left = &urls[1 - killed];
        set(left, &owner, &end).await;
        let answered = Arc::new(AtomicUsize::new(0));
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let (url, keys, answered, first) =
                (urls[client % 2].clone(), keys.clone(), answered.clone(), random.below(KEYS));
            clients.spawn(async move { spend(&url, &keys, first, &answered).await });
        }
        let enough = usize::try_from(BEFORE_THE_RAISE + ROOM / 8).expect("some") + random.below(100);
        until_within(ANSWERED_WITHIN, "some answers", || async {
            (answered.load(Ordering::Relaxed) >= enough).then_some(())
        })
        .await;
        let mut kill = || servers[killed].take().expect("it runs").kill();
        if random.below(2) == 0 {
            clock.set(milliseconds(end.at + BESIDE));
            kill();
        } else {
            kill();
            clock.set(milliseconds(end.at + BESIDE));
        }
        complete += clients.join_all().await.into_iter().sum::<usize>();
        // What the killed one held is given back when it starts again, and the rest is spent by one client.
        servers[killed] = Some(start(killed));
        complete += spend(left, &keys, 0, &answered).await;
        end.assert_kept(&mut ledger).await;
        assert!(servers.into_iter().flatten().all(Served::terminate), "told to stop, they end well");
        now = end.at + BESIDE;
    }
    let report = shared.audited();
    assert_eq!(report["holds_open"], json!(0), "{report}");
    let settled = usize::try_from(report["settled"].as_u64().expect("a count")).expect("a count");
    assert!(settled >= complete, "what a client saw complete is charged: {settled} of {complete}");
    eprintln!("{runs} kills, {complete} requests seen complete, {settled} settled, none beyond its budget");
}

fn milliseconds(at: OffsetDateTime) -> i64 {
    at.unix_timestamp() * 1_000
}

/// Gives the organisation the budget that is about to end and no other. By what is counted of the day it can be seen when
/// something was let in, where that is about no day.
async fn set(served: &str, owner: &str, end: &PeriodEnd) {
    let usd = |nanos: i64| Usd::from_nanos(nanos).to_string();
    let none = || "null".to_owned();
    let [mut day, mut week, mut month, mut life] = [none(), none(), none(), none()];
    let (mut raised_by, mut raised_until) = (none(), none());
    let budget = usd(end.budget);
    match end.ends {
        Ending::Day => day = budget,
        Ending::Week => week = budget,
        Ending::Month => month = budget,
        Ending::Raise => {
            (day, life) = ("10".to_owned(), budget);
            (raised_by, raised_until) = (usd(end.raise), end.at.unix_timestamp().to_string());
        }
    }
    change(
        served,
        owner,
        &format!(
            "{{\"budget_day_usd\": {day}, \"budget_week_usd\": {week}, \"budget_month_usd\": {month}, \"budget_usd\": {life}, \
             \"raised_by_usd\": {raised_by}, \"raised_until\": {raised_until}}}"
        ),
    )
    .await;
}

impl Shared {
    async fn ledger(&self) -> PgConnection {
        let options: PgConnectOptions = self.url.parse().expect("an address");
        options.options([("search_path", "tollgate")]).connect().await.expect("a connection")
    }
}

/// The amount spent and held of a budget of the organisation in the period that began then, in billionths of a dollar.
async fn window(ledger: &mut PgConnection, period: &str, began: i64) -> i64 {
    let asked = "SELECT coalesce(sum(w.spent + w.held), 0)::bigint FROM pool_windows w JOIN budget_pools p ON p.id = w.pool_id \
        WHERE p.kind = 'organisation' AND w.period = $1 AND w.starts_at = $2";
    let row = sqlx::query(asked).bind(period).bind(began).fetch_one(ledger).await.expect("it runs");
    row.try_get(0).expect("a number")
}
