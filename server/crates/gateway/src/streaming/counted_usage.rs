//! The gateway's own usage count, written into an answer of the client's own format whose provider reported no figures that
//! are charged. So the client reads the figures of its receipt. Every other byte stays as it is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use tollgate_formats::wire::splice::with_member;
use tollgate_formats::wire::sse;
use tollgate_formats::{Format, TokenUsage};

#[derive(Deserialize)]
struct UsageMember<'a> {
    /// Null counts as present, because its place is needed.
    #[serde(borrow, default, alias = "usageMetadata", deserialize_with = "tollgate_formats::wire::splice::raw")]
    usage: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ResponseMember<'a> {
    #[serde(borrow)]
    response: &'a RawValue,
}

/// A whole answer with the counted usage.
#[must_use]
pub fn in_whole(format: Format, body: Bytes, usage: &TokenUsage) -> Bytes {
    let told =
        serde_json::from_slice::<&RawValue>(&body).ok().and_then(|answer| insert_usage(&body, answer, format, usage));
    told.unwrap_or(body)
}

/// The event of format A or R that holds the usage of the whole answer, with the counted usage.
#[must_use]
pub fn in_event(format: Format, event: Bytes, usage: &TokenUsage) -> Bytes {
    // An event of several data lines was joined elsewhere, and is left as it is.
    let told = sse::data(&event).and_then(|data| {
        let object = match format {
            Format::Responses => serde_json::from_slice::<ResponseMember<'_>>(&data).ok()?.response,
            Format::Messages | Format::Generate | Format::Chat | Format::Completions => {
                serde_json::from_slice(&data).ok()?
            }
        };
        insert_usage(&event, object, format, usage)
    });
    told.unwrap_or(event)
}

/// Members that all events of an answer have alike.
const REPEATED: [&str; 6] = ["id", "object", "created", "model", "modelVersion", "responseId"];

/// The members of an event that [`event_after`] repeats, as an event; empty where it is none.
#[must_use]
pub fn without_content(event: &[u8]) -> Bytes {
    let repeated = sse::data(event).and_then(|data| {
        let members: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(&data).ok()?;
        let repeated = members.into_iter().filter(|(name, _)| REPEATED.contains(&&**name));
        serde_json::to_string(&repeated.collect::<BTreeMap<_, _>>()).ok()
    });
    repeated.map_or_else(Bytes::new, |repeated| format!("data: {repeated}\n\n").into())
}

/// A last event of format O or G with the counted usage and nothing else. Its other members are those of the event
/// `before`.
#[must_use]
pub fn event_after(format: Format, before: &[u8], usage: &TokenUsage) -> Option<Bytes> {
    let data = sse::data(before)?;
    let mut members: Map<String, Value> = serde_json::from_slice(&data).ok()?;
    let list = if format == Format::Generate { "candidates" } else { "choices" };
    members.retain(|name, _| REPEATED.contains(&name.as_str()));
    members.insert(list.to_owned(), Value::Array(Vec::new()));
    let (name, value) = tollgate_formats::usage_member(format, usage);
    members.insert(name.to_owned(), serde_json::from_str(&value).ok()?);
    Some(format!("data: {}\n\n", Value::Object(members)).into())
}

fn insert_usage(source: &Bytes, object: &RawValue, format: Format, usage: &TokenUsage) -> Option<Bytes> {
    let told: UsageMember<'_> = serde_json::from_str(object.get()).ok()?;
    let (name, value) = tollgate_formats::usage_member(format, usage);
    with_member(source, object, told.usage, name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const USAGE: TokenUsage = TokenUsage { input: 7, output: 3, ..ZERO };
    const ZERO: TokenUsage = TokenUsage { impossible: false, ..TokenUsage::IMPOSSIBLE };

    fn value(format: Format) -> String {
        tollgate_formats::usage_member(format, &USAGE).1
    }

    #[test]
    fn a_whole_answer_tells_the_count_once() {
        for (format, body, expected) in [
            (Format::Chat, r#"{ "a":1.0}"#, r#"{"usage":USAGE, "a":1.0}"#),
            (Format::Responses, r#"{"a":1,"usage" : null }"#, r#"{"a":1,"usage" : USAGE }"#),
            (Format::Messages, r#"{"usage":{"input_tokens":0},"z":1e2}"#, r#"{"usage":USAGE,"z":1e2}"#),
            (Format::Generate, r#"{"candidates":[]}"#, r#"{"usageMetadata":USAGE,"candidates":[]}"#),
            (Format::Chat, "[1]", "[1]"),
        ] {
            let told = in_whole(format, Bytes::from_static(body.as_bytes()), &USAGE);
            assert_eq!(told, expected.replace("USAGE", &value(format)), "{body}");
        }
    }

    #[test]
    fn an_event_tells_the_count_where_its_format_has_it() {
        for (format, event, expected) in [
            (
                Format::Messages,
                "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{}}\n\n",
                "event: message_delta\ndata: {\"usage\":USAGE,\"type\":\"message_delta\",\"delta\":{}}\n\n",
            ),
            (
                Format::Responses,
                "data: {\"response\":{\"usage\":null,\"id\":\"r\"},\"usage\":1}\n\n",
                "data: {\"response\":{\"usage\":USAGE,\"id\":\"r\"},\"usage\":1}\n\n",
            ),
            (Format::Messages, ": note\n\n", ": note\n\n"),
        ] {
            let told = in_event(format, Bytes::from_static(event.as_bytes()), &USAGE);
            assert_eq!(told, expected.replace("USAGE", &value(format)));
        }
        let chunk = "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"delta\":{}}]}\n\n";
        let expected = "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[],\"usage\":USAGE}\n\n";
        let told = event_after(Format::Chat, chunk.as_bytes(), &USAGE);
        assert_eq!(told, Some(expected.replace("USAGE", &value(Format::Chat)).into()));
        assert_eq!(event_after(Format::Chat, b": note\n\n", &USAGE), None);
        let alone = without_content(chunk.as_bytes());
        assert_eq!(alone, "data: {\"id\":\"c\",\"model\":\"m\"}\n\n");
        assert_eq!(event_after(Format::Chat, &alone, &USAGE), event_after(Format::Chat, chunk.as_bytes(), &USAGE));
        assert!(without_content(b": note\n\n").is_empty());
    }
}
