//! A provider that is asked in messages with parameters, in the words of all bodies and with every ending.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use data_encoding::BASE64;
use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, UPSTREAM_KEY, amount, client};
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::reply_gate::ReplyGate;
use tollgate_tests::strict_provider::pictures::{self, PICTURE_START};
use tollgate_tests::wait::until;

use super::receipt;

/// A painter of this kind, and one behind it that is asked in prompts.
pub(crate) const CONFIG: &str = r#"
[fetch]
allowed = ["127.0.0.1"]
[upstreams.draws]
base_url = "{upstream}"
format = "pictures"
api_key_env = "FAKE_UPSTREAM_KEY"
[models.painter]
context_tokens = 8000
max_output_tokens = 1
price = { prompt = "1", completion = "1", image = "0.04", version = "art" }
candidates = [{ upstream = "draws", model = "up" }]
[models.either]
context_tokens = 8000
max_output_tokens = 1
price = { prompt = "1", completion = "1", image = "0.04", version = "art" }
candidates = [{ upstream = "draws", model = "up" }, { upstream = "fake", model = "other" }]
"#;

/// Bytes that are a picture by their beginning.
pub(super) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\x00\xff--xx";

async fn gateway() -> TestGateway {
    gateway_with(CONFIG).await
}

async fn gateway_with(config: &str) -> TestGateway {
    let gateway = TestGateway::with(Options { config: config.to_owned(), ..Options::default() }).await;
    gateway.upstream.on(pictures::answer);
    gateway
}

pub(super) fn post(gateway: &TestGateway, path: &str) -> RequestBuilder {
    client().post(gateway.url(path)).bearer_auth(&gateway.key)
}

pub(super) async fn answered(request: RequestBuilder) -> (u16, HeaderMap, Value) {
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
}

pub(super) async fn draw(gateway: &TestGateway, body: &Value) -> (u16, HeaderMap, Value) {
    answered(post(gateway, "/v1/images/generations").json(body)).await
}

pub(super) async fn charged(gateway: &TestGateway, headers: &HeaderMap) -> (String, u64) {
    let receipt = receipt(gateway, headers).await;
    (amount(&receipt["charged_usd"]), receipt["usage"]["completion_tokens"].as_u64().unwrap_or_default())
}

pub(super) fn members(answer: &Value, name: &str) -> Vec<String> {
    let pictures = answer["data"].as_array().expect("pictures");
    pictures.iter().map(|picture| picture[name].as_str().expect("all three are texts").to_owned()).collect()
}

/// What the provider was asked, out of the pictures themselves.
pub(super) fn told(answer: &Value) -> Vec<String> {
    let read = |text: &String| {
        let bytes = BASE64.decode(text.as_bytes()).expect("base64");
        String::from_utf8(bytes.strip_prefix(PICTURE_START).expect("a picture").to_vec()).expect("text")
    };
    members(answer, "b64_json").iter().map(read).collect()
}

fn sent(gateway: &TestGateway) -> Value {
    let received = gateway.upstream.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/services/aigc/multimodal-generation/generation HTTP/1.1");
    serde_json::from_slice(&received.body).expect("JSON")
}

#[tokio::test]
async fn its_own_body_goes_through_but_for_the_model() {
    let gateway = gateway().await;
    for (path, content) in [
        ("/v1/images/generations", json!([{"text": "a cat"}])),
        ("/v1/images/edits", json!([{"image": "https://example.com/a.png"}, {"text": "a hat"}])),
    ] {
        let parameters = json!({"n": 2, "size": "1024*768", "negative_prompt": "dogs", "watermark": false, "seed": 7});
        let mut body = json!({"model": "painter", "input": {"messages": [{"role": "user", "content": content}]}});
        body["parameters"] = parameters;
        let (status, headers, answer) = answered(post(&gateway, path).json(&body)).await;
        assert_eq!((status, headers.get("x-tollgate-dropped")), (200, None), "{answer}");
        assert!(members(&answer, "url").iter().all(|url| url.starts_with("http://127.0.0.1:")), "{answer}");
        assert_eq!(members(&answer, "b64_json"), ["", ""]);
        assert_eq!(members(&answer, "revised_prompt"), ["", ""]);
        assert!(answer["created"].as_i64().is_some_and(|created| created > 1_700_000_000), "{answer}");
        body["model"] = json!("up");
        assert_eq!(sent(&gateway), body);
        assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_prompt_is_carried_and_what_has_no_word_is_told() {
    let gateway = gateway().await;
    let body = json!({
        "model": "painter", "prompt": "a cat", "n": 2, "size": "1024x768", "quality": "high", "user": "u",
        "response_format": "url", "stream": false, "style": null,
    });
    let (status, headers, answer) = draw(&gateway, &body).await;
    assert_eq!((status, headers["x-tollgate-dropped"].to_str().expect("text")), (200, "quality, user"), "{answer}");
    let messages = json!([{"role": "user", "content": [{"text": "a cat"}]}]);
    let parameters = json!({"n": 2, "size": "1024*768"});
    assert_eq!(sent(&gateway), json!({"model": "up", "input": {"messages": messages}, "parameters": parameters}));
    assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2));
    let (status, headers, _) = draw(&gateway, &json!({"model": "painter", "prompt": "one", "size": "auto"})).await;
    assert_eq!((status, headers.get("x-tollgate-dropped")), (200, None));
    assert_eq!(sent(&gateway)["parameters"], json!({"n": 1}));
    gateway.assert_books().await;
}

#[tokio::test]
async fn pictures_are_fetched_for_a_client_that_wants_their_bytes() {
    let gateway = gateway().await;
    for prompt in ["a cat", "one"] {
        let body = json!({"model": "painter", "prompt": prompt, "n": 3, "response_format": "b64_json"});
        let (status, headers, answer) = draw(&gateway, &body).await;
        assert_eq!((status, headers.get("x-tollgate-dropped")), (200, None), "{answer}");
        let expected = [0, 1, 2].map(|number| format!("{number} up; {prompt}"));
        assert_eq!((told(&answer), members(&answer, "url")), (expected.to_vec(), vec![String::new(); 3]));
        assert_eq!(charged(&gateway, &headers).await, ("0.12".to_owned(), 3));
        let received = gateway.upstream.take_received();
        let fetched: Vec<_> = received.iter().filter(|request| request.line.starts_with("GET ")).collect();
        assert_eq!(fetched.len(), 3);
        for request in fetched {
            assert!(!format!("{:?}", request.headers).contains(UPSTREAM_KEY), "{request:?}");
            assert_eq!(request.header("authorization"), None);
        }
    }
    gateway.assert_books().await;
}

/// What a provider lists decides neither how much is fetched nor how much of it at once.
#[tokio::test]
async fn no_more_is_fetched_than_was_asked_for_and_a_few_at_a_time() {
    const AT_ONCE: usize = 4;
    let gateway = gateway().await;
    let (open, fetched) = (ReplyGate::default(), Arc::new(AtomicUsize::new(0)));
    let (held, seen) = (open.clone(), fetched.clone());
    gateway.upstream.on(move |request| {
        if request.line.starts_with("GET ") {
            seen.fetch_add(1, Ordering::SeqCst);
            return pictures::answer(request).after(held.clone());
        }
        let host = request.header("host").unwrap_or_default();
        let images: Vec<_> = (0..12).map(|_| json!({"image": format!("http://{host}/pictures/00")})).collect();
        Reply::json(200, &json!({"output": {"choices": [{"message": {"content": images}}]}}))
    });
    let mut body = json!({"model": "painter", "prompt": "cats", "n": 6, "response_format": "b64_json"});
    let request = post(&gateway, "/v1/images/generations").json(&body);
    let drawing = tokio::spawn(answered(request));
    until("a few fetches", || async { (fetched.load(Ordering::SeqCst) >= AT_ONCE).then_some(()) }).await;
    // A whole request meanwhile: a fifth fetch would have come by its end.
    body["response_format"] = json!("url");
    assert_eq!(draw(&gateway, &body).await.0, 200);
    assert_eq!(fetched.load(Ordering::SeqCst), AT_ONCE);
    open.open();
    let (status, headers, answer) = drawing.await.expect("no panic");
    assert_eq!((status, headers["x-tollgate-dropped"].to_str().expect("text")), (200, "response_format"), "{answer}");
    assert_eq!(fetched.load(Ordering::SeqCst), 6);
    let in_bytes: Vec<_> = members(&answer, "url").iter().map(String::is_empty).collect();
    assert_eq!(in_bytes, [[true; 6], [false; 6]].concat());
    gateway.assert_books().await;
}

#[tokio::test]
async fn files_of_a_form_become_addresses_of_their_bytes() {
    let gateway = gateway().await;
    let mut body = Vec::new();
    for (head, content) in [
        ("name=\"model\"", &b"painter"[..]),
        ("name=\"prompt\"", b"a hat"),
        ("name=\"image[]\"; filename=\"upload\"\r\nContent-Type: application/octet-stream", PNG),
        ("name=\"image[]\"; filename=\"b.jpg\"", b"\xff\xd8\xff\xe0"),
        ("name=\"size\"", b"1024x768"),
        ("name=\"n\"", b"1"),
        ("name=\"quality\"", b"high"),
        ("name=\"response_format\"", b"b64_json"),
    ] {
        body.extend(format!("--xx-1\r\nContent-Disposition: form-data; {head}\r\n\r\n").into_bytes());
        body.extend([content, b"\r\n"].concat());
    }
    body.extend(b"--xx-1--\r\n");
    let form = post(&gateway, "/v1/images/edits").header("content-type", "multipart/form-data; boundary=xx-1");
    let (status, headers, answer) = answered(form.body(body)).await;
    assert_eq!((status, headers["x-tollgate-dropped"].to_str().expect("text")), (200, "quality"), "{answer}");
    let pictures = format!("image/png of {} bytes; image/jpeg of 4 bytes", PNG.len());
    assert_eq!(told(&answer), [format!("0 up; {pictures}; a hat; 1024*768")]);
    assert_eq!(charged(&gateway, &headers).await, ("0.04".to_owned(), 1));
}

#[tokio::test]
async fn what_it_has_no_words_for_is_refused_or_had_elsewhere() {
    let gateway = gateway().await;
    let image = json!({"image_url": "https://example.com/a.png"});
    let mut body = json!({"model": "painter", "prompt": "a hat", "images": [image]});
    body["mask"] = json!({"image_url": "https://example.com/m.png"});
    let (status, _, answer) = answered(post(&gateway, "/v1/images/edits").json(&body)).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("not_convertible")), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|told| told.contains("mask")), "{answer}");
    assert!(gateway.upstream.take_received().is_empty());
    body["model"] = json!("either");
    gateway.upstream.answer(Reply::json(200, &json!({"created": 7, "data": [{"b64_json": "AAAA"}]})));
    let (status, headers, _) = answered(post(&gateway, "/v1/images/edits").json(&body)).await;
    assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1));
    assert_eq!(gateway.upstream.take_received()[0].line, "POST /v1/images/edits HTTP/1.1");
    gateway.upstream.on(pictures::answer);
    gateway.assert_books().await;
}

#[tokio::test]
async fn its_errors_are_sorted_by_their_code() {
    let gateway = gateway().await;
    for (code, status, told) in [
        ("InvalidParameter", 400, "upstream_refused"),
        ("DataInspectionFailed", 400, "upstream_refused"),
        ("InvalidApiKey", 502, "bad_gateway"),
        ("Arrearage", 502, "bad_gateway"),
        ("AccessDenied.Unpurchased", 502, "bad_gateway"),
        ("ModelNotFound", 404, "upstream_refused"),
        ("Throttling.RateQuota", 429, "upstream_rate_limited"),
        ("Throttling.Odd", 429, "upstream_rate_limited"),
        ("InternalError", 502, "bad_gateway"),
    ] {
        let body = json!({"model": "painter", "prompt": format!("error: {code}")});
        let (found, headers, answer) = draw(&gateway, &body).await;
        assert_eq!((found, &answer["error"]["code"]), (status, &json!(told)), "{code}: {answer}");
        let words = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(words.contains("scripted failure"), status == 400, "{code}: {words}");
        assert_eq!(charged(&gateway, &headers).await, ("0".to_owned(), 0), "{code}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn an_answer_without_pictures_costs_nothing_and_is_had_elsewhere() {
    let gateway = gateway().await;
    let half = br#"{"output":{"choices":[{"mess"#.to_vec();
    for reply in [
        Reply::json(200, &json!({"code": "InternalError", "message": "no", "request_id": "r"})),
        Reply::json(200, &json!({"output": {"choices": []}, "usage": {"image_count": 1}})),
        Reply::json(200, &json!({"output": {"task_id": "t", "task_status": "PENDING"}})),
        Reply::raw(200, "text/html", b"<html>".to_vec()),
        Reply::raw(200, "application/json", half.clone()),
        Reply::raw(200, "application/json", half).then(Step::Cut),
        Reply::hang_up(),
    ] {
        gateway.upstream.on(move |request| {
            if request.line.contains("/services/") {
                return reply.clone();
            }
            Reply::json(200, &json!({"created": 7, "data": [{"url": "https://example.com/a.png"}]}))
        });
        let (status, headers, answer) = draw(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
        assert_eq!((status, &answer["error"]["code"]), (502, &json!("bad_gateway")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await.0, "0");
        let (status, headers, _) = draw(&gateway, &json!({"model": "either", "prompt": "a cat"})).await;
        assert_eq!((status, charged(&gateway, &headers).await.1), (200, 1));
    }
    gateway.assert_books().await;
}

/// It was drawn and is paid for: where it lies is told instead, and that it is so.
#[tokio::test]
async fn a_picture_that_cannot_be_fetched_is_told_by_its_address() {
    let closed = CONFIG.replace("allowed = [\"127.0.0.1\"]", "allowed = []");
    for (config, prompt, fetched) in [(CONFIG, "lost", 2), (CONFIG, "inside", 0), (closed.as_str(), "a cat", 0)] {
        let gateway = gateway_with(config).await;
        let body = json!({"model": "painter", "prompt": prompt, "n": 2, "response_format": "b64_json"});
        let (status, headers, answer) = draw(&gateway, &body).await;
        assert_eq!((status, headers["x-tollgate-dropped"].to_str().expect("text")), (200, "response_format"));
        assert_eq!(members(&answer, "b64_json"), ["", ""], "{prompt}");
        assert!(members(&answer, "url").iter().all(|url| url.contains("/pictures/")), "{answer}");
        assert_eq!(charged(&gateway, &headers).await, ("0.08".to_owned(), 2), "{prompt}");
        assert_eq!(gateway.upstream.take_received().len(), 1 + fetched, "{prompt}");
        gateway.assert_books().await;
    }
}
