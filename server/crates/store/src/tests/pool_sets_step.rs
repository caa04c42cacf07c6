//! The step that looks up what holds count against.

use super::super::query::run_script;
use super::pooled_step::undone;
use super::*;

/// As the version before writes them, and this one.
const HOLD: &str = "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, \
    created_at, expires_at, pools) VALUES";
const COUNTED: &str = r#"[[4,"life",0],[5,"day",0],[5,"month",0]]"#;

/// A hold that counts against all three windows.
fn hold(id: i64, amount: i64) -> String {
    format!("{HOLD} ({id}, 4294967303, 7, 'r{id}', {amount}, 'm', 0, 1, 1000000, 1, 1, 9, '{COUNTED}')")
}

/// Its receipt, for a cost.
fn settled(id: i64, cost: i64) -> String {
    format!(
        "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, expires_at, \
            pools, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, resolved_at) \
        SELECT id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, created_at, expires_at, pools, \
            'settled', {cost}, 0, 'x', 1, 0, 1, 0, 0, 5 FROM holds WHERE id = {id}"
    )
}

/// What is spent and held of each window.
async fn windows(store: &Store) -> Vec<String> {
    let asked =
        "SELECT pool_id || ' ' || period || ' ' || spent || ' ' || held FROM pool_windows ORDER BY pool_id, period";
    let rows = query(asked).fetch_all(store.readers()).await.unwrap();
    rows.iter().map(|row| row.try_get(0).unwrap()).collect()
}

async fn what_the_version_before_counted_goes_on_exactly(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let (hash, pooled) = match on {
        On::File => (format!("x'{:064x}'", 7), include_str!("../../migrations/sqlite/0010_pooled_budgets.sql")),
        On::Server => (format!("'\\x{:064x}'", 7), include_str!("../../migrations/postgres/0010_pooled_budgets.sql")),
    };
    let back = format!(
        "{} {pooled} DELETE FROM schema_steps WHERE name = '0011_pool_sets'; \
        INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 4294967303, 1000, 'k', 'x', 1); \
        INSERT INTO budget_pools (id, account_id, kind, name, state, created_at, budget_day, budget_month, budget_life) VALUES \
            (4, 4294967303, 'organisation', 'o', 'active', 1, NULL, NULL, 80), (5, 4294967303, 'team', 't', 'active', 1, 100, 60, NULL); \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, team_id) \
            VALUES (7, 4294967303, {hash}, 's', '', 'active', 1, 5); \
        INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); \
        {}; {}; {}",
        undone(&transaction),
        hold(1, 10),
        hold(2, 20),
        settled(2, 5)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    assert_eq!(windows(&store).await, ["4 life 5 10", "5 day 5 10", "5 month 5 10"]);
    // What was held before ends as it was taken, whether what it counts against was looked up since or not.
    for (script, left) in [
        (settled(1, 7), ["4 life 12 0", "5 day 12 0", "5 month 12 0"]),
        (hold(3, 48), ["4 life 12 48", "5 day 12 48", "5 month 12 48"]),
        (settled(3, 3), ["4 life 15 0", "5 day 15 0", "5 month 15 0"]),
    ] {
        let mut transaction = store.begin().await.unwrap();
        run_script((&mut transaction).into(), sqlx::AssertSqlSafe(script)).await.unwrap();
        transaction.commit().await.unwrap();
        assert_eq!(windows(&store).await, left);
    }
    let mut transaction = store.begin().await.unwrap();
    let refused = run_script((&mut transaction).into(), sqlx::AssertSqlSafe(hold(4, 46))).await.unwrap_err();
    assert!(refused.to_string().contains("pool_cap_h"), "{refused}");
}

on_both!(what_the_version_before_counted_goes_on_exactly);
