//! Reading a request.

mod content;
mod items;
mod settings;
mod tools;

pub use tools::read as tools;

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ChatMessage, ChatRequest, ContentBlock, MalformedRequest, MessageRole};
use super::mark;

/// Reads a request for an answer.
///
/// What refers to something that is kept (`previous_response_id`, `conversation`, `prompt`) or asks for an answer later
/// (`background`) has been dealt with before: here it is a mistake.
///
/// # Errors
/// When it is not what the format says; the place is told.
pub fn read(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let input = object.required(&["input"])?;
    ask(object, Some(&input))
}

/// Reads a request that may be without a question: to count tokens, to compact a conversation.
///
/// # Errors
/// As [`read`].
pub fn read_context(body: &[u8]) -> Result<ChatRequest, MalformedRequest> {
    let mut object = JsonValue::document(body)?.object()?;
    let input = object.value(&["input"]);
    ask(object, input.as_ref())
}

fn ask(mut object: JsonObject<'_>, input: Option<&JsonValue<'_>>) -> Result<ChatRequest, MalformedRequest> {
    let mut ask = settings::read(&mut object)?;
    refuse_state(&mut object)?;
    if let Some(instructions) = object.value(&["instructions"]) {
        let text = instructions.text()?;
        ask.system.push(ContentBlock { at: instructions.at, kind: BlockKind::Text(text), extra: Vec::new() });
    }
    if let Some(input) = input {
        ask.turns = items::read(input)?;
        lift_instructions(&mut ask);
    }
    ask.extra.extend(mark::quiet(object.rest(), &["stream_options"]));
    Ok(ask)
}

/// Leaving one of these out would change the answer, and no provider could find what they name.
fn refuse_state(object: &mut JsonObject<'_>) -> Result<(), MalformedRequest> {
    for name in ["previous_response_id", "conversation", "prompt"] {
        if let Some(value) = object.value(&[name]) {
            return Err(value.wrong("absent for this model: send what it stands for"));
        }
    }
    match object.value(&["background"]) {
        Some(value) if value.flag()? => Err(value.wrong("false for this model")),
        _ => Ok(()),
    }
}

/// Instructions before the conversation belong to no turn. The last item stays one: a request has to have a turn.
fn lift_instructions(ask: &mut ChatRequest) {
    let before = ask.turns.iter().take_while(|turn| is_instructions(turn)).count();
    let before = before.min(ask.turns.len().saturating_sub(1));
    for ChatMessage { at: _, role, mut blocks, extra } in ask.turns.drain(..before) {
        let name = if role == MessageRole::Developer { "developer" } else { "system" };
        let members = std::iter::once(mark::text("role", name)).chain(extra).map(mark::onto_block);
        blocks[0].extra.extend(members);
        ask.system.append(&mut blocks);
    }
}

fn is_instructions(turn: &ChatMessage) -> bool {
    let of_program = matches!(turn.role, MessageRole::System | MessageRole::Developer);
    of_program && !turn.blocks.is_empty() && turn.blocks.iter().all(|block| matches!(block.kind, BlockKind::Text(_)))
}
