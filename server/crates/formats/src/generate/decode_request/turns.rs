//! `contents`: the conversation.

use super::super::part::{GeneratePart, PartPayload, listed};
use super::super::signing;
use super::calls::UnansweredCalls;
use crate::json::JsonValue;
use crate::{BlockKind, ChatMessage, ContentBlock, MalformedRequest, MessageRole, ThinkingSignature, UnknownMember};

/// Reads all of them.
///
/// # Errors
/// When there are none, one is empty, or something in them is of the wrong type.
pub fn read(contents: &JsonValue<'_>) -> Result<Vec<ChatMessage>, MalformedRequest> {
    let list = listed(contents)?;
    if list.is_empty() {
        return Err(contents.wrong("a list with at least one content"));
    }
    let mut open = UnansweredCalls::default();
    let mut turns = list.iter().map(|value| turn(value, &mut open)).collect::<Result<Vec<_>, _>>()?;
    join_thinking(&mut turns);
    Ok(turns)
}

fn turn(value: &JsonValue<'_>, open: &mut UnansweredCalls) -> Result<ChatMessage, MalformedRequest> {
    let mut content = value.object()?;
    let role = content.value(&["role"]).map_or(Ok(MessageRole::User), |role| self::role(&role))?;
    let parts = content.required(&["parts"])?;
    let list = listed(&parts)?;
    if list.is_empty() {
        return Err(parts.wrong("a list with at least one part"));
    }
    let blocks: Vec<ContentBlock> = list.iter().map(|part| block(part, open)).collect::<Result<_, _>>()?;
    for (part, block) in list.iter().zip(&blocks) {
        if matches!(block.kind, BlockKind::Call { .. }) && role != MessageRole::Model {
            return Err(part.wrong("in a content of role `model`"));
        }
        if matches!(block.kind, BlockKind::CallResult { .. }) && role == MessageRole::Model {
            return Err(part.wrong("in a content of role `user`"));
        }
    }
    Ok(ChatMessage { at: value.at.clone(), role, blocks, extra: content.rest() })
}

fn role(value: &JsonValue<'_>) -> Result<MessageRole, MalformedRequest> {
    match value.text()?.to_ascii_lowercase().as_str() {
        "user" | "function" | "" => Ok(MessageRole::User),
        "model" => Ok(MessageRole::Model),
        _ => Err(value.wrong("one of `user`, `model`")),
    }
}

fn block(value: &JsonValue<'_>, open: &mut UnansweredCalls) -> Result<ContentBlock, MalformedRequest> {
    let part = GeneratePart::read(value)?;
    let thought = part.thought.as_ref().map(JsonValue::flag).transpose()?.unwrap_or(false);
    let signature = part.signature.as_ref().map(JsonValue::text).transpose()?;
    let signature = signature.as_deref().map(signing::read);
    let GeneratePart { at, payload, mut extra, .. } = part;
    let kind = match payload {
        PartPayload::Nothing => match signature {
            Some(closed) if closed.maker.is_some() && !thought => BlockKind::ClosedThinking(closed),
            Some(signature) => thinking(String::new(), Some(signature)),
            None => return Err(value.wrong("a part that holds something")),
        },
        PartPayload::Text(text) if thought || (text.is_empty() && signature.is_some()) => thinking(text, signature),
        PartPayload::Call { id, name, arguments } => open.call(&at, id, name, arguments, signature),
        PartPayload::Result { id, name, content, failed } => {
            let id = open.result(&at, id, &name);
            BlockKind::CallResult { id, name: Some(name), content, failed }
        }
        PartPayload::Text(text) => {
            extra.extend(part.signature.map(|signature| beside("thoughtSignature", &signature)));
            BlockKind::Text(text)
        }
        PartPayload::Media(kind) => {
            extra.extend(part.signature.map(|signature| beside("thoughtSignature", &signature)));
            extra.extend(part.thought.filter(|_| thought).map(|thought| beside("thought", &thought)));
            kind
        }
        PartPayload::Other { name, raw } => BlockKind::Other { name, raw },
    };
    Ok(ContentBlock { at, kind, extra })
}

const fn thinking(text: String, signature: Option<ThinkingSignature>) -> BlockKind {
    BlockKind::Thinking { text, id: None, signature }
}

fn beside(name: &str, value: &JsonValue<'_>) -> UnknownMember {
    UnknownMember { at: value.at.clone(), name: name.to_owned(), value: value.raw.to_owned() }
}

/// A thought that was streamed comes back as it went out, in pieces, and only the last one is signed. What another format's
/// maker signed is the whole: the pieces become one again.
fn join_thinking(turns: &mut Vec<ChatMessage>) {
    let mut pieces: Vec<&mut String> = Vec::new();
    for turn in turns.iter_mut() {
        if turn.role != MessageRole::Model {
            pieces.clear();
        }
        for block in &mut turn.blocks {
            let BlockKind::Thinking { text, signature, .. } = &mut block.kind else {
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
    let says = |block: &ContentBlock| !matches!(&block.kind, BlockKind::Thinking { text, signature: None, .. } if text.is_empty());
    for turn in turns.iter_mut() {
        turn.blocks.retain(says);
    }
    turns.retain(|turn| !turn.blocks.is_empty());
}
