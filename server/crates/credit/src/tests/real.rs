//! The real writer on its thread, with the real ledger on a real file: a disk that is full, a file that another process
//! keeps locked, another server, and a ledger that breaks.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::attempt::LedgerThread;
use crate::backend::{BackendError, BatchPlan, LedgerBackend, Touched};
use crate::batch::BatchRunner;
use crate::patience::PATIENCE;
use crate::queue::queues;
use crate::rules::LoadedRows;
use crate::sql::SqliteLedger;
use crate::writer::LedgerWriter;
use tollgate_store::{ErrorClass, WriteQueue, WriterPlace};

/// A writer of its own over the ledger of `house`, in place of the house's, whose start it goes on with.
fn writer_on(house: &TestLedger, ledger: impl LedgerBackend) -> (Ledger, JoinSet<WriterEnd>) {
    let ledger = LedgerThread::start(ledger, WriteQueue::default()).unwrap();
    let (queue, intake) = queues(CancellationToken::new());
    let (books, clock) = (house.credit.books.clone(), house.clock.clone());
    let credit = Ledger::new(books, queue.clone(), 1);
    let stats = credit.stats.clone();
    let mut writer = JoinSet::new();
    writer.spawn(
        LedgerWriter {
            batcher: BatchRunner { ledger, clock, epoch: 1, stats, queue, disk_troubles: 0, locked: BTreeSet::new() },
            intake,
        }
        .run(),
    );
    (credit, writer)
}

/// The real ledger, on a connection of its own.
fn sqlite(house: &TestLedger) -> SqliteLedger {
    let WriterPlace::File(file, _) = house.store.writer() else { panic!("a house on a file") };
    SqliteLedger::connect(file).unwrap()
}

/// A pragma for the ledger's own connection, before its next batch.
#[derive(Debug, Clone, Default)]
struct Pragma(Arc<Mutex<Option<&'static str>>>);

impl Pragma {
    fn say(&self, pragma: &'static str) {
        *self.0.lock().unwrap() = Some(pragma);
    }
}

/// The real ledger, that can be spoken to.
#[derive(Debug)]
struct Told(SqliteLedger, Pragma);

fn told(house: &TestLedger) -> (Told, Pragma) {
    let pragma = Pragma::default();
    (Told(sqlite(house), pragma.clone()), pragma)
}

impl LedgerBackend for Told {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        if let Some(pragma) = self.1.0.lock().unwrap().take() {
            raw::tell(&mut self.0, pragma);
        }
        self.0.begin(touched).await
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        self.0.carry_out(plan).await
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        self.0.roll_back(after).await;
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        self.0.is_written(plan).await
    }
}

#[tokio::test]
async fn a_full_disk_refuses_holds_keeps_settlements_and_passes() {
    let house = TestLedger::open().await;
    let account = house.account(1, "100").await;
    let (ledger, pragma) = told(&house);
    let (credit, mut writer) = writer_on(&house, ledger);
    let hold = credit.hold(house.ask(account, "1")).await.unwrap();
    // Less than there are is as many as there are.
    pragma.say("PRAGMA max_page_count = 1");
    // The pages that are there have some room left. Each hold takes some, until one more page is needed.
    let mut taken = Vec::new();
    let refused = loop {
        match credit.hold(HoldRequest { model: "m".repeat(200), ..house.ask(account, "0.001") }).await {
            Ok(hold) => taken.push(hold),
            Err(refused) => break refused,
        }
    };
    assert_eq!(refused, HoldRefused::Unavailable);
    assert!(writer.try_join_next().is_none(), "a full disk is no reason to end");
    let told = credit.settle(hold, settlement_of("x".repeat(8_000))).await;
    assert!(matches!(told, Err(SettleFailed::Late)), "{told:?}");
    house.assert_clean().await;
    pragma.say("PRAGMA max_page_count = 1000000");
    drop(taken);
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("99"), Usd::ZERO), "late, and charged");
    let hold = credit.hold(house.ask(account, "1")).await.unwrap();
    assert_eq!(credit.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_file_that_is_locked_past_the_time_out_is_waited_for_by_endings_only() {
    let house = TestLedger::open().await;
    let account = house.account(1, "100").await;
    let (ledger, pragma) = told(&house);
    let (credit, mut writer) = writer_on(&house, ledger);
    pragma.say("PRAGMA busy_timeout = 100");
    let (late, soon) =
        (credit.hold(house.ask(account, "1")).await.unwrap(), credit.hold(house.ask(account, "1")).await.unwrap());
    let lock = house.store.begin().await.unwrap();
    let began = tokio::time::Instant::now();
    assert_eq!(credit.hold(house.ask(account, "1")).await.unwrap_err(), HoldRefused::Unavailable);
    // Whoever the writer does not tell gives up after this.
    assert!(began.elapsed() < PATIENCE, "refused after the time-out: {:?}", began.elapsed());
    assert!(credit.stats.retried.load(Ordering::Relaxed) > 0, "by the writer");
    assert!(matches!(credit.settle(late, settlement("1")).await, Err(SettleFailed::Late)));
    assert!(writer.try_join_next().is_none(), "a lock is no reason to end");
    let mut settling = Box::pin(credit.settle(soon, settlement("2")));
    assert!(futures_util::poll!(settling.as_mut()).is_pending());
    lock.rollback().await.unwrap();
    assert_eq!(settling.await.unwrap().charged, usd("2"));
    house.settled_down().await;
    assert_eq!(house.money(account).await, (usd("97"), Usd::ZERO), "the late one as well");
    house.assert_clean().await;
}

#[tokio::test]
async fn another_server_on_the_ledger_stops_this_one() {
    let house = TestLedger::open().await;
    let account = house.account(1, "100").await;
    let (credit, mut writer) = writer_on(&house, sqlite(&house));
    let hold = credit.hold(house.ask(account, "1")).await.unwrap();
    // A lock that another machine does not see, or a copy of the file under way.
    let (other, _worker) = Ledger::start(house.credit.books.clone(), &house.lock).await.unwrap();
    assert_eq!(house.money(account).await.1, Usd::ZERO, "released by the start of the other");
    let told = credit.settle(hold, settlement("1")).await;
    assert!(matches!(told, Err(SettleFailed::Unavailable)), "{told:?}");
    assert_eq!(writer.join_next().await.unwrap().unwrap(), WriterEnd::Superseded);
    assert_eq!(credit.hold(house.ask(account, "1")).await.unwrap_err(), HoldRefused::Unavailable);
    let hold = other.hold(house.ask(account, "1")).await.unwrap();
    assert_eq!(other.settle(hold, settlement("1")).await.unwrap().charged, usd("1"));
    assert_eq!(house.money(account).await, (usd("99"), Usd::ZERO));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_ledger_that_breaks_leaves_nobody_waiting() {
    let house = TestLedger::open().await;
    let account = house.account(1, "100").await;
    let (credit, mut writer) = writer_on(&house, Breaks(sqlite(&house)));
    let hold = credit.hold(house.ask(account, "1")).await.unwrap();
    let queued = credit.hold(house.ask(account, "1")).await.unwrap();
    let breaking = HoldRequest { model: "break".to_owned(), ..house.ask(account, "1") };
    let (settled, refused) = tokio::join!(credit.settle(hold, settlement("1")), credit.hold(breaking));
    assert!(matches!(settled, Err(SettleFailed::Unknown)), "written, and nobody can say so: {settled:?}");
    assert_eq!(refused.unwrap_err(), HoldRefused::Unavailable);
    assert!(writer.join_next().await.unwrap().unwrap_err().is_panic());
    assert!(matches!(credit.settle(queued, settlement("1")).await, Err(SettleFailed::Unavailable)));
    assert_eq!(credit.hold(house.ask(account, "1")).await.unwrap_err(), HoldRefused::Unavailable);
    assert_eq!(house.money(account).await.0, usd("99"));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_batch_is_written_when_each_of_its_rows_is() {
    use crate::backend::{NewHold, NewReceipt};
    use crate::hold_ending::HoldEnding;

    let house = TestLedger::open().await;
    let account = house.account(1, "100").await;
    let kept = house.ask(account, "1");
    let _open = house.credit.hold(kept.clone()).await.unwrap();
    let hold = house.hold(account, "1").await;
    let (ended, resolved) = (hold.id(), hold.request());
    house.credit.release(hold, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    let ending = HoldEnding::release(SettlementRule::NotSent);
    let other = HoldEnding::release(SettlementRule::Crashed);
    let mut ledger = sqlite(&house);
    let mut written = async |holds: &[(i64, &HoldRequest)], receipts: &[&HoldEnding]| {
        let hold = |&(id, ask)| {
            let (id, price_id) = (tollgate_base::HoldId(id), price().id());
            NewHold { id, price_id, amount: usd("1"), ask, rider: &[], counted: None, pooled: Vec::new() }
        };
        let receipt = |&ending| {
            let (charged, shortfall) = (Usd::ZERO, Usd::ZERO);
            NewReceipt { hold: ended, request: Some(resolved), charged, shortfall, ending }
        };
        let holds = holds.iter().map(hold).collect();
        let receipts = receipts.iter().map(receipt).collect();
        let plan = BatchPlan { epoch: 1, now_ms: START_MS, holds, receipts, ..BatchPlan::default() };
        ledger.is_written(&plan).await.map_err(|trouble| trouble.fault)
    };
    assert_eq!(written(&[(1, &kept)], &[&ending]).await, Ok(true));
    assert_eq!(written(&[], &[&other]).await, Ok(false), "the end that another server gave it");
    assert_eq!(written(&[(7, &kept)], &[&other]).await, Ok(false));
    assert_eq!(written(&[(1, &kept)], &[&other]).await, Err(ErrorClass::Lost), "no batch is written in parts");
    assert_eq!(written(&[(1, &kept), (7, &kept)], &[&ending]).await, Err(ErrorClass::Lost));
}

fn settlement_of(upstream: String) -> Settlement {
    let delivery = UpstreamDelivery { upstream: Some(upstream), ..UpstreamDelivery::default() };
    Settlement { delivery, ..settlement("1") }
}

/// Carries its batch out, and then breaks when there is a hold for the model `break` in it.
#[derive(Debug)]
struct Breaks(SqliteLedger);

impl LedgerBackend for Breaks {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        self.0.begin(touched).await
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        self.0.carry_out(plan).await?;
        assert!(plan.holds.iter().all(|hold| hold.ask.model != "break"), "it breaks, as it was told");
        Ok(())
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        self.0.roll_back(after).await;
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        self.0.is_written(plan).await
    }
}

/// The real ledger on a disk that takes its time to sync.
#[derive(Debug)]
struct Slow(SqliteLedger);

const SYNC: Duration = Duration::from_millis(20);

impl LedgerBackend for Slow {
    async fn begin(&mut self, touched: &Touched) -> Result<LoadedRows, BackendError> {
        self.0.begin(touched).await
    }

    async fn carry_out(&mut self, plan: &BatchPlan<'_>) -> Result<(), BackendError> {
        self.0.carry_out(plan).await?;
        // The ledger blocks its thread, as a disk does.
        std::thread::sleep(SYNC);
        Ok(())
    }

    async fn roll_back(&mut self, after: Option<ErrorClass>) {
        self.0.roll_back(after).await;
    }

    async fn is_written(&mut self, plan: &BatchPlan<'_>) -> Result<bool, BackendError> {
        self.0.is_written(plan).await
    }
}

/// One after the other, a thousand commits would take twenty seconds.
#[tokio::test]
async fn a_disk_that_syncs_slowly_makes_batches_larger_and_fails_nobody() {
    let house = TestLedger::open().await;
    let account = house.account(1, "1000").await;
    let (credit, _writer) = writer_on(&house, Slow(sqlite(&house)));
    let began = tokio::time::Instant::now();
    let pair = async || {
        let hold = credit.hold(house.ask(account, "1")).await.unwrap();
        credit.settle(hold, settlement("1")).await.unwrap().charged
    };
    let charged = futures_util::future::join_all((0..500).map(|_| pair())).await;
    assert!(charged.into_iter().all(|charged| charged == usd("1")));
    let (batches, took) = (credit.stats.batches.load(Ordering::Relaxed), began.elapsed());
    assert!(batches < 50, "{batches} batches for a thousand operations");
    assert!(took < SYNC * 1_000 * 3 / 4, "one after the other, or nearly so: {took:?}");
    assert_eq!(house.money(account).await, (usd("500"), Usd::ZERO));
    house.assert_clean().await;
}
