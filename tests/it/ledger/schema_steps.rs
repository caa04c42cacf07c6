//! The steps of the schema on PostgreSQL: they apply in their order, and the rules of videos hold there as they do on SQLite,
//! where the server's own tests attack them.

use std::fs;
use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tollgate_tests::postgres::Postgres;

/// An account with 1 USD, of which a video holds 0.4.
const HOUSE: &str = "
INSERT INTO accounts (id, name, state, created_at) VALUES (5000000001, 'one', 'active', 1);
INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 5000000001, 1000000000, 'k', 'test', 1);
INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1);
INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, expires_at, kept)
  VALUES (1, 5000000001, 7, 'r1', 400000000, 'm', 0, 1, 1000000, 1, 1, 2, 1);
INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, created_at, deadline_at)
  VALUES ('video_0123456789abcdef', 5000000001, 1, 'queued', 'm', 4, 5, 0, 1000000, 'a cat', 1, 2)";

const RELEASE: &str = "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, \
        expires_at, state, cost, shortfall, rule, resolved_at) \
    SELECT id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, created_at, expires_at, 'released', 0, 0, 'x', 1 \
    FROM holds WHERE id = 1";
const END: &str = "UPDATE video_task SET receipt_id = hold_id, error_code = 'x', error_message = 'x', status = 'failed', rev = rev + 1";

/// What is tried by hand, and what the database says.
const ATTACKS: [(&str, &str); 12] = [
    ("UPDATE video_task SET status = 'completed', rev = rev + 1", "a video ends with its receipt"),
    (
        "UPDATE video_task SET receipt_id = hold_id, status = 'completed', rev = rev + 1",
        "a video that is over has its receipt",
    ),
    ("UPDATE video_task SET receipt_id = hold_id", "a video that is over has its receipt"),
    (RELEASE, "a kept hold ends with what it is kept for"),
    ("UPDATE holds SET kept = 0", "holds keep their terms"),
    ("DELETE FROM holds", "holds stay until they are resolved"),
    ("UPDATE video_task SET seconds = 1", "a video keeps its terms"),
    ("UPDATE video_task SET price_request = 1", "a video keeps its terms"),
    ("UPDATE video_task SET ratio_ppm = 1", "a video keeps its terms"),
    ("UPDATE video_task SET deleted_at = 1", "deleted_when_over"),
    ("DELETE FROM video_task", "videos stay"),
    ("UPDATE video_task SET status = 'failed', rev = rev + 1, receipt_id = hold_id", "failure_says_why"),
];

async fn ledger() -> PgConnection {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().empty_database()).await.expect("PostgreSQL starts");
    let mut connection = PgConnection::connect(&url).await.expect("a database of ours");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/crates/store/migrations/postgres");
    let mut steps: Vec<_> = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    // By number; the machines come last.
    steps.sort();
    assert!(steps.len() > 4, "{steps:?}");
    for step in steps {
        let text = fs::read_to_string(&step).expect("a text");
        let applied = connection.execute(AssertSqlSafe(text)).await;
        applied.unwrap_or_else(|error| panic!("{}: {error}", step.display()));
    }
    connection
}

#[tokio::test]
async fn the_steps_apply_and_a_video_and_its_hold_end_together_or_not_at_all() {
    let mut ledger = ledger().await;
    ledger.execute(HOUSE).await.expect("the house");
    for (attack, expected) in ATTACKS {
        let told = ledger.execute(AssertSqlSafe(attack)).await.expect_err(attack).to_string();
        assert!(told.contains(expected), "{attack}: {told}");
    }
    ledger.execute(AssertSqlSafe(format!("BEGIN; {END}; {RELEASE}; COMMIT"))).await.expect("both end");
    let held: i64 = sqlx::query_scalar("SELECT held FROM balances").fetch_one(&mut ledger).await.expect("a balance");
    assert_eq!(held, 0);
    let open: i64 = sqlx::query_scalar("SELECT count(*) FROM holds").fetch_one(&mut ledger).await.expect("a count");
    assert_eq!(open, 0, "it went with its receipt");
}
