//! A thousand at once for what fits so many of: exactly so many are admitted, run after run, whatever it is that bounds them.
//!
//! `tests/run --long` has a hundred runs of each, every other run of the suite a part of them.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;
use crate::BudgetPeriod;

const RUNS: i64 = 15;
const RUNS_LONG: i64 = 100;
const RACERS: usize = 1000;
/// Of how many holds the most fit.
const FITS_MAX: i64 = 150;
const USD: i64 = 1_000_000_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// Not quite one more.
const LEFT: i64 = USD - 1;

/// A bound of holds. Whatever else bounds holds is a line here, one in [`Bound::ask`] and one below.
#[derive(Debug, Clone, Copy)]
enum Bound {
    /// The money of the account.
    Balance,
    /// The budget of the key for a day.
    Budget,
    /// The budget of the key for its life, of which a day of it has spent already.
    BudgetOverMidnight,
    /// The number of requests that the key may have under way.
    InFlight,
    /// The budget of the key of an agent.
    Agent,
}

impl Bound {
    /// A hold of one dollar, as each request asks for it. Exactly `fits` may be held at a time.
    async fn ask(self, house: &TestLedger, number: i64, fits: i64) -> HoldRequest {
        match self {
            Self::Balance => {
                let money = Usd::from_nanos(fits * USD + LEFT).to_string();
                house.ask(house.account(number, &money).await, "1")
            }
            Self::Budget => house.ask_of_key(number, &[("budget_day", fits * USD + LEFT)]).await,
            Self::BudgetOverMidnight => {
                let spent = fits / 2;
                let budgets = [("budget_day", 1_000 * USD), ("budget_life", (fits + spent) * USD + LEFT)];
                let ask = house.ask_of_key(number, &budgets).await;
                for _ in 0..spent {
                    let request = RequestId::mint(house.clock.now_ms());
                    let hold = house.credit.hold(HoldRequest { request, ..ask.clone() }).await.unwrap();
                    house.credit.settle(hold, settlement("1")).await.unwrap();
                }
                house.hand.advance_ms(DAY_MS);
                HoldRequest { expires_at_ms: house.clock.now_ms() + 60_000, ..ask }
            }
            // None at all would be no limit that a key can have.
            Self::InFlight if fits == 0 => house.ask_of_key(number, &[("budget_day", 0)]).await,
            Self::InFlight => house.ask_of_key(number, &[("in_flight_max", fits)]).await,
            Self::Agent => house.ask_of_agent(number, &[("budget_month", fits * USD + LEFT)]).await,
        }
    }

    /// True if a hold that does not fit is refused like this.
    fn refuses(self, refused: &HoldRefused) -> bool {
        match self {
            Self::Balance => matches!(refused, HoldRefused::TiedUp { .. } | HoldRefused::Insufficient { .. }),
            Self::Budget | Self::BudgetOverMidnight | Self::InFlight | Self::Agent => {
                matches!(refused, HoldRefused::TiedUp { .. } | HoldRefused::OverBudget { .. } | HoldRefused::TooSoon(_))
            }
        }
    }
}

impl TestLedger {
    /// A hold for a key with limits, whose account has more than enough.
    async fn ask_of_key(&self, number: i64, limits: &[(&str, i64)]) -> HoldRequest {
        let account = self.account(number, "100000").await;
        let key = self.key(number + 1, account, limits).await;
        self.ask_with(account, key, "1")
    }

    /// A hold for the key of an agent, whose account has more than enough.
    async fn ask_of_agent(&self, number: i64, limits: &[(&str, i64)]) -> HoldRequest {
        let account = self.account(number, "100000").await;
        let id = number + 1;
        let agent = format!(
            "INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, created_at) \
             VALUES ({id}, {account}, 1, 'evm', '0x{id:040x}', 'bot', 'nonce-{id:03}', 'active', 1)"
        );
        raw::run(&self.store, &agent).await.unwrap();
        let key = self.key(id, account, &[&[("agent_id", id)], limits].concat()).await;
        self.ask_with(account, key, "1")
    }

    /// The spending of a key against its budget for a day, for each of its days.
    async fn days(&self, key: KeyId) -> Vec<i64> {
        let sql = format!(
            "SELECT CAST(spent AS TEXT) FROM spend_windows WHERE key_id = {key} AND period = 'day' ORDER BY starts_at"
        );
        raw::texts(&self.store, &sql).await.iter().map(|spent| spent.parse().unwrap()).collect()
    }
}

pub(super) fn runs() -> i64 {
    if std::env::var_os("TOLLGATE_TEST_LONG").is_some() { RUNS_LONG } else { RUNS }
}

/// They ask while a day ends, each of them at one of the servers: the new day lets in as many as it has room for, and the old
/// one no more than that.
async fn each_day_lets_in_its_own(houses: &[Arc<TestLedger>]) {
    let house = &houses[0];
    let mut dice = Dice::new(2_000);
    for run in 0..runs() {
        // Fewer than ask of each day.
        let fits = dice.below(60) + 1;
        let budget = [("budget_day", fits * USD + LEFT)];
        let ask =
            if run % 2 == 0 { house.ask_of_key(run, &budget).await } else { house.ask_of_agent(run, &budget).await };
        let now_ms = house.clock.now_ms();
        house.hand.advance_ms(BudgetPeriod::Day.ends_at_ms(now_ms).unwrap() - now_ms - 1);
        let mut racers = JoinSet::new();
        for racer in 0..RACERS {
            let (house, ask, hand) = (houses[racer % houses.len()].clone(), ask.clone(), house.hand.clone());
            racers.spawn(async move {
                if racer == RACERS / 2 {
                    hand.advance_ms(1);
                }
                let now_ms = house.clock.now_ms();
                let (request, expires_at_ms) = (RequestId::mint(now_ms), now_ms + 60_000);
                let asked = HoldRequest { request, expires_at_ms, ..ask };
                house.credit.hold(asked).await.map(|hold| (racer, hold))
            });
        }
        let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(Result::is_ok);
        for refused in lost.into_iter().filter_map(Result::err) {
            assert!(Bound::Budget.refuses(&refused), "run {run}: {refused}");
        }
        let mut won: Vec<_> = won.into_iter().flatten().collect();
        // What the new day has left, where most have asked of the old one.
        let request = || RequestId::mint(house.clock.now_ms());
        let expires_at_ms = house.clock.now_ms() + 60_000;
        while let Ok(hold) = house.credit.hold(HoldRequest { request: request(), expires_at_ms, ..ask.clone() }).await {
            won.push((0, hold));
        }
        let admitted = i64::try_from(won.len()).unwrap();
        let mut payers = JoinSet::new();
        for (racer, hold) in won {
            let house = houses[racer % houses.len()].clone();
            payers.spawn(async move { house.credit.settle(hold, settlement("1")).await.unwrap() });
        }
        payers.join_all().await;
        let days = house.days(ask.key).await;
        assert_eq!((days.iter().sum::<i64>(), days.last()), (admitted * USD, Some(&(fits * USD))), "run {run}");
        assert!(days.len() <= 2 && days.iter().all(|spent| *spent <= fits * USD), "run {run}: {days:?}");
    }
    house.assert_clean().await;
}

/// All at once, each of them at one of the servers.
async fn exactly_as_many_as_fit(houses: &[Arc<TestLedger>], bound: Bound) {
    let mut dice = Dice::new(1_000);
    for run in 0..runs() {
        // None at all, and as many as there may be; then any number.
        let fits = match run {
            0 => 0,
            1 => FITS_MAX,
            _ => dice.below(FITS_MAX + 1),
        };
        let ask = bound.ask(&houses[0], run, fits).await;
        let (before, _) = houses[0].money(ask.account).await;
        let mut racers = JoinSet::new();
        for racer in 0..RACERS {
            let (house, ask) = (houses[racer % houses.len()].clone(), ask.clone());
            let request = RequestId::mint(house.clock.now_ms());
            racers.spawn(
                async move { house.credit.hold(HoldRequest { request, ..ask }).await.map(|hold| (racer, hold)) },
            );
        }
        let (won, lost): (Vec<_>, Vec<_>) = racers.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), usize::try_from(fits).unwrap(), "run {run}");
        for refused in lost.into_iter().filter_map(Result::err) {
            assert!(bound.refuses(&refused), "run {run}: {refused}");
        }
        let mut payers = JoinSet::new();
        for (racer, hold) in won.into_iter().flatten() {
            let house = houses[racer % houses.len()].clone();
            payers.spawn(async move { house.credit.settle(hold, settlement("1")).await.unwrap().charged });
        }
        let charged: i64 = payers.join_all().await.into_iter().map(Usd::nanos).sum();
        assert_eq!(charged, fits * usd("1").nanos(), "run {run}");
        let left = Usd::from_nanos(before.nanos() - charged);
        assert_eq!(houses[0].money(ask.account).await, (left, Usd::ZERO), "run {run}");
    }
    houses[0].assert_clean().await;
}

async fn as_many_of_a_thousand_are_admitted_as_there_is_money_for(on: On) {
    exactly_as_many_as_fit(&[Arc::new(TestLedger::open_on(on).await)], Bound::Balance).await;
}

async fn as_many_of_a_thousand_are_admitted_as_the_budget_of_their_key_has_room_for(on: On) {
    exactly_as_many_as_fit(&[Arc::new(TestLedger::open_on(on).await)], Bound::Budget).await;
}

async fn as_many_of_a_thousand_are_admitted_after_midnight_as_the_life_of_their_key_has_left(on: On) {
    exactly_as_many_as_fit(&[Arc::new(TestLedger::open_on(on).await)], Bound::BudgetOverMidnight).await;
}

async fn as_many_of_a_thousand_are_admitted_as_their_key_may_have_under_way(on: On) {
    exactly_as_many_as_fit(&[Arc::new(TestLedger::open_on(on).await)], Bound::InFlight).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_of_a_thousand_at_two_servers_are_admitted_as_fit() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let houses = [Arc::new(first), Arc::new(second)];
    exactly_as_many_as_fit(&houses, Bound::Balance).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_of_a_thousand_at_two_servers_are_admitted_as_the_budget_of_their_key_has_room_for() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    exactly_as_many_as_fit(&[Arc::new(first), Arc::new(second)], Bound::Budget).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_at_two_servers_are_admitted_as_the_budget_of_their_agent_has_room_for() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    exactly_as_many_as_fit(&[Arc::new(first), Arc::new(second)], Bound::Agent).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_midnight_each_day_of_a_budget_lets_in_its_own_at_two_servers() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    each_day_lets_in_its_own(&[Arc::new(first), Arc::new(second)]).await;
}

async fn as_many_are_admitted_as_the_budget_of_their_agent_has_room_for(on: On) {
    exactly_as_many_as_fit(&[Arc::new(TestLedger::open_on(on).await)], Bound::Agent).await;
}

async fn at_midnight_each_day_of_a_budget_lets_in_its_own(on: On) {
    each_day_lets_in_its_own(&[Arc::new(TestLedger::open_on(on).await)]).await;
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    as_many_are_admitted_as_the_budget_of_their_agent_has_room_for,
    at_midnight_each_day_of_a_budget_lets_in_its_own,
    as_many_of_a_thousand_are_admitted_as_there_is_money_for,
    as_many_of_a_thousand_are_admitted_as_the_budget_of_their_key_has_room_for,
    as_many_of_a_thousand_are_admitted_after_midnight_as_the_life_of_their_key_has_left,
    as_many_of_a_thousand_are_admitted_as_their_key_may_have_under_way,
);
