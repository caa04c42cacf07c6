//! Holds that are kept for a row of another room: both begin and end together, whatever happens in between.

use super::*;

const TASK: &str = "video_0123456789abcdef";
const OPEN: &str = "INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, \
        created_at, deadline_at) \
    VALUES ($3, $2, $1, 'queued', 'films', 4, 5, 0, 1000000, 'a cat', 1, 2)";
const NOTE: &str = "UPDATE video_task SET receipt_id = hold_id, error_code = $3, error_message = $3 WHERE task_id = $1 AND status = $2";
const MOVE: &str = "UPDATE video_task SET status = $2, rev = rev + 1 WHERE task_id = $1 AND status = $3";

impl TestLedger {
    /// A task of the account, held for.
    pub(super) async fn keep_task(&self, account: AccountId) -> Result<DurableHold, HoldRefused> {
        let values = vec![StatementValue::Hold, account.0.into(), TASK.into()];
        self.credit.hold_durable(self.ask(account, "0.4"), vec![Statement { sql: OPEN, values }]).await
    }

    async fn tasks_in(&self, status: &str) -> i64 {
        raw::number(&self.store, &format!("SELECT count(*) FROM video_task WHERE status = '{status}'")).await
    }
}

/// Moves the task out of `from`.
pub(super) fn moves(from: &str, to: &str) -> AttachedStatements {
    let note = vec![TASK.into(), from.into(), "why".into()];
    let step = vec![TASK.into(), to.into(), from.into()];
    vec![Statement { sql: NOTE, values: note }, Statement { sql: MOVE, values: step }]
}

async fn a_kept_hold_outlives_its_process_and_its_time_and_is_charged_once_with_its_row(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let kept = house.keep_task(account).await.unwrap();
    let house = house.crash().await;
    house.hand.advance_ms(100_000_000);
    assert_eq!(house.credit.sweep().await.unwrap(), 0);
    assert_eq!(house.money(account).await, (usd("1"), usd("0.4")));

    let early = house.credit.settle_durable(kept, settlement("0.3"), moves("in_progress", "completed")).await;
    assert_eq!(early, Err(DurableEndFailed::Ended), "the row is not where the move begins");
    let wrong = house.credit.settle_durable(kept, settlement("0.3"), moves("queued", "failed")).await;
    assert_eq!(wrong, Err(DurableEndFailed::Ended), "a charge belongs to a task that is completed");
    let wrong = house
        .credit
        .release_durable(
            kept,
            SettlementRule::NothingDelivered,
            UpstreamDelivery::default(),
            moves("queued", "completed"),
        )
        .await;
    assert_eq!(wrong, Err(DurableEndFailed::Ended), "a completed task is charged");
    assert_eq!(house.money(account).await, (usd("1"), usd("0.4")));
    assert_eq!(house.tasks_in("queued").await, 1);

    let settled = house.credit.settle_durable(kept, settlement("0.3"), moves("queued", "completed")).await.unwrap();
    assert_eq!(settled, SettledAmounts { charged: usd("0.3"), shortfall: Usd::ZERO });
    let again = house.credit.settle_durable(kept, settlement("0.3"), moves("queued", "completed")).await;
    assert_eq!(again, Err(DurableEndFailed::Ended));
    assert_eq!((house.money(account).await, house.tasks_in("completed").await), ((usd("0.7"), Usd::ZERO), 1));
    house.assert_clean().await;
}

async fn a_kept_hold_is_given_back_with_its_row(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let kept = house.keep_task(account).await.unwrap();
    let rider = moves("queued", "failed");
    house
        .credit
        .release_durable(kept, SettlementRule::NothingDelivered, UpstreamDelivery::default(), rider)
        .await
        .unwrap();
    assert_eq!((house.money(account).await, house.tasks_in("failed").await), ((usd("1"), Usd::ZERO), 1));
    house.assert_clean().await;
}

async fn nothing_is_held_where_the_row_is_refused_and_no_neighbour_suffers(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "2").await;
    house.keep_task(account).await.unwrap();
    let (second, neighbour) = tokio::join!(house.keep_task(account), house.credit.hold(house.ask(account, "1")));
    assert_eq!(second, Err(HoldRefused::Unavailable), "that task is there already");
    let neighbour = neighbour.unwrap();
    assert_eq!(house.money(account).await, (usd("2"), usd("1.4")));
    house.credit.release(neighbour, SettlementRule::NotSent, UpstreamDelivery::default()).await.unwrap();
    house.assert_clean().await;
}

async fn of_many_who_end_it_at_once_one_does(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    let kept = house.keep_task(account).await.unwrap();
    let one = async |number: usize| {
        if number.is_multiple_of(2) {
            house.credit.settle_durable(kept, settlement("0.4"), moves("queued", "completed")).await.is_ok()
        } else {
            let rider = moves("queued", "failed");
            let rule = SettlementRule::NothingDelivered;
            house.credit.release_durable(kept, rule, UpstreamDelivery::default(), rider).await.is_ok()
        }
    };
    let ended = futures_util::future::join_all((0..64).map(one)).await;
    assert_eq!(ended.iter().filter(|ended| **ended).count(), 1);
    house.assert_clean().await;
}

/// The message of a file where a video has a receipt that is not there. On a server a rule of its own refuses.
const NO_RECEIPT: &str = "foreign key";
const NO_RECEIPT_ON_SERVER: &str = "a video that is over has its receipt";
/// Attacks by hand while the task waits in `queued`, each in its own transaction, and the database's messages.
const ATTACKS: &[(&str, &str)] = &[
    ("UPDATE video_task SET status = 'completed', rev = rev + 1", "a video ends with its receipt"),
    ("UPDATE video_task SET receipt_id = hold_id, status = 'completed', rev = rev + 1", NO_RECEIPT),
    ("UPDATE video_task SET receipt_id = hold_id", NO_RECEIPT),
    ("UPDATE video_task SET receipt_id = hold_id + 1", "its_own_receipt"),
    (raw::RELEASES, "a kept hold ends with what it is kept for"),
    ("UPDATE holds SET kept = 0", "holds keep their terms"),
    ("DELETE FROM holds", "holds stay until they are resolved"),
    ("UPDATE video_task SET seconds = 1", "a video keeps its terms"),
    ("UPDATE video_task SET price = 1", "a video keeps its terms"),
    ("UPDATE video_task SET price_request = 1", "a video keeps its terms"),
    ("UPDATE video_task SET ratio_ppm = 1", "a video keeps its terms"),
    ("UPDATE video_task SET hold_id = 7", "a video keeps its terms"),
    ("UPDATE video_task SET key_id = key_id + 1", "a video keeps its terms"),
    ("UPDATE video_task SET key_id = NULL", "a video keeps its terms"),
    ("UPDATE video_task SET deleted_at = 1", "deleted_when_over"),
    ("UPDATE video_task SET upstream_id = 'x'", "named_by_somebody"),
    ("DELETE FROM video_task", "videos stay"),
    ("INSERT OR REPLACE INTO video_task SELECT * FROM video_task", "videos stay"),
    (
        "INSERT INTO video_task SELECT 'video_ffffffffffffffff', account_id, 99, NULL, 'queued', 0, 'm', 1, 1, 0, 1, NULL, 'p', NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 1, 2, NULL, NULL, NULL FROM video_task",
        "a video is held for",
    ),
    ("UPDATE video_task SET status = 'failed', rev = rev + 1, receipt_id = hold_id", "failure_says_why"),
];

async fn the_database_lets_neither_go_without_the_other(on: On) {
    let house = TestLedger::open_on(on).await;
    let account = house.account(1, "1").await;
    house.keep_task(account).await.unwrap();
    for (attack, expected) in ATTACKS {
        let is_file = raw::is_file(&house.store);
        if !is_file && attack.contains("OR REPLACE") {
            continue;
        }
        let expected = if !is_file && *expected == NO_RECEIPT { NO_RECEIPT_ON_SERVER } else { *expected };
        let told = raw::run(&house.store, attack).await.expect_err(attack).to_lowercase();
        assert!(told.contains(expected), "{attack}: {told}");
    }
    assert_eq!(house.money(account).await, (usd("1"), usd("0.4")));
    house.assert_clean().await;
}

on_both!(
    a_kept_hold_outlives_its_process_and_its_time_and_is_charged_once_with_its_row,
    a_kept_hold_is_given_back_with_its_row,
    nothing_is_held_where_the_row_is_refused_and_no_neighbour_suffers,
    of_many_who_end_it_at_once_one_does,
    the_database_lets_neither_go_without_the_other,
);
