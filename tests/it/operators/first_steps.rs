//! The README's path from a binary to the first charged request, without a configuration file: by a program, and in a browser.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::spawn_blocking;
use tollgate_base::Clock;
use tollgate_tests::binary::path;
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until_later;
use tollgate_tests::{Upstream, browser, client, script, totp};

use super::admin_client::AdminClient;
use crate::spec::answers::root;

/// What the script has cases for.
const CASES: usize = 4;

/// A shell, which ends with what it has started.
struct Shell(Child);

impl Drop for Shell {
    fn drop(&mut self) {
        Command::new("pkill").args(["-P", &self.0.id().to_string()]).status().expect("pkill runs");
        self.0.wait().expect("it ends with what it waits for");
    }
}

/// The lines of the README between these words and the end of their block, with addresses and folders of this test.
fn block(after: &str, changes: &[(&str, String)]) -> String {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let from = readme.split_once(after).expect("it is told of").1;
    let block =
        from.split_once("```sh\n").and_then(|(_, block)| block.split_once("```")).expect("a block").0.to_owned();
    changes.iter().fold(block, |block, (word, with)| {
        assert!(block.contains(word), "{block} has no {word}");
        block.replace(word, with)
    })
}

/// An address of this machine that nothing listens on.
fn free() -> String {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").to_string()
}

/// A server that the lines of the README have started, with providers on this machine allowed.
struct ReadmeServer {
    /// Address of everybody.
    url: String,
    /// Address of operators.
    admin_url: String,
    /// The address that `operator create` printed.
    invitation_url: String,
    folder: TempDir,
    _shell: Shell,
}

impl ReadmeServer {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (everybody, operators) = (free(), free());
        let changes =
            [("target/release/tollgate", path().display().to_string()), ("127.0.0.1:8081", operators.clone())];
        let script = block("from the browser, without a file", &changes);
        let mut shell = Command::new("bash");
        shell.args(["-euc", &format!("{script} & wait")]).current_dir(folder.path());
        shell.env("TOLLGATE_LISTEN", &everybody).env("TOLLGATE_ADMIN__PROVIDER_NETWORKS", "[\"127.0.0.0/8\"]");
        let mut shell = Shell(shell.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("bash runs"));
        let printed = BufReader::new(shell.0.stdout.take().expect("piped above"));
        let invitation_url = spawn_blocking(move || {
            let mut lines = printed.lines().map_while(Result::ok);
            let line = lines.find(|line| line.contains("/admin/invitation#")).expect("an invitation is printed");
            // What is printed later is read too, so that nobody waits for it.
            thread::spawn(move || lines.for_each(drop));
            line.split_whitespace().find(|word| word.contains("/admin/invitation#")).expect("its address").to_owned()
        });
        let invitation_url = invitation_url.await.expect("no panic");
        let (admin_url, url) = (format!("http://{operators}"), format!("http://{everybody}"));
        until_later("the server", || async {
            client().get(format!("{url}/healthz")).send().await.ok().filter(|reply| reply.status() == 200)
        })
        .await;
        Self { url, admin_url, invitation_url, folder, _shell: shell }
    }
}

/// A provider that answers every request for 9 and 3 tokens.
async fn provider() -> Upstream {
    let upstream = Upstream::start().await;
    upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    upstream
}

// suite: browser 20s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_console_leads_from_an_empty_server_to_a_charged_request() {
    let (server, upstream) = (ReadmeServer::start().await, provider().await);
    assert!(server.invitation_url.starts_with(&server.admin_url), "{}", server.invitation_url);
    // The app that shows codes. Each is taken once: after the first one it shows that of the next half minute, which is taken too.
    let app = Upstream::start().await;
    let asked = AtomicI64::new(0);
    app.on(move |request| {
        let secret = request.line.split(['/', ' ']).rfind(|part| part.len() == 32).expect("a secret");
        let later = asked.fetch_add(1, Ordering::Relaxed).min(1) * 30_000;
        Reply::json(200, &json!({"code": totp::code(secret, Clock::system().now_ms() + later)}))
    });
    let pictures = script::target_folder().join("suite").join("first-start");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    let env = [
        ("GATEWAY_URL", server.admin_url.clone()),
        ("MODELS_URL", server.url.clone()),
        ("INVITATION", server.invitation_url.rsplit('#').next().expect("the end of an address").to_owned()),
        ("CODES_URL", app.base_url()),
        ("PROVIDER_URL", upstream.base_url()),
        ("SCREENSHOTS", pictures.display().to_string()),
    ];
    let output = spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("first_start.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_path_of_the_readme_leads_to_a_charged_request_without_a_file() {
    let (server, upstream) = (ReadmeServer::start().await, provider().await);
    let ReadmeServer { url, admin_url: base, folder, .. } = &server;
    for (address, status) in [(format!("{base}/admin/invitation"), 200), (format!("{url}/admin/invitation"), 404)] {
        assert_eq!(client().get(&address).send().await.expect("an answer").status(), status, "{address}");
    }
    // What the pages do is done by a program here.
    let data = folder.path().join("data").display().to_string();
    let made = spawn_blocking(move || {
        let words = ["operator", "create", "root", "--key", "--role", "owner", "--data", &data];
        run_json_in_production(&words)
    });
    let key = made.await.expect("no panic")["key"].as_str().expect("a key").to_owned();
    let admin = AdminClient::new(base.clone(), key);
    let provider = json!({"name": "main", "settings": {"base_url": upstream.base_url()}, "api_key": "k"});
    AdminClient::data(admin.post("providers", &provider).await);
    let tried = AdminClient::data(admin.post("providers/main/tests", &json!({"model": "small-1"})).await);
    assert_eq!(tried["answered"], true);
    let price = json!({"name": "small-1", "settings": {"prompt": "0.15", "completion": "0.60"}});
    AdminClient::data(admin.post("prices", &price).await);
    let settings =
        json!({"context_tokens": 128_000, "max_output_tokens": 16_384, "candidates": [{"upstream": "main"}]});
    AdminClient::data(admin.post("models", &json!({"name": "small-1", "settings": settings})).await);
    let account = AdminClient::data(admin.post("accounts", &json!({"name": "acme"})).await)["account_id"].to_string();
    let granted = admin.grant(&account, "25").await;
    assert_eq!(AdminClient::data(granted)["available_usd"], 25);
    let key = AdminClient::data(admin.post(&format!("accounts/{account}/keys"), &json!({"label": "first"})).await);
    let body = json!({"model": "small-1", "messages": [{"role": "user", "content": "Hello"}]}).to_string();
    let request =
        client().post(format!("{url}/v1/chat/completions")).bearer_auth(key["api_key"].as_str().expect("a key"));
    let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let receipts = AdminClient::data(admin.get(&format!("accounts/{account}/receipts")).await);
    assert_eq!(amount(&receipts["receipts"][0]["charged_usd"]), "0.00000315", "{receipts}");
}

/// What a command prints as JSON, in production.
fn run_json_in_production(words: &[&str]) -> Value {
    let mut command = Command::new(path());
    command.env("TOLLGATE_MODE", "production").env("TOLLGATE_ADMIN__LISTEN", "127.0.0.1:1");
    let output = command.args(words).arg("--json").output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {output:?}"))
}
