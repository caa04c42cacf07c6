//! The endpoints of the sandbox beside conversations, in format O: embeddings, moderation and images.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use data_encoding::BASE64;
use http::header;
use serde_json::{Value, json};

use super::chat::refuse;
use super::model::{embedding, tokens_of};

/// One pixel: a picture that every program can show.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0x00, 0x05, 0x00, 0x01, 0xff, 0x89, 0x99, 0x3d,
    0x1d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];
const CREATED: u64 = 1_700_000_000;
/// A text with this word is flagged.
const FLAGGED: &str = "flag-me";

/// `POST /v1/embeddings`.
pub(super) async fn embed(body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else { return refuse("the body is not JSON") };
    let texts = texts(&request["input"]);
    if texts.is_empty() {
        return refuse("`input` must be a text or a list of texts");
    }
    let in_base64 = request["encoding_format"] == "base64";
    let tokens: usize = texts.iter().map(|text| tokens_of(text).count()).sum();
    let one = |(index, text): (usize, &String)| {
        let vector = embedding(text);
        let written = if in_base64 {
            json!(BASE64.encode(&vector.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>()))
        } else {
            json!(vector)
        };
        json!({"object": "embedding", "index": index, "embedding": written})
    };
    let data: Vec<_> = texts.iter().enumerate().map(one).collect();
    let usage = json!({"prompt_tokens": tokens, "total_tokens": tokens});
    answer(&json!({"object": "list", "data": data, "model": request["model"], "usage": usage}))
}

/// `POST /v1/moderations`.
pub(super) async fn moderate(body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else { return refuse("the body is not JSON") };
    let verdict = |text: &String| {
        let flagged = text.contains(FLAGGED);
        let score = if flagged { 1.0 } else { 0.0 };
        json!({"flagged": flagged, "categories": {"harassment": flagged}, "category_scores": {"harassment": score}})
    };
    let results: Vec<_> = texts(&request["input"]).iter().map(verdict).collect();
    answer(&json!({"id": "modr-sandbox", "model": request["model"], "results": results}))
}

/// `POST /v1/images/generations` and `/v1/images/edits`, the latter in a form or in JSON.
pub(super) async fn generate_images(body: Bytes) -> Response {
    let count = match serde_json::from_slice::<Value>(&body) {
        Ok(request) => request["n"].as_u64().unwrap_or(1),
        // A form, or a mistake of a caller that does not pass through the gateway.
        Err(_) => part(&body, "n").and_then(|count| count.parse().ok()).unwrap_or(1),
    };
    let picture = json!({"b64_json": BASE64.encode(PICTURE), "revised_prompt": "one pixel, drawn by the sandbox"});
    let data: Vec<_> = (0..count.clamp(1, 10)).map(|_| picture.clone()).collect();
    answer(&json!({"created": CREATED, "data": data}))
}

/// The text of a part of a form.
pub(super) fn part(body: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let (_, rest) = text.split_once(&format!("; name=\"{name}\"\r\n\r\n"))?;
    Some(rest.split("\r\n").next()?.to_owned())
}

pub(super) fn answer(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

fn texts(input: &Value) -> Vec<String> {
    match input {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => {
            list.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_form_are_found() {
        let form = b"--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n3\r\n--b--\r\n";
        assert_eq!((part(form, "n").as_deref(), part(form, "m")), (Some("3"), None));
    }
}
