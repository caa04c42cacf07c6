//! A gateway in this process: real listener, real ledger file in a folder of its own, one account with a key.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_accounts::NewKey;
use tollgate_base::{AccountId, Clock, Usd};
use tollgate_credit::GrantRequest;
use tollgate_server::app::{App, AppSources, store_config};
use tollgate_server::settings::{CommandLine, Settings, SettingsLoadError};
use tollgate_store::StoreConfig;
use tollgate_telemetry::AlarmFeed;

use crate::alarm_log::AlarmLog;
use crate::ledger_file;
use crate::postgres::Postgres;
use crate::upstream::Upstream;
use crate::wait::until;

/// Prices of the model `small` in the harness, in pico-USD per token.
pub const PROMPT_PICOUSD: u64 = 150_000;
/// See [`PROMPT_PICOUSD`].
pub const COMPLETION_PICOUSD: u64 = 600_000;

/// The key under which secrets of providers are sealed.
pub const SECRETS_KEY: &str = "5ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7e75ec7";
/// What operators may put on offer: providers on this machine, with keys.
const OPERATORS: &str = "[admin]\nprovider_networks = [\"127.0.0.0/8\"]\nsecrets_key_env = \"SECRETS_KEY\"\n";

/// How a test wants its gateway.
#[derive(Debug)]
pub struct Options {
    /// What the account is given.
    pub credit: &'static str,
    /// TOML put before the upstream and model tables: top-level keys, then tables. `{upstream}` in it stands for the
    /// address of the provider.
    pub config: String,
    /// TOML lines of the table of the provider.
    pub upstream: &'static str,
    /// The clock of ledger, keys and request ids.
    pub clock: Clock,
    /// How long what is under way may take to end once it is told to stop; as the spec says where absent.
    pub grace: Option<Duration>,
    /// Other rails than the configuration has.
    pub topup: Option<tollgate_topup::Config>,
}

impl Default for Options {
    fn default() -> Self {
        Self { credit: "10", config: String::new(), upstream: "", clock: Clock::system(), grace: None, topup: None }
    }
}

/// A running gateway with one provider, one model `small` (alias `tiny`, known to the provider as `upstream-model`)
/// and one account.
#[derive(Debug)]
pub struct TestGateway {
    app: App,
    /// The provider behind it.
    pub upstream: Upstream,
    /// The account's key.
    pub key: String,
    /// The account.
    pub account: AccountId,
    /// The folder of the ledger, removed at the end.
    pub folder: TempDir,
    /// The table of the configuration that says where the ledger is; empty for one in the folder.
    database: String,
}

/// The table of a ledger in a file, for tests that open that file.
pub const IN_FILE: &str = "[database]\n";
/// Says that a ledger of which a test says nothing is on a database server.
pub const ON_SERVER: &str = "TOLLGATE_TEST_ON_SERVER";

/// The table of a database of its own, where the run asks for it and the test for none.
async fn database(config: &str) -> String {
    if std::env::var_os(ON_SERVER).is_none() || config.contains("[database]") {
        return String::new();
    }
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    format!("[database]\nurl = {url:?}\n")
}

impl TestGateway {
    /// Starts one as most tests want it.
    pub async fn start() -> Self {
        Self::with(Options::default()).await
    }

    /// Starts one.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn with(options: Options) -> Self {
        AlarmLog::listen();
        let upstream = Upstream::start().await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = options.config.replace("{upstream}", &upstream.base_url());
        let database = database(&config).await;
        let mut settings = settings(&folder, &[&config, &*database].join("\n"), &upstream.base_url(), options.upstream);
        if let Some(grace) = options.grace {
            settings.http.shutdown_grace = grace;
        }
        if let Some(topup) = options.topup {
            settings.topup = topup;
        }
        if let StoreConfig::Sqlite { path } = store_config(&settings) {
            ledger_file::place(&path);
        }
        let app = start(settings, options.clock, &folder).await;
        let service = app.service();
        let account = service.accounts.create_account("test", "test").await.expect("a fresh ledger").id;
        let amount: Usd = options.credit.parse().expect("an amount");
        if amount > Usd::ZERO {
            let ask = GrantRequest { account, amount, idem: "start", actor: "test".into(), note: "" };
            service.credit.grant(ask).await.expect("credit is granted");
        }
        let key = new_key(&app, account).await;
        Self { app, upstream, key, account, folder, database }
    }

    /// Stops it and starts another on its ledger; its provider stays.
    ///
    /// # Panics
    /// When that one does not start.
    pub async fn again(self, config: &str, clock: Clock) -> Self {
        let (account, key, database) = (self.account, self.key.clone(), self.database.clone());
        let (folder, upstream) = self.stop().await;
        let config = [config, &*database].join("\n");
        let app = start(settings(&folder, &config, &upstream.base_url(), ""), clock, &folder).await;
        Self { app, upstream, key, account, folder, database }
    }

    /// Another node on the same database, which the configuration names, for the same account.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn beside(&self, config: &str) -> Self {
        let (upstream, folder) = (Upstream::start().await, tempfile::tempdir().expect("a temporary folder"));
        let settings = settings(&folder, config, &upstream.base_url(), "");
        let app = start(settings, Clock::system(), &folder).await;
        Self { app, upstream, key: self.key.clone(), account: self.account, folder, database: String::new() }
    }

    /// The address of an operation.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.app.address())
    }

    /// The address of an operation of operators, where they have a listener of their own.
    #[must_use]
    pub fn operator_url(&self, path: &str) -> Option<String> {
        self.app.operator_address().map(|address| format!("http://{address}{path}"))
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.app.address()
    }

    /// The rooms behind it.
    #[must_use]
    pub fn service(&self) -> &tollgate_server::app::Service {
        self.app.service()
    }

    /// The ledger's file.
    #[must_use]
    pub fn ledger(&self) -> PathBuf {
        self.folder.path().join("tollgate.db")
    }

    /// A further key of the account.
    pub async fn new_key(&self) -> String {
        new_key(&self.app, self.account).await
    }

    /// A key of another account, which has no credit.
    pub async fn key_of_another(&self) -> String {
        self.key_of("another").await
    }

    /// A key of an account of this name, which is new and has no credit.
    ///
    /// # Panics
    /// When there is one of that name.
    pub async fn key_of(&self, name: &str) -> String {
        let account = self.app.service().accounts.create_account(name, "test").await.expect("a name of its own").id;
        new_key(&self.app, account).await
    }

    /// A GET with the key.
    pub fn get(&self, path: &str) -> RequestBuilder {
        client().get(self.url(path)).bearer_auth(&self.key)
    }

    /// A chat request with the key and this body.
    pub fn chat(&self, body: impl Into<reqwest::Body>) -> RequestBuilder {
        let request = client().post(self.url("/v1/chat/completions")).bearer_auth(&self.key);
        request.header("content-type", "application/json").body(body)
    }

    /// A chat request that asks `small` to say hello.
    pub fn hello(&self) -> RequestBuilder {
        self.chat(hello(false).to_string())
    }

    /// The same as a stream.
    pub fn hello_stream(&self) -> RequestBuilder {
        self.chat(hello(true).to_string())
    }

    /// What the balance operation says, in `data`.
    ///
    /// # Panics
    /// When it does not answer.
    pub async fn balance(&self) -> Value {
        let reply = self.get("/api/user/self/balance").send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))["data"].clone()
    }

    /// The receipt of a request, once it is no longer held.
    pub async fn receipt(&self, request_id: &str) -> Value {
        let path = format!("/api/user/self/receipts/{request_id}");
        until("the receipt", || async {
            let reply = exact(&self.get(&path).send().await.ok()?.text().await.ok()?);
            let receipt = reply["data"].clone();
            (receipt["status"] == "settled" || receipt["status"] == "released").then_some(receipt)
        })
        .await
    }

    /// Recomputes the ledger.
    ///
    /// # Panics
    /// When it is not clean.
    pub async fn assert_books(&self) {
        let report = self.app.service().credit.audit().await.expect("an audit");
        assert!(report.is_clean(), "{report}");
    }

    /// Stops the gateway in order and gives back its folder.
    pub async fn stop(self) -> (TempDir, Upstream) {
        self.app.stop().await;
        (self.folder, self.upstream)
    }
}

async fn new_key(app: &App, account: AccountId) -> String {
    let key = NewKey { account, label: "test".to_owned(), expires_at_ms: None };
    let created = app.service().accounts.create_key(key, "test").await.expect("a key");
    created.secret.reveal().to_owned()
}

fn settings(folder: &TempDir, config: &str, base_url: &str, upstream: &str) -> Settings {
    let path = folder.path().join("tollgate.toml");
    // Most tests that make a provider fail want to see it fail each time.
    let operators = if config.contains("[admin]") { "" } else { OPERATORS };
    let breaker = if config.contains("[breaker]") { "" } else { "[breaker]\nfailures = 0" };
    let text = format!(
        r#"listen = "127.0.0.1:0"
data_dir = {data:?}
{config}
{operators}
{breaker}
[upstreams.fake]
base_url = "{base_url}"
api_key_env = "FAKE_UPSTREAM_KEY"
{upstream}
[models.small]
aliases = ["tiny"]
context_tokens = 100000
max_output_tokens = 1000
price = {{ prompt = "0.15", cached = "0.075", completion = "0.6", version = "test-1" }}
candidates = [{{ upstream = "fake", model = "upstream-model" }}]
"#,
        data = folder.path(),
    );
    std::fs::write(&path, text).expect("a file of ours");
    read(&path).expect("the harness's own configuration")
}

/// Starts a server, which reads its file again when it is asked to.
async fn start(settings: Settings, clock: Clock, folder: &TempDir) -> App {
    let path = folder.path().join("tollgate.toml");
    let sources = AppSources { alarms: AlarmFeed::default(), read: Arc::new(move || read(&path)) };
    App::start(settings, clock, sources).await.expect("the gateway starts")
}

fn read(path: &Path) -> Result<Settings, SettingsLoadError> {
    let line = CommandLine { config: Some(path.to_owned()), ..CommandLine::default() };
    let env = |name: &str| match name {
        "FAKE_UPSTREAM_KEY" => Some(UPSTREAM_KEY.to_owned()),
        "SECRETS_KEY" => Some(SECRETS_KEY.to_owned()),
        "FAKE_ACCESS_KEY" => Some(ACCESS_KEY.to_owned()),
        "FAKE_SECRET_KEY" => Some(SECRET_KEY.to_owned()),
        "OIDC_SECRET" => Some(crate::oidc::SECRET.to_owned()),
        "RELAYER_KEY" => Some(crate::chain::RELAYER.to_owned()),
        "FEE_PAYER_KEY" => Some(crate::svm::fee_payer_key()),
        _ => None,
    };
    Settings::load(&line, &env)
}

/// The key that the gateway shows its provider.
pub const UPSTREAM_KEY: &str = "upstream-secret-key";
/// The key that names the gateway to a provider that has two.
pub const ACCESS_KEY: &str = "upstream-access-key";
/// The key that signs what such a provider is asked.
pub const SECRET_KEY: &str = "upstream-signing-key";

/// A chat request that asks `small` to say hello.
#[must_use]
pub fn hello(stream: bool) -> Value {
    json!({
        "model": "small", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 100, "stream": stream,
    })
}

/// One HTTP client for all tests of a process, without proxies and redirects.
///
/// # Panics
/// When it cannot be built.
pub fn client() -> &'static reqwest::Client {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    CLIENT.get_or_init(|| {
        tollgate_net::install_tls();
        let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        // Each test has a runtime of its own, and a pooled connection lives on the one that opened it.
        builder.pool_max_idle_per_host(0).build().expect("a client")
    })
}

/// JSON with its decimals kept as text: an amount of money is compared digit by digit, never as a binary float.
///
/// # Panics
/// When it is no JSON.
#[must_use]
pub fn exact(json: &str) -> Value {
    if json.starts_with('{') {
        let raw: std::collections::BTreeMap<String, Box<RawValue>> = serde_json::from_str(json).expect("an object");
        return Value::Object(raw.into_iter().map(|(key, value)| (key, exact(value.get()))).collect());
    }
    if json.starts_with('[') {
        let raw: Vec<Box<RawValue>> = serde_json::from_str(json).expect("a list");
        return raw.iter().map(|value| exact(value.get())).collect();
    }
    let number = json.starts_with(|first: char| first.is_ascii_digit() || first == '-');
    if number && json.contains('.') { Value::from(json) } else { serde_json::from_str(json).expect("a value") }
}

/// An amount out of [`exact`] JSON, as it was written.
#[must_use]
pub fn amount(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
