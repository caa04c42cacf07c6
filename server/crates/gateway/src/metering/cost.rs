//! The cost of an answer, told with it: in a header of every whole answer, and where the client asks for it beside the
//! counts of tokens too, also at the end of a stream. It is told when the charge is on the disk, and is the charge.

use std::ops::Range;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::value::RawValue;

use tollgate_api::generated::auth::names;
use tollgate_api::{ProxyReply, ProxyReplyBody};
use tollgate_base::Usd;
use tollgate_formats::Format;
use tollgate_formats::wire::splice::{JsonSplice, range_within, raw};
use tollgate_formats::wire::sse::{self, SseDecoder};

/// The places beside the header where the client wants to read the cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CostReporting {
    /// True if the usage has the cost as its member `cost`.
    pub in_usage: bool,
    /// True if the body asks for it, in a member that is meant for us and not for a provider.
    pub member: bool,
}

impl CostReporting {
    /// The wish of a request: by its key, by the header, or by the member of format O that routers take.
    #[must_use]
    pub fn of(by_key: bool, headers: &HeaderMap, format: Format, body: &[u8]) -> Self {
        let header = names::X_TOLLGATE_INCLUDE_COST.values(headers).any(|value| value == "true");
        let member = format == Format::Chat && says_include(body);
        Self { in_usage: by_key || header || member, member }
    }
}

fn says_include(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct CostOptionBody {
        usage: Option<UsageOption>,
    }
    #[derive(Deserialize)]
    struct UsageOption {
        include: bool,
    }
    // Nearly no request has the word, and one pass for it costs less than reading.
    memchr::memmem::find(body, b"\"include\"").is_some()
        && serde_json::from_slice::<CostOptionBody>(body)
            .is_ok_and(|body| body.usage.is_some_and(|usage| usage.include))
}

/// A whole reply before it is charged, without its cost.
#[derive(Debug, Clone)]
pub struct UnchargedReply {
    /// The status.
    pub status: StatusCode,
    /// All headers but that of the cost.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// The format of the client that wants the cost told beside the counts of tokens.
    pub cost_in: Option<Format>,
}

impl UnchargedReply {
    /// The reply with the amount that was charged, or without one where the ledger is late.
    #[must_use]
    pub fn charged(self, charged: Option<Usd>) -> ProxyReply {
        let Self { status, mut headers, mut body, cost_in } = self;
        if let Some(charged) = charged {
            let value = HeaderValue::try_from(charged.to_string()).expect("an amount is digits");
            headers.insert(names::X_TOLLGATE_COST_USD.sent(), value);
            body = cost_in.map_or(body.clone(), |format| in_answer(format, &body, charged));
        }
        ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) }
    }
}

/// A whole answer with its cost beside the counts of tokens, where it has these.
fn in_answer(format: Format, answer: &Bytes, charged: Usd) -> Bytes {
    put(answer, usage_of(format, answer), charged)
}

/// The end of a stream with the cost beside the last counts of tokens, where it has these: events, or elements of a list.
#[must_use]
pub fn in_end(format: Format, end: &Bytes, charged: Usd) -> Bytes {
    let ranges = if sse::data(end).is_some() { in_events(format, end) } else { in_elements(format, end) };
    put(end, ranges, charged)
}

/// The range of the last usage among events.
fn in_events(format: Format, end: &[u8]) -> Option<Range<usize>> {
    let mut events = SseDecoder::default();
    events.push(end);
    let (mut at, mut found) = (0, None);
    loop {
        let event = events.next_event().unwrap_or_else(|| events.rest());
        if event.is_empty() {
            return found;
        }
        // Data of several lines is what no provider sends, and stays as it is.
        let length = sse::data(&event).map_or(0, |data| data.len());
        let place = memchr::memmem::find(&event, b"data:").map(|place| at + place + b"data:".len());
        if let Some(start) = place {
            let start = start + usize::from(end.get(start) == Some(&b' '));
            let usage = end.get(start..start + length).and_then(|data| usage_of(format, data));
            found = usage.map(|usage| start + usage.start..start + usage.end).or(found);
        }
        at += event.len();
    }
}

/// The range of the last usage among the elements of a list, or of a part of one.
fn in_elements(format: Format, end: &[u8]) -> Option<Range<usize>> {
    let (mut at, mut found) = (0, None);
    loop {
        at += end[at..].iter().take_while(|byte| b"[,] \r\n".contains(byte)).count();
        let mut values = serde_json::Deserializer::from_slice(&end[at..]).into_iter::<&RawValue>();
        let Some(Ok(value)) = values.next() else { return found };
        let usage = usage_of(format, value.get().as_bytes());
        found = usage.map(|usage| at + usage.start..at + usage.end).or(found);
        at += values.byte_offset();
    }
}

#[derive(Deserialize)]
struct UsageMembers<'a> {
    #[serde(borrow, default)]
    usage: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "usageMetadata")]
    usage_metadata: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

/// The range of the counts of tokens in an answer or an event.
fn usage_of(format: Format, json: &[u8]) -> Option<Range<usize>> {
    let counted: UsageMembers<'_> = serde_json::from_slice(json).ok()?;
    let usage = match (format, counted.response) {
        (Format::Generate, _) => counted.usage_metadata?,
        (Format::Responses, Some(response)) => serde_json::from_str::<UsageMembers<'_>>(response.get()).ok()?.usage?,
        (Format::Chat | Format::Completions | Format::Messages | Format::Responses, _) => counted.usage?,
    };
    usage.get().starts_with('{').then(|| range_within(json, usage.get()))?
}

/// Writes the cost into the usage object, over a `cost` of the provider's.
fn put(text: &Bytes, usage: Option<Range<usize>>, charged: Usd) -> Bytes {
    #[derive(Deserialize)]
    struct UsageCost<'a> {
        #[serde(borrow, default, deserialize_with = "raw")]
        cost: Option<&'a RawValue>,
    }
    let Some(usage) = usage else { return text.clone() };
    let mut splice = JsonSplice::default();
    match serde_json::from_slice::<UsageCost<'_>>(&text[usage.clone()]) {
        Ok(UsageCost { cost: Some(cost) }) => match range_within(text, cost.get()) {
            Some(place) => splice.replace(place, charged.to_string()),
            None => return text.clone(),
        },
        Ok(UsageCost { cost: None }) => {
            let empty = text[usage.start + 1..usage.end - 1].trim_ascii().is_empty();
            let comma = if empty { "" } else { "," };
            splice.replace(usage.start + 1..usage.start + 1, format!("\"cost\":{charged}{comma}"));
        }
        // Two members `cost`, or no object: nobody could tell which is ours.
        Err(_) => return text.clone(),
    }
    splice.apply(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(with: fn(Format, &Bytes, Usd) -> Bytes, format: Format, text: &'static str) -> String {
        let cost: Usd = "0.00000105".parse().expect("an amount");
        String::from_utf8(with(format, &Bytes::from_static(text.as_bytes()), cost).to_vec()).expect("text")
    }

    #[test]
    fn a_whole_answer_tells_its_cost_beside_its_tokens() {
        for (format, answer, want) in [
            (Format::Chat, r#"{"usage":{"a":1}}"#, r#"{"usage":{"cost":0.00000105,"a":1}}"#),
            (Format::Chat, r#"{"usage": {} }"#, r#"{"usage": {"cost":0.00000105} }"#),
            (Format::Chat, r#"{"usage":{"cost":7,"a":1}}"#, r#"{"usage":{"cost":0.00000105,"a":1}}"#),
            (Format::Chat, r#"{"usage":{"cost":null}}"#, r#"{"usage":{"cost":0.00000105}}"#),
            (Format::Chat, r#"{"usage":{"cost":1,"cost":2}}"#, r#"{"usage":{"cost":1,"cost":2}}"#),
            (Format::Chat, r#"{"usage":null}"#, r#"{"usage":null}"#),
            (Format::Chat, r#"{"choices":[{"usage":{}}]}"#, r#"{"choices":[{"usage":{}}]}"#),
            (
                Format::Messages,
                r#"{"x":"\"usage\":{}","usage":{"b":2}}"#,
                r#"{"x":"\"usage\":{}","usage":{"cost":0.00000105,"b":2}}"#,
            ),
            (Format::Responses, r#"{"usage":{"c":3}}"#, r#"{"usage":{"cost":0.00000105,"c":3}}"#),
            (Format::Generate, r#"{"usageMetadata":{"d":4}}"#, r#"{"usageMetadata":{"cost":0.00000105,"d":4}}"#),
        ] {
            assert_eq!(told(in_answer, format, answer), want);
        }
    }

    #[test]
    fn the_end_of_a_stream_tells_it_beside_the_last_counts() {
        for (format, end, want) in [
            (
                Format::Chat,
                "data: {\"usage\":null}\n\ndata: {\"usage\":{\"a\":1}}\n\ndata: {\"usage\":{\"a\":2}}\n\ndata: [DONE]\n\n",
                "data: {\"usage\":null}\n\ndata: {\"usage\":{\"a\":1}}\n\ndata: {\"usage\":{\"cost\":0.00000105,\"a\":2}}\n\ndata: [DONE]\n\n",
            ),
            (
                Format::Messages,
                ": note\n\nevent: message_delta\r\ndata:{\"usage\":{\"b\":2}}\r\n\r\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
                ": note\n\nevent: message_delta\r\ndata:{\"usage\":{\"cost\":0.00000105,\"b\":2}}\r\n\r\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
            ),
            (
                Format::Responses,
                "event: response.completed\ndata: {\"response\":{\"usage\":{\"c\":3}}}\n\n",
                "event: response.completed\ndata: {\"response\":{\"usage\":{\"cost\":0.00000105,\"c\":3}}}\n\n",
            ),
            (
                Format::Generate,
                ",\n{\"usageMetadata\": {\"d\":4}},\n{\"usageMetadata\": {\"d\":5}}]",
                ",\n{\"usageMetadata\": {\"d\":4}},\n{\"usageMetadata\": {\"cost\":0.00000105,\"d\":5}}]",
            ),
            (Format::Generate, "]", "]"),
            (Format::Chat, "data: [DONE]\n\n", "data: [DONE]\n\n"),
            (Format::Chat, "", ""),
        ] {
            assert_eq!(told(in_end, format, end), want);
        }
    }

    #[test]
    fn it_is_asked_for_by_a_key_by_a_header_or_as_routers_are_asked() {
        let mut headers = HeaderMap::new();
        let wish = |in_usage, member| CostReporting { in_usage, member };
        for (format, body, want) in [
            (Format::Chat, r#"{"usage":{"include":true}}"#, wish(true, true)),
            (Format::Chat, r#"{"usage":{"include":false}}"#, wish(false, false)),
            (Format::Chat, r#"{"messages":["\"usage\":{\"include\":true}"],"include":true}"#, wish(false, false)),
            (Format::Responses, r#"{"usage":{"include":true}}"#, wish(false, false)),
        ] {
            assert_eq!(CostReporting::of(false, &headers, format, body.as_bytes()), want, "{body}");
        }
        assert_eq!(CostReporting::of(true, &headers, Format::Messages, b"{}"), wish(true, false));
        headers.insert("x-tollgate-include-cost", HeaderValue::from_static("true"));
        assert_eq!(CostReporting::of(false, &headers, Format::Messages, b"{}"), wish(true, false));
    }
}
