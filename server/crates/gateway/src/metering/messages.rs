//! Format A: a message, or an event of a stream by its `type`.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::event::MeteredEvent;
use super::generated_size::GeneratedSize;

#[derive(Deserialize)]
struct MeteredMessagesEvent<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    /// In `message_start`.
    #[serde(borrow)]
    message: Option<MeteredMessage<'a>>,
    /// In `content_block_start`.
    content_block: Option<GeneratedSize>,
    /// In `content_block_delta` and `message_delta`.
    delta: Option<MeteredDelta>,
    /// In a whole message.
    content: Option<GeneratedSize>,
    stop_reason: Option<IgnoredAny>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct MeteredMessage<'a> {
    content: Option<GeneratedSize>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct MeteredDelta {
    text: Option<GeneratedSize>,
    thinking: Option<GeneratedSize>,
    partial_json: Option<GeneratedSize>,
    signature: Option<IgnoredAny>,
    citation: Option<IgnoredAny>,
    stop_reason: Option<IgnoredAny>,
}

pub(super) fn look(json: &[u8]) -> Result<MeteredEvent<'_>, serde_json::Error> {
    let wire: MeteredMessagesEvent<'_> = serde_json::from_slice(json)?;
    let mut generated = GeneratedSize::default();
    let mut add = |parts: &[Option<GeneratedSize>]| parts.iter().flatten().for_each(|part| generated.add(*part));
    add(&[wire.content_block, wire.content]);
    let mut seen = MeteredEvent {
        choices: usize::from(matches!(wire.kind, "message" | "content_block_start" | "content_block_delta")),
        finished: wire.stop_reason.is_some(),
        terminal: wire.kind == "message_stop",
        error: wire.kind == "error",
        usage: wire.usage,
        model: wire.model,
        ..MeteredEvent::default()
    };
    if let Some(message) = &wire.message {
        add(&[message.content]);
        seen.usage = message.usage;
        seen.model = message.model;
    }
    if let Some(delta) = &wire.delta {
        add(&[delta.text, delta.thinking, delta.partial_json]);
        seen.finished |= delta.stop_reason.is_some();
        seen.content = delta.signature.is_some() || delta.citation.is_some();
    }
    seen.delivered_bytes = generated.bytes;
    seen.content |= generated.is_some() || seen.finished;
    Ok(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_shows_what_it_brings() {
        for (event, delivered, finished, terminal, error, usage) in [
            (
                r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":3}}}"#,
                0,
                false,
                false,
                false,
                true,
            ),
            (
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}"#,
                1,
                false,
                false,
                false,
                false,
            ),
            (
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"h\u00e9"}}"#,
                3,
                false,
                false,
                false,
                false,
            ),
            (
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xxxx"}}"#,
                0,
                false,
                false,
                false,
                false,
            ),
            (
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}"#,
                0,
                true,
                false,
                false,
                true,
            ),
            (r#"{"type":"message_stop"}"#, 0, false, true, false, false),
            (r#"{"type":"ping"}"#, 0, false, false, false, false),
            (r#"{"type":"error","error":{"message":"no"}}"#, 0, false, false, true, false),
            (
                r#"{"type":"message","content":[{"type":"text","text":"abc"}],"stop_reason":"end_turn","usage":{}}"#,
                3,
                true,
                false,
                false,
                true,
            ),
        ] {
            let seen = look(event.as_bytes()).expect(event);
            let found = (seen.delivered_bytes, seen.finished, seen.terminal, seen.error, seen.usage.is_some());
            assert_eq!(found, (delivered, finished, terminal, error, usage), "{event}");
        }
    }
}
