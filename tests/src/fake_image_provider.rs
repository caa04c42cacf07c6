//! A provider of format O that draws and changes pictures: it takes a form apart by its own rules, and tells with each picture what it was given.

use serde_json::{Value, json};

use crate::reply::Reply;
use crate::upstream::Received;

/// The answer to a request for pictures, or to change some, in a form or in JSON.
///
/// # Panics
/// When the request is not one that a provider would take.
#[must_use]
pub fn answer(request: &Received) -> Reply {
    if request.line == "POST /v1/images/generations HTTP/1.1" {
        return drawn(&serde_json::from_slice(&request.body).expect("JSON"));
    }
    assert_eq!(request.line, "POST /v1/images/edits HTTP/1.1");
    let kind = request.header("content-type").expect("a type");
    let (told, count) = match kind.strip_prefix("multipart/form-data; boundary=\"") {
        Some(rest) => form(&request.body, rest.strip_suffix('"').expect("its end")),
        None => references(&serde_json::from_slice(&request.body).expect("JSON")),
    };
    let picture = json!({"b64_json": "AAAA", "revised_prompt": told});
    Reply::json(200, &json!({"created": 7, "data": vec![picture; count]}))
}

fn drawn(body: &Value) -> Reply {
    let known = ["model", "prompt", "n", "size", "quality", "response_format", "background", "output_format", "user"];
    let members = body.as_object().expect("an object");
    if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
        let error = json!({"message": format!("Unknown parameter: '{name}'."), "type": "invalid_request_error"});
        return Reply::json(400, &json!({"error": error}));
    }
    let told: Vec<_> = members.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let mut picture = json!({"b64_json": "AAAA", "revised_prompt": told.join("; ")});
    if body["response_format"] == "url" {
        picture = json!({"url": "https://example.com/a.png"});
    }
    let count = usize::try_from(body["n"].as_u64().unwrap_or(1)).expect("a few");
    Reply::json(200, &json!({"created": 7, "data": vec![picture; count]}))
}

fn form(body: &[u8], boundary: &str) -> (String, usize) {
    // Any bytes are letters here.
    let text: String = body.iter().map(|byte| char::from(*byte)).collect();
    let mut parts: Vec<&str> = text.split(&format!("--{boundary}")).collect();
    assert_eq!((parts.remove(0), parts.pop().map(str::trim_end)), ("", Some("--")), "{text}");
    let (mut told, mut count) = (Vec::new(), 1);
    for part in parts {
        let (head, content) = part.split_once("\r\n\r\n").expect("headers and content");
        let content = content.strip_suffix("\r\n").expect("a line's end");
        let name = quoted(head, "; name=\"").expect("a name");
        if name == "n" {
            count = content.parse().expect("a number");
        }
        told.push(match quoted(head, "; filename=\"") {
            Some(file) => format!("{name}={file} of {} bytes", content.chars().count()),
            None => format!("{name}={}", utf8(content)),
        });
    }
    told.sort_unstable();
    (told.join("; "), count)
}

fn utf8(letters: &str) -> String {
    let bytes = letters.chars().map(|letter| u8::try_from(letter).expect("it was made of a byte")).collect();
    String::from_utf8(bytes).expect("text")
}

fn quoted<'t>(head: &'t str, before: &str) -> Option<&'t str> {
    head.split_once(before)?.1.split('"').next()
}

fn references(body: &Value) -> (String, usize) {
    let images = body["images"].as_array().expect("a list").iter();
    let images: Vec<_> = images.map(|image| image["image_url"].as_str().expect("an address")).collect();
    let told = [body["model"].as_str().expect("a name"), body["prompt"].as_str().expect("a text"), &images.join(" ")];
    (told.join("; "), usize::try_from(body["n"].as_u64().unwrap_or(1)).expect("a few"))
}
