//! Reading a provider's whole answer.

use super::super::json::{JsonObject, JsonValue};
use super::super::{
    BlockKind, ChatResponse, ContentBlock, MalformedRequest, MalformedResponse, ResponseChoice, StopReason,
};
use super::{decode_item, usage};

/// Members that repeat the request or are read by name: no news.
const KNOWN: [&str; 32] = [
    "object",
    "created_at",
    "completed_at",
    "model",
    "background",
    "conversation",
    "frequency_penalty",
    "include",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "output_text",
    "parallel_tool_calls",
    "presence_penalty",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning",
    "safety_identifier",
    "store",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "truncation",
    "user",
    "stream",
];

/// Reads an answer.
///
/// # Errors
/// When it is no answer, or one that tells of a failure.
pub fn read(body: &[u8], upstream: &str) -> Result<ChatResponse, MalformedResponse> {
    let mut object = JsonValue::document(body)?.object()?;
    if let Some(error) = object.value(&["error"]) {
        return Err(MalformedResponse { at: "error".into(), expected: format!("null, not {}", error.wrong("").found) });
    }
    let id = object.text(&["id"])?.unwrap_or_default();
    let mut blocks = Vec::new();
    for item in object.required(&["output"])?.list()? {
        blocks.append(&mut decode_item::read(&item, upstream)?);
    }
    let said = OutputSummary::of(&blocks);
    let stop = stop(&mut object, said)?
        .ok_or_else(|| MalformedResponse { at: "status".into(), expected: "an ending".into() })?;
    let usage = usage::told(&mut object);
    for name in KNOWN {
        object.raw(name);
    }
    let choice = ResponseChoice { blocks, stop, extra: Vec::new() };
    Ok(ChatResponse { id, choices: vec![choice], usage, extra: object.rest() })
}

/// The parts of an answer that decide why it ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct OutputSummary {
    /// A call.
    pub call: bool,
    /// A refusal.
    pub refusal: bool,
}

impl OutputSummary {
    fn of(blocks: &[ContentBlock]) -> Self {
        let call = blocks.iter().any(|block| matches!(block.kind, BlockKind::Call { .. }));
        Self { call, refusal: blocks.iter().any(|block| matches!(block.kind, BlockKind::Refusal(_))) }
    }
}

/// The reason why the response ended; `None` where it has not, or failed. Without a word it is complete: some providers send none.
///
/// # Errors
/// When a member has the wrong type.
pub fn stop(response: &mut JsonObject<'_>, said: OutputSummary) -> Result<Option<StopReason>, MalformedRequest> {
    let status = response.text(&["status"])?;
    let details = response.object(&["incomplete_details"])?;
    let reason = details.map(|mut details| details.text(&["reason"])).transpose()?.flatten();
    Ok(match status.as_deref() {
        Some("incomplete") => Some(match reason.as_deref() {
            Some("max_output_tokens") => StopReason::Length,
            Some("content_filter") => StopReason::Refused,
            _ => StopReason::Pause,
        }),
        Some("failed" | "cancelled" | "in_progress" | "queued") => None,
        _ if said.refusal => Some(StopReason::Refused),
        _ if said.call => Some(StopReason::Calls),
        _ => Some(StopReason::Natural),
    })
}
