//! The step by which keys remember their makers, and members come back.

use super::super::query::run_script;
use super::weekly_budgets_of_keys_step::part;
use super::*;

/// The script that takes away what the step has added, and puts back the rules that it has replaced.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    let rules = match transaction {
        StoreTransaction::Sqlite(..) => {
            let pools = include_str!("../../migrations/sqlite/0010_pooled_budgets.sql");
            let members = include_str!("../../migrations/sqlite/0018_members_kept_out.sql");
            format!(
                "DROP TRIGGER api_keys_made_by; DROP TRIGGER IF EXISTS api_keys_limited; DROP TRIGGER IF EXISTS api_keys_limited_change; \
                DROP TRIGGER members_end_keys; DROP TRIGGER members_return_to_open_pool; DROP TRIGGER members_fixed; \
                DROP TRIGGER budget_pools_fixed; {} {}",
                part(members, "CREATE TRIGGER members_fixed ", "'); END;"),
                part(pools, "CREATE TRIGGER budget_pools_fixed ", "'); END;"),
            )
        }
        StoreTransaction::Postgres(..) => {
            let pools = include_str!("../../migrations/postgres/0010_pooled_budgets.sql");
            let members = include_str!("../../migrations/postgres/0018_members_kept_out.sql");
            let identities = include_str!("../../migrations/postgres/0013_identities.sql");
            let guard = part(pools, "CREATE FUNCTION budget_pools_guard()", "END $$;");
            format!(
                "DROP FUNCTION IF EXISTS api_keys_limited CASCADE; DROP FUNCTION api_keys_made_by CASCADE; {} {} ALTER TABLE identities DROP CONSTRAINT wallet_in_one_form; \
                ALTER TABLE identities ADD {};",
                part(members, "CREATE OR REPLACE FUNCTION members_guard()", "END $$;"),
                guard.replacen("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1),
                part(identities, "CONSTRAINT wallet_in_one_form", "'0x%')))"),
            )
        }
    };
    format!(
        "{rules} ALTER TABLE api_keys DROP COLUMN made_by; ALTER TABLE members DROP COLUMN subject; \
        DELETE FROM schema_steps WHERE name = '0019_members_return';"
    )
}

const ORGANISATION: i64 = 4_294_967_303;

/// An organisation with a member whom a lost group has ended, one that is taken out, their identities, and three keys that manage it.
fn rows(on: On) -> String {
    let key = |id: i64, limit: &str| {
        let hash = match on {
            On::File => format!("x'{id:064x}'"),
            On::Server => format!("'\\x{id:064x}'"),
        };
        format!(
            "INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, budget_day, requests_per_minute, manages) \
            VALUES ({id}, {ORGANISATION}, {hash}, 'sk-{id}', '', 'active', 1, {limit}, 1);"
        )
    };
    format!(
        "INSERT INTO accounts (id, name, state, created_at, password) VALUES ({ORGANISATION}, 'o', 'active', 1, '$argon2id$x'), \
            (4294967304, 'a', 'active', 1, '$argon2id$x'), (4294967305, 'b', 'active', 1, '$argon2id$x'), (4294967306, 'c', 'active', 1, '$argon2id$x'); \
        INSERT INTO identities (id, account_id, kind, issuer, subject, created_at, used_at) \
            VALUES (1, 4294967304, 'oidc', 'https://i', 'ann', 1, 1), (2, 4294967305, 'oidc', 'https://j', 'bob', 1, 1); \
        INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (1, {ORGANISATION}, 'member', 'a', 'active', 1), \
            (2, {ORGANISATION}, 'member', 'b', 'active', 1); \
        INSERT INTO members (id, account_id, person_id, role, state, created_at, issuer) \
            VALUES (1, {ORGANISATION}, 4294967304, 'viewer', 'active', 1, 'https://i'), (2, {ORGANISATION}, 4294967305, 'viewer', 'active', 1, 'https://i'); \
        UPDATE budget_pools SET state = 'closed'; \
        UPDATE members SET state = 'left', left_at = 5, lapsed = CASE WHEN id = 1 THEN 1 ELSE 0 END; {} {} {}",
        key(11, "NULL, NULL"),
        key(12, "5, NULL"),
        key(13, "NULL, 7"),
    )
}

async fn members_know_their_person_and_come_back_and_what_is_limited_manages_nothing(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let back = format!("{} {}", undone(&transaction), rows(on));
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let told = async |sql: &'static str| {
        let rows = query(sql).fetch_all(store.readers()).await.unwrap();
        rows.iter().map(|row| row.try_get::<Option<String>>(0).unwrap().unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(told("SELECT subject FROM members ORDER BY id").await, ["ann", ""]);
    assert_eq!(told("SELECT CAST(manages AS TEXT) FROM api_keys ORDER BY id").await, ["1", "0", "0"]);
    let run = async |sql: &'static str| {
        let mut transaction = store.begin().await.unwrap();
        run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await.map_err(|error| error.to_string())?;
        transaction.commit().await.map_err(|error| error.to_string())
    };
    for (sql, reason) in [
        ("UPDATE budget_pools SET state = 'active' WHERE id = 2", "stay closed"),
        ("UPDATE members SET state = 'active', left_at = NULL WHERE id = 2", "who has left stays away"),
        (
            "UPDATE members SET state = 'active', left_at = NULL, lapsed = 0 WHERE id = 1",
            "a member has the open budgets",
        ),
        (
            "UPDATE budget_pools SET state = 'active' WHERE id = 1; UPDATE members SET state = 'active', left_at = NULL, lapsed = 0, \
                person_id = 4294967306, subject = 'eve' WHERE id = 1",
            "who has left stays away",
        ),
        ("UPDATE api_keys SET made_by = 1 WHERE id = 11", "a key keeps its maker"),
    ] {
        let refused = run(sql).await.unwrap_err();
        assert!(refused.contains(reason), "{sql}: {refused}");
    }
    run("UPDATE budget_pools SET state = 'active' WHERE id = 1; UPDATE members SET state = 'active', left_at = NULL, lapsed = 0, \
        person_id = 4294967306, role = 'admin' WHERE id = 1")
    .await
    .unwrap();
    assert_eq!(told("SELECT role FROM members WHERE person_id = 4294967306").await, ["admin"]);
}

on_both!(members_know_their_person_and_come_back_and_what_is_limited_manages_nothing);
