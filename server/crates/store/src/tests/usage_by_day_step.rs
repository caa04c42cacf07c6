//! The step that adds the index of usage by day.

use super::super::query::run_script;
use super::*;

#[tokio::test]
async fn usage_of_the_version_before_is_found_by_day_beside_its_servers() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    let mut transaction = store.begin().await.unwrap();
    // A server of the version before, which is up.
    let back = "DROP INDEX usage_days_by_day; DELETE FROM schema_steps WHERE name = '0009_usage_by_day'; \
        INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO nodes (epoch, name, started_at, seen_at, state) \
            VALUES (7, 'n', 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 'up'); \
        INSERT INTO usage_days SELECT 4294967303, n, 1, 'm', 1, 0, n, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0 FROM generate_series(1, 3) n";
    run_script((&mut transaction).into(), back).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let asked = "SELECT (SELECT CAST(sum(charged) AS BIGINT) FROM usage_days WHERE day >= 2), \
        (SELECT count(*) FROM pg_indexes WHERE indexname = 'usage_days_by_day')";
    let row = query(asked).fetch_one(store.readers()).await.unwrap();
    assert_eq!([0, 1].map(|column| row.try_get::<i64>(column).unwrap()), [5, 1]);
}

#[tokio::test]
async fn a_file_has_its_days_in_order_without_it() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let asked = "SELECT count(*) FROM schema_steps WHERE name = '0009_usage_by_day'";
    assert_eq!(query(asked).fetch_one(store.readers()).await.unwrap().try_get::<i64>(0).unwrap(), 0);
}
