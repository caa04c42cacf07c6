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

/// Three that groups had made members: one has left, one has come back, one was brought back by another provider.
async fn who_could_come_back_before_can_be_kept_out(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let pools: Vec<_> = (1..=5).map(|id| format!("({id}, 4294967303, 'member', 'p{id}', 'active', 1)")).collect();
    let member = |id: i64, person: i64, issuer: &str, created_at: i64| {
        format!(
            "INSERT INTO members (id, account_id, person_id, role, state, created_at, issuer) \
                VALUES ({id}, 4294967303, {person}, 'viewer', 'active', {created_at}, '{issuer}');"
        )
    };
    let leaves = |id: i64| {
        format!(
            "UPDATE budget_pools SET state = 'closed' WHERE id = {id}; \
            UPDATE members SET state = 'left', left_at = 5, lapsed = 1 WHERE id = {id};"
        )
    };
    let (gone, back, elsewhere) = (4_294_967_304, 4_294_967_305, 4_294_967_306);
    let back = [
        undone(&transaction),
        "INSERT INTO accounts (id, name, state, created_at, password) VALUES (4294967303, 'o', 'active', 1, '$argon2id$x'), \
            (4294967304, 'a', 'active', 1, NULL), (4294967305, 'b', 'active', 1, NULL), (4294967306, 'c', 'active', 1, NULL);"
            .to_owned(),
        format!("INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES {};", pools.join(", ")),
        [(1, gone), (2, back), (3, elsewhere)].map(|(id, person)| member(id, person, "https://i", 1) + &leaves(id)).concat(),
        member(4, back, "https://i", 5),
        member(5, elsewhere, "https://j", 5),
    ];
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back.concat())).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let lapsed = async || {
        let rows =
            query("SELECT id FROM members WHERE lapsed = 1 ORDER BY id").fetch_all(store.readers()).await.unwrap();
        rows.iter().map(|row| row.try_get::<i64>(0).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(lapsed().await, [1, 3], "the groups of that provider bring back whoever has not come by them since");
    let run = async |sql: &'static str| {
        let mut transaction = store.begin().await.unwrap();
        run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await.unwrap();
        transaction.commit().await.unwrap();
    };
    run("UPDATE members SET lapsed = 0 WHERE id = 1").await;
    assert_eq!(lapsed().await, [3]);
}

on_both!(who_could_come_back_before_can_be_kept_out);
