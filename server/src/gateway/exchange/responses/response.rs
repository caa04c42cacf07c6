//! The response object that clients get, with the settings of their request in it.

use serde_json::value::RawValue;

use super::super::json::{ArrayWriter, ObjectWriter, Value};
use super::super::{Echo, Stop, Usage};
use super::item::{Body, Item};
use super::usage;

/// Members that repeat the client's request, and what stands there where it said nothing.
const ECHOED: [(&str, &str); 22] = [
    ("background", "false"),
    ("conversation", "null"),
    ("instructions", "null"),
    ("max_output_tokens", "null"),
    ("max_tool_calls", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("previous_response_id", "null"),
    ("prompt", "null"),
    ("prompt_cache_key", "null"),
    ("prompt_cache_retention", "null"),
    ("reasoning", r#"{"effort":null,"summary":null}"#),
    ("safety_identifier", "null"),
    ("service_tier", r#""default""#),
    ("store", "true"),
    ("temperature", "1.0"),
    ("text", r#"{"format":{"type":"text"}}"#),
    ("tool_choice", r#""auto""#),
    ("tools", "[]"),
    ("top_logprobs", "0"),
    ("top_p", "1.0"),
    ("truncation", r#""disabled""#),
];

/// What all forms of one response have in common.
#[derive(Debug)]
pub struct Response {
    id: String,
    model: String,
    created: i64,
    settings: Vec<(&'static str, Box<RawValue>)>,
    user: Option<Box<RawValue>>,
}

/// How far a response has come.
#[derive(Debug, Clone, Copy)]
pub enum State<'s> {
    /// It has begun.
    Running,
    /// It came to an end.
    Ended(&'s Stop),
    /// It broke off.
    Failed { code: &'s str, message: &'s str },
}

impl Response {
    /// For the request that `echo` tells of.
    pub fn new(echo: &Echo) -> Self {
        let request = Value::document(&echo.request).and_then(|request| request.object());
        let mut request = request.ok();
        let mut said =
            |name: &str| request.as_mut().and_then(|request| request.raw(name)).filter(|raw| raw.get() != "null");
        let settings = ECHOED.map(|(name, default)| {
            let value = said(name).map(ToOwned::to_owned);
            let default = || RawValue::from_string(default.to_owned()).expect("the defaults are JSON");
            (name, shaped(name, value).unwrap_or_else(default))
        });
        Self {
            id: format!("resp_{}", echo.id),
            model: echo.model.clone(),
            created: echo.created,
            settings: settings.into(),
            user: said("user").map(ToOwned::to_owned),
        }
    }

    /// Writes it.
    pub fn write(&self, state: State<'_>, items: &[Item], used: Option<&Usage>, mut object: ObjectWriter<'_>) {
        let status = status(state);
        object.member("id", &self.id).member("object", "response").member("created_at", &self.created);
        object.member("status", status);
        // Nobody tells the time here; the start is the nearest time that is known.
        object.member("completed_at", &(status == "completed").then_some(self.created));
        object.member("model", &self.model);
        error(state, &mut object);
        let mut output = object.array("output");
        for item in items {
            let state = if item.done { "completed" } else { "incomplete" };
            element(item, state, &mut output);
        }
        output.end();
        match used {
            Some(used) => {
                let mut object = object.object("usage");
                usage::write(used, &mut object);
                object.end();
            }
            None => null(&mut object, "usage"),
        }
        for (name, value) in &self.settings {
            object.member(name, value);
        }
        object.maybe("user", self.user.as_ref());
        object.end();
    }
}

/// Writes an item into a list.
pub fn element(item: &Item, state: &str, list: &mut ArrayWriter<'_>) {
    match &item.body {
        Body::Raw(raw) => {
            list.element(raw);
        }
        _ => item.write(state, list.object()),
    }
}

/// The name of the event that ends a response with that state.
pub fn last_event(state: State<'_>) -> &'static str {
    match status(state) {
        "incomplete" => "response.incomplete",
        "failed" => "response.failed",
        _ => "response.completed",
    }
}

/// A conversation may be named by its id alone; in an answer it is an object.
fn shaped(name: &str, value: Option<Box<RawValue>>) -> Option<Box<RawValue>> {
    let value = value?;
    if name != "conversation" || !value.get().starts_with('"') {
        return Some(value);
    }
    RawValue::from_string(format!(r#"{{"id":{}}}"#, value.get())).ok()
}

fn status(state: State<'_>) -> &'static str {
    match state {
        State::Running => "in_progress",
        State::Ended(Stop::Natural | Stop::Sequence(_) | Stop::Calls) => "completed",
        State::Ended(Stop::Length | Stop::ContextFull | Stop::Pause | Stop::Refused) => "incomplete",
        State::Ended(Stop::BrokenCall) | State::Failed { .. } => "failed",
    }
}

fn error(state: State<'_>, object: &mut ObjectWriter<'_>) {
    let failure = match state {
        State::Failed { code, message } => Some((code, message)),
        State::Ended(Stop::BrokenCall) => Some(("server_error", "The model made a call that cannot be read.")),
        State::Running | State::Ended(_) => None,
    };
    match failure {
        Some((code, message)) => {
            let mut error = object.object("error");
            error.member("code", code).member("message", message);
            error.end();
        }
        None => null(object, "error"),
    }
    let reason = match state {
        State::Ended(Stop::Length | Stop::ContextFull) => Some("max_output_tokens"),
        State::Ended(Stop::Refused) => Some("content_filter"),
        State::Running | State::Ended(_) | State::Failed { .. } => None,
    };
    match reason {
        Some(reason) => {
            let mut details = object.object("incomplete_details");
            details.member("reason", reason);
            details.end();
        }
        None => null(object, "incomplete_details"),
    }
}

fn null(object: &mut ObjectWriter<'_>, name: &str) {
    object.member(name, &());
}
