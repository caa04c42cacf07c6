//! Items of the conversation, each a turn.

use super::super::{mark, media};
use super::content;
use crate::json::{JsonObject, JsonValue};
use crate::{
    BlockKind, ChatMessage, ContentBlock, MalformedRequest, MediaContent, MediaSource, MessageRole, ThinkingSignature,
    UnknownMember,
};

/// Members that tell of an item's own life and ask for nothing.
const OWN: [&str; 4] = ["id", "status", "phase", "created_by"];

/// Reads `input`: a text, or items.
pub fn read(input: &JsonValue<'_>) -> Result<Vec<ChatMessage>, MalformedRequest> {
    const EXPECTED: &str = "a text or a list of items, not empty";
    if input.starts_with('"') {
        let text = input.text()?;
        if text.is_empty() {
            return Err(input.wrong(EXPECTED));
        }
        let block = ContentBlock { at: input.at.clone(), kind: BlockKind::Text(text), extra: Vec::new() };
        return Ok(vec![ChatMessage {
            at: input.at.clone(),
            role: MessageRole::User,
            blocks: vec![block],
            extra: Vec::new(),
        }]);
    }
    let items = input.list().map_err(|_| input.wrong(EXPECTED))?;
    if items.is_empty() {
        return Err(input.wrong(EXPECTED));
    }
    items.iter().map(item).collect()
}

fn item(value: &JsonValue<'_>) -> Result<ChatMessage, MalformedRequest> {
    let mut object = value.object()?;
    let kind = match object.text(&["type"])? {
        Some(kind) => kind,
        None if object.has("role") => "message".to_owned(),
        None if object.has("id") => "item_reference".to_owned(),
        None => return Err(object.missing("type")),
    };
    match kind.as_str() {
        "message" => message(value, object),
        "function_call" => call(value, object, false),
        "custom_tool_call" => call(value, object, true),
        "function_call_output" => call_result(value, object, None),
        "custom_tool_call_output" => call_result(value, object, Some(&kind)),
        "reasoning" => reasoning(value, object),
        "compaction" => compaction(value, object),
        "image_generation_call" if object.has("result") => picture(value, object),
        _ => Ok(turn(value, of(&kind), BlockKind::Other { name: kind, raw: value.raw.to_owned() }, Vec::new())),
    }
}

fn turn(value: &JsonValue<'_>, role: MessageRole, kind: BlockKind, extra: Vec<UnknownMember>) -> ChatMessage {
    let block = ContentBlock { at: value.at.clone(), kind, extra };
    ChatMessage { at: value.at.clone(), role, blocks: vec![block], extra: Vec::new() }
}

/// The role for an item of an unknown kind: the client gives results and approvals, the model the rest.
fn of(kind: &str) -> MessageRole {
    let clients = ["_output", "_response", "_reference", "_trigger", "_tools"];
    if clients.iter().any(|ending| kind.ends_with(ending)) { MessageRole::User } else { MessageRole::Model }
}

fn message(value: &JsonValue<'_>, mut object: JsonObject<'_>) -> Result<ChatMessage, MalformedRequest> {
    let role = object.required(&["role"])?;
    let role = match role.text()?.as_str() {
        "user" => MessageRole::User,
        "assistant" => MessageRole::Model,
        "system" => MessageRole::System,
        "developer" => MessageRole::Developer,
        _ => return Err(role.wrong("one of `user`, `assistant`, `system`, `developer`")),
    };
    let blocks = content::read(&object.required(&["content"])?)?;
    Ok(ChatMessage { at: value.at.clone(), role, blocks, extra: mark::quiet(object.rest(), &OWN) })
}

fn call(value: &JsonValue<'_>, mut object: JsonObject<'_>, custom: bool) -> Result<ChatMessage, MalformedRequest> {
    let call_id = object.required(&["call_id"])?.text()?;
    let (id, signature) = ThinkingSignature::split_from_id(&call_id);
    let name = object.required(&["name"])?.text()?;
    let arguments = object.required(&[if custom { "input" } else { "arguments" }])?.text()?;
    let kind = BlockKind::Call { id: id.to_owned(), name, arguments, custom, signature };
    Ok(turn(value, MessageRole::Model, kind, mark::quiet(object.rest(), &OWN)))
}

fn call_result(
    value: &JsonValue<'_>,
    mut object: JsonObject<'_>,
    spelling: Option<&str>,
) -> Result<ChatMessage, MalformedRequest> {
    let call_id = object.required(&["call_id"])?.text()?;
    let content = content::read(&object.required(&["output"])?)?;
    let id = ThinkingSignature::split_from_id(&call_id).0.to_owned();
    let mut extra = mark::quiet(object.rest(), &OWN);
    extra.extend(spelling.map(|spelling| mark::text("type", spelling)));
    Ok(turn(value, MessageRole::User, BlockKind::CallResult { id, name: None, content, failed: None }, extra))
}

/// The raw text of the thinking where the provider shows it, else its summary. Both are kept as they stand besides, for
/// the provider whose signature belongs to them.
fn reasoning(value: &JsonValue<'_>, mut object: JsonObject<'_>) -> Result<ChatMessage, MalformedRequest> {
    let mut extra = Vec::new();
    let mut text = String::new();
    for name in ["content", "summary"] {
        let Some(parts) = object.value(&[name]) else { continue };
        if text.is_empty() {
            text = content::thinking(&parts)?;
        }
        extra.push(mark::raw(name, parts.raw));
    }
    let signature = object.text(&["encrypted_content"])?.map(|text| ThinkingSignature::read(&text));
    let id = object.text(&["id"])?;
    extra.extend(mark::quiet(object.rest(), &OWN));
    Ok(turn(value, MessageRole::Model, BlockKind::Thinking { text, id, signature }, extra))
}

fn compaction(value: &JsonValue<'_>, mut object: JsonObject<'_>) -> Result<ChatMessage, MalformedRequest> {
    let closed = object.required(&["encrypted_content"])?.text()?;
    let id = object.text(&["id"])?;
    Ok(turn(value, MessageRole::Model, BlockKind::Compaction { id, closed }, mark::quiet(object.rest(), &OWN)))
}

/// A picture that the model made. Without its bytes only its provider knows it.
fn picture(value: &JsonValue<'_>, mut object: JsonObject<'_>) -> Result<ChatMessage, MalformedRequest> {
    const KIND: &str = "image_generation_call";
    let Some(data) = object.text(&["result"])? else {
        return Ok(turn(
            value,
            MessageRole::Model,
            BlockKind::Other { name: KIND.into(), raw: value.raw.to_owned() },
            Vec::new(),
        ));
    };
    let data = media::standard(data);
    let mime = Some(media::picture_kind(&data).to_owned());
    let picture = MediaContent { mime, source: MediaSource::Base64(data), name: None, detail: None };
    let mut extra = vec![mark::text("type", KIND)];
    let rest = object.rest().into_iter().map(|member| UnknownMember { at: String::new(), ..member });
    extra.extend(rest);
    Ok(turn(value, MessageRole::Model, BlockKind::Image(picture), extra))
}
