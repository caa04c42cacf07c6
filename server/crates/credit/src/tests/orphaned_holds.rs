//! Thousands of open holds of a server that was killed: they come back in parts, whoever else uses the accounts, whoever else
//! gives back, and whoever dies in between.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;

use super::*;
use crate::orphaned_holds::PART_HOLDS;

const ACCOUNTS: i64 = 300;
const HOLDS: i64 = 20_000;
/// As many as five thousand streams a second leave after a minute.
const VERY_MANY: i64 = 300_000;
/// Holds that are planted by one statement, because one of a server may take so long and no longer.
const PLANTED: i64 = 5_000;
/// A start does not wait for holds to be given back.
const SERVES_WITHIN: Duration = Duration::from_secs(10);
/// In nano-USD.
const AMOUNT: i64 = 1_000;
/// No request waits for longer than one part, which takes a tenth of a second where nobody else is at work. The rest is for the
/// turns that it waits for a processor.
const REQUEST_MAX: Duration = Duration::from_secs(3);
const OPEN: &str = "SELECT count(*) FROM holds WHERE kept = 0";
/// The same, counted no further than two.
const FEW: &str = "SELECT count(*) FROM (SELECT 1 FROM holds WHERE kept = 0 LIMIT 2) few";

impl TestLedger {
    /// Accounts that have a dollar each, and open holds of this start on all of them, written as no program would.
    async fn with_many_holds(&self) -> Vec<AccountId> {
        self.with_holds(HOLDS).await
    }

    async fn with_holds(&self, count: i64) -> Vec<AccountId> {
        let series =
            |count: i64| format!("WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {count})");
        let first = 5_000_001_000_i64;
        let accounts = format!(
            "INSERT INTO accounts (id, name, state, created_at) {} SELECT {first} + n, 'many ' || n, 'active', 1 FROM n",
            series(ACCOUNTS)
        );
        let credit = format!(
            "INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) {} \
             SELECT 'promo', 2, {first} + n, 1000000000, 'many ' || n, 'test', 1 FROM n",
            series(ACCOUNTS)
        );
        raw::run(&self.store, &accounts).await.unwrap();
        raw::run(&self.store, &credit).await.unwrap();
        raw::run(&self.store, raw::PRICES).await.unwrap();
        let (epoch, now_ms) = (self.credit.epoch(), self.clock.now_ms());
        for part in 0..count / PLANTED {
            let holds = format!(
                "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, \
                 created_at, expires_at) {} SELECT {base} + n, {first} + 1 + n % {ACCOUNTS}, 7, 'many ' || ({base} + n), {AMOUNT}, \
                 'a-model', 0, 1, 1000000, {epoch}, {now_ms}, {now_ms} + 600000 FROM n",
                series(PLANTED),
                base = 1_000_000_000 + part * PLANTED,
            );
            raw::run(&self.store, &holds).await.unwrap();
        }
        (1..=ACCOUNTS).map(|n| AccountId(first + n)).collect()
    }

    async fn open_holds(&self) -> i64 {
        raw::number(&self.store, OPEN).await
    }

    async fn given_back(&self) {
        while self.open_holds().await > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Each hold was given back once, nothing is held, and whoever asked nothing has what he had.
    async fn assert_given_back(&self) {
        self.assert_all_given_back(HOLDS).await;
    }

    async fn assert_all_given_back(&self, count: i64) {
        let released = "SELECT count(*) FROM receipts WHERE state = 'released' AND rule = 'crashed'";
        assert_eq!(raw::number(&self.store, released).await, count);
        assert_eq!(raw::number(&self.store, "SELECT CAST(sum(held) AS BIGINT) FROM balances").await, 0);
        while raw::number(&self.store, "SELECT count(*) FROM nodes WHERE state = 'gone' AND released_at IS NULL").await
            > 0
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.assert_clean().await;
    }
}

async fn a_start_serves_while_thousands_of_holds_are_given_back(on: On) {
    starts_and_serves(on, HOLDS).await;
}

// suite: long processor 90s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_on_a_file_serves_while_300_000_holds_are_given_back() {
    starts_and_serves(On::File, VERY_MANY).await;
}

async fn starts_and_serves(on: On, holds: i64) {
    let house = TestLedger::open_on(on).await;
    let accounts = house.with_holds(holds).await;
    let began = Instant::now();
    let house = house.crash().await;
    let left = house.open_holds().await;
    assert!(left > 0 && left < holds, "one part is given back before it serves, and no start waits for all: {left}");
    let hold = house.hold(accounts[accounts.len() - 1], "0.5").await;
    let serves_after = began.elapsed();
    assert!(serves_after < SERVES_WITHIN, "{serves_after:?}");
    let mut took = Vec::new();
    for account in accounts.iter().rev().cycle() {
        let asked = Instant::now();
        let hold = house.hold(*account, "0.1").await;
        house.credit.settle(hold, settlement("0.000001")).await.unwrap();
        took.push(asked.elapsed());
        if raw::number(&house.store, FEW).await <= 1 {
            break;
        }
    }
    let given_back = began.elapsed();
    took.sort();
    let (slowest, p99) = (took[took.len() - 1], took[took.len() * 99 / 100]);
    eprintln!(
        "{on:?}: holds after {serves_after:?}, with {left} of {holds} left; all given back after {given_back:?}; {} requests \
         meanwhile, p99 {p99:?}, the slowest {slowest:?}",
        took.len()
    );
    assert!(slowest < REQUEST_MAX, "{slowest:?}");
    house.credit.release(hold, SettlementRule::NothingDelivered, UpstreamDelivery::default()).await.unwrap();
    house.assert_all_given_back(holds).await;
}

async fn who_is_killed_between_two_parts_is_followed_by_one_who_goes_on(on: On) {
    let mut house = TestLedger::open_on(on).await;
    house.with_many_holds().await;
    let mut starts = 0;
    let mut left = HOLDS;
    // The first dies at once, and the others wherever they have come to.
    while left > 0 {
        house = house.crash().await;
        let now_left = house.open_holds().await;
        assert!(now_left < left, "each goes on: {now_left} of {left}");
        (left, starts) = (now_left, starts + 1);
    }
    assert!(starts > 1, "{starts}");
    house.assert_given_back().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_up_give_back_side_by_side_while_the_accounts_are_in_use() {
    let dead = TestLedger::open_on(On::Server).await;
    let accounts = dead.with_many_holds().await;
    let (second, third) = (Arc::new(dead.beside().await), Arc::new(dead.beside().await));
    // Marked by neither of the two: both find it at their next look.
    let alone = format!("UPDATE nodes SET state = 'gone' WHERE epoch = {}", dead.credit.epoch());
    raw::run(&second.store, &alone).await.unwrap();
    let mut askers = JoinSet::new();
    for (turn, house) in [&second, &third].into_iter().cycle().take(8).enumerate() {
        let (house, account) = (house.clone(), accounts[turn * accounts.len() / 8]);
        askers.spawn(async move {
            let (mut slowest, mut asked) = (Duration::ZERO, 0);
            while house.open_holds().await > 8 {
                let began = Instant::now();
                let hold = house.hold(account, "0.1").await;
                house.credit.settle(hold, settlement("0.000001")).await.unwrap();
                (slowest, asked) = (slowest.max(began.elapsed()), asked + 1);
            }
            (slowest, asked)
        });
    }
    let asked = askers.join_all().await;
    assert!(asked.iter().all(|(slowest, _)| *slowest < REQUEST_MAX), "{asked:?}");
    assert!(asked.iter().map(|(_, asked)| asked).sum::<u32>() > 0);
    second.given_back().await;
    let parts = "SELECT count(DISTINCT xmin::text) FROM receipts WHERE rule = 'crashed'";
    let parts = raw::number(&second.store, parts).await;
    assert!(parts >= HOLDS / i64::try_from(PART_HOLDS).unwrap(), "{parts} transactions");
    second.assert_given_back().await;
}

/// One that the database keeps open by a rule, one account that somebody else keeps locked, and one hold that is kept.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_given_back_keeps_nothing_else_held() {
    let dead = TestLedger::open_on(On::Server).await;
    let accounts = dead.with_many_holds().await;
    let bad = 1_000_000_000 + 10_001;
    let rule = format!(
        "CREATE FUNCTION refuses() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$; \
         CREATE TRIGGER refuses BEFORE DELETE ON holds FOR EACH ROW WHEN (OLD.id = {bad}) EXECUTE FUNCTION refuses(); \
         UPDATE nodes SET state = 'gone'"
    );
    raw::run(&dead.store, &rule).await.unwrap();
    let mut operator = raw::RawSession::open(&dead.store).await;
    let stuck = accounts[7];
    operator.run(&format!("BEGIN; SELECT 1 FROM balances WHERE account_id = {} FOR UPDATE", stuck.0)).await.unwrap();
    let house = dead.beside().await;
    let others = format!("{OPEN} AND account_id <> {} AND id <> {bad}", stuck.0);
    while raw::number(&house.store, &others).await > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(house.money(stuck).await.1 > Usd::ZERO);
    operator.run("ROLLBACK").await.unwrap();
    house.holds_nothing(stuck).await;
    assert_eq!(house.open_holds().await, 1);
    raw::run(&house.store, "DROP TRIGGER refuses ON holds; DROP FUNCTION refuses").await.unwrap();
    house.given_back().await;
    house.assert_given_back().await;
}

async fn a_start_is_done_with_once_and_when_nothing_of_it_is_held(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "10").await;
    house.hold(account, "1").await.orphan();
    let ends = async |epoch: i64| {
        raw::run(&house.store, &format!("UPDATE nodes SET released_at = 5 WHERE epoch = {epoch}")).await
    };
    assert!(ends(house.credit.epoch()).await.is_err(), "it is up");
    raw::run(&house.store, "INSERT INTO nodes (epoch, name, started_at, seen_at, state) VALUES (0, 'old', 1, 1, 'up')")
        .await
        .unwrap();
    raw::run(&house.store, "UPDATE nodes SET state = 'gone' WHERE epoch = 0").await.unwrap();
    while raw::number(&house.store, "SELECT count(*) FROM nodes WHERE released_at IS NULL AND epoch = 0").await > 0 {
        if raw::is_file(&house.store) {
            // Its one server does not look again: nobody but a start takes another for gone.
            ends(0).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(ends(0).await.is_err(), "once");
    let house = house.crash().await;
    house.assert_clean().await;
    assert_eq!(house.money(account).await, (usd("10"), Usd::ZERO));
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    a_start_serves_while_thousands_of_holds_are_given_back,
    who_is_killed_between_two_parts_is_followed_by_one_who_goes_on,
    a_start_is_done_with_once_and_when_nothing_of_it_is_held,
);
