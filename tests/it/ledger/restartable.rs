//! A service that dies and is started over, on a file or on a database server, and what has to be so afterwards.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::fake_video_provider::FakeVideoProvider;
use tollgate_tests::gateway::{ACCESS_KEY, SECRET_KEY, UPSTREAM_KEY, amount, exact, hello};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, chat_stream, completion};
use tollgate_tests::upstream::Received;
use tollgate_tests::wait::until;
use tollgate_tests::{Upstream, client};

use crate::formats::videos::STUDIOS;

/// What a chat costs, in nano-USD: 9 tokens of the prompt and 3 of the answer.
pub(crate) const CHAT: i64 = 3_150;
/// What a film costs.
pub(crate) const FILM: i64 = 400_000_000;
/// No two loads have keys that begin with the same number.
static IDEMPOTENCY_KEYS: AtomicU64 = AtomicU64::new(0);
/// After so long nothing is held that an earlier start took, but for films. A start gives it back before it answers, and what
/// has expired is looked for each second; left to the servers that notice a silence, it would be held for fifteen seconds.
const RELEASED_WITHIN: Duration = Duration::from_secs(12);
/// How many receipts are asked for at a time.
const READERS: usize = 16;

/// Where the ledger is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    File,
    Server,
}

/// The service's configuration and account, and its provider.
pub(crate) struct Mortal {
    pub(crate) args: Vec<&'static str>,
    pub(crate) key: String,
    /// Of its database: a path or an address.
    pub(crate) place: String,
    /// How many chats clients have seen complete so far.
    pub(crate) answered: Arc<AtomicUsize>,
    pub(crate) upstream: Upstream,
    _folder: TempDir,
}

impl Mortal {
    /// With 100,000 USD.
    pub(crate) async fn open(on: On) -> Self {
        let upstream = Upstream::start().await;
        let studio = FakeVideoProvider::at(&upstream.base_url());
        upstream.on(move |request| answer(&studio, request));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (database, place) = match on {
            On::File => (String::new(), folder.path().join("tollgate.db").display().to_string()),
            On::Server => {
                let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await;
                let url = url.expect("PostgreSQL starts");
                (format!("[database]\nurl = {url:?}\n"), url)
            }
        };
        let secret = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            format!("_file = {path:?}")
        };
        let config = STUDIOS.replace("{upstream}", &upstream.base_url());
        let config = config.replace("_env = \"FAKE_ACCESS_KEY\"", &secret("access", ACCESS_KEY));
        let config = config.replace("_env = \"FAKE_SECRET_KEY\"", &secret("secret", SECRET_KEY));
        let text = format!(
            "data_dir = {:?}\n{database}[breaker]\nfailures = 0\n{config}\n[upstreams.fake]\nbase_url = {:?}\napi_key{}\n{}{}{}",
            folder.path(),
            upstream.base_url(),
            secret("key", UPSTREAM_KEY),
            model("small"),
            model("sour"),
            model("wordy"),
        );
        let path = folder.path().join("tollgate.toml");
        std::fs::write(&path, text).expect("a file of ours");
        let args = vec!["--config", &*String::leak(path.display().to_string())];
        let run = |more: &[&str]| run_json(&[&args[..], more].concat()).1;
        run(&["account", "create", "loaded"]);
        run(&["credit", "grant", "--account", "loaded", "--usd", "100000"]);
        let key = run(&["key", "create", "--account", "loaded"])["key"].as_str().expect("a key").to_owned();
        Self { args, key, place, answered: Arc::default(), upstream, _folder: folder }
    }

    /// Writes rows beside the server.
    pub(crate) async fn plant(&self, rows: String) {
        let rows = AssertSqlSafe(rows);
        let done = if self.place.starts_with("postgres") {
            let options: PgConnectOptions = self.place.parse().expect("an address");
            let mut connection = options.options([("search_path", "tollgate")]).connect().await.expect("a connection");
            sqlx::raw_sql(rows).execute(&mut connection).await.map(drop)
        } else {
            let mut connection =
                SqliteConnectOptions::new().filename(&self.place).connect().await.expect("a connection");
            sqlx::raw_sql(rows).execute(&mut connection).await.map(drop)
        };
        done.expect("rows that the rules allow");
    }

    pub(crate) async fn get(&self, served: &Served, path: &str) -> Value {
        let url = format!("{}{path}", served.url());
        let reply = client().get(url).bearer_auth(&self.key).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    /// What is held.
    pub(crate) async fn held(&self, served: &Served) -> String {
        amount(&self.get(served, "/api/user/self/balance").await["data"]["held_usd"])
    }

    /// Looks that nothing of what chats held is held any more soon after a start.
    pub(crate) async fn released(&self, served: &Served, when: &str) {
        let started = Instant::now();
        until("the end of all holds", || async { (self.held(served).await == "0").then_some(()) }).await;
        assert!(started.elapsed() < RELEASED_WITHIN, "{when}: {:?}", started.elapsed());
    }

    /// Waits until nothing is held any more: a film that was under way ends first.
    pub(crate) async fn settled(&self, served: &Served) {
        until("the end of all holds", || async { (self.held(served).await == "0").then_some(()) }).await;
    }

    /// The books, which have to be right.
    pub(crate) fn audited(&self, when: &str) -> Value {
        let (clean, report) = run_json(&[&self.args[..], &["audit"]].concat());
        assert!(clean, "{when}: {report}");
        report
    }

    /// That each of these requests was charged, once and for what it cost.
    pub(crate) async fn assert_charged(&self, served: &Served, complete: &[String], when: &str) {
        let distinct: BTreeSet<&String> = complete.iter().collect();
        assert_eq!(distinct.len(), complete.len(), "{when}: a request id was given twice");
        let mut readers = JoinSet::new();
        for part in complete.chunks(complete.len().div_ceil(READERS).max(1)) {
            let (part, url, key) = (part.to_vec(), served.url().to_owned(), self.key.clone());
            readers.spawn(async move {
                for id in part {
                    let url = format!("{url}/api/user/self/receipts/{id}");
                    let reply = client().get(url).bearer_auth(&key).send().await.expect("an answer");
                    let receipt = exact(&reply.text().await.expect("a body"))["data"].clone();
                    let found = (receipt["status"].clone(), amount(&receipt["charged_usd"]));
                    assert_eq!(found, (json!("settled"), "0.00000315".to_owned()), "{id}: {receipt}");
                }
            });
        }
        while let Some(read) = readers.join_next().await {
            read.unwrap_or_else(|failed| panic!("{when}: {failed}"));
        }
    }

    /// As many clients, until they are cut off; the requests that they saw complete.
    pub(crate) fn chats(&self, served: &Served, clients: usize, model: &'static str) -> JoinSet<Vec<String>> {
        let mut load = JoinSet::new();
        for turn in 0..clients {
            let (url, key, answered) = (served.url().to_owned(), self.key.clone(), self.answered.clone());
            load.spawn(ask_until_cut(url, key, model, turn % 2 == 0, (None, answered)));
        }
        load
    }

    /// The same, each request with an Idempotency-Key of its own.
    pub(crate) fn keyed(&self, served: &Served, clients: usize, model: &'static str) -> JoinSet<Vec<String>> {
        let mut load = JoinSet::new();
        for turn in 0..clients {
            let keys = Some(IDEMPOTENCY_KEYS.fetch_add(1, Ordering::Relaxed));
            let (url, key, answered) = (served.url().to_owned(), self.key.clone(), self.answered.clone());
            load.spawn(ask_until_cut(url, key, model, turn % 2 == 0, (keys, answered)));
        }
        load
    }

    /// The same, each asking to open orders on a rail that is off, with an Idempotency-Key for each.
    pub(crate) fn orders(&self, served: &Served, clients: usize) -> JoinSet<Vec<String>> {
        let mut load = JoinSet::new();
        for _ in 0..clients {
            let (url, key) = (format!("{}/api/user/topup/crypto/orders", served.url()), self.key.clone());
            load.spawn(async move {
                loop {
                    let number = IDEMPOTENCY_KEYS.fetch_add(1, Ordering::Relaxed);
                    let order = client().post(&url).bearer_auth(&key).header("idempotency-key", number);
                    if order.json(&json!({"amount_usd": 5})).send().await.is_err() {
                        return Vec::new();
                    }
                }
            });
        }
        load
    }

    /// The same, each ordering films that go as `prompt` says.
    pub(crate) fn films(&self, served: &Served, clients: usize, prompt: &'static str) -> JoinSet<Vec<String>> {
        let mut load = JoinSet::new();
        for _ in 0..clients {
            let (url, key) = (format!("{}/v1/videos", served.url()), self.key.clone());
            load.spawn(async move {
                let order = json!({"model": "film-o", "prompt": prompt, "seconds": "4"});
                while let Ok(reply) = client().post(&url).bearer_auth(&key).json(&order).send().await {
                    assert_eq!(reply.status(), 200);
                    if reply.bytes().await.is_err() {
                        break;
                    }
                }
                Vec::new()
            });
        }
        load
    }
}

/// A provider of both: texts, and films.
fn answer(studio: &FakeVideoProvider, request: &Received) -> Reply {
    if !request.line.contains("/chat/completions") {
        return studio.answer(request);
    }
    let asked = String::from_utf8_lossy(&request.body);
    if asked.contains("\"sour\"") {
        Reply::json(500, &json!({"error": {"message": "no"}}))
    } else if asked.contains("\"stream\":true") {
        Reply::stream(chat_stream(&["a", "b"], 9, 3))
    } else if asked.contains("\"wordy\"") {
        Reply::json(200, &completion(&"word ".repeat(20_000), 9, 3))
    } else {
        Reply::json(200, &completion("ab", 9, 3))
    }
}

fn model(name: &str) -> String {
    format!(
        "[models.{name}]\ncontext_tokens = 1000\nmax_output_tokens = 100\nprice = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
         candidates = [{{ upstream = \"fake\" }}]\n"
    )
}

/// Asks again and again until the gateway is gone; the requests that were seen complete.
async fn ask_until_cut(
    url: String,
    key: String,
    model: &str,
    stream: bool,
    (keys, answered): (Option<u64>, Arc<AtomicUsize>),
) -> Vec<String> {
    let mut complete = Vec::new();
    let url = format!("{url}/v1/chat/completions");
    let mut body = hello(stream);
    body["model"] = json!(model);
    let body = body.to_string();
    loop {
        let request = client().post(&url).bearer_auth(&key).header("content-type", "application/json");
        let request = match keys {
            Some(keys) => request.header("idempotency-key", format!("{keys} {}", complete.len())),
            None => request,
        };
        let Ok(reply) = request.body(body.clone()).send().await else { return complete };
        let status = reply.status();
        let is_expected = if model == "sour" { status.is_server_error() } else { status == 200 };
        assert!(is_expected, "{model}: {status}: {:?}", reply.text().await);
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        match reply.text().await {
            Ok(_) if status != 200 => {}
            Ok(body) if !stream || body.ends_with("[DONE]\n\n") => {
                complete.push(request_id);
                answered.fetch_add(1, Ordering::Relaxed);
            }
            Ok(_) | Err(_) => return complete,
        }
    }
}
