//! The step that adds ways to sign in beside a password.

use super::super::query::run_script;
use super::*;

/// What takes everything away that the step has added, and puts back what it has replaced.
fn undone(transaction: &StoreTransaction) -> &'static str {
    match transaction {
        StoreTransaction::Sqlite(..) => {
            "DROP TABLE identities; DROP TABLE wallet_challenges; DROP TRIGGER sessions_of_active; \
            CREATE TRIGGER sessions_of_active BEFORE INSERT ON sessions \
                WHEN NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL) \
                BEGIN SELECT RAISE(ABORT, 'only an active account with a password is signed in to'); END; \
            DELETE FROM schema_steps WHERE name = '0013_identities';"
        }
        StoreTransaction::Postgres(..) => {
            "DROP TABLE identities; DROP TABLE wallet_challenges; DROP FUNCTION identities_of_active, identities_fixed, identities_last, \
                identities_end_sessions, identities_truncated, wallet_challenges_fixed; \
            CREATE OR REPLACE FUNCTION sessions_of_active() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                PERFORM 1 FROM accounts WHERE id = NEW.account_id AND state = 'active' AND password IS NOT NULL FOR SHARE; \
                IF NOT FOUND THEN RAISE EXCEPTION 'only an active account with a password is signed in to'; END IF; \
                RETURN NEW; END $$; \
            DELETE FROM schema_steps WHERE name = '0013_identities';"
        }
    }
}

async fn a_ledger_of_the_version_before_keeps_its_sessions_and_takes_identities(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let hash = |number: u8| match on {
        On::File => format!("x'{number:064x}'"),
        On::Server => format!("'\\x{number:064x}'"),
    };
    let back = format!(
        "{} INSERT INTO accounts (id, name, state, created_at, password) VALUES (4294967303, 'a', 'active', 1, '$argon2id$x'), \
            (4294967304, 'b', 'active', 1, NULL); \
        INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES ({}, 4294967303, 1, 1, 9)",
        undone(&transaction),
        hash(1)
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let session = |number, account| {
        let hash = hash(number);
        format!(
            "INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES ({hash}, {account}, 1, 1, 9);"
        )
    };
    let told = async |sql: String| {
        let mut transaction = store.begin().await.unwrap();
        let done = run_script((&mut transaction).into(), sqlx::AssertSqlSafe(sql)).await;
        if done.is_ok() {
            transaction.commit().await.unwrap();
        }
        done.map_err(|error| error.to_string())
    };
    // As a server of the version before signs in, beside this one.
    told(session(2, 4_294_967_303_i64)).await.unwrap();
    let refused = told(session(3, 4_294_967_304_i64)).await.unwrap_err();
    assert!(refused.contains("only an active account with a password or an identity"), "{refused}");
    let identity = "INSERT INTO identities VALUES (7, 4294967304, 'oidc', 'https://issuer.example', 's', 1, 1);";
    told(format!("{identity}{}", session(3, 4_294_967_304_i64))).await.unwrap();
    let refused = told("DELETE FROM identities WHERE id = 7".to_owned()).await.unwrap_err();
    assert!(refused.contains("the last way to sign in stays"), "{refused}");
}

on_both!(a_ledger_of_the_version_before_keeps_its_sessions_and_takes_identities);
