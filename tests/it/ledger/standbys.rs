//! What `check` says of a database whose standby would forget charges.

// suite of this file: waiting

use std::path::Path;
use std::process::{Child, Command, Stdio};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;
use tollgate_tests::binary::{run, run_json};
use tollgate_tests::postgres::{Postgres, as_server_user, hand_over};
use tollgate_tests::wait::until;

/// Something that follows the server's log as a standby does.
struct Follower {
    process: Child,
    _folder: TempDir,
}

impl Follower {
    fn start(server: &Path, name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        hand_over(folder.path());
        let mut command: Command = as_server_user("pg_receivewal");
        let follows = command.arg("-D").arg(folder.path()).arg("-h").arg(server).args(["-U", "test"]);
        let child = follows.env("PGAPPNAME", name).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self { process: child.expect("pg_receivewal starts"), _folder: folder }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether it can be used, and what is said.
fn check(folder: &Path, url: &str, mode: &str) -> (bool, String) {
    let path = folder.join("tollgate.toml");
    let text = format!(
        "mode = {mode:?}\ndata_dir = {:?}\n[database]\nurl = {url:?}\n[upstreams.main]\nbase_url = \"http://127.0.0.1:9/v1\"\n\
         [models.small]\ncontext_tokens = 10\nmax_output_tokens = 5\nprice = {{ prompt = \"1\", completion = \"2\" }}\n\
         candidates = [{{ upstream = \"main\" }}]\n",
        folder.join("data")
    );
    std::fs::write(&path, text).expect("a file of ours");
    let args = ["--config", &path.display().to_string(), "check"];
    let output = run(&args);
    let (good, told) = run_json(&args);
    assert_eq!(good, output.status.success());
    assert_eq!(good, told["usable"] == serde_json::json!(true), "{told}");
    (good, String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

async fn checked(folder: &TempDir, url: &str, mode: &'static str) -> (bool, String) {
    let (folder, url) = (folder.path().to_owned(), url.to_owned());
    tokio::task::spawn_blocking(move || check(&folder, &url, mode)).await.expect("no panic")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_would_forget_charges_is_refused_in_production() {
    let (server, url) = tokio::task::spawn_blocking(|| {
        let server = Postgres::with(&["fsync=off"]);
        let url = server.empty_database();
        (server, url)
    })
    .await
    .expect("PostgreSQL starts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut operator = PgConnection::connect(&url).await.expect("the database");
    for mode in ["production", "sandbox"] {
        let (good, told) = checked(&folder, &url, mode).await;
        assert!(good && !told.contains("standby"), "{told}");
    }

    // One that copies the log, under its own name, takes over nothing; one under another name may.
    for (name, is_told) in [("pg_receivewal", false), ("second", true)] {
        let follower = Follower::start(server.folder(), name);
        let follows = format!("SELECT count(*) FROM pg_stat_replication WHERE application_name = '{name}'");
        let count = async || {
            let mut looks = PgConnection::connect(&url).await.expect("the database");
            sqlx::query_scalar::<_, i64>(AssertSqlSafe(follows.clone())).fetch_one(&mut looks).await.expect("a number")
        };
        until("a follower", async || (count().await > 0).then_some(())).await;
        let (good, told) = checked(&folder, &url, "production").await;
        assert_eq!((good, told.contains("asynchronously (second)")), (!is_told, is_told), "{told}");
        let (good, told) = checked(&folder, &url, "sandbox").await;
        assert!(good && told.contains("refused in mode \"production\"") == is_told, "{told}");
        drop(follower);
        until("it to be gone", async || (count().await == 0).then_some(())).await;
    }

    // Nobody commits here: there is no such standby.
    operator.execute("ALTER SYSTEM SET synchronous_standby_names = 'second'").await.expect("a setting");
    operator.execute("SELECT pg_reload_conf()").await.expect("it is read again");
    until("the setting", || async {
        let mut new = PgConnection::connect(&url).await.expect("the database");
        let set = sqlx::query_scalar::<_, String>("SHOW synchronous_standby_names").fetch_one(&mut new).await;
        (set.expect("a setting") == "second").then_some(())
    })
    .await;
    for (commits, is_refused) in [("local", true), ("remote_write", true), ("on", false), ("remote_apply", false)] {
        let url = format!("{url}?options=-c%20synchronous_commit={commits}");
        let (good, told) = checked(&folder, &url, "production").await;
        let says = told.contains(&format!("synchronous_commit = {commits} beside"));
        assert_eq!((good, says), (!is_refused, is_refused), "{commits}: {told}");
        let (good, told) = checked(&folder, &url, "sandbox").await;
        assert!(good && told.contains("refused in mode") == is_refused, "{commits}: {told}");
    }
}
