//! What a provider of format G answers.

use serde_json::{Value, json};

use super::super::conduct::{Answer, CACHED_TOKENS, Call, INPUT_TOKENS, SPOKEN_TOKENS, Stop};
use super::super::pieces;
use super::super::signature::sign;
use super::MAKER;

pub(super) fn whole(answer: &Answer) -> Value {
    let mut parts = Vec::new();
    if let Some(thought) = &answer.thought {
        parts.push(json!({"text": thought, "thought": true}));
    }
    if !answer.text.is_empty() && answer.stop != Stop::Refused {
        parts.push(text(answer));
    }
    parts.extend(answer.calls.iter().enumerate().map(|(index, call)| function_call(index, call)));
    chunk(&parts, Some(answer))
}

pub(super) fn stream(answer: &Answer) -> Vec<String> {
    let mut chunks = Vec::new();
    for piece in pieces(answer.thought.as_deref().unwrap_or_default()) {
        chunks.push(chunk(&[json!({"text": piece, "thought": true})], None));
    }
    if answer.stop != Stop::Refused {
        chunks.extend(pieces(&answer.text).iter().map(|piece| chunk(&[json!({"text": piece})], None)));
    }
    // Several calls in one piece, and the last piece with the end: both are usual.
    let mut parts: Vec<Value> =
        answer.calls.iter().enumerate().map(|(index, call)| function_call(index, call)).collect();
    if parts.is_empty() {
        let signature = answer.thought.as_ref().map(|_| sign(MAKER, &answer.text));
        parts.push(
            signature
                .map_or_else(|| json!({"text": ""}), |signature| json!({"text": "", "thoughtSignature": signature})),
        );
    }
    let last = chunk(&parts, Some(answer));
    chunks.push(last);
    chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()
}

/// What was said; a thought before it signs it.
fn text(answer: &Answer) -> Value {
    match answer.thought {
        Some(_) => json!({"text": answer.text, "thoughtSignature": sign(MAKER, &answer.text)}),
        None => json!({"text": answer.text}),
    }
}

/// Of parallel calls the first is signed.
fn function_call(index: usize, call: &Call) -> Value {
    let mut part = json!({"functionCall": {"name": call.name, "args": call.arguments}});
    if index == 0 {
        part["thoughtSignature"] = json!(sign(MAKER, &format!("{}{}", call.name, call.arguments)));
    }
    part
}

fn chunk(parts: &[Value], last: Option<&Answer>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    let mut usage = json!({"promptTokenCount": INPUT_TOKENS, "totalTokenCount": INPUT_TOKENS});
    if let Some(answer) = last {
        candidate["finishReason"] = json!(finish_reason(answer));
        usage = json!({
            "promptTokenCount": INPUT_TOKENS, "cachedContentTokenCount": CACHED_TOKENS,
            "candidatesTokenCount": SPOKEN_TOKENS, "totalTokenCount": INPUT_TOKENS + answer.output_tokens(),
        });
        if answer.thought.is_some() {
            usage["thoughtsTokenCount"] = json!(answer.thought_tokens());
        }
    }
    json!({
        "candidates": [candidate], "usageMetadata": usage, "modelVersion": "strict-g", "responseId": "response-strict",
    })
}

/// Calls end like words here.
fn finish_reason(answer: &Answer) -> &'static str {
    match answer.stop {
        Stop::Said | Stop::Called => "STOP",
        Stop::Length => "MAX_TOKENS",
        Stop::Refused => "SAFETY",
    }
}
