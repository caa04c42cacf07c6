//! Counting the tokens of a request without answering it: free of charge, so nothing is held.
//!
//! A provider that has a counter is asked, in its own format. Where none of a model's providers has one, or none counts,
//! the text is measured instead, and the answer says so: a program that cannot count does not start.

mod context;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::api::{Cx, ProxyReply, ProxyReplyBody};
use crate::generated::limits;

use super::Gateway;
use super::ask::{busy, in_order, log};
use super::catalog::{Model, Speaker};
use super::config::Kind;
use super::deliver;
use super::error::GatewayError;
use super::exchange::{self, Format, Target};
use super::failed::CandidateFailed;
use super::meter::tokens_of_text;
use super::refusal::{Asked, Refusal};
use super::run::Answered;
use super::splice::{Splice, range_within};
use super::upstream::{Action, Deadlines, Request, downstream, kept, upstream};

/// Says that the count is our own, by the size of the text.
const ESTIMATED: HeaderName = HeaderName::from_static("x-tollgate-estimated");

/// A request to be counted.
#[derive(Debug)]
pub struct Counting {
    /// The client's format, one that has a counter.
    pub format: Format,
    /// The model as the client named it.
    pub model: String,
    /// The body as it came.
    pub bytes: Bytes,
}

/// Where a body of format G repeats the model.
#[derive(Deserialize)]
struct Whole<'a> {
    #[serde(borrow, rename = "generateContentRequest", alias = "generate_content_request")]
    request: Option<Named<'a>>,
}

/// Where an object names the model.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

impl Gateway {
    /// Counts: by the first provider of the model that can, else by the size of the text.
    pub(super) async fn count(&self, cx: &Cx, counting: &Counting) -> Answered {
        let model = self.catalog.load().find(&counting.model).ok_or(GatewayError::NoModel)?.clone();
        let headers = kept(&cx.headers);
        let whole = Instant::now() + limits::UPSTREAM_COUNT.min(self.patience.total);
        let speakers = in_order(&model.candidates).filter_map(|candidate| candidate.speaker(counting.format).ok());
        for speaker in speakers.filter(|speaker| exchange::counts(speaker.format)) {
            if whole <= Instant::now() {
                break;
            }
            match self.count_at(speaker, &model, counting, &headers, whole).await {
                Ok(reply) => return Ok(reply),
                // What no provider could read, we cannot measure as if it could.
                Err(CandidateFailed::Unreadable(unreadable)) => return Err(GatewayError::Unreadable(unreadable)),
                Err(failed) => log(cx.request_id, speaker.candidate, &failed),
            }
        }
        let tokens = tokens_of_text(&counting.bytes);
        let mut headers = HeaderMap::new();
        headers.insert(ESTIMATED, HeaderValue::from_static("true"));
        Ok(told(headers, exchange::write_counted(counting.format, tokens).into()))
    }

    async fn count_at(
        &self,
        speaker: Speaker<'_>,
        model: &Model,
        counting: &Counting,
        headers: &HeaderMap,
        whole: Instant,
    ) -> Result<ProxyReply, CandidateFailed> {
        let Speaker { candidate, format: to } = speaker;
        let converted = to != counting.format;
        let (body, dropped) = counting.body(speaker, model)?;
        let asked = Instant::now();
        let leave = candidate.health.leave(asked).ok_or_else(|| busy(candidate, asked))?;
        let place = candidate.upstream.place().map_err(|_| CandidateFailed::Busy { retry_after_seconds: None })?;
        // How a counter does says nothing of how turns do, where more than a count is at stake.
        drop(leave);
        let headers = upstream(headers, counting.format, Kind::Speaks(to));
        let request = Request { model: &candidate.model, action: Action::Count, headers, body };
        let mut answer = candidate.upstream.send(request, place, Deadlines { begin: whole, whole }).await?;
        if !answer.status.is_success() {
            let failed = CandidateFailed::Status { status: answer.status, retry_after_seconds: None };
            if converted {
                return Err(failed);
            }
            let (kind, request) = (Kind::Speaks(to), &counting.bytes);
            let asked = Asked { kind, converted, request, model: &candidate.model };
            let refusal =
                Refusal::read(answer.status, answer.body, asked, limits::UPSTREAM_COUNT_ANSWER, failed).await?;
            return deliver::refuse(downstream(&answer.headers), refusal).map_err(|_| CandidateFailed::NoAnswer);
        }
        let bytes = answer.body.whole(limits::UPSTREAM_COUNT_ANSWER).await?;
        let tokens = exchange::read_counted(to, &bytes)?;
        let mut headers = HeaderMap::new();
        deliver::tell_dropped(&mut headers, &dropped);
        Ok(told(headers, if converted { exchange::write_counted(counting.format, tokens).into() } else { bytes }))
    }
}

impl Counting {
    /// The body for a candidate, and what it does not carry.
    fn body(&self, speaker: Speaker<'_>, model: &Model) -> Result<(Bytes, Vec<String>), CandidateFailed> {
        let Speaker { candidate, format: to } = speaker;
        if to == self.format {
            return Ok((self.own(&candidate.model), Vec::new()));
        }
        let ask = exchange::read_count(self.format, &self.bytes, &self.model)?;
        let target = Target {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: model.max_output_tokens,
            output_bought: None,
            older_bound_name: false,
        };
        let encoded = exchange::write_count(to, &ask, &target)?;
        Ok((encoded.body, encoded.dropped))
    }

    /// The client's bytes, with the model by the name that the provider knows.
    fn own(&self, model: &str) -> Bytes {
        let named = match self.format {
            Format::Generate => {
                serde_json::from_slice::<Whole<'_>>(&self.bytes).ok().and_then(|whole| whole.request?.model)
            }
            Format::Messages | Format::Chat | Format::Completions | Format::Responses => {
                serde_json::from_slice::<Named<'_>>(&self.bytes).ok().and_then(|named| named.model)
            }
        };
        let prefix = if self.format == Format::Generate && !model.contains('/') { "models/" } else { "" };
        let mut splice = Splice::default();
        if let Some(place) = named.and_then(|named| range_within(&self.bytes, named.get())) {
            splice.replace(place, serde_json::Value::from(format!("{prefix}{model}")).to_string());
        }
        splice.apply(&self.bytes)
    }
}

fn told(mut headers: HeaderMap, body: Bytes) -> ProxyReply {
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(body) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_named_as_the_provider_knows_it_wherever_it_stands() {
        for (format, body, expected) in [
            (Format::Messages, r#"{"messages":[], "model" : "a"}"#, r#"{"messages":[], "model" : "up"}"#),
            (Format::Generate, r#"{"contents":[]}"#, r#"{"contents":[]}"#),
            (
                Format::Generate,
                r#"{"generateContentRequest":{"model":"models/a","contents":[]}}"#,
                r#"{"generateContentRequest":{"model":"models/up","contents":[]}}"#,
            ),
        ] {
            let counting = Counting { format, model: "a".to_owned(), bytes: Bytes::from_static(body.as_bytes()) };
            assert_eq!(counting.own("up"), expected);
        }
    }
}
