//! `kill -9` at each step of a video's life: each is charged once or not at all, and none stays open.

use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::fake_video_provider::{FakeVideoProvider, Plan};
use tollgate_tests::gateway::{ACCESS_KEY, SECRET_KEY, UPSTREAM_KEY, amount, exact};
use tollgate_tests::random::Random;
use tollgate_tests::reply_gate::ReplyGate;
use tollgate_tests::upstream::Received;
use tollgate_tests::wait::until;
use tollgate_tests::{Upstream, client};

use super::STUDIOS;

const KILLS: usize = 25;
const CLIENTS: usize = 8;

/// A service that is killed and started over, and its provider.
struct House {
    _folder: TempDir,
    args: Vec<&'static str>,
    key: String,
    upstream: Upstream,
    studio: FakeVideoProvider,
}

impl House {
    async fn open() -> Self {
        let upstream = Upstream::start().await;
        let studio = FakeVideoProvider::at(&upstream.base_url());
        let answering = studio.clone();
        upstream.on(move |request| answering.answer(request));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let secret = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            format!("_file = {path:?}")
        };
        let config = STUDIOS.replace("{upstream}", &upstream.base_url());
        let config = config.replace("_env = \"FAKE_ACCESS_KEY\"", &secret("access", ACCESS_KEY));
        let config = config.replace("_env = \"FAKE_SECRET_KEY\"", &secret("secret", SECRET_KEY));
        let text = format!(
            "data_dir = {:?}\n{config}\n[upstreams.fake]\nbase_url = {:?}\napi_key{}\n",
            folder.path(),
            upstream.base_url(),
            secret("key", UPSTREAM_KEY),
        );
        let path = folder.path().join("tollgate.toml");
        std::fs::write(&path, text).expect("a file of ours");
        let args = vec!["--config", &*String::leak(path.display().to_string())];
        let run = |more: &[&str]| run_json(&[&args[..], more].concat()).1;
        run(&["account", "create", "filmer"]);
        run(&["credit", "grant", "--account", "filmer", "--usd", "1000"]);
        let key = run(&["key", "create", "--account", "filmer"])["key"].as_str().expect("a key").to_owned();
        Self { _folder: folder, args, key, upstream, studio }
    }

    fn start(&self) -> Served {
        Served::start(&self.args)
    }

    async fn get(&self, served: &Served, path: &str) -> Value {
        let reply =
            client().get(format!("{}{path}", served.url())).bearer_auth(&self.key).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    /// All videos that a client can see, once none of them is open any more.
    async fn settled(&self, served: &Served) -> Vec<Value> {
        until("the end of all videos", || async {
            let balance = self.get(served, "/api/user/self/balance").await;
            (amount(&balance["data"]["held_usd"]) == "0").then_some(())
        })
        .await;
        self.get(served, "/v1/videos?limit=100").await["data"].as_array().expect("a list").clone()
    }

    fn assert_clean(&self) {
        let (clean, report) = run_json(&[&self.args[..], &["audit"]].concat());
        assert!(clean && report["holds_open"] == json!(0), "{report}");
    }
}

fn order(served: &Served, key: &str, model: &str) -> reqwest::RequestBuilder {
    let request = client().post(format!("{}/v1/videos", served.url())).bearer_auth(key);
    request.json(&json!({"model": model, "prompt": "a cat"}))
}

/// Holds up the answer to the first request that begins so, and says when it has arrived.
fn hold_up(house: &House, line: &'static str) -> (ReplyGate, ReplyGate) {
    let (arrived, gate) = (ReplyGate::default(), ReplyGate::default());
    let (studio, seen, held) = (house.studio.clone(), arrived.clone(), gate.clone());
    house.upstream.on(move |request: &Received| {
        let answer = studio.answer(request);
        if request.line.starts_with(line) && !seen.is_open() {
            seen.open();
            return answer.after(held.clone());
        }
        answer
    });
    (arrived, gate)
}

/// Killed while a request that begins so is under way; what became of the one video.
async fn killed_at(model: &'static str, line: &'static str, plan: Plan) -> (Vec<Value>, String) {
    let house = House::open().await;
    house.studio.plan(plan);
    let (arrived, gate) = hold_up(&house, line);
    let served = house.start();
    let ordering = tokio::spawn(order(&served, &house.key, model).send());
    arrived.passed().await;
    served.kill();
    gate.open();
    drop(ordering.await);
    let served = house.start();
    let videos = house.settled(&served).await;
    let balance = house.get(&served, "/api/user/self/balance").await;
    let spent = amount(&balance["data"]["quota_usd"]);
    assert!(served.terminate());
    house.assert_clean();
    assert_eq!(house.studio.films().len(), 1, "nothing is ordered twice");
    (videos, spent)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_was_never_confirmed_has_failed_where_it_cannot_be_found() {
    let (videos, left) = killed_at("film-o", "POST", Plan::default()).await;
    assert_eq!((&videos[0]["status"], left.as_str()), (&json!("failed"), "1000"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_was_never_confirmed_is_found_by_our_name_for_it() {
    let (videos, left) = killed_at("film-a", "POST", Plan::default()).await;
    assert_eq!((&videos[0]["status"], left.as_str()), (&json!("completed"), "999.75"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_video_under_way_is_charged_once_by_the_next_start() {
    for (model, left) in [("film-o", "999.6"), ("film-a", "999.75")] {
        let (videos, found) = killed_at(model, "GET", Plan { questions: 3, ..Plan::default() }).await;
        assert_eq!((&videos[0]["status"], found.as_str()), (&json!("completed"), left), "{model}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_video_whose_end_was_on_its_way_ends_once() {
    for (made, status, left) in [(true, "completed", "999.6"), (false, "failed", "1000")] {
        let (videos, found) = killed_at("film-o", "GET", Plan { questions: 1, made, ..Plan::default() }).await;
        assert_eq!((&videos[0]["status"], found.as_str()), (&json!(status), left));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_any_moment_every_video_ends_once() {
    let house = House::open().await;
    let mut random = Random::new(11);
    for kill in 0..KILLS {
        let served = house.start();
        // Before any order has to be with the provider, when all are, or in between.
        let enough = house.studio.films().len() + random.below(CLIENTS + 1);
        let mut load = JoinSet::new();
        for turn in 0..CLIENTS {
            let model = if turn % 2 == 0 { "film-o" } else { "film-a" };
            let order = order(&served, &house.key, model);
            // Cut off at any time.
            load.spawn(async move { drop(order.send().await) });
        }
        until("some orders", || {
            // Those that are answered, be it with a refusal, add nothing more.
            while load.try_join_next().is_some() {}
            let arrived = load.is_empty() || house.studio.films().len() >= enough;
            async move { arrived.then_some(()) }
        })
        .await;
        // The moment of the kill is the thing under test, so it is a time and not a condition.
        sleep(Duration::from_millis(5 + random.number() % 150)).await;
        served.kill();
        load.join_all().await;
        let (clean, report) = run_json(&[&house.args[..], &["audit"]].concat());
        assert!(clean, "kill {kill}: {report}");
    }
    let served = house.start();
    let mut videos = house.settled(&served).await;
    while let Some(last) = videos.last().filter(|_| videos.len() % 100 == 0).map(|job| job["id"].clone()) {
        let path = format!("/v1/videos?limit=100&after={}", last.as_str().expect("an id"));
        let more = house.get(&served, &path).await["data"].as_array().expect("a list").clone();
        if more.is_empty() {
            break;
        }
        videos.extend(more);
    }
    // Orders that were cut off before a provider had them have failed, and cost nothing.
    videos.retain(|job| job["status"] != "failed");
    assert!(videos.iter().all(|job| job["status"] == "completed"), "{videos:?}");
    assert!(videos.len() > KILLS, "the load was real: {}", videos.len());
    let cents = |job: &Value| if job["model"] == "film-o" { 40 } else { 25 };
    let spent: i64 = videos.iter().map(cents).sum();
    let left = amount(&house.get(&served, "/api/user/self/balance").await["data"]["quota_usd"]);
    let expected = format!("{}.{:02}", (100_000 - spent) / 100, (100_000 - spent) % 100);
    assert_eq!(left, expected.trim_end_matches('0').trim_end_matches('.'), "what is shown is what was paid for");
    assert!(served.terminate());
    house.assert_clean();
}
