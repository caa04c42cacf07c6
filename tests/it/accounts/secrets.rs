//! Planted secrets are nowhere: not in the log at its most talkative, not in an error, a trace or the metrics, and in no file
//! or table of the database. The binary as its own process, on a file and on PostgreSQL.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};
use tempfile::TempDir;
use tollgate_base::Clock;
use tollgate_tests::binary::{Served, path, run_json};
use tollgate_tests::checkout::{Provider, token_in};
use tollgate_tests::formats::answer;
use tollgate_tests::gateway::hello;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::Reply;
use tollgate_tests::spans::Collector;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{Upstream, client};
use tollgate_topup::ewallet::published;

const PASSWORD: &str = "planted-password-4711";
const WRONG_PASSWORD: &str = "planted-wrong-password-4712";
const WRONG_KEY: &str = "sk-plantedPLANTEDplantedPLANTEDplantedPLANTED4713abc";
const WRONG_TOKEN: &str = "planted-token-aaaaaaaaaaaaaaaaaaaaaaaaa4714";
const PROVIDER_KEY: &str = "planted-provider-key-4715";
/// Of a studio that has two, of which one signs.
const ACCESS_KEY: &str = "planted-access-key-4717";
const SIGNING_KEY: &str = "planted-signing-key-4718";
/// Of the database.
const DATABASE_PASSWORD: &str = "planted-database-password-4719";
/// Of an order.
const WRONG_ORDER_TOKEN: &str = "planted0order0token0472000";
/// Where the service says that it is reached.
const PUBLIC_URL: &str = "http://gateway.example";
/// What a client writes into a conversation is nobody else's either.
const PROMPT: &str = "planted-prompt-4716";

/// A server, what it is reached by, and all that it has let out.
struct Planted {
    args: Vec<&'static str>,
    folder: TempDir,
    upstream: Upstream,
    collector: Collector,
    provider: Provider,
    errors: Vec<String>,
}

impl Planted {
    async fn new(database: &str) -> Self {
        let (folder, upstream) = (tempfile::tempdir().expect("a temporary folder"), Upstream::start().await);
        let collector = Collector::start().await;
        let provider = Provider::start(Clock::system(), 1);
        let (config, key) = (folder.path().join("planted.toml"), folder.path().join("provider.key"));
        std::fs::write(&key, PROVIDER_KEY).expect("a file of ours");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            format!("{:?}", path.display().to_string())
        };
        let films = format!(
            "[upstreams.studio]\nformat = \"video_a\"\nbase_url = {:?}\naccess_key_file = {}\nsecret_key_file = {}\n\
             [models.film]\ncontext_tokens = 1\nmax_output_tokens = 1\nvideo_seconds = [5]\n\
             price = {{ prompt = \"0\", completion = \"0\", video_second = \"0.05\" }}\n\
             candidates = [{{ upstream = \"studio\", model = \"lens-v1\" }}]\n",
            upstream.base_url(),
            file("access.key", ACCESS_KEY),
            file("signing.key", SIGNING_KEY),
        );
        let wallets = format!(
            "[topup.ewallet]\nbase_url = {:?}\nclient_id = {:?}\nmerchant_key_file = {}\nprovider_key_file = {}\n",
            provider.url,
            published::CLIENT_ID,
            file("merchant.key", published::MERCHANT_PRIVATE),
            file("provider.public", published::PROVIDER_PUBLIC),
        );
        let text = format!(
            "data_dir = {:?}\npublic_url = {PUBLIC_URL:?}\n{database}{}[log]\nfilter = \"trace\"\n[accounts]\nregistration = true\n[upstreams.fake]\n\
             base_url = {:?}\napi_key_file = {key:?}\n[models.small]\ncontext_tokens = 1000\nmax_output_tokens = 100\n\
             price = {{ prompt = \"0.15\", completion = \"0.6\" }}\ncandidates = [{{ upstream = \"fake\" }}]\n{films}{wallets}",
            folder.path().join("data"),
            collector.config("1"),
            upstream.base_url(),
        );
        std::fs::write(&config, text).expect("a file of ours");
        let args = vec!["--config", &*String::leak(config.display().to_string())];
        Self { args, folder, upstream, collector, provider, errors: Vec::new() }
    }

    fn run(&self, rest: &[&str]) -> Value {
        let (ok, told) = run_json(&[&self.args[..], rest].concat());
        assert!(ok, "{told}");
        told
    }

    /// Sends a request that is to fail, and keeps what is said of it.
    async fn fails(&mut self, request: RequestBuilder) {
        let reply = request.send().await.expect("an answer");
        assert!(!reply.status().is_success(), "{}", reply.url());
        let headers = format!("{:?}", reply.headers());
        self.errors.push(headers + &reply.text().await.expect("a body"));
    }

    /// An account with credit, a key, and a password that is typed as an operator types it.
    fn account(&self) -> String {
        self.run(&["account", "create", "ann"]);
        self.run(&["credit", "grant", "--account", "ann", "--usd", "1"]);
        let mut command = Command::new(path());
        command.args(&self.args).args(["account", "password", "ann"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("piped above");
        writeln!(stdin, "{PASSWORD}").expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && !String::from_utf8_lossy(&output.stdout).contains(PASSWORD), "{output:?}");
        self.run(&["key", "create", "--account", "ann"])["key"].as_str().expect("a key").to_owned()
    }

    /// Everything that shows a secret to the server, in good ways and in bad ones. The secrets that the server made.
    async fn used(&mut self, url: &str, key: &str) -> Vec<String> {
        let at = |path: &str| format!("{url}{path}");
        let post = |path: &str, body: &Value| {
            client().post(at(path)).header("content-type", "application/json").body(body.to_string())
        };
        let login = |name: &str, password: &str| post("/api/user/login", &json!({"email": name, "password": password}));
        let mut chat = hello(false);
        chat["messages"][0]["content"] = json!(PROMPT);
        self.upstream.on(answer);
        let good = post("/v1/chat/completions", &chat).bearer_auth(key).send().await.expect("an answer");
        assert_eq!(good.status(), 200);
        let listed = client().get(at(&format!("/v1/models?key={key}"))).send().await.expect("an answer");
        assert_eq!(listed.status(), 200);
        self.upstream.on(|_| Reply::json(401, &json!({"error": {"message": format!("bad key {PROVIDER_KEY}")}})));
        self.fails(post("/v1/chat/completions", &chat).bearer_auth(key)).await;
        self.upstream.on(|_| Reply::hang_up());
        self.fails(post("/v1/chat/completions", &chat).bearer_auth(key)).await;
        self.fails(post("/v1/chat/completions", &chat).bearer_auth(WRONG_KEY)).await;
        self.fails(client().get(at(&format!("/v1/models?key={WRONG_KEY}")))).await;
        self.fails(client().get(at("/v1/models")).header("x-g-api-key", WRONG_KEY)).await;
        self.fails(client().get(at("/api/user/self/balance")).header("cookie", format!("session={WRONG_TOKEN}"))).await;
        // A film, whose studio is shown who asks and is sent what only the right one could sign.
        let film = json!({"model": "film", "prompt": "a cat", "seconds": "5"});
        let ordered = post("/v1/videos", &film).bearer_auth(key).send().await.expect("an answer");
        self.errors.push(ordered.text().await.expect("a body"));
        // A person, a wrong password, bodies that are none, and a password where a name belongs.
        let reply = login("ann", PASSWORD).send().await.expect("an answer");
        let pair = reply.headers()["set-cookie"].to_str().expect("text").split(';').next().expect("a pair").to_owned();
        let token = pair.strip_prefix("session=").expect("a cookie").to_owned();
        self.fails(login("ann", WRONG_PASSWORD)).await;
        self.fails(post("/api/user/login", &json!({"email": "ann", "password": [WRONG_PASSWORD]}))).await;
        self.fails(post("/api/user/login", &json!({"email": "ann", "password": PASSWORD, "pin": WRONG_PASSWORD})))
            .await;
        self.fails(post("/api/user/login", &Value::Null).body(format!("{{\"password\":\"{WRONG_PASSWORD}\""))).await;
        self.fails(login(WRONG_PASSWORD, WRONG_PASSWORD)).await;
        let logout = format!("logout_token={WRONG_TOKEN}");
        self.fails(client().post(at("/api/user/login/oidc/company/logout")).body(logout)).await;
        self.fails(post("/api/user/register", &json!({"email": "no address", "password": PASSWORD}))).await;
        // A key that is made by a session, used, and shown to whoever may not use it.
        let make = post("/api/user/self/keys", &json!({"label": "second"})).header("cookie", &pair);
        self.fails(make.try_clone().expect("a whole body")).await;
        let made = make.header("sec-fetch-site", "same-origin").header("x-tollgate-csrf", "1").send().await;
        let made: Value = made.expect("an answer").json().await.expect("JSON");
        let second = made["data"]["api_key"].as_str().expect("a key").to_owned();
        self.fails(client().request(Method::DELETE, at("/api/user/self/keys/7")).bearer_auth(&second)).await;
        self.fails(
            post("/v1/chat/completions", &json!({"model": second})).bearer_auth(&second).header("x-api-key", key),
        )
        .await;
        // An agent, whose proof is nobody else's either.
        let proof = Wallet::evm().registration(PUBLIC_URL);
        let made = post("/api/user/self/agents", &proof).bearer_auth(key).send().await.expect("an answer");
        let made: Value = made.json().await.expect("JSON");
        let agent = made["data"]["api_key"].as_str().expect("a key").to_owned();
        let signature = proof["ownership_sig"].as_str().expect("text").to_owned();
        self.fails(post("/api/user/self/agents", &proof).bearer_auth(key)).await;
        let mut other = proof.clone();
        other["label"] = json!("other");
        self.fails(post("/api/user/self/agents", &other).bearer_auth(key)).await;
        self.fails(post("/api/user/self/agents", &proof).bearer_auth(&agent)).await;
        let order_token = self.ordered(url, key).await;
        vec![key.to_owned(), token, second, agent, signature, order_token]
    }

    /// An order, which its token shows to whoever returns from the checkout page; the token.
    async fn ordered(&mut self, url: &str, key: &str) -> String {
        let order = json!({"amount_usd": 5, "wallet": "GCASH"});
        let made = client().post(format!("{url}/api/user/topup/ewallet/orders")).bearer_auth(key).json(&order);
        let told = made.send().await.expect("an answer").text().await.expect("a body");
        let made: Value = serde_json::from_str(&told).expect("JSON");
        let text = |name: &str| made["data"][name].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
        let token = token_in(&self.provider.return_address(&text("checkout_url")).await);
        for path in ["/api/topup/order", "/topup/order"] {
            let shown = client().get(format!("{url}{path}/{}?token={token}", text("trade_no"))).send().await;
            let shown = shown.expect("an answer");
            assert_eq!(shown.status(), 200, "{path}");
            self.errors.push(shown.text().await.expect("a body"));
        }
        self.errors.push(told);
        self.fails(client().get(format!("{url}/api/topup/order/tg0?token={WRONG_ORDER_TOKEN}"))).await;
        token
    }
}

/// Sees that none of the secrets stands in a text.
fn clean(place: &str, bytes: &[u8], secrets: &[String]) {
    for secret in secrets {
        assert!(memchr::memmem::find(bytes, secret.as_bytes()).is_none(), "{secret} stands in {place}");
    }
}

fn planted(made: &[String]) -> Vec<String> {
    let typed = [
        PASSWORD,
        WRONG_PASSWORD,
        WRONG_KEY,
        WRONG_TOKEN,
        WRONG_ORDER_TOKEN,
        PROVIDER_KEY,
        ACCESS_KEY,
        SIGNING_KEY,
        DATABASE_PASSWORD,
    ];
    typed.into_iter().map(str::to_owned).chain(made.iter().cloned()).collect()
}

/// What a server that has ended has written to its log.
fn written(log: &Receiver<String>) -> String {
    let mut text = String::new();
    while let Ok(line) = log.recv_timeout(Duration::from_secs(10)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn files(folder: &Path, look: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, look) } else { look(&path) }
    }
}

async fn nothing_shows(mut house: Planted) -> (Planted, Vec<String>) {
    let key = house.account();
    let (served, log) = Served::start_logged(&house.args);
    let made = house.used(served.url(), &key).await;
    let metrics = client().get(format!("{}/metrics", served.url())).send().await.expect("an answer");
    let metrics = metrics.text().await.expect("a body");
    assert!(served.terminate());
    let secrets = planted(&made);
    let mut hidden = secrets.clone();
    hidden.push(PROMPT.to_owned());
    let log = written(&log);
    assert!(log.len() > 1_000, "it talks: {log}");
    clean("the log", log.as_bytes(), &hidden);
    clean("the metrics", metrics.as_bytes(), &hidden);
    // The last of them were sent before the end.
    let traces = house.collector.take_bytes();
    assert!(memchr::memmem::find(&traces, b"chat.create").is_some(), "it is traced");
    clean("the traces", &traces, &hidden);
    assert!(house.errors.len() > 10);
    for error in &house.errors {
        clean(error, error.as_bytes(), &secrets);
    }
    let mut looked = 0;
    files(&house.folder.path().join("data"), &mut |file| {
        looked += 1;
        clean(&file.display().to_string(), &std::fs::read(file).expect("a file"), &hidden);
    });
    assert!(looked > 0, "something is kept there");
    (house, hidden)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_shows_beside_a_file() {
    nothing_shows(Planted::new("").await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_shows_beside_a_server() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    // It trusts whoever asks, and is shown the password all the same. An address with one is not written into the file.
    let shown = url.replacen("test@", &format!("test:{DATABASE_PASSWORD}@"), 1);
    let secrets = tempfile::tempdir().expect("a temporary folder");
    let file = secrets.path().join("database.url");
    std::fs::write(&file, shown).expect("a file of ours");
    let database = format!("[database]\nurl_file = {:?}\n", file.display().to_string());
    let (_house, hidden) = nothing_shows(Planted::new(&database).await).await;
    let mut connection = PgConnection::connect(&url).await.expect("a connection");
    let tables = "SELECT format('SELECT t::text FROM %I.%I t', schemaname, tablename) FROM pg_tables WHERE schemaname LIKE 'tollgate%'";
    let tables = sqlx::query(tables).fetch_all(&mut connection).await.expect("the tables");
    assert!(tables.len() > 10, "the ledger is there");
    for table in tables {
        let statement: String = table.get(0);
        let rows = sqlx::query(sqlx::AssertSqlSafe(statement.clone())).fetch_all(&mut connection).await.expect("rows");
        for row in rows {
            let text: String = row.get(0);
            clean(&statement, text.as_bytes(), &hidden);
        }
    }
}
