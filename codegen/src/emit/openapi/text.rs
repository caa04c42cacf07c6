//! JSON as text, piece by piece: what is large is made and written side by side, and no tree of it all is ever there.

use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// Spaces for each level of depth.
const STEP: usize = 2;

/// A value, as it is laid out at that depth.
pub(super) fn value(depth: usize, value: &Value) -> Vec<u8> {
    let (mut text, mut layout) = (Vec::new(), PrettyFormatter::new());
    // It learns its depth only by what it opens.
    for _ in 0..depth {
        layout.begin_object(&mut std::io::sink()).expect("a sink takes everything");
    }
    serde::Serialize::serialize(value, &mut Serializer::with_formatter(&mut text, layout)).expect("keys are texts");
    text
}

/// An object at that depth, of members that are laid out one deeper.
pub(super) fn object<N: AsRef<str>>(depth: usize, members: impl IntoIterator<Item = (N, Vec<u8>)>) -> Vec<u8> {
    let members: Vec<(N, Vec<u8>)> = members.into_iter().collect();
    let inside = STEP * (depth + 1);
    // A name in quotes, a colon, a comma and the end of the line; what is escaped in a name makes it longer.
    let room = members.iter().map(|(name, member)| inside + name.as_ref().len() + member.len() + 6).sum::<usize>();
    let mut text = Vec::with_capacity(room + inside + 2);
    text.push(b'{');
    for (name, member) in members {
        text.extend_from_slice(if text.len() == 1 { b"\n" } else { b",\n" });
        text.resize(text.len() + inside, b' ');
        serde_json::to_writer(&mut text, name.as_ref()).expect("a text is JSON");
        text.extend_from_slice(b": ");
        text.extend_from_slice(&member);
    }
    if text.len() > 1 {
        text.push(b'\n');
        text.resize(text.len() + STEP * depth, b' ');
    }
    text.push(b'}');
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pieces_are_laid_out_as_the_whole_is() {
        let (inner, empty) = (json!({"a \"b\"": [1, {"c": {}}, []], "d": null}), json!({}));
        let whole = json!({"one": {"inner": inner, "empty": empty}, "two": "text"});
        let one = object(1, [("inner", value(2, &inner)), ("empty", object::<&str>(2, []))]);
        let text = object(0, [("one", one), ("two", value(1, &"text".into()))]);
        assert_eq!(String::from_utf8(text).unwrap(), serde_json::to_string_pretty(&whole).unwrap());
    }
}
