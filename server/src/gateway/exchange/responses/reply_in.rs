//! Reading a provider's whole answer.

use super::super::json::{Object, Value};
use super::super::{Block, Choice, Garbled, Kind, Reply, Stop, Unreadable};
use super::{item_in, usage};

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
pub fn read(body: &[u8], upstream: &str) -> Result<Reply, Garbled> {
    let mut object = Value::document(body)?.object()?;
    if let Some(error) = object.value(&["error"]) {
        return Err(Garbled { at: "error".into(), expected: format!("null, not {}", error.wrong("").found) });
    }
    let id = object.text(&["id"])?.unwrap_or_default();
    let mut blocks = Vec::new();
    for item in object.required(&["output"])?.list()? {
        blocks.append(&mut item_in::read(&item, upstream)?);
    }
    let said = Said::of(&blocks);
    let stop = stop(&mut object, said)?.ok_or_else(|| Garbled { at: "status".into(), expected: "an ending".into() })?;
    let usage = usage::told(&mut object);
    for name in KNOWN {
        object.raw(name);
    }
    let choice = Choice { blocks, stop, extra: Vec::new() };
    Ok(Reply { id, choices: vec![choice], usage, extra: object.rest() })
}

/// The parts of an answer that decide why it ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct Said {
    /// A call.
    pub call: bool,
    /// A refusal.
    pub refusal: bool,
}

impl Said {
    fn of(blocks: &[Block]) -> Self {
        let call = blocks.iter().any(|block| matches!(block.kind, Kind::Call { .. }));
        Self { call, refusal: blocks.iter().any(|block| matches!(block.kind, Kind::Refusal(_))) }
    }
}

/// The reason why the response ended; `None` where it has not, or failed. Without a word it is complete: some providers send none.
///
/// # Errors
/// When a member has the wrong type.
pub fn stop(response: &mut Object<'_>, said: Said) -> Result<Option<Stop>, Unreadable> {
    let status = response.text(&["status"])?;
    let details = response.object(&["incomplete_details"])?;
    let reason = details.map(|mut details| details.text(&["reason"])).transpose()?.flatten();
    Ok(match status.as_deref() {
        Some("incomplete") => Some(match reason.as_deref() {
            Some("max_output_tokens") => Stop::Length,
            Some("content_filter") => Stop::Refused,
            _ => Stop::Pause,
        }),
        Some("failed" | "cancelled" | "in_progress" | "queued") => None,
        _ if said.refusal => Some(Stop::Refused),
        _ if said.call => Some(Stop::Calls),
        _ => Some(Stop::Natural),
    })
}
