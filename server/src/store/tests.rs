//! Opening, locking and upgrading the file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use sqlx::{Connection, Row};
use tempfile::TempDir;

#[allow(dead_code, reason = "the tests from outside use more of it")]
#[path = "../../../tests/src/postgres.rs"]
mod server;

use super::*;

/// A store in a folder of its own, for the tests of any room. The folder goes with the guard.
pub(crate) async fn temporary(clock: &Clock) -> (TempDir, StoreConfig, Store) {
    let folder = TempDir::new().unwrap();
    let config = StoreConfig::Sqlite { path: folder.path().join("data/tollgate.db") };
    let store = Store::open(&config, clock).await.unwrap();
    (folder, config, store)
}

/// Which of the two a test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    File,
    Server,
}

/// Runs the same tests on a file and on a server.
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {
        on_both!(#[tokio::test] $($test),+);
    };
    (#[$kind:meta] $($test:ident),+ $(,)?) => {
        mod on_file {
            $(#[$kind]
            async fn $test() {
                super::$test(crate::store::tests::On::File).await;
            })+
        }

        mod on_server {
            $(#[$kind]
            async fn $test() {
                super::$test(crate::store::tests::On::Server).await;
            })+
        }
    };
}
pub(crate) use on_both;

/// A store on whichever it is.
pub(crate) async fn temporary_on(on: On, clock: &Clock) -> (TempDir, StoreConfig, Store) {
    match on {
        On::File => temporary(clock).await,
        On::Server => temporary_on_server(clock).await,
    }
}

/// A store in a database of its own on a PostgreSQL server that is made for the tests.
async fn temporary_on_server(clock: &Clock) -> (TempDir, StoreConfig, Store) {
    let folder = TempDir::new().unwrap();
    let url = tokio::task::spawn_blocking(|| server::Postgres::shared().database()).await.unwrap();
    let address = Box::new(url.parse().unwrap());
    let config = StoreConfig::Postgres { address, schema: "tollgate", folder: folder.path().join("data") };
    let store = Store::open(&config, clock).await.unwrap();
    (folder, config, store)
}

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
    let (_folder, config, store) = temporary(&clock()).await;
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
    let entry = Entry { at_ms: 1, actor: "test", action: "test.act", subject: "1", detail: "" };
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
    sqlx::raw_sql("DELETE FROM schema_steps WHERE name = '0009_tomorrow'; UPDATE schema_steps SET sha256 = x'00' WHERE name = '0001_ledger'")
        .execute(&mut writer)
        .await
        .unwrap();
    let changed = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(changed, StoreError::StepChanged { step: "0001_ledger" }));
    writer.close().await.unwrap();
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

#[tokio::test]
async fn a_file_of_an_earlier_program_is_upgraded_with_what_is_in_it() {
    let folder = TempDir::new().unwrap();
    let config = StoreConfig::Sqlite { path: folder.path().join("tollgate.db") };
    sqlite::create_file(file(&config)).unwrap();
    let mut writer = sqlite::attacker(file(&config)).await;
    migrate::make_as_of(&mut writer, 2).await;
    let rows = "INSERT INTO accounts VALUES (4294967296, 'a', 'active', 1), (4294967297, 'b', 'active', 1);
        INSERT INTO stored_responses VALUES (4294967296, 'r1', 1, 2, 'm', '[]', 'é'), (4294967296, 'r2', 1, 2, 'm', '', '');
        INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 4294967296, 7, 'k', 'x', 1)";
    sqlx::raw_sql(rows).execute(&mut writer).await.unwrap();
    let overdraft = "INSERT OR IGNORE INTO transfers (kind, debit, credit, amount, idem, actor, created_at)
        VALUES ('adjust', 4294967296, 4294967297, 8, 'l', 'x', 1)";
    sqlx::raw_sql("BEGIN").execute(&mut writer).await.unwrap();
    sqlx::raw_sql(overdraft).execute(&mut writer).await.expect("what the earlier rules let through");
    sqlx::raw_sql("ROLLBACK").execute(&mut writer).await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
    let counted =
        sqlx::query("SELECT account_id, bytes FROM stored_bytes").fetch_all(store.file_readers()).await.unwrap();
    let counted: Vec<(i64, i64)> = counted.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(counted, [(4_294_967_296, 7 + 3)]);
    assert!(sqlx::raw_sql(overdraft).execute(&mut writer).await.is_err());
}

/// What a program had that knew no price for writing to a cache: a hold that it left, and one that it had charged.
#[tokio::test]
async fn receipts_of_an_earlier_program_have_nothing_written_to_a_cache() {
    let folder = TempDir::new().unwrap();
    let config = StoreConfig::Sqlite { path: folder.path().join("tollgate.db") };
    sqlite::create_file(file(&config)).unwrap();
    let mut writer = sqlite::attacker(file(&config)).await;
    migrate::make_as_of(&mut writer, 3).await;
    let rows = "INSERT INTO accounts VALUES (4294967296, 'a', 'active', 1);
        INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) VALUES ('promo', 2, 4294967296, 900, 'k', 'x', 1);
        INSERT INTO holds VALUES (1, 4294967296, 7, 'r1', 300, 'held', 'm', 0, 150, 75, 600, 'v', 1, 1, 2),
            (2, 4294967296, 7, 'r2', 300, 'held', 'm', 0, 150, 75, 600, 'v', 1, 1, 2);
        INSERT INTO receipts (hold_id, state, cost, shortfall, rule, prompt, cached, completion, reasoning, estimated, resolved_at)
            VALUES (1, 'settled', 2, 0, 'reported', 10, 4, 1, 0, 0, 1)";
    sqlx::raw_sql(rows).execute(&mut writer).await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
    let kept = "SELECT h.id, h.price_cache_write IS NULL AND h.price_cache_write_long IS NULL, r.prompt, r.cache_write, r.cache_write_long
        FROM holds h LEFT JOIN receipts r ON r.hold_id = h.id ORDER BY h.id";
    let kept = sqlx::query(kept).fetch_all(store.file_readers()).await.unwrap();
    type Row = (i64, bool, Option<i64>, Option<i64>, Option<i64>);
    let kept: Vec<Row> = kept.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3), row.get(4))).collect();
    assert_eq!(kept, [(1, true, Some(10), Some(0), Some(0)), (2, true, None, None, None)]);
    let summed = "SELECT account_id, day, key_id, model, requests, charged, prompt, completion FROM usage_days";
    let summed = sqlx::query(summed).fetch_all(store.file_readers()).await.unwrap();
    type Sums = (i64, i64, i64, String, i64, i64, i64, i64);
    let sums = |row: &sqlx::sqlite::SqliteRow| {
        (row.get(0), row.get(1), row.get(2), row.get(3), row.get(4), row.get(5), row.get(6), row.get(7))
    };
    let summed: Vec<Sums> = summed.iter().map(sums).collect();
    assert_eq!(summed, [(4_294_967_296, 0, 7, "m".to_owned(), 1, 2, 10, 1)]);
    // The hold that was left is ended as any other.
    let release = "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (2, 'released', 0, 0, 'crashed', 3)";
    sqlx::raw_sql(release).execute(&mut writer).await.unwrap();
    let terms = sqlx::raw_sql("UPDATE holds SET price_cache_write = 1 WHERE id = 1").execute(&mut writer).await;
    assert!(terms.unwrap_err().to_string().contains("holds"), "no price is put in later");
}

/// An order that counted against its agent's caps before the column's rule was widened counts on, once.
#[tokio::test]
async fn orders_of_agents_count_on_after_an_upgrade() {
    let folder = TempDir::new().unwrap();
    let config = StoreConfig::Sqlite { path: folder.path().join("tollgate.db") };
    sqlite::create_file(file(&config)).unwrap();
    let mut writer = sqlite::attacker(file(&config)).await;
    migrate::make_as_of(&mut writer, 20).await;
    let rows = "INSERT INTO accounts (id, name, state, created_at) VALUES (4294967296, 'a', 'active', 1);
        INSERT INTO agents (id, account_id, slot, chain, addr, label, nonce, state, cap_order, created_at)
            VALUES (1, 4294967296, 1, 'solana', '11111111111111111111111111111111', 'a', 'nonce-one', 'active', 50, 1);
        INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at, agent_id, place)
            VALUES (1, 'X1', 4294967296, 'x402', 40, 'pending', 1, 9, 1, 1),
                (2, 'X2', 4294967296, 'x402', 30, 'pending', 1, 9, 1, 2);
        UPDATE topup_order SET status = 'settling', rev = 1, counted_day = 0 WHERE id = 1;
        UPDATE schema_steps SET sha256 = x'47a1fb862e1b3911da868e65c67012e4644d1ecc62a10433aa9bc8961b83a5b3'
            WHERE name = '0019_agent_orders'";
    sqlx::raw_sql(rows).execute(&mut writer).await.unwrap();
    let store = Store::open(&config, &clock()).await.unwrap();
    assert_eq!(schema_state(&mut writer).await.unwrap(), SchemaState::Whole);
    let windows = async || {
        let windows = "SELECT period, held, spent FROM agent_windows ORDER BY period";
        let windows = sqlx::query(windows).fetch_all(store.file_readers()).await.unwrap();
        windows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect::<Vec<(String, i64, i64)>>()
    };
    let both = |held| vec![("day".to_owned(), held, 0), ("life".to_owned(), held, 0)];
    assert_eq!(windows().await, both(40));
    let fail = "UPDATE topup_order SET status = 'failed', rev = 2, settled_at = 2, failure_code = 'unnamed', failure_detail = 'd' WHERE id = 1";
    sqlx::raw_sql(fail).execute(&mut writer).await.expect("it fails, and counts on");
    assert_eq!(windows().await, both(40));
    sqlx::raw_sql("UPDATE topup_order SET counted_day = NULL WHERE id = 1").execute(&mut writer).await.unwrap();
    assert_eq!(windows().await, both(0));
    let early = sqlx::raw_sql("UPDATE topup_order SET counted_day = 0 WHERE id = 2").execute(&mut writer).await;
    assert!(early.unwrap_err().to_string().contains("counts_while_paid"), "nothing counts that is not being paid");
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
        Fault::of(&sqlx::raw_sql(sql).execute(connection).await.map(drop).unwrap_err())
    };
    assert_eq!(fault(&mut writer, "INSERT INTO nodes VALUES (1, 'a', 1, 1, 'sideways', NULL)").await, Fault::Refused);
    assert_eq!(fault(&mut writer, "INSERT INTO nodes VALUES ('one', 'a', 1, 1, 'up', NULL)").await, Fault::Refused);
    assert_eq!(
        fault(&mut writer, "INSERT INTO holds VALUES (1)").await,
        Fault::Lost,
        "a mistake of ours is not a passing one"
    );
    sqlx::raw_sql("PRAGMA busy_timeout = 0").execute(&mut writer).await.unwrap();
    let _busy = store.begin().await.unwrap();
    assert_eq!(fault(&mut writer, "BEGIN IMMEDIATE").await, Fault::Passing);
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
async fn a_server_s_schema_is_known_again_and_what_was_altered_shows() {
    let (_folder, config, store) = temporary_on_server(&clock()).await;
    store.prove_writable().await.unwrap();
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut attacker = server.connect().await.unwrap();
    for (attack, undo) in [
        (
            "ALTER TABLE transfers DISABLE TRIGGER transfers_append_only",
            "ALTER TABLE transfers ENABLE TRIGGER transfers_append_only",
        ),
        ("ALTER TABLE holds DISABLE TRIGGER ALL", "ALTER TABLE holds ENABLE TRIGGER ALL"),
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
    let changed = "UPDATE schema_steps SET sha256 = '\\x00' WHERE name = '0001_ledger'";
    sqlx::raw_sql(changed).execute(&mut attacker).await.unwrap();
    let refused = Store::open(&config, &clock()).await.unwrap_err();
    assert!(matches!(refused, StoreError::StepChanged { step: "0001_ledger" }), "{refused}");
}

#[tokio::test]
async fn errors_of_a_server_are_told_apart() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let (mut one, mut other) = (server.connect().await.unwrap(), server.connect().await.unwrap());
    for (text, expected) in [
        ("INSERT INTO nodes VALUES (1, 'a', 1, 1, 'sideways', NULL)", Fault::Refused),
        (
            "INSERT INTO receipts (hold_id, state, cost, shortfall, rule, resolved_at) VALUES (1, 'released', 0, 0, 'x', 1)",
            Fault::Refused,
        ),
        ("INSERT INTO nodes VALUES (99999999999999999999, 'a', 1, 1, 'up')", Fault::Refused),
        ("SELECT nothing", Fault::Lost),
        ("SET statement_timeout = 10; SELECT pg_sleep(5)", Fault::Passing),
    ] {
        let error = sqlx::raw_sql(text).execute(&mut one).await.unwrap_err();
        assert_eq!(Fault::of_server(&error), expected, "{text}: {error}");
    }
    sqlx::raw_sql("BEGIN; LOCK TABLE nodes").execute(&mut other).await.unwrap();
    let error =
        sqlx::raw_sql("SET statement_timeout = 0; SET lock_timeout = 10; LOCK TABLE nodes").execute(&mut one).await;
    assert_eq!(Fault::of_server(&error.unwrap_err()), Fault::Passing);
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    sqlx::raw_sql(cut).execute(&mut other).await.unwrap();
    let error = sqlx::raw_sql("SELECT 1").execute(&mut one).await.unwrap_err();
    assert_eq!(Fault::of_server(&error), Fault::Lost, "{error}");
}

/// How many transactions of the desk are there that wait for their lock.
async fn waiting(connection: &mut sqlx::PgConnection) -> i64 {
    let asked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    sqlx::query(asked).fetch_one(connection).await.unwrap().get(0)
}

#[tokio::test]
async fn a_begin_that_failed_leaves_its_connection_usable() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let held = store.begin().await.unwrap();
    // As many as the desk has connections left.
    for refused in futures_util::future::join_all((1..postgres::DESK_MAX).map(|_| store.begin())).await {
        let StoreError::Begin { source } = refused.unwrap_err() else { panic!("it cannot begin") };
        assert!(source.to_string().contains("lock timeout"), "{source}");
    }
    held.rollback().await.unwrap();
    for _ in 0..8 {
        store.prove_writable().await.unwrap();
    }
}

#[tokio::test]
async fn a_begin_that_nobody_waits_for_any_more_keeps_no_lock() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let WriterPlace::Server(server) = store.writer() else { panic!("a server") };
    let mut other = server.connect().await.unwrap();
    let held = store.begin().await.unwrap();
    let is_waiting = async {
        while waiting(&mut other).await == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        begun = store.begin() => panic!("the lock is held: {:?}", begun.map(drop)),
        () = is_waiting => {}
    }
    held.rollback().await.unwrap();
    // On a desk of its own, so that it does not get the very connection that has the lock.
    let another = server.0.desk();
    postgres::begin(&another).await.unwrap().commit().await.unwrap();
    for _ in 0..8 {
        store.prove_writable().await.unwrap();
    }
}

#[tokio::test]
async fn a_transaction_that_the_driver_does_not_know_of_ends_with_the_loan_of_its_connection() {
    let (_folder, _config, store) = temporary_on_server(&clock()).await;
    let Place::Server { desk, .. } = &store.place else { panic!("a server") };
    for open in ["BEGIN; LOCK TABLE nodes", "BEGIN; LOCK TABLE nodes; SELECT nothing"] {
        let mut connection = desk.acquire().await.unwrap();
        drop(sqlx::raw_sql(open).execute(&mut *connection).await);
        drop(connection);
        let mut after = store.begin().await.unwrap();
        query("SELECT 1 FROM nodes").fetch_optional(&mut after).await.unwrap();
        after.commit().await.unwrap();
    }
}

on_both!(a_text_with_a_nul_in_it_is_a_text_that_is_not_there);

async fn a_text_with_a_nul_in_it_is_a_text_that_is_not_there(on: On) {
    let (_folder, _config, store) = temporary_on(on, &clock()).await;
    let asked = query("SELECT 1 FROM schema_steps WHERE name = $1").bind("a\0b");
    assert!(asked.fetch_optional(store.readers()).await.unwrap().is_none());
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
