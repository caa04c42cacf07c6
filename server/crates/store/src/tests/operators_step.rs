//! The step that adds operators, and more of what the log of changes tells.

use super::super::query::run_script;
use super::*;

async fn a_ledger_of_the_version_before_keeps_its_log_and_takes_operators(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut transaction = store.begin().await.unwrap();
    let functions = match &transaction {
        StoreTransaction::Sqlite(..) => "",
        StoreTransaction::Postgres(..) => {
            "DROP FUNCTION operators_fixed, operator_sessions_of_active, operator_sessions_fixed, operators_end_sessions, \
            catalog_state_counts, catalog_versions_follow, alarms_fixed, ledger_jobs_end_once;"
        }
    };
    let columns = ["address", "reason", "value_before", "value_after"];
    let columns = columns.map(|column| format!("ALTER TABLE audit_log DROP COLUMN {column};")).concat();
    let back = format!(
        "DROP TABLE alarms; DROP TABLE ledger_jobs; DROP TABLE provider_secrets; DROP TABLE catalog_versions; \
        DROP TABLE catalog_state; DROP TABLE operator_sessions; DROP TABLE operators; {functions} DROP INDEX audit_log_by_subject; {columns} ALTER TABLE accounts DROP COLUMN note; DROP INDEX topup_order_by_time; \
        DELETE FROM schema_steps WHERE name IN ('0006_operators', '0007_catalog', '0008_upkeep'); \
        INSERT INTO accounts (id, name, state, created_at) VALUES (4294967303, 'a', 'active', 1); \
        INSERT INTO audit_log (at, actor, action, subject, detail) VALUES (7, 'operator', 'account.create', '4294967303', 'a')"
    );
    run_script((&mut transaction).into(), sqlx::AssertSqlSafe(back)).await.unwrap();
    migrate::bless(&mut transaction).await;
    transaction.commit().await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole);
    let mut transaction = store.begin().await.unwrap();
    let actor = tollgate_base::Actor { name: "operator ada", address: Some([192, 0, 2, 1].into()), reason: "asked to" };
    record(
        &mut transaction,
        &AuditEntry::new(8, actor, "account.change", "4294967303").change(Some("active"), "frozen"),
    )
    .await
    .unwrap();
    // A server of the version before goes on beside this one.
    let old = "INSERT INTO audit_log (at, actor, action, subject, detail) VALUES (9, 'x', 'y', '4294967303', '')";
    run_script((&mut transaction).into(), old).await.unwrap();
    transaction.commit().await.unwrap();
    let all = ChangeFilter {
        before: i64::MAX,
        since_ms: 0,
        until_ms: i64::MAX,
        actor: "",
        action: "",
        subject: "4294967303",
        limit: 9,
    };
    let lines = changes(store.readers(), &all).await.unwrap();
    let told: Vec<_> =
        lines.iter().map(|it| (it.at_ms, it.address.as_deref(), &*it.reason, it.after.as_deref())).collect();
    let changed = (8, Some("192.0.2.1"), "asked to", Some("frozen"));
    assert_eq!(told, [(9, None, "", None), changed, (7, None, "", None)]);
    for (filter, found) in [
        (ChangeFilter { actor: "operator", ..all }, vec![7]),
        (ChangeFilter { action: "account.change", ..all }, vec![8]),
        (ChangeFilter { since_ms: 8, until_ms: 9, ..all }, vec![8]),
        (ChangeFilter { before: lines[1].id, ..all }, vec![7]),
        (ChangeFilter { limit: 1, ..all }, vec![9]),
        (ChangeFilter { subject: "1", ..all }, vec![]),
    ] {
        let lines = changes(store.readers(), &filter).await.unwrap();
        assert_eq!(lines.iter().map(|line| line.at_ms).collect::<Vec<_>>(), found, "{filter:?}");
    }
}

on_both!(a_ledger_of_the_version_before_keeps_its_log_and_takes_operators);
