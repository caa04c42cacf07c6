//! Groups of accounts in the binary: put in and moved by the command line, priced by the settings, never free.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::gateway::{amount, exact, hello};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{Upstream, client};

/// Longer than any line of the log is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder with a configuration that has these groups, and a provider whose answers cost 0.000012 USD.
struct House {
    folder: TempDir,
    upstream: Upstream,
}

impl House {
    async fn new(groups: &str) -> Self {
        let house =
            Self { folder: tempfile::tempdir().expect("a temporary folder"), upstream: Upstream::start().await };
        house.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
        house.write(groups);
        house
    }

    fn write(&self, groups: &str) {
        let url = self.upstream.base_url();
        let text = format!(
            "listen = \"127.0.0.1:0\"\n{groups}\n[upstreams.main]\nbase_url = \"{url}\"\n[models.small]\ncontext_tokens = 1000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\ncandidates = [{{ upstream = \"main\" }}]\n"
        );
        std::fs::write(self.folder.path().join("tollgate.toml"), text).expect("a file of ours");
    }

    fn args(&self) -> [&'static str; 4] {
        let at = |name: &str| String::leak(self.folder.path().join(name).display().to_string());
        ["--config", at("tollgate.toml"), "--data", at("data")]
    }

    fn tells(&self, more: &[&str]) -> Value {
        let (ok, told) = run_json(&[&self.args()[..], more].concat());
        assert!(ok, "{told}");
        told
    }

    /// What a command complains of.
    fn refuses(&self, more: &[&str]) -> String {
        let output = run(&[&self.args()[..], more].concat());
        assert!(!output.status.success(), "{more:?}");
        String::from_utf8(output.stderr).expect("text")
    }

    /// An account with credit in a group; its key.
    fn account(&self, name: &str, group: &str) -> String {
        assert_eq!(self.tells(&["account", "create", name, "--group", group])["group"], group);
        self.tells(&["credit", "grant", "--account", name, "--usd", "1"]);
        self.tells(&["key", "create", "--account", name])["key"].as_str().expect("a key").to_owned()
    }
}

/// Asks, and answers what it cost, by whose ratio; or the error's code.
async fn cost(served: &Served, key: &str) -> (String, String) {
    let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(key);
    let answer = request.json(&hello(false)).send().await.expect("an answer");
    let (status, id) = (answer.status(), answer.headers()["x-request-id"].to_str().expect("text").to_owned());
    let body: Value = answer.json().await.expect("JSON");
    if status != 200 {
        return (status.to_string(), body["error"]["code"].as_str().expect("a code").to_owned());
    }
    let path = format!("{}/api/user/self/receipts/{id}", served.url());
    let reply = client().get(path).bearer_auth(key).send().await.expect("an answer");
    let receipt = exact(&reply.text().await.expect("a body"));
    let receipt = &receipt["data"];
    (amount(&receipt["charged_usd"]), receipt["ratio"].as_str().expect("a ratio").to_owned())
}

fn pair(cost: &str, ratio: &str) -> (String, String) {
    (cost.to_owned(), ratio.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_pays_its_ratio_and_may_change_while_the_server_runs() {
    let house = House::new("[groups.gold]\nratio = \"0.5\"").await;
    let (key, usual) = (house.account("rich", "gold"), house.account("usual", "default"));
    let list = house.tells(&["account", "list"]);
    let groups: Vec<&Value> =
        list["accounts"].as_array().expect("a list").iter().map(|account| &account["group"]).collect();
    assert_eq!(groups, [&json!("gold"), &json!("default")]);
    let (served, log) = Served::start_logged(&house.args());
    assert_eq!(cost(&served, &key).await, pair("0.000006", "0.5"));
    assert_eq!(cost(&served, &usual).await, pair("0.000012", "1"));
    // Another ratio, and the usual one written.
    house.write("[groups.gold]\nratio = \"0.25\"\n[groups.default]\nratio = \"1.5\"");
    served.signal("HUP");
    until("the new ratio", async || (cost(&served, &key).await == pair("0.000003", "0.25")).then_some(())).await;
    assert_eq!(cost(&served, &usual).await, pair("0.000018", "1.5"));
    // Without the group nothing changes: its accounts would have no prices.
    house.write("");
    served.signal("HUP");
    while !log.recv_timeout(PATIENCE).expect("a line").contains("no [groups.gold]") {}
    assert_eq!(cost(&served, &key).await, pair("0.000003", "0.25"));
    // Nobody is put into a group that the settings do not know, and a server with one in it does not start.
    for command in [&["account", "create", "new", "--group", "gold"][..], &["account", "group", "usual", "gold"]] {
        assert!(house.refuses(command).contains("no [groups.gold]"), "{command:?}");
    }
    // Moved out of it, the account pays as others do.
    let moved = house.tells(&["account", "group", "rich", "default"]);
    assert_eq!((&moved["group"], &moved["ratio"]), (&json!("default"), &json!("1")));
    until("the move", async || (cost(&served, &key).await == pair("0.000018", "1.5")).then_some(())).await;
    assert!(served.terminate());
}

/// A group that came into the ledger behind the back of a server's settings.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_without_a_ratio_is_sold_nothing() {
    let house = House::new("").await;
    let key = house.account("one", "default");
    let (served, log) = Served::start_logged(&house.args());
    assert_eq!(cost(&served, &key).await, pair("0.000012", "1"));
    house.write("[groups.gold]\nratio = \"0.5\"");
    house.tells(&["account", "group", "one", "gold"]);
    let refused = pair("503 Service Unavailable", "model_price_unknown");
    until("the refusal", async || (cost(&served, &key).await == refused).then_some(())).await;
    while !log.recv_timeout(PATIENCE).expect("a line").contains("no ratio for the group") {}
    served.signal("HUP");
    until("the ratio", async || (cost(&served, &key).await == pair("0.000006", "0.5")).then_some(())).await;
    assert!(served.terminate());
    house.write("");
    let told = house.refuses(&["serve"]);
    assert!(told.contains("accounts in the group `gold`"), "{told}");
}
