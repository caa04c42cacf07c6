//! What a provider of format A answers.

use serde_json::{Value, json};

use super::super::conduct::{Answer, CACHED_TOKENS, Call, INPUT_TOKENS, Stop};
use super::super::signature::sign;
use super::super::{named_event, pieces};
use super::MAKER;

pub(super) fn whole(answer: &Answer) -> Value {
    let mut content = Vec::new();
    if let Some(thought) = &answer.thought {
        content.push(json!({"type": "thinking", "thinking": thought, "signature": sign(MAKER, thought)}));
    }
    if !answer.text.is_empty() {
        content.push(json!({"type": "text", "text": answer.text, "citations": null}));
    }
    content.extend(answer.calls.iter().map(|call| tool_use(call, &call.arguments)));
    let mut message = message(&json!(content), &json!(stop_reason(answer)), answer.output_tokens());
    message["usage"]["output_tokens_details"] = details(answer);
    message
}

pub(super) fn stream(answer: &Answer) -> Vec<String> {
    let start = message(&json!([]), &Value::Null, 1);
    let mut events = vec![json!({"type": "message_start", "message": start}), json!({"type": "ping"})];
    for (index, (block, deltas)) in blocks(answer).into_iter().enumerate() {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": stop_reason(answer), "stop_sequence": null});
    let usage = json!({"output_tokens": answer.output_tokens(), "output_tokens_details": details(answer)});
    events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    events.iter().map(named_event).collect()
}

/// Each block as it starts, and what follows.
fn blocks(answer: &Answer) -> Vec<(Value, Vec<Value>)> {
    let deltas = |text: &str, kind: &str, member: &str| -> Vec<Value> {
        pieces(text).iter().map(|piece| json!({"type": kind, member: piece})).collect()
    };
    let mut blocks = Vec::new();
    if let Some(thought) = &answer.thought {
        let mut parts = deltas(thought, "thinking_delta", "thinking");
        parts.push(json!({"type": "signature_delta", "signature": sign(MAKER, thought)}));
        blocks.push((json!({"type": "thinking", "thinking": "", "signature": ""}), parts));
    }
    if !answer.text.is_empty() {
        blocks.push((json!({"type": "text", "text": ""}), deltas(&answer.text, "text_delta", "text")));
    }
    for call in &answer.calls {
        let parts = deltas(&call.arguments.to_string(), "input_json_delta", "partial_json");
        blocks.push((tool_use(call, &json!({})), parts));
    }
    blocks
}

fn tool_use(call: &Call, input: &Value) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{}", call.number), "name": call.name, "input": input})
}

fn details(answer: &Answer) -> Value {
    json!({"thinking_tokens": answer.thought_tokens()})
}

fn stop_reason(answer: &Answer) -> &'static str {
    match answer.stop {
        Stop::Said => "end_turn",
        Stop::Length => "max_tokens",
        Stop::Called => "tool_use",
        Stop::Refused => "refusal",
    }
}

fn message(content: &Value, stop_reason: &Value, output_tokens: u64) -> Value {
    json!({
        "id": "msg_strict", "type": "message", "role": "assistant", "model": "strict-a", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {
            "input_tokens": INPUT_TOKENS - CACHED_TOKENS, "cache_read_input_tokens": CACHED_TOKENS,
            "cache_creation_input_tokens": 0, "output_tokens": output_tokens, "service_tier": "standard",
        },
    })
}
