//! Format R: a response, or an event of a stream by its `type`. Events repeat at the end of a part what they brought in
//! pieces; only the pieces count.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::event::MeteredEvent;
use super::generated_size::GeneratedSize;

/// Events about a response of which nothing is there yet.
const OPENING: [&str; 3] = ["response.created", "response.queued", "response.in_progress"];

#[derive(Deserialize)]
struct MeteredResponsesEvent<'a> {
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    /// A text in the events whose name ends with `.delta`.
    delta: Option<GeneratedSize>,
    /// In events about the whole response.
    #[serde(borrow)]
    response: Option<MeteredResponse<'a>>,
    /// In a whole response.
    output: Option<GeneratedSize>,
    status: Option<&'a str>,
    sequence_number: Option<u64>,
    error: Option<IgnoredAny>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
    #[serde(borrow)]
    service_tier: Option<Cow<'a, str>>,
}

#[derive(Default, Deserialize)]
struct MeteredResponse<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    service_tier: Option<Cow<'a, str>>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

pub(super) fn look(json: &[u8]) -> Result<MeteredEvent<'_>, serde_json::Error> {
    let wire: MeteredResponsesEvent<'_> = serde_json::from_slice(json)?;
    let size = |part: Option<GeneratedSize>| part.map_or(0, |part| part.bytes);
    let Some(kind) = wire.kind else {
        return Ok(MeteredEvent {
            // Without one it is no response at all, whatever its status said.
            choices: usize::from(wire.output.is_some()),
            content: wire.output.is_some(),
            delivered_bytes: size(wire.output),
            finished: matches!(wire.status, Some("completed" | "incomplete")),
            terminal: false,
            error: wire.error.is_some() || wire.status == Some("failed"),
            usage: wire.usage,
            model: wire.model,
            tier: wire.service_tier,
            ..MeteredEvent::default()
        });
    };
    let ended = matches!(kind, "response.completed" | "response.incomplete");
    // What it was asked for is told as well before it has ended.
    let MeteredResponse { id: response_id, service_tier, usage, model } = wire.response.unwrap_or_default();
    Ok(MeteredEvent {
        delivered_bytes: size(wire.delta),
        content: kind.starts_with("response.") && !OPENING.contains(&kind),
        choices: usize::from(kind.ends_with(".delta")),
        finished: ended,
        terminal: ended || kind == "response.failed",
        error: matches!(kind, "error" | "response.failed"),
        sequence: wire.sequence_number,
        response_id,
        tier: service_tier.filter(|_| ended),
        usage,
        model,
        ..MeteredEvent::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_output_is_no_response() {
        for (whole, choices) in [
            (r#"{"object":"response","output":[]}"#, 1),
            (r#"{"object":"response","output":null}"#, 0),
            (r#"{"detail":"no"}"#, 0),
            ("{}", 0),
        ] {
            assert_eq!(look(whole.as_bytes()).expect(whole).choices, choices, "{whole}");
        }
    }

    #[test]
    fn pieces_count_and_their_repetition_does_not() {
        for (event, delivered, terminal, error, usage) in [
            (r#"{"type":"response.created","response":{"usage":null,"output":[]}}"#, 0, false, false, false),
            (r#"{"type":"response.output_text.delta","delta":"abc"}"#, 3, false, false, false),
            (r#"{"type":"response.output_text.done","text":"abc"}"#, 0, false, false, false),
            (
                r#"{"type":"response.completed","response":{"usage":{"input_tokens":1},"output":[{"text":"abc"}]}}"#,
                0,
                true,
                false,
                true,
            ),
            (r#"{"type":"response.failed","response":{}}"#, 0, true, true, false),
            (r#"{"type":"error","message":"no"}"#, 0, false, true, false),
            (
                r#"{"object":"response","status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","text":"abcd"}]}],"usage":{}}"#,
                4,
                false,
                false,
                true,
            ),
        ] {
            let seen = look(event.as_bytes()).expect(event);
            let found = (seen.delivered_bytes, seen.terminal, seen.error, seen.usage.is_some());
            assert_eq!(found, (delivered, terminal, error, usage), "{event}");
        }
    }
}
