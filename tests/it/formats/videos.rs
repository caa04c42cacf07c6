//! Videos from the order to the file: each family of clients over each kind of provider, the price, the ways to read.

// suite of this file: waiting

mod bad;
mod kills;
mod lost;
mod reads;

use std::sync::OnceLock;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::fake_video_provider::{FILM, FakeVideoProvider, Plan};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::wait::until;

/// One model at a provider of each kind, and one at both.
pub(crate) const STUDIOS: &str = r#"[video]
model = "film-o"
poll_first_milliseconds = 20
[fetch]
allowed = ["127.0.0.0/8"]
[upstreams.second]
base_url = "{upstream}"
format = "video_a"
access_key_env = "FAKE_ACCESS_KEY"
secret_key_env = "FAKE_SECRET_KEY"
[models.film-o]
context_tokens = 1
max_output_tokens = 1
price = { prompt = "0", completion = "0", video_second = "0.1", video_second_large = "0.3", version = "films" }
video_seconds = [4, 8, 12]
candidates = [{ upstream = "fake", model = "reel" }]
[models.film-a]
context_tokens = 1
max_output_tokens = 1
price = { prompt = "0", completion = "0", video_second = "0.05", video_second_large = "0.2", version = "films" }
video_seconds = [5, 10]
candidates = [{ upstream = "second", model = "lens-v1" }]
[models.film-small]
context_tokens = 1
max_output_tokens = 1
price = { prompt = "0", completion = "0", video_second = "0.1" }
video_seconds = [4]
candidates = [{ upstream = "fake" }]
"#;

pub(crate) async fn gateway() -> (TestGateway, FakeVideoProvider) {
    let gateway = TestGateway::with(Options { config: STUDIOS.to_owned(), ..Options::default() }).await;
    let studio = FakeVideoProvider::at(&gateway.upstream.base_url());
    let answering = studio.clone();
    gateway.upstream.on(move |request| answering.answer(request));
    (gateway, studio)
}

/// An order in format O, as a form.
pub(crate) async fn order_form(gateway: &TestGateway, parts: &[(&str, &str)]) -> (u16, HeaderMap, Value) {
    const BOUNDARY: &str = "a-boundary";
    let part = |(name, text): &(&str, &str)| {
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let body: String = parts.iter().map(part).collect();
    let request = client().post(gateway.url("/v1/videos")).bearer_auth(&gateway.key);
    let request = request.header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"));
    answered(request.body(format!("{body}--{BOUNDARY}--\r\n"))).await
}

/// An order in JSON.
pub(crate) async fn order(gateway: &TestGateway, path: &str, body: &Value) -> (u16, HeaderMap, Value) {
    answered(client().post(gateway.url(path)).bearer_auth(&gateway.key).json(body)).await
}

pub(crate) async fn answered(request: reqwest::RequestBuilder) -> (u16, HeaderMap, Value) {
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
}

/// The task once it is over.
pub(crate) async fn over(gateway: &TestGateway, id: &str) -> Value {
    let path = format!("/v1/video/generations/{id}");
    until("the end of the video", || async {
        let task: Value = gateway.get(&path).send().await.ok()?.json().await.ok()?;
        (task["status"] == "completed" || task["status"] == "failed").then_some(task)
    })
    .await
}

pub(crate) async fn receipt(gateway: &TestGateway, headers: &HeaderMap) -> Value {
    gateway.receipt(headers["x-request-id"].to_str().expect("text")).await
}

fn charged(receipt: &Value) -> (String, String) {
    (amount(&receipt["held_usd"]), amount(&receipt["charged_usd"]))
}

fn pair(held: &str, charged: &str) -> (String, String) {
    (held.to_owned(), charged.to_owned())
}

#[tokio::test]
async fn an_order_of_format_o_goes_through_and_is_charged_when_it_is_finished() {
    let (gateway, studio) = gateway().await;
    let parts = [("prompt", "a cat"), ("model", "film-o"), ("seconds", "8"), ("size", "1280x720"), ("extra", "x")];
    let (status, headers, job) = order_form(&gateway, &parts).await;
    assert_eq!(status, 200, "{job}");
    let id = job["id"].as_str().expect("an id").to_owned();
    let expected = json!({
        "id": id, "object": "video", "model": "film-o", "status": "queued", "progress": 0, "completed_at": null,
        "created_at": job["created_at"], "seconds": "8", "size": "1280x720", "prompt": "a cat", "error": null,
    });
    assert_eq!(job, expected);
    assert_eq!(amount(&gateway.balance().await["held_usd"]), "0.8");

    let task = over(&gateway, &id).await;
    let url = gateway.url(&format!("/v1/videos/{id}/content"));
    let metadata = json!({"duration": 8, "width": 1280, "height": 720});
    let finished = json!({"task_id": id, "status": "completed", "url": url, "format": "mp4", "metadata": metadata});
    assert_eq!(task, finished);
    let receipt = receipt(&gateway, &headers).await;
    assert_eq!(charged(&receipt), pair("0.8", "0.8"));
    assert_eq!((&receipt["rule"], &receipt["usage"]["completion_tokens"]), (&json!("reported"), &json!(8)));
    assert_eq!((&receipt["upstream"], &receipt["upstream_model"]), (&json!("fake"), &json!("reel")));
    // The form went on as it was, but for the name of the model.
    let sent = json!({"prompt": "a cat", "model": "reel", "seconds": "8", "size": "1280x720", "extra": "x"});
    assert_eq!(studio.films()[0].order, sent);
    let film = gateway.get(&format!("/v1/videos/{id}/content")).send().await.expect("an answer");
    assert_eq!((film.status().as_u16(), film.headers()["content-type"].to_str().ok()), (200, Some("video/mp4")));
    assert_eq!(film.bytes().await.expect("a film"), FILM);
    gateway.assert_books().await;
}

#[tokio::test]
async fn an_order_of_the_second_family_goes_through_with_what_is_its_own() {
    let (gateway, studio) = gateway().await;
    let body = json!({
        "model": "film-a", "prompt": "a cat", "duration": 10, "width": 720, "height": 1280, "fps": 24,
        "cfg_scale": 0.50, "big": 12345678901234567890_u64, "callback_url": "https://example.com",
        "Model_Name": "a-dear-one",
    });
    let (status, headers, created) = order(&gateway, "/videoA/v1/videos/text2video", &body).await;
    assert_eq!((status, &created["status"]), (200, &json!("queued")), "{created}");
    assert_eq!(headers["x-tollgate-dropped"], "fps, callback_url, Model_Name, width, height");
    let id = created["task_id"].as_str().expect("an id").to_owned();
    let task = over(&gateway, &id).await;
    assert_eq!(task["status"], "completed", "{task}");
    assert!(task["url"].as_str().expect("an address").ends_with("/films/task-1.mp4"), "{task}");
    let sent = json!({
        "model_name": "lens-v1", "prompt": "a cat", "duration": "10", "external_task_id": id, "cfg_scale": 0.5,
        "big": 12345678901234567890_u64, "aspect_ratio": "9:16", "kind": "text2video",
    });
    assert_eq!(studio.films()[0].order, sent);
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("0.5", "0.5"));
    let film = gateway.get(&format!("/v1/videos/{id}/content")).send().await.expect("an answer");
    assert_eq!(film.bytes().await.expect("a film"), FILM);
    gateway.assert_books().await;
}

#[tokio::test]
async fn each_family_orders_from_the_other_kind_of_provider() {
    let (gateway, studio) = gateway().await;
    let image = "data:image/png;base64,iVBORw0KGgo=";
    // Format O from the second family: a picture becomes base64 without its prefix.
    let body = json!({"model": "film-a", "prompt": "a cat", "seconds": 5, "size": "1792x1024", "input_reference": image, "odd": 1});
    let (status, headers, job) = order(&gateway, "/v1/videos", &body).await;
    assert_eq!((status, &job["seconds"]), (200, &json!("5")), "{job}");
    assert_eq!(headers["x-tollgate-dropped"], "odd, size");
    let sent = studio.films()[0].order.clone();
    let expected = json!({
        "model_name": "lens-v1", "prompt": "a cat", "duration": "5", "image": "iVBORw0KGgo=", "mode": "pro",
        "external_task_id": job["id"], "aspect_ratio": "16:9", "kind": "image2video",
    });
    assert_eq!(sent, expected);
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("1", "1"), "a large one");
    // The second family from format O: a form, the picture as its file.
    let body = json!({"model": "film-o", "prompt": "a cat", "image": "iVBORw0KGgo=", "duration": 4, "cfg_scale": 1});
    let (status, headers, created) = order(&gateway, "/videoA/v1/videos/image2video", &body).await;
    assert_eq!(status, 200, "{created}");
    assert_eq!(headers["x-tollgate-dropped"], "cfg_scale");
    let expected = json!({
        "model": "reel", "prompt": "a cat", "seconds": "4", "input_reference": "\u{89}PNG\r\n\u{1a}\n",
    });
    assert_eq!(studio.films()[1].order, expected);
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("0.4", "0.4"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn what_an_order_leaves_open_is_the_service_s_choice_and_told_to_the_provider() {
    let (gateway, studio) = gateway().await;
    let (status, headers, job) = order_form(&gateway, &[("prompt", "a cat")]).await;
    assert_eq!((status, &job["model"], &job["seconds"]), (200, &json!("film-o"), &json!("4")), "{job}");
    assert_eq!(studio.films()[0].order, json!({"model": "reel", "seconds": "4", "prompt": "a cat"}));
    assert_eq!(charged(&receipt(&gateway, &headers).await), pair("0.4", "0.4"));
}

#[tokio::test]
async fn what_is_charged_follows_what_was_made() {
    static SECOND: OnceLock<Value> = OnceLock::new();
    let body = SECOND.get_or_init(|| json!({"model": "film-o", "prompt": "a cat", "seconds": "8"}));
    for (plan, status, rule, expected) in [
        (Plan::default(), "completed", "reported", "0.8"),
        (Plan { seconds: Some(5), ..Plan::default() }, "completed", "reported", "0.5"),
        (Plan { seconds: Some(500), ..Plan::default() }, "completed", "reported", "0.8"),
        (Plan { seconds: Some(0), ..Plan::default() }, "completed", "counted", "0.8"),
        (Plan { made: false, ..Plan::default() }, "failed", "nothing_delivered", "0"),
        (Plan { known: false, ..Plan::default() }, "failed", "nothing_delivered", "0"),
    ] {
        let (gateway, studio) = gateway().await;
        studio.plan(plan);
        let (_, headers, job) = order(&gateway, "/v1/videos", body).await;
        let task = over(&gateway, job["id"].as_str().expect("an id")).await;
        assert_eq!(task["status"], status, "{plan:?}");
        let receipt = receipt(&gateway, &headers).await;
        assert_eq!((&receipt["rule"], charged(&receipt)), (&json!(rule), pair("0.8", expected)), "{plan:?}");
        assert_eq!(amount(&gateway.balance().await["held_usd"]), "0");
        gateway.assert_books().await;
    }
}

#[tokio::test]
async fn a_video_that_fails_says_why_in_the_words_of_each_family() {
    let (gateway, studio) = gateway().await;
    studio.plan(Plan { made: false, ..Plan::default() });
    let (_, _, job) = order(&gateway, "/v1/videos", &json!({"model": "film-o", "prompt": "a cat"})).await;
    let id = job["id"].as_str().expect("an id");
    let task = over(&gateway, id).await;
    assert_eq!(task["error"], json!({"code": 500, "message": "it was not made"}));
    let job: Value =
        gateway.get(&format!("/v1/videos/{id}")).send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(job["error"], json!({"code": "moderation_blocked", "message": "it was not made"}));
    assert_eq!(job["completed_at"], json!(null));
}
