//! Requests, answers and streams. Nothing here knows an operation; what differs between them stands in [`Operation`].

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

/// What may differ for one call.
#[derive(Debug, Clone, Default)]
pub struct CallOptions {
    /// Carries the request out once, however often it is sent; it is then sent again where that can help. For the calls that
    /// say so of themselves; the others do not send anything with it.
    pub idempotency_key: Option<String>,
    /// Further headers.
    pub headers: HeaderMap,
    /// How often a request that may be sent again is sent again.
    pub max_retries: Option<u32>,
    /// How long to wait for the head of an answer, and for each further part of it.
    pub timeout: Option<Duration>,
    /// Is told of each answer's head, before its body is read.
    pub on_response: Option<OnResponse>,
}

/// What is told of the heads of answers.
#[derive(Clone)]
pub struct OnResponse(Arc<dyn Fn(&ResponseHead) + Send + Sync>);

impl OnResponse {
    /// Tells this.
    pub fn new(tell: impl Fn(&ResponseHead) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl fmt::Debug for OnResponse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OnResponse")
    }
}

/// What comes before the body of an answer.
#[derive(Debug, Clone)]
pub struct ResponseHead {
    /// The operation that was called.
    pub operation: &'static str,
    /// The status.
    pub status: u16,
    /// Id of the request, as on its receipt.
    pub request_id: Option<String>,
    /// Its headers.
    pub headers: HeaderMap,
    should_retry: bool,
    retry_after: Option<Duration>,
}

/// The words that a call may be refused with.
pub trait Code: fmt::Debug + Send + Sync + Sized + 'static {
    /// The code of a word.
    fn of(word: &str) -> Option<Self>;
    /// The word.
    fn as_str(&self) -> &str;
}

impl Code for String {
    fn of(word: &str) -> Option<Self> {
        Some(word.to_owned())
    }

    fn as_str(&self) -> &str {
        self
    }
}

/// Why a call did not succeed.
#[derive(Debug)]
pub enum Error<C> {
    /// The service refused, or failed, with a code that the call declares.
    Refused(Box<Refusal<C>>),
    /// Whoever answered did so with another code, or with none.
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
pub struct Strange {
    /// The operation that was called.
    pub operation: &'static str,
    /// Name it when asking for help.
    pub request_id: Option<String>,
    /// What came; a string where it is no JSON.
    pub body: Value,
    /// What is strange about it.
    pub why: String,
}

impl fmt::Display for Strange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "what {} replied is of another type: {}", self.operation, self.why)
    }
}

/// Why a request cannot be sent.
#[derive(Debug, Clone)]
pub struct Unsent {
    /// The operation that was called.
    pub operation: &'static str,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Unsent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} was not sent: {}", self.operation, self.why)
    }
}

/// There was no answer, or none to its end.
#[derive(Debug)]
pub struct ConnectionError {
    /// The operation that was called.
    pub operation: &'static str,
    /// Where the head of an answer had come: name it when asking for help.
    pub request_id: Option<String>,
    what: String,
    source: Option<reqwest::Error>,
}

/// What an error says.
#[derive(Debug, Clone)]
pub struct Refusal<C> {
    /// The operation that was called.
    pub operation: &'static str,
    /// The status.
    pub status: u16,
    /// What is wrong.
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
    /// Whether sending the same again can help.
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
    fn unsent(operation: &'static Operation, why: impl Into<String>) -> Self {
        Self::Unsent(Unsent { operation: operation.id, why: why.into() })
    }

    fn broken(operation: &'static Operation, what: impl Into<String>) -> Self {
        Self::Connection(ConnectionError { operation: operation.id, request_id: None, what: what.into(), source: None })
    }

    fn lost(operation: &'static Operation, source: reqwest::Error) -> Self {
        let what = source.to_string();
        Self::Connection(ConnectionError { operation: operation.id, request_id: None, what, source: Some(source) })
    }

    /// The same after the head of an answer.
    fn after(mut self, head: &ResponseHead) -> Self {
        if let Self::Connection(error) = &mut self {
            error.request_id.clone_from(&head.request_id);
        }
        self
    }

    /// How long to wait before sending the same again; the outer `None` where that cannot help.
    fn again(&self) -> Option<Option<Duration>> {
        match self {
            // What succeeded is done, and perhaps paid for.
            Self::Unsent(_) | Self::Strange(_) => None,
            Self::Connection(_) => Some(None),
            Self::Refused(refusal) => refusal.should_retry.then_some(refusal.retry_after),
            Self::Unexpected(refusal) => refusal.should_retry.then_some(refusal.retry_after),
        }
    }
}

/// Where an error says what: JSON pointers, empty where it does not.
#[derive(Debug)]
pub(crate) struct Envelope {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) details: &'static str,
    pub(crate) param: &'static str,
    pub(crate) request_id: &'static str,
    /// What no reply has: a member, and its value in JSON; empty where any object will do.
    pub(crate) marker: Option<(&'static str, &'static str)>,
}

/// What is particular to a call.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) id: &'static str,
    pub(crate) method: reqwest::Method,
    pub(crate) path: &'static str,
    pub(crate) envelope: &'static Envelope,
    pub(crate) idempotent: bool,
    /// Whether it is carried out once for each idempotency key.
    pub(crate) once: bool,
    pub(crate) fails_with_success: bool,
    pub(crate) credential: Option<(&'static str, &'static str)>,
    /// Whether events have names, and what ends them.
    pub(crate) stream: Option<(bool, Option<&'static str>)>,
}

/// What goes into a request.
#[derive(Debug, Default)]
pub(crate) struct Input {
    pub(crate) path: Vec<(&'static str, String)>,
    pub(crate) query: Vec<(&'static str, String)>,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Result<Value, String>>,
    pub(crate) content: Option<(Vec<u8>, String)>,
}

impl Input {
    /// A body, and a member of it that says whether a stream is asked for.
    pub(crate) fn body(body: &impl Serialize, switch: Option<(&str, bool)>) -> Option<Result<Value, String>> {
        let mut body = match serde_json::to_value(body) {
            Ok(body) => body,
            Err(error) => return Some(Err(error.to_string())),
        };
        if let (Some((name, value)), Some(members)) = (switch, body.as_object_mut()) {
            if value {
                members.insert(name.to_owned(), Value::Bool(true));
            } else {
                members.remove(name);
            }
        }
        Some(Ok(body))
    }
}

/// A value as a parameter is written.
pub(crate) fn text(value: &impl Serialize) -> Option<String> {
    fn of(value: &Value) -> Option<String> {
        match value {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(items) => Some(items.iter().filter_map(of).collect::<Vec<_>>().join(",")),
            other => Some(other.to_string()),
        }
    }
    of(&serde_json::to_value(value).ok()?)
}

/// How an answer is read.
#[derive(Debug, Clone, Copy)]
enum Want {
    Json,
    Bytes,
    Open,
}

/// An answer that is none of failure.
#[derive(Debug)]
enum Answer {
    Json(Box<Reading>, Value),
    Bytes(Vec<u8>),
    Open(Box<Reading>),
}

/// Sends requests, and waits for their answers.
#[derive(Clone)]
pub(crate) struct Transport {
    pub(crate) http: reqwest::Client,
    pub(crate) base_url: String,
    pub(crate) api_key: Option<String>,
    pub(crate) max_retries: u32,
    pub(crate) timeout: Duration,
}

impl fmt::Debug for Transport {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Transport").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Transport {
    pub(crate) async fn json<T: DeserializeOwned, C: Code>(
        &self,
        operation: &'static Operation,
        input: Input,
        options: &CallOptions,
    ) -> Result<T, Error<C>> {
        match self.retried(operation, &input, options, Want::Json).await? {
            Answer::Json(reading, body) => reading.typed(body),
            Answer::Bytes(_) | Answer::Open(_) => {
                Err(Error::broken(operation, format!("{} has no JSON", operation.id)))
            }
        }
    }

    pub(crate) async fn bytes<C: Code>(
        &self,
        operation: &'static Operation,
        input: Input,
        options: &CallOptions,
    ) -> Result<Vec<u8>, Error<C>> {
        match self.retried(operation, &input, options, Want::Bytes).await? {
            Answer::Bytes(bytes) => Ok(bytes),
            Answer::Json(..) | Answer::Open(_) => {
                Err(Error::broken(operation, format!("{} has no bytes", operation.id)))
            }
        }
    }

    pub(crate) async fn stream<T: DeserializeOwned, C: Code>(
        &self,
        operation: &'static Operation,
        input: Input,
        options: &CallOptions,
    ) -> Result<EventStream<T, C>, Error<C>> {
        match self.retried(operation, &input, options, Want::Open).await? {
            Answer::Open(reading) => {
                Ok(EventStream { reading: *reading, rest: Vec::new(), ended: false, of: PhantomData })
            }
            Answer::Json(..) | Answer::Bytes(_) => {
                Err(Error::broken(operation, format!("{} has no stream", operation.id)))
            }
        }
    }

    async fn retried<C: Code>(
        &self,
        operation: &'static Operation,
        input: &Input,
        options: &CallOptions,
        want: Want,
    ) -> Result<Answer, Error<C>> {
        let keyed = options.idempotency_key.is_some();
        if keyed && !operation.once {
            // The service would take no notice of it: what is sent again would be done again.
            return Err(Error::unsent(operation, "it takes no idempotency key"));
        }
        let may = operation.idempotent || keyed;
        let tries = if may { options.max_retries.unwrap_or(self.max_retries) } else { 0 };
        let mut tried = 0;
        loop {
            let error = match self.answer(operation, input, options, want).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(wait) = error.again().filter(|_| tried < tries) else { return Err(error) };
            let own = Duration::from_millis(500).saturating_mul(1 << tried.min(4));
            tokio::time::sleep(wait.unwrap_or(own).min(Duration::from_secs(60))).await;
            tried += 1;
        }
    }

    async fn answer<C: Code>(
        &self,
        operation: &'static Operation,
        input: &Input,
        options: &CallOptions,
        want: Want,
    ) -> Result<Answer, Error<C>> {
        let mut reading = self.once(operation, input, options).await?;
        match want {
            Want::Open => Ok(Answer::Open(Box::new(reading))),
            Want::Bytes => reading.whole().await.map(Answer::Bytes),
            Want::Json => {
                let bytes = reading.whole::<C>().await?;
                let body = reading.json(&String::from_utf8_lossy(&bytes))?;
                if operation.fails_with_success && is_marked(operation.envelope, &body) {
                    return Err(reading.failure(&body, ""));
                }
                Ok(Answer::Json(Box::new(reading), body))
            }
        }
    }

    async fn once<C: Code>(
        &self,
        operation: &'static Operation,
        input: &Input,
        options: &CallOptions,
    ) -> Result<Reading, Error<C>> {
        let mut path = operation.path.to_owned();
        for (name, value) in &input.path {
            let rest = format!("{{*{name}}}");
            let is_step = |step: &str| step == "." || step == "..";
            if value.is_empty() || is_step(value) || path.contains(&rest) && value.split('/').any(is_step) {
                // It would lead to another path than this operation's.
                return Err(Error::unsent(operation, format!("{value:?} cannot stand in a path")));
            }
            path = path.replace(&format!("{{{name}}}"), &escaped(value, b""));
            path = path.replace(&rest, &escaped(value, b"/"));
        }
        let query: Vec<String> =
            input.query.iter().map(|(name, value)| format!("{name}={}", escaped(value, b""))).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        let url = format!("{}{path}{mark}{}", self.base_url.trim_end_matches('/'), query.join("&"));
        let mut request = self.http.request(operation.method.clone(), url);
        if let (Some((header, prefix)), Some(key)) = (operation.credential, &self.api_key) {
            request = request.header(header, secret::<C>(operation, &format!("{prefix}{key}"))?);
        }
        for (name, value) in &input.headers {
            request = request.header(*name, value);
        }
        if let Some(key) = &options.idempotency_key {
            request = request.header(HeaderName::from_static("idempotency-key"), key);
        }
        if let Some((bytes, kind)) = &input.content {
            request = request.header(reqwest::header::CONTENT_TYPE, kind).body(bytes.clone());
        } else if let Some(body) = &input.body {
            let body = body.as_ref().map_err(|error| Error::<C>::unsent(operation, error.as_str()))?;
            request = request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string());
        }
        let sent = request.headers(options.headers.clone()).send();
        let limit = options.timeout.unwrap_or(self.timeout);
        let response = tokio::time::timeout(limit, sent)
            .await
            .map_err(|_| Error::<C>::broken(operation, format!("no answer within {} s", limit.as_secs_f32())))?
            .map_err(|error| Error::<C>::lost(operation, error))?;
        let mut reading = Reading { operation, head: ResponseHead::of(operation, &response), response, limit };
        if let Some(OnResponse(tell)) = &options.on_response {
            tell(&reading.head);
        }
        if reading.head.status < 400 {
            return Ok(reading);
        }
        let bytes = reading.whole::<C>().await?;
        let text = String::from_utf8_lossy(&bytes);
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Err(reading.failure(&body, &text))
    }
}

fn secret<C>(operation: &'static Operation, value: &str) -> Result<HeaderValue, Error<C>> {
    let value = HeaderValue::from_str(value);
    let mut value = value.map_err(|_| Error::unsent(operation, "the key cannot stand in a header"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Percent-encoded, but for letters, digits, a few signs, and what is said to stay.
fn escaped(text: &str, stays: &[u8]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || stays.contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

impl ResponseHead {
    fn of(operation: &'static Operation, response: &reqwest::Response) -> Self {
        let word = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            operation: operation.id,
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            request_id: word("x-request-id").map(str::to_owned),
            should_retry: word("x-should-retry") == Some("true"),
            retry_after: word("retry-after").and_then(|text| text.parse().ok()).map(Duration::from_secs),
        }
    }
}

/// An answer whose head has come.
#[derive(Debug)]
struct Reading {
    operation: &'static Operation,
    head: ResponseHead,
    response: reqwest::Response,
    limit: Duration,
}

impl Reading {
    /// Waits for the next part of the body, but not for ever; false at its end.
    async fn more<C>(&mut self, bytes: &mut Vec<u8>) -> Result<bool, Error<C>> {
        let part = tokio::time::timeout(self.limit, self.response.chunk())
            .await
            .map_err(|_| Error::broken(self.operation, format!("nothing came within {} s", self.limit.as_secs_f32())))
            .and_then(|part| part.map_err(|error| Error::lost(self.operation, error)))
            .map_err(|error| error.after(&self.head))?;
        bytes.extend_from_slice(part.as_deref().unwrap_or_default());
        Ok(part.is_some())
    }

    async fn whole<C>(&mut self) -> Result<Vec<u8>, Error<C>> {
        let mut bytes = Vec::new();
        while self.more(&mut bytes).await? {}
        Ok(bytes)
    }

    fn json<C>(&self, text: &str) -> Result<Value, Error<C>> {
        serde_json::from_str(text).map_err(|error| self.strange(text.into(), &error))
    }

    fn typed<T: DeserializeOwned, C>(&self, body: Value) -> Result<T, Error<C>> {
        T::deserialize(&body).map_err(|error| self.strange(body, &error))
    }

    fn strange<C>(&self, body: Value, why: &serde_json::Error) -> Error<C> {
        let request_id = self.head.request_id.clone();
        Error::Strange(Box::new(Strange { operation: self.operation.id, request_id, body, why: why.to_string() }))
    }

    fn failure<C: Code>(&self, body: &Value, text: &str) -> Error<C> {
        failure(self.operation, &self.head, body, text)
    }
}

fn failure<C: Code>(operation: &'static Operation, head: &ResponseHead, body: &Value, text: &str) -> Error<C> {
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
        message: word(envelope.message, "message").unwrap_or_else(|| text.to_owned()),
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

fn is_marked(envelope: &Envelope, body: &Value) -> bool {
    envelope.marker.is_some_and(|(member, wanted)| match body.get(member) {
        Some(found) if wanted.is_empty() => found.is_object(),
        Some(found) => serde_json::from_str::<Value>(wanted).is_ok_and(|wanted| *found == wanted),
        None => false,
    })
}

/// An answer as a stream of events. What is not read any more is given up by dropping it.
#[derive(Debug)]
pub struct EventStream<T, C> {
    reading: Reading,
    rest: Vec<u8>,
    ended: bool,
    of: PhantomData<fn() -> (T, C)>,
}

impl<T: DeserializeOwned, C: Code> EventStream<T, C> {
    /// Id of the request, as on its receipt.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.reading.head.request_id.as_deref()
    }

    /// The headers of the answer.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        &self.reading.head.headers
    }

    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, Error<C>>> {
        if self.ended {
            return None;
        }
        let event = self.event().await.transpose();
        // A strange event does not keep the next one from coming.
        self.ended |= !matches!(event, Some(Ok(_) | Err(Error::Strange(_))));
        event
    }

    async fn event(&mut self) -> Result<Option<T>, Error<C>> {
        let operation = self.reading.operation;
        let (named, ends_with) = operation.stream.unwrap_or_default();
        let literal_end = ends_with.filter(|_| !named);
        let Some((name, data)) = self.block().await? else {
            return match literal_end {
                Some(_) => {
                    let what = format!("the stream of {} broke off before its end", operation.id);
                    Err(Error::broken(operation, what).after(&self.reading.head))
                }
                None => Ok(None),
            };
        };
        if literal_end == Some(data.as_str()) {
            return Ok(None);
        }
        let event = self.reading.json(&data)?;
        if name == "error" || is_marked(operation.envelope, &event) {
            return Err(self.reading.failure(&event, &data));
        }
        self.ended = named && ends_with == Some(name.as_str());
        self.reading.typed(event).map(Some)
    }

    /// The next event's name and data.
    async fn block(&mut self) -> Result<Option<(String, String)>, Error<C>> {
        let (mut name, mut data) = (String::new(), Vec::<String>::new());
        while let Some(line) = self.line().await? {
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "" if line.is_empty() && data.is_empty() => name.clear(),
                "" if line.is_empty() => return Ok(Some((name, data.join("\n")))),
                "event" => value.clone_into(&mut name),
                "data" => data.push(value.to_owned()),
                _ => {}
            }
        }
        Ok(None)
    }

    async fn line(&mut self) -> Result<Option<String>, Error<C>> {
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
                return Ok(Some(line));
            }
            if !self.reading.more(&mut self.rest).await? {
                return Ok(None);
            }
        }
    }
}

/// A page under way: its items, and what the next one is asked for by.
pub(crate) type Page<'a, T, C> = Pin<Box<dyn Future<Output = Result<(Vec<T>, Option<String>), Error<C>>> + Send + 'a>>;

/// The items of a list that comes in pages, one after the other.
pub struct Pages<'a, T, C> {
    page: Box<dyn FnMut(Option<String>) -> Page<'a, T, C> + Send + 'a>,
    items: VecDeque<T>,
    by: Option<String>,
    ended: bool,
}

impl<T, C> fmt::Debug for Pages<'_, T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pages").field("by", &self.by).field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl<'a, T, C> Pages<'a, T, C> {
    pub(crate) fn new(page: impl FnMut(Option<String>) -> Page<'a, T, C> + Send + 'a) -> Self {
        Self { page: Box::new(page), items: VecDeque::new(), by: None, ended: false }
    }

    /// The next item; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<T, Error<C>>> {
        loop {
            if let Some(item) = self.items.pop_front() {
                return Some(Ok(item));
            }
            if self.ended {
                return None;
            }
            match (self.page)(self.by.clone()).await {
                Ok((items, next)) => {
                    self.ended = next.is_none() || next == self.by;
                    self.by = next;
                    self.items = items.into();
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// A member that is there, be it null.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// An amount of US dollars, in whole nano-dollars. As a JSON number it is exact up to fifteen digits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd {
    /// Billionths of a dollar.
    pub nanos: i64,
}

const NANOS: i64 = 1_000_000_000;

impl fmt::Display for Usd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.nanos < 0 { "-" } else { "" };
        let whole = self.nanos.unsigned_abs() / NANOS.unsigned_abs();
        let part = format!("{:09}", self.nanos.unsigned_abs() % NANOS.unsigned_abs());
        match part.trim_end_matches('0') {
            "" => write!(formatter, "{sign}{whole}"),
            part => write!(formatter, "{sign}{whole}.{part}"),
        }
    }
}

impl std::str::FromStr for Usd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "an amount of at most nine places";
        let (negative, plain) = text.strip_prefix('-').map_or((false, text), |plain| (true, plain));
        let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
        if whole.is_empty() || part.len() > 9 || !whole.bytes().chain(part.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(WRONG);
        }
        let nanos: i64 = format!("{whole}{part:0<9}").parse().map_err(|_| WRONG)?;
        Ok(Self { nanos: if negative { -nanos } else { nanos } })
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.nanos % NANOS == 0 {
            return serializer.serialize_i64(self.nanos / NANOS);
        }
        self.to_string().parse::<f64>().map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Amount;
        impl Visitor<'_> for Amount {
            type Value = Usd;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an amount of at most nine places")
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Usd, E> {
                value.to_string().parse().map_err(E::custom)
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Usd, E> {
                value.to_string().parse().map_err(E::custom)
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Usd, E> {
                // The shortest text of a number is the one that it was read from, up to fifteen digits.
                let text = value.to_string();
                text.parse().or_else(|_| format!("{value:.9}").parse()).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Amount)
    }
}

/// The codes of a call.
macro_rules! codes {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? } $($other:ident)?) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                $variant,
            )+
            $(
                #[doc = "A code that was not known when this package was made."]
                $other(String),
            )?
        }

        impl crate::runtime::Code for $name {
            fn of(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    $("" => None, other => Some(Self::$other(other.to_owned())),)?
                    #[allow(unreachable_patterns, reason = "an open set has taken all words")]
                    _ => None,
                }
            }

            fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    $(Self::$other(word) => word,)?
                }
            }
        }
    };
}

pub(crate) use codes;
