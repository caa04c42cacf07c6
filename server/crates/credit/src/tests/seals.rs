//! The chain of seals: made beside a busy writer, and broken by whoever alters what it covers.

use std::sync::Arc;

use super::*;
use crate::patience::PATIENCE;

impl TestLedger {
    pub(super) async fn spend(&self, account: AccountId, cost: &str) {
        let hold = self.hold(account, cost).await;
        self.credit.settle(hold, settlement(cost)).await.unwrap();
    }

    /// Alters a table as the owner of the database might: rules away, the act, rules back.
    async fn tamper(&self, table: &str, act: &str) {
        let (off, on) = if raw::is_file(&self.store) {
            let text = |kind: &str| {
                format!(
                    "CREATE TRIGGER {table}_no_{kind} BEFORE {kind} ON {table} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;"
                )
            };
            (
                format!("DROP TRIGGER {table}_no_update; DROP TRIGGER {table}_no_delete;"),
                text("update") + &text("delete"),
            )
        } else {
            (format!("ALTER TABLE {table} DISABLE TRIGGER USER;"), format!("ALTER TABLE {table} ENABLE TRIGGER USER;"))
        };
        raw::run(&self.store, &format!("{off} {act}; {on}")).await.unwrap();
    }
}

async fn the_chain_grows_with_what_happens_and_names_its_head(on: On) {
    let house = TestLedger::open_on(on).await;
    assert_eq!(house.credit.seal().await.unwrap(), None, "nothing happened yet");
    let account = house.account(1, "10").await;
    let first = house.credit.seal().await.unwrap().unwrap();
    // A grant moves money and is in the audit log.
    assert_eq!((first.number, first.rows), (1, 2));
    assert_eq!(house.credit.seal().await.unwrap(), None, "nothing is sealed twice");
    for _ in 0..3 {
        house.spend(account, "0.1").await;
    }
    let report = house.credit.verify_seals(None).await.unwrap();
    assert_eq!((report.seals, report.unsealed, report.broken), (1, 3, None));
    let second = house.credit.seal().await.unwrap().unwrap();
    assert_eq!((second.number, second.rows), (2, 3));
    let report = house.credit.verify_seals(Some(&first.to_hex().to_ascii_uppercase())).await.unwrap();
    assert_eq!((report.seals, report.rows, report.unsealed, report.broken, report.told), (2, 5, 0, None, Some(1)));
    assert_eq!(report.head, Some(second));
    assert_eq!(house.credit.verify_seals(Some("00")).await.unwrap().told, None);
}

async fn whatever_was_sealed_cannot_be_altered_unseen(on: On) {
    for (table, act) in [
        ("transfers", "UPDATE transfers SET amount = amount + 1 WHERE kind = 'promo'"),
        ("transfers", "UPDATE transfers SET note = note || 'x' WHERE kind = 'promo'"),
        ("transfers", "DELETE FROM transfers WHERE kind = 'promo'"),
        ("receipts", "UPDATE receipts SET rule = 'counted'"),
        ("receipts", "UPDATE receipts SET cost = cost + 1"),
        ("receipts", "UPDATE receipts SET price_id = price_id + 1"),
        ("receipts", "UPDATE receipts SET tools = '[]'"),
        ("receipts", "DELETE FROM receipts"),
        ("receipts", "DELETE FROM receipts WHERE id = (SELECT min(id) FROM receipts)"),
        ("audit_log", "UPDATE audit_log SET actor = 'nobody'"),
        ("audit_log", "DELETE FROM audit_log"),
        (
            "audit_log",
            "INSERT INTO audit_log (id, at, actor, action, subject, detail) VALUES (0, 1, 'x', 'x', 'x', 'x')",
        ),
        ("seals", "UPDATE seals SET hash = (SELECT hash FROM seals WHERE number = 2) WHERE number = 1"),
        (
            "seals",
            "UPDATE seals SET receipts_hash = (SELECT receipts_hash FROM seals WHERE number = 2) WHERE number = 1",
        ),
        ("seals", "UPDATE seals SET transfers_upto = transfers_upto - 1 WHERE number = 2"),
        ("seals", "UPDATE seals SET receipts_upto = receipts_upto - 1 WHERE number = 2"),
        ("seals", "DELETE FROM seals WHERE number = 1"),
    ] {
        let house = TestLedger::open_on(on).await;
        let account = house.account(1, "10").await;
        house.spend(account, "0.1").await;
        let first = house.credit.seal().await.unwrap().unwrap();
        house.spend(account, "0.1").await;
        house.credit.seal().await.unwrap().unwrap();
        assert_eq!(house.credit.verify_seals(None).await.unwrap().broken, None);
        house.tamper(table, act).await;
        let report = house.credit.verify_seals(Some(&first.to_hex())).await.unwrap();
        assert!(report.broken.is_some(), "{act}");
    }
}

/// The entry of the log of changes about the month that [`raw::put_away`] takes.
const SAYS_ARCHIVED: &str = "INSERT INTO audit_log (at, actor, action, subject, detail) \
    VALUES (1, 'operator', 'ledger.archive', 'x', '0000000000000000000000000000000000000000000000000000000000000000')";

/// Receipts that were put away are taken for what was sealed of them, and nothing else that is sealed with them is. So they are where
/// the log of changes says so, as many as they were, and on a file never.
async fn receipts_that_were_put_away_leave_the_chain_whole(on: On) {
    for (table, act) in [
        ("transfers", "SELECT 1"),
        ("transfers", "UPDATE transfers SET note = note || 'x'"),
        ("audit_log", "UPDATE audit_log SET actor = 'nobody'"),
        ("seals", "UPDATE seals SET receipts_hash = hash WHERE number = 1"),
        ("seals", "UPDATE seals SET receipts_upto = receipts_upto - 1 WHERE number = 1"),
        ("archived_months", "UPDATE archived_months SET receipts = 1"),
        ("archived_months", "UPDATE archived_months SET receipts = 3"),
        ("audit_log", "DELETE FROM audit_log WHERE action = 'ledger.archive'"),
    ] {
        let house = TestLedger::open_on(on).await;
        let account = house.account(1, "10").await;
        house.spend(account, "0.1").await;
        let first = house.credit.seal().await.unwrap().unwrap();
        house.spend(account, "0.1").await;
        let second = house.credit.seal().await.unwrap().unwrap();
        raw::put_away(&house.store, MONTH, 0).await;
        raw::run(&house.store, SAYS_ARCHIVED).await.unwrap();
        house.tamper(table, act).await;
        let report = house.credit.verify_seals(Some(&first.to_hex())).await.unwrap();
        assert_eq!((report.seals, report.head), (2, Some(second)), "{act}");
        let is_whole = act == "SELECT 1" && on == On::Server;
        assert_eq!(report.broken, (!is_whole).then_some(1), "{act}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_make_one_chain_beside_busy_writers() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let houses = [Arc::new(first), Arc::new(second)];
    let account = houses[0].account(1, "1000").await;
    let mut busy = tokio::task::JoinSet::new();
    for house in houses.clone() {
        let sealing = house.clone();
        busy.spawn(async move {
            for _ in 0..40 {
                house.spend(account, "0.01").await;
            }
        });
        busy.spawn(async move {
            for _ in 0..10 {
                sealing.credit.seal().await.unwrap();
            }
        });
    }
    busy.join_all().await;
    houses[0].credit.seal().await.unwrap();
    let report = houses[1].credit.verify_seals(None).await.unwrap();
    assert_eq!((report.rows, report.unsealed, report.broken), (82, 0, None));
}

#[tokio::test]
async fn a_seal_waits_for_nobody_who_writes_for_long() {
    let house = TestLedger::open_on(On::Server).await;
    let account = house.account(1, "10").await;
    let mut slow = house.store.begin_reserved().await.unwrap();
    let entry = tollgate_store::AuditEntry::new(1, "x", "test", "x");
    tollgate_store::record(&mut slow, &entry).await.unwrap();
    assert_eq!(house.credit.seal().await.unwrap(), None, "later, then");
    let began = std::time::Instant::now();
    house.spend(account, "0.1").await;
    // Behind it nothing would be written before the rollback below, and whoever waits is told so after this.
    assert!(began.elapsed() < PATIENCE, "a batch does not wait behind it: {:?}", began.elapsed());
    slow.rollback().await.unwrap();
    assert!(house.credit.seal().await.unwrap().is_some());
}

#[tokio::test]
async fn one_server_seals_and_another_where_it_does_not() {
    let first = TestLedger::open_on(On::Server).await;
    let second = first.beside().await;
    let account = first.account(1, "10").await;
    let seal = async |house: &TestLedger| house.credit.seal_in_turn().await.unwrap().map(|seal| seal.number);
    assert_eq!([seal(&second).await, seal(&first).await, seal(&second).await], [None, Some(1), None]);
    first.spend(account, "0.1").await;
    assert_eq!(seal(&second).await, None, "it is the first one's turn");
    // For a minute it has not.
    first.hand.advance_ms(60_000);
    assert_eq!(seal(&second).await, Some(2));
    first.spend(account, "0.1").await;
    assert_eq!(first.worker.shutdown().await, WriterEnd::Drained);
    assert_eq!(seal(&second).await, Some(3), "it is alone");
}

async fn what_is_unsealed_grows_old(on: On) {
    let house = TestLedger::open_on(on).await;
    assert_eq!(house.credit.unsealed_ms().await.unwrap(), 0);
    let account = house.account(1, "10").await;
    house.hand.advance_ms(5_000);
    house.spend(account, "0.1").await;
    house.hand.advance_ms(2_000);
    assert_eq!(house.credit.unsealed_ms().await.unwrap(), 7_000, "by the oldest");
    house.credit.seal_in_turn().await.unwrap().unwrap();
    assert_eq!(house.credit.unsealed_ms().await.unwrap(), 0);
    house.spend(account, "0.1").await;
    house.hand.advance_ms(3_000);
    assert_eq!(house.credit.unsealed_ms().await.unwrap(), 3_000);
}

on_both!(
    what_is_unsealed_grows_old,
    the_chain_grows_with_what_happens_and_names_its_head,
    whatever_was_sealed_cannot_be_altered_unseen,
    receipts_that_were_put_away_leave_the_chain_whole,
);
