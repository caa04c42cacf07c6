//! A provider as strict as the real ones, in all four formats: it refuses what they refuse, in their words, and answers as
//! the last thing that the user said tells it to (`conduct.rs`). What one format can say all can say, so a client must see
//! the same whichever of them stands behind the gateway. What providers do beside turns is in `beside.rs`.
//!
//! Deterministic and without state: the same request has the same answer. Start it with
//! `upstream.on(strict::answer)`; the [`Upstream`](crate::Upstream) records what it was sent.

mod beside;
mod chat;
mod check;
mod conduct;
mod generate;
mod messages;
pub mod pictures;
pub mod pictures_later;
mod responses;
mod schema;
mod seen;
mod signature;

use serde_json::Value;

use crate::reply::Reply;
use crate::upstream::Received;

use check::{Checked, Complaint};
use conduct::{Answer, conduct};
use seen::Seen;

/// What one format makes of requests and answers.
trait Dialect {
    /// Checks a request as the provider would, and tells what the model sees of it.
    fn read(request: &Received, body: &Value) -> Checked<Seen>;
    /// A whole answer.
    fn whole(answer: &Answer, seen: &Seen) -> Value;
    /// The events of a streamed one.
    fn stream(answer: &Answer, seen: &Seen) -> Vec<String>;
    /// The error object.
    fn complaint(complaint: &Complaint) -> Value;
}

/// The answer to a request, by its path.
#[must_use]
pub fn answer(request: &Received) -> Reply {
    let path = request.line.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    if let Some(reply) = beside::answer(path, request) {
        return reply;
    }
    match path {
        "/v1/chat/completions" => serve::<chat::Chat>(request),
        "/v1/responses" => serve::<responses::Responses>(request),
        "/v1/messages" => serve::<messages::Messages>(request),
        path if path.starts_with("/v1/models/") => serve::<generate::Generate>(request),
        _ => Reply::json(404, &Value::Null),
    }
}

fn serve<D: Dialect>(request: &Received) -> Reply {
    match turn::<D>(request) {
        Ok(reply) => reply,
        Err(complaint) => {
            let reply = Reply::json(complaint.status, &D::complaint(&complaint));
            if complaint.status == 429 { reply.header("retry-after", "7") } else { reply }
        }
    }
}

fn turn<D: Dialect>(request: &Received) -> Checked<Reply> {
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| Complaint::new(error.to_string()))?;
    let seen = D::read(request, &body)?;
    let answer = conduct(&seen)?;
    let stream = seen.stream;
    Ok(if stream { Reply::stream(D::stream(&answer, &seen)) } else { Reply::json(200, &D::whole(&answer, &seen)) })
}

/// Texts are streamed in pieces that heed no border of words.
fn pieces(text: &str) -> Vec<String> {
    const LETTERS: usize = 4;
    text.chars().collect::<Vec<_>>().chunks(LETTERS).map(|piece| piece.iter().collect()).collect()
}

/// An event with the name that its data says, as formats A and R send them.
fn named_event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().expect("an event has a type"))
}
