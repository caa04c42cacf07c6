//! Calls that an assistant asks for, read: `tool_calls` and the older `function_call`. The same in requests and
//! answers.

use super::super::json::{Object, Value};
use super::super::{Block, Extra, Kind, Signature, Unreadable};
use super::kept;
use super::origin::Origin;

/// Reads one element of `tool_calls`. An upstream's call may come without an id; the caller then makes one.
pub fn read(value: &Value<'_>, origin: Origin<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.text(&["type"])?.unwrap_or_else(|| "function".to_owned());
    let custom = name == "custom";
    if !custom && name != "function" {
        let kind = Kind::Other { name, raw: value.raw.to_owned() };
        return Ok(Block { at: value.at.clone(), kind, extra: Vec::new() });
    }
    let id = match origin {
        Origin::Client => object.required(&["id"])?.text()?,
        Origin::Upstream(_) => object.text(&["id"])?.unwrap_or_default(),
    };
    let (id, on_id) = Signature::off_id(&id);
    let (beside, mut extra) = signature(&mut object, origin)?;
    let (name, arguments) = called(&mut object, custom, origin, &mut extra)?;
    extra.extend(object.rest());
    let kind = Kind::Call { id: id.to_owned(), name, arguments, custom, signature: on_id.or(beside) };
    Ok(Block { at: value.at.clone(), kind, extra })
}

/// Reads the older form, one call without an id.
pub fn function_call(value: &Value<'_>, id: String, origin: Origin<'_>) -> Result<Block, Unreadable> {
    let mut object = value.object()?;
    let name = object.required(&["name"])?.text()?;
    let arguments = arguments(&mut object, "arguments", origin)?;
    let kind = Kind::Call { id, name, arguments, custom: false, signature: None };
    Ok(Block { at: value.at.clone(), kind, extra: object.rest() })
}

/// The signature that a call has in `extra_content.google`, and what else stands there.
pub fn signature(call: &mut Object<'_>, origin: Origin<'_>) -> Result<(Option<Signature>, Vec<Extra>), Unreadable> {
    let Some(mut content) = call.object(&["extra_content"])? else { return Ok((None, Vec::new())) };
    let Some(mut google) = content.object(&["google"])? else {
        return Ok((None, kept::rest_of("extra_content", content)));
    };
    let text = google.text(&["thought_signature"])?;
    let mut extra = kept::rest_of("extra_content.google", google);
    extra.extend(kept::rest_of("extra_content", content));
    Ok((text.map(|text| origin.signature(None, text)), extra))
}

fn called(
    call: &mut Object<'_>,
    custom: bool,
    origin: Origin<'_>,
    extra: &mut Vec<Extra>,
) -> Result<(String, String), Unreadable> {
    let (member, input) = if custom { ("custom", "input") } else { ("function", "arguments") };
    let mut object = call.required(&[member])?.object()?;
    let name = object.required(&["name"])?.text()?;
    let arguments = arguments(&mut object, input, origin)?;
    extra.extend(kept::rest_of(member, object));
    Ok((name, arguments))
}

/// Arguments are a text that holds JSON. Some upstreams send the object itself.
pub fn arguments(object: &mut Object<'_>, name: &str, origin: Origin<'_>) -> Result<String, Unreadable> {
    let Some(value) = object.value(&[name]) else { return Ok(String::new()) };
    if origin.forgiven() && !value.starts_with('"') {
        return Ok(value.raw.get().to_owned());
    }
    value.text()
}
