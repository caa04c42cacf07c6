//! `previous_response_id`, written into a provider's answer of format R to a client of that format.
//!
//! The provider was sent the conversation itself, so it knows of no earlier response and answers null. Its bytes are copied
//! unchanged except for this member.

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use tollgate_formats::wire::splice::with_member;
use tollgate_formats::wire::sse;

#[derive(Deserialize)]
struct PreviousIdEvent<'a> {
    #[serde(borrow)]
    response: &'a RawValue,
}

#[derive(Deserialize)]
struct PreviousIdMember<'a> {
    /// Null counts as present, because its place is needed.
    #[serde(borrow, default, deserialize_with = "tollgate_formats::wire::splice::raw")]
    previous_response_id: Option<&'a RawValue>,
}

/// The response object with `previous` as its `previous_response_id`.
#[must_use]
pub fn in_response(body: Bytes, previous: &str) -> Bytes {
    let told = serde_json::from_slice::<&RawValue>(&body)
        .ok()
        .and_then(|response| insert_previous_id(&body, response, previous));
    told.unwrap_or(body)
}

/// The event of a stream, with `previous` in its response object, if it has one.
#[must_use]
pub fn in_event(event: Bytes, previous: &str) -> Bytes {
    // Most events are pieces of the answer, and are not taken apart. In a text the quotes would be escaped.
    if memchr::memmem::find(&event, b"\"response\"").is_none() {
        return event;
    }
    // An event of several data lines was joined elsewhere, and is left as it is.
    let told = sse::data(&event).and_then(|data| {
        let PreviousIdEvent { response } = serde_json::from_slice(&data).ok()?;
        insert_previous_id(&event, response, previous)
    });
    told.unwrap_or(event)
}

/// `source` with `previous_response_id` in the object `response`, which is a part of it.
fn insert_previous_id(source: &Bytes, response: &RawValue, previous: &str) -> Option<Bytes> {
    let members: PreviousIdMember<'_> = serde_json::from_str(response.get()).ok()?;
    let previous = serde_json::Value::from(previous).to_string();
    with_member(source, response, members.previous_response_id, "previous_response_id", previous)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_member_is_told_and_all_else_stays_as_it_is() {
        for (body, expected) in [
            (r#"{ "a":1.0,"previous_response_id" : null }"#, r#"{ "a":1.0,"previous_response_id" : "resp_\"1" }"#),
            (r#" { "a":1e2}"#, r#" {"previous_response_id":"resp_\"1", "a":1e2}"#),
            ("{ }", r#"{"previous_response_id":"resp_\"1" }"#),
            ("[1]", "[1]"),
            ("<html>", "<html>"),
        ] {
            assert_eq!(in_response(Bytes::from_static(body.as_bytes()), "resp_\"1"), expected, "{body}");
        }
    }

    #[test]
    fn events_that_show_the_response_tell_it() {
        for (event, expected) in [
            (
                "event: response.created\r\ndata: {\"response\": {\"previous_response_id\":null},\"n\":1.0}\r\n\r\n",
                "event: response.created\r\ndata: {\"response\": {\"previous_response_id\":\"r\"},\"n\":1.0}\r\n\r\n",
            ),
            (
                "data: {\"response\":{\"id\":1}}\n\n",
                "data: {\"response\":{\"previous_response_id\":\"r\",\"id\":1}}\n\n",
            ),
            ("data: {\"delta\":\"\\\"response\\\":{\"}\n\n", "data: {\"delta\":\"\\\"response\\\":{\"}\n\n"),
            ("data: {\"type\":\"response\"}\n\n", "data: {\"type\":\"response\"}\n\n"),
            ("data: {\"response\":\ndata: {}}\n\n", "data: {\"response\":\ndata: {}}\n\n"),
            (": \"response\"\n\n", ": \"response\"\n\n"),
        ] {
            assert_eq!(in_event(Bytes::from_static(event.as_bytes()), "r"), expected);
        }
    }
}
