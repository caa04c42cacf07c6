//! What the writer does when the database refuses, is busy, or cannot be believed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::fake::{Commit, Fake, FakeLedger, POISON};
use super::*;
use crate::batch::BatchRunner;
use crate::hold::{ResolveHold, WriterOperation};
use crate::hold_ending::HoldEnding;
use crate::patience::PATIENCE;
use crate::queue::{HOLDS_WAITING_MAX, queues};
use crate::writer::LedgerWriter;
use tollgate_store::ErrorClass;

struct Shaky {
    credit: Ledger,
    fake: Fake,
    writer: JoinSet<WriterEnd>,
    house: TestLedger,
    closing: CancellationToken,
}

/// The log of a thread, as lines.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn subscriber(self) -> impl tracing::Subscriber + Send + Sync {
        tracing_subscriber::fmt().json().with_writer(move || self.clone()).finish()
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

async fn shaky() -> Shaky {
    let house = TestLedger::open().await;
    let fake = Fake::default();
    let closing = CancellationToken::new();
    let (queue, intake) = queues(closing.clone());
    let credit = Ledger::new(house.credit.books.clone(), queue.clone(), 1);
    let (clock, stats) = (house.clock.clone(), credit.stats.clone());
    let ledger = FakeLedger(fake.clone());
    let batcher = BatchRunner { ledger, clock, epoch: 1, stats, queue, disk_troubles: 0, locked: BTreeSet::new() };
    let mut writer = JoinSet::new();
    writer.spawn(LedgerWriter { batcher, intake }.run());
    Shaky { credit, fake, writer, house, closing }
}

impl Shaky {
    fn ask(&self) -> HoldRequest {
        HoldRequest { want: Usd::from_nanos(1), least: Usd::from_nanos(1), ..self.house.ask(AccountId(1), "0") }
    }

    async fn hold(&self) -> Hold {
        self.credit.hold(self.ask()).await.unwrap()
    }

    fn open(&self) -> usize {
        self.fake.edit(|script| script.holds.iter().filter(|hold| hold.1).count())
    }

    fn charged(&self) -> Vec<i64> {
        self.fake.edit(|script| script.charged.clone())
    }

    async fn until_none_is_open(&self) {
        while self.open() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn a_hold_that_the_database_refuses_is_refused_alone() {
    let shaky = shaky().await;
    let asks =
        (0..33).map(|index| HoldRequest { model: if index == 20 { POISON } else { "m" }.to_owned(), ..shaky.ask() });
    let answers = join_all(asks.map(|ask| shaky.credit.hold(ask))).await;
    for (index, answer) in answers.iter().enumerate() {
        assert_eq!(answer.as_ref().err(), (index == 20).then_some(&HoldRefused::Unavailable));
    }
    assert_eq!(shaky.open(), 32);
}

#[tokio::test]
async fn a_settlement_that_the_database_refuses_becomes_a_release() {
    let shaky = shaky().await;
    let (bad, good) = (shaky.hold().await, shaky.hold().await);
    shaky.fake.edit(|script| script.poison.insert(bad.id().0));
    let (bad, good) =
        tokio::join!(shaky.credit.settle(bad, settlement("0")), shaky.credit.settle(good, settlement("0")));
    assert!(matches!(bad, Err(SettleFailed::Unavailable)));
    assert!(good.is_ok());
    shaky.until_none_is_open().await;
}

#[tokio::test]
async fn a_commit_that_failed_but_was_written_is_answered_as_done() {
    let shaky = shaky().await;
    for fault in [ErrorClass::Lost, ErrorClass::Passing] {
        shaky.fake.edit(|script| script.commits.push_back(Commit::FailsWritten(fault)));
        let hold = shaky.hold().await;
        shaky.fake.edit(|script| script.commits.push_back(Commit::FailsWritten(fault)));
        shaky.credit.settle(hold, settlement("0")).await.unwrap();
    }
    assert_eq!(
        shaky.fake.edit(|script| (script.holds.clone(), script.batches)),
        (vec![(1, false), (2, false)], 4),
        "each once"
    );
}

#[tokio::test]
async fn a_commit_that_failed_is_tried_again_for_endings_and_refused_for_holds() {
    let shaky = shaky().await;
    tokio::time::pause();
    let hold = shaky.hold().await;
    shaky
        .fake
        .edit(|script| script.commits.extend([Commit::Fails(ErrorClass::Lost), Commit::Fails(ErrorClass::Passing)]));
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    shaky.credit.settle(hold, settlement("0")).await.unwrap();
    assert_eq!(shaky.open(), 0);
    drop(shaky.hold().await);
}

#[tokio::test]
async fn a_settlement_that_cannot_be_written_for_long_is_late_and_never_given_up() {
    let shaky = shaky().await;
    tokio::time::pause();
    let hold = shaky.hold().await;
    let id = hold.id().0;
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Passing; 3_000]));
    let asked = tokio::time::Instant::now();
    assert!(matches!(shaky.credit.settle(hold, settlement("0")).await, Err(SettleFailed::Late)));
    assert!(is_patience(asked.elapsed()));
    shaky.until_none_is_open().await;
    assert!(asked.elapsed() > Duration::from_secs(290), "it was tried for minutes");
    assert_eq!(shaky.charged(), [id]);
}

#[tokio::test]
async fn a_failed_sync_stops_the_writer_for_good() {
    let mut shaky = shaky().await;
    let hold = shaky.hold().await;
    shaky.fake.edit(|script| script.commits.push_back(Commit::FailsWritten(ErrorClass::Disk)));
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    assert_eq!(shaky.writer.join_next().await.unwrap().unwrap(), WriterEnd::DiskFault);
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    assert!(matches!(shaky.credit.settle(hold, settlement("0")).await, Err(SettleFailed::Unavailable)));
}

#[tokio::test]
async fn a_commit_of_which_nobody_knows_stops_the_writer() {
    let mut shaky = shaky().await;
    shaky.fake.edit(|script| {
        script.blind = true;
        script.commits.push_back(Commit::FailsWritten(ErrorClass::Lost));
    });
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    assert_eq!(shaky.writer.join_next().await.unwrap().unwrap(), WriterEnd::DiskFault);
}

/// It may have been charged: whoever undoes something for it would undo what was paid for.
#[tokio::test]
async fn a_settlement_of_which_nobody_knows_is_not_called_undone() {
    for fault in [ErrorClass::Lost, ErrorClass::Disk] {
        let mut shaky = shaky().await;
        let (hold, queued) = (shaky.hold().await, shaky.hold().await);
        shaky.fake.edit(|script| {
            script.blind = true;
            script.commits.push_back(Commit::FailsWritten(fault));
        });
        let told = shaky.credit.settle(hold, settlement("0")).await;
        assert!(matches!(told, Err(SettleFailed::Unknown)), "{fault:?}: {told:?}");
        assert_eq!(shaky.writer.join_next().await.unwrap().unwrap(), WriterEnd::DiskFault);
        let told = shaky.credit.settle(queued, settlement("0")).await;
        assert!(matches!(told, Err(SettleFailed::Unavailable)), "never tried: {told:?}");
        assert_eq!(shaky.open(), 1, "the first was written after all");
    }
}

#[tokio::test]
async fn a_disk_that_fails_a_few_reads_is_tried_again_and_then_given_up() {
    let mut shaky = shaky().await;
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Disk; 3]));
    for _ in 0..3 {
        assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    }
    let hold = shaky.hold().await;
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Disk; 4]));
    assert!(matches!(shaky.credit.settle(hold, settlement("0")).await, Err(SettleFailed::Unavailable)));
    assert_eq!(shaky.writer.join_next().await.unwrap().unwrap(), WriterEnd::DiskFault);
}

#[tokio::test]
async fn a_full_queue_refuses_holds_after_a_moment_and_endings_never() {
    let shaky = shaky().await;
    tokio::time::pause();
    let hold = shaky.hold().await;
    shaky.fake.edit(|script| script.stuck = true);
    // One batch is taken out by the writer and gets stuck; the queue fills up behind it.
    let mut waiting = Box::pin(join_all((0..HOLDS_WAITING_MAX + 600).map(|_| shaky.credit.hold(shaky.ask()))));
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    tokio::task::yield_now().await;
    drop(futures_util::poll!(waiting.as_mut()));
    let began = tokio::time::Instant::now();
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::QueueFull);
    assert!((250..255).contains(&began.elapsed().as_millis()), "{:?}", began.elapsed());
    let mut ending = Box::pin(shaky.credit.settle(hold, settlement("0")));
    assert!(futures_util::poll!(ending.as_mut()).is_pending(), "taken, and waiting for its batch");
}

#[tokio::test]
async fn a_store_that_hangs_is_not_waited_for_without_end() {
    let shaky = shaky().await;
    shaky.fake.edit(|script| script.stuck = true);
    tokio::time::pause();
    let asked = tokio::time::Instant::now();
    assert_eq!(shaky.credit.hold(shaky.ask()).await.unwrap_err(), HoldRefused::Unavailable);
    assert!(is_patience(asked.elapsed()));
}

/// The writer is at work on it, or will be: nobody else ends the hold meanwhile, and it is charged when the store goes on.
#[tokio::test]
async fn a_settlement_is_not_waited_for_without_end_and_done_all_the_same() {
    let shaky = shaky().await;
    let (settled, released) = (shaky.hold().await, shaky.hold().await);
    let ids = [settled.id(), released.id()];
    shaky.fake.edit(|script| script.stuck = true);
    tokio::time::pause();
    let asked = tokio::time::Instant::now();
    let (settled, released) = tokio::join!(
        shaky.credit.settle(settled, settlement("0")),
        shaky.credit.release(released, SettlementRule::NotSent, UpstreamDelivery::default()),
    );
    assert!(is_patience(asked.elapsed()));
    assert!(matches!(settled, Err(SettleFailed::Late)) && matches!(released, Err(SettleFailed::Late)));
    assert_eq!((shaky.open(), shaky.charged()), (2, Vec::new()));
    shaky.fake.go_on();
    shaky.until_none_is_open().await;
    assert_eq!(shaky.charged(), [ids[0].0]);
}

/// A batch that is tried in halves: what waits for another try is not overtaken by what was queued behind it.
#[tokio::test]
async fn a_sweep_does_not_overtake_the_settlement_before_it() {
    let shaky = shaky().await;
    tokio::time::pause();
    let (first, filling) = (shaky.hold().await, shaky.hold().await);
    let (id, account) = (first.id(), first.account());
    // A batch to wait behind, so that all that follows is the next one.
    shaky.fake.edit(|script| script.stuck = true);
    let mut ahead = Box::pin(shaky.credit.hold(shaky.ask()));
    assert!(futures_util::poll!(ahead.as_mut()).is_pending());
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    let mut settled = Box::pin(shaky.credit.settle(first, settlement("0")));
    assert!(futures_util::poll!(settled.as_mut()).is_pending());
    drop(filling);
    let ending = HoldEnding { if_expired: true, ..HoldEnding::release(SettlementRule::NotRecorded) };
    let (answer, swept) = tokio::sync::oneshot::channel();
    let sweep = ResolveHold::new(id, account, ending, Some(answer));
    shaky.credit.queue.ends.send(WriterOperation::Resolve(sweep)).unwrap();
    let poison = HoldRequest { model: POISON.to_owned(), ..shaky.ask() };
    let mut poison = Box::pin(shaky.credit.hold(poison));
    assert!(futures_util::poll!(poison.as_mut()).is_pending());
    // The batch ahead is written; of the next, the first half is not.
    shaky.fake.edit(|script| {
        script.expired = true;
        script.commits.extend([Commit::Works, Commit::Fails(ErrorClass::Passing)]);
    });
    shaky.fake.go_on();
    drop(ahead.await.unwrap());
    settled.await.unwrap();
    assert!(matches!(swept.await.unwrap(), Err(SettleFailed::AlreadyResolved)));
    assert_eq!(poison.await.unwrap_err(), HoldRefused::Unavailable);
    assert_eq!(shaky.charged(), [id.0]);
    shaky.until_none_is_open().await;
}

/// The store comes back too late: what is left is told to whoever waits, and rung for where nobody does any more.
#[tokio::test]
async fn what_the_store_never_took_is_left_and_said() {
    let shaky = shaky().await;
    let log = Log::default();
    let _logging = tracing::subscriber::set_default(log.clone().subscriber());
    tokio::time::pause();
    let (late, waiting) = (shaky.hold().await, shaky.hold().await);
    let late_id = late.id();
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Passing; 1_000]));
    assert!(matches!(shaky.credit.settle(late, settlement("0.5")).await, Err(SettleFailed::Late)));
    shaky.closing.cancel();
    // Asked at the last moment.
    let mut told = Box::pin(shaky.credit.settle(waiting, settlement("0.25")));
    assert!(futures_util::poll!(told.as_mut()).is_pending());
    let Shaky { mut writer, fake, .. } = shaky;
    assert_eq!(writer.join_next().await.unwrap().unwrap(), WriterEnd::Undrained);
    // Its answer is there before it looks at the time.
    assert!(matches!(told.await, Err(SettleFailed::Unavailable)));
    assert_eq!(fake.edit(|script| script.charged.clone()), [0_i64; 0]);
    let text = log.text();
    let rung: Vec<_> = text.lines().filter(|line| line.contains("\"alarm\":\"unbooked\"")).collect();
    assert_eq!(rung.len(), 1, "{rung:?}");
    assert!(
        rung[0].contains(&format!("\"hold\":\"{late_id}\"")) && rung[0].contains("\"cost_usd\":\"0.5\""),
        "{}",
        rung[0]
    );
}

/// A video that is over while the store is away: whoever watches it ends its hold again, so nothing is lost and nobody is woken.
#[tokio::test]
async fn a_kept_hold_that_cannot_be_ended_yet_rings_for_nobody() {
    let shaky = shaky().await;
    let log = Log::default();
    let _logging = tracing::subscriber::set_default(log.clone().subscriber());
    tokio::time::pause();
    let rider = || vec![Statement { sql: "SELECT 1", values: Vec::new() }];
    let hold = shaky.credit.hold_durable(shaky.ask(), rider()).await.unwrap();
    let end = async || shaky.credit.settle_durable(hold, settlement("0.5"), rider()).await;
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Passing; 10_000]));
    for attempt in 0..3 {
        assert_eq!(end().await, Err(DurableEndFailed::Unknown), "{attempt}");
        // It is tried once more, and found to be older than anybody's patience.
        tokio::time::sleep(PATIENCE).await;
    }
    assert!(!log.text().contains("unbooked"), "{}", log.text());
    shaky.fake.edit(|script| script.begins.clear());
    end().await.unwrap();
    assert_eq!((shaky.charged(), shaky.open()), (vec![hold.id.0], 0));

    // Nor at the end of the server: the next one watches it.
    let other = shaky.credit.hold_durable(shaky.ask(), rider()).await.unwrap();
    shaky.fake.edit(|script| script.begins.extend([ErrorClass::Passing; 1_000]));
    let mut left = Box::pin(shaky.credit.settle_durable(other, settlement("0.5"), rider()));
    assert!(futures_util::poll!(left.as_mut()).is_pending());
    drop(left);
    shaky.closing.cancel();
    let Shaky { mut writer, fake, .. } = shaky;
    assert_eq!(writer.join_next().await.unwrap().unwrap(), WriterEnd::Drained);
    assert_eq!(fake.edit(|script| script.charged.clone()), [hold.id.0]);
    assert!(!log.text().contains("unbooked"), "{}", log.text());
}

/// However slowly each try fails, and however much waits behind them.
#[tokio::test]
async fn a_writer_that_is_to_stop_while_nothing_can_be_written_stops_in_seconds() {
    let shaky = shaky().await;
    tokio::time::pause();
    let holds: Vec<_> = join_all((0..tollgate_api::generated::limits::LEDGER_BATCH).map(|_| shaky.hold())).await;
    shaky.fake.edit(|script| {
        script.begins.extend([ErrorClass::Passing; 10_000]);
        script.slow = Duration::from_secs(4);
    });
    // A whole batch of endings, and a hold for which there is no room in it.
    drop(holds);
    let mut behind = Box::pin(shaky.credit.hold(shaky.ask()));
    assert!(futures_util::poll!(behind.as_mut()).is_pending());
    let asked = tokio::time::Instant::now();
    shaky.closing.cancel();
    let Shaky { mut writer, .. } = shaky;
    assert_eq!(writer.join_next().await.unwrap().unwrap(), WriterEnd::Undrained);
    assert!(asked.elapsed() < Duration::from_secs(17), "{:?}", asked.elapsed());
    assert_eq!(behind.await.unwrap_err(), HoldRefused::Unavailable);
}

/// Its answer has gone out, and then a rule of the database refuses the charge.
#[tokio::test]
async fn a_late_settlement_that_the_database_refuses_rings() {
    let shaky = shaky().await;
    let log = Log::default();
    let _logging = tracing::subscriber::set_default(log.clone().subscriber());
    tokio::time::pause();
    let hold = shaky.hold().await;
    let id = hold.id();
    shaky.fake.edit(|script| {
        script.poison.insert(id.0);
        script.begins.extend([ErrorClass::Passing; 60]);
    });
    assert!(matches!(shaky.credit.settle(hold, settlement("0.5")).await, Err(SettleFailed::Late)));
    assert!(!log.text().contains("unbooked"), "it may still be written");
    shaky.until_none_is_open().await;
    assert_eq!((shaky.charged(), log.text().matches("\"alarm\":\"unbooked\"").count()), (Vec::new(), 1));
}

#[tokio::test]
async fn a_hold_that_nobody_waits_for_any_more_is_not_taken() {
    let shaky = shaky().await;
    shaky.fake.edit(|script| script.stuck = true);
    let mut ahead = Box::pin(shaky.credit.hold(shaky.ask()));
    assert!(futures_util::poll!(ahead.as_mut()).is_pending());
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    for _ in 0..5 {
        let mut left = Box::pin(shaky.credit.hold(shaky.ask()));
        assert!(futures_util::poll!(left.as_mut()).is_pending());
    }
    shaky.fake.go_on();
    let (first, second) = (ahead.await.unwrap(), shaky.hold().await);
    assert_eq!(shaky.fake.edit(|script| script.holds.clone()), [(first.id().0, true), (second.id().0, true)]);
}

fn is_patience(waited: Duration) -> bool {
    (PATIENCE..PATIENCE + Duration::from_millis(500)).contains(&waited)
}
