//! Copies of the ledger that are made while a server writes to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::gateway::hello;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{Upstream, client};

const CLIENTS: usize = 8;

/// A folder with a configuration whose provider answers.
struct House {
    folder: TempDir,
    upstream: Upstream,
}

impl House {
    async fn new() -> Self {
        let house =
            Self { folder: tempfile::tempdir().expect("a temporary folder"), upstream: Upstream::start().await };
        house.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
        let url = house.upstream.base_url();
        let text = format!(
            "listen = \"127.0.0.1:0\"\n[upstreams.main]\nbase_url = \"{url}\"\n[models.small]\ncontext_tokens = 1000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\ncandidates = [{{ upstream = \"main\" }}]\n"
        );
        std::fs::write(house.folder.path().join("tollgate.toml"), text).expect("a file of ours");
        house
    }

    fn at(&self, name: &str) -> &'static str {
        String::leak(self.folder.path().join(name).display().to_string())
    }

    /// With the ledger in this folder.
    fn args(&self, data: &str) -> [&'static str; 4] {
        ["--config", self.at("tollgate.toml"), "--data", self.at(data)]
    }
}

async fn ask(served_at: &str, key: &str) -> u16 {
    let request = client().post(format!("{served_at}/v1/chat/completions")).bearer_auth(key);
    request.json(&hello(false)).send().await.map_or(0, |reply| reply.status().as_u16())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_under_load_is_whole_and_serves() {
    let house = House::new().await;
    let tell = |more: &[&str]| run_json(&[&house.args("data")[..], more].concat());
    assert!(tell(&["account", "create", "a"]).0 && tell(&["credit", "grant", "--account", "a", "--usd", "5"]).0);
    let key = tell(&["key", "create", "--account", "a"]).1["key"].as_str().expect("a key").to_owned();
    let served = Served::start(&house.args("data"));
    let stored = client().post(format!("{}/v1/responses", served.url())).bearer_auth(&key);
    let stored = stored.json(&json!({"model": "small", "input": "hello"})).send().await.expect("an answer");
    let stored: Value = stored.json().await.expect("JSON");
    let busy = Arc::new(AtomicBool::new(true));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (busy, url, key) = (busy.clone(), served.url().to_owned(), key.clone());
            tokio::spawn(async move {
                while busy.load(Ordering::Relaxed) {
                    assert_eq!(ask(&url, &key).await, 200);
                }
            })
        })
        .collect();
    let mut settled = 0;
    for copy in ["first", "second", "third"] {
        // Each has more in it than the one before.
        until("the next charges", async || {
            (tell(&["audit"]).1["settled"].as_u64().expect("a count") > settled + 10).then_some(())
        })
        .await;
        std::fs::create_dir(house.at(copy)).expect("a folder");
        let path = house.at(&format!("{copy}/tollgate.db"));
        let (clean, told) = tell(&["backup", path]);
        assert!(clean && told["audit"]["clean"] == true && told["path"] == path, "{told}");
        let found = told["audit"]["settled"].as_u64().expect("a count");
        assert!(found > settled, "{told}");
        settled = found;
        let mut names: Vec<_> = std::fs::read_dir(house.at(copy))
            .expect("a folder")
            .map(|entry| entry.expect("a file").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["tollgate.db", "tollgate.responses.db"], "all of it is in a file for each");
    }
    busy.store(false, Ordering::Relaxed);
    for client in clients {
        client.await.expect("every answer was one");
    }
    assert!(served.terminate());
    // What a request held at that moment is given back, as after a crash.
    let copied = Served::start(&house.args("third"));
    assert_eq!(ask(copied.url(), &key).await, 200);
    let url = format!("{}/v1/responses/{}", copied.url(), stored["id"].as_str().expect("an id"));
    let found: Value = client().get(url).bearer_auth(&key).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(found, stored);
    let (clean, report) = run_json(&[&house.args("third")[..], &["audit"]].concat());
    assert!(clean && report["holds_open"] == 0 && report["settled"] == settled + 1, "{report}");
    assert!(copied.terminate());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_copy_of_an_older_ledger_is_not_upgraded() {
    let house = House::new().await;
    let tell = |more: &[&str]| run_json(&[&house.args("data")[..], more].concat());
    assert!(tell(&["account", "create", "a"]).0);
    // As an earlier version leaves it, which knew other machines.
    let forgotten = async |file: &str| {
        let mut ledger = SqliteConnectOptions::new().filename(file).connect().await.expect("a connection");
        let statement = "DELETE FROM schema_steps WHERE name = 'machines'";
        let done = sqlx::query(statement).execute(&mut ledger).await.expect("a file of ours");
        ledger.close().await.expect("it ends");
        done.rows_affected()
    };
    assert_eq!(forgotten(house.at("data/tollgate.db")).await, 1);
    let copy = house.at("copy.db");
    let (clean, told) = tell(&["backup", copy]);
    assert!(!clean && told == json!({"path": copy, "audit": null}), "{told}");
    assert!(!std::path::Path::new(house.at("copy.db-wal")).exists());
    assert_eq!(forgotten(copy).await, 0, "a step was made in the copy");
    // Any other command upgrades the ledger itself.
    assert!(tell(&["migrate"]).0 && tell(&["backup", house.at("later.db")]).0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_that_was_dumped_and_restored_has_the_same_rules() {
    let house = House::new().await;
    let text = std::fs::read_to_string(house.at("tollgate.toml")).expect("a file of ours");
    let on = |url: &str| {
        let text = format!("{text}\n[database]\nurl = {url:?}\n");
        std::fs::write(house.at("tollgate.toml"), text).expect("a file of ours");
    };
    let tell = |more: &[&str]| run_json(&[&house.args("data")[..], more].concat());
    let postgres = Postgres::shared();
    let url = postgres.database();
    on(&url);
    assert!(tell(&["account", "create", "a"]).0 && tell(&["credit", "grant", "--account", "a", "--usd", "5"]).0);
    on(&postgres.restored(&url));
    let (clean, report) = tell(&["audit"]);
    assert!(clean, "{report}");
    assert!(tell(&["migrate"]).0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_overwritten_and_nothing_half_is_left() {
    let house = House::new().await;
    let refused = |args: &[&str]| {
        let output = run(args);
        assert!(!output.status.success(), "{args:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let data = house.args("data");
    // Without a ledger there is nothing to copy, and none is made.
    assert!(refused(&[&data[..], &["backup", house.at("copy.db")]].concat()).contains("failed to open"));
    assert!(!std::path::Path::new(house.at("copy.db")).exists() && !std::path::Path::new(house.at("data")).exists());
    assert!(run_json(&[&data[..], &["account", "create", "a"]].concat()).0);
    std::fs::write(house.at("copy.db"), "mine").expect("a file of ours");
    assert!(refused(&[&data[..], &["backup", house.at("copy.db")]].concat()).contains("must not be there"));
    assert_eq!(std::fs::read_to_string(house.at("copy.db")).expect("a file"), "mine");
    assert!(refused(&[&data[..], &["backup", house.at("nowhere/copy.db")]].concat()).contains("nowhere"));
    // In a database it is another tool's work.
    let text = std::fs::read_to_string(house.at("tollgate.toml")).expect("a file of ours");
    let text = format!("{text}\n[database]\nurl = \"postgres://me@127.0.0.1:1/books\"\n");
    std::fs::write(house.at("tollgate.toml"), text).expect("a file of ours");
    let told = refused(&[&data[..], &["backup", house.at("other.db")]].concat());
    assert!(told.contains("pg_dump --format=custom --schema=tollgate --host=127.0.0.1 --port=1"), "{told}");
    assert!(!std::path::Path::new(house.at("other.db")).exists());
}
