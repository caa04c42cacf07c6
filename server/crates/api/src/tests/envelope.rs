//! One failure, in the words of each envelope.

use ::http::StatusCode;

use super::{code, envelopes};
use crate::{Code, Envelope, Failure, RequestId};

fn rendered(failure: &Failure, envelope: &'static Envelope) -> (StatusCode, String, Vec<String>) {
    let id: RequestId = "req_0123456789abcdefghjkmnpqrs".parse().expect("an id");
    let (status, headers, body) = failure.render(envelope, &id);
    let headers = headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().expect("text"))).collect();
    (status, String::from_utf8(body.to_vec()).expect("JSON is UTF-8"), headers)
}

#[test]
fn each_style_has_its_own_names_and_statuses() {
    let full = code::Full {}.failure();
    let (status, body, headers) = rendered(&full, &envelopes::A);
    assert_eq!(status.as_u16(), 529);
    assert_eq!(
        body,
        r#"{"type":"error","error":{"type":"server","message":"full; wait"},"request_id":"req_0123456789abcdefghjkmnpqrs"}"#
    );
    assert_eq!(headers, ["content-type: application/json", "x-should-retry: true", "retry-after: 1"]);
    let (status, body, _) = rendered(&full, &envelopes::O);
    assert_eq!((status.as_u16(), body.as_str()), (503, r#"{"error":{"code":"too_full","param":null,"status":503}}"#));
}

#[test]
fn values_fill_the_sentence_and_what_is_hostile_stays_text() {
    let failure =
        code::BadField { field: "a\"b\n{expected}".into(), expected: "x".into(), found: "{say}".into() }.failure();
    let (_, body, headers) = rendered(&failure, &envelopes::A);
    let value: serde_json::Value = serde_json::from_str(&body).expect("whatever the values are, JSON");
    assert_eq!(value["error"]["message"], "'a\"b\n{expected}' must be x, not {say}; correct it");
    assert_eq!(value["error"]["details"]["found"], "{say}");
    assert_eq!(headers[1], "x-should-retry: false");
    let (_, body, _) = rendered(&failure, &envelopes::O);
    let value: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        (value["error"]["param"].as_str(), value["error"]["code"].as_str()),
        (Some("a\"b\n{expected}"), Some("bad_field"))
    );
}

#[test]
fn only_declared_values_travel() {
    let failure = Failure::new(&code::FULL).with("secret", "x").with_retry_after(3_600);
    let (_, body, headers) = rendered(&failure, &envelopes::A);
    assert!(!body.contains("details"));
    assert_eq!(headers[2], "retry-after: 3600");
}

#[test]
fn only_listed_statuses_can_be_chosen() {
    for (chosen, sent) in [(400, 400), (413, 413), (422, 413), (200, 413)] {
        let chosen = StatusCode::from_u16(chosen).expect("a status");
        let failure = code::TooLarge { limit_bytes: 1 }.failure().with_status(chosen);
        assert_eq!(rendered(&failure, &envelopes::O).0.as_u16(), sent);
    }
}
