//! A process that dies: `kill -9` at random moments under load, fifty times over one ledger. What the process had handed
//! to the operating system stays, so this says nothing of a power cut; that each commit is synced is looked at in `store`.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::{amount, exact, hello};
use tollgate_tests::random::Random;
use tollgate_tests::reply::{Reply, chat_stream, completion};
use tollgate_tests::{Upstream, client};

const KILLS: u64 = 50;
const CLIENTS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_gateway_loses_nothing_that_a_client_saw_complete() {
    let upstream = Upstream::start().await;
    upstream.on(|request| {
        if String::from_utf8_lossy(&request.body).contains("\"stream\":true") {
            Reply::stream(chat_stream(&["a", "b"], 9, 3))
        } else {
            Reply::json(200, &completion("ab", 9, 3))
        }
    });
    let (folder, args) = configured(&upstream);
    let (_, account) = run_json(&[&args[..], &["account", "create", "loaded"]].concat());
    let _ = run_json(&[&args[..], &["credit", "grant", "--account", "loaded", "--usd", "1000"]].concat());
    let (_, key) = run_json(&[&args[..], &["key", "create", "--account", "loaded"]].concat());
    let key = key["key"].as_str().expect("a key").to_owned();
    assert!(account["id"].is_i64());

    let mut random = Random::new(7);
    let mut complete = Vec::new();
    for kill in 0..KILLS {
        let served = Served::start(&args);
        // Whatever the last start left open was resolved before this one began to answer.
        let balance: Value = get(&served, &key, "/api/user/self/balance").await;
        assert_eq!(amount(&balance["data"]["held_usd"]), "0", "kill {kill}");
        let mut load = JoinSet::new();
        for turn in 0..CLIENTS {
            load.spawn(ask_until_cut(served.url().to_owned(), key.clone(), turn % 2 == 0));
        }
        // The moment of the kill is the thing under test, so it is a time and not a condition.
        sleep(Duration::from_millis(20 + random.number() % 250)).await;
        served.kill();
        while let Some(seen) = load.join_next().await {
            complete.extend(seen.expect("no panic"));
        }
        let (clean, report) = run_json(&[&args[..], &["audit"]].concat());
        assert!(clean, "kill {kill}: {report}");
    }
    assert!(complete.len() > 500, "the load was real: {}", complete.len());

    let served = Served::start(&args);
    for request_id in &complete {
        let receipt = get(&served, &key, &format!("/api/user/self/receipts/{request_id}")).await;
        assert_eq!(receipt["data"]["status"], "settled", "{request_id}: {receipt}");
        assert_eq!(amount(&receipt["data"]["charged_usd"]), "0.00000315");
    }
    assert!(served.terminate(), "told to stop, it ends well");
    let (clean, report) = run_json(&[&args[..], &["audit"]].concat());
    assert!(clean && report["holds_open"] == json!(0), "{report}");
    drop(folder);
}

/// Asks again and again until the gateway is gone; the requests that were seen complete.
async fn ask_until_cut(url: String, key: String, stream: bool) -> Vec<String> {
    let mut complete = Vec::new();
    let url = format!("{url}/v1/chat/completions");
    loop {
        let request = client().post(&url).bearer_auth(&key).header("content-type", "application/json");
        let Ok(reply) = request.body(hello(stream).to_string()).send().await else { return complete };
        assert_eq!(reply.status(), 200);
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        match reply.text().await {
            Ok(body) if !stream || body.ends_with("[DONE]\n\n") => complete.push(request_id),
            Ok(_) | Err(_) => return complete,
        }
    }
}

async fn get(served: &Served, key: &str, path: &str) -> Value {
    let reply = client().get(format!("{}{path}", served.url())).bearer_auth(key).send().await.expect("an answer");
    exact(&reply.text().await.expect("a body"))
}

fn configured(upstream: &Upstream) -> (TempDir, Vec<&'static str>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("tollgate.toml");
    let text = format!(
        "data_dir = {:?}\n[upstreams.fake]\nbase_url = {:?}\n[models.small]\ncontext_tokens = 1000\n\
         max_output_tokens = 100\nprice = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
         candidates = [{{ upstream = \"fake\" }}]\n",
        folder.path(),
        upstream.base_url()
    );
    std::fs::write(&path, text).expect("a file of ours");
    let path: &'static str = String::leak(path.display().to_string());
    (folder, vec!["--config", path])
}
