//! Calls that an assistant asks for, read: `tool_calls` and the older `function_call`. The same in requests and
//! answers.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, MalformedRequest, ThinkingSignature, UnknownMember};
use super::native_members;
use super::origin::MessageOrigin;

/// Reads one element of `tool_calls`. An upstream's call may come without an id; the caller then makes one.
pub fn read(value: &JsonValue<'_>, origin: MessageOrigin<'_>) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.text(&["type"])?.unwrap_or_else(|| "function".to_owned());
    let custom = name == "custom";
    if !custom && name != "function" {
        let kind = BlockKind::Other { name, raw: value.raw.to_owned() };
        return Ok(ContentBlock { at: value.at.clone(), kind, extra: Vec::new() });
    }
    let id = match origin {
        MessageOrigin::Client => object.required(&["id"])?.text()?,
        MessageOrigin::Upstream(_) => object.text(&["id"])?.unwrap_or_default(),
    };
    let (id, on_id) = ThinkingSignature::split_from_id(&id);
    let (beside, mut extra) = signature(&mut object, origin)?;
    let (name, arguments) = called(&mut object, custom, origin, &mut extra)?;
    extra.extend(object.rest());
    let kind = BlockKind::Call { id: id.to_owned(), name, arguments, custom, signature: on_id.or(beside) };
    Ok(ContentBlock { at: value.at.clone(), kind, extra })
}

/// Reads the older form, one call without an id.
pub fn function_call(
    value: &JsonValue<'_>,
    id: String,
    origin: MessageOrigin<'_>,
) -> Result<ContentBlock, MalformedRequest> {
    let mut object = value.object()?;
    let name = object.required(&["name"])?.text()?;
    let arguments = arguments(&mut object, "arguments", origin)?;
    let kind = BlockKind::Call { id, name, arguments, custom: false, signature: None };
    Ok(ContentBlock { at: value.at.clone(), kind, extra: object.rest() })
}

/// The signature that a call has in `extra_content.google`, and what else stands there.
pub fn signature(
    call: &mut JsonObject<'_>,
    origin: MessageOrigin<'_>,
) -> Result<(Option<ThinkingSignature>, Vec<UnknownMember>), MalformedRequest> {
    let Some(mut content) = call.object(&["extra_content"])? else { return Ok((None, Vec::new())) };
    let Some(mut google) = content.object(&["google"])? else {
        return Ok((None, native_members::rest_of("extra_content", content)));
    };
    let text = google.text(&["thought_signature"])?;
    let mut extra = native_members::rest_of("extra_content.google", google);
    extra.extend(native_members::rest_of("extra_content", content));
    Ok((text.map(|text| origin.signature(None, text)), extra))
}

fn called(
    call: &mut JsonObject<'_>,
    custom: bool,
    origin: MessageOrigin<'_>,
    extra: &mut Vec<UnknownMember>,
) -> Result<(String, String), MalformedRequest> {
    let (member, input) = if custom { ("custom", "input") } else { ("function", "arguments") };
    let mut object = call.required(&[member])?.object()?;
    let name = object.required(&["name"])?.text()?;
    let arguments = arguments(&mut object, input, origin)?;
    extra.extend(native_members::rest_of(member, object));
    Ok((name, arguments))
}

/// Arguments are a text that holds JSON. Some upstreams send the object itself.
pub fn arguments(
    object: &mut JsonObject<'_>,
    name: &str,
    origin: MessageOrigin<'_>,
) -> Result<String, MalformedRequest> {
    let Some(value) = object.value(&[name]) else { return Ok(String::new()) };
    if origin.is_lenient() && !value.starts_with('"') {
        return Ok(value.raw.get().to_owned());
    }
    value.text()
}
