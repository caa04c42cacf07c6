//! Blocks of an answer, as clients read them.

use super::super::json::{Object, ObjectWriter, Value};
use super::super::{Block, Extra, Format, Kind, Media, Signature, Source};
use super::call;

/// Members of blocks that clients of this format know. What else a provider added is of another format.
const KNOWN: [&str; 2] = ["caller", "citations"];

/// True if the format has a word for the block. It has none for sound and film, which its clients cannot ask for, nor for
/// what only another format knows; and empty text is no block.
pub fn has_word(block: &Block) -> bool {
    match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) => !text.is_empty(),
        Kind::Thinking { text, id: _, signature } => !text.is_empty() || signature.is_some(),
        Kind::Image(_) | Kind::Document(_) | Kind::Call { .. } | Kind::ClosedThinking(_) => true,
        Kind::Other { name, raw: _ } => is_ours(name),
        Kind::Audio(_) | Kind::Video(_) | Kind::CallResult { .. } | Kind::Compaction { .. } => false,
    }
}

/// Writes the members of a block that the format has a word for.
pub fn fill(block: &Block, object: &mut ObjectWriter<'_>) {
    match &block.kind {
        Kind::Text(words) | Kind::Refusal(words) => text(words, object),
        Kind::Thinking { text, id: _, signature } => thinking(text, signature.as_ref(), object),
        Kind::ClosedThinking(signature) => closed(&signature.for_client(Format::Messages), object),
        Kind::Call { id, name, arguments, custom, signature: _ } => {
            tool_use(id, name, object);
            object.member("input", &call::input(arguments, *custom));
        }
        Kind::Image(picture) => media("image", picture, object),
        Kind::Document(document) => media("document", document, object),
        Kind::Other { name: _, raw } => {
            let whole = Value { at: String::new(), raw };
            let members = whole.object().map(Object::rest);
            object.extras(&members.unwrap_or_default());
        }
        Kind::Audio(_) | Kind::Video(_) | Kind::CallResult { .. } | Kind::Compaction { .. } => {}
    }
    object.extras(block.extra.iter().filter(|extra| is_known(extra)));
}

/// Writes a text.
pub fn text(words: &str, object: &mut ObjectWriter<'_>) {
    object.member("type", "text").member("text", words);
}

/// Writes thinking. The signature stands there always: SDKs want it.
pub fn thinking(text: &str, signature: Option<&Signature>, object: &mut ObjectWriter<'_>) {
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

fn media(word: &str, media: &Media, object: &mut ObjectWriter<'_>) {
    object.member("type", word);
    let mut source = object.object("source");
    match &media.source {
        Source::Base64(data) => source.member("type", "base64").member("media_type", &media.mime).member("data", data),
        Source::Text(text) => source.member("type", "text").member("media_type", "text/plain").member("data", text),
        Source::Url(url) => source.member("type", "url").member("url", url),
        Source::FileId(id) => source.member("type", "file").member("file_id", id),
    };
    source.end();
    object.maybe("title", media.name.as_deref());
}

/// The names of this format's own blocks of tools that the provider runs.
fn is_ours(name: &str) -> bool {
    name.ends_with("_tool_result") || matches!(name, "server_tool_use" | "mcp_tool_use" | "container_upload")
}

fn is_known(extra: &Extra) -> bool {
    KNOWN.contains(&extra.name.as_str()) && extra.value.get() != "null"
}
