//! A whole answer of an upstream, read leniently: servers that speak this format differ in much.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ChatResponse, ContentBlock, MalformedRequest, MalformedResponse, ResponseChoice};
use super::origin::MessageOrigin;
use super::{answer, calls, stop, thinking, usage};

/// Reads the body of an answer; `upstream` is the maker of its signatures.
///
/// # Errors
/// When there is no answer in it: no JSON, an error in its place, choices that are none.
pub fn read(body: &[u8], upstream: &str) -> Result<ChatResponse, MalformedResponse> {
    let mut object = JsonValue::document(body)?.object()?;
    if answer::error(&mut object).is_some() {
        return Err(MalformedResponse { at: "error".into(), expected: "absent from an answer".into() });
    }
    let id = object.text(&["id"]).ok().flatten().unwrap_or_default();
    let usage = object.value(&["usage"]).and_then(|value| usage::read(&value));
    let mut choices = Vec::new();
    for (position, value) in object.required(&["choices"])?.list()?.iter().enumerate() {
        choices.push(choice(value, position, &id, MessageOrigin::Upstream(upstream))?);
    }
    choices.sort_by_key(|(index, _)| *index);
    for known in ["object", "created", "model"] {
        object.raw(known);
    }
    Ok(ChatResponse {
        id,
        choices: choices.into_iter().map(|(_, choice)| choice).collect(),
        usage,
        extra: object.rest(),
    })
}

fn choice(
    value: &JsonValue<'_>,
    position: usize,
    answer: &str,
    origin: MessageOrigin<'_>,
) -> Result<(u64, ResponseChoice), MalformedRequest> {
    let mut object = value.object()?;
    let index = object.whole(&["index"]).ok().flatten().unwrap_or_else(|| u64::try_from(position).unwrap_or(u64::MAX));
    let mut message = object.required(&["message"])?.object()?;
    let mut blocks = said(&mut message, origin)?;
    name_calls(&mut blocks, answer);
    let has_calls = blocks.iter().any(|block| matches!(block.kind, BlockKind::Call { .. }));
    let has_refusal = blocks.iter().any(|block| matches!(block.kind, BlockKind::Refusal(_)));
    let word = object.text(&["finish_reason"]).ok().flatten();
    let mut extra = object.rest();
    message.raw("role");
    extra.extend(super::native_members::rest_of("message", message));
    Ok((index, ResponseChoice { blocks, stop: stop::read(word.as_deref(), has_calls, has_refusal), extra }))
}

/// Thoughts, content, refusal, pictures, calls; none of them need be there.
fn said(message: &mut JsonObject<'_>, origin: MessageOrigin<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let mut blocks = thinking::read(message, origin)?;
    if let Some(content) = message.value(&["content"]) {
        blocks.extend(answer::content(&content, origin)?);
    }
    if let Some(refusal) = message.text(&["refusal"])? {
        blocks.push(ContentBlock { at: String::new(), kind: BlockKind::Refusal(refusal), extra: Vec::new() });
    }
    blocks.extend(answer::images(message));
    for call in message.list(&["tool_calls"])? {
        blocks.push(calls::read(&call, origin)?);
    }
    if let Some(call) = message.value(&["function_call"]) {
        blocks.push(calls::function_call(&call, String::new(), origin)?);
    }
    blocks.retain(|block| !matches!(&block.kind, BlockKind::Text(text) | BlockKind::Refusal(text) if text.is_empty()));
    for block in &mut blocks {
        block.at.clear();
    }
    Ok(blocks)
}

fn name_calls(blocks: &mut [ContentBlock], answer: &str) {
    for (index, block) in blocks.iter_mut().enumerate() {
        if let BlockKind::Call { id, .. } = &mut block.kind
            && id.is_empty()
        {
            *id = answer::made_id(answer, index);
        }
    }
}
