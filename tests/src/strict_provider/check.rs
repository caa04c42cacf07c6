//! Checks that the formats share. Each says what the provider would say.

use data_encoding::BASE64;
use serde_json::Value;

/// A refusal.
#[derive(Debug)]
pub(super) struct Complaint {
    pub(super) status: u16,
    pub(super) message: String,
}

/// What passed a check.
pub(super) type Checked<T = ()> = Result<T, Complaint>;

impl Complaint {
    /// A request that is wrong.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into() }
    }
}

/// Refuses what does not hold.
pub(super) fn ensure(holds: bool, message: impl Into<String>) -> Checked {
    if holds { Ok(()) } else { Err(Complaint::new(message)) }
}

/// Refuses members outside a list; `words` says it as the provider does.
pub(super) fn known(object: &Value, names: &[&str], words: impl Fn(&str) -> String) -> Checked {
    let Some(object) = object.as_object() else { return Err(Complaint::new("expected an object")) };
    match object.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(Complaint::new(words(name))),
        None => Ok(()),
    }
}

/// A list that must be there and hold something.
pub(super) fn list<'b>(value: &'b Value, name: &str) -> Checked<&'b [Value]> {
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    ensure(!items.is_empty(), format!("{name}: expected a non-empty array"))?;
    Ok(items)
}

/// A text that must be there and hold something.
pub(super) fn text<'b>(value: &'b Value, name: &str) -> Checked<&'b str> {
    let text = value.as_str().unwrap_or_default();
    ensure(!text.is_empty(), format!("{name}: expected a non-empty string"))?;
    Ok(text)
}

/// Whether a member is there; null stands for absent.
pub(super) fn has(object: &Value, name: &str) -> bool {
    !object[name].is_null()
}

/// A name of a function or an id, in the letters that all providers take.
pub(super) fn name<'b>(value: &'b Value, place: &str, length_max: usize) -> Checked<&'b str> {
    let name = text(value, place)?;
    let fits =
        name.len() <= length_max && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    ensure(fits, format!("{place}: '{name}' should match '^[a-zA-Z0-9_-]{{1,{length_max}}}$'"))?;
    Ok(name)
}

/// How many bytes a picture has, if it is one in standard base64 of a type that all providers take.
pub(super) fn picture(media_type: &str, data: &str) -> Checked<String> {
    let types = ["image/jpeg", "image/png", "image/gif", "image/webp"];
    ensure(types.contains(&media_type), format!("unsupported media type `{media_type}`"))?;
    let bytes =
        BASE64.decode(data.as_bytes()).map_err(|error| Complaint::new(format!("invalid base64 data: {error}")))?;
    ensure(!bytes.is_empty(), "image is empty")?;
    Ok(format!("{media_type} of {} bytes", bytes.len()))
}

/// A picture in a `data:` address.
pub(super) fn data_url(url: &str) -> Checked<String> {
    let inside = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    let Some((media_type, data)) = inside else { return Err(Complaint::new("invalid image URL")) };
    picture(media_type, data)
}

/// The schema of a function's parameters: an object, as every provider wants it.
pub(super) fn parameters(schema: &Value, place: &str) -> Checked {
    ensure(schema["type"] == "object", format!("{place}: schema must be of type \"object\""))
}

/// A header that carries the key.
pub(super) fn key(found: Option<&str>, expected: &str) -> Checked {
    if found == Some(expected) {
        return Ok(());
    }
    Err(Complaint { status: 401, message: "invalid API key".to_owned() })
}
