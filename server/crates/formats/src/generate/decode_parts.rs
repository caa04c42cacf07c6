//! Parts of a provider's answer, made blocks: the same for whole answers and for streams.

use super::super::json::{JsonObject, JsonValue};
use super::super::{
    BlockKind, ContentBlock, Format, MalformedRequest, MalformedResponse, ThinkingSignature, TokenUsage,
};
use super::part::{GeneratePart, PartPayload};
use super::{id, usage};

/// Makes blocks of parts, and knows what the answer has held so far.
#[derive(Debug)]
pub struct PartDecoder {
    upstream: String,
    calls: usize,
}

impl PartDecoder {
    /// Of an answer of `upstream`.
    pub fn new(upstream: &str) -> Self {
        Self { upstream: upstream.to_owned(), calls: 0 }
    }

    /// True if there was a call.
    pub const fn called(&self) -> bool {
        self.calls > 0
    }

    /// The blocks that a part is. A text's signature becomes an empty thought after it; one that stands alone is an empty
    /// thought. `chunk` is the JSON that the part came in.
    ///
    /// # Errors
    /// When a member is of the wrong type or missing.
    pub fn blocks(&mut self, value: &JsonValue<'_>, chunk: &[u8]) -> Result<Vec<ContentBlock>, MalformedRequest> {
        let part = GeneratePart::read(value)?;
        let thought = part.is_thought();
        let signature = part.signature.as_ref().map(JsonValue::text).transpose()?.filter(|text| !text.is_empty());
        let mut signature =
            signature.map(|text| ThinkingSignature::made_by(&self.upstream, Format::Generate, None, text));
        let said = match part.payload {
            PartPayload::Text(text) if thought => thinking(text, signature.take()),
            PartPayload::Text(text) => (!text.is_empty()).then_some(BlockKind::Text(text)),
            PartPayload::Call { id, name, arguments } => {
                let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| id::of_answer(chunk, self.calls));
                self.calls += 1;
                Some(BlockKind::Call { id, name, arguments, custom: false, signature: signature.take() })
            }
            // Drafts of a picture are thoughts that nobody has a place for.
            PartPayload::Media(_) if thought => None,
            PartPayload::Media(kind) => Some(kind),
            PartPayload::Other { name, raw } => Some(BlockKind::Other { name, raw }),
            // A provider gives no results of the client's functions.
            PartPayload::Nothing | PartPayload::Result { .. } => None,
        };
        let after = signature.and_then(|signature| thinking(String::new(), Some(signature)));
        let mut extra = part.extra;
        let block = |kind| ContentBlock { at: String::new(), kind, extra: std::mem::take(&mut extra) };
        Ok(said.into_iter().chain(after).map(block).collect())
    }
}

fn thinking(text: String, signature: Option<ThinkingSignature>) -> Option<BlockKind> {
    (!text.is_empty() || signature.is_some()).then_some(BlockKind::Thinking { text, id: None, signature })
}

/// The parts of a candidate's content; none where it has no content.
///
/// # Errors
/// When they are no list.
pub fn parts<'a>(candidate: &mut JsonObject<'a>) -> Result<Vec<JsonValue<'a>>, MalformedRequest> {
    candidate.object(&["content"])?.map_or_else(|| Ok(Vec::new()), |mut content| content.list(&["parts"]))
}

/// The usage that the answer, or a piece of it, reports.
pub fn usage(answer: &mut JsonObject<'_>) -> Option<TokenUsage> {
    let value = answer.value(&["usageMetadata", "usage_metadata"])?;
    let read = value.object().and_then(|mut metadata| usage::read(&mut metadata));
    Some(read.unwrap_or(TokenUsage::IMPOSSIBLE))
}

/// True if the feedback says that the prompt was blocked.
pub fn blocked(feedback: &JsonValue<'_>) -> bool {
    let reason = || feedback.object().ok()?.text(&["blockReason", "block_reason"]).ok()?;
    reason().is_some_and(|reason| reason != "BLOCK_REASON_UNSPECIFIED")
}

/// The provider's words for its error, when the answer is one.
pub fn error(answer: &mut JsonObject<'_>) -> Option<String> {
    let value = answer.value(&["error"])?;
    let Ok(mut error) = value.object() else { return Some(value.raw.get().to_owned()) };
    let status = error.text(&["status"]).ok().flatten();
    let message = error.text(&["message"]).ok().flatten();
    match (status, message) {
        (Some(status), Some(message)) => Some(format!("{status}: {message}")),
        (None, Some(told)) | (Some(told), None) => Some(told),
        (None, None) => Some(value.raw.get().to_owned()),
    }
}

/// An error where an answer should be.
pub fn not_an_answer() -> MalformedResponse {
    MalformedResponse { at: "error".to_owned(), expected: "an answer".to_owned() }
}
