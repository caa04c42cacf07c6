//! The message of an answer: its blocks gathered by the members that they become.

use super::super::signed::{self, ReasoningDetail};
use super::super::{answer, data_url};
use crate::json::ObjectWriter;
use crate::{BlockKind, ContentBlock, MediaContent, MediaSource, ThinkingSignature};

/// The content of an answer, by the members that it becomes.
#[derive(Debug, Default)]
pub struct ResponseMessage<'a> {
    texts: Vec<&'a str>,
    refusals: Vec<&'a str>,
    thoughts: Vec<&'a str>,
    details: Vec<ReasoningDetail>,
    calls: Vec<ResponseCall<'a>>,
    images: Vec<String>,
}

#[derive(Debug)]
struct ResponseCall<'a> {
    id: String,
    name: &'a str,
    input: &'a str,
    custom: bool,
    signature: Option<&'a ThinkingSignature>,
}

impl<'a> ResponseMessage<'a> {
    /// Gathers. Texts of several blocks become one. What this format has no place for in an answer is left out: hosted
    /// tools' steps, documents, sound, film. `answer` is the id of the answer.
    pub fn of(blocks: &'a [ContentBlock], answer: &str) -> Self {
        let mut said = Self::default();
        let mut riding: Option<ThinkingSignature> = None;
        for block in blocks {
            match &block.kind {
                BlockKind::Text(text) => said.texts.push(text),
                BlockKind::Refusal(text) => said.refusals.push(text),
                BlockKind::Thinking { text, id, signature } => {
                    said.thoughts.push(text);
                    riding = signature.as_ref().and_then(|it| signed::signature_for_call_id(it, Some(text))).or(riding);
                    said.detail(Some(text), id.as_ref(), signature.as_ref());
                }
                BlockKind::ClosedThinking(signature) => {
                    riding = signed::signature_for_call_id(signature, None).or(riding);
                    said.detail(None, signature.item.as_ref(), Some(signature));
                }
                BlockKind::Call { id, name, arguments, custom, signature } => {
                    let on_id = signature.clone().or_else(|| riding.take());
                    let own = if id.is_empty() { answer::made_id(answer, said.calls.len()) } else { id.clone() };
                    let input = if arguments.is_empty() && !custom { "{}" } else { arguments };
                    let (id, signature) = (signed::id(&own, on_id.as_ref()), signature.as_ref());
                    said.calls.push(ResponseCall { id, name, input, custom: *custom, signature });
                }
                BlockKind::Image(media) => said.images.extend(address(media)),
                BlockKind::Document(_)
                | BlockKind::Audio(_)
                | BlockKind::Video(_)
                | BlockKind::CallResult { .. }
                | BlockKind::Compaction { .. }
                | BlockKind::Other { .. } => {}
            }
        }
        said
    }

    fn detail(&mut self, text: Option<&String>, id: Option<&String>, signature: Option<&ThinkingSignature>) {
        let Some(signature) = signature.cloned() else { return };
        let detail = ReasoningDetail { text: text.cloned(), id: id.cloned(), signature };
        self.details.extend(Some(detail).filter(ReasoningDetail::is_needed));
    }

    /// Writes the members of the message. Content is null where there is something in its place.
    pub fn write(&self, message: &mut ObjectWriter<'_>) {
        let instead = !self.calls.is_empty() || !self.refusals.is_empty();
        let content = (!self.texts.is_empty() || !instead).then(|| self.texts.concat());
        message.member("role", "assistant");
        message.member("content", &content);
        message.member("refusal", &(!self.refusals.is_empty()).then(|| self.refusals.concat()));
        message.array("annotations").end();
        if !self.thoughts.concat().is_empty() {
            message.member("reasoning_content", &self.thoughts.concat());
        }
        if !self.details.is_empty() {
            let mut list = message.array("reasoning_details");
            self.details.iter().enumerate().for_each(|(index, detail)| detail.write(index, &mut list));
            list.end();
        }
        images(&self.images, 0, message);
        if !self.calls.is_empty() {
            let mut list = message.array("tool_calls");
            self.calls.iter().for_each(|call| call.write(list.object()));
            list.end();
        }
    }
}

impl ResponseCall<'_> {
    fn write(&self, mut object: ObjectWriter<'_>) {
        let (kind, input) = if self.custom { ("custom", "input") } else { ("function", "arguments") };
        object.member("id", &self.id).member("type", kind);
        let mut inner = object.object(kind);
        inner.member("name", self.name).member(input, self.input);
        inner.end();
        signed::extra_content(self.signature, &mut object);
        object.end();
    }
}

/// The address of a picture, where it has one that a client can open.
pub fn address(media: &MediaContent) -> Option<String> {
    match &media.source {
        MediaSource::Base64(data) => Some(data_url::write(media.mime.as_deref(), data)),
        MediaSource::Url(url) => Some(url.clone()),
        MediaSource::Text(_) | MediaSource::FileId(_) => None,
    }
}

/// Writes pictures as the servers of this format do that make some; the first has the index `first`.
pub fn images(addresses: &[String], first: usize, message: &mut ObjectWriter<'_>) {
    if addresses.is_empty() {
        return;
    }
    let mut list = message.array("images");
    for (index, address) in (first..).zip(addresses) {
        let mut image = list.object();
        image.member("type", "image_url").member("index", &index);
        let mut inner = image.object("image_url");
        inner.member("url", address);
        inner.end();
        image.end();
    }
    list.end();
}
