//! What answers tell of the model and of its usage, over clients and providers of each format: the client's name of the model,
//! whatever the provider calls it, and the usage that is charged, also where we had to count it.

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::formats::{answer, config};
use tollgate_tests::gateway::{Options, client};
use tollgate_tests::reply::{Reply, Step};
use tollgate_tests::upstream::Received;

const FORMATS: [&str; 4] = ["chat", "responses", "messages", "generate"];

fn ask(gateway: &TestGateway, format: &str, model: &str, stream: bool) -> RequestBuilder {
    let turn = json!([{"role": "user", "content": "Hello"}]);
    let (path, body) = match format {
        "chat" => {
            let mut body = json!({"model": model, "messages": turn, "stream": stream});
            if stream {
                body["stream_options"] = json!({"include_usage": true});
            }
            ("/v1/chat/completions".to_owned(), body)
        }
        "responses" => {
            ("/v1/responses".to_owned(), json!({"model": model, "input": turn, "stream": stream, "store": false}))
        }
        "messages" => {
            ("/v1/messages".to_owned(), json!({"model": model, "messages": turn, "stream": stream, "max_tokens": 100}))
        }
        _ => {
            let action = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            (
                format!("/v1beta/models/{model}:{action}"),
                json!({"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}),
            )
        }
    };
    let request = client().post(gateway.url(&path)).header("anthropic-version", "2023-06-01");
    request.bearer_auth(&gateway.key).json(&body)
}

/// A whole answer, or the events of a stream.
fn values(body: &str, stream: bool) -> Vec<Value> {
    if !stream {
        return vec![serde_json::from_str(body).expect("JSON")];
    }
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok()).collect()
}

/// The names of the model in an answer, at each place where its format has one.
fn names(values: &[Value]) -> Vec<&str> {
    let places = ["/model", "/message/model", "/response/model", "/modelVersion"];
    values.iter().flat_map(|value| places.iter().filter_map(|place| value.pointer(place)?.as_str())).collect()
}

/// Prompt and output, as the last telling of an answer says it.
fn usage(format: &str, values: &[Value]) -> (u64, u64) {
    let last = |place: &str| values.iter().filter_map(|value| value.pointer(place)).rfind(|usage| usage.is_object());
    let of = |usage: &Value, name: &str| usage[name].as_u64().unwrap_or_else(|| panic!("{format}: {usage}"));
    let (usage, prompt, output) = match format {
        "chat" => (last("/usage"), "prompt_tokens", "completion_tokens"),
        "responses" => (last("/response/usage").or_else(|| last("/usage")), "input_tokens", "output_tokens"),
        "messages" => (last("/usage"), "input_tokens", "output_tokens"),
        _ => (last("/usageMetadata"), "promptTokenCount", "candidatesTokenCount"),
    };
    let usage = usage.unwrap_or_else(|| panic!("{format}: no usage in {values:?}"));
    (of(usage, prompt), of(usage, output))
}

fn edited(request: &Received, edit: impl Fn(&mut Value)) -> Reply {
    let mut reply = answer(request);
    for step in &mut reply.steps {
        let Step::Send(bytes) = step else { continue };
        let text = String::from_utf8(bytes.clone()).expect("text");
        let lines = text.split('\n').map(|line| {
            let (before, json) = line.split_at(if line.starts_with("data: ") { 6 } else { 0 });
            let Ok(mut value) = serde_json::from_str::<Value>(json) else { return line.to_owned() };
            edit(&mut value);
            format!("{before}{value}")
        });
        *bytes = lines.collect::<Vec<_>>().join("\n").into_bytes();
    }
    reply
}

/// Takes all figures out of an answer.
fn without_usage(value: &mut Value) {
    for place in ["", "/message", "/response"] {
        if let Some(members) = value.pointer_mut(place).and_then(Value::as_object_mut) {
            members.remove("usage");
            members.remove("usageMetadata");
        }
    }
}

#[tokio::test]
async fn usage_that_was_counted_is_told_as_the_receipt_has_it() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(|request| edited(request, without_usage));
    for format in FORMATS {
        for provider in FORMATS {
            for stream in [false, true] {
                let reply = ask(&gateway, format, &format!("via-{provider}"), stream).send().await.expect("an answer");
                assert_eq!(reply.status(), 200, "{format} over {provider}");
                let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
                let body = reply.text().await.expect("a body");
                let receipt = gateway.receipt(&request_id).await;
                assert_eq!(receipt["rule"], "counted", "{receipt}");
                let charged =
                    (receipt["usage"]["prompt_tokens"].as_u64(), receipt["usage"]["completion_tokens"].as_u64());
                let (prompt, output) = usage(format, &values(&body, stream));
                assert_eq!((Some(prompt), Some(output)), charged, "{format} over {provider}, {stream}: {body}");
                assert!(prompt > 0 && output > 0, "{body}");
            }
        }
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn the_client_is_told_its_own_name_of_the_model() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(answer);
    let bells = AlarmLog::of_this_test();
    for format in FORMATS {
        for provider in FORMATS {
            for stream in [false, true] {
                let model = format!("via-{provider}");
                let reply = ask(&gateway, format, &model, stream).send().await.expect("an answer");
                assert_eq!(reply.status(), 200, "{format} over {provider}");
                let body = reply.text().await.expect("a body");
                let values = values(&body, stream);
                let names = names(&values);
                assert!(
                    !names.is_empty() && names.iter().all(|name| *name == model),
                    "{format} over {provider}: {body}"
                );
                assert!(!body.contains("upstream-model"), "{format} over {provider}: {body}");
            }
        }
    }
    assert_eq!(bells.rung(), Vec::<Value>::new());
}

#[tokio::test]
async fn nothing_but_the_name_is_changed_within_a_format() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    gateway.upstream.on(answer);
    for format in FORMATS {
        for stream in [false, true] {
            let model = format!("via-{format}");
            let reply = ask(&gateway, format, &model, stream).send().await.expect("an answer");
            let told = reply.text().await.expect("a body");
            let request = gateway.upstream.take_received().remove(0);
            let sent = answer(&request).steps.into_iter().filter_map(|step| match step {
                Step::Send(bytes) => Some(bytes),
                Step::Wait(_) | Step::Cut => None,
            });
            let sent = String::from_utf8(sent.flatten().collect()).expect("text");
            assert_eq!(told, sent.replace("upstream-model", &model), "{format} {stream}");
        }
    }
}

#[tokio::test]
async fn another_model_that_answers_rings() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    let bells = AlarmLog::of_this_test();
    let named = |name: &'static str| {
        move |request: &Received| {
            edited(request, |value| {
                for place in ["/model", "/message/model", "/response/model", "/modelVersion"] {
                    if let Some(model) = value.pointer_mut(place) {
                        *model = json!(name);
                    }
                }
            })
        }
    };
    let mut rung = 0;
    for (name, rings) in
        [("upstream-model-2026-01-01", false), ("models/upstream-model", false), ("upstream-large", true)]
    {
        gateway.upstream.on(named(name));
        for (format, provider) in FORMATS.iter().flat_map(|format| FORMATS.map(|provider| (format, provider))) {
            for stream in [false, true] {
                let reply = ask(&gateway, format, &format!("via-{provider}"), stream).send().await.expect("an answer");
                let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
                reply.text().await.expect("a body");
                gateway.receipt(&request_id).await;
                rung += usize::from(rings);
                let alarms = bells.rung();
                assert_eq!(alarms.len(), rung, "{format} over {provider}, {stream}: {alarms:?}");
                if let Some(alarm) = alarms.last() {
                    let told = [&alarm["alarm"], &alarm["model"], &alarm["answered"], &alarm["request_id"]];
                    assert_eq!(told, ["usage", "upstream-model", name, request_id.as_str()]);
                }
            }
        }
    }
}
