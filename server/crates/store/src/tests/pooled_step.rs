//! The step that adds budgets that several keys spend together.

use super::super::query::run_script;
use super::*;

/// What takes everything away that the step has added, and those after it that build on it.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    format!("{} {} {}", tags_step::undone(transaction), members_step::undone(transaction), own(transaction))
}

fn own(transaction: &StoreTransaction) -> String {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            let ledger = include_str!("../../migrations/sqlite/0002_ledger.sql");
            let (_, resolves) = ledger.split_once("CREATE TRIGGER receipts_resolve ").unwrap();
            let (resolves, _) = resolves.split_once("\nEND;").unwrap();
            format!(
                "DROP TRIGGER holds_pooled; DROP TRIGGER receipts_pooled; DROP TRIGGER receipts_resolve; DROP TRIGGER api_keys_pools; \
                DROP TRIGGER api_keys_pools_change; DROP VIEW pool_holds; DROP VIEW pool_receipts; DROP VIEW pool_set_budgets; \
                DROP VIEW pool_set_pools; DROP TABLE pool_set_windows; DROP TABLE pool_sets; DROP TABLE carried_pools; \
                DROP TABLE pool_windows; DROP VIEW pooled_budgets; DROP TABLE budget_pools; ALTER TABLE holds DROP COLUMN pools; \
                ALTER TABLE receipts DROP COLUMN pools; ALTER TABLE api_keys DROP COLUMN team_id; \
                ALTER TABLE api_keys DROP COLUMN member_id; CREATE TRIGGER receipts_resolve {resolves}\nEND;"
            )
        }
        StoreTransaction::Postgres(..) => {
            "DROP FUNCTION holds_pooled, api_keys_pools, pool_sets_make, pool_sets_made, pool_sets_fixed, pool_set_windows_guard, \
            budget_pools_changed, pool_windows_changed, pool_set_budgets CASCADE; DROP TABLE pool_set_windows; DROP TABLE pool_sets; \
            DROP TABLE carried_pools; DROP TABLE pool_windows; DROP VIEW pooled_budgets; DROP TABLE budget_pools; \
            DROP FUNCTION pool_windows_guard, budget_pools_guard; ALTER TABLE holds DROP COLUMN pools; \
            ALTER TABLE receipts DROP COLUMN pools; ALTER TABLE api_keys DROP COLUMN team_id; \
            ALTER TABLE api_keys DROP COLUMN member_id;"
                .to_owned()
        }
    }
}

/// As the version before writes them.
const HOLD: &str = "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, \
    created_at, expires_at) VALUES";
const RECEIPT: &str = "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, \
    created_at, expires_at, day_at, month_at, life_at, state, cost, shortfall, rule, resolved_at) SELECT id, account_id, key_id, \
    request_id, amount, model, stream, price_id, ratio_ppm, created_at, expires_at, day_at, month_at, life_at, 'released', 0, 0, \
    'x', 5 FROM holds WHERE id =";

async fn a_ledger_of_the_version_before_ends_its_holds_and_takes_pools(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let hash = if matches!(on, On::File) { format!("x'{:064x}'", 7) } else { format!("'\\x{:064x}'", 7) };
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) \
            VALUES (7, 4294967303, {hash}, 's', '', 'active', 1); \
        INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); \
        {HOLD} (1, 4294967303, 7, 'r1', 0, 'm', 0, 1, 1000000, 1, 1, 9), (2, 4294967303, 7, 'r2', 0, 'm', 0, 1, 1000000, 1, 1, 9); \
        DELETE FROM schema_steps WHERE name IN ('0010_pooled_budgets', '0011_pool_sets')",
        undone(&transaction)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let mut transaction = store.begin().await.unwrap();
    // What was held before ends as it was taken.
    let goes_on = format!("{RECEIPT} 1");
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(goes_on)).await.unwrap();
    let pools = "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at, budget_day) \
        VALUES (5, 4294967303, 'team', 't', 'active', 1, 100); UPDATE api_keys SET team_id = 5 WHERE id = 7";
    run_script((&mut transaction).into(), pools).await.unwrap();
    transaction.commit().await.unwrap();
    // One that was taken before counts against nothing. One that names no budget is none of a team.
    let mut transaction = store.begin().await.unwrap();
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(format!("{RECEIPT} 2"))).await.unwrap();
    transaction.commit().await.unwrap();
    let mut transaction = store.begin().await.unwrap();
    let unaware = format!("{HOLD} (4, 4294967303, 7, 'r4', 0, 'm', 0, 1, 1000000, 1, 1, 9)");
    let refused = run_script((&mut transaction).into(), sqlx::AssertSqlSafe(unaware)).await.unwrap_err();
    assert!(refused.to_string().contains("a hold counts against the budgets of its pools"), "{refused}");
}

on_both!(a_ledger_of_the_version_before_ends_its_holds_and_takes_pools);
