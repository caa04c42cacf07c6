//! System texts and turns.

use super::super::super::json::{Object, Value};
use super::super::super::{Block, Kind, Role, Signature, Turn, Unreadable};
use super::super::block_in::{self, Side};
use super::super::call;

/// Instructions before the conversation: one text, or blocks.
///
/// # Errors
/// When it is neither.
pub fn system(object: &mut Object<'_>) -> Result<Vec<Block>, Unreadable> {
    let system = object.value(&["system"]).map(|value| block_in::content(&value, Side::Client));
    Ok(system.transpose()?.unwrap_or_default())
}

/// The conversation.
///
/// # Errors
/// When there is none, or a turn is broken.
pub fn read(object: &mut Object<'_>) -> Result<Vec<Turn>, Unreadable> {
    let messages = object.required(&["messages"])?;
    let list = messages.list()?;
    if list.is_empty() {
        return Err(messages.wrong("a list of at least one message"));
    }
    list.iter().map(turn).collect()
}

fn turn(value: &Value<'_>) -> Result<Turn, Unreadable> {
    let mut object = value.object()?;
    let word = object.required(&["role"])?;
    let role = match word.text()?.as_str() {
        "user" => Role::User,
        "assistant" => Role::Model,
        "system" => Role::System,
        _ => return Err(word.wrong("one of `user`, `assistant`, `system`")),
    };
    let blocks = block_in::content(&object.required(&["content"])?, Side::Client)?;
    Ok(Turn { at: value.at.clone(), role, blocks: signatures_to_calls(blocks), extra: object.rest() })
}

/// Closed thinking that we made to carry the signature of a call is that signature again.
fn signatures_to_calls(mut blocks: Vec<Block>) -> Vec<Block> {
    let closed: Vec<Signature> = blocks.iter().filter_map(closed_of).cloned().collect();
    let mut carriers = Vec::new();
    for closed in closed {
        let call = blocks.iter_mut().find_map(|block| signed_by(block, &closed));
        if let Some(signature) = call {
            *signature = Some(Signature { item: None, ..closed.clone() });
            carriers.push(closed);
        }
    }
    blocks.retain(|block| closed_of(block).is_none_or(|closed| !carriers.contains(closed)));
    blocks
}

fn closed_of(block: &Block) -> Option<&Signature> {
    let Kind::ClosedThinking(closed) = &block.kind else { return None };
    Some(closed)
}

/// The signature of the call that `closed` was made for.
fn signed_by<'b>(block: &'b mut Block, closed: &Signature) -> Option<&'b mut Option<Signature>> {
    let Kind::Call { id, signature, .. } = &mut block.kind else { return None };
    call::is_carrier(closed, id).then_some(signature)
}
