//! The step that adds the tags that requests carry.

use super::super::query::run_script;
use super::*;

/// What takes everything away that the step has added, and the one after it, and puts back what they have replaced.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    format!("{} {}", weekly_budgets_of_keys_step::undone(transaction), own(transaction))
}

fn own(transaction: &StoreTransaction) -> String {
    let (pool_sets, begins, ends) = match transaction {
        StoreTransaction::Sqlite(..) => (
            include_str!("../../migrations/sqlite/0011_pool_sets.sql"),
            "CREATE TRIGGER receipts_resolve AFTER INSERT",
            "\nEND;",
        ),
        StoreTransaction::Postgres(..) => (
            include_str!("../../migrations/postgres/0011_pool_sets.sql"),
            "CREATE OR REPLACE FUNCTION receipts_resolve()",
            "\nEND $$;",
        ),
    };
    let resolves = &pool_sets[pool_sets.find(begins).unwrap()..];
    let resolves = &resolves[..resolves.find(ends).unwrap()];
    let drops = if matches!(transaction, StoreTransaction::Sqlite(..)) { "DROP TRIGGER receipts_resolve;" } else { "" };
    format!(
        "{drops} ALTER TABLE holds DROP COLUMN tags; ALTER TABLE receipts DROP COLUMN tags; {resolves}{ends} \
        DELETE FROM schema_steps WHERE name = '0015_tags';"
    )
}

/// The hold of a request, and the columns of this version.
pub(super) fn hold(id: i64, column: &str, value: &str) -> String {
    format!(
        "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, \
            expires_at{column}) VALUES ({id}, 4294967303, 7, 'r{id}', 0, 'm', 0, 1, 1000000, 1, 1, 9{value});"
    )
}

/// Its receipt.
pub(super) fn released(id: i64, column: &str, value: &str) -> String {
    format!(
        "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, expires_at, \
            state, cost, shortfall, rule, resolved_at{column}) SELECT id, account_id, key_id, request_id, amount, model, stream, price_id, \
            ratio_ppm, created_at, expires_at, 'released', 0, 0, 'x', 5{value} FROM holds WHERE id = {id};"
    )
}

async fn a_server_of_the_version_before_goes_on_beside_tags(on: On) {
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
        hold(1, "", ""),
        released(1, "", ""),
        hold(2, "", ""),
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let run = async |sql: String| {
        let mut transaction = store.begin().await.unwrap();
        let done = run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await;
        if done.is_ok() {
            transaction.commit().await.unwrap();
        }
        done.map_err(|error| error.to_string())
    };
    // What the version before has held ends by either; what it writes has no tags, also where it ends the hold of this version.
    run(released(2, ", tags", ", tags")).await.unwrap();
    run(format!("{} {}", hold(3, "", ""), released(3, "", ""))).await.unwrap();
    run(format!("{} {}", hold(4, ", tags", ", 'a,b'"), released(4, "", ""))).await.unwrap();
    run(hold(5, ", tags", ", 'a,b'")).await.unwrap();
    let refused = run(released(5, ", tags", ", 'a'")).await.unwrap_err();
    assert!(refused.contains("a receipt resolves an open hold, by its terms"), "{refused}");
    run(released(5, ", tags", ", tags")).await.unwrap();
    let rows =
        query("SELECT coalesce(tags, '-') FROM receipts ORDER BY hold_id").fetch_all(store.readers()).await.unwrap();
    let tags: Vec<String> = rows.iter().map(|row| row.try_get(0).unwrap()).collect();
    assert_eq!(tags, ["-", "-", "-", "-", "a,b"]);
}

on_both!(a_server_of_the_version_before_goes_on_beside_tags);
