//! Ids and arguments of calls: which ids the format allows, and arguments that are objects here and text elsewhere.

use std::borrow::Cow;

use data_encoding::BASE64URL_NOPAD;
use serde_json::value::RawValue;

use super::super::json::{JsonValue, ObjectWriter};
use super::super::{Format, MalformedRequest, ThinkingSignature};

/// Before an id that had to be put in other letters.
const MAPPED: &str = "tg_";
/// The member that holds arguments which are no object: models err, and what they wrote must not be lost.
const UNPARSED: &str = "unparsed_arguments";

/// The id in letters that the format allows. The same id gives the same letters, so that call and result stay together,
/// and two ids never become one.
pub fn id(id: &str) -> Cow<'_, str> {
    let fits = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if fits { Cow::Borrowed(id) } else { Cow::Owned(format!("{MAPPED}{}", BASE64URL_NOPAD.encode(id.as_bytes()))) }
}

/// Arguments as the object that the format wants.
pub fn input(arguments: &str, custom: bool) -> Box<RawValue> {
    let text = arguments.trim();
    let text = if text.is_empty() { "{}" } else { text };
    let object = || RawValue::from_string(text.to_owned()).ok().filter(|_| text.starts_with('{'));
    if custom { unparsed(arguments) } else { object().unwrap_or_else(|| unparsed(arguments)) }
}

/// The arguments of an input, byte for byte.
///
/// # Errors
/// When it is no object.
pub fn arguments(input: &JsonValue<'_>) -> Result<String, MalformedRequest> {
    let mut object = input.object()?;
    let unparsed = object.raw(UNPARSED).filter(|raw| raw.get().starts_with('"'));
    match unparsed {
        Some(raw) if object.rest().is_empty() => JsonValue { at: input.at.clone(), raw }.text(),
        _ => Ok(input.raw.get().to_owned()),
    }
}

/// A call's signature as the data of a closed thinking block, told apart from other ones by the call's `id`.
pub fn carrier(id: &str, signature: &ThinkingSignature) -> String {
    let item = signature.item.clone().or_else(|| Some(id.to_owned()));
    ThinkingSignature { item, ..signature.clone() }.for_client(Format::Messages)
}

/// True if closed thinking carries the signature of the call `id`.
pub fn is_carrier(closed: &ThinkingSignature, id: &str) -> bool {
    closed.maker.is_some() && closed.item.as_deref() == Some(id)
}

fn unparsed(arguments: &str) -> Box<RawValue> {
    let mut text = Vec::new();
    let mut object = ObjectWriter::new(&mut text);
    object.member(UNPARSED, arguments);
    object.end();
    serde_json::from_slice(&text).expect("it was just written as JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_get_letters_that_are_allowed_and_stay_apart() {
        assert_eq!(id("toolu_01-a"), "toolu_01-a");
        for odd in ["functions.look:0", "functions:look.0", "", "ü"] {
            let mapped = id(odd);
            assert!(mapped.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
            assert_eq!(mapped, id(odd));
        }
        assert_ne!(id("functions.look:0"), id("functions:look.0"));
    }

    #[test]
    fn arguments_come_back_byte_for_byte() {
        for (text, written) in [
            ("", "{}"),
            ("{\"n\":12345678901234567890, \"f\":1.0}", "{\"n\":12345678901234567890, \"f\":1.0}"),
            ("{\"broken\":", r#"{"unparsed_arguments":"{\"broken\":"}"#),
            ("[1]", r#"{"unparsed_arguments":"[1]"}"#),
        ] {
            let input = input(text, false);
            assert_eq!(input.get(), written);
            let back = arguments(&JsonValue { at: String::new(), raw: &input }).expect("an object");
            assert_eq!(back, if text.is_empty() { "{}" } else { text });
        }
    }
}
