//! The step that adds budgets of keys for a week.

use super::super::query::run_script;
use super::tags_step::{hold, released};
use super::*;

/// The script that takes everything away that the step has added, and the one after it, and puts back what they have replaced. A later
/// rule about its column goes too.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    format!("{} {}", rules_by_fewer_statements_step::undone(transaction), own(transaction))
}

fn own(transaction: &StoreTransaction) -> String {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            let (accounts, ledger) = (
                include_str!("../../migrations/sqlite/0001_accounts.sql"),
                include_str!("../../migrations/sqlite/0002_ledger.sql"),
            );
            let tags = include_str!("../../migrations/sqlite/0015_tags.sql");
            format!(
                "DROP TRIGGER IF EXISTS api_keys_limited; DROP TRIGGER IF EXISTS api_keys_limited_change; \
                DROP TRIGGER holds_by_live_key; DROP TRIGGER holds_count; DROP TRIGGER receipts_spend; DROP TRIGGER receipts_resolve; \
                DROP TRIGGER api_keys_budgets; DROP TABLE spend_windows; ALTER TABLE holds DROP COLUMN week_at; \
                ALTER TABLE receipts DROP COLUMN week_at; ALTER TABLE api_keys DROP COLUMN budget_week; {} {} {} {} {} {} {} \
                DELETE FROM schema_steps WHERE name = '0016_weekly_budgets_of_keys';",
                part(ledger, "CREATE TABLE spend_windows", ") STRICT, WITHOUT ROWID;"),
                part(ledger, "CREATE TRIGGER spend_windows_born_empty", "'budgets stay'); END;"),
                part(ledger, "CREATE TRIGGER holds_by_live_key", "limits of that'); END;"),
                part(ledger, "CREATE TRIGGER holds_count", "\nEND;"),
                part(ledger, "CREATE TRIGGER receipts_spend", "\nEND;"),
                part(accounts, "CREATE TRIGGER api_keys_budgets", "\nEND;"),
                part(tags, "CREATE TRIGGER receipts_resolve", "\nEND;"),
            )
        }
        StoreTransaction::Postgres(..) => {
            let (accounts, ledger) = (
                include_str!("../../migrations/postgres/0001_accounts.sql"),
                include_str!("../../migrations/postgres/0002_ledger.sql"),
            );
            let tags = include_str!("../../migrations/postgres/0015_tags.sql");
            let replaced = [(ledger, "spend_windows_guard"), (ledger, "holds_by_live_key"), (ledger, "holds_count")];
            let replaced = replaced.into_iter().chain([(accounts, "api_keys_budgets")]).map(|(text, name)| {
                let function = part(text, &format!("CREATE FUNCTION {name}()"), "END $$;");
                function.replacen("CREATE", "CREATE OR REPLACE", 1)
            });
            format!(
                "DROP FUNCTION IF EXISTS api_keys_limited CASCADE; DROP TRIGGER api_keys_budgets ON api_keys; {} {} {} ALTER TABLE holds DROP COLUMN week_at; \
                ALTER TABLE receipts DROP COLUMN week_at; ALTER TABLE api_keys DROP COLUMN budget_week; \
                ALTER TABLE spend_windows DROP CONSTRAINT spend_windows_period_check, \
                    ADD CONSTRAINT spend_windows_period_check CHECK (period IN ('day', 'month', 'life')); \
                DELETE FROM schema_steps WHERE name = '0016_weekly_budgets_of_keys';",
                replaced.collect::<Vec<_>>().join("\n"),
                part(accounts, "CREATE TRIGGER api_keys_budgets", "EXECUTE FUNCTION api_keys_budgets();"),
                part(tags, "CREATE OR REPLACE FUNCTION receipts_resolve()", "END $$;"),
            )
        }
    }
}

/// A part of a step, from its beginning to the first such end behind it.
pub(super) fn part<'t>(text: &'t str, begins: &str, ends: &str) -> &'t str {
    let from = &text[text.find(begins).unwrap()..];
    &from[..from.find(ends).unwrap() + ends.len()]
}

async fn a_server_of_the_version_before_leaves_weekly_budgets_alone(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let (hash, up) = match on {
        On::File => (format!("x'{:064x}'", 7), ""),
        // It is up, and the step does not wait for its end.
        On::Server => (
            format!("'\\x{:064x}'", 7),
            "INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
                VALUES (7, 'n', 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'up');",
        ),
    };
    let counted = (", counted, day_at", ", 1, 0");
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day) \
            VALUES (7, 4294967303, {hash}, 's', '', 'active', 1, 1000); \
        INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); {} {} UPDATE spend_windows SET spent = 5; {up}",
        undone(&transaction),
        hold(1, counted.0, counted.1),
        hold(2, counted.0, counted.1),
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
    let refused = async |sql: String, said: &str| {
        let refused = run(sql).await.unwrap_err();
        assert!(refused.contains(said), "{refused}");
    };
    // What the version before has held ends by either, and it goes on with keys that have no such budget.
    run(released(1, ", day_at", ", day_at")).await.unwrap();
    run(released(2, ", day_at, week_at", ", day_at, week_at")).await.unwrap();
    run(format!("{} {}", hold(3, counted.0, counted.1), released(3, ", day_at", ", day_at"))).await.unwrap();
    // With a key that has one it takes nothing, as it knows of no other limit or of all others.
    run("UPDATE api_keys SET budget_week = 1000 WHERE id = 7".to_owned()).await.unwrap();
    refused(hold(4, counted.0, counted.1), "a hold counts against each budget of its key").await;
    run("UPDATE api_keys SET budget_day = NULL WHERE id = 7".to_owned()).await.unwrap();
    refused(hold(4, "", ""), "counts against the limits of that").await;
    // Nor does it end what counts against such a budget.
    run(hold(5, ", counted, week_at", ", 1, 0")).await.unwrap();
    refused(released(5, "", ""), "a receipt resolves an open hold, by its terms").await;
    run(released(5, ", week_at", ", week_at")).await.unwrap();
    let rows =
        query("SELECT period, spent FROM spend_windows ORDER BY period").fetch_all(store.readers()).await.unwrap();
    let windows: Vec<(String, i64)> =
        rows.iter().map(|row| (row.try_get(0).unwrap(), row.try_get(1).unwrap())).collect();
    assert_eq!(windows, [("day".to_owned(), 5), ("week".to_owned(), 0)]);
}

on_both!(a_server_of_the_version_before_leaves_weekly_budgets_alone);
