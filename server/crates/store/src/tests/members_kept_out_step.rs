//! The step that lets members be kept out whom groups could bring back.

use super::super::query::run_script;
use super::weekly_budgets_of_keys_step::part;
use super::*;

/// The script that puts back the rule that the step has replaced.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    let rule = match transaction {
        StoreTransaction::Sqlite(..) => {
            let members = include_str!("../../migrations/sqlite/0012_members.sql");
            format!("DROP TRIGGER members_fixed; {}", part(members, "CREATE TRIGGER members_fixed ", "'); END;"))
        }
        StoreTransaction::Postgres(..) => {
            let members = include_str!("../../migrations/postgres/0012_members.sql");
            let rule = part(members, "CREATE FUNCTION members_guard()", "END $$;");
            rule.replacen("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1)
        }
    };
    format!("{rule} DELETE FROM schema_steps WHERE name = '0018_members_kept_out';")
}

async fn who_could_come_back_before_can_be_kept_out(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let back = format!(
        "{} {} INSERT INTO accounts (id, name, state, created_at, password) VALUES (4294967303, 'o', 'active', 1, '$argon2id$x'), \
            (4294967304, 'a', 'active', 1, NULL); \
        INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (1, 4294967303, 'member', 'p', 'active', 1); \
        INSERT INTO members (id, account_id, person_id, role, state, created_at, issuer) \
            VALUES (1, 4294967303, 4294967304, 'viewer', 'active', 1, 'https://i'); \
        UPDATE budget_pools SET state = 'closed' WHERE id = 1; \
        UPDATE members SET state = 'left', left_at = 5, lapsed = 1 WHERE id = 1;",
        members_return_step::undone(&transaction),
        undone(&transaction)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let run = async |sql: &'static str| {
        let mut transaction = store.begin().await.unwrap();
        run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await.map_err(|error| error.to_string())?;
        transaction.commit().await.map_err(|error| error.to_string())
    };
    let refused = async |sql| {
        let refused = run(sql).await.unwrap_err();
        assert!(refused.contains("who has left stays away"), "{sql}: {refused}");
    };
    refused("UPDATE members SET lapsed = 0, left_at = 9 WHERE id = 1").await;
    refused("UPDATE members SET lapsed = 0, role = 'admin' WHERE id = 1").await;
    run("UPDATE members SET lapsed = 0 WHERE id = 1").await.unwrap();
    refused("UPDATE members SET lapsed = 1 WHERE id = 1").await;
    let row = query("SELECT lapsed FROM members").fetch_one(store.readers()).await.unwrap();
    assert_eq!(row.try_get::<i64>(0).unwrap(), 0);
}

on_both!(who_could_come_back_before_can_be_kept_out);
