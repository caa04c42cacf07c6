//! Format G.

mod answer;
mod ask;
mod contents;
mod spelling;

use serde_json::{Value, json};

use crate::upstream::Received;

use super::Dialect;
use super::check::{Checked, Complaint};
use super::conduct::Answer;
use super::seen::Seen;

/// Who signs thoughts here.
const MAKER: &str = "g";

pub(super) struct Generate;

impl Dialect for Generate {
    fn read(request: &Received, body: &Value) -> Checked<Seen> {
        ask::read(request, &spelling::camel(body))
    }

    fn whole(answer: &Answer, _: &Seen) -> Value {
        answer::whole(answer)
    }

    fn stream(answer: &Answer, _: &Seen) -> Vec<String> {
        answer::stream(answer)
    }

    fn complaint(complaint: &Complaint) -> Value {
        let status = match complaint.status {
            401 => "UNAUTHENTICATED",
            404 => "NOT_FOUND",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            500.. => "INTERNAL",
            _ => "INVALID_ARGUMENT",
        };
        json!({"error": {"code": complaint.status, "message": complaint.message, "status": status}})
    }
}
