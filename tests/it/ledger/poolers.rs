//! What stands between the servers and PostgreSQL: a pooler that drops the settings of connections is found out before anything
//! is written.

// suite of this file: waiting

use std::path::Path;

use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tollgate_tests::binary::{run, run_json};
use tollgate_tests::pgbouncer::PgBouncer;
use tollgate_tests::postgres::Postgres;

fn config(folder: &TempDir, url: &str) -> String {
    let path = folder.path().join("tollgate.toml");
    let data = folder.path().join("data");
    let text = format!("data_dir = {data:?}\n[database]\nurl = {url:?}\n[sandbox]\nenabled = true\n");
    std::fs::write(&path, text).expect("a file of ours");
    path.display().to_string()
}

/// Schemas that are not PostgreSQL's own, and tables in them.
async fn found(url: &str) -> (Vec<String>, i64) {
    let mut connection = PgConnection::connect(url).await.expect("the database");
    let schemas = "SELECT nspname::text FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)' ORDER BY 1";
    let schemas = sqlx::query_scalar(schemas).fetch_all(&mut connection).await.expect("schemas");
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    (schemas, sqlx::query_scalar(tables).fetch_one(&mut connection).await.expect("a number"))
}

/// Refused by every command, with what to do, and nothing is made anywhere.
async fn is_refused(postgres: &Path, direct: &str, settings: &'static [&'static str]) {
    let (folder, before) = (tempfile::tempdir().expect("a temporary folder"), found(direct).await);
    let name = direct.rsplit('/').next().expect("it ends with the name").to_owned();
    let (postgres, config_folder) = (postgres.to_owned(), folder.path().to_owned());
    let told = tokio::task::spawn_blocking(move || {
        let pooler = PgBouncer::start(&postgres, settings);
        let folder = TempDir::new_in(config_folder).expect("a folder");
        let path = config(&folder, &pooler.url(&name));
        let commands: [&[&str]; 3] = [&["account", "create", "one"], &["serve", "--listen", "127.0.0.1:0"], &["check"]];
        commands.map(|command| {
            let output = run(&[&["--config", &path], command].concat());
            let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            (command[0], output.status.success(), told)
        })
    });
    for (command, good, told) in told.await.expect("no panic") {
        assert!(!good, "{settings:?}: {command}: {told}");
        let says = |word: &str| assert!(told.contains(word), "{settings:?}: {command}: no {word} in: {told}");
        ["PgBouncer", "ignore_startup_parameters", "search_path", "statement_timeout"].into_iter().for_each(says);
    }
    assert_eq!(found(direct).await, before, "{settings:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_that_drops_the_settings_of_connections_is_refused() {
    let made = tokio::task::spawn_blocking(|| (Postgres::shared().folder(), Postgres::shared().empty_database()));
    let (postgres, direct) = made.await.expect("PostgreSQL starts");
    const IGNORES: &str = "ignore_startup_parameters = extra_float_digits,options";
    for mode in ["session", "transaction"] {
        let settings: &'static [&'static str] = match mode {
            "session" => &["pool_mode = session", IGNORES],
            _ => &["pool_mode = transaction", IGNORES],
        };
        is_refused(postgres, &direct, settings).await;
    }
    // As one that was set up for PostgreSQL itself, where the tables are.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = config(&folder, &direct);
    let made = tokio::task::spawn_blocking(move || run_json(&["--config", &path, "account", "create", "one"]));
    assert!(made.await.expect("no panic").0);
    is_refused(postgres, &direct, &["pool_mode = session", IGNORES]).await;
}
