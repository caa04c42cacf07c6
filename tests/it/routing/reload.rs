//! Models and prices that change while the server runs.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::{amount, hello};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::reply_gate::ReplyGate;
use tollgate_tests::wait::until;
use tollgate_tests::{Upstream, client};

/// A server of the binary with one account.
struct House {
    folder: TempDir,
    upstream: Upstream,
    served: Served,
    log: Receiver<String>,
    key: String,
}

/// Longer than any line of the log is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

impl House {
    async fn open() -> Self {
        let (folder, upstream) = (tempfile::tempdir().expect("a temporary folder"), Upstream::start().await);
        let at = |name: &str| String::leak(folder.path().join(name).display().to_string());
        let args: [&'static str; 4] = ["--config", at("tollgate.toml"), "--data", at("data")];
        write(&folder, &upstream, &[("first", "1")]);
        let ask = |more: &[&'static str]| run_json(&[&args[..], more].concat()).1;
        ask(&["account", "create", "a"]);
        ask(&["credit", "grant", "--account", "a", "--usd", "1"]);
        let key = ask(&["key", "create", "--account", "a"])["key"].as_str().expect("a key").to_owned();
        let (served, log) = Served::start_logged(&args);
        Self { served, log, folder, upstream, key }
    }

    /// Other models with their prices, in the file and then in the server.
    fn sells(&self, models: &[(&str, &str)]) {
        write(&self.folder, &self.upstream, models);
        self.served.signal("HUP");
    }

    /// Waits for a line of the log with these words.
    fn logs(&self, words: &str) {
        while !self.log.recv_timeout(PATIENCE).expect("a line with the words").contains(words) {}
    }

    async fn get(&self, path: &str) -> Value {
        let request = client().get(format!("{}{path}", self.served.url())).bearer_auth(&self.key);
        request.send().await.expect("an answer").json().await.expect("JSON")
    }

    /// Waits until these models are on offer.
    async fn offers(&self, models: &[&str]) {
        until("the models", async || {
            let list = self.get("/v1/models").await;
            let names: Vec<&str> = list["data"].as_array()?.iter().filter_map(|model| model["id"].as_str()).collect();
            (names == models).then_some(())
        })
        .await;
    }

    async fn ask(&self, model: &str) -> reqwest::Response {
        let request = client().post(format!("{}/v1/chat/completions", self.served.url())).bearer_auth(&self.key);
        let body = hello(false).to_string().replace("\"small\"", &format!("{model:?}"));
        request.header("content-type", "application/json").body(body).send().await.expect("an answer")
    }

    /// The status of an answer.
    async fn asks(&self, model: &str) -> u16 {
        self.ask(model).await.status().as_u16()
    }

    /// Asks a model and answers what that cost, by its receipt.
    async fn costs(&self, model: &str) -> String {
        let answer = self.ask(model).await;
        assert_eq!(answer.status(), 200, "{model}");
        let id = answer.headers()["x-request-id"].to_str().expect("text").to_owned();
        answer.bytes().await.expect("all of it");
        let receipt = self.get(&format!("/api/user/self/receipts/{id}")).await;
        amount(&receipt["data"]["charged_usd"])
    }
}

/// A configuration that sells each of these models for so many USD a million tokens.
fn write(folder: &TempDir, upstream: &Upstream, models: &[(&str, &str)]) {
    let url = upstream.base_url();
    let mut config =
        format!("price_list = \"prices.toml\"\n[upstreams.main]\nbase_url = \"{url}\"\nhttp = \"http1\"\n");
    let mut prices = String::new();
    for (name, price) in models {
        config.push_str(&format!(
            "[models.{name}]\ncontext_tokens = 1000\nmax_output_tokens = 100\ncandidates = [{{ upstream = \"main\" }}]\n"
        ));
        prices.push_str(&format!("[prices.{name}]\nprompt = \"{price}\"\ncompletion = \"{price}\"\n"));
    }
    for (name, text) in [("tollgate.toml", config), ("prices.toml", prices)] {
        std::fs::write(folder.path().join(name), text).expect("a file of ours");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_changes_what_is_sold_and_nothing_under_way() {
    let house = House::open().await;
    let (asked, gate) = (ReplyGate::default(), ReplyGate::default());
    let (told, waits) = (asked.clone(), gate.clone());
    house.upstream.on(move |_| {
        told.open();
        Reply { head_after: Some(waits.clone()), ..Reply::json(200, &completion("ab", 9, 3)) }
    });
    let changes = async {
        asked.passed().await;
        house.sells(&[("first", "2"), ("second", "3")]);
        house.offers(&["first", "second"]).await;
        gate.open();
    };
    let (cost, ()) = tokio::join!(house.costs("first"), changes);
    assert_eq!(cost, "0.000012", "at the price of its beginning");
    assert_eq!([house.costs("first").await, house.costs("second").await], ["0.000024", "0.000036"]);
    // What cannot be used changes nothing, and the server goes on to hear of what can.
    house.sells(&[("first", "-1"), ("third", "3")]);
    house.logs("prices.toml:2:1: `prices.first.prompt`");
    assert_eq!(house.costs("first").await, "0.000024");
    house.sells(&[("third", "4")]);
    house.offers(&["third"]).await;
    assert_eq!(house.costs("third").await, "0.000048");
    assert!(house.served.terminate());
}

/// A provider that wants to be left alone is left alone, also by a server whose prices have changed; another one is asked.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_of_a_provider_outlives_a_hangup() {
    let house = House::open().await;
    house.upstream.on(|_| Reply::json(429, &json!({"error": {"message": "slower"}})).header("retry-after", "60"));
    assert_eq!((house.asks("first").await, house.upstream.take_received().len()), (429, 1));
    house.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
    house.sells(&[("first", "2"), ("second", "3")]);
    house.offers(&["first", "second"]).await;
    assert_ne!(house.asks("first").await, 200);
    assert_eq!(house.upstream.take_received().len(), 0, "it rests for a minute");
    assert_eq!(house.asks("second").await, 200, "of this model it said nothing");
    let config = house.folder.path().join("tollgate.toml");
    let text = std::fs::read_to_string(&config).expect("a file").replace("http = \"http1\"", "http = \"auto\"");
    std::fs::write(&config, text.replace("second", "third")).expect("a file of ours");
    let prices = house.folder.path().join("prices.toml");
    let text = std::fs::read_to_string(&prices).expect("a file");
    std::fs::write(&prices, text.replace("second", "third")).expect("a file of ours");
    house.served.signal("HUP");
    house.offers(&["first", "third"]).await;
    assert_eq!(house.asks("first").await, 200, "reached in another way, it is another one");
}

/// The credit of a sandbox is no money, and must not buy what is.
#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_stays_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tollgate.toml");
    std::fs::write(&path, "[sandbox]\nenabled = true\n").expect("a file of ours");
    let (config, data) = (path.display().to_string(), folder.path().join("data").display().to_string());
    let (served, log) = Served::start_logged(&["--config", &config, "--data", &data]);
    let key = served.greeting["demo_key"].as_str().expect("a key").to_owned();
    let upstream = Upstream::start().await;
    write(&folder, &upstream, &[("first", "1")]);
    served.signal("HUP");
    while !log.recv_timeout(PATIENCE).expect("a line").contains("sandbox.enabled needs a new start") {}
    let request = client().get(format!("{}/v1/models", served.url())).bearer_auth(&key);
    let models: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    let names: Vec<_> = models["data"].as_array().expect("a list").iter().map(|model| &model["id"]).collect();
    assert!(!names.is_empty() && names.iter().all(|name| *name != "first"), "{names:?}");
    assert!(upstream.take_received().is_empty());
}
