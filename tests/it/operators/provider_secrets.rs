//! Secrets of providers: found nowhere in clear, never sent to another address, and kept through a change of keys.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{Upstream, client};

use super::admin_client::AdminClient;

const PLANTED: &str = "sk-planted-in-a-provider";
const FIRST: &str = "1111111111111111111111111111111111111111111111111111111111111111";
const SECOND: &str = "2222222222222222222222222222222222222222222222222222222222222222";

/// A server whose configuration and files stand in a folder.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("first"), FIRST).expect("a file of ours");
        std::fs::write(folder.path().join("second"), format!("{SECOND}\n")).expect("a file of ours");
        Self { folder }
    }

    /// The arguments for a server with these keys.
    fn args(&self, keys: &str) -> Vec<String> {
        let path = self.folder.path().join("tollgate.toml");
        let text = format!(
            "data_dir = {:?}\n[log]\nformat = \"json\"\nfilter = \"trace\"\n[admin]\npublic = true\nprovider_networks = [\"127.0.0.0/8\"]\n{}",
            self.folder.path().join("data"),
            keys.replace("DIR", &self.folder.path().display().to_string()),
        );
        std::fs::write(&path, text).expect("a file of ours");
        vec!["--config".to_owned(), path.display().to_string()]
    }

    async fn run(&self, keys: &str, command: &[&str]) -> Output {
        let args = self.args(keys);
        let command: Vec<String> = command.iter().map(|&word| word.to_owned()).chain(args).collect();
        spawn_blocking(move || run(&command.iter().map(String::as_str).collect::<Vec<_>>())).await.expect("no panic")
    }

    async fn owner(&self, keys: &str) -> String {
        let args = self.args(keys);
        let made = spawn_blocking(move || {
            let command = ["operator", "create", "root", "--key", "--role", "owner"];
            run_json(&command.into_iter().chain(args.iter().map(String::as_str)).collect::<Vec<_>>())
        });
        let (ok, made) = made.await.expect("no panic");
        assert!(ok, "{made}");
        made["key"].as_str().expect("a key").to_owned()
    }

    async fn serve(&self, keys: &str) -> (Served, std::sync::mpsc::Receiver<String>) {
        let args = self.args(keys);
        let start = move || Served::start_logged(&args.iter().map(String::as_str).collect::<Vec<_>>());
        spawn_blocking(start).await.expect("a server")
    }
}

/// The files below a folder that hold the secret.
fn leaks(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(leaks(&entry));
        } else if std::fs::read(&entry).is_ok_and(|bytes| memchr::memmem::find(&bytes, PLANTED.as_bytes()).is_some()) {
            found.push(entry.display().to_string());
        }
    }
    found
}

fn key_of(upstream: &Upstream) -> Option<String> {
    let received = upstream.take_received();
    received.last().and_then(|request| request.header("authorization").map(str::to_owned))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_nowhere_in_clear_and_never_follows_to_another_address() {
    const KEYS: &str = "secrets_key_file = \"DIR/first\"\n";
    let place = Place::new();
    let key = place.owner(KEYS).await;
    let (served, log) = place.serve(KEYS).await;
    let admin = AdminClient::new(served.url().to_owned(), key.clone());
    let (here, there) = (Upstream::start().await, Upstream::start().await);
    for upstream in [&here, &there] {
        // One that tells back what it was sent.
        upstream.on(|request| {
            Reply::json(401, &json!({"error": {"message": format!("wrong key {:?}", request.header("authorization"))}}))
        });
    }
    let body = json!({"name": "alpha", "settings": {"base_url": here.base_url()}, "api_key": PLANTED});
    let mut shown = vec![AdminClient::data(admin.post("providers", &body).await)];
    assert_eq!((&shown[0]["has_secret"], shown[0]["secret_key_id"].as_str().map(str::len)), (&json!(true), Some(16)));
    let tried = AdminClient::data(admin.post("providers/alpha/tests", &json!({"model": "m"})).await);
    assert_eq!(key_of(&here), Some(format!("Bearer {PLANTED}")));
    assert!(tried["answer"].as_str().expect("text").contains("Bearer …"), "{tried}");
    shown.push(tried);
    for path in ["providers", "providers/alpha", "changes"] {
        shown.push(AdminClient::data(admin.get(path).await));
    }
    for path in ["/admin", "/admin/changes", "/metrics", "/healthz"] {
        let page = client().get(format!("{}{path}", served.url())).bearer_auth(&key).send().await.expect("an answer");
        shown.push(Value::String(page.text().await.expect("a body")));
    }
    // The settings of another address come without the secret, and it is gone.
    let moved = json!({"settings": {"base_url": there.base_url()}});
    let moved = AdminClient::data(admin.put("providers/alpha", &moved).await);
    assert_eq!(moved["has_secret"], false);
    AdminClient::data(admin.post("providers/alpha/tests", &json!({"model": "m"})).await);
    assert_eq!(key_of(&there), None);
    // Back where it was, it stays gone until it is set again; and the other way to lose it is to drop it.
    let back = json!({"settings": {"base_url": here.base_url()}});
    assert_eq!(AdminClient::data(admin.put("providers/alpha", &back).await)["has_secret"], false);
    let set = json!({"settings": {"base_url": here.base_url()}, "api_key": PLANTED});
    assert_eq!(AdminClient::data(admin.put("providers/alpha", &set).await)["has_secret"], true);
    let drop_it = json!({"settings": {"base_url": here.base_url()}, "drop_secret": true});
    assert_eq!(AdminClient::data(admin.put("providers/alpha", &drop_it).await)["has_secret"], false);
    AdminClient::data(admin.put("providers/alpha", &set).await);
    let unfit = json!({"settings": {"base_url": here.base_url()}, "api_key": "two\nlines"});
    assert_eq!(AdminClient::refused(admin.put("providers/alpha", &unfit).await).0, "CATALOG_UNUSABLE");
    let backup = place.folder.path().join("backup");
    let backed_up = place.run(KEYS, &["backup", &backup.display().to_string()]).await;
    assert!(backed_up.status.success(), "{backed_up:?}");
    for answer in shown {
        assert!(!answer.to_string().contains(PLANTED), "{answer}");
    }
    assert_eq!(leaks(place.folder.path()), Vec::<String>::new());
    assert!(served.terminate());
    let lines: Vec<String> = log.iter().collect();
    assert!(lines.len() > 10 && !lines.iter().any(|line| line.contains(PLANTED)), "in the log");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_takes_the_place_of_another_and_a_wrong_one_is_named_at_the_start() {
    const FIRST_ALONE: &str = "secrets_key_file = \"DIR/first\"\n";
    const SECOND_ALONE: &str = "secrets_key_file = \"DIR/second\"\n";
    const BOTH: &str = "secrets_key_file = \"DIR/second\"\nsecrets_key_former_file = \"DIR/first\"\n";
    let place = Place::new();
    let key = place.owner(FIRST_ALONE).await;
    let upstream = Upstream::start().await;
    upstream.on(|_| Reply::json(200, &completion("OK", 9, 3)));
    let (served, _log) = place.serve(FIRST_ALONE).await;
    let admin = AdminClient::new(served.url().to_owned(), key);
    let body = json!({"name": "alpha", "settings": {"base_url": upstream.base_url()}, "api_key": PLANTED});
    let first = AdminClient::data(admin.post("providers", &body).await)["secret_key_id"].clone();
    assert!(served.terminate());
    for (keys, word) in [(SECOND_ALONE, "admin.secrets_key is "), ("", "admin.secrets_key is not given")] {
        let refused = place.run(keys, &["serve", "--listen", "127.0.0.1:0"]).await;
        let told = String::from_utf8_lossy(&refused.stderr);
        let names = [word, "`alpha`", first.as_str().expect("text")];
        assert!(!refused.status.success() && names.iter().all(|name| told.contains(name)), "{told}");
    }
    let (served, _log) = place.serve(BOTH).await;
    let admin = admin.at(served.url().to_owned());
    let works = async |admin: &AdminClient| {
        let tried = AdminClient::data(admin.post("providers/alpha/tests", &json!({"model": "m"})).await);
        tried["answered"] == true && key_of(&upstream) == Some(format!("Bearer {PLANTED}"))
    };
    assert!(works(&admin).await, "the one before opens too");
    let resealed = AdminClient::data(admin.post("secrets/reseal", &json!({})).await);
    assert_eq!((&resealed["resealed"], resealed["key_id"] != first), (&json!(1), true));
    assert_eq!(AdminClient::data(admin.post("secrets/reseal", &json!({})).await)["resealed"], 0);
    assert!(served.terminate());
    let (served, _log) = place.serve(SECOND_ALONE).await;
    let admin = admin.at(served.url().to_owned());
    assert!(works(&admin).await, "the one before is needed no more");
    assert_eq!(AdminClient::data(admin.get("providers/alpha").await)["secret_key_id"], resealed["key_id"]);
}
