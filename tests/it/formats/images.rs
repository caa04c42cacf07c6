//! `POST /v1/images/generations`: both bodies, the price of a picture, what is refused. `edits` has the other operation,
//! `messages` and `later` the providers that are asked in other words.

// suite of this file: waiting

mod edits;
mod later;
pub(crate) mod messages;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::Reply;

/// A model that draws and changes pictures.
pub(crate) const PAINTER: &str = "[models.painter]\ncontext_tokens = 8000\nmax_output_tokens = 1\n\
    price = { prompt = \"1\", completion = \"1\", image = \"0.04\", version = \"art\" }\n\
    candidates = [{ upstream = \"fake\", model = \"up\" }]\n";

async fn gateway(credit: &'static str) -> TestGateway {
    let gateway = TestGateway::with(Options { credit, config: PAINTER.to_owned(), ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &pictures(2)));
    gateway
}

fn pictures(count: usize) -> Value {
    json!({"created": 7, "data": vec![json!({"b64_json": "AAAA"}); count], "size": "1024x768"})
}

async fn post(gateway: &TestGateway, body: &Value) -> (u16, HeaderMap, Value) {
    let request = client().post(gateway.url("/v1/images/generations")).bearer_auth(&gateway.key).json(body);
    let reply = request.send().await.expect("an answer");
    (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
}

async fn receipt(gateway: &TestGateway, headers: &HeaderMap) -> Value {
    gateway.receipt(headers["x-request-id"].to_str().expect("text")).await
}

fn sent(gateway: &TestGateway) -> (String, Value) {
    let received = gateway.upstream.take_received().remove(0);
    (received.line, serde_json::from_slice(&received.body).expect("JSON"))
}

#[tokio::test]
async fn a_prompt_goes_through_and_each_picture_is_paid_for() {
    let gateway = gateway("10").await;
    let body = json!({"model": "painter", "prompt": "a cat", "n": 3, "quality": "high"});
    let (status, headers, answer) = post(&gateway, &body).await;
    assert_eq!((status, answer), (200, pictures(2)));
    let mut expected = body;
    expected["model"] = json!("up");
    assert_eq!(sent(&gateway), ("POST /v1/images/generations HTTP/1.1".to_owned(), expected));
    let receipt = receipt(&gateway, &headers).await;
    // Three were held for, two came.
    assert_eq!((amount(&receipt["held_usd"]).as_str(), amount(&receipt["charged_usd"]).as_str()), ("0.12", "0.08"));
    assert_eq!((&receipt["rule"], &receipt["usage"]["completion_tokens"]), (&json!("reported"), &json!(2)));
    gateway.assert_books().await;
}

/// A member of the provider's own may ask for more: what is given is paid for.
#[tokio::test]
async fn every_picture_that_is_given_is_paid_for() {
    let gateway = gateway("10").await;
    let (_, headers, _) = post(&gateway, &json!({"model": "painter", "prompt": "a cat", "batch_size": 2})).await;
    let receipt = receipt(&gateway, &headers).await;
    assert_eq!((amount(&receipt["held_usd"]).as_str(), amount(&receipt["charged_usd"]).as_str()), ("0.04", "0.08"));
    gateway.assert_books().await;
}

#[tokio::test]
async fn messages_are_carried_and_come_back_with_every_member() {
    let gateway = gateway("10").await;
    let messages = json!([{"role": "user", "content": [{"text": "a cat"}]}]);
    let parameters = json!({"n": 2, "size": "1024*768", "negative_prompt": "dogs", "watermark": true});
    let body = json!({"model": "painter", "input": {"messages": messages}, "parameters": parameters});
    let (status, headers, answer) = post(&gateway, &body).await;
    let picture = json!({"url": "", "b64_json": "AAAA", "revised_prompt": ""});
    assert_eq!((status, answer), (200, json!({"created": 7, "data": [picture, picture]})));
    assert_eq!(headers["x-tollgate-dropped"], "parameters.watermark");
    let prompt = "a cat\n\nDo not show: dogs";
    assert_eq!(sent(&gateway).1, json!({"model": "up", "prompt": prompt, "n": 2, "size": "1024x768"}));
    assert_eq!(amount(&receipt(&gateway, &headers).await["charged_usd"]), "0.08");
}

#[tokio::test]
async fn a_model_without_a_price_for_pictures_draws_none() {
    let gateway = gateway("10").await;
    let (status, _, answer) = post(&gateway, &json!({"model": "small", "prompt": "a cat"})).await;
    assert_eq!(
        (status, &answer["error"]["code"], &answer["error"]["param"]),
        (400, &json!("bad_field"), &json!("model"))
    );
    assert!(answer["error"]["message"].as_str().expect("text").contains("a model that makes pictures"), "{answer}");
    assert!(gateway.upstream.take_received().is_empty());
}

#[tokio::test]
async fn what_cannot_be_drawn_or_paid_for_is_not_sent() {
    let gateway = gateway("0.1").await;
    let bad = json!([{"role": "user", "content": [{"image": "https://example.com/a.png"}]}]);
    for (body, status) in [
        (json!({"model": "painter", "prompt": "a cat", "n": 3}), 402),
        (json!({"model": "painter"}), 400),
        (json!({"model": "painter", "prompt": "a cat", "n": 11}), 400),
        (json!({"model": "painter", "prompt": "a cat", "stream": true}), 400),
        (json!({"model": "painter", "input": {"messages": bad}}), 400),
    ] {
        let (found, _, answer) = post(&gateway, &body).await;
        assert_eq!(found, status, "{answer}");
    }
    assert!(gateway.upstream.take_received().is_empty());
    gateway.upstream.answer(Reply::json(200, &json!({"created": 1, "data": []})));
    let (status, headers, _) = post(&gateway, &json!({"model": "painter", "prompt": "a cat"})).await;
    assert_eq!((status, amount(&receipt(&gateway, &headers).await["charged_usd"]).as_str()), (502, "0"));
    gateway.assert_books().await;
}
