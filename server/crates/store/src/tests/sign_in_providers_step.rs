//! The step that lets groups of a provider make members.

use super::super::query::run_script;
use super::*;

/// The script that takes this step and the later ones that build on it away, and puts back the rules that they have replaced.
pub(super) fn undone(transaction: &StoreTransaction) -> String {
    let later = [members_return_step::undone(transaction), members_kept_out_step::undone(transaction)];
    format!("{} {}", later.join(" "), own(transaction))
}

fn own(transaction: &StoreTransaction) -> &'static str {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            "DROP TRIGGER members_keep_issuer; DROP TRIGGER sessions_keep_issuer; DROP TRIGGER sessions_of_member; \
            DROP TRIGGER sessions_of_member_change; ALTER TABLE members DROP COLUMN lapsed; \
            ALTER TABLE members DROP COLUMN issuer; ALTER TABLE sessions DROP COLUMN issuer; \
            CREATE TRIGGER sessions_of_member BEFORE INSERT ON sessions WHEN NEW.member_id IS NOT NULL AND NOT EXISTS ( \
                SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active') \
                BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END; \
            CREATE TRIGGER sessions_of_member_change BEFORE UPDATE OF member_id ON sessions WHEN NEW.member_id IS NOT NULL \
                AND NOT EXISTS (SELECT 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active') \
                BEGIN SELECT RAISE(ABORT, 'a person acts for organisations of which it is a member'); END; \
            DELETE FROM schema_steps WHERE name = '0014_sign_in_providers';"
        }
        StoreTransaction::Postgres(..) => {
            "DROP FUNCTION members_keep_issuer, sessions_keep_issuer CASCADE; ALTER TABLE members DROP COLUMN lapsed; ALTER TABLE members DROP COLUMN issuer; \
            ALTER TABLE sessions DROP COLUMN issuer; \
            CREATE OR REPLACE FUNCTION sessions_of_member() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                PERFORM 1 FROM members WHERE id = NEW.member_id AND person_id = NEW.account_id AND state = 'active' FOR SHARE; \
                IF NOT FOUND THEN RAISE EXCEPTION 'a person acts for organisations of which it is a member'; END IF; \
                RETURN NEW; END $$; \
            DELETE FROM schema_steps WHERE name = '0014_sign_in_providers';"
        }
    }
}

async fn members_and_sessions_of_the_version_before_go_on_and_those_of_a_provider_act_by_it(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let hash = |number: u8| match on {
        On::File => format!("x'{number:064x}'"),
        On::Server => format!("'\\x{number:064x}'"),
    };
    let member = |id: i64, account: i64| {
        format!(
            "INSERT INTO budget_pools (id, account_id, kind, name, state, created_at) VALUES ({id}, {account}, 'member', 'a', 'active', 1); \
            INSERT INTO members (id, account_id, person_id, role, state, created_at) VALUES ({id}, {account}, 4294967303, 'admin', 'active', 1);"
        )
    };
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at, password) VALUES (4294967303, 'a', 'active', 1, '$argon2id$x'), \
            (4294967304, 'b', 'active', 1, NULL), (4294967305, 'c', 'active', 1, NULL); {} \
        INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at, member_id) VALUES ({}, 4294967303, 1, 1, 9, 5)",
        undone(&transaction),
        member(5, 4_294_967_304),
        hash(1)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let told = async |sql: String| {
        let mut transaction = store.begin().await.unwrap();
        let done = run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await;
        if done.is_ok() {
            transaction.commit().await.unwrap();
        }
        done.map_err(|error| error.to_string())
    };
    let session = |number, more: &str, values: &str| {
        let hash = hash(number);
        format!(
            "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at{more}) VALUES ({hash}, 4294967303, 1, 1, 9{values});"
        )
    };
    told(format!("{} UPDATE sessions SET member_id = 5;", session(2, "", ""))).await.unwrap();
    let made = member(6, 4_294_967_305).replace(
        "created_at) VALUES (6, 4294967305, 4294967303",
        "created_at, issuer) VALUES (6, 4294967305, 4294967303",
    );
    told(made.replace("'admin', 'active', 1)", "'admin', 'active', 1, 'https://i')")).await.unwrap();
    for (number, more, values) in [(3, ", member_id", ", 6"), (4, ", member_id, issuer", ", 6, 'https://j'")] {
        let refused = told(session(number, more, values)).await.unwrap_err();
        assert!(refused.contains("a person acts for organisations"), "{refused}");
    }
    told(session(5, ", member_id, issuer", ", 6, 'https://i'")).await.unwrap();
    let row = query("SELECT count(*) FROM sessions WHERE issuer IS NULL").fetch_one(store.readers()).await.unwrap();
    assert_eq!(row.try_get::<i64>(0).unwrap(), 2, "those of before are by no provider");
}

on_both!(members_and_sessions_of_the_version_before_go_on_and_those_of_a_provider_act_by_it);
