//! Whole answers of providers.

use super::super::json::JsonValue;
use super::super::{BlockKind, ChatResponse, ContentBlock, MalformedResponse, ResponseChoice};
use super::decode_block::{self, BlockOrigin};
use super::stop;
use super::usage::MessagesUsage;

/// Reads an answer of the upstream of that name.
///
/// # Errors
/// When it is no answer: not JSON, an error with a status of success, or without any of the members of one.
pub fn read(body: &[u8], upstream: &str) -> Result<ChatResponse, MalformedResponse> {
    let document = JsonValue::document(body)?;
    let mut object = document.object()?;
    if object.text(&["type"])?.as_deref() == Some("error") || object.has("error") {
        return Err(MalformedResponse { at: "error".into(), expected: "an answer, but it is an error".into() });
    }
    for echoed in ["role", "model"] {
        object.raw(echoed);
    }
    let id = object.text(&["id"])?.unwrap_or_default();
    let blocks = decode_block::content(&object.required(&["content"])?, BlockOrigin::Upstream(upstream))?;
    let called = blocks.iter().any(is_call);
    let word = object.text(&["stop_reason"])?;
    let stop = stop::read(word.as_deref(), object.text(&["stop_sequence"])?, called);
    let mut told = MessagesUsage::default();
    let mut extra = object.value(&["usage"]).map_or_else(Vec::new, |usage| told.take(&usage));
    extra.extend(object.rest());
    let choices = vec![ResponseChoice { blocks, stop, extra: Vec::new() }];
    Ok(ChatResponse { id, choices, usage: told.usage(), extra })
}

fn is_call(block: &ContentBlock) -> bool {
    matches!(block.kind, BlockKind::Call { .. })
}
