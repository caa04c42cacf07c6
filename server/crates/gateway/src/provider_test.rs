//! A test of one provider: a short text for one of its models, outside any account. Nothing is held or charged, and neither
//! breaker nor latency learn of it.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::config::{OutputBoundField, ProviderKind};
use crate::upstream::{AnswerDeadlines, UpstreamAction, UpstreamClient, UpstreamError, UpstreamRequest};
use crate::{Gateway, UpstreamLimits};
use tollgate_base::with_causes;
use tollgate_formats::Format;

const TEXT: &str = "Answer with the word OK.";
/// Models that think use up some before they answer.
const OUTPUT_TOKENS: u64 = 64;
/// The longest time for a test: whoever asked waits for it.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most letters of an answer that are told.
const LETTERS: usize = 500;
/// The largest answer that is read.
const ANSWER_BYTES: usize = 256 * 1024;

/// What came back from a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderTestResult {
    /// True if it answered the text.
    pub answered: bool,
    /// The status of HTTP; `None` where none came.
    pub status: Option<u16>,
    /// The time to the end of the answer.
    pub duration: Duration,
    /// The text of the answer or refusal, or what happened.
    pub answer: String,
}

impl Gateway {
    /// Sends a provider a short text for a model by its name there; `None` where there is no such provider.
    pub async fn try_provider(&self, provider: &str, model: &str) -> Option<ProviderTestResult> {
        let upstream = self.catalog.load().upstream(provider)?.clone();
        let begun = Instant::now();
        let (answered, status, answer) = match upstream.kind() {
            ProviderKind::Speaks(format) => match self.ask_for_a_word(&upstream, format, model, begun).await {
                Ok(None) => (false, None, "it has as many requests under way as it may".to_owned()),
                Ok(Some((status, body))) => {
                    let text = text_of(format, &body).unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned());
                    ((200..300).contains(&status), Some(status), text)
                }
                Err(error) => (false, None, with_causes(&error)),
            },
            ProviderKind::Pictures | ProviderKind::PicturesLater | ProviderKind::VideoA => {
                (false, None, "pictures and videos are not made for a test: they cost too much".to_owned())
            }
        };
        let answer = upstream.without_secrets(&answer).chars().take(LETTERS).collect();
        Some(ProviderTestResult { answered, status, duration: begun.elapsed(), answer })
    }

    async fn ask_for_a_word(
        &self,
        upstream: &UpstreamClient,
        format: Format,
        model: &str,
        begun: Instant,
    ) -> Result<Option<(u16, Bytes)>, UpstreamError> {
        let Ok(place) = upstream.try_acquire() else { return Ok(None) };
        let whole = begun + PATIENCE;
        let request = UpstreamRequest {
            services: &upstream.services(model),
            action: UpstreamAction::Turn { stream: false },
            headers: HeaderMap::new(),
            body: body(format, model, upstream.output_bound_field()).to_string().into(),
        };
        let deadlines = AnswerDeadlines { begin: whole, whole };
        let mut answer = upstream.send(request, place, deadlines).await?;
        let bytes_max = ANSWER_BYTES.min(UpstreamLimits::default().turn_bytes);
        let body = answer.body.whole(self.room(bytes_max)).await?;
        Ok(Some((answer.status.as_u16(), body.bytes)))
    }
}

fn body(format: Format, model: &str, bound: OutputBoundField) -> Value {
    match format {
        Format::Chat | Format::Completions => {
            json!({"model": model, "messages": [{"role": "user", "content": TEXT}], bound.as_str(): OUTPUT_TOKENS})
        }
        Format::Responses => json!({"model": model, "input": TEXT, "max_output_tokens": OUTPUT_TOKENS, "store": false}),
        Format::Messages => {
            json!({"model": model, "messages": [{"role": "user", "content": TEXT}], "max_tokens": OUTPUT_TOKENS})
        }
        Format::Generate => json!({
            "contents": [{"role": "user", "parts": [{"text": TEXT}]}],
            "generationConfig": {"maxOutputTokens": OUTPUT_TOKENS},
        }),
    }
}

/// The text in an answer, or in a refusal.
fn text_of(format: Format, body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let pointers: &[&str] = match format {
        Format::Chat | Format::Completions => &["/choices/0/message/content"],
        Format::Responses => &["/output/0/content/0/text", "/output/1/content/0/text"],
        Format::Messages => &["/content/0/text", "/content/1/text"],
        Format::Generate => &["/candidates/0/content/parts/0/text"],
    };
    let found = pointers.iter().chain(&["/error/message"]).find_map(|pointer| body.pointer(pointer)?.as_str());
    found.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_each_format_is_found() {
        for (format, body, text) in [
            (Format::Chat, r#"{"choices":[{"message":{"content":"OK"}}]}"#, Some("OK")),
            (Format::Responses, r#"{"output":[{"type":"reasoning"},{"content":[{"text":"OK"}]}]}"#, Some("OK")),
            (Format::Messages, r#"{"content":[{"type":"thinking"},{"text":"OK"}]}"#, Some("OK")),
            (Format::Generate, r#"{"candidates":[{"content":{"parts":[{"text":"OK"}]}}]}"#, Some("OK")),
            (Format::Chat, r#"{"error":{"message":"no such key"}}"#, Some("no such key")),
            (Format::Chat, r#"{"detail":1}"#, None),
            (Format::Messages, "<html>", None),
        ] {
            assert_eq!(text_of(format, body.as_bytes()).as_deref(), text, "{body}");
        }
    }
}
