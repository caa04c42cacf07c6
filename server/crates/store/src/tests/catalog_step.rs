//! The step that adds what operators put on offer.

use super::super::query::run_script;
use super::*;

async fn a_ledger_of_the_version_before_takes_what_is_put_on_offer(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let functions = match &transaction {
        StoreTransaction::Sqlite(..) => "",
        StoreTransaction::Postgres(..) => {
            "DROP FUNCTION catalog_state_counts, catalog_versions_follow, alarms_fixed, ledger_jobs_end_once;"
        }
    };
    let back = format!(
        "DROP TABLE alarms; DROP TABLE ledger_jobs; DROP TABLE provider_secrets; DROP TABLE catalog_versions; \
        DROP TABLE catalog_state; {functions} DELETE FROM schema_steps WHERE name IN ('0007_catalog', '0008_upkeep'); \
        INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1)"
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let mut transaction = store.begin().await.unwrap();
    let offered = "UPDATE catalog_state SET revision = revision + 1; \
        INSERT INTO catalog_versions VALUES ('price', 'small', 1, '{}', 1, 'x'), ('price', 'large', 1, '{}', 1, 'x'); \
        INSERT INTO catalog_versions VALUES ('price', 'small', 2, NULL, 1, 'x')";
    run_script((&mut transaction).into(), offered).await.unwrap();
    transaction.commit().await.unwrap();
    let counted = query("SELECT count(*) FROM catalog_versions").fetch_one(store.readers()).await.unwrap();
    assert_eq!(counted.try_get::<i64>(0).unwrap(), 3);
}

on_both!(a_ledger_of_the_version_before_takes_what_is_put_on_offer);
