//! Servers that share a ledger on PostgreSQL: the binary as its own process, against a real database server.

// suite of this file: waiting

mod keys;
mod pooled;
mod replaced;

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::fake_video_provider::FakeVideoProvider;
use tollgate_tests::gateway::{Options, amount, exact, hello};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::{until, until_later};
use tollgate_tests::{ReplyGate, TestGateway, Upstream, client};

use crate::formats::videos;

/// What a request of these tests costs: 9 tokens of the prompt and 3 of the answer.
const COST: &str = "0.00000315";

/// What an account has that two servers draw on.
const CREDIT: &str = "0.0002";

/// A database, and as many servers on it as a test likes.
struct Shared {
    url: String,
    upstream: Upstream,
    folder: TempDir,
}

impl Shared {
    async fn new() -> Self {
        let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
        let (upstream, folder) = (Upstream::start().await, tempfile::tempdir().expect("a temporary folder"));
        upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
        Self { url, upstream, folder }
    }

    /// The arguments of server `number`, which has a folder of its own.
    fn args(&self, number: u8) -> Vec<&'static str> {
        let path = self.folder.path().join(format!("{number}.toml"));
        let text = format!(
            "data_dir = {:?}\n[database]\nurl = {:?}\n[upstreams.fake]\nbase_url = {:?}\n[models.small]\n\
             context_tokens = 1000\nmax_output_tokens = 100\nprice = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
             candidates = [{{ upstream = \"fake\" }}]\n",
            self.folder.path().join(number.to_string()),
            self.url,
            self.upstream.base_url()
        );
        std::fs::write(&path, text).expect("a file of ours");
        vec!["--config", String::leak(path.display().to_string())]
    }

    /// An account with that much, by the commands of an operator; its key.
    fn account(&self, usd: &str) -> String {
        let args = self.args(0);
        let run = |rest: &[&str]| {
            let (ok, told) = run_json(&[&args[..], rest].concat());
            assert!(ok, "{told}");
            told
        };
        let _ = run(&["account", "create", "one"]);
        let granted = run(&["credit", "grant", "--account", "one", "--usd", usd, "--idempotency-key", "a"]);
        let again = run(&["credit", "grant", "--account", "one", "--usd", usd, "--idempotency-key", "a"]);
        assert_eq!((&granted["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
        run(&["key", "create", "--account", "one"])["key"].as_str().expect("a key").to_owned()
    }

    /// The books, which have to be right.
    fn audited(&self) -> Value {
        let (clean, report) = run_json(&[&self.args(0)[..], &["audit"]].concat());
        assert!(clean, "{report}");
        report
    }
}

async fn ask(served: &str, key: &str) -> (u16, String) {
    let request = client().post(format!("{served}/v1/chat/completions")).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(hello(false).to_string());
    let reply = request.send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    (reply.status().as_u16(), id)
}

async fn get(served: &Served, key: &str, path: &str) -> Value {
    let reply = client().get(format!("{}{path}", served.url())).bearer_auth(key).send().await.expect("an answer");
    exact(&reply.text().await.expect("a body"))
}

async fn held(served: &Served, key: &str) -> String {
    amount(&get(served, key, "/api/user/self/balance").await["data"]["held_usd"])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_charged_and_a_killed_server_gives_back_what_it_held() {
    let shared = Shared::new().await;
    let key = shared.account("1");
    let served = Served::start(&shared.args(1));
    let (status, id) = ask(served.url(), &key).await;
    assert_eq!(status, 200);
    // Another one is with the provider when the server dies.
    let gate = ReplyGate::default();
    let held_back = gate.clone();
    shared.upstream.on(move |_| Reply::json(200, &completion("ab", 9, 3)).after(held_back.clone()));
    let (url, its_key) = (served.url().to_owned(), key.clone());
    let cut = tokio::spawn(async move {
        let request = client().post(format!("{url}/v1/chat/completions")).bearer_auth(its_key);
        request.header("content-type", "application/json").body(hello(false).to_string()).send().await.is_err()
    });
    until("the hold", || async { (held(&served, &key).await != "0").then_some(()) }).await;
    served.kill();
    assert!(cut.await.expect("no panic"));
    assert_eq!(shared.audited()["holds_open"], 1);
    // It is known by its folder, so that its next start need not wait for its silence.
    let served = Served::start(&shared.args(1));
    assert_eq!(held(&served, &key).await, "0");
    let receipt = get(&served, &key, &format!("/api/user/self/receipts/{id}")).await;
    assert_eq!(
        (&receipt["data"]["status"], amount(&receipt["data"]["charged_usd"])),
        (&json!("settled"), COST.to_owned())
    );
    gate.open();
    assert!(served.terminate(), "told to stop, it ends well");
    let report = shared.audited();
    assert_eq!((&report["holds_open"], &report["settled"]), (&json!(0), &json!(1)), "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_draw_on_one_balance_and_it_is_right_to_the_last_nano() {
    let shared = Shared::new().await;
    // What a request may cost is held while it is answered: for one there is always enough, for two at a time not for long.
    let key = shared.account(CREDIT);
    let (first, second) = (Served::start(&shared.args(1)), Served::start(&shared.args(2)));
    let mut answered = 0;
    // Each turn both ask at once, so a refusal may only be for the moment.
    for _ in 0..12 {
        let mut both = JoinSet::new();
        for served in [&first, &second] {
            let (url, key) = (served.url().to_owned(), key.clone());
            both.spawn(async move { ask(&url, &key).await.0 });
        }
        let statuses = both.join_all().await;
        assert!(statuses.iter().all(|status| [200, 402, 429].contains(status)), "{statuses:?}");
        answered += statuses.iter().filter(|status| **status == 200).count();
    }
    let report = shared.audited();
    assert_eq!(report["settled"], json!(answered), "{report}");
    let balance = get(&second, &key, "/api/user/self/balance").await;
    let (available, paid) =
        (amount(&balance["data"]["available_usd"]), nanos(COST) * i64::try_from(answered).expect("few"));
    assert_eq!(nanos(&available), nanos(CREDIT) - paid, "{balance}");
    assert!(answered >= 12, "one of both each time: {answered}");
    assert!(first.terminate() && second.terminate());
}

/// A gateway of the harness, on a database of its own that nobody has prepared.
async fn gateway(config: &str) -> TestGateway {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().empty_database()).await.expect("PostgreSQL starts");
    let config = format!("[database]\nurl = {url:?}\n{config}");
    TestGateway::with(Options { config, ..Options::default() }).await
}

#[tokio::test]
async fn a_video_is_charged_listed_and_deleted() {
    let gateway = gateway(videos::STUDIOS).await;
    let studio = FakeVideoProvider::at(&gateway.upstream.base_url());
    gateway.upstream.on(move |request| studio.answer(request));
    // The one character that a text of this database does not take.
    let body = json!({"model": "film-o", "prompt": "a \0 cat", "seconds": "4", "size": "1280x720"});
    let (status, headers, job) = videos::order(&gateway, "/v1/videos", &body).await;
    assert_eq!(status, 200, "{job}");
    let id = job["id"].as_str().expect("an id").to_owned();
    assert_eq!(videos::over(&gateway, &id).await["status"], "completed");
    assert_eq!(amount(&videos::receipt(&gateway, &headers).await["charged_usd"]), "0.4");
    for order in ["desc", "asc"] {
        let listed = gateway.get(&format!("/v1/videos?order={order}")).send().await.expect("an answer");
        let listed: Value = listed.json().await.expect("JSON");
        assert_eq!(listed["data"][0]["id"], json!(id), "{listed}");
    }
    let deleted = client().delete(gateway.url(&format!("/v1/videos/{id}"))).bearer_auth(&gateway.key);
    assert_eq!(deleted.send().await.expect("an answer").status(), 200);
    assert_eq!(gateway.get(&format!("/v1/videos/{id}")).send().await.expect("an answer").status(), 404);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_response_is_remembered_and_forgotten() {
    let gateway = gateway("").await;
    gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    let ask = async |body: Value| {
        let request = client().post(gateway.url("/v1/responses")).bearer_auth(&gateway.key).json(&body);
        request.send().await.expect("an answer").json::<Value>().await.expect("JSON")
    };
    let first = ask(json!({"model": "small", "input": "hi"})).await;
    let id = first["id"].as_str().expect("an id").to_owned();
    let second = ask(json!({"model": "small", "input": "and?", "previous_response_id": id})).await;
    assert_eq!(second["previous_response_id"], json!(id), "{second}");
    let path = format!("/v1/responses/{id}");
    assert_eq!(gateway.get(&path).send().await.expect("an answer").status(), 200);
    let deleted = client().delete(gateway.url(&path)).bearer_auth(&gateway.key).send().await.expect("an answer");
    assert_eq!(deleted.status(), 200);
    assert_eq!(gateway.get(&path).send().await.expect("an answer").status(), 404);
    gateway.assert_books().await;
}

fn nanos(usd: &str) -> i64 {
    usd.parse::<tollgate_base::Usd>().expect("an amount").nanos()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_has_one_server_and_a_password_stays_out_of_the_file() {
    let shared = Shared::new().await;
    let served = Served::start(&shared.args(1));
    let second = run(&[&["serve", "--listen", "127.0.0.1:0"], &shared.args(1)[..]].concat());
    assert!(!second.status.success());
    let told = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(told.contains("data_dir of its own"), "{told}");
    assert!(served.terminate());
    let (ok, checked) = run_json(&[&shared.args(1)[..], &["check"]].concat());
    assert!(ok && checked["ledger"].as_str().expect("text").contains("schema tollgate"), "{checked}");
    refused(shared.folder.path(), "url = \"postgres://me:hidden@db/books\"", "url_env or url_file");
    refused(shared.folder.path(), "url = \"mysql://db/books\"", "is no address of a database");
    refused(shared.folder.path(), "url_env = \"NOT_SET_ANYWHERE\"", "NOT_SET_ANYWHERE is not set");
}

/// A configuration that is refused at its line, and shows no password.
fn refused(folder: &Path, line: &str, why: &str) {
    let path = folder.join("refused.toml");
    std::fs::write(&path, format!("[sandbox]\nenabled = true\n[database]\n{line}\n")).expect("a file of ours");
    let output = run(&["check", "--config", &path.display().to_string()]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        !output.status.success() && told.contains(why) && told.contains(":4:1") && !told.contains("hidden"),
        "{told}"
    );
}
