//! The errors of calls.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::codes::Code;
use super::head::ResponseHead;
use super::operation::Operation;

/// An error of a call.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<C> {
    /// The service refused, or failed, with a code that the call declares.
    Refused(Box<Refusal<C>>),
    /// The answer has another code, or none.
    Unexpected(Box<Refusal<String>>),
    /// There was no answer, or none to its end.
    Connection(ConnectionError),
    /// It cannot be sent as it was asked for.
    Unsent(Unsent),
    /// It succeeded, but the reply or event is not of the type that is known here.
    Strange(Box<Strange>),
}

/// A reply or event that is not of its type, as it came.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Strange {
    /// The operation that was called.
    pub operation: &'static str,
    /// Name it when asking for help.
    pub request_id: Option<String>,
    /// The body that came; a string where it is no JSON.
    pub body: Value,
    /// The way in which it is strange.
    pub why: String,
}

impl fmt::Display for Strange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "what {} replied is of another type: {}", self.operation, self.why)
    }
}

/// A request that cannot be sent.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Unsent {
    /// The operation that was called.
    pub operation: &'static str,
    /// The reason for which it cannot be sent.
    pub why: String,
}

impl fmt::Display for Unsent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} was not sent: {}", self.operation, self.why)
    }
}

/// There was no answer, or none to its end.
#[derive(Debug)]
#[non_exhaustive]
pub struct ConnectionError {
    /// The operation that was called.
    pub operation: &'static str,
    /// Set where the head of an answer had come: name it when asking for help.
    pub request_id: Option<String>,
    what: String,
    source: Option<reqwest::Error>,
}

/// An error as the service tells it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refusal<C> {
    /// The operation that was called.
    pub operation: &'static str,
    /// The status.
    pub status: u16,
    /// The code.
    pub code: C,
    /// The kind of it.
    pub kind: String,
    /// A sentence for people.
    pub message: String,
    /// The values that the code carries.
    pub details: Value,
    /// The part of the request at fault.
    pub param: Option<String>,
    /// Name it when asking for help.
    pub request_id: Option<String>,
    /// True if sending the same again can help.
    pub should_retry: bool,
    /// After how long it can.
    pub retry_after: Option<Duration>,
    /// The headers of the answer.
    pub headers: HeaderMap,
}

impl fmt::Display for ConnectionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)
    }
}

impl std::error::Error for ConnectionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl<C: Code> fmt::Display for Error<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(formatter, "{}: {}", refusal.code.as_str(), refusal.message),
            Self::Unexpected(refusal) => write!(formatter, "HTTP {}: {}", refusal.status, refusal.message),
            Self::Connection(error) => error.fmt(formatter),
            Self::Unsent(unsent) => unsent.fmt(formatter),
            Self::Strange(strange) => strange.fmt(formatter),
        }
    }
}

impl<C: Code> std::error::Error for Error<C> {}

impl<C> Error<C> {
    pub(super) fn unsent(operation: &'static Operation, why: impl Into<String>) -> Self {
        Self::Unsent(Unsent { operation: operation.id, why: why.into() })
    }

    pub(super) fn broken(operation: &'static Operation, what: impl Into<String>) -> Self {
        Self::Connection(ConnectionError { operation: operation.id, request_id: None, what: what.into(), source: None })
    }

    pub(super) fn lost(operation: &'static Operation, source: reqwest::Error) -> Self {
        let what = source.to_string();
        Self::Connection(ConnectionError { operation: operation.id, request_id: None, what, source: Some(source) })
    }

    /// The error with the id of an answer whose head had come.
    pub(super) fn after(mut self, head: &ResponseHead) -> Self {
        if let Self::Connection(error) = &mut self {
            error.request_id.clone_from(&head.request_id);
        }
        self
    }

    /// Time to wait before sending the same again; the outer `None` where that cannot help.
    pub(super) fn again(&self) -> Option<Option<Duration>> {
        match self {
            // What succeeded is done, and perhaps paid for.
            Self::Unsent(_) | Self::Strange(_) => None,
            Self::Connection(_) => Some(None),
            Self::Refused(refusal) => refusal.should_retry.then_some(refusal.retry_after),
            Self::Unexpected(refusal) => refusal.should_retry.then_some(refusal.retry_after),
        }
    }
}

/// The error in the body of a refusal.
pub(super) fn failure<C: Code>(
    operation: &'static Operation,
    head: &ResponseHead,
    body: &Value,
    text: &str,
) -> Error<C> {
    let envelope = operation.envelope;
    let at = |pointer: &str| if pointer.is_empty() { None } else { body.pointer(pointer) };
    // Some streams tell of a failure in an event that is flat.
    let word =
        |pointer: &str, flat: &str| at(pointer).or_else(|| body.get(flat)).and_then(Value::as_str).map(str::to_owned);
    let code = word(envelope.code, "code").unwrap_or_default();
    let refusal = Refusal {
        operation: operation.id,
        status: head.status,
        code,
        kind: word(envelope.kind, "type").unwrap_or_default(),
        message: word(envelope.message, "message").or_else(|| elsewhere(head)).unwrap_or_else(|| text.to_owned()),
        details: at(envelope.details).cloned().unwrap_or_default(),
        param: at(envelope.param).and_then(Value::as_str).map(str::to_owned),
        request_id: head.request_id.clone().or_else(|| word(envelope.request_id, "request_id")),
        should_retry: head.should_retry,
        retry_after: head.retry_after,
        headers: head.headers.clone(),
    };
    match C::of(&refusal.code) {
        Some(code) => Error::Refused(Box::new(refusal.with(code))),
        None => Error::Unexpected(Box::new(refusal)),
    }
}

/// The error text of an answer that leads to another address. Nothing is sent there: not every request would be the same.
fn elsewhere(head: &ResponseHead) -> Option<String> {
    let place = head.headers.get(reqwest::header::LOCATION)?.to_str().ok()?;
    (300..400).contains(&head.status).then(|| format!("redirected to {place}, which is not followed"))
}

impl Refusal<String> {
    fn with<C>(self, code: C) -> Refusal<C> {
        Refusal {
            operation: self.operation,
            status: self.status,
            code,
            kind: self.kind,
            message: self.message,
            details: self.details,
            param: self.param,
            request_id: self.request_id,
            should_retry: self.should_retry,
            retry_after: self.retry_after,
            headers: self.headers,
        }
    }
}
