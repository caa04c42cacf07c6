//! The step by which videos know the keys that ordered them.

use super::super::query::run_script;
use super::tags_step::{hold, released};
use super::weekly_budgets_of_keys_step::part;
use super::*;

/// The script that takes away what the step has added, and puts back the rule that it has replaced.
fn undone(transaction: &StoreTransaction) -> String {
    let rules = match transaction {
        StoreTransaction::Sqlite(..) => "DROP TRIGGER video_task_of_key; DROP TRIGGER video_task_keeps_key;".to_owned(),
        StoreTransaction::Postgres(..) => {
            let videos = include_str!("../../migrations/postgres/0004_responses_and_videos.sql");
            let guard = part(videos, "CREATE FUNCTION video_task_guard()", "END $$;");
            guard.replacen("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)
        }
    };
    format!(
        "{rules} DROP INDEX video_task_by_key; ALTER TABLE video_task DROP COLUMN key_id; \
        DELETE FROM schema_steps WHERE name = '0020_keys_of_videos';"
    )
}

/// A video as the version before orders it, with the hold that is kept for it.
fn ordered(hold_id: i64) -> String {
    format!(
        "{} INSERT INTO video_task (task_id, account_id, hold_id, status, model, seconds, price, price_request, ratio_ppm, prompt, created_at, \
            deadline_at) VALUES ('video_000000000{hold_id}', 4294967303, {hold_id}, 'queued', 'm', 1, 0, 0, 1000000, 'p', 1, 2);",
        hold(hold_id, ", kept", ", 1")
    )
}

/// Its end.
fn failed(hold_id: i64) -> String {
    format!(
        "UPDATE video_task SET receipt_id = hold_id, error_code = 'x', error_message = 'x', ended_at = 5 WHERE hold_id = {hold_id}; \
        UPDATE video_task SET status = 'failed', rev = rev + 1 WHERE hold_id = {hold_id}; {}",
        released(hold_id, "", "")
    )
}

async fn videos_of_the_version_before_have_the_keys_of_their_holds_and_receipts(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let up = match on {
        On::File => "",
        // It is up, and the step does not wait for its end.
        On::Server => {
            "INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
                VALUES (7, 'n', 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'up');"
        }
    };
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); {} {} {} {up}",
        undone(&transaction),
        ordered(1),
        ordered(2),
        failed(2),
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let run = async |sql: String| {
        let mut transaction = store.begin().await.unwrap();
        run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await.map_err(|error| error.to_string())?;
        transaction.commit().await.map_err(|error| error.to_string())
    };
    // The version before orders on beside this one, and either ends what the other has ordered.
    run(ordered(3)).await.unwrap();
    run(format!("{} {}", failed(1), failed(3))).await.unwrap();
    let rows = query("SELECT key_id FROM video_task ORDER BY hold_id").fetch_all(store.readers()).await.unwrap();
    let keys: Vec<Option<i64>> = rows.iter().map(|row| row.try_get(0).unwrap()).collect();
    assert_eq!(keys, [Some(7); 3]);
    let refused = run("UPDATE video_task SET key_id = 8 WHERE hold_id = 1".to_owned()).await.unwrap_err();
    assert!(refused.contains("a video keeps its terms"), "{refused}");
}

on_both!(videos_of_the_version_before_have_the_keys_of_their_holds_and_receipts);
