//! What a provider of format O answers.

use serde_json::{Value, json};

use super::super::conduct::{Answer, CACHED_TOKENS, Call, INPUT_TOKENS, Stop};
use super::super::pieces;

pub(super) fn whole(answer: &Answer) -> Value {
    let refused = answer.stop == Stop::Refused;
    let silent = refused || !answer.calls.is_empty();
    let mut message = json!({
        "role": "assistant",
        "content": if silent { Value::Null } else { json!(answer.text) },
        "refusal": if refused { json!(answer.text) } else { Value::Null },
    });
    if let Some(thought) = &answer.thought {
        message["reasoning_content"] = json!(thought);
    }
    if !answer.calls.is_empty() {
        message["tool_calls"] = answer.calls.iter().map(call).collect();
    }
    let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason(answer)});
    let mut body = envelope("chat.completion", &json!([choice]));
    body["usage"] = usage(answer);
    body
}

pub(super) fn stream(answer: &Answer, wants_usage: bool) -> Vec<String> {
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    deltas.extend(
        pieces(answer.thought.as_deref().unwrap_or_default()).iter().map(|piece| json!({"reasoning_content": piece})),
    );
    let said = if answer.stop == Stop::Refused { "refusal" } else { "content" };
    deltas.extend(pieces(&answer.text).iter().map(|piece| json!({said: piece})));
    for (index, called) in answer.calls.iter().enumerate() {
        let mut opening = call(called);
        opening["index"] = json!(index);
        opening["function"]["arguments"] = json!("");
        deltas.push(json!({"tool_calls": [opening]}));
        deltas.extend(
            pieces(&called.arguments.to_string())
                .iter()
                .map(|piece| json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})),
        );
    }
    let mut events: Vec<String> = deltas.iter().map(|delta| chunk(delta, &Value::Null, wants_usage)).collect();
    events.push(chunk(&json!({}), &finish_reason(answer), wants_usage));
    if wants_usage {
        let mut last = envelope("chat.completion.chunk", &json!([]));
        last["usage"] = usage(answer);
        events.push(event(&last));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn chunk(delta: &Value, finish_reason: &Value, wants_usage: bool) -> String {
    let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason});
    let mut chunk = envelope("chat.completion.chunk", &json!([choice]));
    if wants_usage {
        chunk["usage"] = Value::Null;
    }
    event(&chunk)
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn envelope(object: &str, choices: &Value) -> Value {
    json!({
        "id": "chatcmpl-strict", "object": object, "created": 1_790_000_000, "model": "strict-o",
        "choices": choices, "system_fingerprint": "fp_strict", "service_tier": "default",
    })
}

fn call(call: &Call) -> Value {
    let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
    json!({"id": format!("call_{}", call.number), "type": "function", "function": function})
}

fn finish_reason(answer: &Answer) -> Value {
    json!(match answer.stop {
        Stop::Said | Stop::Refused => "stop",
        Stop::Length => "length",
        Stop::Called => "tool_calls",
    })
}

fn usage(answer: &Answer) -> Value {
    json!({
        "prompt_tokens": INPUT_TOKENS, "completion_tokens": answer.output_tokens(),
        "total_tokens": INPUT_TOKENS + answer.output_tokens(),
        "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": answer.thought_tokens(), "audio_tokens": 0},
    })
}
