//! System texts and turns.

use super::super::call;
use super::super::decode_block::{self, BlockOrigin};
use crate::json::{JsonObject, JsonValue};
use crate::{BlockKind, ChatMessage, ContentBlock, MalformedRequest, MessageRole, ThinkingSignature};

/// Instructions before the conversation: one text, or blocks.
///
/// # Errors
/// When it is neither.
pub fn system(object: &mut JsonObject<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let system = object.value(&["system"]).map(|value| decode_block::content(&value, BlockOrigin::Client));
    Ok(system.transpose()?.unwrap_or_default())
}

/// The conversation.
///
/// # Errors
/// When there is none, or a turn is broken.
pub fn read(object: &mut JsonObject<'_>) -> Result<Vec<ChatMessage>, MalformedRequest> {
    let messages = object.required(&["messages"])?;
    let list = messages.list()?;
    if list.is_empty() {
        return Err(messages.wrong("a list of at least one message"));
    }
    list.iter().map(turn).collect()
}

fn turn(value: &JsonValue<'_>) -> Result<ChatMessage, MalformedRequest> {
    let mut object = value.object()?;
    let word = object.required(&["role"])?;
    let role = match word.text()?.as_str() {
        "user" => MessageRole::User,
        "assistant" => MessageRole::Model,
        "system" => MessageRole::System,
        _ => return Err(word.wrong("one of `user`, `assistant`, `system`")),
    };
    let blocks = decode_block::content(&object.required(&["content"])?, BlockOrigin::Client)?;
    Ok(ChatMessage { at: value.at.clone(), role, blocks: signatures_to_calls(blocks), extra: object.rest() })
}

/// Closed thinking that we made to carry the signature of a call is that signature again.
fn signatures_to_calls(mut blocks: Vec<ContentBlock>) -> Vec<ContentBlock> {
    let closed: Vec<ThinkingSignature> = blocks.iter().filter_map(closed_of).cloned().collect();
    let mut carriers = Vec::new();
    for closed in closed {
        let call = blocks.iter_mut().find_map(|block| signed_by(block, &closed));
        if let Some(signature) = call {
            *signature = Some(ThinkingSignature { item: None, ..closed.clone() });
            carriers.push(closed);
        }
    }
    blocks.retain(|block| closed_of(block).is_none_or(|closed| !carriers.contains(closed)));
    blocks
}

fn closed_of(block: &ContentBlock) -> Option<&ThinkingSignature> {
    let BlockKind::ClosedThinking(closed) = &block.kind else { return None };
    Some(closed)
}

/// The signature of the call that `closed` was made for.
fn signed_by<'b>(block: &'b mut ContentBlock, closed: &ThinkingSignature) -> Option<&'b mut Option<ThinkingSignature>> {
    let BlockKind::Call { id, signature, .. } = &mut block.kind else { return None };
    call::is_carrier(closed, id).then_some(signature)
}
