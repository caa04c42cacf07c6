//! The sandbox as a newcomer meets it: the binary without any configuration, and one request of each kind.

use serde_json::{Value, json};
use tollgate_tests::binary::Served;
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::wait::until;

struct Newcomer {
    served: Served,
    key: String,
    _folder: tempfile::TempDir,
}

impl Newcomer {
    fn arrive() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let served = Served::start(&["--data", &folder.path().display().to_string()]);
        let key = served.greeting["demo_key"].as_str().expect("the greeting names a key").to_owned();
        Self { served, key, _folder: folder }
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.served.url());
        let reply = client().post(url).bearer_auth(&self.key).json(body).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
        reply.json().await.expect("JSON")
    }

    async fn get(&self, path: &str) -> reqwest::Response {
        let url = format!("{}{path}", self.served.url());
        client().get(url).bearer_auth(&self.key).send().await.expect("an answer")
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_request_is_answered_without_any_configuration() {
    let newcomer = Newcomer::arrive();
    let embedded = newcomer.post("/v1/embeddings", &json!({"model": "sandbox", "input": ["a cat", "a dog"]})).await;
    assert_eq!(embedded["data"][1]["embedding"].as_array().expect("a vector").len(), 64);
    assert_eq!(embedded["usage"]["prompt_tokens"], 4);
    let coded = json!({"model": "sandbox", "input": "a cat", "encoding_format": "base64"});
    assert!(newcomer.post("/v1/embeddings", &coded).await["data"][0]["embedding"].is_string());
    for (text, flagged) in [("good day", false), ("flag-me", true)] {
        let verdict = newcomer.post("/v1/moderations", &json!({"input": text})).await;
        assert_eq!(verdict["results"][0]["flagged"], flagged);
    }
    let drawn = newcomer.post("/v1/images/generations", &json!({"model": "sandbox", "prompt": "a cat", "n": 2})).await;
    assert_eq!(drawn["data"].as_array().expect("a list").len(), 2);
    let parameters =
        json!({"model": "sandbox", "input": {"messages": [{"role": "user", "content": [{"text": "a cat"}]}]}});
    assert!(newcomer.post("/v1/images/generations", &parameters).await["data"][0]["b64_json"].is_string());
    let message = json!({"model": "sandbox", "prompt": "Hello"});
    assert!(newcomer.post("/v1/completions", &message).await["choices"][0]["text"].is_string());
    filmed(&newcomer).await;
}

async fn filmed(newcomer: &Newcomer) {
    let job = newcomer.post("/v1/videos", &json!({"prompt": "a cat", "seconds": 8})).await;
    let id = job["id"].as_str().expect("an id");
    let task = until("the video", || async {
        let task: Value = newcomer.get(&format!("/v1/video/generations/{id}")).await.json().await.ok()?;
        (task["status"] == "completed").then_some(task)
    })
    .await;
    let film = newcomer.get(&format!("/v1/videos/{id}/content")).await;
    assert_eq!(film.headers()["content-type"], "video/mp4");
    assert!(film.bytes().await.expect("a film").ends_with(b"filmed in the sandbox"));
    assert!(task["url"].as_str().expect("an address").ends_with("/content"));
    let balance = exact(&newcomer.get("/api/user/self/balance").await.text().await.expect("a body"));
    assert_eq!(amount(&balance["data"]["held_usd"]), "0");
}
