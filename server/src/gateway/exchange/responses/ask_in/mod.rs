//! Reading a request.

mod content;
mod items;
mod settings;
mod tools;

pub use tools::read as tools;

use super::super::json::{Object, Value};
use super::super::{Ask, Block, Kind, Role, Turn, Unreadable};
use super::mark;

/// Reads a request for an answer.
///
/// What refers to something that is kept (`previous_response_id`, `conversation`, `prompt`) or asks for an answer later
/// (`background`) has been dealt with before: here it is a mistake.
///
/// # Errors
/// When it is not what the format says; the place is told.
pub fn read(body: &[u8]) -> Result<Ask, Unreadable> {
    let mut object = Value::document(body)?.object()?;
    let input = object.required(&["input"])?;
    ask(object, Some(&input))
}

/// Reads a request that may be without a question: to count tokens, to compact a conversation.
///
/// # Errors
/// As [`read`].
pub fn read_context(body: &[u8]) -> Result<Ask, Unreadable> {
    let mut object = Value::document(body)?.object()?;
    let input = object.value(&["input"]);
    ask(object, input.as_ref())
}

fn ask(mut object: Object<'_>, input: Option<&Value<'_>>) -> Result<Ask, Unreadable> {
    let mut ask = settings::read(&mut object)?;
    refuse_state(&mut object)?;
    if let Some(instructions) = object.value(&["instructions"]) {
        let text = instructions.text()?;
        ask.system.push(Block { at: instructions.at, kind: Kind::Text(text), extra: Vec::new() });
    }
    if let Some(input) = input {
        ask.turns = items::read(input)?;
        lift_instructions(&mut ask);
    }
    ask.extra.extend(mark::quiet(object.rest(), &["stream_options"]));
    Ok(ask)
}

/// Leaving one of these out would change the answer, and no provider could find what they name.
fn refuse_state(object: &mut Object<'_>) -> Result<(), Unreadable> {
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
fn lift_instructions(ask: &mut Ask) {
    let before = ask.turns.iter().take_while(|turn| is_instructions(turn)).count();
    let before = before.min(ask.turns.len().saturating_sub(1));
    for Turn { at: _, role, mut blocks, extra } in ask.turns.drain(..before) {
        let name = if role == Role::Developer { "developer" } else { "system" };
        let members = std::iter::once(mark::text("role", name)).chain(extra).map(mark::onto_block);
        blocks[0].extra.extend(members);
        ask.system.append(&mut blocks);
    }
}

fn is_instructions(turn: &Turn) -> bool {
    let of_program = matches!(turn.role, Role::System | Role::Developer);
    of_program && !turn.blocks.is_empty() && turn.blocks.iter().all(|block| matches!(block.kind, Kind::Text(_)))
}
