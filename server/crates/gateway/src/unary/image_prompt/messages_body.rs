//! Reading and writing of the body of messages with parameters.

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use tollgate_formats::MalformedRequest;

use super::prompt_body::READ;
use super::{ImagePrompt, unread};

/// The most images of one request; the spec bounds `n` of the other bodies.
const COUNT_MAX: u64 = 10;

#[derive(Deserialize)]
struct ImageMessagesBody {
    input: ImageMessagesInput,
    #[serde(default)]
    parameters: ImageParameters,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct ImageMessagesInput {
    messages: Vec<ImageMessage>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct ImageMessage {
    content: Vec<ImageMessagePart>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct ImageMessagePart {
    text: Option<String>,
    image: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize, Default)]
struct ImageParameters {
    n: Option<u64>,
    negative_prompt: Option<String>,
    size: Option<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl ImagePrompt {
    /// Reads the body for a provider of format O. It has one text.
    ///
    /// # Errors
    /// When a part is neither a text nor an image, or the count is out of bounds.
    pub(in super::super) fn of_messages(bytes: &[u8]) -> Result<Self, MalformedRequest> {
        let ImageMessagesBody { input, parameters, rest } = serde_json::from_slice(bytes)
            .map_err(|error| MalformedRequest::new("input", "messages with parts", &error.to_string()))?;
        let count = parameters.n.unwrap_or(1);
        if !(1..=COUNT_MAX).contains(&count) {
            return Err(MalformedRequest::new("parameters.n", "from 1 to 10", &count.to_string()));
        }
        let mut dropped = unread("", &rest, |name, _| READ.contains(&name));
        dropped.extend(unread("input.", &input.rest, |_, _| false));
        let (mut texts, mut images) = (Vec::new(), Vec::new());
        for (place, part) in parts(input.messages, &mut dropped) {
            dropped.extend(unread(&place, &part.rest, |_, _| false));
            match (part.text, part.image) {
                (Some(text), None) => texts.push(text),
                (None, Some(image)) if is_address(&image) => images.push(image),
                (None, Some(_)) => return Err(wrong("the address of each image", "something else")),
                (Some(_), Some(_)) => return Err(wrong("each part a text or an image", "both in one")),
                (None, None) => return Err(wrong("each part a text or an image", "neither")),
            }
        }
        let [prompt] = &texts[..] else { return Err(wrong("one message with one text", &texts.len().to_string())) };
        let negative = parameters.negative_prompt.filter(|text| !text.is_empty());
        // The other body separates width and height by a letter.
        let size = parameters.size.map(|size| size.replace('*', "x"));
        Ok(Self { prompt: prompt.clone(), negative, images, count, size, parameters: parameters.rest, dropped })
    }

    /// The body for a provider of this protocol.
    pub(in super::super) fn written(&self, model: &str) -> Bytes {
        let image = |image| ImagePartJson { image: Some(image), text: None };
        let mut content: Vec<_> = self.images.iter().map(String::as_str).map(image).collect();
        let text = self.text();
        content.push(ImagePartJson { image: None, text: Some(&text) });
        let size = self.size_with_star();
        let input = ImageInputJson { messages: [ImageMessageJson { role: "user", content }] };
        let written = ImageMessagesJson { model, input, parameters: ImageParametersJson { n: self.count, size } };
        serde_json::to_vec(&written).expect("texts and numbers are JSON").into()
    }
}

#[derive(Serialize)]
struct ImageMessagesJson<'a> {
    model: &'a str,
    input: ImageInputJson<'a>,
    parameters: ImageParametersJson,
}

#[derive(Serialize)]
struct ImageInputJson<'a> {
    messages: [ImageMessageJson<'a>; 1],
}

#[derive(Serialize)]
struct ImageMessageJson<'a> {
    role: &'static str,
    content: Vec<ImagePartJson<'a>>,
}

#[derive(Serialize)]
struct ImagePartJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

#[derive(Serialize)]
struct ImageParametersJson {
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
}

/// The parts of all turns, each with its place.
fn parts(turns: Vec<ImageMessage>, dropped: &mut Vec<String>) -> Vec<(String, ImageMessagePart)> {
    let mut parts = Vec::new();
    for (index, turn) in turns.into_iter().enumerate() {
        let place = format!("input.messages[{index}].");
        // The other bodies have no roles.
        dropped.extend(unread(&place, &turn.rest, |name, value| name == "role" && value == "user"));
        let placed = turn.content.into_iter().enumerate();
        parts.extend(placed.map(|(index, part)| (format!("{place}content[{index}]."), part)));
    }
    parts
}

/// A mistake in the messages.
pub(in super::super) fn wrong(expected: &str, found: &str) -> MalformedRequest {
    MalformedRequest::new("input.messages", expected, found)
}

/// True for a URL. Nothing is fetched here; the provider does that.
fn is_address(text: &str) -> bool {
    ["https://", "http://", "data:"].iter().any(|scheme| text.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_a_prompt_and_pictures() {
        let body = br#"{"input":{"messages":[{"role":"user","content":[{"image":"https://x/a"},{"text":"a cat"},
            {"image":"data:image/png;base64,AAAA"}]}]},
            "parameters":{"n":2,"size":"1024*768","negative_prompt":"dogs","watermark":false}}"#;
        let expected = ImagePrompt {
            prompt: "a cat".to_owned(),
            negative: Some("dogs".to_owned()),
            images: vec!["https://x/a".to_owned(), "data:image/png;base64,AAAA".to_owned()],
            count: 2,
            size: Some("1024x768".to_owned()),
            parameters: Map::from_iter([("watermark".to_owned(), Value::Bool(false))]),
            ..ImagePrompt::default()
        };
        assert_eq!(expected.text(), "a cat\n\nDo not show: dogs");
        assert_eq!(expected.dropped_for_prompt(), ["parameters.watermark"]);
        assert_eq!(ImagePrompt::of_messages(body), Ok(expected));
    }

    #[test]
    fn what_is_not_read_is_told() {
        let body = br#"{"model":"m","stream":false,"response_format":"url","user":"u","prompt":"dog","seed":null,
            "input":{"negative_prompt":"dogs","messages":[
                {"role":"system","content":[{"type":"image","image":"https://x/a"}]},
                {"role":"user","name":"n","content":[{"text":"a cat","weight":2,"image":null,"detail":null}]}]},
            "parameters":{"seed":7}}"#;
        let brief = ImagePrompt::of_messages(body).expect("a brief");
        let dropped = [
            "user",
            "prompt",
            "input.negative_prompt",
            "input.messages[0].role",
            "input.messages[1].name",
            "input.messages[0].content[0].type",
            "input.messages[1].content[0].weight",
        ];
        assert_eq!(brief.dropped, dropped);
        assert_eq!(brief.dropped_for_prompt(), [&dropped[..], &["parameters.seed"]].concat());
    }

    #[test]
    fn what_was_wanted_is_written_in_messages() {
        let brief = ImagePrompt {
            prompt: "a cat".to_owned(),
            images: vec!["https://x/a".to_owned()],
            count: 2,
            size: Some("1024x768".to_owned()),
            ..ImagePrompt::default()
        };
        let content = r#"[{"image":"https://x/a"},{"text":"a cat"}]"#;
        let input = format!(r#"{{"messages":[{{"role":"user","content":{content}}}]}}"#);
        let parameters = r#"{"n":2,"size":"1024*768"}"#;
        assert_eq!(brief.written("up"), format!(r#"{{"model":"up","input":{input},"parameters":{parameters}}}"#));
    }

    #[test]
    fn what_is_no_single_text_is_a_mistake() {
        for (body, at) in [
            (r#"{"input":{}}"#, "input"),
            (r#"{"input":{"messages":[]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"image":"https://x"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"},{"text":"b"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"},{"image":"x"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a","image":"https://x"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"},{}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"}]}]},"parameters":{"n":11}}"#, "parameters.n"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"}]}]},"parameters":{"n":0}}"#, "parameters.n"),
        ] {
            assert_eq!(ImagePrompt::of_messages(body.as_bytes()).expect_err(body).at, at, "{body}");
        }
    }
}
