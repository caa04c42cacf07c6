//! What an operator is to be woken for: one line of the log each, told apart by one field.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, SqliteConnection};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::gateway::{amount, exact, hello};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, Upstream, client};

/// Longer than any line of the log is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

fn alarm(line: &str) -> Option<Value> {
    let line: Value = serde_json::from_str(line).expect("a line of JSON");
    Some(line["fields"].clone()).filter(|fields| fields["alarm"].is_string())
}

/// All alarms up to the end of the log.
fn alarms(log: &Receiver<String>) -> Vec<Value> {
    std::iter::from_fn(|| log.recv_timeout(PATIENCE).ok()).filter_map(|line| alarm(&line)).collect()
}

/// A service with an account that has half a dollar, and its provider.
struct Poor {
    folder: TempDir,
    args: [&'static str; 4],
    key: String,
    upstream: Upstream,
}

impl Poor {
    async fn open() -> Self {
        let (folder, upstream) = (tempfile::tempdir().expect("a temporary folder"), Upstream::start().await);
        let at = |name: &str| String::leak(folder.path().join(name).display().to_string());
        let text = format!(
            "[log]\nformat = \"json\"\n[upstreams.main]\nbase_url = \"{}\"\n[models.small]\ncontext_tokens = 1000000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
             candidates = [{{ upstream = \"main\", model = \"upstream-model\" }}]\n",
            upstream.base_url()
        );
        std::fs::write(at("tollgate.toml"), text).expect("a file of ours");
        let args: [&str; 4] = ["--config", at("tollgate.toml"), "--data", at("data")];
        let tell = |more: &[&str]| run_json(&[&args[..], more].concat());
        assert!(tell(&["account", "create", "a"]).0 && tell(&["credit", "grant", "--account", "a", "--usd", "0.5"]).0);
        let key = tell(&["key", "create", "--account", "a"]).1["key"].as_str().expect("a key").to_owned();
        Self { folder, args, key, upstream }
    }

    async fn ledger(&self) -> SqliteConnection {
        let path = self.folder.path().join("data/tollgate.db").display().to_string();
        SqliteConnection::connect(&path).await.expect("the ledger")
    }

    fn ask(&self, served: &Served) -> RequestBuilder {
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&self.key);
        request.json(&hello(false))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_alarm_rings_once() {
    let house = Poor::open().await;
    let (args, upstream) = (house.args, &house.upstream);
    let (served, log) = Served::start_logged(&args);
    let ask = async |answer: Value| {
        upstream.answer(Reply::json(200, &answer));
        let reply = house.ask(&served).send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        reply.headers()["x-request-id"].to_str().expect("text").to_owned()
    };
    // As it should be; without figures; with more than the account has.
    ask(completion("ab", 9, 3)).await;
    let mut silent = completion("ab", 9, 3);
    silent["usage"] = Value::Null;
    let counted = ask(silent).await;
    ask(completion("ab", 900_000, 3)).await;
    // Operators find them in the admin API, once each, also after another start.
    let made = run_json(&[&args[..], &["operator", "create", "watch", "--key", "--role", "reader"]].concat()).1;
    let watch = made["key"].as_str().expect("a key").to_owned();
    let kept = kept_alarms(&served, &watch).await;
    assert!(served.terminate());
    let again = Served::start(&args);
    assert_eq!(kept_alarms(&again, &watch).await, kept);
    assert!(again.terminate());
    let rung = alarms(&log);
    assert_eq!(rung.len(), 2, "{rung:?}");
    let usage = rung.iter().find(|fields| fields["alarm"] == "usage").expect("one of usage");
    assert_eq!((&usage["request_id"], &usage["upstream"]), (&json!(counted), &json!("main")));
    let shortfall = rung.iter().find(|fields| fields["alarm"] == "shortfall").expect("one of a shortfall");
    assert!(shortfall["shortfall_usd"].as_str().is_some_and(|usd| usd.starts_with("0.4")), "{shortfall}");
    // Books that are right are no alarm, and others are one, however much is wrong in them.
    let audit = || {
        let output = run(&[&args[..], &["audit"]].concat());
        let log = String::from_utf8(output.stderr).expect("text");
        (output.status.success(), log.lines().filter_map(alarm).collect::<Vec<_>>())
    };
    assert_eq!(audit(), (true, Vec::new()));
    let mut ledger = house.ledger().await;
    ledger
        .execute("DROP TRIGGER balances_keep_owner; UPDATE balances SET posted = posted + 1")
        .await
        .expect("a damage");
    ledger.close().await.expect("a file");
    let (clean, rung) = audit();
    assert_eq!((clean, rung.len()), (false, 1), "{rung:?}");
    assert!(rung[0]["alarm"] == "audit" && rung[0]["differences"].as_u64() > Some(1), "{rung:?}");
}

/// The alarms of usage and of a shortfall, as operators are told them.
async fn kept_alarms(served: &Served, key: &str) -> Vec<Value> {
    until("the alarms", async || {
        let request = client().get(format!("{}/api/admin/alarms?state=open", served.url())).bearer_auth(key);
        let told: Value = request.send().await.ok()?.json().await.ok()?;
        let mut alarms = told["data"]["alarms"].as_array()?.clone();
        alarms.sort_by_key(|alarm| alarm["alarm"].to_string());
        let told: Vec<_> = alarms.iter().map(|alarm| (&alarm["alarm"], &alarm["occurrences"])).collect();
        (told == [(&json!("shortfall"), &json!(1)), (&json!("usage"), &json!(1))]).then(|| alarms.clone())
    })
    .await
}

/// It cannot be written while its answer goes out, nor when the server is told to stop.
#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_is_lost_with_its_server_is_said() {
    let (house, gate) = (Poor::open().await, ReplyGate::default());
    let (served, log) = Served::start_logged(&house.args);
    house.upstream.answer(Reply::json(200, &completion("ab", 9, 3)).after(gate.clone()));
    let asking = tokio::spawn(house.ask(&served).send());
    until("the request to be with the provider", || async {
        (!house.upstream.take_received().is_empty()).then_some(())
    })
    .await;
    let mut other = house.ledger().await;
    other.execute("BEGIN IMMEDIATE").await.expect("the lock");
    gate.open();
    let reply = asking.await.expect("no panic").expect("an answer");
    assert_eq!(reply.status(), 200);
    let stopped_well = tokio::task::spawn_blocking(move || served.terminate()).await.expect("no panic");
    assert!(!stopped_well, "it says that something was left behind");
    let rung = alarms(&log);
    assert!(rung.len() == 1 && rung[0]["alarm"] == "unbooked" && rung[0]["cost_usd"] == "0.000012", "{rung:?}");
    other.execute("ROLLBACK").await.expect("the end of it");
    // The next start gives back what was held for it, and the books are right.
    let served = Served::start(&house.args);
    let balance = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&house.key).send().await;
    let balance = exact(&balance.expect("an answer").text().await.expect("a body"));
    assert_eq!(["available_usd", "held_usd"].map(|name| amount(&balance["data"][name])), ["0.5", "0"], "{balance}");
    assert!(served.terminate() && run_json(&[&house.args[..], &["audit"]].concat()).0);
}
