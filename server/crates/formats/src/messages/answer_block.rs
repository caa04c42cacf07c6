//! Blocks of an answer, as clients read them.

use super::super::json::{JsonObject, JsonValue, ObjectWriter};
use super::super::{BlockKind, ContentBlock, Format, MediaContent, MediaSource, ThinkingSignature, UnknownMember};
use super::call;

/// Members of blocks that clients of this format know. What else a provider added is of another format.
const KNOWN: [&str; 2] = ["caller", "citations"];

/// True if the format has a word for the block. It has none for sound and film, which its clients cannot ask for, nor for
/// what only another format knows; and empty text is no block.
pub fn has_word(block: &ContentBlock) -> bool {
    match &block.kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) => !text.is_empty(),
        BlockKind::Thinking { text, id: _, signature } => !text.is_empty() || signature.is_some(),
        BlockKind::Image(_) | BlockKind::Document(_) | BlockKind::Call { .. } | BlockKind::ClosedThinking(_) => true,
        BlockKind::Other { name, raw: _ } => is_ours(name),
        BlockKind::Audio(_) | BlockKind::Video(_) | BlockKind::CallResult { .. } | BlockKind::Compaction { .. } => {
            false
        }
    }
}

/// Writes the members of a block that the format has a word for.
pub fn fill(block: &ContentBlock, object: &mut ObjectWriter<'_>) {
    match &block.kind {
        BlockKind::Text(words) | BlockKind::Refusal(words) => text(words, object),
        BlockKind::Thinking { text, id: _, signature } => thinking(text, signature.as_ref(), object),
        BlockKind::ClosedThinking(signature) => closed(&signature.for_client(Format::Messages), object),
        BlockKind::Call { id, name, arguments, custom, signature: _ } => {
            tool_use(id, name, object);
            object.member("input", &call::input(arguments, *custom));
        }
        BlockKind::Image(picture) => media("image", picture, object),
        BlockKind::Document(document) => media("document", document, object),
        BlockKind::Other { name: _, raw } => {
            let whole = JsonValue { at: String::new(), raw };
            let members = whole.object().map(JsonObject::rest);
            object.extras(&members.unwrap_or_default());
        }
        BlockKind::Audio(_) | BlockKind::Video(_) | BlockKind::CallResult { .. } | BlockKind::Compaction { .. } => {}
    }
    object.extras(block.extra.iter().filter(|extra| is_known(extra)));
}

/// Writes a text.
pub fn text(words: &str, object: &mut ObjectWriter<'_>) {
    object.member("type", "text").member("text", words);
}

/// Writes thinking. The signature stands there always: SDKs want it.
pub fn thinking(text: &str, signature: Option<&ThinkingSignature>, object: &mut ObjectWriter<'_>) {
    let signature = signature.map(|signature| signature.for_client(Format::Messages)).unwrap_or_default();
    object.member("type", "thinking").member("thinking", text).member("signature", &signature);
}

/// Writes closed thinking.
pub fn closed(data: &str, object: &mut ObjectWriter<'_>) {
    object.member("type", "redacted_thinking").member("data", data);
}

/// Writes a call up to its input.
pub fn tool_use(id: &str, name: &str, object: &mut ObjectWriter<'_>) {
    object.member("type", "tool_use").member("id", &call::id(id)).member("name", name);
}

fn media(word: &str, media: &MediaContent, object: &mut ObjectWriter<'_>) {
    object.member("type", word);
    let mut source = object.object("source");
    match &media.source {
        MediaSource::Base64(data) => {
            source.member("type", "base64").member("media_type", &media.mime).member("data", data)
        }
        MediaSource::Text(text) => {
            source.member("type", "text").member("media_type", "text/plain").member("data", text)
        }
        MediaSource::Url(url) => source.member("type", "url").member("url", url),
        MediaSource::FileId(id) => source.member("type", "file").member("file_id", id),
    };
    source.end();
    object.maybe("title", media.name.as_deref());
}

/// The names of this format's own blocks of tools that the provider runs.
fn is_ours(name: &str) -> bool {
    name.ends_with("_tool_result") || matches!(name, "server_tool_use" | "mcp_tool_use" | "container_upload")
}

fn is_known(extra: &UnknownMember) -> bool {
    KNOWN.contains(&extra.name.as_str()) && extra.value.get() != "null"
}
