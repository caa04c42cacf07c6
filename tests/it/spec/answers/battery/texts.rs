//! Bodies that are no JSON, or JSON that nobody should have to read.

use serde_json::Value;

use super::endpoint::Endpoint;
use super::{Case, May};

/// In place of a whole body.
#[rustfmt::skip] // a row is read as a row
const WHOLE: [&[u8]; 22] = [
    b"", b" ", b"\n\n", b"null", b"true", b"7", b"\"x\"", b"[]", b"[{}]", b"{", b"}", b"{}}", b"{\"model\"}", b"{\"model\":}",
    b"{'model':'small'}", b"{model:1}", b"{\"model\":\"small\",}", b"{/* */}", b"\0", b"\xff\xfe{\0}\0", b"model=small",
    b"<model/>",
];

/// Values behind a member that nobody knows: no JSON.
#[rustfmt::skip]
const NO_VALUES: [&[u8]; 19] = [
    b"NaN", b"Infinity", b"-", b"+1", b"01", b".5", b"1.", b"0x10", b"1e", b"tru", b"nul", b"undefined", b"'x'", b"\"\\x\"",
    b"\"\\u12\"", b"\"\n\"", b"\"\0\"", b"[1,]", b"{\"a\":1,}",
];

/// Bytes in a text that are no UTF-8.
#[rustfmt::skip]
const NO_TEXT: [&[u8]; 8] = [
    b"\xff", b"\xc3", b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\xf8\x88\x80\x80\x80",
];

/// Where a body is cut, in hundredths.
const CUTS: [usize; 7] = [1, 10, 30, 50, 70, 90, 99];

pub(super) fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let body = &endpoint.bodies[0];
    let text = body.to_string().into_bytes();
    let mut cases = Vec::new();
    let mut add = |kind, may, what: &str, body: Vec<u8>| {
        cases.push(Case::new(kind, may, what, endpoint.good.clone().with_body(body)));
    };
    for whole in WHOLE {
        add("json", May::Refused, &whole.escape_ascii().to_string(), whole.to_vec());
    }
    for cut in CUTS {
        add("cut", May::Refused, &format!("at {cut} of 100"), text[..text.len() * cut / 100].to_vec());
    }
    for value in NO_VALUES {
        add("json", May::Refused, &value.escape_ascii().to_string(), with(&text, b"odd", value));
    }
    for bytes in NO_TEXT {
        add(
            "utf-8",
            May::Refused,
            &bytes.escape_ascii().to_string(),
            with(&text, b"odd", &[b"\"", bytes, b"\""].concat()),
        );
        add("utf-8", May::Refused, "in a name", with(&text, bytes, b"1"));
    }
    for (what, more) in [("a word", &b" x"[..]), ("a brace", b"}"), ("NUL", b"\0"), ("another", &text)] {
        add("behind", May::Refused, what, [&text, more].concat());
    }
    add("before", May::Refused, "byte order mark", [b"\xef\xbb\xbf", &text[..]].concat());
    let wide = String::from_utf8_lossy(&text).encode_utf16().flat_map(u16::to_le_bytes).collect();
    add("before", May::Refused, "UTF-16", wide);
    depths(&text, &mut add);
    sizes(&text, &mut add);
    twice(body, &mut add);
    cases
}

/// The body with a member more, in front.
fn with(text: &[u8], name: &[u8], value: &[u8]) -> Vec<u8> {
    [b"{\"", name, b"\":", value, b",", &text[1..]].concat()
}

fn depths(text: &[u8], add: &mut impl FnMut(&'static str, May, &str, Vec<u8>)) {
    for depth in [200, 5_000, 100_000] {
        for (what, open, close) in [("lists", "[", "]"), ("objects", "{\"a\":", "}")] {
            let value = [open.repeat(depth), "1".to_owned(), close.repeat(depth)].concat();
            add("depth", May::Refused, &format!("{depth} {what}"), with(text, b"odd", value.as_bytes()));
            add(
                "depth",
                May::Refused,
                &format!("{depth} {what}, open"),
                with(text, b"odd", open.repeat(depth).as_bytes()),
            );
            add("depth", May::Refused, &format!("{depth} {what} alone"), value.into_bytes());
        }
    }
}

/// Sound JSON of an unusual size.
fn sizes(text: &[u8], add: &mut impl FnMut(&'static str, May, &str, Vec<u8>)) {
    let digits = "7".repeat(10_000);
    let long = format!("\"{}\"", "x".repeat(100_000));
    let many: Vec<String> = (0..5_000).map(|number| format!("\"m{number}\":{number}")).collect();
    for (what, value) in [
        ("digits", digits.as_bytes()),
        ("decimals", format!("0.{digits}").as_bytes()),
        ("exponent", b"1e99999"),
        ("a long text", long.as_bytes()),
        ("many members", format!("{{{}}}", many.join(",")).as_bytes()),
        ("lone surrogate", b"\"\\ud800\""),
        ("surrogates in the wrong order", b"\"\\udc00\\ud800\""),
        ("NUL, escaped", b"\"\\u0000\""),
        ("no character", b"\"\\uffff\""),
    ] {
        add("size", May::Either, what, with(text, b"odd", value));
    }
    add("size", May::Either, "a long name", with(text, "x".repeat(100_000).as_bytes(), b"1"));
    add("size", May::Either, "an empty name", with(text, b"", b"1"));
    add("size", May::Either, "a name of half a character", with(text, b"\\ud800", b"1"));
    add("size", May::Either, "white space", [&b" \t\r\n".repeat(50_000), text].concat());
}

/// Each member twice: in other words, and spelt with escapes.
fn twice(body: &Value, add: &mut impl FnMut(&'static str, May, &str, Vec<u8>)) {
    let text = body.to_string().into_bytes();
    for name in body.as_object().expect("an object").keys() {
        let first = name.bytes().next().expect("a name");
        let escaped = format!("\\u{first:04x}{}", &name[1..]);
        for (name, value) in [(name, "null"), (name, "7"), (&escaped, "\"other\""), (&escaped, "[]")] {
            add("twice", May::Either, &format!("{name} {value}"), with(&text, name.as_bytes(), value.as_bytes()));
        }
    }
}
