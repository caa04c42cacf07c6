//! Headers: what a body is said to be, how it is framed, and what the formats have headers for.

use super::endpoint::Endpoint;
use super::{Case, May};

/// What a body of JSON may not be said to be.
#[rustfmt::skip] // a row is read as a row
const NO_TYPES: [&[u8]; 12] = [
    b"content-type:", b"content-type: text/plain", b"content-type: application/x-www-form-urlencoded",
    b"content-type: application/jsonx", b"content-type: json", b"content-type: application/",
    b"content-type: application/octet-stream", b"content-type: */*", b"content-type: application/json, text/plain",
    b"content-type: \xff\xfe", b"content-type: multipart/mixed; boundary=x", b"content-type: ;",
];

/// Unusual ways to say that it is JSON.
const TYPES: [&str; 6] = [
    "content-type: APPLICATION/JSON",
    "content-type:application/json",
    "content-type: application/json; charset=utf-8",
    "content-type: application/json; charset=latin1",
    "content-type: application/json;;;",
    "content-type: application/json; boundary=\"",
];

pub(super) fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let good = &endpoint.good;
    let mut cases = Vec::new();
    for name in ["a-version", "anthropic-version", "a-beta", "anthropic-beta"] {
        let values = ["", " ", "nonsense", "2023-06-01, 2023-06-01", "9999-99-99", "-1", "\u{e9}", "\t"];
        let values = values.map(str::to_owned).into_iter().chain(["x".repeat(40), "x".repeat(5_000)]);
        for value in values {
            let request = good.clone().without_header(name).with_header(format!("{name}: {value}"));
            let what = format!("{name}: {}", &value[..value.len().min(20)]);
            cases.push(Case::new("version", May::Either, what, request));
        }
        let twice = good.clone().with_header(format!("{name}: 1")).with_header(format!("{name}: 2"));
        cases.push(Case::new("version", May::Either, format!("{name} twice"), twice));
    }
    for (may, line) in [
        (May::Either, &b"x-own: \xff\xfe"[..]),
        (May::Either, b"x-request-id: \xff"),
        (May::Either, b"accept: nothing/at-all"),
        (May::Either, b"accept-encoding: \xff"),
        (May::Either, b"range: bytes=9-1"),
        (May::Either, b"if-none-match: *"),
        (May::Either, b"upgrade: websocket"),
        (May::Either, b"cookie: session=\xff"),
        (May::Closed, b"x-own: a\0b"),
        (May::Closed, b"x own: a"),
        (May::Closed, b": a"),
        (May::Closed, b"x-own"),
    ] {
        let what = line.escape_ascii().to_string();
        cases.push(Case::new("wire", may, what, good.clone().with_header(line)));
    }
    for (may, count) in [(May::Refused, 101), (May::Closed, 5_000)] {
        let many = (0..count).fold(good.clone(), |request, number| request.with_header(format!("x-{number}: 1")));
        cases.push(Case::new("wire", may, format!("{count} headers"), many));
    }
    let long = good.clone().with_header(format!("x-own: {}", "x".repeat(40_000)));
    cases.push(Case::new("wire", May::Refused, "a long header", long));
    cases
}

/// Of operations that take a body.
pub(super) fn of_a_body(endpoint: &Endpoint) -> Vec<Case> {
    let good = &endpoint.good;
    let mut cases = vec![Case::new("type", May::Either, "none", good.clone().without_header("content-type"))];
    for line in NO_TYPES {
        cases.push(Case::new("type", May::Refused, line.escape_ascii().to_string(), good.clone().typed(line)));
    }
    cases.extend(TYPES.map(|line| Case::new("type", May::Either, line, good.clone().typed(line))));
    let twice = good.clone().with_header("content-type: text/plain");
    cases.push(Case::new("type", May::Either, "two", twice));
    let long = good.clone().typed(format!("content-type: application/json; x={}", "x".repeat(8_000)));
    cases.push(Case::new("type", May::Either, "a long one", long));
    for encoding in ["gzip", "br", "zstd", "deflate", "compress", "gzip, gzip", "nothing"] {
        let garbage =
            good.clone().with_header(format!("content-encoding: {encoding}")).with_body(*b"\x1f\x8b\x08\0garbage");
        cases.push(Case::new("encoding", May::Refused, encoding, garbage));
    }
    let plain = good.clone().with_header("content-encoding: identity");
    cases.push(Case::new("encoding", May::Either, "identity", plain));
    framings(endpoint, &mut cases);
    cases
}

/// Bodies whose length is wrong, unclear, or too much.
fn framings(endpoint: &Endpoint, cases: &mut Vec<Case>) {
    let good = &endpoint.good;
    let body = good.body.clone().expect("a body");
    let mut add = |may, what: &str, request| cases.push(Case::new("framing", may, what, request));
    let over = format!("content-length: {}", endpoint.body_max + 1);
    add(May::Refused, "too large by its length", good.clone().with_body("").framed(&[&over]));
    add(May::Closed, "too large for a number", good.clone().framed(&["content-length: 99999999999999999999999"]));
    add(May::Closed, "a negative length", good.clone().framed(&["content-length: -1"]));
    add(May::Closed, "a length that is none", good.clone().framed(&["content-length: x"]));
    add(May::Closed, "two lengths", good.clone().framed(&["content-length: 5", "content-length: 6"]));
    add(May::Closed, "cut short", good.clone().framed(&["content-length: 9999"]).ending());
    add(May::Refused, "no length", good.clone().framed(&[]));
    add(May::Closed, "a coding that nobody knows", good.clone().framed(&["transfer-encoding: gzip"]).ending());
    let chunked = |body: Vec<u8>| good.clone().with_body(body).framed(&["transfer-encoding: chunked"]);
    let size = format!("{:x}", body.len());
    let chunk = |size: &str, end: &str| [size.as_bytes(), b"\r\n", &body, end.as_bytes()].concat();
    add(May::Either, "chunked", chunked(chunk(&size, "\r\n0\r\n\r\n")));
    add(May::Either, "an extension", chunked(chunk(&format!("{size};a=\"b\""), "\r\n0\r\n\r\n")));
    add(May::Either, "a trailer", chunked(chunk(&size, "\r\n0\r\nx-own: 1\r\n\r\n")));
    let each: Vec<u8> = body.iter().flat_map(|byte| [b"1\r\n", &[*byte][..], b"\r\n"].concat()).collect();
    add(May::Either, "a byte at a time", chunked([&each[..], b"0\r\n\r\n"].concat()));
    for (what, size, end) in [
        ("a size that is none", "zz", "\r\n0\r\n\r\n"),
        ("a negative size", "-5", "\r\n0\r\n\r\n"),
        ("a size too large", "fffffffffffffffff", "\r\n0\r\n\r\n"),
        ("no size", "", "\r\n0\r\n\r\n"),
        ("no line's end", size.as_str(), "0\r\n\r\n"),
        ("no last chunk", size.as_str(), "\r\n"),
        ("no end", size.as_str(), "\r\n0\r\n"),
    ] {
        add(May::Closed, what, chunked(chunk(size, end)).ending());
    }
    let both = chunked(chunk(&size, "\r\n0\r\n\r\n")).framed(&["content-length: 3"]);
    add(May::Closed, "a length and chunks", both);
    add(May::Either, "expects to be told", good.clone().with_header("expect: 100-continue"));
    add(May::Either, "expects something else", good.clone().with_header("expect: a miracle"));
}
