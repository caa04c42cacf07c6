//! The step that has the rules of holds and receipts on a file by fewer statements.

use super::super::query::run_script;
use super::tags_step::{hold, released};
use super::weekly_budgets_of_keys_step::part;
use super::*;

/// The script that puts back the rules that the step has replaced. On a server there is nothing to do.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    let StoreTransaction::Sqlite(..) = transaction else { return String::new() };
    let ledger = include_str!("../../migrations/sqlite/0002_ledger.sql");
    let weekly = include_str!("../../migrations/sqlite/0016_weekly_budgets_of_keys.sql");
    let rules = [
        (ledger, "balances_keep_owner", "'); END;"),
        (ledger, "key_rates_fixed", "'); END;"),
        (ledger, "holds_once", "'); END;"),
        (ledger, "holds_reserve", "\nEND;"),
        (ledger, "holds_by_receipt", "'); END;"),
        (weekly, "spend_windows_fixed", "'); END;"),
        (weekly, "holds_by_live_key", "'); END;"),
        (weekly, "holds_count", "\nEND;"),
        (weekly, "receipts_resolve", "\nEND;"),
    ];
    let before = rules.map(|(text, name, ends)| {
        format!("DROP TRIGGER {name}; {}", part(text, &format!("CREATE TRIGGER {name} "), ends))
    });
    format!(
        "{} DROP TRIGGER holds_in_flight; DELETE FROM schema_steps WHERE name = '0017_rules_by_fewer_statements';",
        before.join(" ")
    )
}

/// The key is limited in each way, and pays for a video as well.
#[tokio::test]
async fn what_was_held_by_the_rules_before_ends_by_those_after() {
    let (_folder, config, store) = temporary_on(On::File, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let limited = (", counted, day_at, week_at, in_flight", ", 1, 0, 0, 1");
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day, budget_week, in_flight_max) \
            VALUES (7, 4294967303, x'{:064x}', 's', '', 'active', 1, 1000, 1000, 3); \
        INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); {} {} {} {}",
        undone(&transaction),
        7,
        hold(1, limited.0, limited.1),
        released(1, ", day_at, week_at", ", day_at, week_at"),
        hold(2, limited.0, limited.1),
        hold(3, ", counted, day_at, week_at, kept", ", 1, 0, 0, 1"),
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
    let budgets = ", day_at, week_at";
    refused(released(3, budgets, budgets), "a kept hold ends with what it is kept for").await;
    refused(released(2, "", ""), "a receipt resolves an open hold, by its terms").await;
    refused(hold(1, limited.0, limited.1), "what has its receipt is not held again").await;
    refused(hold(4, "", ""), "counts against the limits of that").await;
    run(released(2, budgets, budgets)).await.unwrap();
    run([4, 5, 6].map(|id| hold(id, limited.0, limited.1)).concat()).await.unwrap();
    refused(hold(7, limited.0, limited.1), "too many requests of the key are under way").await;
    run(released(4, budgets, budgets)).await.unwrap();
    let of = "SELECT in_flight FROM key_rates UNION ALL SELECT requests FROM usage_days UNION ALL SELECT count(*) FROM holds";
    let rows = query(of).fetch_all(store.readers()).await.unwrap();
    let numbers: Vec<i64> = rows.iter().map(|row| row.try_get(0).unwrap()).collect();
    assert_eq!(numbers, [2, 3, 3], "of the key under way, told in its usage, held");
}
