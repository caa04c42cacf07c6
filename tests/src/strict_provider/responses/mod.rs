//! Format R.

mod answer;
mod ask;
mod events;
mod items;

use serde_json::{Value, json};

use crate::upstream::Received;

use super::Dialect;
use super::check::{Checked, Complaint};
use super::conduct::Answer;
use super::seen::Seen;

/// Who signs thoughts here.
const MAKER: &str = "r";

pub(super) struct Responses;

impl Dialect for Responses {
    fn read(request: &Received, body: &Value) -> Checked<Seen> {
        ask::read(request, body)
    }

    fn whole(answer: &Answer, seen: &Seen) -> Value {
        answer::response(&answer::fresh_id(), answer, seen)
    }

    fn stream(answer: &Answer, seen: &Seen) -> Vec<String> {
        events::stream(answer, seen)
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
