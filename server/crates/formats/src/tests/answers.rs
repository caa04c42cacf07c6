//! Answers of each format, whole and in streams, for clients of each.

use bytes::BytesMut;
use serde_json::{Value, json};

use crate::wire::sse;

use super::super::{
    Format, StreamDecoder, StreamEvent, convert_response, error_message, stream_decoder, stream_encoder,
};
use super::{FORMATS, UPSTREAM, echo, golden, name};

#[test]
fn every_answer_for_every_client() {
    for upstream in FORMATS {
        let folder = format!("replies/{}", name(upstream));
        for (fixture, body) in golden::fixtures(&folder, ".json") {
            let mut all = serde_json::Map::new();
            for client in FORMATS {
                let reply = convert_response(upstream, client, &body, UPSTREAM, &echo());
                let reply = reply.unwrap_or_else(|fault| panic!("{folder}/{fixture}: {fault}"));
                let body: Value = serde_json::from_slice(&reply.body).expect("JSON");
                all.insert(name(client).into(), json!({ "left_out": reply.left_out, "body": body }));
            }
            let made = serde_json::to_string_pretty(&all).expect("JSON") + "\n";
            golden::check(&format!("{folder}/{fixture}.golden.json"), &made);
        }
    }
}

#[test]
fn every_stream_for_every_client() {
    for upstream in FORMATS {
        let folder = format!("streams/{}", name(upstream));
        for (fixture, stream) in golden::fixtures(&folder, ".sse") {
            let made: String = FORMATS
                .into_iter()
                .map(|client| format!("==> {}\n{}", name(client), converted(upstream, client, &stream)))
                .collect();
            golden::check(&format!("{folder}/{fixture}.golden.txt"), &made);
        }
    }
}

#[test]
fn an_error_is_no_answer() {
    let bodies = [
        json!({"error": {"message": "Too much.", "type": "server_error", "param": null, "code": null}}),
        json!({"id": "i", "object": "response", "status": "failed", "output": [],
            "error": {"code": "server_error", "message": "Too much."}}),
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Too much."}, "request_id": "r"}),
        json!({"error": {"code": 503, "message": "Too much.", "status": "UNAVAILABLE"}}),
    ];
    for (upstream, body) in FORMATS.into_iter().zip(bodies) {
        let body = body.to_string();
        assert_eq!(error_message(body.as_bytes()).as_deref(), Some("Too much."), "{body}");
        for client in FORMATS {
            let reply = convert_response(upstream, client, body.as_bytes(), UPSTREAM, &echo());
            assert!(reply.is_err(), "{} for {}: {body}", name(upstream), name(client));
        }
    }
}

/// The stream that a client sees, as the gateway hands it on: up to its end or its break.
fn converted(upstream: Format, client: Format, stream: &[u8]) -> String {
    let mut writer = stream_encoder(client, echo(), false);
    let mut out = BytesMut::new();
    let mut ended = false;
    for event in read(&mut *stream_decoder(upstream, UPSTREAM), stream) {
        if let StreamEvent::Error(_) = event {
            break;
        }
        ended = matches!(event, StreamEvent::End);
        writer.write(event, &mut out);
        if ended {
            break;
        }
    }
    if !ended {
        let body = json!({ "error": { "message": "It broke." } }).to_string();
        writer.fail("upstream_error", "It broke.", body.as_bytes(), &mut out);
    }
    String::from_utf8(out.to_vec()).expect("text").replace('\r', "\\r")
}

/// All that a reader makes of a stream.
pub fn read(reader: &mut dyn StreamDecoder, stream: &[u8]) -> Vec<StreamEvent> {
    let mut events = sse::SseDecoder::default();
    let mut out = Vec::new();
    events.push(stream);
    while let Some(event) = events.next_event() {
        if let Some(data) = sse::data(&event) {
            reader.read(sse::name(&event), &data, &mut out).expect("of its format");
        }
    }
    assert!(events.rest().is_empty(), "a fixture ends with a whole event");
    reader.finish(&mut out);
    out
}
