//! `POST /v1/moderations`: the usual model, what it costs, what does not go.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::Reply;

const JUDGES: &str = "[moderation]\nmodel = \"judge\"\n\
    [models.judge]\ncontext_tokens = 1000\nmax_output_tokens = 1\nprice = { prompt = \"0\", completion = \"0\" }\n\
    candidates = [{ upstream = \"fake\", model = \"up\" }]\n\
    [models.dear]\ncontext_tokens = 1000\nmax_output_tokens = 1\nprice = { prompt = \"1000\", completion = \"0\" }\n\
    candidates = [{ upstream = \"fake\" }]\n";

fn verdict() -> Value {
    let result = json!({"flagged": true, "categories": {"self-harm/intent": true}, "category_scores": {"self-harm/intent": 0.9}});
    json!({"id": "modr-1", "model": "up", "results": [result]})
}

async fn gateway(config: &str) -> TestGateway {
    let gateway = TestGateway::with(Options { config: config.to_owned(), ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &verdict()));
    gateway
}

async fn ask(gateway: &TestGateway, body: &Value) -> (u16, String, Value) {
    let request = client().post(gateway.url("/v1/moderations")).bearer_auth(&gateway.key).json(body);
    let reply = request.send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    (reply.status().as_u16(), id, reply.json().await.expect("JSON"))
}

#[tokio::test]
async fn the_usual_model_judges_for_free_where_its_price_is_nothing() {
    let gateway = gateway(JUDGES).await;
    for body in [json!({"input": "a"}), json!({"model": null, "input": ["a", "b"]})] {
        let (status, id, answer) = ask(&gateway, &body).await;
        assert_eq!((status, answer), (200, verdict()));
        let received = gateway.upstream.take_received().remove(0);
        assert_eq!(received.line, "POST /v1/moderations HTTP/1.1");
        let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
        assert_eq!(sent, json!({"model": "up", "input": body["input"]}));
        assert_eq!(amount(&gateway.receipt(&id).await["charged_usd"]), "0");
    }
}

#[tokio::test]
async fn a_price_is_charged_by_size() {
    let gateway = gateway(JUDGES).await;
    let (status, id, _) = ask(&gateway, &json!({"model": "dear", "input": "ten bytes."})).await;
    let receipt = gateway.receipt(&id).await;
    // 12 bytes with their quotes are 3 tokens.
    assert_eq!((status, amount(&receipt["charged_usd"]).as_str()), (200, "0.003"));
    assert_eq!((&receipt["rule"], &receipt["usage"]["estimated"]), (&json!("counted"), &json!(true)));
    gateway.assert_books().await;
}

/// However a picture is written, its size says nothing about its tokens.
#[tokio::test]
async fn a_picture_is_held_for_with_all_of_the_context() {
    let gateway = gateway(JUDGES).await;
    for (part, held) in [
        (r#"{"type":"image_url","image_url":{"url":"https://example.com/a"}}"#, true),
        (r#"{"type":"image\u005furl","image\u005furl":{"url":"https://example.com/a"}}"#, true),
        (r#"{"type":"text","text":"a"}"#, false),
    ] {
        let body = format!(r#"{{"model":"dear","input":[{part}]}}"#);
        let request = client().post(gateway.url("/v1/moderations")).bearer_auth(&gateway.key);
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        let receipt = gateway.receipt(reply.headers()["x-request-id"].to_str().expect("text")).await;
        // A thousand tokens of context at the price of what may be written to a cache.
        assert_eq!(amount(&receipt["held_usd"]) == "1.25", held, "{part}: {receipt}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn without_a_usual_model_one_must_be_named() {
    let gateway = gateway("").await;
    let (status, _, answer) = ask(&gateway, &json!({"input": "a"})).await;
    assert_eq!((status, &answer["error"]["param"]), (400, &json!("model")), "{answer}");
    assert!(gateway.upstream.take_received().is_empty());
    gateway.upstream.answer(Reply::json(200, &json!({"results": []})));
    assert_eq!(ask(&gateway, &json!({"model": "small", "input": "a"})).await.0, 502);
}
