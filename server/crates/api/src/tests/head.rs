//! Scanning of proxied bodies.

use bytes::Bytes;

use super::RULES;
use crate::{AList, Failure, Head, Members, ProxyBody, Raw, Spanned, Text, Whole};

#[derive(Debug, PartialEq)]
struct Chat {
    model: Spanned<String>,
    messages: Option<Spanned<Raw>>,
    max: Option<Spanned<Option<i64>>>,
    stream: Option<Spanned<bool>>,
}

impl Head for Chat {
    const NAMES: &'static [&'static str] = &["model", "messages", "max", "stream"];

    fn read(members: &Members<'_>) -> Result<Self, Failure> {
        Ok(Self {
            model: members.required("model", Text::of(1, 8))?,
            messages: members.optional("messages", AList::FILLED)?,
            max: members.nullable("max", Whole::least(1))?,
            stream: members.optional("stream", "true or false")?,
        })
    }
}

fn read(text: impl AsRef<[u8]>) -> Result<ProxyBody<Chat>, String> {
    let bytes = Bytes::copy_from_slice(text.as_ref());
    ProxyBody::read(bytes, &RULES).map_err(|failure| format!("{}: {}", failure.info().code, failure.say()))
}

#[test]
fn members_are_found_wherever_and_however_they_are_written() {
    let text = "\u{20}{ \"x\\n\":{\"model\":1},\n\t\"mod\\u0065l\" : \"\\u00e9\\ud83d\\ude00\" ,\"messages\":[1, {}] ,\"max\":null,\"é\":18446744073709551616e999}\r\n";
    let body = read(text).expect("a body");
    assert_eq!(body.bytes, text.as_bytes(), "not a byte is touched");
    assert_eq!(body.head.model.value, "é😀");
    assert_eq!(&text[body.head.model.span.clone()], "\"\\u00e9\\ud83d\\ude00\"");
    assert_eq!(body.head.messages.map(|messages| &text[messages.span]), Some("[1, {}]"));
    let max = body.head.max.expect("null has a place");
    assert_eq!((max.value, &text[max.span]), (None, "null"));
    assert_eq!(body.head.stream, None);
}

#[test]
fn null_is_absent_where_it_has_no_meaning() {
    let body = read(r#"{"model":"m","messages":null,"stream":null}"#).expect("a body");
    assert_eq!((body.head.messages, body.head.stream, body.head.max), (None, None, None));
}

#[test]
fn what_does_not_fit_is_named() {
    for (text, want) in [
        ("{}", "MISSING_FIELD: 'model' is missing"),
        (r#"{"model":null}"#, "BAD_FIELD: 'model' must be a text of 1 to 8 characters, not null"),
        (r#"{"model":""}"#, "BAD_FIELD: 'model' must be a text of 1 to 8 characters, not text"),
        (r#"{"model":"m","model":"n"}"#, "BAD_FIELD: 'model' must be one value, not the member twice"),
        (r#"{"model":"m","max":0}"#, "BAD_FIELD: 'max' must be a whole number of at least 1, not 0"),
        (r#"{"model":"m","max":1.5}"#, "BAD_FIELD: 'max' must be a whole number of at least 1, not 1.5"),
        (
            r#"{"model":"m","max":18446744073709551616}"#,
            "BAD_FIELD: 'max' must be a whole number of at least 1, not 18446744073709551616",
        ),
        (
            r#"{"model":"m","messages":{}}"#,
            "BAD_FIELD: 'messages' must be a list with at least one item, not an object",
        ),
        (
            "{\"model\":\"m\",\"messages\":[\n ]}",
            "BAD_FIELD: 'messages' must be a list with at least one item, not an empty list",
        ),
        (r#"{"model":"m","stream":"yes"}"#, "BAD_FIELD: 'stream' must be true or false, not text"),
    ] {
        assert_eq!(read(text).expect_err(text), want);
    }
}

#[test]
fn what_is_no_json_object_is_told_with_its_place() {
    for (text, line, column) in [
        (b"".as_slice(), 1, 0),
        (b"[]", 1, 0),
        (b"{\"model\":\"m\"", 1, 12),
        (b"{\"model\":\"m\"}\n}", 2, 1),
        (b"{\"a\":\n  tru}", 2, 6),
        (b"{\"a\":\n\"\xff\"}", 2, 2),
        (b"{\"a\":\"\x01\"}", 1, 6),
        (b"{\n\"a\":[[[[[[[[]]]]]]]]}", 2, 12),
    ] {
        let failure = ProxyBody::<Chat>::read(Bytes::copy_from_slice(text), &RULES).expect_err("no JSON object");
        assert_eq!(failure.info().code, "BAD_JSON", "{text:?}");
        let number = |name| failure.value(name).map(ToString::to_string);
        assert_eq!((number("line"), number("column")), (Some(line.to_string()), Some(column.to_string())), "{text:?}");
    }
}

#[test]
fn depth_costs_no_stack() {
    let bomb = "[".repeat(4 << 20);
    assert!(read(format!("{{\"x\":{bomb}")).expect_err("too deep").starts_with("BAD_JSON"));
}
