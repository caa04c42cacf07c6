//! Format A.

mod answer;
mod ask;
mod blocks;
mod schema;

use serde_json::{Value, json};

use crate::upstream::Received;

use super::Dialect;
use super::check::{Checked, Complaint};
use super::conduct::Answer;
use super::seen::Seen;

/// Who signs thoughts here.
const MAKER: &str = "a";

pub(super) struct Messages;

impl Dialect for Messages {
    fn read(request: &Received, body: &Value) -> Checked<Seen> {
        ask::read(request, body)
    }

    fn whole(answer: &Answer, _: &Seen) -> Value {
        answer::whole(answer)
    }

    fn stream(answer: &Answer, _: &Seen) -> Vec<String> {
        answer::stream(answer)
    }

    fn complaint(complaint: &Complaint) -> Value {
        let kind = match complaint.status {
            401 => "authentication_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            500.. => "api_error",
            _ => "invalid_request_error",
        };
        json!({
            "type": "error", "request_id": "req_strict",
            "error": {"type": kind, "message": complaint.message},
        })
    }
}
