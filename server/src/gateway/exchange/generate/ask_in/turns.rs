//! `contents`: the conversation.

use super::super::super::json::Value;
use super::super::super::{Block, Extra, Kind, Role, Signature, Turn, Unreadable};
use super::super::part::{Part, Payload, listed};
use super::super::signing;
use super::calls::OpenCalls;

/// Reads all of them.
///
/// # Errors
/// When there are none, one is empty, or something in them is of the wrong type.
pub fn read(contents: &Value<'_>) -> Result<Vec<Turn>, Unreadable> {
    let list = listed(contents)?;
    if list.is_empty() {
        return Err(contents.wrong("a list with at least one content"));
    }
    let mut open = OpenCalls::default();
    let mut turns = list.iter().map(|value| turn(value, &mut open)).collect::<Result<Vec<_>, _>>()?;
    join_thinking(&mut turns);
    Ok(turns)
}

fn turn(value: &Value<'_>, open: &mut OpenCalls) -> Result<Turn, Unreadable> {
    let mut content = value.object()?;
    let role = content.value(&["role"]).map_or(Ok(Role::User), |role| self::role(&role))?;
    let parts = content.required(&["parts"])?;
    let list = listed(&parts)?;
    if list.is_empty() {
        return Err(parts.wrong("a list with at least one part"));
    }
    let blocks: Vec<Block> = list.iter().map(|part| block(part, open)).collect::<Result<_, _>>()?;
    for (part, block) in list.iter().zip(&blocks) {
        if matches!(block.kind, Kind::Call { .. }) && role != Role::Model {
            return Err(part.wrong("in a content of role `model`"));
        }
        if matches!(block.kind, Kind::CallResult { .. }) && role == Role::Model {
            return Err(part.wrong("in a content of role `user`"));
        }
    }
    Ok(Turn { at: value.at.clone(), role, blocks, extra: content.rest() })
}

fn role(value: &Value<'_>) -> Result<Role, Unreadable> {
    match value.text()?.to_ascii_lowercase().as_str() {
        "user" | "function" | "" => Ok(Role::User),
        "model" => Ok(Role::Model),
        _ => Err(value.wrong("one of `user`, `model`")),
    }
}

fn block(value: &Value<'_>, open: &mut OpenCalls) -> Result<Block, Unreadable> {
    let part = Part::read(value)?;
    let thought = part.thought.as_ref().map(Value::flag).transpose()?.unwrap_or(false);
    let signature = part.signature.as_ref().map(Value::text).transpose()?;
    let signature = signature.as_deref().map(signing::read);
    let Part { at, payload, mut extra, .. } = part;
    let kind = match payload {
        Payload::Nothing => match signature {
            Some(closed) if closed.maker.is_some() && !thought => Kind::ClosedThinking(closed),
            Some(signature) => thinking(String::new(), Some(signature)),
            None => return Err(value.wrong("a part that holds something")),
        },
        Payload::Text(text) if thought || (text.is_empty() && signature.is_some()) => thinking(text, signature),
        Payload::Call { id, name, arguments } => open.call(&at, id, name, arguments, signature),
        Payload::Result { id, name, content, failed } => {
            let id = open.result(&at, id, &name);
            Kind::CallResult { id, name: Some(name), content, failed }
        }
        Payload::Text(text) => {
            extra.extend(part.signature.map(|signature| beside("thoughtSignature", &signature)));
            Kind::Text(text)
        }
        Payload::Media(kind) => {
            extra.extend(part.signature.map(|signature| beside("thoughtSignature", &signature)));
            extra.extend(part.thought.filter(|_| thought).map(|thought| beside("thought", &thought)));
            kind
        }
        Payload::Other { name, raw } => Kind::Other { name, raw },
    };
    Ok(Block { at, kind, extra })
}

const fn thinking(text: String, signature: Option<Signature>) -> Kind {
    Kind::Thinking { text, id: None, signature }
}

fn beside(name: &str, value: &Value<'_>) -> Extra {
    Extra { at: value.at.clone(), name: name.to_owned(), value: value.raw.to_owned() }
}

/// A thought that was streamed comes back as it went out, in pieces, and only the last one is signed. What another format's
/// maker signed is the whole: the pieces become one again.
fn join_thinking(turns: &mut Vec<Turn>) {
    let mut pieces: Vec<&mut String> = Vec::new();
    for turn in turns.iter_mut() {
        if turn.role != Role::Model {
            pieces.clear();
        }
        for block in &mut turn.blocks {
            let Kind::Thinking { text, signature, .. } = &mut block.kind else {
                pieces.clear();
                continue;
            };
            match signature.as_ref().map(|signature| signature.maker.is_some()) {
                None => pieces.push(text),
                Some(true) => {
                    let before: String = pieces.drain(..).map(std::mem::take).collect();
                    text.insert_str(0, &before);
                }
                Some(false) => pieces.clear(),
            }
        }
    }
    let says = |block: &Block| !matches!(&block.kind, Kind::Thinking { text, signature: None, .. } if text.is_empty());
    for turn in turns.iter_mut() {
        turn.blocks.retain(says);
    }
    turns.retain(|turn| !turn.blocks.is_empty());
}
