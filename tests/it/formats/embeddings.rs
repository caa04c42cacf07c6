//! Embeddings in formats O and G, over providers of both.

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, Upstream};

/// A gateway with the models `vectors-o` and `vectors-g`, each at 1 USD per million tokens, and `talker` in format A.
struct Both {
    gateway: TestGateway,
    g: Upstream,
}

impl Both {
    async fn start() -> Self {
        let g = Upstream::start().await;
        let model = |name: &str, upstream: &str| {
            format!(
                "[models.{name}]\ncontext_tokens = 8000\nmax_output_tokens = 1\n\
                 price = {{ prompt = \"1\", completion = \"0\" }}\ncandidates = [{{ upstream = \"{upstream}\", model = \"up\" }}]\n"
            )
        };
        let config = format!(
            "[upstreams.g]\nformat = \"generate\"\nbase_url = \"{url}\"\n[upstreams.a]\nformat = \"messages\"\nbase_url = \"{url}\"\n{}{}{}",
            model("vectors-o", "fake"),
            model("vectors-g", "g"),
            model("talker", "a"),
            url = g.base_url(),
        );
        let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
        gateway.upstream.answer(Reply::json(200, &list(&json!([1.5, -2]), &json!([0.25, 3]))));
        g.answer(Reply::json(200, &json!({"embeddings": [{"values": [0.5]}, {"values": [2.0]}]})));
        Self { gateway, g }
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, reqwest::header::HeaderMap, Value) {
        let request = client().post(self.gateway.url(path)).bearer_auth(&self.gateway.key);
        let reply = request.json(body).send().await.expect("an answer");
        (reply.status().as_u16(), reply.headers().clone(), reply.json().await.expect("JSON"))
    }

    async fn charged(&self, headers: &reqwest::header::HeaderMap) -> (String, Value) {
        let receipt = self.gateway.receipt(headers["x-request-id"].to_str().expect("text")).await;
        (amount(&receipt["charged_usd"]), receipt)
    }
}

fn list(first: &Value, second: &Value) -> Value {
    json!({
        "object": "list", "model": "up", "extra": 1,
        "data": [{"object": "embedding", "index": 0, "embedding": first}, {"object": "embedding", "index": 1, "embedding": second}],
        "usage": {"prompt_tokens": 7, "total_tokens": 7},
    })
}

#[tokio::test]
async fn format_o_goes_through_as_it_is_and_costs_what_the_provider_counted() {
    let both = Both::start().await;
    let body = json!({"model": "vectors-o", "input": ["a", "b"], "mine": {"x": 1}});
    let (status, headers, answer) = both.post("/v1/embeddings", &body).await;
    assert_eq!((status, answer), (200, list(&json!([1.5, -2]), &json!([0.25, 3]))));
    let received = both.gateway.upstream.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/embeddings HTTP/1.1");
    let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
    assert_eq!(sent, json!({"model": "up", "input": ["a", "b"], "mine": {"x": 1}}));
    let (charged, receipt) = both.charged(&headers).await;
    assert_eq!((charged.as_str(), &receipt["rule"]), ("0.000007", &json!("reported")));
    both.gateway.assert_books().await;
}

/// Each text of a batch may be as long as the context, so together they may be far longer.
#[tokio::test]
async fn a_large_batch_costs_what_the_provider_counted() {
    let both = Both::start().await;
    let mut answer = list(&json!([1]), &json!([2]));
    answer["usage"] = json!({"prompt_tokens": 100_000, "total_tokens": 100_000});
    both.gateway.upstream.answer(Reply::json(200, &answer));
    let texts: Vec<String> = vec!["word ".repeat(100); 1_000];
    let (status, headers, _) = both.post("/v1/embeddings", &json!({"model": "vectors-o", "input": texts})).await;
    assert_eq!(status, 200);
    let (charged, receipt) = both.charged(&headers).await;
    assert_eq!((charged.as_str(), receipt["rule"].as_str()), ("0.1", Some("reported")));
}

/// A picture is named in a few bytes and is many tokens: the whole context is held for it.
#[tokio::test]
async fn a_picture_to_embed_is_held_for_as_one() {
    let both = Both::start().await;
    // 8,000 tokens at the dearest price of input: in format O that of writing to a cache, which format G does not tell.
    for (path, body, held) in [
        ("/v1/embeddings", json!({"model": "vectors-o", "input": [{"image": "https://x.example/a.png"}]}), "0.01"),
        (
            "/v1beta/models/vectors-g:embedContent",
            json!({"content": {"parts": [{"fileData": {"fileUri": "https://x.example/a.png"}}]}}),
            "0.008",
        ),
    ] {
        let (_, headers, _) = both.post(path, &body).await;
        assert_eq!(amount(&both.charged(&headers).await.1["held_usd"]), held, "{path}");
    }
}

#[tokio::test]
async fn the_model_of_the_engines_path_counts() {
    let both = Both::start().await;
    for (body, sent) in [
        (json!({"input": "a"}), json!({"model": "up", "input": "a"})),
        (json!({"model": "small", "input": [1, 2]}), json!({"model": "up", "input": [1, 2]})),
    ] {
        let (status, _, _) = both.post("/v1/engines/vectors-o/embeddings", &body).await;
        assert_eq!(status, 200);
        let received = both.gateway.upstream.take_received().remove(0);
        assert_eq!(serde_json::from_slice::<Value>(&received.body).expect("JSON"), sent);
    }
}

#[tokio::test]
async fn who_asks_for_packed_ones_gets_them_whatever_the_provider_sends() {
    let both = Both::start().await;
    let mut body = json!({"model": "vectors-o", "input": ["a", "b"], "encoding_format": "base64"});
    let (_, _, answer) = both.post("/v1/embeddings", &body).await;
    assert_eq!(answer, list(&json!("AADAPwAAAMA="), &json!("AACAPgAAQEA=")));
    let packed = list(&json!("AADAPwAAAMA="), &json!("AACAPgAAQEA="));
    both.gateway.upstream.answer(Reply::json(200, &packed));
    assert_eq!(both.post("/v1/embeddings", &body).await.2, packed);
    body["model"] = json!("vectors-g");
    let (_, _, answer) = both.post("/v1/embeddings", &body).await;
    assert_eq!((&answer["data"][0]["embedding"], &answer["data"][1]["index"]), (&json!("AAAAPw=="), &json!(1)));
}

#[tokio::test]
async fn nothing_to_embed_is_a_mistake_and_is_not_sent() {
    let both = Both::start().await;
    for input in [json!(""), json!([]), json!(3), json!(null)] {
        let (status, _, answer) = both.post("/v1/embeddings", &json!({"model": "vectors-o", "input": input})).await;
        assert_eq!((status, &answer["error"]["param"]), (400, &json!("input")), "{answer}");
    }
    let path = "/v1beta/models/vectors-g:batchEmbedContents";
    assert_eq!(both.post(path, &json!({"requests": []})).await.0, 400);
    assert!(both.gateway.upstream.take_received().is_empty() && both.g.take_received().is_empty());
}

#[tokio::test]
async fn format_o_is_carried_to_a_provider_of_format_g() {
    let both = Both::start().await;
    let body = json!({"model": "vectors-g", "input": ["eight by", "tes each"], "dimensions": 1, "user": "u"});
    let (status, headers, answer) = both.post("/v1/embeddings", &body).await;
    // What no provider counted is counted by size: 23 bytes of JSON.
    let usage = json!({"prompt_tokens": 6, "total_tokens": 6});
    assert_eq!(status, 200, "{answer}");
    assert_eq!((&answer["object"], &answer["model"], &answer["usage"]), (&json!("list"), &json!("vectors-g"), &usage));
    assert_eq!(answer["data"][1], json!({"object": "embedding", "index": 1, "embedding": [2.0]}));
    assert_eq!(headers["x-tollgate-dropped"], "user");
    let received = both.g.take_received().remove(0);
    assert_eq!(received.line, "POST /v1/models/up:batchEmbedContents HTTP/1.1");
    let one = |text| json!({"model": "models/up", "content": {"parts": [{"text": text}]}, "outputDimensionality": 1});
    let sent: Value = serde_json::from_slice(&received.body).expect("JSON");
    assert_eq!(sent, json!({"requests": [one("eight by"), one("tes each")]}));
    let (charged, receipt) = both.charged(&headers).await;
    assert_eq!((charged.as_str(), &receipt["rule"]), ("0.000006", &json!("counted")));
}

#[tokio::test]
async fn what_the_other_format_has_no_word_for_is_refused_and_free() {
    let both = Both::start().await;
    for (path, body, field) in [
        ("/v1/embeddings", json!({"model": "vectors-g", "input": [[1, 2]]}), "input"),
        ("/v1/embeddings", json!({"model": "talker", "input": "a"}), "model"),
    ] {
        let (status, headers, answer) = both.post(path, &body).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!("not_convertible")), "{answer}");
        assert!(answer["error"]["message"].as_str().expect("text").contains(&format!("'{field}'")), "{answer}");
        assert_eq!(both.charged(&headers).await.1["rule"], "not_sent");
    }
    both.gateway.assert_books().await;
}

#[tokio::test]
async fn format_g_goes_through_and_is_carried() {
    let both = Both::start().await;
    let content = |text| json!({"model": "models/x", "content": {"parts": [{"text": text}]}, "taskType": "T"});
    let several = json!({"requests": [content("a"), content("b")]});
    let (status, _, answer) = both.post("/v1beta/models/vectors-g:batchEmbedContents", &several).await;
    assert_eq!((status, &answer["embeddings"][1]["values"]), (200, &json!([2.0])));
    let sent: Value = serde_json::from_slice(&both.g.take_received().remove(0).body).expect("JSON");
    assert_eq!((&sent["requests"][0]["model"], &sent["requests"][1]["taskType"]), (&json!("models/up"), &json!("T")));

    let (status, headers, answer) = both.post("/v1/models/vectors-o:batchEmbedContents", &several).await;
    assert_eq!((status, &answer), (200, &json!({"embeddings": [{"values": [1.5, -2]}, {"values": [0.25, 3]}]})));
    assert_eq!(headers["x-tollgate-dropped"], "taskType");
    let sent: Value = serde_json::from_slice(&both.gateway.upstream.take_received().remove(0).body).expect("JSON");
    assert_eq!(sent, json!({"model": "up", "input": ["a", "b"]}));
    assert_eq!(both.charged(&headers).await.0, "0.000007");
}

#[tokio::test]
async fn a_single_content_gets_a_single_embedding() {
    let both = Both::start().await;
    let one = json!({"content": {"parts": [{"text": "a"}]}});
    both.g.answer(Reply::json(200, &json!({"embedding": {"values": [9]}, "usageMetadata": {"promptTokenCount": 2}})));
    let (_, headers, answer) = both.post("/v1beta/models/vectors-g:embedContent", &one).await;
    assert_eq!(answer["embedding"]["values"], json!([9]));
    assert_eq!(both.g.take_received().remove(0).line, "POST /v1/models/up:embedContent HTTP/1.1");
    assert_eq!(both.charged(&headers).await.0, "0.000002");
    let mut single = list(&json!([4]), &json!([5]));
    single["data"].as_array_mut().expect("a list").truncate(1);
    both.gateway.upstream.answer(Reply::json(200, &single));
    let (status, _, answer) = both.post("/v1beta/models/vectors-o:embedContent", &one).await;
    assert_eq!((status, answer), (200, json!({"embedding": {"values": [4]}})));
}

#[tokio::test]
async fn a_provider_that_refuses_fails_or_sends_too_few_costs_nothing() {
    let both = Both::start().await;
    let body = json!({"model": "vectors-o", "input": "a"});
    let refusal = json!({"error": {"message": "too long", "type": "x", "param": "input", "code": null}});
    for (reply, status) in [
        (Reply::json(400, &refusal), 400),
        (Reply::json(429, &json!({})), 429),
        (Reply::json(404, &json!({})), 404),
        (Reply::json(200, &json!({"object": "list", "data": []})), 502),
        (Reply::hang_up(), 502),
    ] {
        both.gateway.upstream.answer(reply);
        let (found, headers, answer) = both.post("/v1/embeddings", &body).await;
        assert_eq!(found, status, "{answer}");
        assert_eq!(both.charged(&headers).await.0, "0");
        if status == 400 {
            assert_eq!(answer, refusal);
        }
    }
    both.g.answer(Reply::json(200, &json!({"embeddings": [{"values": [1]}]})));
    let (found, _, _) = both.post("/v1/embeddings", &json!({"model": "vectors-g", "input": ["a", "b"]})).await;
    assert_eq!(found, 502);
    both.gateway.assert_books().await;
}

#[tokio::test]
async fn nothing_is_sent_for_who_cannot_pay_or_names_no_model() {
    let config = String::new();
    let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
    for (model, status) in [("small", 402), ("nobody", 404)] {
        let request = client().post(gateway.url("/v1/embeddings")).bearer_auth(&gateway.key);
        let reply = request.json(&json!({"model": model, "input": "a"})).send().await.expect("an answer");
        assert_eq!(reply.status(), status);
    }
    assert!(gateway.upstream.take_received().is_empty());
}
