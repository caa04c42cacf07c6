//! Parts of an answer for a client: the same in whole answers and in streams.

use super::super::json::ObjectWriter;
use super::super::{
    BlockKind, ContentBlock, MediaContent, MediaSource, ResponseContext, StopReason, ThinkingSignature, TokenUsage,
};
use super::{base64, encode_value, signing, stop_reason, usage};

/// Blocks of other makers are not this client's to see; these are the format's own.
const OWN_PARTS: [&str; 4] = ["executableCode", "codeExecutionResult", "toolCall", "toolResponse"];

/// A part as JSON; `None` for what is nothing to this client. Never an empty one.
pub fn part(block: &ContentBlock) -> Option<Vec<u8>> {
    match &block.kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) => text_part(text, false, None),
        BlockKind::Thinking { text, id: _, signature } => text_part(text, true, signature.as_ref()),
        BlockKind::ClosedThinking(signature) => text_part("", false, Some(signature)),
        BlockKind::Call { id, name, arguments, custom: _, signature } => {
            Some(call(id, name, arguments, signature.as_ref()))
        }
        BlockKind::Image(media) | BlockKind::Document(media) | BlockKind::Audio(media) | BlockKind::Video(media) => {
            Some(medium(media))
        }
        BlockKind::Other { name, raw } => OWN_PARTS.contains(&name.as_str()).then(|| raw.get().as_bytes().to_vec()),
        BlockKind::CallResult { .. } | BlockKind::Compaction { .. } => None,
    }
}

/// A text, or a thought with or without its signature. A signature alone stands beside an empty text, as the service has
/// it: SDKs send the part back as it came, and a part that holds nothing is refused there.
pub fn text_part(text: &str, thought: bool, signature: Option<&ThinkingSignature>) -> Option<Vec<u8>> {
    if text.is_empty() && signature.is_none() {
        return None;
    }
    Some(of(|part| {
        part.member("text", text);
        part.maybe("thought", thought.then_some(&true));
        part.maybe("thoughtSignature", signature.map(signing::write).as_ref());
    }))
}

/// A call, whole.
pub fn call(id: &str, name: &str, arguments: &str, signature: Option<&ThinkingSignature>) -> Vec<u8> {
    of(|part| {
        let mut call = part.object("functionCall");
        call.member("id", id).member("name", name).member("args", &encode_value::arguments(arguments));
        call.end();
        part.maybe("thoughtSignature", signature.map(signing::write).as_ref());
    })
}

fn medium(media: &MediaContent) -> Vec<u8> {
    let MediaContent { mime, source, name: _, detail: _ } = media;
    let inline = |part: &mut ObjectWriter<'_>, mime: Option<&str>, data: &str| {
        let mut blob = part.object("inlineData");
        blob.maybe("mimeType", mime).member("data", data);
        blob.end();
    };
    of(|part| match source {
        MediaSource::Base64(data) => inline(part, mime.as_deref().or_else(|| base64::sniff(data)), data),
        MediaSource::Text(text) => {
            inline(part, Some(mime.as_deref().unwrap_or("text/plain")), &base64::encode(text.as_bytes()));
        }
        MediaSource::Url(uri) | MediaSource::FileId(uri) => {
            let mut file = part.object("fileData");
            file.maybe("mimeType", mime.as_ref()).member("fileUri", uri);
            file.end();
        }
    })
}

fn of(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Vec<u8> {
    encode_value::of_writer(write).get().as_bytes().to_vec()
}

/// The content of a candidate, out of parts.
pub fn content(parts: &[Vec<u8>], candidate: &mut ObjectWriter<'_>) {
    let mut content = candidate.object("content");
    content.member("role", "model");
    let mut list = content.array("parts");
    for part in parts {
        let raw: &serde_json::value::RawValue = serde_json::from_slice(part).expect("written as JSON");
        list.element(raw);
    }
    list.end();
    content.end();
}

/// Writes the reason why the answer ended, into the candidate.
pub fn ending(stop: &StopReason, candidate: &mut ObjectWriter<'_>) {
    candidate.member("finishReason", stop_reason::finish_reason(stop));
}

/// Writes the members that end every answer: figures, where there are some, the model and our id.
pub fn foot(used: Option<&TokenUsage>, echo: &ResponseContext, answer: &mut ObjectWriter<'_>) {
    if let Some(used) = used {
        usage::write(used, answer);
    }
    answer.member("modelVersion", &echo.model).member("responseId", &echo.id);
}
