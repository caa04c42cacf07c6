//! The response object that clients get, with the settings of their request in it.

use serde_json::value::RawValue;

use super::super::json::{ArrayWriter, JsonObject, JsonValue, ObjectWriter};
use super::super::{ResponseContext, StopReason, TokenUsage};
use super::item::{ItemBody, ResponseItem};
use super::usage;

/// Members that repeat the client's request, and what stands there where it said nothing.
const ECHOED: [(&str, &str); 24] = [
    ("background", "false"),
    ("conversation", "null"),
    ("frequency_penalty", "0.0"),
    ("instructions", "null"),
    ("max_output_tokens", "null"),
    ("max_tool_calls", "null"),
    ("metadata", "{}"),
    ("parallel_tool_calls", "true"),
    ("presence_penalty", "0.0"),
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

/// The members that all forms of one response have in common.
#[derive(Debug)]
pub struct ResponseObject {
    id: String,
    model: String,
    created: i64,
    settings: Vec<(&'static str, Box<RawValue>)>,
    user: Option<Box<RawValue>>,
}

/// The progress of a response.
#[derive(Debug, Clone, Copy)]
pub enum ResponseState<'s> {
    /// It has begun.
    Running,
    /// It came to an end.
    Ended(&'s StopReason),
    /// It broke off.
    Failed { code: &'s str, message: &'s str },
}

impl ResponseObject {
    /// For the request that `echo` tells of.
    pub fn new(echo: &ResponseContext) -> Self {
        let request = JsonValue::document(&echo.request).and_then(|request| request.object());
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

    /// The response under the id that the client knows.
    pub fn named(self, id: Option<String>) -> Self {
        Self { id: id.unwrap_or(self.id), ..self }
    }

    /// Writes it.
    pub fn write(
        &self,
        state: ResponseState<'_>,
        items: &[ResponseItem],
        used: Option<&TokenUsage>,
        mut object: ObjectWriter<'_>,
    ) {
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

/// The members of a function but its type; `None` where a tool is no function.
fn function<'a>(tool: &JsonValue<'a>) -> Option<JsonObject<'a>> {
    let mut object = tool.object().ok()?;
    let is_one = object.text(&["type"]).ok()?.as_deref() == Some("function");
    is_one.then_some(object)
}

/// Writes an item into a list.
pub fn element(item: &ResponseItem, state: &str, list: &mut ArrayWriter<'_>) {
    match &item.body {
        ItemBody::Raw(raw) => {
            list.element(raw);
        }
        _ => item.write(state, list.object()),
    }
}

/// The name of the event that ends a response with that state.
pub fn last_event(state: ResponseState<'_>) -> &'static str {
    match status(state) {
        "incomplete" => "response.incomplete",
        "failed" => "response.failed",
        _ => "response.completed",
    }
}

/// A member as an answer has it: a conversation may be named by its id alone, and is an object there; of a tool all members
/// stand there.
fn shaped(name: &str, value: Option<Box<RawValue>>) -> Option<Box<RawValue>> {
    let value = value?;
    match name {
        "conversation" if value.get().starts_with('"') => {
            RawValue::from_string(format!(r#"{{"id":{}}}"#, value.get())).ok()
        }
        "tools" => tools(&value).or(Some(value)),
        _ => Some(value),
    }
}

/// Tools with what a client left out of its functions, as null.
fn tools(value: &RawValue) -> Option<Box<RawValue>> {
    let tools = JsonValue { at: String::new(), raw: value }.list().ok()?;
    let mut body = Vec::with_capacity(value.get().len() + 64);
    let mut list = ArrayWriter::new(&mut body);
    for tool in &tools {
        match function(tool) {
            Some(object) => {
                let absent = ["description", "parameters", "strict"].into_iter().filter(|name| !object.has(name));
                let absent: Vec<&str> = absent.collect();
                let mut whole = list.object();
                whole.member("type", "function").extras(&object.rest());
                absent.into_iter().for_each(|name| null(&mut whole, name));
                whole.end();
            }
            None => {
                list.element(tool.raw);
            }
        }
    }
    list.end();
    RawValue::from_string(String::from_utf8(body).ok()?).ok()
}

fn status(state: ResponseState<'_>) -> &'static str {
    match state {
        ResponseState::Running => "in_progress",
        ResponseState::Ended(StopReason::Natural | StopReason::Sequence(_) | StopReason::Calls) => "completed",
        ResponseState::Ended(
            StopReason::Length | StopReason::ContextFull | StopReason::Pause | StopReason::Refused,
        ) => "incomplete",
        ResponseState::Ended(StopReason::BrokenCall) | ResponseState::Failed { .. } => "failed",
    }
}

fn error(state: ResponseState<'_>, object: &mut ObjectWriter<'_>) {
    let failure = match state {
        ResponseState::Failed { code, message } => Some((code, message)),
        ResponseState::Ended(StopReason::BrokenCall) => {
            Some(("server_error", "The model made a call that cannot be read."))
        }
        ResponseState::Running | ResponseState::Ended(_) => None,
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
        ResponseState::Ended(StopReason::Length | StopReason::ContextFull) => Some("max_output_tokens"),
        ResponseState::Ended(StopReason::Refused) => Some("content_filter"),
        ResponseState::Running | ResponseState::Ended(_) | ResponseState::Failed { .. } => None,
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
