//! A provider that draws as tasks, in the words of all bodies and with every ending.

mod endings;
mod polls;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, UPSTREAM_KEY};
use tollgate_tests::reply::Reply;
use tollgate_tests::strict_provider::pictures_later::Easel;
use tollgate_tests::upstream::Received;

use super::messages::{PNG, answered, charged, draw, members, post, told};

/// A painter of this kind, and one with another behind it that is asked in prompts.
const CONFIG: &str = r#"
[fetch]
allowed = ["127.0.0.1"]
[pictures]
poll_first_milliseconds = 10
[upstreams.tasks]
base_url = "{upstream}"
format = "pictures_later"
api_key_env = "FAKE_UPSTREAM_KEY"
[models.painter]
context_tokens = 8000
max_output_tokens = 1
price = { prompt = "1", completion = "1", image = "0.04", version = "art" }
candidates = [{ upstream = "tasks", model = "up" }]
[models.by-tokens]
context_tokens = 8000
max_output_tokens = 1000
price = { prompt = "1", completion = "1", image_completion = "40", version = "art" }
candidates = [{ upstream = "tasks", model = "up" }]
[models.either]
context_tokens = 8000
max_output_tokens = 1
price = { prompt = "1", completion = "1", image = "0.04", version = "art" }
candidates = [{ upstream = "tasks", model = "up" }, { upstream = "fake", model = "other" }]
[models.prompted]
context_tokens = 8000
max_output_tokens = 1
price = { prompt = "1", completion = "1", image = "0.04", version = "art" }
candidates = [{ upstream = "fake", model = "other" }]
fallback = ["painter"]
"#;

const DRAW: &str = "POST /v1/services/aigc/text2image/image-synthesis HTTP/1.1";
const EDIT: &str = "POST /v1/services/aigc/image2image/image-synthesis HTTP/1.1";

async fn gateway() -> (TestGateway, Easel) {
    gateway_with("").await
}

/// With keys before the others.
async fn gateway_with(config: &str) -> (TestGateway, Easel) {
    let config = [config, CONFIG].concat();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let easel = Easel::default();
    script(&gateway, &easel, |_| None);
    (gateway, easel)
}

/// From now on the provider does as `other` says, or what the easel does; and what format O asks is drawn at once.
fn script(gateway: &TestGateway, easel: &Easel, other: impl Fn(&Received) -> Option<Reply> + Send + Sync + 'static) {
    let easel = easel.clone();
    gateway.upstream.on(move |request| {
        if request.line.starts_with("POST /v1/images/") {
            return Reply::json(200, &json!({"created": 7, "data": [{"url": "https://example.com/a.png"}]}));
        }
        other(request).unwrap_or_else(|| easel.answer(request))
    });
}

fn is_question(request: &Received) -> bool {
    asked_for(request).is_some()
}

/// The task that a question is about.
fn asked_for(request: &Received) -> Option<&str> {
    request.line.strip_prefix("GET /v1/tasks/")?.split(' ').next()
}

/// A task that is over, with that much in its output.
fn over(task: &str, output: &Value) -> Reply {
    let mut output = output.clone();
    (output["task_id"], output["task_status"]) = (json!(task), json!("SUCCEEDED"));
    Reply::json(200, &json!({"output": output, "request_id": "r"}))
}

fn results(count: usize) -> Value {
    json!({"results": vec![json!({"url": "https://example.com/a.png"}); count]})
}

/// The line and the body of the order; everything after it were questions about its task and fetches.
fn sent(gateway: &TestGateway) -> (String, Value) {
    let mut received = gateway.upstream.take_received();
    let order = received.remove(0);
    assert!(received.iter().all(|request| request.line.starts_with("GET ")), "{received:?}");
    (order.line, serde_json::from_slice(&order.body).expect("JSON"))
}

fn dropped(headers: &HeaderMap) -> Option<&str> {
    headers.get("x-tollgate-dropped").map(|told| told.to_str().expect("text"))
}

#[tokio::test]
async fn messages_become_a_task_with_all_that_they_say() {
    let (gateway, easel) = gateway().await;
    let parameters = json!({"n": 2, "size": "1024*768", "negative_prompt": "dogs", "watermark": false, "seed": 7});
    for (path, line, content, images) in [
        ("/v1/images/generations", DRAW, json!([{"text": "a cat"}]), None),
        (
            "/v1/images/edits",
            EDIT,
            json!([{"image": "https://example.com/a.png"}, {"text": "a cat"}, {"image": "data:image/png;base64,AA=="}]),
            Some(json!(["https://example.com/a.png", "data:image/png;base64,AA=="])),
        ),
    ] {
        let input = json!({"messages": [{"role": "user", "content": content}]});
        let body = json!({"model": "painter", "input": input, "parameters": parameters});
        let (status, headers, answer) = answered(post(&gateway, path).json(&body)).await;
        assert_eq!((status, dropped(&headers)), (200, None), "{answer}");
        assert!(members(&answer, "url").iter().all(|url| url.starts_with("http://127.0.0.1:")), "{answer}");
        assert_eq!(members(&answer, "revised_prompt"), ["a cat, drawn", "a cat, drawn"]);
        assert!(answer["created"].as_i64().is_some_and(|created| created > 1_700_000_000), "{answer}");
        let mut input = json!({"prompt": "a cat", "negative_prompt": "dogs"});
        if let Some(images) = images {
            input["images"] = images;
        }
        let parameters = json!({"n": 2, "size": "1024*768", "watermark": false, "seed": 7});
        let expected = json!({"model": "up", "input": input, "parameters": parameters});
        assert_eq!(sent(&gateway), (line.to_owned(), expected));
        assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
    }
    assert_eq!(easel.taken_count(), 2);
    gateway.assert_books().await;
}

/// A task has parameters of any name; a prompt has none, and neither has members that nobody knows.
#[tokio::test]
async fn what_messages_say_that_is_not_read_is_told() {
    let (gateway, _) = gateway().await;
    let turn = json!({"role": "user", "name": "n", "content": [{"type": "text", "text": "a cat"}]});
    let mut body = json!({"model": "painter", "user": "u", "input": {"messages": [turn], "style": "s"}});
    body["parameters"] = json!({"seed": 7});
    let unread = "user, input.style, input.messages[0].name, input.messages[0].content[0].type";
    for (path, image) in [("/v1/images/generations", false), ("/v1/images/edits", true)] {
        if image {
            let picture = json!({"image": "https://example.com/a.png"});
            body["input"]["messages"][0]["content"].as_array_mut().expect("parts").push(picture);
        }
        let (status, headers, answer) = answered(post(&gateway, path).json(&body)).await;
        assert_eq!((status, dropped(&headers)), (200, Some(unread)), "{answer}");
        assert_eq!(sent(&gateway).1["parameters"], json!({"n": 1, "seed": 7}));
        let mut prompted = body.clone();
        prompted["model"] = json!("prompted");
        let (status, headers, answer) = answered(post(&gateway, path).json(&prompted)).await;
        let told = format!("{unread}, parameters.seed");
        assert_eq!((status, dropped(&headers)), (200, Some(told.as_str())), "{answer}");
        assert_eq!(gateway.upstream.take_received().len(), 1);
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_prompt_becomes_a_task_and_what_has_no_word_is_told() {
    let (gateway, _) = gateway().await;
    let mut body = json!({
        "model": "painter", "prompt": "a cat", "n": 2, "size": "1024x768", "quality": "high", "user": "u",
        "response_format": "url", "stream": false, "style": null,
    });
    for (path, line) in [("/v1/images/generations", DRAW), ("/v1/images/edits", EDIT)] {
        let mut input = json!({"prompt": "a cat"});
        if line == EDIT {
            body["images"] = json!([{"image_url": "https://example.com/a.png"}]);
            input["images"] = json!(["https://example.com/a.png"]);
        }
        let (status, headers, answer) = answered(post(&gateway, path).json(&body)).await;
        assert_eq!((status, dropped(&headers)), (200, Some("quality, user")), "{answer}");
        let expected = json!({"model": "up", "input": input, "parameters": {"n": 2, "size": "1024*768"}});
        assert_eq!(sent(&gateway), (line.to_owned(), expected));
        assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
    }
    let (status, headers, _) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat", "size": "auto"})).await;
    assert_eq!((status, dropped(&headers)), (200, None));
    assert_eq!(sent(&gateway).1["parameters"], json!({"n": 1}));
    gateway.assert_books().await;
}

#[tokio::test]
async fn files_of_a_form_become_a_list_of_their_bytes() {
    let (gateway, _) = gateway().await;
    let mut body = Vec::new();
    for (head, content) in [
        ("name=\"model\"", &b"painter"[..]),
        ("name=\"prompt\"", b"a hat"),
        ("name=\"image[]\"; filename=\"upload\"\r\nContent-Type: application/octet-stream", PNG),
        ("name=\"image[]\"; filename=\"b.jpg\"", b"\xff\xd8\xff\xe0"),
        ("name=\"response_format\"", b"b64_json"),
    ] {
        body.extend(format!("--xx-1\r\nContent-Disposition: form-data; {head}\r\n\r\n").into_bytes());
        body.extend([content, b"\r\n"].concat());
    }
    body.extend(b"--xx-1--\r\n");
    let form = post(&gateway, "/v1/images/edits").header("content-type", "multipart/form-data; boundary=xx-1");
    let (status, headers, answer) = answered(form.body(body)).await;
    assert_eq!((status, dropped(&headers)), (200, None), "{answer}");
    let pictures = format!("image/png of {} bytes; image/jpeg of 4 bytes", PNG.len());
    assert_eq!(told(&answer), [format!("0 up; {pictures}; a hat")]);
    assert_eq!(sent(&gateway).0, EDIT);
    assert_eq!(charged(&gateway, &headers).await, ("0.04".to_owned(), 1));
}

#[tokio::test]
async fn what_a_task_has_no_words_for_is_refused_or_had_elsewhere() {
    let (gateway, easel) = gateway().await;
    let image = json!({"image_url": "https://example.com/a.png"});
    let mut body = json!({"model": "painter", "prompt": "a hat", "images": [image]});
    body["mask"] = json!({"image_url": "https://example.com/m.png"});
    let (status, _, answer) = answered(post(&gateway, "/v1/images/edits").json(&body)).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("not_convertible")), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|told| told.contains("mask")), "{answer}");
    assert!(gateway.upstream.take_received().is_empty());
    body["model"] = json!("either");
    let (status, headers, _) = answered(post(&gateway, "/v1/images/edits").json(&body)).await;
    assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1));
    assert_eq!(gateway.upstream.take_received()[0].line, "POST /v1/images/edits HTTP/1.1");
    assert_eq!(easel.taken_count(), 0);
    gateway.assert_books().await;
}

#[tokio::test]
async fn pictures_of_a_task_are_fetched_for_a_client_that_wants_their_bytes() {
    let (gateway, _) = gateway().await;
    let mut body = json!({"model": "painter", "prompt": "a cat", "n": 2, "response_format": "b64_json"});
    let (status, headers, answer) = draw(&gateway, &body).await;
    assert_eq!((status, dropped(&headers)), (200, None), "{answer}");
    assert_eq!(told(&answer), ["0 up; a cat", "1 up; a cat"]);
    assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
    for request in gateway.upstream.take_received().iter().filter(|request| request.line.contains("/pictures/")) {
        assert!(!format!("{:?}", request.headers).contains(UPSTREAM_KEY), "{request:?}");
    }
    for (prompt, fetched) in [("lost", 2), ("inside", 0)] {
        body["prompt"] = json!(prompt);
        let (status, headers, answer) = draw(&gateway, &body).await;
        assert_eq!((status, dropped(&headers)), (200, Some("response_format")), "{answer}");
        assert!(members(&answer, "url").iter().all(|url| url.contains("/pictures/")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
        let received = gateway.upstream.take_received();
        assert_eq!(received.iter().filter(|request| request.line.contains("/pictures/")).count(), fetched);
    }
    gateway.assert_books().await;
}
