//! Several servers on one ledger: each with a folder and a writer of its own.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::backend::{BackendError, BatchPlan, LedgerBackend, Touched};
use crate::batch::BatchRunner;
use crate::nodes::{LastHeartbeat, ServerHeartbeat};
use crate::queue::queues;
use crate::rules::LoadedRows;
use crate::sql::PostgresLedger;
use crate::writer::LedgerWriter;
use tollgate_store::{ErrorClass, StoreError, WriterPlace};

impl TestLedger {
    /// Another server on the ledger of this one.
    pub(super) async fn beside(&self) -> Self {
        let StoreConfig::Postgres { address, schema, .. } = self.config.clone() else { panic!("a server's house") };
        let folder = TempDir::new().unwrap();
        let config = StoreConfig::Postgres { address, schema, folder: folder.path().to_owned() };
        let store = Store::open(&config, &self.clock).await.unwrap();
        Self::on((folder, config, store), self.clock.clone(), self.hand.clone()).await
    }

    fn pulse(&self) -> ServerHeartbeat {
        ServerHeartbeat {
            books: self.credit.books.clone(),
            epoch: self.credit.epoch(),
            last_beat: LastHeartbeat::now(),
            found: Arc::default(),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_64_racers_on_two_servers_as_many_win_as_there_is_money_for() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let houses = [Arc::new(first), Arc::new(second)];
    let account = houses[0].account(1, "10").await;
    let mut racers = JoinSet::new();
    for racer in 0..64 {
        let house = houses[racer % 2].clone();
        racers.spawn(async move { house.credit.hold(house.ask(account, "1")).await.map(|hold| (racer % 2, hold)) });
    }
    let won: Vec<_> = racers.join_all().await.into_iter().flatten().collect();
    assert_eq!(won.len(), 10);
    let mut numbers: Vec<i64> = won.iter().map(|(_, hold)| hold.id().0).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 10);
    for (house, hold) in won {
        assert_eq!(houses[house].credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    }
    assert_eq!(houses[1].money(account).await, (Usd::ZERO, Usd::ZERO));
    houses[0].assert_clean().await;
}

#[tokio::test]
async fn a_start_leaves_what_another_server_holds_and_takes_back_what_it_held_itself() {
    let first = TestLedger::open_on(On::Server).await;
    let account = first.account(1, "10").await;
    let hold = first.hold(account, "1").await;
    let second = first.beside().await;
    assert_eq!(first.money(account).await.1, usd("1"), "the first is up");
    std::mem::forget(second.hold(account, "2").await);
    let second = second.crash().await;
    assert_eq!(first.money(account).await.1, usd("1"), "the second is known by its folder");
    second.hand.advance_ms(120_000);
    assert_eq!(second.credit.sweep().await.unwrap(), 0, "what the first has in hand is its own matter");
    assert_eq!(first.credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    first.assert_clean().await;
}

#[tokio::test]
async fn a_start_is_refused_where_a_newer_program_has_upgraded_the_ledger_since_it_was_opened() {
    let house = TestLedger::open_on(On::Server).await;
    raw::run(&house.store, "INSERT INTO schema_steps VALUES ('0009_tomorrow', decode('00', 'hex'), 1)").await.unwrap();
    let books = LedgerStore::new(house.store.clone(), house.clock.clone());
    let refused = Ledger::start(books, &house.lock).await.map(drop).unwrap_err();
    assert!(matches!(&refused, StoreError::Newer { step } if step == "0009_tomorrow"), "{refused}");
    assert_eq!(
        raw::number(&house.store, "SELECT count(*) FROM nodes WHERE state = 'up'").await,
        1,
        "the one from before"
    );
}

/// A session of the operator's, or another server that hangs in the middle of something.
#[tokio::test]
async fn an_account_that_somebody_keeps_locked_keeps_no_other_waiting() {
    let house = TestLedger::open_on(On::Server).await;
    let (stuck, free) = (house.account(1, "10").await, house.account(2, "10").await);
    let (charged, other) = (house.hold(stuck, "1").await, house.hold(free, "1").await);
    let mut operator = raw::RawSession::open(&house.store).await;
    operator.run(&format!("BEGIN; SELECT 1 FROM balances WHERE account_id = {} FOR UPDATE", stuck.0)).await.unwrap();
    let waiting = house.credit.settle(charged, settlement("1"));
    let meanwhile = async {
        assert_eq!(house.credit.settle(other, settlement("1")).await.unwrap().charged, usd("1"));
        // It is known by now: no batch with the others is tried twice.
        let tried = || house.credit.stats().retried.load(std::sync::atomic::Ordering::Relaxed);
        let before = tried();
        for _ in 0..20 {
            let hold = house.hold(free, "0.1").await;
            house.credit.settle(hold, settlement("0.1")).await.unwrap();
        }
        assert_eq!(tried(), before);
        assert_eq!(house.credit.hold(house.ask(stuck, "1")).await.unwrap_err(), HoldRefused::Unavailable);
    };
    let (waiting, ()) = tokio::join!(waiting, meanwhile);
    assert!(matches!(waiting, Err(SettleFailed::Late)), "{waiting:?}");
    operator.run("ROLLBACK").await.unwrap();
    while raw::number(&house.store, "SELECT count(*) FROM holds").await > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!((house.money(stuck).await, house.money(free).await), ((usd("9"), Usd::ZERO), (usd("7"), Usd::ZERO)));
    house.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_many_endings_a_locked_account_has_the_others_do_not_wait() {
    const ENDINGS: usize = 600;
    const PAIRS: u32 = 100;
    /// Of the writer, between two tries at endings that could not be written.
    const PAUSE: Duration = Duration::from_millis(100);
    let house = Arc::new(TestLedger::open_on(On::Server).await);
    let (stuck, free) = (house.account(1, "1000").await, house.account(2, "20").await);
    let mut holds = Vec::new();
    for _ in 0..ENDINGS {
        holds.push(house.hold(stuck, "1").await);
    }
    let mut operator = raw::RawSession::open(&house.store).await;
    operator.run(&format!("BEGIN; SELECT 1 FROM balances WHERE account_id = {} FOR UPDATE", stuck.0)).await.unwrap();
    let mut waiting = JoinSet::new();
    for hold in holds {
        let house = house.clone();
        waiting.spawn(async move { house.credit.settle(hold, settlement("1")).await });
    }
    // Found locked, by the time that the first who waits is told so.
    let told = waiting.join_next().await.unwrap().unwrap();
    assert!(matches!(told, Err(SettleFailed::Late)), "{told:?}");
    let began = tokio::time::Instant::now();
    for _ in 0..PAIRS {
        let hold = house.hold(free, "0.1").await;
        house.credit.settle(hold, settlement("0.1")).await.unwrap();
    }
    // With a pause before each operation it would be twenty seconds and what the operations take; so a machine may take a whole
    // pause for each, less a little, and it is still seen that there is none.
    assert!(began.elapsed() < PAUSE * PAIRS * 2 * 9 / 10, "{:?}", began.elapsed());
    operator.run("ROLLBACK").await.unwrap();
    waiting.join_all().await;
    while raw::number(&house.store, "SELECT count(*) FROM holds").await > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!((house.money(stuck).await, house.money(free).await), ((usd("400"), Usd::ZERO), (usd("10"), Usd::ZERO)));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_locked_account_keeps_no_other_s_money_held_and_no_server_from_starting() {
    let first = TestLedger::open_on(On::Server).await;
    let (stuck, free) = (first.account(1, "10").await, first.account(2, "10").await);
    let _holds = (first.hold(stuck, "1").await, first.hold(free, "1").await);
    let second = first.beside().await;
    let mut operator = raw::RawSession::open(&second.store).await;
    operator.run(&format!("BEGIN; SELECT 1 FROM balances WHERE account_id = {} FOR UPDATE", stuck.0)).await.unwrap();
    second.pulse().mark_silent_gone(-1_000).await.unwrap();
    second.holds_nothing(free).await;
    assert_eq!(second.money(stuck).await.1, usd("1"));
    let third = second.beside().await;
    operator.run("ROLLBACK").await.unwrap();
    // Whoever is there gives it back at the next beat.
    third.holds_nothing(stuck).await;
    third.assert_clean().await;
}

#[tokio::test]
async fn a_server_that_is_taken_for_gone_writes_nothing_more() {
    let first = TestLedger::open_on(On::Server).await;
    let account = first.account(1, "10").await;
    let hold = first.hold(account, "1").await;
    let mut second = first.beside().await;
    second.pulse().mark_silent_gone(3_600_000).await.unwrap();
    assert_eq!(first.money(account).await.1, usd("1"), "heard of within the hour");
    // Whoever was seen up to a second from now.
    second.pulse().mark_silent_gone(-1_000).await.unwrap();
    first.holds_nothing(account).await;
    let told = first.credit.settle(hold, settlement("1")).await;
    assert!(matches!(told, Err(SettleFailed::Unavailable)), "{told:?}");
    let TestLedger { mut worker, .. } = first;
    assert_eq!(worker.stopped().await, WriterEnd::Superseded);
    let hold = second.hold(account, "1").await;
    assert_eq!(second.credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    second.assert_clean().await;
    // Whoever ends in order says so.
    let (credit, clock) = (second.credit.clone(), second.clock.clone());
    std::mem::forget(second.hold(account, "1").await);
    let ended = std::mem::replace(&mut second, TestLedger::open_on(On::Server).await);
    assert_eq!(ended.worker.shutdown().await, WriterEnd::Drained);
    assert_eq!(credit.balance(account).await.unwrap().held, Usd::ZERO);
    assert!(LedgerStore::new(ended.store, clock).audit().await.unwrap().is_clean());
}

#[tokio::test]
async fn a_server_that_is_taken_for_gone_ends_without_being_asked_for_anything() {
    let TestLedger { mut worker, credit, .. } = {
        let first = TestLedger::open_on(On::Server).await;
        first.beside().await.pulse().mark_silent_gone(-1_000).await.unwrap();
        first
    };
    assert_eq!(worker.stopped().await, WriterEnd::Superseded);
    drop(credit);
}

#[tokio::test]
async fn connections_that_are_cut_are_made_again_and_no_ending_is_lost() {
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "10").await;
    let hold = house.hold(account, "1").await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    raw::run(&house.store, cut).await.unwrap();
    assert_eq!(house.credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    assert_eq!(house.money(account).await, (usd("9"), Usd::ZERO));
    house.assert_clean().await;
}

/// The real ledger, whose commits are not heard of: they are made or not, and the connection is gone.
#[derive(Debug)]
struct Unheard {
    ledger: PostgresLedger,
    commits: bool,
}

impl LedgerBackend for Unheard {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        self.ledger.begin(touched).await
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        if self.commits {
            self.ledger.carry_out(plan).await?;
        }
        let source = StoreError::Unreadable { what: "an answer", found: String::new() };
        Err(BackendError { fault: ErrorClass::Lost, duplicate: false, source })
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        self.ledger.roll_back(after).await;
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        self.ledger.is_written(plan).await
    }
}

#[tokio::test]
async fn a_commit_that_was_not_heard_of_is_looked_up() {
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "10").await;
    for commits in [true, false] {
        let WriterPlace::Server(server) = house.store.writer() else { panic!("a server's house") };
        let epoch = house.credit.epoch();
        let ledger = Unheard {
            ledger: PostgresLedger::connect(server, epoch, LastHeartbeat::now(), CancellationToken::new())
                .await
                .unwrap(),
            commits,
        };
        let (queue, intake) = queues(CancellationToken::new());
        let (books, clock) = (house.credit.books.clone(), house.clock.clone());
        let credit = Ledger::new(books, queue.clone(), epoch);
        let batcher = BatchRunner {
            ledger,
            clock,
            epoch,
            stats: credit.stats.clone(),
            queue,
            disk_troubles: 0,
            locked: BTreeSet::new(),
        };
        let mut writer = JoinSet::new();
        writer.spawn(LedgerWriter { batcher, intake }.run());
        let held = credit.hold(house.ask(account, "1")).await;
        assert_eq!(held.is_ok(), commits, "{held:?}");
        let Ok(hold) = held else { continue };
        assert_eq!(credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    }
    assert_eq!(house.money(account).await, (usd("9"), Usd::ZERO));
    house.assert_clean().await;
}

/// Another session takes the same two accounts the other way round: the server ends one of the two, and what was ended of
/// ours is told, or done again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_the_server_ends_for_a_deadlock_loses_nothing() {
    let house = TestLedger::open_on(On::Server).await;
    let (low, high) = (house.account(1, "10").await, house.account(2, "10").await);
    let holds = (house.hold(low, "1").await, house.hold(high, "1").await);
    let lock = |account| format!("SELECT 1 FROM balances WHERE account_id = {account} FOR UPDATE");
    let mut other = raw::RawSession::open(&house.store).await;
    other.run("BEGIN").await.unwrap();
    other.run(&lock(high)).await.unwrap();
    // Both in one batch, which has the one account and waits for the other.
    let ended = async {
        tokio::join!(house.credit.settle(holds.0, settlement("1")), house.credit.settle(holds.1, settlement("1")))
    };
    let crossed = async {
        let waits =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while raw::number(&house.store, waits).await == 0 {
            tokio::task::yield_now().await;
        }
        // Whichever of the two the server ends.
        drop(other.run(&lock(low)).await);
        other.run("ROLLBACK").await.unwrap();
    };
    let ((first, second), ()) = tokio::join!(ended, crossed);
    assert_eq!((first.unwrap().charged, second.unwrap().charged), (usd("1"), usd("1")));
    for account in [low, high] {
        assert_eq!(house.money(account).await, (usd("9"), Usd::ZERO));
    }
    house.assert_clean().await;
}

#[tokio::test]
async fn a_server_is_heard_of_while_its_desk_is_busy() {
    let house = TestLedger::open_on(On::Server).await;
    let busy = house.store.begin().await.unwrap();
    let seen = async || raw::number(&house.store, "SELECT max(seen_at) FROM nodes").await;
    let before = seen().await;
    while seen().await == before {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    busy.rollback().await.unwrap();
}

/// A standby takes over that has not heard of the last commits, or the database is set back in time: the hold is gone with its
/// number, which is given once more.
async fn forget(house: &TestLedger, what: &str) {
    let script = format!(
        "BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM holds; UPDATE balances SET held = 0; {what}; \
         SELECT setval('hold_blocks', 1, false); COMMIT"
    );
    raw::run(&house.store, &script).await.unwrap();
}

#[tokio::test]
async fn a_number_that_is_given_twice_is_settled_by_its_own_request_alone() {
    for is_same_account in [true, false] {
        let first = TestLedger::open_on(On::Server).await;
        let (account, other) = (first.account(1, "10").await, first.account(2, "10").await);
        let its_account = if is_same_account { account } else { other };
        let forgotten = [first.hold(account, "1").await, first.hold(account, "1").await];
        forget(&first, "SELECT 1").await;
        let second = first.beside().await;
        let (hold, next) = (second.hold(its_account, "2").await, second.hold(its_account, "2").await);
        let numbers = [&forgotten[0], &forgotten[1]].map(Hold::id);
        assert!(numbers.contains(&hold.id()) && numbers.contains(&next.id()), "{numbers:?}: the same numbers");
        let [settled, released] = forgotten;
        let told = first.credit.settle(settled, settlement("1")).await;
        assert!(matches!(told, Err(SettleFailed::AlreadyResolved)), "{told:?}");
        let told = first.credit.release(released, SettlementRule::NotRecorded, UpstreamDelivery::default()).await;
        assert!(matches!(told, Err(SettleFailed::AlreadyResolved)), "{told:?}");
        let before = second.money(its_account).await.0;
        assert_eq!(second.money(its_account).await.1, usd("4"), "both are held still");
        assert_eq!(second.credit.settle(hold, settlement("2")).await.unwrap().charged, usd("2"));
        drop(next);
        second.holds_nothing(its_account).await;
        assert_eq!(second.money(its_account).await.0, before.checked_sub(usd("2")).unwrap());
        second.assert_clean().await;
    }
}

#[tokio::test]
async fn a_start_that_the_database_has_forgotten_is_nobody_elses() {
    let first = TestLedger::open_on(On::Server).await;
    let account = first.account(1, "10").await;
    let hold = first.hold(account, "1").await;
    forget(&first, "DELETE FROM nodes").await;
    let second = first.beside().await;
    assert_ne!(first.credit.epoch(), second.credit.epoch(), "no number is counted from what is forgotten");
    let its_own = second.hold(account, "2").await;
    let told = first.credit.settle(hold, settlement("1")).await;
    assert!(matches!(told, Err(SettleFailed::Unavailable)), "{told:?}");
    let TestLedger { mut worker, .. } = first;
    assert_eq!(worker.stopped().await, WriterEnd::Superseded);
    assert_eq!(second.credit.settle(its_own, settlement("2")).await.unwrap().charged, usd("2"));
    assert_eq!(second.money(account).await, (usd("8"), Usd::ZERO));
    second.assert_clean().await;
}

#[tokio::test]
async fn a_server_whose_beat_has_no_connection_is_heard_of_by_its_batches() {
    const BOUND: Duration = Duration::from_secs(60);
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "10").await;
    // The one connection of the beat, which the database leaves to whoever has it.
    let mut taken = house.store.begin_reserved().await.unwrap();
    let for_long = "SET LOCAL idle_in_transaction_session_timeout = 0";
    tollgate_store::query(for_long).execute(&mut taken).await.unwrap();
    let seen = async || raw::number(&house.store, "SELECT max(seen_at) FROM nodes").await;
    let (before, began) = (seen().await, tokio::time::Instant::now());
    while seen().await == before {
        assert!(began.elapsed() < BOUND, "nothing is heard of it");
        let hold = house.hold(account, "0.1").await;
        house.credit.release(hold, SettlementRule::NotRecorded, UpstreamDelivery::default()).await.unwrap();
    }
    taken.rollback().await.unwrap();
    house.assert_clean().await;
}
