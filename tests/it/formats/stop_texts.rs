//! Stop texts over a provider of format R, which knows none: the gateway cuts, and the provider's own usage is charged.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::config;
use tollgate_tests::gateway::{Options, amount, client};
use tollgate_tests::strict_provider;

#[derive(Debug, Clone, Copy)]
enum Client {
    O,
    A,
    G,
}

impl Client {
    fn ask(self, gateway: &TestGateway, words: &str, stop: &Value, stream: bool) -> RequestBuilder {
        let turn = json!([{"role": "user", "content": words}]);
        let (path, body) = match self {
            Self::O => {
                let body = json!({"model": "via-responses", "messages": turn, "stop": stop, "stream": stream});
                ("/v1/chat/completions".to_owned(), body)
            }
            Self::A => {
                let body = json!({"model": "via-responses", "messages": turn, "stop_sequences": stop, "stream": stream,
                    "max_tokens": 100});
                ("/v1/messages".to_owned(), body)
            }
            Self::G => {
                let action = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
                let body = json!({"contents": [{"role": "user", "parts": [{"text": words}]}],
                    "generationConfig": {"stopSequences": stop}});
                (format!("/v1beta/models/via-responses:{action}"), body)
            }
        };
        let request = client().post(gateway.url(&path)).header("anthropic-version", "2023-06-01");
        request.bearer_auth(&gateway.key).json(&body)
    }

    /// The text of a whole answer or of an event, and why the answer ended.
    fn read(self, value: &Value) -> (String, Value) {
        let told = |text: &Value, stop: Value| (text.as_str().unwrap_or_default().to_owned(), stop);
        match self {
            Self::O => {
                let choice = &value["choices"][0];
                let text = if choice["delta"].is_null() { &choice["message"] } else { &choice["delta"] };
                told(&text["content"], choice["finish_reason"].clone())
            }
            Self::A => {
                let end = if value["type"] == "message" { value } else { &value["delta"] };
                let text =
                    if value["type"] == "message" { &value["content"][0]["text"] } else { &value["delta"]["text"] };
                let stop = json!([end["stop_reason"], end["stop_sequence"]]);
                told(text, if end["stop_reason"].is_null() { Value::Null } else { stop })
            }
            Self::G => {
                let candidate = &value["candidates"][0];
                told(&candidate["content"]["parts"][0]["text"], candidate["finishReason"].clone())
            }
        }
    }

    fn stopped_at(self, stop: &str) -> Value {
        match self {
            Self::O => json!("stop"),
            Self::A => json!(["stop_sequence", stop]),
            Self::G => json!("STOP"),
        }
    }
}

#[tokio::test]
async fn an_answer_is_cut_at_the_first_stop_text() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(strict_provider::answer);
    for client in [Client::O, Client::A, Client::G] {
        for (words, stop, said, met) in [
            ("one END two", json!(["END"]), "You said: one ", Some("END")),
            ("one END two", json!(["two", "said: one END tw"]), "You ", Some("said: one END tw")),
            ("one END two", json!(["a", "b", "c", "d", "two"]), "You s", Some("a")),
            ("one END two", json!(["nowhere"]), "You said: one END two", None),
        ] {
            for stream in [false, true] {
                let reply = client.ask(&gateway, words, &stop, stream).send().await.expect("an answer");
                let status = reply.status();
                let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
                let body = reply.text().await.expect("a body");
                assert_eq!(status, 200, "{client:?} {stop} {stream}: {body}");
                let values: Vec<Value> = if stream {
                    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
                    data.filter_map(|data| serde_json::from_str(data).ok()).collect()
                } else {
                    vec![serde_json::from_str(&body).expect("JSON")]
                };
                let read: Vec<(String, Value)> = values.iter().map(|value| client.read(value)).collect();
                let text: String = read.iter().map(|(text, _)| text.as_str()).collect();
                let ends: Vec<&Value> = read.iter().map(|(_, end)| end).filter(|end| !end.is_null()).collect();
                assert_eq!(text, said, "{client:?} {stop} {stream}: {body}");
                if let Some(met) = met {
                    assert_eq!(ends, [&client.stopped_at(met)], "{client:?} {stop} {stream}: {body}");
                }
                // 15 x 0.15, 5 x 0.075 and 7 x 0.6 USD per million tokens: what the provider reports of all that it said.
                let receipt = gateway.receipt(&request_id).await;
                assert_eq!(
                    (&receipt["rule"], amount(&receipt["charged_usd"]).as_str()),
                    (&json!("reported"), "0.000006825")
                );
            }
        }
        // Each byte of an answer is compared with each of them.
        let many: Vec<String> = (0..17).map(|at| format!("stop {at}")).collect();
        for stop in [json!(many), json!(["x".repeat(1025)])] {
            let reply = client.ask(&gateway, "one", &stop, false).send().await.expect("an answer");
            let status = reply.status();
            let body = reply.text().await.expect("a body");
            assert!(status == 400 && body.contains("stop"), "{client:?}: {status} {body}");
        }
    }
    gateway.assert_books().await;
}
