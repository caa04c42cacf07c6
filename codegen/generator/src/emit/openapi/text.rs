//! JSON as text, piece by piece: what is large is made and written side by side, and no tree of it all is ever there.
//!
//! A value that fits on a line stands on one; what does not, and what is put together of pieces, has a line for each member.

use serde_json::Value;

/// Spaces for each level of depth.
const STEP: usize = 2;
/// The most bytes of a line with more than one value, its indent and the comma after it included.
const WIDTH: usize = 120;

/// A part of a document, in pieces that are put together once.
#[derive(Debug)]
pub(super) struct JsonText(Vec<Vec<u8>>);

impl JsonText {
    /// All of it, and the end of the last line.
    pub(super) fn ended(mut self) -> Vec<u8> {
        self.0.push(b"\n".to_vec());
        self.0.concat()
    }
}

/// A value, as it is laid out at that depth after its name.
pub(super) fn value(depth: usize, name: &str, value: &Value) -> JsonText {
    let mut text = Vec::new();
    // Its quotes, colon and space, and a comma, which follows all but the last.
    let before = STEP * depth + name.len() + 5;
    write(&mut text, value, depth, before);
    JsonText(vec![text])
}

/// An object at that depth, of members that are laid out one deeper.
pub(super) fn object<N: AsRef<str>>(depth: usize, members: impl IntoIterator<Item = (N, JsonText)>) -> JsonText {
    let mut pieces = Vec::new();
    for (name, JsonText(member)) in members {
        let mut begin = if pieces.is_empty() { b"{".to_vec() } else { b",".to_vec() };
        new_line(&mut begin, depth + 1);
        quoted(&mut begin, name.as_ref());
        begin.extend_from_slice(b": ");
        pieces.push(begin);
        pieces.extend(member);
    }
    if pieces.is_empty() {
        return JsonText(vec![b"{}".to_vec()]);
    }
    let mut end = Vec::new();
    new_line(&mut end, depth);
    end.push(b'}');
    pieces.push(end);
    JsonText(pieces)
}

/// Writes a value at that depth, where so much stands on its line beside it.
fn write(text: &mut Vec<u8>, value: &Value, depth: usize, beside: usize) {
    let start = text.len();
    if flat(text, value, start + WIDTH.saturating_sub(beside)) {
        return;
    }
    text.truncate(start);
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                text.push(if index == 0 { b'[' } else { b',' });
                new_line(text, depth + 1);
                write(text, item, depth + 1, STEP * (depth + 1) + usize::from(index + 1 < items.len()));
            }
            new_line(text, depth);
            text.push(b']');
        }
        Value::Object(members) => {
            for (index, (name, member)) in members.iter().enumerate() {
                text.push(if index == 0 { b'{' } else { b',' });
                new_line(text, depth + 1);
                let line = text.len();
                quoted(text, name);
                text.extend_from_slice(b": ");
                let name = text.len() - line;
                write(text, member, depth + 1, STEP * (depth + 1) + name + usize::from(index + 1 < members.len()));
            }
            new_line(text, depth);
            text.push(b'}');
        }
        Value::String(word) => quoted(text, word),
        single => serde_json::to_writer(text, single).expect("a single value is JSON"),
    }
}

/// Writes a value on one line, and tells whether it ends before `end`; what is empty always does.
fn flat(text: &mut Vec<u8>, value: &Value, end: usize) -> bool {
    match value {
        Value::Array(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.extend_from_slice(b", ");
                }
                if !flat(text, item, end) {
                    return false;
                }
            }
            text.push(b']');
            items.is_empty() || text.len() <= end
        }
        Value::Object(members) => {
            text.push(b'{');
            for (index, (name, member)) in members.iter().enumerate() {
                if index > 0 {
                    text.extend_from_slice(b", ");
                }
                quoted(text, name);
                text.extend_from_slice(b": ");
                if !flat(text, member, end) {
                    return false;
                }
            }
            text.push(b'}');
            members.is_empty() || text.len() <= end
        }
        Value::String(word) if text.len() + word.len() > end => false,
        Value::String(word) => {
            quoted(text, word);
            text.len() <= end
        }
        single => {
            serde_json::to_writer(&mut *text, single).expect("a single value is JSON");
            text.len() <= end
        }
    }
}

fn quoted(text: &mut Vec<u8>, word: &str) {
    if word.bytes().any(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        serde_json::to_writer(text, word).expect("a text is JSON");
        return;
    }
    text.push(b'"');
    text.extend_from_slice(word.as_bytes());
    text.push(b'"');
}

fn new_line(text: &mut Vec<u8>, depth: usize) {
    text.push(b'\n');
    text.resize(text.len() + STEP * depth, b' ');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_on_a_line_stands_on_one() {
        let (long, short) = ("long ".repeat(20), json!({"a \"b\"": [1, {"c": {}}, []], "d": null}));
        let inner = json!({"short": short, "list": [long, {"deep": [long, 1, {}]}], "text": long.repeat(2)});
        let text =
            object(0, [("one", object(1, [("inner", value(2, "inner", &inner)), ("empty", object::<&str>(2, []))]))]);
        let text = String::from_utf8(text.ended()).expect("UTF-8");
        assert_eq!(
            text,
            format!(
                r#"{{
  "one": {{
    "inner": {{
      "short": {{"a \"b\"": [1, {{"c": {{}}}}, []], "d": null}},
      "list": [
        "{long}",
        {{
          "deep": [
            "{long}",
            1,
            {{}}
          ]
        }}
      ],
      "text": "{long}{long}"
    }},
    "empty": {{}}
  }}
}}
"#
            )
        );
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), json!({"one": {"inner": inner, "empty": {}}}));
    }

    #[test]
    fn a_line_is_as_long_as_it_may_be() {
        let lines = |value: Value| {
            let mut text = Vec::new();
            write(&mut text, &value, 0, 0);
            let text = String::from_utf8(text).expect("UTF-8");
            assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        // `  "list": ["", 1]`, and `{` and `}` around it. A comma follows all but the last.
        let room = WIDTH - 17;
        let at = |length: usize, last: bool| {
            let list = json!(["c".repeat(length), 1]);
            let more = "d".repeat(WIDTH);
            lines(if last { json!({"more": more, "list": list}) } else { json!({"list": list, "more": more}) })
        };
        for (last, comma) in [(true, 0), (false, 1)] {
            let fits = at(room - comma, last);
            assert_eq!(fits.len(), 4, "{fits:#?}");
            assert!(fits.iter().any(|line| line.contains("list") && line.len() == WIDTH), "{fits:#?}");
            assert_eq!(at(room - comma + 1, last).len(), 7);
        }
        assert_eq!(lines(json!(["c".repeat(WIDTH - 7), 1])).len(), 1);
        assert_eq!(lines(json!(["c".repeat(WIDTH - 6), 1])).len(), 4);
    }
}
