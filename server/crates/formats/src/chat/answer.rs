//! Pieces of an answer, read the same in whole answers and in streams.

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockKind, ContentBlock, MalformedRequest};
use super::origin::MessageOrigin;
use super::parts;

/// Content of an answer: a text, or parts, some of them thoughts. What is no content at all is passed over.
pub fn content(value: &JsonValue<'_>, origin: MessageOrigin<'_>) -> Result<Vec<ContentBlock>, MalformedRequest> {
    if value.starts_with('[') {
        let parts = value.list()?;
        return parts.iter().map(|part| thought(part, origin).map_or_else(|| parts::part(part), Ok)).collect();
    }
    let kind = BlockKind::Text(value.text()?);
    Ok(vec![ContentBlock { at: String::new(), kind, extra: Vec::new() }])
}

/// A part that holds thoughts, as texts in parts of their own.
fn thought(part: &JsonValue<'_>, origin: MessageOrigin<'_>) -> Option<ContentBlock> {
    let mut object = part.object().ok()?;
    let is_thought = object.text(&["type"]).ok()?? == "thinking";
    let thinking = is_thought.then(|| object.value(&["thinking"]))??;
    let text = if thinking.starts_with('[') {
        let texts = thinking.list().ok()?;
        texts.iter().filter_map(|text| text.object().ok()?.text(&["text"]).ok()?).collect()
    } else {
        thinking.text().ok()?
    };
    let kind = BlockKind::Thinking { text, id: None, signature: origin.unsigned() };
    Some(ContentBlock { at: String::new(), kind, extra: Vec::new() })
}

/// Pictures that the model made: some upstreams send them beside the content, in the form of a request's parts.
pub fn images(message: &mut JsonObject<'_>) -> Vec<ContentBlock> {
    let images = message.list(&["images"]).unwrap_or_default();
    images.iter().filter_map(|image| parts::part(image).ok()).collect()
}

/// The upstream's own words for an error that stands where an answer should.
pub fn error(object: &mut JsonObject<'_>) -> Option<String> {
    let error = object.value(&["error"])?;
    let told = if error.starts_with('{') {
        error.object().ok().and_then(|mut error| error.text(&["message"]).ok().flatten())
    } else {
        error.text().ok()
    };
    Some(told.unwrap_or_else(|| error.raw.get().to_owned()))
}

/// An id for a call that came without one: the same for the same call of the same answer.
pub fn made_id(answer: &str, index: usize) -> String {
    let letters: String = answer.chars().filter(char::is_ascii_alphanumeric).rev().take(24).collect();
    format!("call_{index}_{}", letters.chars().rev().collect::<String>())
}
