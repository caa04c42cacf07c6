//! Receipts by months, on a database server: written over a month's turn, put away, and never let happen again what was.

use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::durable_holds::moves;
use super::*;
use tollgate_base::YearMonth;
use tollgate_store::CommitSide;
use tollgate_store::testing::{ENDS_AT, unpacked};

/// The month of the first receipts.
const DECEMBER: &str = "2026-12";
/// The first millisecond of January, in which all these tests begin.
const JANUARY_MS: i64 = MONTH.0;
const DAY_MS: i64 = 86_400_000;

impl TestLedger {
    /// On a server, in the last minute of December, with the partitions of months made.
    async fn at_a_months_turn() -> Self {
        let (clock, hand) = Clock::manual(JANUARY_MS - 60_000);
        let made = temporary_on(On::Server, &clock).await;
        let house = Self::on(made, clock, hand).await;
        house.credit.make_months().await.unwrap();
        house
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn archive(&self, text: &str, name: &str) -> Result<ArchivedMonth, ArchiveRefused> {
        self.credit.archive(month(text), &self.file(name), false).await
    }

    /// The number of receipts in the ledger, and in the table of a month.
    async fn receipts(&self, table: &str) -> (i64, i64) {
        let count = async |of: &str| raw::number(&self.store, &format!("SELECT count(*) FROM {of}")).await;
        (count("receipts").await, count(table).await)
    }
}

fn month(text: &str) -> YearMonth {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_month_that_is_put_away_is_in_the_file_and_the_books_still_add_up() {
    let house = TestLedger::at_a_months_turn().await;
    let account = house.account(1, "10").await;
    for _ in 0..3 {
        house.spend(account, "0.5").await;
    }
    let asked = house.ask(account, "1");
    let (old, over) = (asked.request, house.credit.hold(asked).await.unwrap());
    drop(house.hold(account, "0.2").await);
    // The one beside the dropped one.
    while raw::number(&house.store, "SELECT count(*) FROM holds").await > 1 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    house.hand.advance_ms(120_000);
    // Held in December and settled in January.
    house.credit.settle(over, settlement("1")).await.unwrap();
    house.spend(account, "0.25").await;
    assert_eq!(house.receipts("receipts_2026_12").await, (6, 4));
    let (money, before) = (house.money(account).await, house.credit.audit().await.unwrap());
    house.hand.advance_ms(DAY_MS);
    let archived = house.archive(DECEMBER, "archive.csv.gz").await.unwrap();
    assert_eq!((archived.receipts, archived.table.as_deref()), (4, Some("archived_receipts_2026_12")));
    let (comment, csv) = unpacked(&house.file("archive.csv.gz"));
    assert_eq!(csv.lines().count(), 5, "a head and four receipts: {csv}");
    assert!(csv.starts_with("id,hold_id,account_id,key_id,request_id,held,"), "{csv}");
    assert_eq!(archived.sha256, data_encoding::HEXLOWER.encode(&Sha256::digest(&csv)));
    assert!(comment.contains(DECEMBER) && comment.ends_with(&archived.seal.1), "{comment}");
    assert_eq!(house.receipts("archived_receipts_2026_12").await, (2, 4), "the table is beside the ledger");
    let after = house.credit.audit().await.unwrap();
    assert!(after.is_clean(), "{after}");
    assert_eq!((after.totals, after.house), (before.totals, before.house));
    assert_eq!(house.money(account).await, money);
    assert_eq!(house.credit.receipt(account, old).await.unwrap().unwrap().held, usd("1"), "it ended in January");
    let report = house.credit.verify_seals(None).await.unwrap();
    assert_eq!((report.broken, report.unsealed), (None, 1), "the chain is whole; the line of the audit log is new");
    assert_eq!(raw::number(&house.store, "SELECT count(*) FROM audit_log WHERE action = 'ledger.archive'").await, 1);
    // And it goes on.
    house.spend(account, "0.25").await;
    house.assert_clean().await;
}

#[tokio::test]
async fn nothing_that_was_happens_again_over_a_months_turn_or_when_it_is_away() {
    let house = TestLedger::at_a_months_turn().await;
    let account = house.account(1, "10").await;
    let ask = house.ask(account, "1");
    let hold = house.credit.hold(ask.clone()).await.unwrap();
    house.credit.settle(hold, settlement("1")).await.unwrap();
    let kept = house.keep_task(account).await.unwrap();
    house.credit.settle_durable(kept, settlement("0.3"), moves("queued", "completed")).await.unwrap();
    let grant = GrantRequest { account, amount: usd("10"), idem: "open 1", actor: "test".into(), note: "" };
    let repeat = async || {
        assert!(house.credit.grant(grant).await.unwrap().repeated);
        let again = house.credit.settle_durable(kept, settlement("0.3"), moves("queued", "completed")).await;
        assert_eq!(again, Err(DurableEndFailed::Ended));
        let given_back = house.credit.release_durable(
            kept,
            SettlementRule::NothingDelivered,
            UpstreamDelivery::default(),
            moves("queued", "failed"),
        );
        assert_eq!(given_back.await, Err(DurableEndFailed::Ended));
        assert_eq!(house.money(account).await, (usd("8.7"), usd("0")));
    };
    house.hand.advance_ms(120_000);
    let mut again = ask.clone();
    again.expires_at_ms = house.clock.now_ms() + 60_000;
    assert_eq!(house.credit.hold(again).await.unwrap_err(), HoldRefused::Duplicate, "over the turn");
    repeat().await;
    house.hand.advance_ms(DAY_MS);
    // Once with the table beside the ledger, and once without it.
    house.archive(DECEMBER, "archive.csv.gz").await.unwrap();
    repeat().await;
    let most = raw::number(&house.store, "SELECT max(hold_id) FROM archived_receipts_2026_12").await;
    raw::run(&house.store, "DROP TABLE archived_receipts_2026_12").await.unwrap();
    repeat().await;
    // The number of a hold is given once, and the id of a request is made of its time.
    let next = house.hold(account, "1").await;
    assert!(next.id().0 > most, "{next:?} {most}");
    assert!(next.request().as_str() > ask.request.as_str(), "{next:?} {}", ask.request);
    drop(next);
    house.holds_nothing(account).await;
    assert_eq!(house.money(account).await, (usd("8.7"), usd("0")));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_month_goes_when_it_is_over_and_sealed_once_and_in_its_order() {
    let house = TestLedger::at_a_months_turn().await;
    let account = house.account(1, "10").await;
    house.spend(account, "0.5").await;
    house.hand.advance_ms(120_000);
    let refused = house.archive(DECEMBER, "a").await.unwrap_err();
    assert_eq!(refused.to_string(), "2026-12 can be archived from 2027-01-02T00:00:00Z on, a day after its end");
    house.hand.advance_ms(DAY_MS);
    house.spend(account, "0.5").await;
    house.hand.advance_ms(40 * DAY_MS);
    let refused = async |text: &str, name: &str| house.archive(text, name).await.unwrap_err().to_string();
    assert_eq!(
        refused("2027-01", "a").await,
        "receipts of 2026-12 are still in the ledger: archive the months in their order"
    );
    assert_eq!(refused("2026-11", "a").await, "there are no receipts of 2026-11");
    std::fs::write(house.file("taken"), "mine").unwrap();
    assert!(refused(DECEMBER, "taken").await.starts_with("failed to write "));
    assert!(refused(DECEMBER, "no/such/folder").await.starts_with("failed to write "));
    assert_eq!(std::fs::read_to_string(house.file("taken")).unwrap(), "mine");
    house.archive(DECEMBER, "a").await.unwrap();
    assert_eq!(refused(DECEMBER, "b").await, "2026-12 is archived already");
    house.archive("2027-01", "b").await.unwrap();
    let left: Vec<_> = std::fs::read_dir(house.folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".part")), "{left:?}");
    house.assert_clean().await;
}

/// A receipt in an archived month, from a server whose clock is far behind, stays in the ledger. It holds no later month back.
#[tokio::test]
async fn a_receipt_that_comes_late_to_an_archived_month_ends_nothing() {
    let house = TestLedger::at_a_months_turn().await;
    let account = house.account(1, "10").await;
    house.spend(account, "0.5").await;
    house.hand.advance_ms(120_000);
    house.spend(account, "0.5").await;
    house.hand.advance_ms(40 * DAY_MS);
    house.archive(DECEMBER, "december").await.unwrap();
    house.hand.advance_ms(-41 * DAY_MS);
    house.spend(account, "0.5").await;
    house.credit.make_months().await.unwrap();
    assert_eq!(house.receipts("receipts_other").await, (2, 1));
    house.hand.advance_ms(42 * DAY_MS);
    house.archive("2027-01", "january").await.unwrap();
    assert_eq!(house.receipts("receipts_other").await, (1, 1));
    house.assert_clean().await;
}

#[tokio::test]
async fn a_ledger_in_a_file_keeps_its_months() {
    let house = TestLedger::open().await;
    house.credit.make_months().await.unwrap();
    let refused = house.archive(DECEMBER, "a").await.unwrap_err();
    assert!(matches!(refused, ArchiveRefused::OnFile), "{refused}");
}

/// A server whose clock is far off writes to the default partition, and what it wrote is in its month once that has a partition.
#[tokio::test]
async fn receipts_of_a_month_without_a_partition_get_it_later() {
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "10").await;
    house.spend(account, "0.5").await;
    assert_eq!(house.receipts("receipts_other").await, (1, 1));
    house.credit.make_months().await.unwrap();
    assert_eq!(house.receipts("receipts_other").await, (1, 0));
    assert_eq!(house.receipts("receipts_2027_01").await, (1, 1));
    for place in ["receipts_other", "receipts_2027_01"] {
        for act in ["DELETE FROM", "TRUNCATE"] {
            let refused = raw::run(&house.store, &format!("{act} {place}")).await.unwrap_err();
            assert!(refused.contains("append-only"), "{refused}");
        }
    }
    house.spend(account, "0.5").await;
    assert_eq!(house.receipts("receipts_2027_01").await, (2, 2));
    house.assert_clean().await;
    raw::run(&house.store, "DROP TRIGGER receipts_through_table ON receipts_2027_01").await.unwrap();
    let report = house.credit.audit().await.unwrap();
    assert_eq!(report.differences, [AuditDifference::SchemaAltered], "{report}");
}

/// Writers wait a moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_is_put_away_beside_servers_that_charge() {
    let house = std::sync::Arc::new(TestLedger::at_a_months_turn().await);
    let account = house.account(1, "1000").await;
    for _ in 0..20 {
        house.spend(account, "0.5").await;
    }
    house.hand.advance_ms(120_000 + DAY_MS);
    let mut busy = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let house = house.clone();
        busy.spawn(async move {
            for _ in 0..100 {
                house.spend(account, "0.5").await;
            }
        });
    }
    let archived = house.archive(DECEMBER, "archive.csv.gz").await.unwrap();
    busy.join_all().await;
    assert_eq!(archived.receipts, 20);
    assert_eq!(house.money(account).await, (usd("790"), usd("0")));
    house.assert_clean().await;
}

#[tokio::test]
async fn who_reads_all_the_time_is_told_and_nothing_changes() {
    let house = TestLedger::at_a_months_turn().await;
    let account = house.account(1, "10").await;
    house.spend(account, "0.5").await;
    house.hand.advance_ms(120_000 + DAY_MS);
    let mut reader = raw::RawSession::open(&house.store).await;
    reader.run("BEGIN; LOCK TABLE receipts IN ACCESS SHARE MODE").await.unwrap();
    let refused = house.credit.archive_within(2, month(DECEMBER), &house.file("a"), false).await.unwrap_err();
    assert!(matches!(refused, ArchiveRefused::InUse), "{refused}");
    assert!(!house.file("a").exists() && !house.file("a.part").exists());
    house.assert_clean().await;
    reader.run("ROLLBACK").await.unwrap();
    house.archive(DECEMBER, "a").await.unwrap();
    house.assert_clean().await;
}

#[tokio::test]
async fn a_process_may_end_beside_the_commit_of_a_partition() {
    for side in [CommitSide::Before, CommitSide::After] {
        let house = TestLedger::open_on(On::Server).await;
        let account = house.account(1, "10").await;
        house.spend(account, "0.5").await;
        assert!(ENDS_AT.scope(side, house.credit.make_months()).await.is_err());
        house.credit.make_months().await.unwrap();
        assert_eq!(house.receipts("receipts_2027_01").await, (1, 1), "{side:?}");
        assert_eq!(raw::number(&house.store, "SELECT count(*) FROM receipts_2027_03").await, 0, "{side:?}");
        house.assert_clean().await;
    }
}

/// The process ends before or after the month is out: it is in the ledger or in the file, and never in neither.
#[tokio::test]
async fn a_process_may_end_beside_the_commit_of_a_month() {
    for side in [CommitSide::Before, CommitSide::After] {
        let house = TestLedger::at_a_months_turn().await;
        let account = house.account(1, "10").await;
        house.spend(account, "0.5").await;
        house.hand.advance_ms(120_000 + DAY_MS);
        while house.credit.seal().await.unwrap().is_some() {}
        assert!(ENDS_AT.scope(side, house.archive(DECEMBER, "a")).await.is_err());
        let table = if side == CommitSide::Before { "receipts_2026_12" } else { "archived_receipts_2026_12" };
        let there = house.receipts(table).await;
        assert_eq!(there, (i64::from(side == CommitSide::Before), 1), "{side:?}");
        assert_eq!(unpacked(&house.file("a")).1.lines().count(), 2, "{side:?}");
        house.assert_clean().await;
    }
}
