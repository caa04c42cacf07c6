//! What each kind of provider is sent for an order, and how it is understood.

use bytes::Bytes;
use http::StatusCode;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::routing::candidate_error::CandidateError;

use super::adapter::{AnsweredRequest, VideoAdapter, VideoProviderReply, VideoSubmission};
use super::format_o::FormatOAdapter;
use super::video_a::VideoAAdapter;
use super::{ForwardedForm, FrameSize, RemainingMembers, StartImage, VideoRequest};

fn script(rest: RemainingMembers) -> VideoRequest {
    VideoRequest {
        model: "named".to_owned(),
        prompt: "a cat".to_owned(),
        seconds: 4,
        size: None,
        large: false,
        picture: None,
        rest,
    }
}

fn members(value: &Value) -> Vec<(String, Box<RawValue>)> {
    let raw = |value: &Value| RawValue::from_string(value.to_string()).expect("JSON");
    value.as_object().expect("an object").iter().map(|(name, value)| (name.clone(), raw(value))).collect()
}

fn text(order: &VideoSubmission) -> &str {
    std::str::from_utf8(&order.body).expect("text")
}

const FORM: &str = "a preamble\r\n--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nnamed\r\n--b--\r\n";

fn whole(names_model: bool, says_seconds: bool) -> VideoRequest {
    let place = FORM.find("named").expect("it is there");
    script(RemainingMembers::Form(ForwardedForm {
        bytes: Bytes::from_static(FORM.as_bytes()),
        boundary: "b".to_owned(),
        model: names_model.then_some(place..place + 5),
        says_seconds,
        others: Vec::new(),
    }))
}

#[test]
fn a_form_goes_on_as_it_came_but_for_what_has_to_be_said() {
    let from = FORM.find("--b").expect("it is there");
    let part =
        |name: &str, text: &str| format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
    for (names_model, says_seconds, model, expected) in [
        (true, true, "named", FORM.to_owned()),
        (true, true, "reel", FORM[from..].replace("named", "reel")),
        (true, false, "reel", [part("seconds", "4"), FORM[from..].replace("named", "reel")].concat()),
        (false, false, "reel", [part("model", "reel"), part("seconds", "4"), FORM[from..].to_owned()].concat()),
    ] {
        let order = FormatOAdapter.order(&whole(names_model, says_seconds), model, "ours").expect("an order");
        // Bytes before the first part have no meaning, and are passed on only with an unchanged form.
        assert_eq!(text(&order), expected);
        assert_eq!(order.content_type, "multipart/form-data; boundary=\"b\"");
    }
}

#[test]
fn a_form_of_ours_cannot_be_broken_out_of() {
    let odd = json!({"a\"\r\nb": "x", "nothing": null, "number": 1.50, "text": "y"});
    let order = FormatOAdapter.order(&script(RemainingMembers::O(members(&odd))), "reel", "ours").expect("an order");
    let sent = text(&order);
    assert!(sent.contains("name=\"a%22%0D%0Ab\"\r\n\r\nx\r\n") && !sent.contains("nothing"), "{sent}");
    let delimiter = sent.split("\r\n").next().expect("a line");
    let inside = json!({"x": format!("y\r\n{delimiter}\r\n")});
    let broken = FormatOAdapter.order(&script(RemainingMembers::O(members(&inside))), "reel", "ours");
    assert!(matches!(broken, Err(CandidateError::NotCarried(_))), "{broken:?}");
}

#[test]
fn nobody_but_us_names_the_model_to_the_second_family() {
    let theirs = json!({"Model_Name": "dear", "EXTERNAL_TASK_ID": "x", "Duration": "10", "cfg_scale": 0.50});
    let picture = Some(StartImage::Bytes { media_type: "image/png".to_owned(), bytes: Bytes::from_static(b"png") });
    let size = FrameSize::read("1920x1080");
    let script = VideoRequest { picture, size, large: true, ..script(RemainingMembers::A(members(&theirs))) };
    let order = VideoAAdapter.order(&script, "lens", "ours").expect("an order");
    assert_eq!(order.path, "videos/image2video");
    assert_eq!(
        text(&order),
        r#"{"model_name":"lens","prompt":"a cat","duration":"4","image":"cG5n","external_task_id":"ours","cfg_scale":0.5,"aspect_ratio":"16:9","mode":"pro"}"#
    );
    assert_eq!(order.dropped, ["Model_Name", "EXTERNAL_TASK_ID", "Duration", "width", "height"]);
}

fn said(studio: &dyn VideoAdapter, status: u16, body: &Value) -> String {
    let asked = AnsweredRequest { request: b"", model: "lens", retry_after_seconds: Some(3) };
    let status = StatusCode::from_u16(status).expect("a status");
    match studio.read(status, &body.to_string().into(), asked) {
        VideoProviderReply::Report(report) => {
            format!("{:?} {:?} {:?}", report.stage, report.progress, report.measures.seconds)
        }
        VideoProviderReply::Refused { status, .. } => format!("refused {}", status.as_u16()),
        VideoProviderReply::Gone => "gone".to_owned(),
        VideoProviderReply::Stale => "stale".to_owned(),
        VideoProviderReply::Failed(CandidateError::Status { status, .. }) => format!("status {}", status.as_u16()),
        VideoProviderReply::Failed(failed) => format!("{failed:?}"),
    }
}

#[test]
fn what_format_o_says_is_understood() {
    let job = |status: &str, more: Value| {
        let mut job = json!({"id": "v", "status": status});
        job.as_object_mut().expect("an object").append(&mut more.as_object().expect("an object").clone());
        job
    };
    let error = json!({"error": {"message": "no", "type": "invalid_request_error"}});
    for (status, body, expected) in [
        (200, job("queued", json!({"progress": 0})), "Queued Some(0) None"),
        (200, job("in_progress", json!({"progress": 33.4, "seconds": "8"})), "InProgress Some(33) Some(8)"),
        (200, job("a_later_word", json!({"progress": 400})), "InProgress None None"),
        (200, job("completed", json!({"seconds": 8})), "Completed None Some(8)"),
        (200, job("cancelled", json!({})), "Failed None None"),
        (200, json!({"status": "queued"}), "NoAnswer"),
        (404, error.clone(), "gone"),
        (404, json!("<html>"), "status 404"),
        (400, error.clone(), "refused 400"),
        (429, error, "status 429"),
    ] {
        assert_eq!(said(&FormatOAdapter, status, &body), expected, "{body}");
    }
}

#[test]
fn what_the_second_family_says_is_understood() {
    let task = |status: &str, result: Value| json!({"code": 0, "data": {"task_id": "t", "task_status": status, "task_result": result}});
    let made = json!({"videos": [{"url": "https://x.example/a.mp4", "duration": "5.1"}]});
    let code = |code: i64| json!({"code": code, "message": "m"});
    for (status, body, expected) in [
        (200, task("submitted", json!(null)), "Queued None None"),
        (200, task("processing", json!({})), "InProgress None None"),
        (200, task("succeed", made), "Completed None Some(5)"),
        (200, task("succeed", json!({"videos": []})), "Failed None None"),
        (200, task("failed", json!(null)), "Failed None None"),
        (200, json!({"code": 0}), "NoAnswer"),
        (401, code(1004), "stale"),
        (404, code(1203), "gone"),
        (400, code(1301), "refused 400"),
        (200, code(1102), "BlamesUs"),
        (429, code(1303), "status 429"),
        (200, code(5001), "status 503"),
        (502, json!("<html>"), "status 502"),
    ] {
        assert_eq!(said(&VideoAAdapter, status, &body), expected, "{body}");
    }
}
