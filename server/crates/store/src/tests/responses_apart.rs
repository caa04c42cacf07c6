//! The step that takes stored responses out of the ledger's tables.

use super::super::query::run_script;
use super::*;

/// Takes the store back to the tables that step 0005 finds.
pub(super) async fn before_the_step(store: &Store) {
    let [on_file, on_server] = [
        include_str!("../../migrations/sqlite/0004_responses_and_videos.sql"),
        include_str!("../../migrations/postgres/0004_responses_and_videos.sql"),
    ]
    .map(|text| text.split_once("CREATE TABLE video_task").expect("the tables of responses stand first").0);
    let mut transaction = store.begin().await.unwrap();
    let text = match &transaction {
        StoreTransaction::Sqlite(..) => on_file.to_owned(),
        StoreTransaction::Postgres(..) => {
            format!("DROP TABLE stored_items, stored_responses, stored_bytes; {on_server}")
        }
    };
    let undo = "DELETE FROM schema_steps WHERE name = '0005_responses_apart';";
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(format!("{text}; {undo}"))).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
}

async fn responses_of_the_version_before_are_taken_over(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    before_the_step(&store).await;
    let rows = "INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO stored_responses (account_id, id, created_at, expires_at, model, input, response, hidden, bytes) VALUES \
        (4294967303, 'r2', 2, 12, 'm', '[{\"id\":\"i\"}]', '{}', '', 20), (4294967303, 'r1', 1, 11, 'm', '[]', '{\"n\":1.0}', 'h', 30); \
        INSERT INTO stored_items (account_id, id, response_id) VALUES (4294967303, 'i', 'r2')";
    let mut transaction = store.begin().await.unwrap();
    run_script((&mut transaction).into(), rows).await.unwrap();
    transaction.commit().await.unwrap();
    if on == On::File {
        // The copy was made and the step not: it is made again, and nothing is there twice.
        let mut connection = store.connect_attacker().await;
        responses::adopt(&mut connection, store.path()).await.unwrap();
        connection.close().await.unwrap();
    }
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let responses = store.responses().await.unwrap();
    let read = "SELECT r.id || r.created_at || r.expires_at || r.model || r.input || r.response || r.hidden || r.bytes \
        || r.conversation_bytes || r.items || coalesce(i.id, '') || b.bytes FROM stored_responses r \
        LEFT JOIN stored_items i ON i.seq = r.seq JOIN stored_bytes b ON b.account_id = r.account_id ORDER BY r.seq";
    let rows = query(read).fetch_all(responses.readers()).await.unwrap();
    let rows: Vec<String> = rows.iter().map(|row| row.try_get(0).unwrap()).collect();
    assert_eq!(rows, ["r1111m[]{\"n\":1.0}h3030[]50", "r2212m[{\"id\":\"i\"}]{}2020[\"i\"]i50"]);
}

on_both!(responses_of_the_version_before_are_taken_over);

#[tokio::test]
async fn a_file_of_responses_from_a_newer_program_is_not_opened() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let responses = store.responses().await.unwrap();
    let mut transaction = responses.begin().await.unwrap();
    run_script((&mut transaction).into(), "PRAGMA user_version = 9").await.unwrap();
    transaction.commit().await.unwrap();
    let newer = store.responses().await.unwrap_err();
    assert_eq!(
        newer.to_string(),
        "this database was written by a newer program: unknown schema step the file of stored responses, version 9"
    );
}
