//! Items of the conversation, each a turn.

use super::super::super::json::{Object, Value};
use super::super::super::{Block, Extra, Kind, Media, Role, Signature, Source, Turn, Unreadable};
use super::super::{mark, media};
use super::content;

/// Members that tell of an item's own life and ask for nothing.
const OWN: [&str; 4] = ["id", "status", "phase", "created_by"];

/// Reads `input`: a text, or items.
pub fn read(input: &Value<'_>) -> Result<Vec<Turn>, Unreadable> {
    const EXPECTED: &str = "a text or a list of items, not empty";
    if input.starts_with('"') {
        let text = input.text()?;
        if text.is_empty() {
            return Err(input.wrong(EXPECTED));
        }
        let block = Block { at: input.at.clone(), kind: Kind::Text(text), extra: Vec::new() };
        return Ok(vec![Turn { at: input.at.clone(), role: Role::User, blocks: vec![block], extra: Vec::new() }]);
    }
    let items = input.list().map_err(|_| input.wrong(EXPECTED))?;
    if items.is_empty() {
        return Err(input.wrong(EXPECTED));
    }
    items.iter().map(item).collect()
}

fn item(value: &Value<'_>) -> Result<Turn, Unreadable> {
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
        _ => Ok(turn(value, of(&kind), Kind::Other { name: kind, raw: value.raw.to_owned() }, Vec::new())),
    }
}

fn turn(value: &Value<'_>, role: Role, kind: Kind, extra: Vec<Extra>) -> Turn {
    let block = Block { at: value.at.clone(), kind, extra };
    Turn { at: value.at.clone(), role, blocks: vec![block], extra: Vec::new() }
}

/// The role for an item of an unknown kind: the client gives results and approvals, the model the rest.
fn of(kind: &str) -> Role {
    let clients = ["_output", "_response", "_reference", "_trigger", "_tools"];
    if clients.iter().any(|ending| kind.ends_with(ending)) { Role::User } else { Role::Model }
}

fn message(value: &Value<'_>, mut object: Object<'_>) -> Result<Turn, Unreadable> {
    let role = object.required(&["role"])?;
    let role = match role.text()?.as_str() {
        "user" => Role::User,
        "assistant" => Role::Model,
        "system" => Role::System,
        "developer" => Role::Developer,
        _ => return Err(role.wrong("one of `user`, `assistant`, `system`, `developer`")),
    };
    let blocks = content::read(&object.required(&["content"])?)?;
    Ok(Turn { at: value.at.clone(), role, blocks, extra: mark::quiet(object.rest(), &OWN) })
}

fn call(value: &Value<'_>, mut object: Object<'_>, custom: bool) -> Result<Turn, Unreadable> {
    let call_id = object.required(&["call_id"])?.text()?;
    let (id, signature) = Signature::off_id(&call_id);
    let name = object.required(&["name"])?.text()?;
    let arguments = object.required(&[if custom { "input" } else { "arguments" }])?.text()?;
    let kind = Kind::Call { id: id.to_owned(), name, arguments, custom, signature };
    Ok(turn(value, Role::Model, kind, mark::quiet(object.rest(), &OWN)))
}

fn call_result(value: &Value<'_>, mut object: Object<'_>, spelling: Option<&str>) -> Result<Turn, Unreadable> {
    let call_id = object.required(&["call_id"])?.text()?;
    let content = content::read(&object.required(&["output"])?)?;
    let id = Signature::off_id(&call_id).0.to_owned();
    let mut extra = mark::quiet(object.rest(), &OWN);
    extra.extend(spelling.map(|spelling| mark::text("type", spelling)));
    Ok(turn(value, Role::User, Kind::CallResult { id, name: None, content, failed: None }, extra))
}

/// The raw text of the thinking where the provider shows it, else its summary. Both are kept as they stand besides, for
/// the provider whose signature belongs to them.
fn reasoning(value: &Value<'_>, mut object: Object<'_>) -> Result<Turn, Unreadable> {
    let mut extra = Vec::new();
    let mut text = String::new();
    for name in ["content", "summary"] {
        let Some(parts) = object.value(&[name]) else { continue };
        if text.is_empty() {
            text = content::thinking(&parts)?;
        }
        extra.push(mark::raw(name, parts.raw));
    }
    let signature = object.text(&["encrypted_content"])?.map(|text| Signature::read(&text));
    let id = object.text(&["id"])?;
    extra.extend(mark::quiet(object.rest(), &OWN));
    Ok(turn(value, Role::Model, Kind::Thinking { text, id, signature }, extra))
}

fn compaction(value: &Value<'_>, mut object: Object<'_>) -> Result<Turn, Unreadable> {
    let closed = object.required(&["encrypted_content"])?.text()?;
    let id = object.text(&["id"])?;
    Ok(turn(value, Role::Model, Kind::Compaction { id, closed }, mark::quiet(object.rest(), &OWN)))
}

/// A picture that the model made. Without its bytes only its provider knows it.
fn picture(value: &Value<'_>, mut object: Object<'_>) -> Result<Turn, Unreadable> {
    const KIND: &str = "image_generation_call";
    let Some(data) = object.text(&["result"])? else {
        return Ok(turn(value, Role::Model, Kind::Other { name: KIND.into(), raw: value.raw.to_owned() }, Vec::new()));
    };
    let data = media::standard(data);
    let mime = Some(media::picture_kind(&data).to_owned());
    let picture = Media { mime, source: Source::Base64(data), name: None, detail: None };
    let mut extra = vec![mark::text("type", KIND)];
    let rest = object.rest().into_iter().map(|member| Extra { at: String::new(), ..member });
    extra.extend(rest);
    Ok(turn(value, Role::Model, Kind::Image(picture), extra))
}
