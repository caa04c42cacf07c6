//! How a client of each format asks, and how a provider of each says the parts of an answer.

use serde_json::{Value, json};
use tollgate_tests::reply::{DONE, chunk};

/// Eight bytes of output: two tokens by our own count.
pub(crate) const TEXT: &str = "12345678";

/// A format of a client or of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Chat,
    Completions,
    Messages,
    Generate,
    Responses,
}

impl Format {
    /// Its name in a configuration: the older operation of format O goes where the newer one goes.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Chat | Self::Completions => "chat",
            Self::Messages => "messages",
            Self::Generate => "generate",
            Self::Responses => "responses",
        }
    }
}

/// What a provider says of the usage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Usage {
    /// Nothing.
    Silent,
    /// Prompt and output, in tokens.
    Told(i64, i64),
}

impl Usage {
    /// The usage object of a format.
    pub(crate) fn object(self, format: Format) -> Value {
        let Self::Told(prompt, output) = self else { return Value::Null };
        match format {
            Format::Chat | Format::Completions => json!({"prompt_tokens": prompt, "completion_tokens": output}),
            Format::Messages | Format::Responses => json!({"input_tokens": prompt, "output_tokens": output}),
            Format::Generate => json!({"promptTokenCount": prompt, "candidatesTokenCount": output}),
        }
    }
}

/// A part of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// The stream begins, and the text comes; a provider that tells of usage as it goes has told this.
    Text(Usage),
    /// Why the answer ended, with the usage of all of it. In format R that is the end itself.
    Finish(Usage),
    /// The terminator. Format G has none.
    End,
    /// The provider reports that it failed.
    Error,
    /// No event of any format.
    Garbage,
}

/// The path of a request to a model, and its body.
pub(crate) fn ask(client: Format, model: &str, stream: bool) -> (String, Value) {
    let turns = json!([{"role": "user", "content": "Hello"}]);
    let (path, mut body) = match client {
        Format::Chat => ("/v1/chat/completions", json!({"messages": turns, "max_tokens": 100})),
        Format::Completions => ("/v1/completions", json!({"prompt": "Hello", "max_tokens": 100})),
        Format::Messages => ("/v1/messages", json!({"messages": turns, "max_tokens": 100})),
        Format::Responses => ("/v1/responses", json!({"input": "Hello", "max_output_tokens": 100})),
        Format::Generate => {
            let contents = json!([{"role": "user", "parts": [{"text": "Hello"}]}]);
            let method = if stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
            let body = json!({"contents": contents, "generationConfig": {"maxOutputTokens": 100}});
            return (format!("/v1beta/models/{model}:{method}"), body);
        }
    };
    (body["model"], body["stream"]) = (json!(model), json!(stream));
    (path.to_owned(), body)
}

/// The events of a part.
pub(crate) fn events(format: Format, part: Part) -> Vec<String> {
    match part {
        Part::Text(usage) => text(format, usage),
        Part::Finish(usage) => finish(format, usage),
        Part::End => match format {
            Format::Chat | Format::Completions => vec![DONE.to_owned()],
            Format::Messages => vec![named(&json!({"type": "message_stop"}))],
            Format::Generate | Format::Responses => Vec::new(),
        },
        Part::Error => vec![match format {
            Format::Chat | Format::Completions => data(&json!({"error": {"message": "no"}})),
            Format::Messages => named(&json!({"type": "error", "error": {"type": "api_error", "message": "no"}})),
            Format::Generate => data(&json!({"error": {"code": 500, "message": "no", "status": "INTERNAL"}})),
            Format::Responses => named(&json!({"type": "error", "code": "server_error", "message": "no"})),
        }],
        Part::Garbage => vec!["data: <html>\n\n".to_owned()],
    }
}

fn text(format: Format, usage: Usage) -> Vec<String> {
    let usage = usage.object(format);
    match format {
        Format::Chat => {
            let mut events = vec![chunk(&json!({"content": TEXT}), None)];
            events.extend((!usage.is_null()).then(|| data(&json!({"choices": [], "usage": usage}))));
            events
        }
        Format::Completions => vec![data(&json!({"choices": [{"text": TEXT, "index": 0}], "usage": usage}))],
        Format::Messages => {
            let mut start = json!({"id": "msg_up", "type": "message", "role": "assistant", "content": []});
            start["usage"] = usage;
            let delta = json!({"type": "text_delta", "text": TEXT});
            [
                json!({"type": "message_start", "message": start}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            ]
            .iter()
            .map(named)
            .collect()
        }
        Format::Generate => {
            let mut piece = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": TEXT}]}}]});
            if !usage.is_null() {
                piece["usageMetadata"] = usage;
            }
            vec![data(&piece)]
        }
        Format::Responses => {
            let place = json!({"item_id": "msg_up", "output_index": 0, "content_index": 0});
            let item = json!({"type": "message", "id": "msg_up", "role": "assistant", "content": []});
            let mut delta = place;
            (delta["type"], delta["delta"]) = (json!("response.output_text.delta"), json!(TEXT));
            let started = json!({"id": "resp_up", "object": "response", "status": "in_progress", "output": []});
            [
                json!({"type": "response.created", "response": started}),
                json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
                delta,
            ]
            .iter()
            .map(named)
            .collect()
        }
    }
}

fn finish(format: Format, usage: Usage) -> Vec<String> {
    let told = usage.object(format);
    match format {
        Format::Chat => vec![chunk(&json!({}), Some("stop")), data(&json!({"choices": [], "usage": told}))],
        Format::Completions => {
            vec![data(&json!({"choices": [{"text": "", "index": 0, "finish_reason": "stop"}], "usage": told}))]
        }
        Format::Messages => vec![
            named(&json!({"type": "content_block_stop", "index": 0})),
            named(&json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": told})),
        ],
        Format::Generate => {
            let mut last = json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]});
            if usage != Usage::Silent {
                last["usageMetadata"] = told;
            }
            vec![data(&last)]
        }
        Format::Responses => vec![named(&json!({"type": "response.completed", "response": whole(format, usage)}))],
    }
}

/// A whole answer.
pub(crate) fn whole(format: Format, usage: Usage) -> Value {
    let told = usage.object(format);
    match format {
        Format::Chat => json!({
            "id": "up", "object": "chat.completion", "usage": told,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": TEXT}, "finish_reason": "stop"}],
        }),
        Format::Completions => json!({
            "id": "up", "object": "text_completion", "usage": told,
            "choices": [{"index": 0, "text": TEXT, "finish_reason": "stop"}],
        }),
        Format::Messages => json!({
            "id": "msg_up", "type": "message", "role": "assistant", "content": [{"type": "text", "text": TEXT}],
            "stop_reason": "end_turn", "usage": told,
        }),
        Format::Generate => {
            let content = json!({"role": "model", "parts": [{"text": TEXT}]});
            let mut whole = json!({"candidates": [{"content": content, "finishReason": "STOP"}]});
            if usage != Usage::Silent {
                whole["usageMetadata"] = told;
            }
            whole
        }
        Format::Responses => json!({
            "id": "resp_up", "object": "response", "status": "completed", "usage": told, "output": [{
                "type": "message", "id": "msg_up", "role": "assistant",
                "content": [{"type": "output_text", "text": TEXT, "annotations": []}],
            }],
        }),
    }
}

/// An error in the place of an answer.
pub(crate) fn error(format: Format) -> Value {
    match format {
        Format::Chat | Format::Completions => json!({"error": {"message": "no", "type": "server_error"}}),
        Format::Messages => json!({"type": "error", "error": {"type": "api_error", "message": "no"}}),
        Format::Generate => json!({"error": {"code": 500, "message": "no", "status": "INTERNAL"}}),
        Format::Responses => json!({
            "id": "resp_up", "object": "response", "status": "failed", "output": [],
            "error": {"code": "server_error", "message": "no"},
        }),
    }
}

fn data(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn named(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"))
}
