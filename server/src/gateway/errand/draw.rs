//! Pictures: format O's body, and one of messages with parameters. Each picture has a price of its own.

use std::ops::Range;

use bytes::Bytes;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use crate::api::ProxyBody;
use crate::credit::{Price, Usage};
use crate::generated::ops::images::GenerateImageHead;

use super::super::catalog::{Candidate, Model};
use super::super::exchange::{Format, Unreadable};
use super::super::failed::CandidateFailed;
use super::super::meter::Reported;
use super::super::upstream::Action;
use super::{Errand, Most, Order, Outcome, not_carried, splices};

/// A request for pictures.
#[derive(Debug)]
pub struct Draw {
    model: String,
    bytes: Bytes,
    /// How many at the most.
    count: u64,
    form: Form,
}

/// Which of the two bodies it is.
#[derive(Debug)]
enum Form {
    /// Format O's; the place of the model's name.
    Prompt(Range<usize>),
    /// Messages with parameters, read.
    Messages(Wanted),
}

/// What the body of messages asks for, in the words of format O.
#[derive(Debug, PartialEq, Eq)]
struct Wanted {
    prompt: String,
    size: Option<String>,
    dropped: Vec<String>,
}

#[derive(Deserialize)]
struct Body {
    input: Input,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Deserialize)]
struct Input {
    messages: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    content: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    image: Option<IgnoredAny>,
}

#[derive(Deserialize, Default)]
struct Parameters {
    n: Option<u64>,
    negative_prompt: Option<String>,
    size: Option<String>,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize)]
struct Asked<'a> {
    model: &'a str,
    prompt: &'a str,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<&'a str>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    created: i64,
    data: Vec<Picture>,
}

#[derive(Deserialize)]
struct Picture {
    url: Option<String>,
    b64_json: Option<String>,
    revised_prompt: Option<String>,
}

#[derive(Serialize)]
struct Written<'a> {
    created: i64,
    data: Vec<WrittenPicture<'a>>,
}

/// What does not apply is an empty text.
#[derive(Serialize)]
struct WrittenPicture<'a> {
    url: &'a str,
    b64_json: &'a str,
    revised_prompt: &'a str,
}

impl Draw {
    /// Of either body; one with `input` holds messages.
    ///
    /// # Errors
    /// When it says in neither way what to show, or wants a stream.
    pub fn new(body: ProxyBody<GenerateImageHead>) -> Result<Self, Unreadable> {
        let ProxyBody { bytes, head, .. } = body;
        let wrong = |at: &str, expected: &str, found: &str| {
            let (at, expected, found) = (at.to_owned(), expected.to_owned(), found.to_owned());
            Unreadable { at, expected, found }
        };
        if head.stream.is_some_and(|stream| stream.value == Some(true)) {
            return Err(wrong("stream", "false: pictures come whole", "true"));
        }
        let model = head.model.value;
        if head.input.is_some() {
            let (count, wanted) = wanted(&bytes)?;
            return Ok(Self { model, bytes, count, form: Form::Messages(wanted) });
        }
        if head.prompt.is_none() {
            return Err(wrong("prompt", "present", "nothing"));
        }
        let count = head.n.and_then(|count| count.value).and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        Ok(Self { model, bytes, count, form: Form::Prompt(head.model.span) })
    }
}

/// How many pictures a body of messages wants, and what they are to show. It has one text.
fn wanted(bytes: &[u8]) -> Result<(u64, Wanted), Unreadable> {
    let wrong = |at: &str, expected: &str, found: String| {
        Err(Unreadable { at: at.to_owned(), expected: expected.to_owned(), found })
    };
    let Body { input, parameters } = match serde_json::from_slice(bytes) {
        Ok(body) => body,
        Err(error) => return wrong("input", "messages with parts", error.to_string()),
    };
    let count = parameters.n.unwrap_or(1);
    if !(1..=COUNT_MAX).contains(&count) {
        return wrong("parameters.n", "from 1 to 10", count.to_string());
    }
    let parts = input.messages.into_iter().flat_map(|turn| turn.content);
    let texts: Option<Vec<String>> = parts.map(|part| part.text.filter(|_| part.image.is_none())).collect();
    let Some([prompt]) = texts.as_deref() else {
        return wrong("input.messages", "one message with one text", "something else".to_owned());
    };
    let prompt = match parameters.negative_prompt.filter(|text| !text.is_empty()) {
        Some(negative) => format!("{prompt}\n\nDo not show: {negative}"),
        None => prompt.clone(),
    };
    // The other body parts width and height by a letter.
    let size = parameters.size.map(|size| size.replace('*', "x"));
    let dropped = parameters.rest.into_iter().map(|(name, _)| format!("parameters.{name}")).collect();
    Ok((count, Wanted { prompt, size, dropped }))
}

/// The most pictures of one request; the spec bounds `n` of the other body.
const COUNT_MAX: u64 = 10;

impl Errand for Draw {
    fn format(&self) -> Format {
        Format::Chat
    }

    fn model(&self) -> &str {
        &self.model
    }

    fn price(&self, model: &Model) -> Option<Price> {
        model.image_price.map(|picture| model.price.per_picture(picture))
    }

    fn most(&self, _: &Model) -> Most {
        Most { prompt: 0, output: self.count }
    }

    fn counted(&self) -> Usage {
        Usage { completion: self.count, estimated: true, ..Usage::default() }
    }

    fn order(&self, candidate: &Candidate) -> Result<Order, CandidateFailed> {
        match candidate.upstream.format() {
            Format::Chat | Format::Completions | Format::Responses => {}
            Format::Messages | Format::Generate => {
                return Err(not_carried("model", "its format draws no pictures"));
            }
        }
        let model = &candidate.model;
        let (body, dropped) = match &self.form {
            Form::Prompt(place) => {
                (splices::with_model(&self.bytes, Some((self.model.as_str(), place.clone())), model), Vec::new())
            }
            Form::Messages(wanted) => {
                let size = wanted.size.as_deref();
                let asked = Asked { model, prompt: &wanted.prompt, n: self.count, size };
                let body = serde_json::to_vec(&asked).expect("texts and numbers are JSON");
                (body.into(), wanted.dropped.clone())
            }
        };
        Ok(Order { action: Action::Draw, body, dropped })
    }

    fn outcome(&self, _: &Candidate, _: &Model, answer: &Bytes) -> Result<Outcome, CandidateFailed> {
        let read: Answer = serde_json::from_slice(answer).map_err(|_| CandidateFailed::NoAnswer)?;
        let delivered = u64::try_from(read.data.len()).unwrap_or(u64::MAX);
        if delivered == 0 {
            return Err(CandidateFailed::NoAnswer);
        }
        // Members that we do not know may ask for more of them in words of the provider's own, and it charges for all.
        let usage = Usage { completion: delivered, ..Usage::default() };
        let body = match self.form {
            Form::Prompt(_) => answer.clone(),
            Form::Messages(_) => written(&read),
        };
        Ok(Outcome { body, reported: Some(Reported::Figures(usage)) })
    }
}

fn written(answer: &Answer) -> Bytes {
    let written = Written { created: answer.created, data: answer.data.iter().map(WrittenPicture::from).collect() };
    serde_json::to_vec(&written).expect("texts and numbers are JSON").into()
}

impl<'a> From<&'a Picture> for WrittenPicture<'a> {
    fn from(picture: &'a Picture) -> Self {
        Self {
            url: picture.url.as_deref().unwrap_or_default(),
            b64_json: picture.b64_json.as_deref().unwrap_or_default(),
            revised_prompt: picture.revised_prompt.as_deref().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_a_prompt() {
        let body = br#"{"input":{"messages":[{"role":"user","content":[{"text":"a cat"}]}]},
            "parameters":{"n":2,"size":"1024*768","negative_prompt":"dogs","watermark":false}}"#;
        let expected = Wanted {
            prompt: "a cat\n\nDo not show: dogs".to_owned(),
            size: Some("1024x768".to_owned()),
            dropped: vec!["parameters.watermark".to_owned()],
        };
        assert_eq!(wanted(body), Ok((2, expected)));
    }

    #[test]
    fn what_is_no_single_text_is_a_mistake() {
        for (body, at) in [
            (r#"{"input":{}}"#, "input"),
            (r#"{"input":{"messages":[]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"image":"https://x"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"},{"text":"b"}]}]}}"#, "input.messages"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"}]}]},"parameters":{"n":11}}"#, "parameters.n"),
            (r#"{"input":{"messages":[{"content":[{"text":"a"}]}]},"parameters":{"n":0}}"#, "parameters.n"),
        ] {
            assert_eq!(wanted(body.as_bytes()).expect_err(body).at, at, "{body}");
        }
    }
}
