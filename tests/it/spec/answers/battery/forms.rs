//! Forms: boundaries, headers of parts, names, and values that are not what they should be.

use serde_json::Value;

use super::endpoint::Endpoint;
use super::{Case, May};

const TYPE: &str = "content-type: multipart/form-data; boundary=xx";
const FILE: &str = "; filename=\"a.png\"\r\nContent-Type: image/png";

/// The head of a part behind its boundary, up to its content.
fn part(head: &[u8], content: &[u8]) -> Vec<u8> {
    [b"--xx\r\n", head, b"\r\n\r\n", content, b"\r\n"].concat()
}

fn field(name: &str, content: &[u8]) -> Vec<u8> {
    part(format!("Content-Disposition: form-data; name=\"{name}\"").as_bytes(), content)
}

fn file(name: &str, more: &[u8]) -> Vec<u8> {
    part(&[format!("Content-Disposition: form-data; name=\"{name}\"").as_bytes(), more].concat(), b"\x89PNG\0\xff")
}

/// The members of the good body that are plain, as fields, and a picture.
fn good(endpoint: &Endpoint) -> Vec<Vec<u8>> {
    let members = endpoint.bodies[0].as_object().expect("an object").iter();
    let plain = members.filter_map(|(name, value)| match value {
        Value::String(text) => Some(field(name, text.as_bytes())),
        Value::Number(number) => Some(field(name, number.to_string().as_bytes())),
        _ => None,
    });
    plain.chain([file("image", FILE.as_bytes())]).collect()
}

fn whole(parts: &[Vec<u8>]) -> Vec<u8> {
    [&parts.concat()[..], b"--xx--\r\n"].concat()
}

pub(super) fn cases(endpoint: &Endpoint) -> Vec<Case> {
    let parts = good(endpoint);
    let body = whole(&parts);
    let mut cases = Vec::new();
    let mut add = |may, what: &str, line: &[u8], body: Vec<u8>| {
        cases.push(Case::new("form", may, what, endpoint.good.clone().typed(line).with_body(body)));
    };
    for line in [
        "content-type: multipart/form-data",
        "content-type: multipart/form-data; boundary=",
        "content-type: multipart/form-data; boundary=\"\"",
        "content-type: multipart/form-data; boundary=\"xx",
        "content-type: multipart/form-data; boundary=yy",
        "content-type: multipart/form-data; boundary=x",
        "content-type: multipart/mixed; boundary=xx",
    ] {
        add(May::Refused, line, line.as_bytes(), body.clone());
    }
    let long = [TYPE.as_bytes(), &b"x".repeat(200)].concat();
    add(May::Refused, "a long boundary", &long, body.clone());
    // Some readers strip it, and see other parts then.
    for boundary in ["xx ", " xx"] {
        let line = format!("content-type: multipart/form-data; boundary=\"{boundary}\"");
        let body = String::from_utf8_lossy(&body).replace("--xx", &format!("--{boundary}"));
        add(May::Refused, "a boundary with a blank at an end", line.as_bytes(), body.into_bytes());
    }
    add(May::Either, "two boundaries", b"content-type: multipart/form-data; boundary=xx; boundary=yy", body.clone());
    let mut add = |may, what: &str, body: Vec<u8>| add(may, what, TYPE.as_bytes(), body);
    for (what, body) in [
        ("empty", Vec::new()),
        ("no parts", b"--xx--\r\n".to_vec()),
        ("JSON", endpoint.bodies[0].to_string().into_bytes()),
        ("no end", parts.concat()),
        ("cut in a part", body[..body.len() - 20].to_vec()),
        ("cut in a head", b"--xx\r\nContent-Dispo".to_vec()),
        ("no first boundary", body[6..].to_vec()),
    ] {
        add(May::Refused, what, body);
    }
    let lines = String::from_utf8_lossy(&body).replace("\r\n", "\n").into_bytes();
    add(May::Either, "bare line ends", lines);
    add(May::Either, "words around", [b"before\r\n", &body[..], b"after"].concat());
    let cases_of_parts = odd_parts().into_iter().map(|(what, part)| (what, [part].to_vec()));
    for (what, more) in cases_of_parts.chain([("many parts", vec![field("x", b"1"); 10_000])]) {
        add(May::Either, what, whole(&[&parts[..], &more].concat()));
        add(May::Either, &format!("{what} in front"), whole(&[&more[..], &parts].concat()));
    }
    for at in 0..parts.len() {
        let mut less = parts.clone();
        less.remove(at);
        add(May::Either, &format!("without part {at}"), whole(&less));
        add(May::Either, &format!("part {at} twice"), whole(&[&parts[..], &parts[at..=at]].concat()));
    }
    for name in endpoint.fields.iter().map(|field| &field.name) {
        for value in [&b""[..], b"\xff", b"\0", b"-1", b"1.5", b"99999999999999999999", b"abc", b"{}", b"true", b" 1 "]
        {
            let what = format!("{name} = {}", value.escape_ascii());
            add(May::Either, &what, whole(&[&parts[..], &[field(name, value)]].concat()));
        }
        add(May::Either, &format!("{name} is a file"), whole(&[&parts[..], &[file(name, FILE.as_bytes())]].concat()));
    }
    cases
}

/// Parts with odd heads.
fn odd_parts() -> Vec<(&'static str, Vec<u8>)> {
    let long = [&b"Content-Disposition: form-data; name=\"x\"\r\nX-Own: "[..], &b"x".repeat(20_000)].concat();
    let name = [&b"Content-Disposition: form-data; name=\""[..], &b"x".repeat(10_000), b"\""].concat();
    let lines = [&b"Content-Disposition: form-data; name=\"x\""[..], &b"\r\nX-Own: 1".repeat(1_000)].concat();
    let file_name = [&b"; filename=\""[..], &b"x".repeat(10_000), b"\""].concat();
    vec![
        ("no head", part(b"", b"1")),
        ("no name", part(b"Content-Disposition: form-data", b"1")),
        ("an empty name", field("", b"1")),
        ("no disposition", part(b"Content-Type: text/plain", b"1")),
        ("another disposition", part(b"Content-Disposition: attachment; name=\"x\"", b"1")),
        ("an open quote", part(b"Content-Disposition: form-data; name=\"x", b"1")),
        ("no colon", part(b"Content-Disposition form-data", b"1")),
        ("a name in odd bytes", part(b"Content-Disposition: form-data; name=\"\xff\xfe\"", b"1")),
        ("NUL in a name", part(b"Content-Disposition: form-data; name=\"a\0b\"", b"1")),
        ("a long header", part(&long, b"1")),
        ("many headers", part(&lines, b"1")),
        ("a long name", part(&name, b"1")),
        (
            "two dispositions",
            part(b"Content-Disposition: form-data; name=\"x\"\r\nContent-Disposition: form-data; name=\"y\"", b"1"),
        ),
        ("a coding", part(b"Content-Disposition: form-data; name=\"x\"\r\nContent-Transfer-Encoding: base64", b"MQ==")),
        (
            "a form within",
            part(b"Content-Disposition: form-data; name=\"x\"\r\nContent-Type: multipart/mixed; boundary=y", b"--y--"),
        ),
        ("a file name in odd bytes", file("image", b"; filename=\"\xff\xfe.png\"")),
        ("a file name that climbs", file("image", b"; filename=\"../../../etc/passwd\"")),
        ("a file name with quotes", file("image", b"; filename=\"a\\\"b\\\\.png\"")),
        ("a file name with NUL", file("image", b"; filename=\"a\0.png\"")),
        ("a file name in another coding", file("image", b"; filename*=UTF-8''%ff%zz.png")),
        ("a long file name", file("image", &file_name)),
        ("a file without a name", file("image", b"; filename=\"\"")),
        ("a file of no type", file("image", b"; filename=\"a\"\r\nContent-Type: \xff")),
    ]
}
