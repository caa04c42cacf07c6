//! Three words in four formats, as providers say them: whole and streamed, 9 prompt tokens and 3 of output.

use serde_json::{Value, json};

use crate::reply::{DONE, Reply, chat_stream, completion};
use crate::upstream::Received;

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];
/// What they all say.
pub const TEXT: &str = "hello there friend";

/// Models reached over each of the formats, at the harness's provider: `via-chat`, `via-messages`, `via-generate`,
/// `via-responses`.
#[must_use]
pub fn config() -> String {
    FORMATS.map(model).concat()
}

/// The provider of the harness in each of the formats, as upstreams `by-chat` and so on.
#[must_use]
pub fn upstreams() -> String {
    let upstream = |format: &str| {
        format!(
            "[upstreams.by-{format}]\nbase_url = \"{{upstream}}\"\nformat = \"{format}\"\napi_key_env = \"FAKE_UPSTREAM_KEY\"\n"
        )
    };
    FORMATS.map(upstream).concat()
}

/// A model over each of [`upstreams`], `NAME-chat` and so on, with these lines beside its own and beside its prices of tokens.
#[must_use]
pub fn models(name: &str, upstream_model: &str, lines: &str, prices: &str) -> String {
    let model = |format: &str| {
        format!(
            r#"
[models.{name}-{format}]
context_tokens = 100000
max_output_tokens = 1000
candidates = [{{ upstream = "by-{format}", model = "{upstream_model}" }}]
{lines}
[models.{name}-{format}.price]
prompt = "0.15"
completion = "0.6"
{prices}
"#
        )
    };
    FORMATS.map(model).concat()
}

fn model(format: &str) -> String {
    format!(
        r#"
[upstreams.by-{format}]
base_url = "{{upstream}}"
format = "{format}"
api_key_env = "FAKE_UPSTREAM_KEY"
[models.via-{format}]
context_tokens = 100000
max_output_tokens = 1000
price = {{ prompt = "0.15", cached = "0.075", completion = "0.6", version = "test-1" }}
candidates = [{{ upstream = "by-{format}", model = "upstream-model" }}]
"#
    )
}

/// The answer to a request, in the format of its path.
#[must_use]
pub fn answer(request: &Received) -> Reply {
    let path = request.line.split(' ').nth(1).unwrap_or_default();
    let stream = path.contains("streamGenerate")
        || String::from_utf8_lossy(&request.body).replace(": ", ":").contains("\"stream\":true");
    match (path, stream) {
        ("/v1/chat/completions", false) => Reply::json(200, &completion(TEXT, 9, 3)),
        ("/v1/chat/completions", true) => Reply::stream(chat_stream(&["hello", " there", " friend"], 9, 3)),
        ("/v1/messages", false) => Reply::json(200, &message()),
        ("/v1/messages", true) => Reply::stream(message_stream()),
        ("/v1/responses", false) => Reply::json(200, &response("completed", &json!([response_item()]))),
        ("/v1/responses", true) => Reply::stream(response_stream()),
        ("/v1/completions", false) => Reply::json(200, &continuation(TEXT, Some("stop"))),
        ("/v1/completions", true) => Reply::stream(continuation_stream()),
        ("/v1/embeddings", false) => Reply::json(200, &embedding()),
        ("/v1/moderations", false) => Reply::json(
            200,
            &json!({"id": "m", "model": "up", "results": [{"flagged": false, "categories": {}, "category_scores": {}}]}),
        ),
        ("/v1/images/generations" | "/v1/images/edits", false) => {
            Reply::json(200, &json!({"created": 7, "data": [{"b64_json": "AAAA"}]}))
        }
        ("/v1/videos", false) => Reply::json(200, &film("queued")),
        ("/v1/videos/film", false) => Reply::json(200, &film("completed")),
        ("/v1/videos/film/content", false) => match request.header("range") {
            Some("bytes=2-5") => Reply::raw(206, "video/mp4", b"film".to_vec()).header("content-range", "bytes 2-5/6"),
            _ => Reply::raw(200, "video/mp4", b"a film".to_vec()).header("accept-ranges", "bytes"),
        },
        (_, false) => Reply::json(200, &content(TEXT, true)),
        (_, true) => Reply::stream(content_stream()),
    }
}

fn continuation(text: &str, finish: Option<&str>) -> Value {
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12});
    json!({
        "id": "cmpl-up", "object": "text_completion", "created": 7, "model": "upstream-model",
        "choices": [{"text": text, "index": 0, "logprobs": null, "finish_reason": finish}],
        "usage": if finish.is_some() { usage } else { Value::Null },
    })
}

fn film(status: &str) -> Value {
    json!({"id": "film", "object": "video", "model": "upstream-model", "status": status, "seconds": "4"})
}

fn continuation_stream() -> Vec<String> {
    let pieces = [("hello", None), (" there", None), (" friend", Some("stop"))];
    let mut events: Vec<_> = pieces.map(|(text, finish)| format!("data: {}\n\n", continuation(text, finish))).into();
    events.push(DONE.to_owned());
    events
}

fn embedding() -> Value {
    json!({
        "object": "list", "model": "upstream-model",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.5, 1.0]}],
        "usage": {"prompt_tokens": 9, "total_tokens": 9},
    })
}

fn message() -> Value {
    json!({
        "id": "msg_up", "type": "message", "role": "assistant", "model": "upstream-model",
        "content": [{"type": "text", "text": TEXT}], "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 9, "output_tokens": 3},
    })
}

fn message_stream() -> Vec<String> {
    let start = json!({
        "id": "msg_up", "type": "message", "role": "assistant", "model": "upstream-model", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 1},
    });
    let mut events = vec![json!({"type": "message_start", "message": start})];
    events.push(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}));
    events.extend(
        ["hello", " there", " friend"].map(
            |word| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}),
        ),
    );
    events.push(json!({"type": "content_block_stop", "index": 0}));
    let delta = json!({"stop_reason": "end_turn", "stop_sequence": null});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 3}}));
    events.push(json!({"type": "message_stop"}));
    events.iter().map(named).collect()
}

fn content(text: &str, last: bool) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": [{"text": text}]}, "index": 0});
    let mut piece = json!({"modelVersion": "upstream-model", "responseId": "r-up"});
    if last {
        candidate["finishReason"] = json!("STOP");
        piece["usageMetadata"] = json!({"promptTokenCount": 9, "candidatesTokenCount": 3, "totalTokenCount": 12});
    }
    piece["candidates"] = json!([candidate]);
    piece
}

fn content_stream() -> Vec<String> {
    let pieces = [content("hello", false), content(" there", false), content(" friend", true)];
    pieces.iter().map(|piece| format!("data: {piece}\r\n\r\n")).collect()
}

fn response(status: &str, output: &Value) -> Value {
    let done = status == "completed";
    let usage = json!({
        "input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 3,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 12,
    });
    json!({
        "id": "resp_up", "object": "response", "created_at": 1_700_000_000, "status": status, "error": null,
        "model": "upstream-model", "output": output, "usage": if done { usage } else { Value::Null },
    })
}

fn response_item() -> Value {
    json!({
        "type": "message", "id": "msg_up", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": TEXT, "annotations": []}],
    })
}

fn response_stream() -> Vec<String> {
    let place = |mut event: Value| {
        event["item_id"] = json!("msg_up");
        event["output_index"] = json!(0);
        event["content_index"] = json!(0);
        event
    };
    let started =
        json!({"type": "message", "id": "msg_up", "status": "in_progress", "role": "assistant", "content": []});
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    let mut events = vec![
        json!({"type": "response.created", "response": response("in_progress", &json!([]))}),
        json!({"type": "response.in_progress", "response": response("in_progress", &json!([]))}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": started}),
        place(json!({"type": "response.content_part.added", "part": part("")})),
    ];
    events.extend(
        ["hello", " there", " friend"].map(|word| place(json!({"type": "response.output_text.delta", "delta": word}))),
    );
    events.push(place(json!({"type": "response.output_text.done", "text": TEXT})));
    events.push(place(json!({"type": "response.content_part.done", "part": part(TEXT)})));
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": response_item()}));
    events.push(json!({"type": "response.completed", "response": response("completed", &json!([response_item()]))}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    events.iter().map(named).collect()
}

fn named(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"))
}
