//! Opening, locking and upgrading the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use sqlx::{Connection, Row};
use tempfile::TempDir;

mod catalog_step;
mod control_writer;
mod database_clock;
mod identities_step;
mod keys_of_videos_step;
mod members_kept_out_step;
mod members_return_step;
mod members_step;
mod operators_step;
mod pool_sets_step;
mod pooled_step;
mod responses_apart;
mod rules_by_fewer_statements_step;
mod sign_in_providers_step;
mod tags_step;
mod upkeep_step;
mod usage_by_day_step;
mod weekly_budgets_of_keys_step;

use super::testing::*;
use super::*;

/// The file of a store that is one.
fn file(config: &StoreConfig) -> &Path {
    let StoreConfig::Sqlite { path } = config else { panic!("a file is asked for") };
    path
}

fn clock() -> Clock {
    Clock::manual(1_000).0
}

#[tokio::test]
async fn the_folder_and_its_files_are_their_owners_alone() {
    let folder = TempDir::new().unwrap();
    let config = StoreConfig::Sqlite { path: folder.path().join("data/tollgate.db") };
    let store = Store::open(&config, &clock()).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let _lock = ServeLock::take(&config).unwrap();
    store.begin().await.unwrap().commit().await.unwrap();
    assert_eq!(mode(file(&config).parent().unwrap()), 0o700);
    for end in ["", "-wal", "-shm", ".lock"] {
        assert_eq!(mode(&PathBuf::from(format!("{}{end}", file(&config).display()))), 0o600, "{end}");
    }
}

#[tokio::test]
async fn a_second_server_is_refused_and_told_which_file() {
    let (_folder, config, _store) = temporary(&clock()).await;
    let first = ServeLock::take(&config).unwrap();
    let refused = ServeLock::take(&config).unwrap_err();
    assert!(matches!(&refused, StoreError::AlreadyServed { path, .. } if *path == file(&config)));
    assert!(refused.to_string().contains("tollgate.db"), "{refused}");
    drop(first);
    ServeLock::take(&config).unwrap();
}

#[tokio::test]
async fn a_second_server_is_refused_by_whatever_name_it_comes() {
    let (folder, config, store) = temporary(&clock()).await;
    let at = |path: &str| StoreConfig::Sqlite { path: folder.path().join(path) };
    std::os::unix::fs::symlink(folder.path().join("data"), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(file(&config), folder.path().join("other.db")).unwrap();
    let lock = ServeLock::take(&config).unwrap();
    for name in ["link/tollgate.db", "other.db", "data/../data/./tollgate.db"] {
        assert!(matches!(ServeLock::take(&at(name)), Err(StoreError::AlreadyServed { .. })), "{name}");
        let opened = Store::open(&at(name), &clock()).await.unwrap();
        assert_eq!((opened.path(), lock.path()), (store.path(), store.path()), "{name}");
    }
    assert!(!folder.path().join("other.db.lock").exists());
    // A name that is as real as the first, and has a log and a lock of its own.
    fs::hard_link(file(&config), folder.path().join("twin.db")).unwrap();
    assert!(matches!(ServeLock::take(&at("twin.db")), Err(StoreError::AlreadyServed { .. })));
    drop(lock);
    // A name that leads nowhere is no database.
    std::os::unix::fs::symlink(folder.path().join("nowhere.db"), folder.path().join("dangling.db")).unwrap();
    assert!(matches!(ServeLock::take(&at("dangling.db")), Err(StoreError::Resolve { .. })));
}

#[tokio::test]
async fn every_connection_is_durable_and_checks_what_it_writes() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let mut attacker = store.connect_attacker().await;
    let mut desk = store.begin().await.unwrap();
    let mut reader = store.file_readers().acquire().await.unwrap();
    let expected = [
        ("PRAGMA journal_mode", "wal"),
        ("PRAGMA synchronous", "2"),
        ("PRAGMA foreign_keys", "1"),
        ("PRAGMA recursive_triggers", "1"),
        ("PRAGMA busy_timeout", "4000"),
        ("PRAGMA temp_store", "2"),
        ("PRAGMA wal_autocheckpoint", "4096"),
    ];
    for connection in [&mut attacker, desk.file(), &mut *reader] {
        for (pragma, expected) in expected {
            let row = sqlx::query(pragma).fetch_one(&mut *connection).await.unwrap();
            let found =
                row.try_get::<String, _>(0).or_else(|_| row.try_get::<i64, _>(0).map(|number| number.to_string()));
            assert_eq!(found.unwrap(), expected, "{pragma}");
        }
    }
    let WriterPlace::File(file, _) = store.writer() else { panic!("a file") };
    let writer = file.connect().unwrap();
    for (pragma, expected) in expected {
        let found = writer.query_row(pragma, [], |row| row.get::<_, rusqlite::types::Value>(0)).unwrap();
        let (text, number) = (expected.to_owned().into(), expected.parse::<i64>().map(Into::into));
        assert!(found == text || Ok(found) == number, "{pragma}");
    }
    assert!(sqlx::query("DELETE FROM nodes").execute(&mut *reader).await.is_err(), "readers do not write");
}

#[tokio::test]
async fn a_transaction_that_is_dropped_leaves_nothing_and_no_lock() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let count = async || {
        sqlx::query("SELECT count(*) FROM audit_log").fetch_one(store.file_readers()).await.unwrap().get::<i64, _>(0)
    };
    let entry = AuditEntry::new(1, "test", "test.act", "1");
    let mut transaction = store.begin().await.unwrap();
    record(&mut transaction, &entry).await.unwrap();
    drop(transaction);
    assert_eq!(count().await, 0);
    let mut transaction = store.begin().await.unwrap();
    record(&mut transaction, &entry).await.unwrap();
    transaction.commit().await.unwrap();
    assert_eq!(count().await, 1);
}

#[tokio::test]
async fn opening_again_changes_nothing_and_takes_no_lock() {
    let (_folder, config, store) = temporary(&clock()).await;
    let _busy = store.begin().await.unwrap();
    // Whoever needs the lock waits for so long.
    let again = timeout(sqlite::BUSY_TIMEOUT, Store::open(&config, &clock())).await;
    again.expect("a writer does not keep others from opening").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_may_open_a_file_that_is_not_there_yet() {
    for _ in 0..5 {
        let folder = TempDir::new().unwrap();
        let config = StoreConfig::Sqlite { path: folder.path().join("data/tollgate.db") };
        let clock = clock();
        for opened in futures_util::future::join_all((0..8).map(|_| Store::open(&config, &clock))).await {
            opened.unwrap().begin().await.unwrap().commit().await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_step_that_was_changed_or_is_unknown_stops_the_opening() {
    let (_folder, config, store) = temporary(&clock()).await;
    let mut writer = store.connect_attacker().await;
    sqlx::raw_sql("INSERT INTO schema_steps VALUES ('0009_tomorrow', x'00', 1)").execute(&mut writer).await.unwrap();
    let newer = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(&newer, StoreError::Newer { step } if step == "0009_tomorrow"));
    sqlx::raw_sql("DELETE FROM schema_steps WHERE name = '0009_tomorrow'; UPDATE schema_steps SET sha256 = x'00' WHERE name = '0001_accounts'")
        .execute(&mut writer)
        .await
        .unwrap();
    let changed = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(changed, StoreError::StepChanged { step: "0001_accounts" }));
    writer.close().await.unwrap();
}

/// Servers of the version before are up, start, or have been silent for long, and the step is one that would break them.
#[tokio::test]
async fn a_step_waits_until_no_server_is_up_that_it_breaks() {
    const STEP: &str = "0005_responses_apart";
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let run = async |other: &mut sqlx::PgConnection, sql: &str| {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(other).await.unwrap();
    };
    let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
    let up = |epoch: i64, seen_at: &str| {
        format!(
            "INSERT INTO nodes (epoch, name, started_at, seen_at, state) VALUES ({epoch}, 'n{epoch}', 1, {seen_at}, 'up')"
        )
    };
    responses_apart::before_the_step(&store).await;
    run(&mut other, &up(77, now)).await;
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::OthersUp { step: STEP, servers: 1 }), "{refused}");

    // It has ended, and another one is about to start.
    run(&mut other, "UPDATE nodes SET state = 'gone'").await;
    run(&mut other, &format!("BEGIN; {}", up(78, now))).await;
    let clock = clock();
    let upgrade = async {
        loop {
            match Store::open(&config, &clock).await {
                // The lock was asked for in vain for its time.
                Err(error) if !matches!(error, StoreError::OthersUp { .. }) => {}
                outcome => break outcome,
            }
        }
    };
    let (upgrade, ()) = tokio::join!(upgrade, async {
        let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'nodes'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted";
        while sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut other).await.unwrap() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        run(&mut other, "COMMIT").await;
    });
    let refused = upgrade.unwrap_err();
    assert!(matches!(refused, StoreError::OthersUp { step: STEP, servers: 1 }), "{refused}");

    // It has been silent since, and is no server any more when it comes back.
    run(&mut other, &format!("UPDATE nodes SET seen_at = {now} - 60001 WHERE epoch = 78")).await;
    Store::open(&config, &clock).await.unwrap();
    let left =
        sqlx::query_scalar::<_, i64>("SELECT count(*) FROM nodes WHERE state = 'up'").fetch_one(&mut other).await;
    assert_eq!(left.unwrap(), 0);
}

#[tokio::test]
async fn machine_triggers_are_replaced_when_their_text_has_changed() {
    let (_folder, config, store) = temporary(&clock()).await;
    let mut writer = store.connect_attacker().await;
    let kept = "SELECT hex(sha256) FROM schema_steps WHERE name = 'machines'";
    let before: String = sqlx::query(kept).fetch_one(&mut writer).await.unwrap().get(0);
    let of_old = "CREATE TRIGGER machine_of_old AFTER INSERT ON nodes BEGIN SELECT 1; END; UPDATE schema_steps SET sha256 = x'00' WHERE name = 'machines'";
    sqlx::raw_sql(of_old).execute(&mut writer).await.unwrap();
    migrate::bless(&mut writer).await;
    Store::open(&config, &clock()).await.unwrap();
    let left = "SELECT count(*) FROM sqlite_schema WHERE name = 'machine_of_old'";
    assert_eq!(
        sqlx::query(left).fetch_one(&mut writer).await.unwrap().get::<i64, _>(0),
        0,
        "a machine that is gone takes its rules along"
    );
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
    let after: String = sqlx::query(kept).fetch_one(&mut writer).await.unwrap().get(0);
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_rule_that_was_taken_away_shows() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let mut writer = store.connect_attacker().await;
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
    sqlx::raw_sql("DROP TRIGGER transfers_no_update").execute(&mut writer).await.unwrap();
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Altered);
}

/// Tables, steps and accounts: what is there of a ledger.
const WHAT_IS_THERE: SqlText = SqlText::of(
    "SELECT 'table ' || name FROM sqlite_schema UNION ALL SELECT 'step ' || name || ' ' || applied_at FROM schema_steps \
        UNION ALL SELECT 'account ' || name FROM accounts ORDER BY 1",
    "SELECT 'table ' || relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
        UNION ALL SELECT 'step ' || name || ' ' || applied_at FROM schema_steps \
        UNION ALL SELECT 'account ' || name FROM accounts ORDER BY 1",
);

/// A ledger with the steps of builds from before the first release, without a table that only later ones have.
async fn a_ledger_of_an_earlier_build_is_refused_and_not_changed(on: On) {
    let (_folder, config, store) = temporary_on(on, &clock()).await;
    let mut writing = store.begin().await.unwrap();
    for made in ["DELETE FROM schema_steps", "DROP TABLE carried"] {
        query(made).execute(&mut writing).await.unwrap();
    }
    for step in ["0001_ledger", "0002_responses", "0036_order_tokens", "machines", "schema"] {
        let kept = query("INSERT INTO schema_steps (name, sha256, applied_at) VALUES ($1, $2, 1)");
        kept.bind(step).bind(&[7_u8; 32][..]).execute(&mut writing).await.unwrap();
    }
    let account = "INSERT INTO accounts (id, name, state, created_at) VALUES (4294967296, 'one', 'active', 1)";
    query(account).execute(&mut writing).await.unwrap();
    writing.commit().await.unwrap();
    let what_is_there = async || {
        let rows = query(WHAT_IS_THERE).fetch_all(store.readers()).await.unwrap();
        rows.iter().map(|row| row.try_get(0).unwrap()).collect::<Vec<String>>()
    };
    let before = what_is_there().await;
    assert!(before.contains(&"step 0001_ledger 1".to_owned()) && before.contains(&"account one".to_owned()));
    let mode = LedgerMode::Production;
    let refused = [
        Store::open(&config, &clock()).await.map(drop).unwrap_err(),
        Store::open_in(&config, mode, &clock()).await.map(drop).unwrap_err(),
        Store::open_to_serve(&config, mode, &clock()).await.map(drop).unwrap_err(),
        Store::peek(&config).await.map(drop).unwrap_err(),
    ];
    for refused in refused {
        assert!(matches!(refused, StoreError::Unreleased), "{refused:?}");
        assert!(refused.to_string().contains("from before the first release, and there is no upgrade"), "{refused}");
    }
    assert_eq!(what_is_there().await, before);
}

#[tokio::test]
async fn what_was_altered_by_hand_is_not_upgraded() {
    let (_folder, config, store) = temporary(&clock()).await;
    let mut writer = store.connect_attacker().await;
    let guard: String = sqlx::query("SELECT sql FROM sqlite_schema WHERE name = 'transfers_no_update'")
        .fetch_one(&mut writer)
        .await
        .unwrap()
        .get(0);
    // The machines' text is another one in this program: there is something to upgrade.
    let altered = "DROP TRIGGER transfers_no_update; UPDATE schema_steps SET sha256 = x'00' WHERE name = 'machines'";
    sqlx::raw_sql(altered).execute(&mut writer).await.unwrap();
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Altered), "{refused}");
    assert!(refused.to_string().contains("undo the change or restore a backup"), "{refused}");
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Altered, "nothing was blessed");
    sqlx::raw_sql(sqlx::AssertSqlSafe(guard)).execute(&mut writer).await.unwrap();
    Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
}

#[tokio::test]
async fn errors_are_told_apart() {
    let (_folder, _config, store) = temporary(&clock()).await;
    let mut writer = store.connect_attacker().await;
    let fault = async |connection: &mut SqliteConnection, sql: &'static str| {
        ErrorClass::of(&sqlx::raw_sql(sql).execute(connection).await.map(drop).unwrap_err())
    };
    assert_eq!(
        fault(&mut writer, "INSERT INTO nodes VALUES (1, 'a', 1, 1, 'sideways', NULL)").await,
        ErrorClass::Refused
    );
    assert_eq!(
        fault(&mut writer, "INSERT INTO nodes VALUES ('one', 'a', 1, 1, 'up', NULL)").await,
        ErrorClass::Refused
    );
    assert_eq!(
        fault(&mut writer, "INSERT INTO holds VALUES (1)").await,
        ErrorClass::Lost,
        "a mistake of ours is not a passing one"
    );
    sqlx::raw_sql("PRAGMA busy_timeout = 0").execute(&mut writer).await.unwrap();
    let _busy = store.begin().await.unwrap();
    assert_eq!(fault(&mut writer, "BEGIN IMMEDIATE").await, ErrorClass::Passing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_may_open_a_database_that_is_empty_yet() {
    let (_folder, config, first) = temporary_on_server(&clock()).await;
    first.close().await;
    let StoreConfig::Postgres { address, folder, .. } = config else { panic!("a server") };
    let config = StoreConfig::Postgres { address, schema: "tollgate_sandbox", folder };
    let clock = clock();
    for opened in futures_util::future::join_all((0..8).map(|_| Store::open(&config, &clock))).await {
        opened.unwrap().begin().await.unwrap().commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_role_that_may_not_use_the_schema_is_let_in_nowhere() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let StoreConfig::Postgres { address, schema, folder } = config else { panic!("a server") };
    let role = format!("of_{}", address.0.get_database().unwrap());
    let make = sqlx::AssertSqlSafe(format!("CREATE ROLE {role} LOGIN"));
    sqlx::raw_sql(make).execute(&mut server.connect().await.unwrap()).await.unwrap();
    let address = Box::new(ServerAddress(address.0.username(&role)));
    let refused = Store::open(&StoreConfig::Postgres { address, schema, folder }, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::SchemaForbidden { schema: "tollgate", .. }), "{refused}");
}

/// The trigger as the schema has it.
const USAGE_RULE: &str = "CREATE TRIGGER receipts_usage AFTER INSERT ON receipts REFERENCING NEW TABLE AS added \
    FOR EACH STATEMENT EXECUTE FUNCTION receipts_usage()";

#[tokio::test]
async fn a_server_s_schema_is_known_again_and_what_was_altered_shows() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    store.prove_writable().await.unwrap();
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut attacker = server.connect().await.unwrap();
    // Months come and go, and are no change; their rule stays.
    sqlx::raw_sql("SELECT receipts_month(1798761600000)").execute(&mut attacker).await.unwrap();
    for (attack, undo) in [
        (
            "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only",
            "ALTER TABLE transfers ENABLE TRIGGER transfers_append_only",
        ),
        ("ALTER TABLE holds DISABLE TRIGGER ALL", "ALTER TABLE holds ENABLE TRIGGER ALL"),
        (
            "ALTER TABLE receipts_other DISABLE TRIGGER receipts_through_table",
            "ALTER TABLE receipts_other ENABLE TRIGGER receipts_through_table",
        ),
        (
            "ALTER TABLE receipts_2027_01 DISABLE TRIGGER receipts_through_table",
            "ALTER TABLE receipts_2027_01 ENABLE TRIGGER receipts_through_table",
        ),
        ("DROP TRIGGER receipts_usage ON receipts", USAGE_RULE),
        (
            "ALTER FUNCTION receipts_resolve() RESET enable_seqscan",
            "ALTER FUNCTION receipts_resolve() RESET ALL; ALTER FUNCTION receipts_resolve() SET enable_seqscan = off; \
                ALTER FUNCTION receipts_resolve() SET enable_hashjoin = off; ALTER FUNCTION receipts_resolve() SET enable_mergejoin = off",
        ),
        ("ALTER TABLE balances ALTER COLUMN held DROP NOT NULL", "ALTER TABLE balances ALTER COLUMN held SET NOT NULL"),
        ("CREATE RULE r AS ON INSERT TO audit_log DO INSTEAD NOTHING", "DROP RULE r ON audit_log"),
    ] {
        assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Whole, "{attack}");
        sqlx::raw_sql(attack).execute(&mut attacker).await.unwrap();
        assert_eq!(schema_state(store.readers()).await.unwrap(), SchemaState::Altered, "{attack}");
        sqlx::raw_sql(undo).execute(&mut attacker).await.unwrap();
    }
    Store::open(&config, &clock()).await.unwrap();
    let written = query("DELETE FROM schema_steps").execute(store.readers()).await;
    assert!(written.unwrap_err().to_string().contains("read-only"));
    let changed = "UPDATE schema_steps SET sha256 = '\\x00' WHERE name = '0001_accounts'";
    sqlx::raw_sql(changed).execute(&mut attacker).await.unwrap();
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::StepChanged { step: "0001_accounts" }), "{refused}");
}

#[tokio::test]
async fn errors_of_a_server_are_told_apart() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let (mut one, mut other) = (server.connect().await.unwrap(), server.connect().await.unwrap());
    for (text, expected) in [
        ("INSERT INTO nodes VALUES (1, 'a', 1, 1, 'sideways', NULL)", ErrorClass::Refused),
        (
            "INSERT INTO receipts (hold_id, account_id, key_id, request_id, held, model, stream, price_id, ratio_ppm, created_at, \
                expires_at, state, cost, shortfall, rule, resolved_at) \
                VALUES (1, 1, 1, 'x', 0, 'm', 0, 1, 1, 1, 2, 'released', 0, 0, 'x', 1)",
            ErrorClass::Refused,
        ),
        ("INSERT INTO nodes VALUES (99999999999999999999, 'a', 1, 1, 'up')", ErrorClass::Refused),
        ("SELECT nothing", ErrorClass::Lost),
        ("SET statement_timeout = 10; SELECT pg_sleep(5)", ErrorClass::Passing),
    ] {
        let error = sqlx::raw_sql(text).execute(&mut one).await.unwrap_err();
        assert_eq!(ErrorClass::of_server(&error), expected, "{text}: {error}");
    }
    sqlx::raw_sql("BEGIN; LOCK TABLE nodes").execute(&mut other).await.unwrap();
    let error =
        sqlx::raw_sql("SET statement_timeout = 0; SET lock_timeout = 10; LOCK TABLE nodes").execute(&mut one).await;
    assert_eq!(ErrorClass::of_server(&error.unwrap_err()), ErrorClass::Passing);
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sqlx::raw_sql(cut).execute(&mut other).await.unwrap();
    let error = sqlx::raw_sql("SELECT 1").execute(&mut one).await.unwrap_err();
    assert_eq!(ErrorClass::of_server(&error), ErrorClass::Lost, "{error}");
}

on_both!(a_ledger_of_an_earlier_build_is_refused_and_not_changed, a_text_with_a_nul_in_it_is_a_text_that_is_not_there);

async fn a_text_with_a_nul_in_it_is_a_text_that_is_not_there(on: On) {
    let (_folder, _config, store) = temporary_on(on, &clock()).await;
    let asked = query("SELECT 1 FROM schema_steps WHERE name = $1").bind("a\0b");
    assert!(asked.fetch_optional(store.readers()).await.unwrap().is_none());
}

#[tokio::test]
async fn a_database_in_an_encoding_without_every_letter_is_refused() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let name: String = sqlx::query("SELECT current_database()").fetch_one(&mut other).await.unwrap().get(0);
    let ascii = format!("{name}_ascii");
    let make = format!("CREATE DATABASE {ascii} TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
    sqlx::raw_sql(sqlx::AssertSqlSafe(make)).execute(&mut other).await.unwrap();
    let StoreConfig::Postgres { address, schema, folder } = config else { panic!("a server") };
    let config = StoreConfig::Postgres { address: Box::new(ServerAddress(address.0.database(&ascii))), schema, folder };
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(&refused, StoreError::Encoding { encoding, .. } if encoding == "SQL_ASCII"), "{refused}");
}

#[tokio::test]
async fn what_is_set_on_the_server_later_changes_no_connection_of_ours() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let name: String = sqlx::query("SELECT current_database()").fetch_one(&mut other).await.unwrap().get(0);
    for set in ["synchronous_commit = off", "default_transaction_isolation = serializable"] {
        let alter = sqlx::AssertSqlSafe(format!("ALTER DATABASE {name} SET {set}"));
        sqlx::raw_sql(alter).execute(&mut other).await.unwrap();
    }
    let asked = "SELECT current_setting('synchronous_commit'), current_setting('transaction_isolation')";
    let found = sqlx::query(asked).fetch_one(&mut server.connect().await.unwrap()).await.unwrap();
    assert_eq!((found.get(0), found.get(1)), ("on", "read committed"));
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Forgetful { .. }), "{refused}");
}
