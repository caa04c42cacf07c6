//! The edit that every unary request needs: the provider's name of the model.

use std::ops::Range;

use bytes::Bytes;

use tollgate_formats::wire::splice::JsonSplice;

/// Replaces the model's name in an object, or adds it as the first member.
pub fn put_model(splice: &mut JsonSplice, object: &[u8], start: usize, named: Option<Range<usize>>, model: &str) {
    let name = serde_json::Value::from(model).to_string();
    match named {
        Some(place) => splice.replace(place, name),
        None => {
            let brace = object.iter().position(|byte| *byte == b'{').expect("what is edited is a JSON object");
            let empty = object[brace + 1..].trim_ascii_start().starts_with(b"}");
            let comma = if empty { "" } else { "," };
            let at = start + brace + 1;
            splice.replace(at..at, format!("\"model\":{name}{comma}"));
        }
    }
}

/// The body with the model's name; the client's own bytes where it is the same.
pub fn with_model(bytes: &Bytes, named: Option<(&str, Range<usize>)>, model: &str) -> Bytes {
    let mut splice = JsonSplice::default();
    match named {
        Some((name, _)) if name == model => {}
        named => put_model(&mut splice, bytes, 0, named.map(|(_, place)| place), model),
    }
    splice.apply(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_put_where_it_stands_or_in_front() {
        for (body, named, expected) in [
            (r#"{"model": "m","input":1}"#, Some(("m", 10..13)), r#"{"model": "up","input":1}"#),
            (r#"{"model":"up","input":1}"#, Some(("up", 9..13)), r#"{"model":"up","input":1}"#),
            (r#" {"input":1}"#, None, r#" {"model":"up","input":1}"#),
            ("{ }", None, r#"{"model":"up" }"#),
        ] {
            assert_eq!(with_model(&Bytes::from_static(body.as_bytes()), named, "up"), expected.as_bytes());
        }
    }
}
