//! The facts about a call.

use serde_json::Value;

/// The places in an error, as JSON pointers; empty where it does not have one.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) details: &'static str,
    pub(crate) param: &'static str,
    pub(crate) request_id: &'static str,
    /// A member that no reply has, and its value in JSON; empty where any object will do.
    pub(crate) marker: Option<(&'static str, &'static str)>,
}

/// The facts about a call.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) id: &'static str,
    pub(crate) method: reqwest::Method,
    pub(crate) path: &'static str,
    pub(crate) envelope: &'static Envelope,
    pub(crate) idempotent: bool,
    /// True if it is carried out once for each idempotency key.
    pub(crate) once: bool,
    pub(crate) fails_with_success: bool,
    pub(crate) credential: Option<(&'static str, &'static str)>,
    /// The events: true if they have names, and their ends, which are names of events or else literal data.
    pub(crate) stream: Option<(bool, &'static [&'static str])>,
}

/// True if a body is that of an error.
pub(super) fn is_marked(envelope: &Envelope, body: &Value) -> bool {
    envelope.marker.is_some_and(|(member, wanted)| match body.get(member) {
        Some(found) if wanted.is_empty() => found.is_object(),
        Some(found) => serde_json::from_str::<Value>(wanted).is_ok_and(|wanted| *found == wanted),
        None => false,
    })
}
