//! The strict provider is strict: what real providers refuse it refuses, or the cases over it would prove nothing.

use serde_json::{Value, json};
use tollgate_tests::gateway::UPSTREAM_KEY;
use tollgate_tests::reply::Step;
use tollgate_tests::strict_provider::{answer, pictures};
use tollgate_tests::upstream::Received;

/// The status and the body of the answer to one request.
fn ask(path: &str, key: &str, body: &Value) -> (u16, String) {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let request = Received {
        line: format!("POST {path} HTTP/1.1"),
        headers: vec![
            header("authorization", &format!("Bearer {key}")),
            header("x-api-key", key),
            header("x-goog-api-key", key),
            header("anthropic-version", "2023-06-01"),
        ],
        body: body.to_string().into_bytes(),
    };
    let reply = answer(&request);
    let sent = reply.steps.into_iter().filter_map(|step| match step {
        Step::Send(bytes) => Some(String::from_utf8(bytes).expect("text")),
        Step::Wait(_) | Step::Cut => None,
    });
    (reply.status, sent.collect())
}

/// A good request with one member changed; null takes it away.
fn changed(good: &Value, name: &str, value: Value) -> Value {
    let mut body = good.clone();
    let members = body.as_object_mut().expect("a body");
    match value {
        Value::Null => members.remove(name),
        value => members.insert(name.to_owned(), value),
    };
    body
}

fn check(path: &str, good: &Value, refused: &[(&str, Value, &str)]) {
    assert_eq!(ask(path, UPSTREAM_KEY, good).0, 200, "{path}: {good}");
    assert_eq!(ask(path, "another", good).0, 401, "{path}");
    for (name, value, words) in refused {
        let (status, told) = ask(path, UPSTREAM_KEY, &changed(good, name, value.clone()));
        assert!(status == 400 && told.contains(words), "{path}: {name} = {value} was answered with {status}: {told}");
    }
}

#[test]
fn format_o() {
    let user = json!({"role": "user", "content": "a"});
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let assistant = json!({"role": "assistant", "tool_calls": [call]});
    let picture = |url: &str| json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]);
    let good = json!({"model": "m", "messages": [user]});
    check(
        "/v1/chat/completions",
        &good,
        &[
            ("top_k", json!(3), "Unrecognized request argument supplied: top_k"),
            ("max_tokens", json!(3), "Use 'max_completion_tokens' instead"),
            ("stream_options", json!({"include_usage": true}), "only allowed when 'stream'"),
            ("tool_choice", json!("auto"), "only allowed when 'tools'"),
            ("stop", json!(["a", "b", "c", "d", "e"]), "array too long"),
            ("messages", json!([]), "expected a non-empty array"),
            ("messages", json!([user, assistant, user]), "without a tool result"),
            ("messages", json!([user, {"role": "tool", "tool_call_id": "c", "content": "r"}]), "no tool call found"),
            ("messages", json!([user, {"role": "assistant", "content": null}, user]), "got null"),
            ("messages", picture("data:image/png;base64,a-_b"), "invalid base64"),
            ("messages", picture("data:image/tiff;base64,aaaa"), "unsupported media type"),
        ],
    );
}

#[test]
fn format_a() {
    let user = |content: Value| json!({"role": "user", "content": content});
    let assistant = |content: Value| json!({"role": "assistant", "content": content});
    let call = json!({"type": "tool_use", "id": "c", "name": "f", "input": {}});
    let result = json!({"type": "tool_result", "tool_use_id": "c", "content": "r"});
    let thinking = json!({"type": "thinking", "thinking": "t", "signature": "another's"});
    let bound = |schema: Value| json!({"format": {"type": "json_schema", "schema": schema}});
    let good = json!({"model": "m", "max_tokens": 9, "messages": [user(json!("a"))]});
    check(
        "/v1/messages",
        &good,
        &[
            ("seed", json!(3), "seed: Extra inputs are not permitted"),
            ("max_tokens", Value::Null, "max_tokens: Field required"),
            ("tool_choice", json!({"type": "auto"}), "only be specified while providing tools"),
            ("temperature", json!(1.5), "range: 0..1"),
            ("output_config", json!({"odd": 1}), "odd: Extra inputs are not permitted"),
            ("thinking", json!({"type": "enabled", "budget_tokens": 10}), "greater than or equal to 1024"),
            ("thinking", json!({"type": "enabled", "budget_tokens": 2000}), "`max_tokens` must be greater"),
            ("tools", json!([{"name": "f", "input_schema": {}}]), "must be of type"),
            (
                "output_config",
                bound(json!({"type": "object"})),
                "'additionalProperties' must be explicitly set to false",
            ),
            ("output_config", bound(json!({"type": "integer", "minimum": 1})), "property 'minimum' is not supported"),
            (
                "output_config",
                bound(json!({"type": "array", "items": {"type": "string"}, "minItems": 2})),
                "'minItems'",
            ),
            ("output_config", bound(json!({"type": "string", "format": "iban"})), "property 'format' is not supported"),
            ("output_config", bound(json!({})), "must have a 'type'"),
            (
                "output_config",
                bound(json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "array", "items":
                {"$ref": "#/$defs/A"}}}})),
                "recursive",
            ),
            (
                "tools",
                json!([{"name": "f", "strict": true, "input_schema": {"type": "object"}}]),
                "additionalProperties",
            ),
            ("messages", json!([assistant(json!("a"))]), "first message must use"),
            ("messages", json!([user(json!([{"type": "text", "text": ""}]))]), "must be non-empty"),
            (
                "messages",
                json!([user(json!("a")), assistant(json!([call])), user(json!("b"))]),
                "without a tool result",
            ),
            ("messages", json!([user(json!([result]))]), "no tool call found"),
            (
                "messages",
                json!([user(json!("a")), assistant(json!([thinking])), user(json!("b"))]),
                "Invalid `signature`",
            ),
        ],
    );
}

/// What models of two generations refuse, each what the other takes.
#[test]
fn generations_of_format_a() {
    let of = |model: &str| json!({"model": model, "max_tokens": 4000, "messages": [{"role": "user", "content": "a"}]});
    let (effort, adaptive) = (json!({"effort": "xhigh"}), json!({"type": "adaptive"}));
    let budget = json!({"type": "enabled", "budget_tokens": 2000});
    let newer = [
        ("thinking", budget.clone(), "is not supported for this model"),
        ("temperature", json!(0.5), "`temperature` is deprecated"),
        ("top_p", json!(0.95), "`top_p` is deprecated"),
        ("top_k", json!(40), "`top_k` is deprecated"),
        ("output_config", json!({"effort": "minimal"}), "output_config.effort"),
    ];
    check(
        "/v1/messages",
        &changed(&changed(&of("a-newer"), "thinking", adaptive.clone()), "output_config", effort.clone()),
        &newer,
    );
    let older = [
        ("thinking", adaptive, "adaptive thinking is not supported"),
        ("output_config", effort, "does not support the effort parameter"),
    ];
    check("/v1/messages", &changed(&of("a-older"), "thinking", budget), &older);
}

#[test]
fn format_g() {
    let user = |parts: Value| json!({"role": "user", "parts": parts});
    let model = |parts: Value| json!({"role": "model", "parts": parts});
    let text = json!([{"text": "a"}]);
    let call = json!({"functionCall": {"name": "f", "args": {}}});
    let skipped =
        json!({"functionCall": {"name": "f", "args": {}}, "thought_signature": "skip_thought_signature_validator"});
    let result = |response: Value| json!({"functionResponse": {"name": "f", "response": response}});
    let declared = |schema: Value| json!([{"functionDeclarations": [{"name": "f", "parameters": schema}]}]);
    let good = json!({"contents": [user(text.clone())]});
    check(
        "/v1/models/m:generateContent",
        &good,
        &[
            ("max_tokens", json!(3), "Unknown name \\\"maxTokens\\\""),
            ("generation_config", json!({"max_tokens": 3}), "Unknown name \\\"maxTokens\\\""),
            ("generation_config", json!({"response_json_schema": {}}), "only supported with the response mime type"),
            ("contents", json!([user(json!([]))]), "must not be empty"),
            ("contents", json!([{"role": "assistant", "parts": text}]), "valid role: user, model"),
            (
                "contents",
                json!([user(text.clone()), model(json!([call])), user(json!([result(json!({}))]))]),
                "missing a thought_signature",
            ),
            (
                "contents",
                json!([user(text.clone()), model(json!([skipped])), user(text.clone())]),
                "number of function response parts",
            ),
            (
                "contents",
                json!([user(text.clone()), model(json!([skipped])), user(json!([result(json!("r"))]))]),
                "expected an object",
            ),
            ("tools", declared(json!({"type": "object", "$schema": "s"})), "Unknown name \\\"$schema\\\""),
            ("tool_config", json!({"function_calling_config": {"mode": "ANY"}}), "without function_declarations"),
        ],
    );
}

#[test]
fn format_r() {
    let user = json!({"role": "user", "content": "a"});
    let call = json!({"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"});
    let output = json!({"type": "function_call_output", "call_id": "c", "output": "r"});
    let sealed = |seal: &str| json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": seal});
    // The provider's own seal under nothing.
    let (thought, foreign) = (sealed("jcU="), sealed("another's"));
    let named = json!({"type": "message", "id": "chatcmpl-1", "role": "assistant", "content": "b"});
    let open = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let good = json!({"model": "m", "input": [user]});
    check(
        "/v1/responses",
        &good,
        &[
            ("messages", json!([user]), "Unknown parameter: 'messages'"),
            ("max_output_tokens", json!(3), "Expected a value >= 16"),
            ("input", Value::Null, "expected a non-empty array"),
            ("input", json!([user, call]), "without a tool result"),
            ("input", json!([user, output]), "no tool call found"),
            ("input", json!([user, thought, user]), "without its required following item"),
            ("input", json!([user, foreign, call, output]), "Invalid `signature`"),
            ("input", json!([user, named, user]), "begins with 'msg'"),
            ("input", json!([{"role": "user", "content": [{"type": "text", "text": "a"}]}]), "Invalid value: 'text'"),
            (
                "tools",
                json!([{"type": "function", "name": "f", "parameters": open}]),
                "'additionalProperties' is required",
            ),
            ("include", json!(["everything"]), "Invalid value: 'everything'"),
        ],
    );
}

/// Responses are kept by the id that the provider gives: two under one id would take each other's place.
#[test]
fn each_response_of_format_r_has_an_id_of_its_own() {
    let whole = json!({"model": "m", "input": "a"});
    let read = |told: &str| serde_json::from_str::<Value>(told).expect("JSON");
    let ids = [(); 2].map(|()| read(&ask("/v1/responses", UPSTREAM_KEY, &whole).1)["id"].clone());
    assert_ne!(ids[0], ids[1]);
    let (_, events) = ask("/v1/responses", UPSTREAM_KEY, &changed(&whole, "stream", json!(true)));
    let data = events.lines().filter_map(|line| line.strip_prefix("data: "));
    let within: Vec<Value> = data.map(|told| read(told)["response"]["id"].clone()).filter(|id| !id.is_null()).collect();
    assert_eq!(within.len(), 3, "it is told when the response begins, goes on and ends: {events}");
    assert!(within.iter().all(|id| *id == within[0] && !ids.contains(id)), "{within:?}");
}

#[test]
fn beside_turns() {
    check(
        "/v1/embeddings",
        &json!({"model": "m", "input": ["a"]}),
        &[
            ("input", json!([]), "non-empty"),
            ("input", json!([""]), "non-empty"),
            ("model", Value::Null, "model"),
            ("encoding_format", json!("hex"), "encoding_format"),
            ("dimensions", json!(4), "dimensions"),
            ("taskType", json!("x"), "Unrecognized"),
        ],
    );
    check(
        "/v1/moderations",
        &json!({"model": "m", "input": "a"}),
        &[("input", Value::Null, "input"), ("n", json!(1), "n")],
    );
    check(
        "/v1/completions",
        &json!({"model": "m", "prompt": "a"}),
        &[("prompt", json!(""), "prompt"), ("max_completion_tokens", json!(9), "Unrecognized")],
    );
    check(
        "/v1/responses/input_tokens",
        &json!({"model": "m", "input": "a"}),
        &[("input", Value::Null, "input"), ("store", json!(false), "Unrecognized")],
    );
    check(
        "/v1/messages/count_tokens",
        &json!({"model": "m", "messages": [{"role": "user", "content": "a"}]}),
        &[("max_tokens", json!(9), "Extra inputs"), ("messages", json!([]), "messages")],
    );
    let content = json!({"parts": [{"text": "a"}]});
    check(
        "/v1/models/m:countTokens",
        &json!({"contents": [content]}),
        &[("contents", Value::Null, "one of both"), ("generationConfig", json!({}), "Unknown name")],
    );
    check(
        "/v1/models/m:batchEmbedContents",
        &json!({"requests": [{"model": "models/m", "content": content}]}),
        &[("requests", json!([{"model": "m", "content": content}]), "model"), ("requests", json!([]), "requests")],
    );
    let empty = json!({"parts": []});
    check("/v1/models/m:embedContent", &json!({"content": content}), &[("content", empty, "content.parts")]);
}

#[test]
fn pictures_of_messages() {
    const PATH: &str = "/v1/services/aigc/multimodal-generation/generation";
    let ask = |key: &str, body: &Value| {
        let header = |name: &str, value: String| (name.to_owned(), value);
        let json = header("content-type", "application/json".to_owned());
        let headers = vec![header("authorization", format!("Bearer {key}")), json];
        let body = body.to_string().into_bytes();
        pictures::answer(&Received { line: format!("POST {PATH} HTTP/1.1"), headers, body }).status
    };
    let body = |content: Value, parameters: Value| {
        let messages = json!([{"role": "user", "content": content}]);
        json!({"model": "m", "input": {"messages": messages}, "parameters": parameters})
    };
    let good = json!([{"image": "https://x.example/a"}, {"text": "a"}]);
    assert_eq!(ask(UPSTREAM_KEY, &body(good.clone(), json!({"n": 6, "size": "1*2", "seed": 1}))), 200);
    assert_eq!(ask("another", &body(good.clone(), json!({}))), 401);
    let four = json!([{"image": "https://x"}, {"image": "https://x"}, {"image": "https://x"}, {"image": "https://x"}, {"text": "a"}]);
    for content in
        [json!([]), json!([{"text": "a"}, {"text": "b"}]), json!([{"image": "ftp://x"}, {"text": "a"}]), four]
    {
        assert_eq!(ask(UPSTREAM_KEY, &body(content.clone(), json!({}))), 400, "{content}");
    }
    for parameters in [json!({"n": 7}), json!({"n": 0}), json!({"size": "1x2"}), json!({"quality": "high"})] {
        assert_eq!(ask(UPSTREAM_KEY, &body(good.clone(), parameters.clone())), 400, "{parameters}");
    }
    let mut twice = body(good, json!({}));
    twice["input"]["messages"] = json!([twice["input"]["messages"][0], twice["input"]["messages"][0]]);
    assert_eq!(ask(UPSTREAM_KEY, &twice), 400);
}
