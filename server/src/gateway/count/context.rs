//! Input tokens of a request of format R, which may mean more than stands in it: counted by a provider of the format, else
//! estimated.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::time::Instant;

use crate::api::{Cx, ProxyReply, ProxyReplyBody};
use crate::generated::limits;

use super::super::Gateway;
use super::super::catalog::{Candidate, Model};
use super::super::config::Kind as UpstreamKind;
use super::super::error::GatewayError;
use super::super::exchange::responses::{read_context, read_tokens, write_count, write_tokens};
use super::super::exchange::{Ask, Format, Kind, Target, transcript};
use super::super::failed::{CandidateFailed, more_useful};
use super::super::refusal::{Asked, Refusal};
use super::super::run::Answered;
use super::super::upstream::{Action, Deadlines, Request, kept, upstream};

/// The one kind that has a counter of its own for what is more than text.
const RESPONSES: UpstreamKind = UpstreamKind::Speaks(Format::Responses);

/// What a provider says to a request to count.
enum Counted {
    Tokens(u64),
    Refused(Refusal),
}

impl Gateway {
    /// Counts a request that says all that it means.
    pub(in super::super) async fn count_context(&self, cx: &Cx, name: &str, bytes: &Bytes) -> Answered {
        let model = self.catalog.load().find(name).ok_or(GatewayError::NoModel)?.clone();
        let ask = read_context(bytes).map_err(GatewayError::Unreadable)?;
        let mut failure = None;
        for candidate in &model.candidates {
            if candidate.upstream.kind() != RESPONSES {
                return Ok(told(estimated(&ask, bytes)));
            }
            match self.counted(cx, candidate, &model, &ask).await {
                Ok(Counted::Tokens(tokens)) => return Ok(told(tokens)),
                // It finds fault with the request itself: no other is asked.
                Ok(Counted::Refused(Refusal { status, message, .. })) => {
                    return Err(GatewayError::Refused { status, message });
                }
                Err(failed) => {
                    let (request_id, upstream) = (cx.request_id, candidate.upstream.name());
                    let error = &failed as &dyn std::error::Error;
                    tracing::warn!(%request_id, upstream, error, "a provider did not count");
                    failure = Some(more_useful(failure, failed.into()));
                }
            }
        }
        Err(failure.unwrap_or(GatewayError::Failed))
    }

    async fn counted(
        &self,
        cx: &Cx,
        candidate: &Candidate,
        model: &Model,
        ask: &Ask,
    ) -> Result<Counted, CandidateFailed> {
        let target = Target {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: model.max_output_tokens,
            output_bought: None,
            older_bound_name: false,
        };
        let body = write_count(ask, &target)?.body;
        let place = candidate.upstream.place().map_err(|_| CandidateFailed::Busy { retry_after_seconds: None })?;
        let headers = upstream(&kept(&cx.headers), Format::Responses, RESPONSES);
        let within = Instant::now() + limits::UPSTREAM_COUNT.min(self.patience.total);
        let request = Request { model: &candidate.model, action: Action::Count, headers, body: body.clone() };
        let answer = candidate.upstream.send(request, place, Deadlines { begin: within, whole: within }).await?;
        let (status, mut answer) = (answer.status, answer.body);
        if status.is_success() {
            let bytes = answer.whole(limits::UPSTREAM_COUNT_ANSWER).await?;
            return Ok(Counted::Tokens(read_tokens(&bytes)?));
        }
        let failed = CandidateFailed::Status { status, retry_after_seconds: None };
        // The body is ours even where the client speaks the provider's format: its words are told, not shown.
        let asked = Asked { kind: RESPONSES, converted: true, request: &body, model: &candidate.model };
        let refusal = Refusal::read(status, answer, asked, limits::UPSTREAM_COUNT_ANSWER, failed).await?;
        Ok(Counted::Refused(refusal))
    }
}

/// Texts, calls and the declarations of tools by their size; pictures and files weigh nothing here.
fn estimated(ask: &Ask, bytes: &[u8]) -> u64 {
    #[derive(Deserialize)]
    struct Declared<'a> {
        #[serde(borrow)]
        tools: Option<&'a RawValue>,
    }
    let beside = ask.system.iter().filter(|block| block.at == "instructions").map(|block| match &block.kind {
        Kind::Text(text) => text.len(),
        _ => 0,
    });
    let tools = serde_json::from_slice::<Declared<'_>>(bytes).ok().and_then(|declared| declared.tools);
    let sum = beside.sum::<usize>() + tools.map_or(0, |tools| tools.get().len()) + transcript(ask).len();
    u64::try_from(sum).unwrap_or(u64::MAX).div_ceil(limits::COUNTED_BYTES_PER_TOKEN.into())
}

fn told(tokens: u64) -> ProxyReply {
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(write_tokens(tokens).into()) }
}
