//! Counting the tokens of a request without answering it: free of charge, so nothing is held.
//!
//! One rule for every format that has such an operation: a provider that has a counter is asked, in its own format. Where
//! none of a model's providers has one, or all fail, the count is estimated from the size of the text, and a header says so:
//! some client programs do not start without a count.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::Gateway;
use crate::config::ProviderKind;
use crate::error::GatewayError;
use crate::members::{self, AdmissionPolicy, RequestAdmission, StoredItems};
use crate::metering::tokens_of_text;
use crate::pipeline::attempts::{AttemptOutput, CandidateRequest, OutboundRequest, SentRequest};
use crate::pipeline::deliver;
use crate::pipeline::disconnect::{DisconnectGrace, WaitingClient};
use crate::pipeline::reply::ReplyResult;
use crate::routing::candidate_error::CandidateError;
use crate::routing::model_offer::{AttemptTarget, ModelOffer};
use crate::routing::refusal::{ProviderRefusal, RefusedRequest};
use crate::upstream::{AnswerRoom, UpstreamAction, UpstreamAnswer, downstream, kept, upstream};
use tollgate_api::generated::auth::names;
use tollgate_api::generated::limits;
use tollgate_api::{Cx, Principal, ProxyReply, ProxyReplyBody};
use tollgate_base::RequestId;
use tollgate_formats::wire::splice::{JsonSplice, range_within};
use tollgate_formats::{ConversionTarget, Format};

/// A request to be counted.
#[derive(Debug)]
pub struct TokenCountRequest {
    /// The client's format, one that has a counter.
    pub format: Format,
    /// The model as the client named it.
    pub model: String,
    /// The body; in format R with all references resolved.
    pub bytes: Bytes,
    /// The items of its input that come from stored responses.
    pub stored: StoredItems,
}

/// A token count that is tried at one candidate after the other.
struct TokenCountAttempt<'a> {
    counting: &'a TokenCountRequest,
    headers: HeaderMap,
    request_id: RequestId,
    room: AnswerRoom<'a>,
}

/// A provider's answer to a token count.
enum TokenCountAnswer {
    Tokens(ProxyReply),
    /// The provider refuses the request itself.
    Refusal {
        headers: HeaderMap,
        refusal: ProviderRefusal,
    },
}

/// The part of a body of format G that may repeat the model.
#[derive(Deserialize)]
struct NestedCountBody<'a> {
    #[serde(borrow, rename = "generateContentRequest", alias = "generate_content_request")]
    request: Option<NamedModelMember<'a>>,
}

/// An object that may name the model.
#[derive(Deserialize)]
struct NamedModelMember<'a> {
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

impl Gateway {
    /// Counts the tokens by the first provider of the model that can, else by the size of the text.
    pub(super) async fn count(&self, cx: &Cx, caller: &Principal, counting: &TokenCountRequest) -> ReplyResult {
        let catalog = self.catalog.load();
        let model = catalog.find_for(caller, &counting.model)?;
        // A request that would be refused as a turn is not sent to a counter either.
        let findings = members::scan_beside(counting.format, &counting.bytes, catalog.members(), &counting.stored)
            .map_err(GatewayError::Unreadable)?;
        let policy = AdmissionPolicy { drops_tools: true, ..catalog.policy(&model, counting.format) };
        if RequestAdmission::of(&findings, &counting.bytes, policy).is_err() {
            return counting.estimated();
        }
        let whole = Instant::now() + limits::UPSTREAM_COUNT.min(self.patience.total);
        let room = self.room(limits::UPSTREAM_COUNT_ANSWER);
        let mut asking = TokenCountAttempt { counting, headers: kept(&cx.headers), request_id: cx.request_id, room };
        // Nothing is charged, so the work ends when the client leaves.
        let (reply, _waiting) = oneshot::channel();
        let mut client = WaitingClient::new(reply, DisconnectGrace::new(self.patience.abandoned, self.cut.clone()));
        match self.try_candidates(&mut asking, &[ModelOffer::free(model)], &mut client, whole).await {
            Ok(TokenCountAnswer::Tokens(reply)) => Ok(reply),
            Ok(TokenCountAnswer::Refusal { headers, refusal }) => deliver::refusal_reply(headers, refusal),
            // An estimate would claim that a body is readable which no provider could read.
            Err(GatewayError::Unreadable(unreadable)) => Err(GatewayError::Unreadable(unreadable)),
            Err(_) => counting.estimated(),
        }
    }
}

impl CandidateRequest for TokenCountAttempt<'_> {
    type CandidateAnswer = TokenCountAnswer;

    /// Failures of a counter are no evidence about turns, so the breaker does not learn of them.
    const TELLS_HEALTH: bool = false;

    fn request_id(&self) -> RequestId {
        self.request_id
    }

    fn suits(&self, at: AttemptTarget<'_>) -> bool {
        at.candidate
            .speaker(self.counting.format)
            .is_ok_and(|speaker| tollgate_formats::has_token_counter(speaker.format))
    }

    fn outbound(&mut self, at: AttemptTarget<'_>) -> Result<OutboundRequest, CandidateError> {
        let (body, dropped) = self.counting.body(at)?;
        let headers = upstream(&self.headers, self.counting.format, at.candidate.upstream.kind());
        Ok(OutboundRequest { action: UpstreamAction::Count, headers, body, dropped, begins_within: None })
    }

    fn sent(&mut self, _: AttemptTarget<'_>) {}

    async fn read(
        &mut self,
        answer: UpstreamAnswer,
        at: AttemptTarget<'_>,
        sent: SentRequest,
    ) -> Result<TokenCountAnswer, CandidateError> {
        let UpstreamAnswer { status, headers, mut body } = answer;
        let counting = self.counting;
        let to = at.candidate.speaker(counting.format)?.format;
        let own_format = to == counting.format;
        if !status.is_success() {
            let failed = CandidateError::Status { status, retry_after_seconds: None };
            // The conversion may have caused the refusal, so the next candidate is tried.
            if !own_format {
                return Err(failed);
            }
            // The gateway wrote this body, so the client gets the message without the provider's own error body.
            let asked = RefusedRequest {
                kind: ProviderKind::Speaks(to),
                converted: counting.is_written(),
                request: &sent.body,
                model: &at.candidate.model,
            };
            let refusal = ProviderRefusal::read(status, body, asked, self.room, failed).await?;
            return Ok(TokenCountAnswer::Refusal { headers: downstream(&headers), refusal });
        }
        let bytes = body.whole(self.room).await?.counted(|bytes| bytes);
        let tokens = tollgate_formats::decode_token_count(to, &bytes)?;
        let mut headers = HeaderMap::new();
        deliver::add_dropped_header(&mut headers, &sent.dropped);
        let bytes =
            if own_format { bytes } else { tollgate_formats::encode_token_count(counting.format, tokens).into() };
        Ok(TokenCountAnswer::Tokens(json_reply(headers, bytes)))
    }
}

impl AttemptOutput for TokenCountAnswer {
    fn first_read(&self) -> Option<Instant> {
        None
    }

    fn is_refusal(&self) -> bool {
        matches!(self, Self::Refusal { .. })
    }
}

impl TokenCountRequest {
    /// The gateway's own estimate, from the size of the text.
    fn estimated(&self) -> ReplyResult {
        if self.is_written() {
            tollgate_formats::decode_count_request(self.format, &self.bytes, &self.model)
                .map_err(GatewayError::Unreadable)?;
        }
        let tokens = tokens_of_text(&self.bytes);
        let mut headers = HeaderMap::new();
        headers.insert(names::X_TOLLGATE_ESTIMATED.sent(), HeaderValue::from_static("true"));
        Ok(json_reply(headers, tollgate_formats::encode_token_count(self.format, tokens).into()))
    }

    /// True if the body is rewritten even for a provider of the client's own format.
    /// A counter of format R takes no settings of the answer, and must not store anything.
    fn is_written(&self) -> bool {
        match self.format {
            Format::Responses => true,
            Format::Messages | Format::Generate | Format::Chat | Format::Completions => false,
        }
    }

    /// The body for a candidate, and the places of the request that it leaves out.
    fn body(&self, at: AttemptTarget<'_>) -> Result<(Bytes, Vec<String>), CandidateError> {
        let AttemptTarget { offer, candidate } = at;
        let to = candidate.speaker(self.format)?.format;
        if to == self.format && !self.is_written() {
            return Ok((self.own(&candidate.model), Vec::new()));
        }
        let ask = tollgate_formats::decode_count_request(self.format, &self.bytes, &self.model)?;
        let target = ConversionTarget {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: offer.model.max_output_tokens,
            output_bought: None,
            older_bound_name: false,
            asks_for_cache: false,
            capabilities: offer.model.capabilities,
        };
        let lowered = tollgate_formats::lower_tools(&ask, to)?;
        let ask = lowered.as_ref().map_or(&ask, |(ask, _)| ask);
        let encoded = tollgate_formats::encode_count_request(to, ask, &target)?;
        Ok((encoded.body, encoded.dropped))
    }

    /// The client's bytes with the provider's name of the model.
    fn own(&self, model: &str) -> Bytes {
        let named = match self.format {
            Format::Generate => {
                serde_json::from_slice::<NestedCountBody<'_>>(&self.bytes).ok().and_then(|whole| whole.request?.model)
            }
            Format::Messages | Format::Chat | Format::Completions | Format::Responses => {
                serde_json::from_slice::<NamedModelMember<'_>>(&self.bytes).ok().and_then(|named| named.model)
            }
        };
        let prefix = if self.format == Format::Generate && !model.contains('/') { "models/" } else { "" };
        let mut splice = JsonSplice::default();
        if let Some(place) = named.and_then(|named| range_within(&self.bytes, named.get())) {
            splice.replace(place, serde_json::Value::from(format!("{prefix}{model}")).to_string());
        }
        splice.apply(&self.bytes)
    }
}

fn json_reply(mut headers: HeaderMap, body: Bytes) -> ProxyReply {
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
            let counting = TokenCountRequest {
                format,
                model: "a".to_owned(),
                bytes: Bytes::from_static(body.as_bytes()),
                stored: StoredItems::default(),
            };
            assert_eq!(counting.own("up"), expected);
        }
    }
}
