//! Texts of the inner language that are objects here: arguments and results.

use std::convert::Infallible;

use serde_json::value::RawValue;

use super::super::json::ObjectWriter;

/// Arguments as an object. What is no JSON object, models err, stands whole under one name.
pub fn arguments(text: &str) -> Box<RawValue> {
    match object(text) {
        Some(object) => object,
        None if text.trim().is_empty() => of_writer(|_| {}),
        None => of_writer(|object| {
            object.member("raw_arguments", text);
        }),
    }
}

/// A result as an object: the one that the text is, or the text under the name that the format has for it.
pub fn response(texts: &[&str], failed: bool) -> Box<RawValue> {
    if let ([text], false) = (texts, failed)
        && let Some(object) = object(text)
    {
        return object;
    }
    let name = if failed { "error" } else { "result" };
    of_writer(|object| {
        match texts {
            [text] => object.member(name, text),
            [] => object.member(name, ""),
            texts => object.member(name, texts),
        };
    })
}

/// An object, written.
pub fn of_writer(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Box<RawValue> {
    let written = try_of_writer(|object| {
        write(object);
        Ok::<_, Infallible>(())
    });
    written.unwrap_or_else(|never| match never {})
}

/// An object, written; nothing of it is left when that fails.
///
/// # Errors
/// As `write`.
pub fn try_of_writer<E>(write: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), E>) -> Result<Box<RawValue>, E> {
    let mut out = Vec::new();
    let mut object = ObjectWriter::new(&mut out);
    write(&mut object)?;
    object.end();
    let text = String::from_utf8(out).expect("written from texts");
    Ok(RawValue::from_string(text).expect("written as JSON"))
}

/// Makes JSON one line. Between its tokens line ends mean nothing, and inside texts they cannot stand.
pub fn one_line(json: &mut [u8]) {
    for byte in json {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

fn object(text: &str) -> Option<Box<RawValue>> {
    let raw: Box<RawValue> = serde_json::from_str(text).ok()?;
    raw.get().starts_with('{').then_some(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_comes_is_an_object() {
        for (given, expected) in [
            ("", "{}"),
            (" ", "{}"),
            (" {\"b\":1.0,\"a\":12345678901234567890} ", "{\"b\":1.0,\"a\":12345678901234567890}"),
            ("{\"a\":", r#"{"raw_arguments":"{\"a\":"}"#),
            ("[1]", r#"{"raw_arguments":"[1]"}"#),
        ] {
            assert_eq!(arguments(given).get(), expected);
        }
        assert_eq!(response(&["{\"a\":1}"], false).get(), "{\"a\":1}");
        assert_eq!(response(&["x", "y"], false).get(), r#"{"result":["x","y"]}"#);
        assert_eq!(response(&["x"], true).get(), r#"{"error":"x"}"#);
        assert_eq!(response(&[], false).get(), r#"{"result":""}"#);
    }
}
