//! What an operator is to be woken for: one line of the log each, told apart by one field.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{Connection, Executor, SqliteConnection};
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::gateway::hello;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{Upstream, client};

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

#[tokio::test(flavor = "multi_thread")]
async fn each_alarm_rings_once() {
    let (folder, upstream) = (tempfile::tempdir().expect("a temporary folder"), Upstream::start().await);
    let at = |name: &str| String::leak(folder.path().join(name).display().to_string());
    let text = format!(
        "[log]\nformat = \"json\"\n[upstreams.main]\nbase_url = \"{}\"\n[models.small]\ncontext_tokens = 1000000\n\
         max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\ncandidates = [{{ upstream = \"main\" }}]\n",
        upstream.base_url()
    );
    std::fs::write(at("tollgate.toml"), text).expect("a file of ours");
    let args: [&str; 4] = ["--config", at("tollgate.toml"), "--data", at("data")];
    let tell = |more: &[&str]| run_json(&[&args[..], more].concat());
    assert!(tell(&["account", "create", "a"]).0 && tell(&["credit", "grant", "--account", "a", "--usd", "0.5"]).0);
    let key = tell(&["key", "create", "--account", "a"]).1["key"].as_str().expect("a key").to_owned();
    let (served, log) = Served::start_logged(&args);
    let ask = async |answer: Value| {
        upstream.answer(Reply::json(200, &answer));
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&key);
        let reply = request.json(&hello(false)).send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        reply.headers()["x-request-id"].to_str().expect("text").to_owned()
    };
    // As it should be; without figures; with more than the account has.
    ask(completion("ab", 9, 3)).await;
    let mut silent = completion("ab", 9, 3);
    silent["usage"] = Value::Null;
    let counted = ask(silent).await;
    ask(completion("ab", 900_000, 3)).await;
    assert!(served.terminate());
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
    let mut ledger = SqliteConnection::connect(at("data/tollgate.db")).await.expect("the ledger");
    ledger
        .execute("DROP TRIGGER balances_keep_owner; UPDATE balances SET posted = posted + 1")
        .await
        .expect("a damage");
    ledger.close().await.expect("a file");
    let (clean, rung) = audit();
    assert_eq!((clean, rung.len()), (false, 1), "{rung:?}");
    assert!(rung[0]["alarm"] == "audit" && rung[0]["differences"].as_u64() > Some(1), "{rung:?}");
}
