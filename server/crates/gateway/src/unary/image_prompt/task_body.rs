//! Writing of the body that starts a task: a prompt with parameters, and the images to edit as a list.

use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value};

use super::ImagePrompt;

#[derive(Serialize)]
struct ImageTaskJson<'a> {
    model: &'a str,
    input: ImageTaskInputJson<'a>,
    parameters: ImageTaskParametersJson<'a>,
}

#[derive(Serialize)]
struct ImageTaskInputJson<'a> {
    prompt: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    negative_prompt: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    images: &'a [String],
}

#[derive(Serialize)]
struct ImageTaskParametersJson<'a> {
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<String>,
    #[serde(flatten)]
    others: &'a Map<String, Value>,
}

impl ImagePrompt {
    /// The body for a provider of this protocol.
    pub(in super::super) fn as_task(&self, model: &str) -> Bytes {
        let input = ImageTaskInputJson {
            prompt: &self.prompt,
            negative_prompt: self.negative.as_deref(),
            images: &self.images,
        };
        let parameters =
            ImageTaskParametersJson { n: self.count, size: self.size_with_star(), others: &self.parameters };
        serde_json::to_vec(&ImageTaskJson { model, input, parameters }).expect("texts and JSON are JSON").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_messages_say_has_its_place() {
        let body = br#"{"input":{"messages":[{"content":[{"image":"https://x/a"},{"text":"a cat"}]}]},
            "parameters":{"n":2,"size":"1024*768","negative_prompt":"dogs","watermark":false}}"#;
        let brief = ImagePrompt::of_messages(body).expect("a brief");
        let input = r#"{"prompt":"a cat","negative_prompt":"dogs","images":["https://x/a"]}"#;
        let parameters = r#"{"n":2,"size":"1024*768","watermark":false}"#;
        assert_eq!(brief.as_task("up"), format!(r#"{{"model":"up","input":{input},"parameters":{parameters}}}"#));
    }

    #[test]
    fn a_text_alone_needs_no_more() {
        let brief = ImagePrompt::of_prompt(br#"{"prompt":"a cat"}"#).expect("a brief");
        assert_eq!(brief.as_task("up"), r#"{"model":"up","input":{"prompt":"a cat"},"parameters":{"n":1}}"#);
    }
}
