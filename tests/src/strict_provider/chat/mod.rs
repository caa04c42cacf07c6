//! Format O.

mod answer;
mod ask;

use serde_json::{Value, json};

use crate::upstream::Received;

use super::Dialect;
use super::check::{Checked, Complaint};
use super::conduct::Answer;
use super::seen::Seen;

pub(super) struct Chat;

impl Dialect for Chat {
    fn read(request: &Received, body: &Value) -> Checked<Seen> {
        ask::read(request, body)
    }

    fn whole(answer: &Answer, _: &Seen) -> Value {
        answer::whole(answer)
    }

    fn stream(answer: &Answer, seen: &Seen) -> Vec<String> {
        answer::stream(answer, seen.wants_usage)
    }

    fn complaint(complaint: &Complaint) -> Value {
        let kind = match complaint.status {
            401 => "authentication_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        json!({"error": {"message": complaint.message, "type": kind, "param": null, "code": null}})
    }
}
