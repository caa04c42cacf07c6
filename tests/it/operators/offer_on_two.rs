//! Servers that share a ledger sell what operators put on offer within two seconds, while requests go on: no stream is dropped,
//! no charge is of two prices, and a server that dies amid a change leaves nothing half done.

// suite of this file: waiting

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::Instant;
use tollgate_base::Usd;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::amount;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, chat_stream};
use tollgate_tests::wait::until_later;
use tollgate_tests::{Upstream, client};

use super::admin_client::AdminClient;

const CHANGES: u64 = 200;
const CLIENTS: usize = 6;
/// The time within which a change is sold by all servers.
const LIVE_WITHIN: Duration = Duration::from_secs(2);

/// A database with an owner and an account, and providers that stream.
struct Ground {
    url: String,
    folder: TempDir,
    providers: [Upstream; 2],
    owner: String,
    account: String,
    key: String,
}

impl Ground {
    async fn new() -> Self {
        let url = spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("key"), "ab".repeat(32)).expect("a file of ours");
        let providers = [Upstream::start().await, Upstream::start().await];
        for provider in &providers {
            provider.on(|_| Reply::stream(chat_stream(&["a", "b", "c", "d"], 9, 4)));
        }
        let mut ground =
            Self { url, folder, providers, owner: String::new(), account: String::new(), key: String::new() };
        let args = ground.args(0);
        let made = spawn_blocking(move || {
            let run = |command: &[&str]| {
                let all: Vec<&str> = command.iter().copied().chain(args.iter().map(String::as_str)).collect();
                let (ok, told) = run_json(&all);
                assert!(ok, "{told}");
                told
            };
            let owner = run(&["operator", "create", "root", "--key", "--role", "owner"]);
            let account = run(&["account", "create", "one"]);
            run(&["credit", "grant", "--account", "one", "--usd", "1000", "--idempotency-key", "a"]);
            (owner, account, run(&["key", "create", "--account", "one"]))
        });
        let (owner, account, key) = made.await.expect("no panic");
        let text = |told: &Value, name: &str| told[name].as_str().unwrap_or_else(|| panic!("{told}")).to_owned();
        (ground.owner, ground.key) = (text(&owner, "key"), text(&key, "key"));
        ground.account = account["id"].as_i64().unwrap_or_else(|| panic!("{account}")).to_string();
        ground
    }

    fn args(&self, number: u8) -> Vec<String> {
        let path = self.folder.path().join(format!("{number}.toml"));
        let text = format!(
            "data_dir = {:?}\n[database]\nurl = {:?}\n[admin]\npublic = true\nprovider_networks = [\"127.0.0.0/8\"]\nsecrets_key_file = {:?}\n",
            self.folder.path().join(number.to_string()),
            self.url,
            self.folder.path().join("key"),
        );
        std::fs::write(&path, text).expect("a file of ours");
        vec!["--config".to_owned(), path.display().to_string()]
    }

    async fn serve(&self, number: u8) -> Served {
        let args = self.args(number);
        let start = move || Served::start(&args.iter().map(String::as_str).collect::<Vec<_>>());
        spawn_blocking(start).await.expect("a server")
    }

    fn admin(&self, served: &Served) -> AdminClient {
        AdminClient::new(served.url().to_owned(), self.owner.clone())
    }

    /// Puts the model `m` on offer at the first provider, for 1 and 2 USD a million.
    async fn offer(&self, admin: &AdminClient) {
        for (name, provider) in ["one", "two"].into_iter().zip(&self.providers) {
            let body = json!({"name": name, "settings": {"base_url": provider.base_url()}, "api_key": "k0"});
            AdminClient::data(admin.post("providers", &body).await);
        }
        let price = json!({"name": "m", "settings": {"prompt": "1", "completion": "2"}});
        AdminClient::data(admin.post("prices", &price).await);
        AdminClient::data(admin.post("models", &json!({"name": "m", "settings": model(1)})).await);
    }

    /// All receipts of the account.
    async fn receipts(&self, admin: &AdminClient) -> Vec<Value> {
        let (mut receipts, mut after) = (Vec::new(), String::new());
        loop {
            let path = format!("accounts/{}/receipts?limit=100{after}", self.account);
            let page = AdminClient::data(admin.get(&path).await);
            receipts.extend(page["receipts"].as_array().expect("a list").iter().cloned());
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return receipts,
            }
        }
    }
}

/// A model at both providers, by weights that a number gives.
fn model(number: u64) -> Value {
    json!({
        "context_tokens": 1000, "max_output_tokens": 100,
        "candidates": [
            {"upstream": "one", "priority": 0, "weight": 1 + number % 5},
            {"upstream": "two", "priority": 0, "weight": 1 + number % 3},
        ],
    })
}

/// The change of that number: what is asked, and what then has which version.
fn change(number: u64, providers: &[Upstream; 2]) -> (Method, String, Value) {
    match number % 4 {
        0 | 2 => {
            let settings = json!({"prompt": (number + 2).to_string(), "completion": (2 * (number + 2)).to_string()});
            (Method::POST, "prices/m/versions".to_owned(), json!({"settings": settings}))
        }
        1 => (Method::PUT, "models/m".to_owned(), json!({"settings": model(number)})),
        _ => {
            let place = usize::try_from(number / 4 % 2).expect("0 or 1");
            let settings = json!({"base_url": providers[place].base_url(), "concurrency_max": 1000 + number});
            let body = json!({"settings": settings, "api_key": format!("k{number}")});
            (Method::PUT, format!("providers/{}", ["one", "two"][place]), body)
        }
    }
}

/// Where a thing is read that a change was sent to.
fn read_at(path: &str) -> &str {
    path.strip_suffix("/versions").unwrap_or(path)
}

fn version(thing: &Value) -> u64 {
    thing["version"].as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{thing}"))
}

/// Streams again and again, at one server after the other; each has to come to its end.
async fn stream_on(urls: Arc<Vec<String>>, key: String, number: usize, ended: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    let body = json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "hello"}]}).to_string();
    for turn in number.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let request = client().post(format!("{}/v1/chat/completions", urls[turn % urls.len()])).bearer_auth(&key);
        let reply = request.header("content-type", "application/json").body(body.clone()).send().await;
        let reply = reply.expect("an answer");
        let (status, told) = (reply.status(), reply.text().await.expect("a stream to its end"));
        assert!(status == 200 && told.ends_with("[DONE]\n\n"), "{status}: {told}");
        ended.fetch_add(1, Ordering::Relaxed);
    }
}

/// The longest time after its answer in which a version was not read at a server.
async fn live_at(admin: AdminClient, path: String, version_of: u64) -> Duration {
    let begun = Instant::now();
    until_later(&format!("version {version_of} of {path}"), || async {
        let (status, thing) = admin.get(&path).await;
        (status == 200 && version(&thing["data"]) >= version_of).then_some(())
    })
    .await;
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_changes_are_live_on_both_servers_and_no_stream_or_charge_notices() {
    let ground = Ground::new().await;
    let servers = [ground.serve(1).await, ground.serve(2).await];
    let admins = servers.each_ref().map(|served| ground.admin(served));
    ground.offer(&admins[0]).await;
    live_at(admins[1].clone(), "models/m".to_owned(), 1).await;
    let urls = Arc::new(servers.iter().map(|served| served.url().to_owned()).collect::<Vec<_>>());
    let (ended, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        clients.spawn(stream_on(urls.clone(), ground.key.clone(), number, ended.clone(), stop.clone()));
    }
    until_later("streams", || async { (ended.load(Ordering::Relaxed) >= 50).then_some(()) }).await;
    let mut live = JoinSet::new();
    for number in 0..CHANGES {
        let (method, path, body) = change(number, &ground.providers);
        let here = usize::try_from(number % 2).expect("0 or 1");
        let made = AdminClient::data(admins[here].send(method, &path, Some(&body), "*").await);
        let there = read_at(&path).to_owned();
        let known = AdminClient::data(admins[here].get(&there).await);
        assert!(version(&known) >= version(&made), "live at once where it was made");
        live.spawn(live_at(admins[1 - here].clone(), there, version(&made)));
    }
    let slowest = live.join_all().await.into_iter().max().expect("some");
    assert!(slowest < LIVE_WITHIN, "{slowest:?}");
    let before = ended.load(Ordering::Relaxed);
    until_later("streams after", || async { (ended.load(Ordering::Relaxed) >= before + 50).then_some(()) }).await;
    stop.store(true, Ordering::Relaxed);
    clients.join_all().await;
    let receipts = ground.receipts(&admins[0]).await;
    assert_eq!(receipts.len(), ended.load(Ordering::Relaxed), "each stream once");
    let versions = assert_of_one_price(&receipts);
    assert!(versions > 20, "{versions} prices were charged");
    for served in servers {
        assert!(served.terminate(), "told to stop, it ends well");
    }
}

/// Sees that each receipt is of one version of the price, whole. Answers how many versions there are.
fn assert_of_one_price(receipts: &[Value]) -> usize {
    let mut versions = BTreeMap::new();
    for receipt in receipts {
        let picos = |name: &str| receipt["prices"][name].as_u64().unwrap_or_else(|| panic!("{receipt}"));
        let (prompt, completion) = (picos("prompt_picousd"), picos("completion_picousd"));
        assert_eq!((completion, &receipt["status"]), (2 * prompt, &json!("settled")), "{receipt}");
        let version = receipt["price_version"].as_str().expect("text");
        assert_eq!(*versions.entry(version.to_owned()).or_insert(prompt), prompt, "{receipt}");
        // In billionths of a dollar: 9 tokens of the prompt and 4 of the answer.
        let nanos = (9 * prompt + 4 * completion).div_ceil(1000);
        let charged = Usd::from_nanos(i64::try_from(nanos).expect("an amount"));
        assert_eq!(amount(&receipt["charged_usd"]), charged.to_string(), "{receipt}");
    }
    versions.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_amid_changes_leaves_none_of_them_half_done() {
    let ground = Ground::new().await;
    let stays = ground.serve(1).await;
    let admin = ground.admin(&stays);
    ground.offer(&admin).await;
    // A list of prices is one change of many things.
    let list = |number: u64| {
        let price = |name: u64| format!("[prices.p{name}]\nprompt = \"{number}\"\ncompletion = \"{number}\"\n");
        json!({"list": (0..20).map(price).collect::<String>()})
    };
    for round in 0..5 {
        let dies = ground.serve(2).await;
        let there = ground.admin(&dies);
        let (begun, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, finished) = (begun.clone(), done.clone());
        let changing = tokio::spawn(async move {
            for number in 1.. {
                counted.store(number, Ordering::Relaxed);
                let body = list(round * 1_000_000 + u64::try_from(number).expect("a number"));
                if there.try_send(Method::POST, "price_list", Some(&body), "*").await.is_err() {
                    return;
                }
                finished.store(number, Ordering::Relaxed);
            }
        });
        until_later("changes", || async { (done.load(Ordering::Relaxed) >= 3).then_some(()) }).await;
        dies.kill();
        changing.await.expect("no panic");
        let known = [done.load(Ordering::Relaxed), begun.load(Ordering::Relaxed)];
        let known = known.map(|number| round * 1_000_000 + u64::try_from(number).expect("a number"));
        // What was answered is there, or the one that was under way; and never parts of two.
        let prices = until_later("the last list", || async {
            let prices = AdminClient::data(admin.get("prices?origin=api&limit=1000").await);
            let lists = lists_of(&prices);
            assert!(lists.len() < 2, "all prices of one list: {lists:?}");
            lists.first().is_some_and(|last| known.contains(last)).then_some(prices)
        })
        .await;
        let versions = prices["prices"][1]["version"].as_str().expect("text").parse::<usize>().expect("a number");
        let name = prices["prices"][1]["name"].as_str().expect("text");
        let lines = AdminClient::data(admin.get(&format!("changes?subject={name}&limit=1000")).await);
        assert_eq!(lines["changes"].as_array().expect("lines").len(), versions, "a line for each version of {name}");
    }
}

/// The numbers of the lists that prices are of.
fn lists_of(prices: &Value) -> BTreeSet<u64> {
    let listed = prices["prices"].as_array().expect("a list").iter().filter(|price| price["name"] != "m");
    listed.map(|price| price["settings"]["prompt"].as_str().expect("text").parse().expect("a number")).collect()
}
