//! Format G: an answer, or a piece of one; they have the same shape.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::event::MeteredEvent;
use super::generated_size::GeneratedSize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MeteredGenerateReply<'a> {
    candidates: Option<Vec<MeteredCandidate>>,
    prompt_feedback: Option<MeteredFeedback>,
    #[serde(borrow)]
    usage_metadata: Option<&'a RawValue>,
    #[serde(borrow)]
    model_version: Option<&'a RawValue>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MeteredCandidate {
    content: Option<MeteredContent>,
    finish_reason: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct MeteredContent {
    parts: Option<GeneratedSize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MeteredFeedback {
    block_reason: Option<IgnoredAny>,
}

pub(super) fn look(json: &[u8]) -> Result<MeteredEvent<'_>, serde_json::Error> {
    let wire: MeteredGenerateReply<'_> = serde_json::from_slice(json)?;
    let candidates = wire.candidates.unwrap_or_default();
    let mut generated = GeneratedSize::default();
    let parts = |candidate: &MeteredCandidate| candidate.content.as_ref().and_then(|content| content.parts);
    candidates.iter().filter_map(parts).for_each(|parts| generated.add(parts));
    let blocked = wire.prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some());
    let finished = blocked || candidates.iter().any(|candidate| candidate.finish_reason.is_some());
    Ok(MeteredEvent {
        delivered_bytes: generated.bytes,
        content: generated.is_some() || finished,
        choices: candidates.len(),
        finished,
        terminal: false,
        error: wire.error.is_some(),
        usage: wire.usage_metadata,
        model: wire.model_version,
        ..MeteredEvent::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_shows_what_it_brings() {
        for (piece, delivered, finished, error, usage) in [
            (
                r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"abc"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}]}"#,
                3,
                false,
                false,
                false,
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":"bc"}},"thoughtSignature":"xx"}]},"finishReason":"STOP"}],"usageMetadata":{}}"#,
                3,
                true,
                false,
                true,
            ),
            (r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, 0, true, false, false),
            (r#"{"error":{"code":503}}"#, 0, false, true, false),
        ] {
            let seen = look(piece.as_bytes()).expect(piece);
            let found = (seen.delivered_bytes, seen.finished, seen.error, seen.usage.is_some());
            assert_eq!(found, (delivered, finished, error, usage), "{piece}");
        }
    }
}
