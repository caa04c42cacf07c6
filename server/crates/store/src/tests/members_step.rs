//! The step that adds members of organisations.

use super::super::query::run_script;
use super::*;

/// What takes everything away that the step has added, and the one after it that builds on it.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    format!("{} {}", sign_in_providers_step::undone(transaction), own(transaction))
}

fn own(transaction: &StoreTransaction) -> &'static str {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            "DROP TABLE invitations; DROP TRIGGER budget_pools_of_members; DROP TRIGGER sessions_of_member; \
            DROP TRIGGER sessions_of_member_change; DROP TABLE members; DROP INDEX sessions_by_member; \
            ALTER TABLE sessions DROP COLUMN member_id; ALTER TABLE accounts DROP COLUMN entered_id; DROP TRIGGER api_keys_of_member; \
            DROP TRIGGER api_keys_of_member_change; DROP TRIGGER api_keys_manage_no_more; ALTER TABLE api_keys DROP COLUMN manages; \
            DELETE FROM schema_steps WHERE name = '0012_members';"
        }
        StoreTransaction::Postgres(..) => {
            "DROP TABLE invitations; DROP TABLE members; DROP FUNCTION members_guard, invitations_guard, has_another_owner, \
                budget_pools_of_members, sessions_of_member, api_keys_manage CASCADE; \
            ALTER TABLE sessions DROP COLUMN member_id; ALTER TABLE accounts DROP COLUMN entered_id; \
            ALTER TABLE api_keys DROP COLUMN manages; DELETE FROM schema_steps WHERE name = '0012_members';"
        }
    }
}

async fn keys_and_sessions_of_the_version_before_go_on_and_take_members(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let hash = if matches!(on, On::File) { format!("x'{:064x}'", 7) } else { format!("'\\x{:064x}'", 7) };
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at, password) VALUES (4294967303, 'a', 'active', 1, '$argon2id$x'), \
            (4294967304, 'b', 'active', 1, NULL); \
        INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES ({hash}, 4294967303, 1, 1, 9); \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at) \
            VALUES (7, 4294967304, {hash}, 's', '', 'active', 1)",
        undone(&transaction)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let kept = "SELECT k.manages || ' ' || coalesce(s.member_id, 0) FROM api_keys k, sessions s";
    let row = query(kept).fetch_one(store.readers()).await.unwrap();
    assert_eq!(row.try_get::<String>(0).unwrap(), "1 0", "the key manages, and the session acts for the own account");
    let mut transaction = store.begin().await.unwrap();
    let joins = "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES (5, 4294967304, 'member', 'a', 'active', 1); \
        INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES (5, 4294967304, 4294967303, 'owner', 'active', 1); \
        UPDATE sessions SET member_id = 5; UPDATE api_keys SET member_id = 5";
    run_script((&mut transaction).into(), joins).await.unwrap();
    transaction.commit().await.unwrap();
    let row = query(kept).fetch_one(store.readers()).await.unwrap();
    assert_eq!(row.try_get::<String>(0).unwrap(), "0 5", "the key of a member manages nothing");
}

on_both!(keys_and_sessions_of_the_version_before_go_on_and_take_members);
