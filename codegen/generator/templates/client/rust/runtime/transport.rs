//! Sends requests, and waits for their answers.

use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::codes::Code;
use super::error::Error;
use super::events::EventStream;
use super::head::ResponseHead;
use super::input::Input;
use super::operation::{Operation, is_marked};
use super::options::{CallOptions, OnResponse};
use super::reading::Reading;

/// The way in which an answer is read.
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
            Answer::Open(reading) if reading.head.is_stream() => Ok(EventStream::new(*reading)),
            Answer::Open(reading) => Err(reading.instead_of_a_stream().await),
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
        if (200..300).contains(&reading.head.status) {
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
