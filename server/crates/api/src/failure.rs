//! A failure on its way to the client: a code of the spec with its values, not yet in any format's words.

use std::borrow::Cow;
use std::fmt;

use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;

use super::code_info::pick;
use super::{CodeInfo, Envelope, WithValue};

/// `Retry-After` where the handler named no time.
const RETRY_AFTER_DEFAULT_SECONDS: u32 = 1;

/// An operation's closed error set. Implemented by `#[derive(OpError)]` on the generated enum.
pub trait OperationError: fmt::Debug + Send + Sync + 'static {
    /// The code and its values.
    fn failure(self) -> Failure;
}

/// A code of the spec and its values, for something that went wrong.
#[derive(Debug, Clone)]
pub struct Failure {
    info: &'static CodeInfo,
    with: Vec<(&'static str, WithValue)>,
    say: Option<Cow<'static, str>>,
    data: Option<Box<RawValue>>,
    retry_after_seconds: Option<u32>,
    http: Option<StatusCode>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Failure {
    /// The code without values.
    #[must_use]
    pub const fn new(info: &'static CodeInfo) -> Self {
        Self {
            info,
            with: Vec::new(),
            say: None,
            data: None,
            retry_after_seconds: None,
            http: None,
            headers: Vec::new(),
        }
    }

    /// The name of the code.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.info.code
    }

    /// Adds a value. A name that the code does not declare is left out, so that the runtime may offer all it knows.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<WithValue>) -> Self {
        if self.info.with.contains(&name) {
            self.with.push((name, value.into()));
        }
        self
    }

    /// Replaces the sentence, for an upstream's own words.
    #[must_use]
    pub fn with_say(mut self, say: impl Into<Cow<'static, str>>) -> Self {
        self.say = Some(say.into());
        self
    }

    /// Sets the data that `{data}` stands for, where these are not the code's values.
    #[must_use]
    pub fn with_data(mut self, data: &impl Serialize) -> Self {
        self.data = serde_json::value::to_raw_value(data).ok();
        self
    }

    /// Names the wait before a retry. Sent only for codes with `retry: after`, and shortened by the router to what the
    /// spec allows.
    #[must_use]
    pub fn with_retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_seconds = Some(seconds.max(1));
        self
    }

    /// Chooses among the statuses that the spec lists for the code; any other is not taken.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        if self.info.http_also.contains(&status.as_u16()) { self.with_http(status) } else { self }
    }

    /// Overrides the HTTP status, for operations with `always_http`.
    #[must_use]
    pub(super) fn with_http(mut self, status: StatusCode) -> Self {
        self.http = Some(status);
        self
    }

    /// Adds headers that the operation declares.
    #[must_use]
    pub(super) fn with_headers(mut self, headers: impl Iterator<Item = (HeaderName, HeaderValue)>) -> Self {
        self.headers.extend(headers);
        self
    }

    /// The code.
    #[must_use]
    pub const fn info(&self) -> &'static CodeInfo {
        self.info
    }

    /// The code's values that were given.
    #[must_use]
    pub fn values(&self) -> &[(&'static str, WithValue)] {
        &self.with
    }

    pub(super) fn value(&self, name: &str) -> Option<&WithValue> {
        self.with.iter().find(|(given, _)| *given == name).map(|(_, value)| value)
    }

    /// The headers that the operation declares.
    pub(super) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    pub(super) fn data(&self) -> Option<&RawValue> {
        self.data.as_deref()
    }

    /// The part of the request that is at fault, where the code's values name it.
    pub(super) fn param(&self) -> Option<&WithValue> {
        ["param", "field", "parameter", "header"].into_iter().find_map(|name| self.value(name))
    }

    /// The sentence for people, its values filled in.
    #[must_use]
    pub fn say(&self) -> Cow<'_, str> {
        match &self.say {
            Some(say) => Cow::Borrowed(say),
            None if self.with.is_empty() => Cow::Borrowed(self.info.say),
            None => Cow::Owned(fill(self.info.say, self)),
        }
    }

    /// The act by which the caller can mend it, values filled in.
    #[must_use]
    pub fn remedy(&self) -> Cow<'static, str> {
        let remedy = self.info.remedy;
        if remedy.contains('{') { Cow::Owned(fill(remedy, self)) } else { Cow::Borrowed(remedy) }
    }

    /// The HTTP status inside `envelope`.
    #[must_use]
    pub fn status(&self, envelope: &Envelope) -> StatusCode {
        self.http.unwrap_or_else(|| {
            let table = self.info.http_in;
            let status = pick(table, envelope.name).or_else(|| pick(table, envelope.style)).unwrap_or(self.info.http);
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
        })
    }

    /// The seconds before a retry.
    pub(super) fn retry_after(&self) -> u32 {
        self.retry_after_seconds.unwrap_or(RETRY_AFTER_DEFAULT_SECONDS)
    }
}

/// Replaces each `{name}` in `say` by its value; a name without a value stays as written.
fn fill(say: &str, failure: &Failure) -> String {
    let mut filled = String::with_capacity(say.len() + 32);
    let mut rest = say;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            filled.push('{');
            rest = after;
            continue;
        };
        match failure.value(name) {
            Some(value) => filled.push_str(&value.to_string()),
            None => filled.extend(["{", name, "}"]),
        }
        rest = tail;
    }
    filled + rest
}
