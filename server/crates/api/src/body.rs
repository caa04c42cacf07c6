//! Reading a body: a cap, a time limit, an encoding, a content type, and JSON errors with their place.

use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt;
use serde::de::{DeserializeOwned, IgnoredAny};
use tokio::time::{Instant, timeout_at};

use super::body_memory::{BodyBuffer, BodyMemory, BodyMemoryPermit};
use super::depth::too_deep;
use super::form::{boundary, is_form};
use super::inflate::{BodyEncoding, GzipInflater, InflateError};
use super::request_digest::RequestDigest;
use super::router_context::RouterContext;
use super::wire::{self, Refusal, ValueDecodeErrorKind};
use super::{BodyLimit, Failure, Framework, Rules};

/// A body that has not been read yet.
#[derive(Debug)]
pub(super) struct BodyReader {
    body: Body,
    limit: BodyLimit,
    idle: Duration,
    total: Duration,
    deadline: Instant,
    budget: BodyMemory,
    /// The part of the budget that the bytes take which have arrived.
    spent: BodyMemoryPermit,
    rules: &'static Rules,
    /// The digest, of a request that is carried out once.
    pub(super) digest: Option<RequestDigest>,
}

impl BodyReader {
    pub(super) fn new<S>(
        body: Body,
        limit: BodyLimit,
        host: &RouterContext<S>,
        started: Instant,
        digest: Option<RequestDigest>,
    ) -> Self {
        let (idle, total) = (host.config.body_idle_timeout, host.config.body_total_timeout);
        let (deadline, budget) = (started + total, host.config.bodies.clone());
        Self {
            body,
            limit,
            idle,
            total,
            deadline,
            budget,
            spent: BodyMemoryPermit::default(),
            rules: host.rules,
            digest,
        }
    }

    /// The whole body as it was sent. A length above the cap is refused before a byte is read; a body without a length, as
    /// soon as it grows past the cap.
    pub(super) async fn bytes(&mut self, headers: &HeaderMap) -> Result<Bytes, Failure> {
        let bytes = self.whole(headers).await?;
        Ok(self.digested(bytes, headers))
    }

    /// The whole body as it was before it was encoded. The cap holds for what it is then.
    async fn decoded(&mut self, headers: &HeaderMap) -> Result<Bytes, Failure> {
        let bytes = match BodyEncoding::of(headers) {
            Ok(BodyEncoding::Identity) => self.whole(headers).await?,
            Ok(BodyEncoding::Gzip) => self.inflated(headers).await?,
            Err(found) => {
                return Err(self.bad_type("a body without content-encoding, or with `content-encoding: gzip`", found));
            }
        };
        Ok(self.digested(bytes, headers))
    }

    fn digested(&mut self, bytes: Bytes, headers: &HeaderMap) -> Bytes {
        if let Some(digest) = &mut self.digest {
            digest.add(&bytes, headers.get(CONTENT_TYPE).and_then(|kind| boundary(kind.as_bytes())).as_deref());
        }
        bytes
    }

    async fn whole(&mut self, headers: &HeaderMap) -> Result<Bytes, Failure> {
        let told = self.declared_length(headers)?;
        let first = self.frame().await?.unwrap_or_default();
        self.count(&first)?;
        if told == Some(first.len()) {
            return Ok(std::mem::take(&mut self.spent).on(first));
        }
        let whole = self.rest(first, told.unwrap_or_default()).await?;
        Ok(std::mem::take(&mut self.spent).on_buffer(whole))
    }

    /// The length that the headers promise, which bounds a compressed body too: it is no smaller than what it becomes by
    /// more than a few bytes.
    fn declared_length(&self, headers: &HeaderMap) -> Result<Option<usize>, Failure> {
        let told = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if told.is_some_and(|length| length > self.limit.bytes) {
            return Err(self.too_large());
        }
        Ok(told)
    }

    /// The whole body, out of gzip. The pieces that it comes in are let go one by one, and so not counted.
    async fn inflated(&mut self, headers: &HeaderMap) -> Result<Bytes, Failure> {
        self.declared_length(headers)?;
        let mut inflater = GzipInflater::new(self.limit.bytes, self.budget.clone());
        while let Some(data) = self.frame().await? {
            inflater.take(&data).await.map_err(|error| self.not_inflated(error))?;
        }
        inflater.finish().map_err(|error| self.not_inflated(error))
    }

    fn not_inflated(&self, error: InflateError) -> Failure {
        match error {
            InflateError::TooLarge => self.too_large(),
            InflateError::NoMemory => self.rules.overloaded(),
            InflateError::Corrupt => Failure::new(self.rules.framework.bad_json)
                .with("reason", "the body is not the gzip data that content-encoding says, or ends early"),
        }
    }

    /// Counts what is kept of the body, when it has come and not by the length that was told: a promise takes no memory.
    fn count(&mut self, data: &[u8]) -> Result<(), Failure> {
        let fits = self.budget.try_acquire(data.len(), &mut self.spent);
        fits.then_some(()).ok_or_else(|| self.rules.overloaded())
    }

    async fn rest(&mut self, first: Bytes, told: usize) -> Result<BodyBuffer, Failure> {
        let mut next = Some(first);
        let mut whole = self.budget.buffer(told);
        while let Some(bytes) = next {
            if whole.len() + bytes.len() > self.limit.bytes {
                return Err(self.too_large());
            }
            whole.add(&bytes);
            next = self.frame().await?;
            self.count(next.as_deref().unwrap_or_default())?;
        }
        Ok(whole)
    }

    /// The next piece of data; trailers are passed over.
    async fn frame(&mut self) -> Result<Option<Bytes>, Failure> {
        loop {
            let pause_ends = Instant::now() + self.idle;
            let next = timeout_at(self.deadline.min(pause_ends), self.body.frame()).await;
            let next = next.map_err(|_| self.too_slow(pause_ends))?;
            let Some(frame) = next else { return Ok(None) };
            let early = |_| Failure::new(self.rules.framework.bad_json).with("reason", "the body ended early");
            let frame = frame.map_err(early)?;
            if let Ok(data) = frame.into_data() {
                return Ok(Some(data));
            }
        }
    }

    /// The whole body, once its headers say that it may be JSON.
    pub(super) async fn json_bytes(&mut self, headers: &HeaderMap) -> Result<Bytes, Failure> {
        match headers.get(CONTENT_TYPE) {
            Some(kind) if !is_json(kind.as_bytes()) => Err(self.bad_content_type("application/json", kind)),
            _ => self.decoded(headers).await,
        }
    }

    /// The whole body, once its headers say that it is a form, and the boundary of its parts.
    pub(super) async fn form_bytes(&mut self, headers: &HeaderMap) -> Result<(Bytes, String), Failure> {
        let kind = headers.get(CONTENT_TYPE).cloned().unwrap_or(HeaderValue::from_static("nothing"));
        match boundary(kind.as_bytes()) {
            Some(boundary) => Ok((self.decoded(headers).await?, boundary)),
            None => Err(self.bad_content_type("multipart/form-data with a boundary", &kind)),
        }
    }

    /// True if the headers say that it is a form; else it may be JSON.
    pub(super) fn form_or_json(&self, headers: &HeaderMap) -> Result<bool, Failure> {
        match headers.get(CONTENT_TYPE) {
            Some(kind) if is_form(kind.as_bytes()) => Ok(true),
            Some(kind) if !is_json(kind.as_bytes()) => {
                Err(self.bad_content_type("application/json or multipart/form-data", kind))
            }
            _ => Ok(false),
        }
    }

    /// A value of the spec out of JSON text.
    pub(super) fn parse<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, Failure> {
        let text = json_text(bytes, self.rules)?;
        wire::read(text.as_bytes()).map_err(|refusal| match serde_json::from_str::<IgnoredAny>(text) {
            Err(syntax) => not_json(&syntax, &self.rules.framework),
            Ok(_) => refused(refusal, &self.rules.framework),
        })
    }

    fn too_large(&self) -> Failure {
        let bytes = i64::try_from(self.limit.bytes).unwrap_or(i64::MAX);
        Failure::new(self.limit.over.unwrap_or(self.rules.framework.body_too_large)).with("limit_bytes", bytes)
    }

    /// Names the bound that was reached first.
    fn too_slow(&self, pause_ends: Instant) -> Failure {
        let (bound, limit) = if pause_ends < self.deadline { ("idle", self.idle) } else { ("total", self.total) };
        let seconds = i64::try_from(limit.as_secs()).unwrap_or(i64::MAX);
        Failure::new(self.rules.framework.body_timeout).with("bound", bound).with("seconds", seconds)
    }

    fn bad_content_type(&self, expected: &'static str, found: &HeaderValue) -> Failure {
        self.bad_type(expected, String::from_utf8_lossy(found.as_bytes()).into_owned())
    }

    fn bad_type(&self, expected: &'static str, found: String) -> Failure {
        Failure::new(self.rules.framework.bad_content_type).with("expected", expected).with("found", found)
    }
}

/// `application/json` or `application/<anything>+json`, with or without parameters.
fn is_json(kind: &[u8]) -> bool {
    let essence = kind.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
    let tail = |length: usize| essence.len().checked_sub(length).map_or(essence, |start| &essence[start..]);
    essence.eq_ignore_ascii_case(b"application/json") || tail(5).eq_ignore_ascii_case(b"+json")
}

/// Checks once what no parser below checks: that the body is UTF-8, and not nested deeper than the spec allows.
pub(super) fn json_text<'b>(bytes: &'b [u8], rules: &'static Rules) -> Result<&'b str, Failure> {
    let refuse = |valid: &[u8], reason: &str| {
        let (line, column) = line_and_column(valid);
        bad_json(&rules.framework, line, column, reason)
    };
    let text = std::str::from_utf8(bytes).map_err(|error| refuse(&bytes[..error.valid_up_to()], "not UTF-8"))?;
    match too_deep(bytes, rules.json_levels) {
        Some(at) => Err(refuse(&bytes[..at], &format!("nested deeper than {} levels", rules.json_levels))),
        None => Ok(text),
    }
}

/// The place after `before`, counted from 1; columns are bytes, as in the errors of the parser.
fn line_and_column(before: &[u8]) -> (usize, usize) {
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    (line, before.len() - line_start + 1)
}

/// A text that is no JSON, or not the JSON that it should be, by the parser's word.
pub(super) fn not_json(error: &serde_json::Error, framework: &'static Framework) -> Failure {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let reason = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    bad_json(framework, line, column, reason)
}

fn bad_json(framework: &'static Framework, line: usize, column: usize, reason: &str) -> Failure {
    let number = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
    let failure = Failure::new(framework.bad_json).with("line", number(line)).with("column", number(column));
    failure.with("reason", format!("{reason} at line {line} column {column}"))
}

/// A body that does not read as what the spec says, as a failure.
pub(super) fn refused(refusal: Refusal, framework: &'static Framework) -> Failure {
    let field = refusal.path.unwrap_or_else(|| "body".to_owned());
    match refusal.kind {
        ValueDecodeErrorKind::Syntax => Failure::new(framework.bad_json).with("reason", refusal.found),
        ValueDecodeErrorKind::Missing => Failure::new(framework.missing_field).with("field", field),
        ValueDecodeErrorKind::Value => {
            let failure = Failure::new(framework.bad_field).with("field", field).with("expected", refusal.expected);
            failure.with("found", refusal.found)
        }
    }
}
