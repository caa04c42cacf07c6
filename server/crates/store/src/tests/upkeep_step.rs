//! The step that adds alarms, and work on the ledger that operators ask for.

use super::super::query::run_script;
use super::*;

async fn a_ledger_of_the_version_before_takes_alarms_and_jobs(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let functions = match &transaction {
        StoreTransaction::Sqlite(..) => "",
        StoreTransaction::Postgres(..) => "DROP FUNCTION alarms_fixed, ledger_jobs_end_once;",
    };
    let back = format!(
        "DROP TABLE alarms; DROP TABLE ledger_jobs; {functions} DELETE FROM schema_steps WHERE name = '0008_upkeep'; \
        INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO nodes (epoch, name, started_at, seen_at, state) VALUES (7, 'n', 1, 1, 'gone')"
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let mut transaction = store.begin().await.unwrap();
    let rows = "INSERT INTO alarms (alarm, subject, message, fields, node, occurrences, first_at, last_at) \
            VALUES ('x', '', 'm', '{}', 'n', 1, 5, 9), ('x', 's', 'm', '{}', 'n', 1, 5, 9); \
        INSERT INTO ledger_jobs (kind, state, epoch, started_at, started_by) VALUES ('audit', 'running', 7, 1, 'x')";
    run_script((&mut transaction).into(), rows).await.unwrap();
    transaction.commit().await.unwrap();
    let counted = query("SELECT (SELECT max(id) FROM alarms) + (SELECT max(id) FROM ledger_jobs)");
    let counted = counted.fetch_one(store.readers()).await.unwrap();
    assert_eq!(counted.try_get::<i64>(0).unwrap(), 3);
}

on_both!(a_ledger_of_the_version_before_takes_alarms_and_jobs);
