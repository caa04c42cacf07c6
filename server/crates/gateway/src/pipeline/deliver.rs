//! An answer that began, on its way to the client: metered, settled, and only then complete.

use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::Gateway;
use crate::error::GatewayError;
use crate::inbound::InboundRequest;
use crate::metering::cost::UnchargedReply;
use crate::routing::refusal::ProviderRefusal;
use crate::streaming::closed_thinking::ClientResponse;
use crate::upstream::downstream;
use tollgate_api::generated::auth::names;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::limits;
use tollgate_api::generated::runtime_headers::SHOULD_RETRY;
use tollgate_api::{BoxBody, Code as _, ProxyReply, ProxyReplyBody};
use tollgate_credit::RateLimitState;
use tollgate_formats::Format;

use super::answer_progress::AnswerTerms;
use super::billing::BilledRequest;
use super::disconnect::WaitingClient;
use super::first_bytes::{ResponseStart, StartedResponse};
use super::metered_stream::MeteredStream;
use super::prepared_turn::PreparedTurn;
use super::rate_limit_headers;
use super::reply::ReplyResult;
use super::settlement_policy::CallEnding;

const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Ends a header that was cut.
const CUT: &str = ", ...";
const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl Gateway {
    /// Makes the reply. A whole answer is charged before it is given, a stream before its end is.
    pub(super) async fn deliver(
        &self,
        begun: StartedResponse,
        prepared: &PreparedTurn,
        mut tab: Box<BilledRequest>,
        client: &WaitingClient<ReplyResult>,
    ) -> ReplyResult {
        let StartedResponse { status, headers, beginning, converted, told } = begun;
        let mut headers = if converted { HeaderMap::with_capacity(8) } else { downstream(&headers) };
        rate_limit_headers::insert_headers(&mut headers, prepared.inbound.format == Format::Messages, &tab.standing());
        let body = match beginning {
            ResponseStart::Refusal(refusal) => {
                tab.abandon().await;
                return refusal_reply(headers, refusal);
            }
            ResponseStart::Whole { bytes, hidden, tally, first_read } => {
                tab.note_first_byte(first_read);
                let ending = if client.is_gone() { CallEnding::ClientGone } else { CallEnding::Complete };
                let response = tab.keeps().then(|| ClientResponse { body: bytes.clone(), hidden });
                if converted {
                    headers.insert(header::CONTENT_TYPE, JSON);
                }
                add_terms(&mut headers, &told);
                let answer = UnchargedReply { status, headers, body: bytes, cost_in: tab.cost_in() };
                tab.set_reply(&answer);
                let charged = tab.complete(ending, &tally, response).await.map_err(|_| GatewayError::Ledger)?;
                return Ok(answer.charged(charged));
            }
            ResponseStart::Stream { first, flow, body } => {
                tab.note_first_byte(body.first_read());
                add_stream_headers(&mut headers, prepared.inbound.as_list);
                let (tasks, absence) = (self.tasks.clone(), client.absence());
                let stream = MeteredStream::new(tab, flow, body, first, tasks, absence, prepared.fault_event);
                ProxyReplyBody::Stream(BoxBody::new(stream))
            }
        };
        add_terms(&mut headers, &told);
        Ok(ProxyReply { status, headers, body })
    }
}

/// The headers of a stream whose provider is not certain yet.
pub(super) fn late_headers(inbound: &InboundRequest, standing: &RateLimitState, told: &AnswerTerms) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(8);
    rate_limit_headers::insert_headers(&mut headers, inbound.format == Format::Messages, standing);
    add_stream_headers(&mut headers, inbound.as_list);
    add_terms(&mut headers, told);
    headers
}

fn add_stream_headers(headers: &mut HeaderMap, as_list: bool) {
    let kind = if as_list { JSON } else { HeaderValue::from_static("text/event-stream") };
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
}

/// Adds the headers that tell the client on which terms it is answered.
fn add_terms(headers: &mut HeaderMap, told: &AnswerTerms) {
    if let Some(bound) = told.output_bound {
        headers.insert(names::X_TOLLGATE_OUTPUT_BOUND.sent(), HeaderValue::from(bound));
    }
    add_fallback_header(headers, told.fallback.as_deref());
    add_dropped_header(headers, &told.dropped);
}

/// Adds the header that names the places of the request that the provider did not see, if there are any.
pub fn add_dropped_header(headers: &mut HeaderMap, dropped: &[String]) {
    if !dropped.is_empty() {
        headers.insert(names::X_TOLLGATE_DROPPED.sent(), dropped_value(dropped));
    }
}

/// Adds the header that names the fallback model that answered, if one did.
pub(crate) fn add_fallback_header(headers: &mut HeaderMap, fallback: Option<&str>) {
    // A name that fits no header is on the receipt all the same.
    if let Some(name) = fallback.and_then(|name| HeaderValue::try_from(name).ok()) {
        headers.insert(names::X_TOLLGATE_FALLBACK.sent(), name);
    }
}

/// The names of members as a header's value, cut to its limit.
fn dropped_value(dropped: &[String]) -> HeaderValue {
    let mut text = dropped.join(", ");
    text.retain(|character| character.is_ascii_graphic() || character == ' ');
    if text.len() > limits::DROPPED_HEADER {
        text.truncate(limits::DROPPED_HEADER - CUT.len());
        text.push_str(CUT);
    }
    HeaderValue::try_from(text).expect("only visible characters are left")
}

/// The reply to a refused request, in the provider's own words where they are in the client's format.
pub(crate) fn refusal_reply(mut headers: HeaderMap, refusal: ProviderRefusal) -> ReplyResult {
    let ProviderRefusal { status, own, message } = refusal;
    let error = own.ok_or(GatewayError::Refused { status, message })?;
    headers.insert(SHOULD_RETRY, HeaderValue::from_static("false"));
    Ok(ProxyReply { status, headers, body: ProxyReplyBody::Error(error, code::UpstreamRefused::INFO) })
}
