//! What a provider of format R answers, whole.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::super::conduct::{Answer, CACHED_TOKENS, INPUT_TOKENS, Stop};
use super::super::seen::Seen;
use super::super::signature::sign;
use super::MAKER;

/// The answer as it is when it is over.
pub(super) fn response(id: &str, answer: &Answer, seen: &Seen) -> Value {
    let mut response = started(id);
    response["status"] = json!(if answer.stop == Stop::Length { "incomplete" } else { "completed" });
    if answer.stop == Stop::Length {
        response["incomplete_details"] = json!({"reason": "max_output_tokens"});
    }
    response["output"] = json!(items(answer, seen));
    response["usage"] = json!({
        "input_tokens": INPUT_TOKENS, "input_tokens_details": {"cached_tokens": CACHED_TOKENS},
        "output_tokens": answer.output_tokens(),
        "output_tokens_details": {"reasoning_tokens": answer.thought_tokens()},
        "total_tokens": INPUT_TOKENS + answer.output_tokens(),
    });
    response
}

/// The answer as it is when it begins.
pub(super) fn started(id: &str) -> Value {
    json!({
        "id": id, "object": "response", "created_at": 1_790_000_000, "status": "in_progress",
        "model": "strict-r", "output": [], "error": null, "incomplete_details": null, "instructions": null,
        "metadata": {}, "parallel_tool_calls": true, "tool_choice": "auto", "tools": [], "temperature": 1.0,
        "top_p": 1.0, "store": false, "usage": null, "previous_response_id": null,
    })
}

/// A name that no other answer has.
pub(super) fn fresh_id() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("resp_strict{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Its items, complete.
pub(super) fn items(answer: &Answer, seen: &Seen) -> Vec<Value> {
    let mut items = Vec::new();
    if let Some(thought) = &answer.thought {
        // What was thought is not told without its summary being asked for; that something was is.
        let told = json!([{"type": "summary_text", "text": thought}]);
        let summary = if seen.wants_summary { told } else { json!([]) };
        let mut item = json!({"id": "rs_strict", "type": "reasoning", "summary": summary});
        if seen.wants_signatures {
            item["encrypted_content"] = json!(sign(MAKER, if seen.wants_summary { thought } else { "" }));
        }
        items.push(item);
    }
    if !answer.text.is_empty() {
        let part = match answer.stop {
            Stop::Refused => json!({"type": "refusal", "refusal": answer.text}),
            _ => json!({"type": "output_text", "text": answer.text, "annotations": [], "logprobs": []}),
        };
        items.push(json!({
            "id": "msg_strict", "type": "message", "status": "completed", "role": "assistant", "content": [part],
        }));
    }
    items.extend(answer.calls.iter().map(|call| {
        json!({
            "id": format!("fc_{}", call.number), "type": "function_call", "status": "completed",
            "call_id": format!("call_{}", call.number), "name": call.name, "arguments": call.arguments.to_string(),
        })
    }));
    items
}
