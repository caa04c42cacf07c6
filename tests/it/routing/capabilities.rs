//! What models can do decides what their providers are sent: a strict provider refuses the rest.

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, client, exact};
use tollgate_tests::upstream::Received;
use tollgate_tests::{TestGateway, strict_provider};

/// A model of each way to think behind a provider of each format, and one of which nothing is known.
fn config() -> String {
    let upstream = |format: &str| {
        format!(
            "[upstreams.by-{format}]\nbase_url = \"{{upstream}}\"\nformat = \"{format}\"\napi_key_env = \"FAKE_UPSTREAM_KEY\"\n"
        )
    };
    let model = |name: &str, format: &str, theirs: &str, more: &str| {
        format!(
            "[models.{name}]\ncontext_tokens = 100000\nmax_output_tokens = 20000\nprice = {{ prompt = \"1\", completion = \"2\" }}\n\
            candidates = [{{ upstream = \"by-{format}\", model = \"{theirs}\" }}]\n{more}\n"
        )
    };
    let adaptive = "capabilities = { thinking = \"adaptive\", sampling = false }";
    [
        ["chat", "messages", "generate", "responses"].map(upstream).concat(),
        model("newer-a", "messages", "a-newer", adaptive),
        model("older-a", "messages", "a-older", "capabilities.thinking = \"budget\""),
        model("unknown-a", "messages", "a-newer", ""),
        model("plain-a", "messages", "a-newer", "capabilities = { thinking = \"none\", sampling = false }"),
        model("newer-o", "chat", "o", adaptive),
        model("plain-o", "chat", "o", "capabilities.thinking = \"none\""),
        model("unknown-o", "chat", "o", ""),
        model("newer-g", "generate", "g", adaptive),
        model("older-g", "generate", "g", "capabilities.thinking = \"budget\""),
        model("newer-r", "responses", "r", adaptive),
    ]
    .concat()
}

async fn gateway() -> TestGateway {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(strict_provider::answer);
    gateway
}

/// A request of each client's format that asks for thinking in its own way, and for sampling.
fn ask(gateway: &TestGateway, format: char, model: &str, settings: &Value) -> RequestBuilder {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let (path, mut body) = match format {
        'O' => ("/v1/chat/completions".to_owned(), json!({"model": model, "messages": turn})),
        'R' => ("/v1/responses".to_owned(), json!({"model": model, "input": "Hello"})),
        'A' => ("/v1/messages".to_owned(), json!({"model": model, "messages": turn, "max_tokens": 9000})),
        _ => (format!("/v1beta/models/{model}:generateContent"), json!({"contents": [{"parts": [{"text": "Hello"}]}]})),
    };
    body.as_object_mut().expect("an object").extend(settings.as_object().expect("an object").clone());
    let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key).json(&body);
    if format == 'A' { request.header("anthropic-version", "2023-06-01") } else { request }
}

fn dropped(reply: &Response) -> String {
    reply.headers().get("x-tollgate-dropped").map_or("", |value| value.to_str().expect("text")).to_owned()
}

fn body_of(received: &Received) -> Value {
    exact(std::str::from_utf8(&received.body).expect("text"))
}

/// What the provider was sent, whose answer was good, and what the client was told that it was not.
async fn sent(gateway: &TestGateway, format: char, model: &str, settings: &Value) -> (Value, String) {
    drop(gateway.upstream.take_received());
    let reply = ask(gateway, format, model, settings).send().await.expect("an answer");
    let (status, told) = (reply.status(), dropped(&reply));
    let text = reply.text().await.expect("a body");
    assert_eq!(status, 200, "{format} {model} {settings}: {text}");
    let received = gateway.upstream.take_received();
    let [only] = &received[..] else { panic!("one request was sent: {received:?}") };
    (body_of(only), told)
}

#[tokio::test]
async fn models_of_format_a_think_in_their_own_way_whoever_asks() {
    let gateway = gateway().await;
    let level = json!({"thinkingConfig": {"thinkingLevel": "HIGH"}, "temperature": 1, "topP": 0.95, "topK": 64});
    let budget = json!({"thinkingConfig": {"thinkingBudget": 9000}});
    for (format, settings, effort, tokens, told) in [
        ('O', json!({"reasoning_effort": "xhigh", "temperature": 0.5}), "xhigh", 10_000, "temperature"),
        ('R', json!({"reasoning": {"effort": "low"}, "top_p": 0.5}), "low", 2048, "top_p"),
        ('G', json!({"generationConfig": level}), "high", 10_000, "generationConfig.topP, generationConfig.topK"),
        ('G', json!({"generationConfig": budget}), "medium", 9000, ""),
    ] {
        let (newer, left) = sent(&gateway, format, "newer-a", &settings).await;
        assert_eq!(newer["thinking"]["type"], "adaptive", "{format}: {newer}");
        assert_eq!((&newer["output_config"], left.as_str()), (&json!({"effort": effort}), told), "{format}: {newer}");
        for name in ["temperature", "top_p", "top_k"] {
            assert_eq!(newer[name], Value::Null, "{format}: {newer}");
        }
        let (older, _) = sent(&gateway, format, "older-a", &settings).await;
        assert_eq!(older["thinking"]["budget_tokens"], tokens, "{format}: {older}");
        assert_eq!(
            (&older["thinking"]["type"], &older["output_config"]),
            (&json!("enabled"), &Value::Null),
            "{format}"
        );
        let (plain, left) = sent(&gateway, format, "plain-a", &settings).await;
        assert_eq!((&plain["thinking"], &plain["output_config"]), (&Value::Null, &Value::Null), "{format}: {plain}");
        assert!(left.contains("reasoning") || left.contains("thinkingConfig"), "{format}: {left}");
        // Of a model of which nothing is known it is guessed, and the provider may refuse.
        let guessed = ask(&gateway, format, "unknown-a", &settings).send().await.expect("an answer");
        assert_eq!(guessed.status(), 400, "{format}");
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_client_of_the_format_says_itself_how_to_think() {
    let gateway = gateway().await;
    let effort = json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}});
    assert_eq!(sent(&gateway, 'A', "newer-a", &effort).await.0["output_config"], effort["output_config"]);
    let budget = json!({"thinking": {"type": "enabled", "budget_tokens": 2000}, "temperature": 1});
    let (body, told) = sent(&gateway, 'A', "older-a", &budget).await;
    assert_eq!((&body["thinking"], &body["temperature"], told.as_str()), (&budget["thinking"], &json!(1), ""));
    let refused = ask(&gateway, 'A', "newer-a", &budget).send().await.expect("an answer");
    assert_eq!(refused.status(), 400, "what it got wrong itself its provider tells it");
}

#[tokio::test]
async fn effort_stays_effort_and_a_budget_a_budget_on_the_way_from_format_a() {
    let gateway = gateway().await;
    let effort = json!({"thinking": {"type": "adaptive"}, "output_config": {"effort": "medium"}, "top_k": 3});
    let budget = json!({"thinking": {"type": "enabled", "budget_tokens": 2000}});
    let (body, told) = sent(&gateway, 'A', "newer-o", &effort).await;
    assert_eq!((&body["reasoning_effort"], told.as_str()), (&json!("medium"), "top_k"));
    assert_eq!(sent(&gateway, 'A', "newer-o", &budget).await.0["reasoning_effort"], "low");
    let (body, told) = sent(&gateway, 'A', "plain-o", &budget).await;
    assert_eq!((&body["reasoning_effort"], told.as_str()), (&Value::Null, "thinking"));
    assert_eq!(sent(&gateway, 'A', "newer-r", &effort).await.0["reasoning"]["effort"], "medium");
    let thinking = |body: &Value| body["generationConfig"]["thinkingConfig"].clone();
    for (model, settings, member, value) in [
        ("newer-g", &effort, "thinkingLevel", json!("MEDIUM")),
        ("newer-g", &budget, "thinkingBudget", json!(2000)),
        ("older-g", &effort, "thinkingBudget", json!(4500)),
        ("older-g", &budget, "thinkingBudget", json!(2000)),
    ] {
        let config = thinking(&sent(&gateway, 'A', model, settings).await.0);
        let others = ["thinkingLevel", "thinkingBudget"].iter().filter(|other| **other != member);
        assert_eq!(config[member], value, "{model} {settings}");
        assert!(others.into_iter().all(|other| config[other].is_null()), "{model}: {config}");
    }
    let off = json!({"thinking": {"type": "disabled"}});
    let (body, told) = sent(&gateway, 'A', "newer-g", &off).await;
    assert_eq!((&thinking(&body)["thinkingLevel"], told.as_str()), (&json!("LOW"), "thinking"));
}

#[tokio::test]
async fn the_older_name_of_a_bound_becomes_the_newer_one_where_a_model_thinks() {
    let gateway = gateway().await;
    for (model, settings, status) in [
        ("newer-o", r#""max_tokens" : 50"#, 200),
        ("newer-o", r#""max_completion_tokens":50"#, 200),
        ("unknown-o", r#""max_tokens":50"#, 400),
        ("plain-o", r#""max_tokens":50"#, 400),
    ] {
        drop(gateway.upstream.take_received());
        let body = format!(r#"{{"model":"{model}","messages":[{{"role":"user","content":"Hi"}}], {settings}}}"#);
        let reply = gateway.chat(body).send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{model} {settings}: {:?}", reply.text().await);
        let received = gateway.upstream.take_received();
        let sent = std::str::from_utf8(&received[0].body).expect("text");
        let expected = if status == 200 {
            settings.replace("\"max_tokens\"", "\"max_completion_tokens\"")
        } else {
            settings.into()
        };
        assert!(sent.ends_with(&format!(", {expected}}}")), "{sent}");
    }
    gateway.assert_books().await;
}
