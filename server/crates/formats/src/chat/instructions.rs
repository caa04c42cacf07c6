//! Instructions before the conversation. Here they are messages; inside, blocks of `ChatRequest::system`.
//!
//! Members of the message and not of its parts are kept on its first block, below `message`: its name, and
//! `message.developer` where it goes by the newer role. That one is null, for it asks for nothing: other formats know
//! one kind of instructions.

use serde_json::value::RawValue;

use super::super::json::JsonObject;
use super::super::{ContentBlock, MalformedRequest, UnknownMember};
use super::native_members;
use super::parts;

/// Below this stand the members of the message.
pub const MESSAGE: &str = "message";
/// Marks the role `developer`.
pub const DEVELOPER: &str = "developer";

/// Reads a message of the role `system` or `developer`, its role taken already.
pub fn read(mut message: JsonObject<'_>, developer: bool) -> Result<Vec<ContentBlock>, MalformedRequest> {
    let role = developer.then(|| UnknownMember {
        at: message.place("role"),
        name: format!("{MESSAGE}.{DEVELOPER}"),
        value: RawValue::NULL.to_owned(),
    });
    let mut blocks = parts::read(&message.required(&["content"])?)?;
    if let Some(first) = blocks.first_mut() {
        first.extra.extend(role);
        first.extra.extend(native_members::rest_of(MESSAGE, message));
    }
    Ok(blocks)
}

/// The blocks by the message that they came from. Those of other formats are one message.
pub fn messages<'a>(system: impl Iterator<Item = &'a ContentBlock>, same_format: bool) -> Vec<Vec<&'a ContentBlock>> {
    let mut messages: Vec<Vec<&ContentBlock>> = Vec::new();
    for block in system {
        match messages.last_mut() {
            Some(last) if !same_format || message_of(last[0]) == message_of(block) => last.push(block),
            _ => messages.push(vec![block]),
        }
    }
    messages
}

/// `messages[0]` of `messages[0].content[1]`.
fn message_of(block: &ContentBlock) -> &str {
    block.at.split_once('.').map_or(block.at.as_str(), |(message, _)| message)
}
