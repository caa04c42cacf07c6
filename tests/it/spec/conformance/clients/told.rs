//! What a client told its program, held against what the server answered.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use tollgate_spec_generator::client_model::{self as spec, ApiCall, ApiDocument, ExampleCase, slots};

use super::super::answers::Reply;
use super::super::held::{differs, lacking};

pub(super) fn wrong(
    document: &ApiDocument,
    (case, call): (&ExampleCase<'_>, &ApiCall<'_>),
    reply: &Reply,
    told: &Value,
) -> Vec<String> {
    let mut wrong = Vec::new();
    if reply.content_type() == "text/event-stream" {
        stream(document, (case, call), reply, told, &mut wrong);
    } else if let Some(code) = case.expect.code {
        refused(document, (case, call, code), reply, told, &mut wrong);
    } else {
        whole(case, reply, told, &mut wrong);
    }
    wrong
}

fn whole(case: &ExampleCase<'_>, reply: &Reply, told: &Value, wrong: &mut Vec<String>) {
    let (member, expected) = match case.expect.reply {
        spec::ApiReply::Json(_) | spec::ApiReply::Named(_) => ("reply", reply.json().unwrap_or_default()),
        spec::ApiReply::Text => ("reply", reply.text().into()),
        spec::ApiReply::Bytes => ("bytes", HEXLOWER.encode(&reply.body).into()),
        spec::ApiReply::Nothing => ("nothing", true.into()),
    };
    match told.get(member) {
        Some(found) => differs(&expected, found, &[], "told", wrong),
        None => wrong.push("it was told of no reply".to_owned()),
    }
}

/// All events, and then its end; or those before the one that tells of a refusal, which is that refusal.
fn stream(
    document: &ApiDocument,
    (case, call): (&ExampleCase<'_>, &ApiCall<'_>),
    reply: &Reply,
    told: &Value,
    wrong: &mut Vec<String>,
) {
    let mut sent: Vec<Value> = reply.events().iter().filter_map(|event| serde_json::from_str(event).ok()).collect();
    if let Some(code) = case.expect.code {
        refused(document, (case, call, code), reply, told, wrong);
        // Where a format tells it once more in its last event, nobody reads on to that.
        match sent.iter().position(|event| lacking(document, case, reply, (code, event)).is_empty()) {
            Some(refusal) => sent.truncate(refusal),
            None => wrong.push("no event tells the refusal".to_owned()),
        }
    } else if let Some(error) = told.get("error").or_else(|| told.get("lost")) {
        wrong.push(format!("it was told of an error: {error}"));
    }
    differs(&Value::Array(sent), &told["events"], &[], "events", wrong);
}

/// The error is that of the call, with the code on the wire, and leads to the request.
fn refused(
    document: &ApiDocument,
    (case, call, code): (&ExampleCase<'_>, &ApiCall<'_>, &str),
    reply: &Reply,
    told: &Value,
    wrong: &mut Vec<String>,
) {
    let face = &document.errors[code].faces[case.expect.envelope];
    if !call.errors.iter().any(|answer| answer.wire == face.code) {
        wrong.push(format!("`{}` is no code of the call", face.code));
    }
    // Some envelopes have no place for it.
    let kind = if slots(&document.envelopes[case.expect.envelope].body).kind.is_empty() { "" } else { &face.kind };
    let expected = json!({
        "typed": true,
        "code": face.code,
        "kind": kind,
        "status": reply.status,
        "request_id": reply.header("x-request-id"),
    });
    differs(&expected, &told["error"], &[], "error", wrong);
}
