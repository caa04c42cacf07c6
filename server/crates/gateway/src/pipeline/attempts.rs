//! The one loop over candidates, for chat turns, unary requests and token counts. The parts in which these differ are a
//! [`CandidateRequest`].

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use tokio::time::Instant;

use crate::Gateway;
use crate::error::GatewayError;
use crate::routing::breaker::BreakerPermit;
use crate::routing::candidate_error::{CandidateError, HealthSignal, more_useful};
use crate::routing::load_balance::{self, CandidateStats};
use crate::routing::model::Candidate;
use crate::routing::model_offer::{AttemptTarget, ModelOffer};
use crate::upstream::{AnswerDeadlines, UpstreamAction, UpstreamAnswer, UpstreamRequest};
use tollgate_base::RequestId;
use tollgate_telemetry::{SpanPart, TraceHandle, TraceSpan};

use super::disconnect::WaitingClient;
use super::reply::ReplyResult;
use super::session::SessionHash;

/// A client's request, as it is sent to one candidate after the other.
pub trait CandidateRequest: Send {
    /// The part of a candidate's answer that is for the client.
    type CandidateAnswer: AttemptOutput;

    /// True if the answer counts for the candidate's health.
    const TELLS_HEALTH: bool = true;

    /// The request, for the log.
    fn request_id(&self) -> RequestId;

    /// The session of the request, where a candidate may have the turn before in its cache.
    fn session(&self) -> Option<SessionHash> {
        None
    }

    /// True if the candidate may be tried with this request.
    fn suits(&self, _: AttemptTarget<'_>) -> bool {
        true
    }

    /// The request as this candidate is sent it.
    ///
    /// # Errors
    /// When its format has no word for something that matters.
    fn outbound(&mut self, at: AttemptTarget<'_>) -> Result<OutboundRequest, CandidateError>;

    /// Records that the request is sent to this candidate now.
    fn sent(&mut self, at: AttemptTarget<'_>);

    /// True if a candidate that refused is asked once more, and for less.
    fn retries_with_less(&mut self, _: AttemptTarget<'_>, _: &Self::CandidateAnswer) -> bool {
        false
    }

    /// Records if the second attempt was answered.
    fn note_retry(&mut self, _: AttemptTarget<'_>, _answered: bool) {}

    /// Reads the answer far enough to tell that it is one.
    ///
    /// # Errors
    /// When it is none, so that another candidate can be asked.
    fn read(
        &mut self,
        answer: UpstreamAnswer,
        at: AttemptTarget<'_>,
        sent: SentRequest,
    ) -> impl Future<Output = AttemptResult<Self::CandidateAnswer>> + Send;
}

/// The outcome of one candidate.
type AttemptResult<T> = Result<T, CandidateError>;

/// The part of an answer that was read.
pub trait AttemptOutput: Send {
    /// The time at which its first piece came.
    fn first_read(&self) -> Option<Instant>;

    /// True if the provider refused the request itself.
    fn is_refusal(&self) -> bool;
}

/// A request to a provider, before it is sent.
#[derive(Debug)]
pub struct OutboundRequest {
    /// The endpoint of the provider.
    pub action: UpstreamAction,
    /// The client's headers that it is shown, and the type of the body where it is not JSON.
    pub headers: HeaderMap,
    /// The body, in the provider's format.
    pub body: Bytes,
    /// Places of the client's request that are not in it.
    pub dropped: Vec<String>,
    /// The time within which the answer has to begin, where that is less than the time for all of it.
    pub begins_within: Option<Duration>,
}

/// A request that was sent.
#[derive(Debug)]
pub struct SentRequest {
    /// The body.
    pub body: Bytes,
    /// Places of the client's request that are not in it.
    pub dropped: Vec<String>,
}

impl Gateway {
    /// The answer of the first candidate that gives one.
    ///
    /// Models are tried in their order, and the candidates of one model by priority and weight, and by session or latency.
    /// After a failure the next one is tried, because the client has seen nothing yet; a request that a provider of the
    /// model refused is not sent again.
    ///
    /// # Errors
    /// When every candidate failed, the most useful reason of those of the model that was asked for; or the client went,
    /// and nobody is told.
    pub(crate) async fn try_candidates<Q: CandidateRequest>(
        &self,
        question: &mut Q,
        offers: &[ModelOffer],
        client: &mut WaitingClient<ReplyResult>,
        whole: Instant,
    ) -> Result<Q::CandidateAnswer, GatewayError> {
        let mut failure = None;
        let session = question.session();
        for at in offers.iter().flat_map(|offer| candidates(offer, session)) {
            if !question.suits(at) {
                continue;
            }
            if at.candidate.draining {
                let busy = || more_useful(None, CandidateError::Busy { retry_after_seconds: None }.into());
                failure = failure.or_else(|| (!at.offer.fallback).then(busy));
                continue;
            }
            if client.is_gone() || whole <= Instant::now() {
                break;
            }
            let asking = Box::pin(try_candidate(question, at, whole, &self.traces));
            let asked = match at.candidate.upstream.kind().answers_with_task() {
                // The provider goes on with its task and bills it, even if the client leaves: leaving must not be a discount.
                true => client.run_to_completion(asking).await,
                false => client.run_while_connected(asking).await,
            };
            let failed = match asked {
                Some(Ok(given)) => return Ok(given),
                Some(Err(failed)) => failed,
                None => break,
            };
            log_failure(question.request_id(), at.candidate, &failed);
            match at.offer.fallback {
                false if failed.is_final() => return Err(failed.into()),
                false => failure = Some(more_useful(failure, failed.into())),
                // The client asked for another model, and reads why that one did not answer.
                true => {}
            }
        }
        Err(failure.unwrap_or(GatewayError::Failed))
    }
}

async fn try_candidate<Q: CandidateRequest>(
    question: &mut Q,
    at: AttemptTarget<'_>,
    whole: Instant,
    traces: &TraceHandle,
) -> Result<Q::CandidateAnswer, CandidateError> {
    let candidate = at.candidate;
    let mut span = traces.span(question.request_id(), SpanPart::Try);
    span.note("tollgate.upstream", || candidate.upstream.name().to_owned());
    span.note("tollgate.upstream_model", || candidate.model.clone());
    let mut given = send_attempt(question, at, whole).await;
    if given.as_ref().is_ok_and(|given| given.is_refusal() && question.retries_with_less(at, given)) {
        given = send_attempt(question, at, whole).await;
        question.note_retry(at, given.as_ref().is_ok_and(|given| !given.is_refusal()));
    }
    // The request was made for another model, so the client cannot mend what a fallback finds wrong with it.
    let given = given.and_then(|given| match at.offer.fallback && given.is_refusal() {
        true => Err(CandidateError::Unfit),
        false => Ok(given),
    });
    note_outcome(&mut span, &given);
    given
}

fn note_outcome<T: AttemptOutput>(span: &mut TraceSpan, given: &AttemptResult<T>) {
    match given {
        Ok(given) => span.note("tollgate.refused", || given.is_refusal()),
        Err(_) => span.failed(),
    }
}

async fn send_attempt<Q: CandidateRequest>(
    question: &mut Q,
    at: AttemptTarget<'_>,
    whole: Instant,
) -> Result<Q::CandidateAnswer, CandidateError> {
    let candidate = at.candidate;
    // 1. It can be asked: its format has the request, its breaker is closed, and it has a free place.
    let OutboundRequest { action, headers, body, dropped, begins_within } = question.outbound(at)?;
    let asked = Instant::now();
    let leave = candidate.try_acquire(asked).ok_or_else(|| busy(candidate, asked))?;
    // Released at once where no outcome is reported: it may be the only permit while the candidate recovers.
    let leave = Q::TELLS_HEALTH.then_some(leave);
    let place = candidate.upstream.try_acquire().map_err(|_| CandidateError::Busy { retry_after_seconds: None })?;
    // 2. The request is sent.
    question.sent(at);
    let begin = begins_within.map_or(whole, |within| asked + within);
    let request = UpstreamRequest { services: &candidate.services, action, headers, body: body.clone() };
    let given = match candidate.upstream.send(request, place, AnswerDeadlines { begin, whole }).await {
        Ok(answer) => question.read(answer, at, SentRequest { body, dropped }).await,
        Err(error) => Err(error.into()),
    };
    // 3. The outcome counts for its health.
    if let Some(leave) = leave {
        match &given {
            Ok(given) => leave.answered(given.first_read().unwrap_or(asked).duration_since(asked)),
            Err(failed) => report_health(leave, failed.health_signal()),
        }
    }
    given
}

/// Reports a failure to the candidate's breaker.
pub(crate) fn report_health(leave: BreakerPermit<'_>, symptom: HealthSignal) {
    let wait = |seconds: Option<u32>| seconds.map(|seconds| Duration::from_secs(seconds.into()));
    match symptom {
        HealthSignal::None => drop(leave),
        HealthSignal::Limited(seconds) => leave.limited(Instant::now(), wait(seconds)),
        HealthSignal::Failed(seconds) => leave.failed(Instant::now(), wait(seconds)),
    }
}

/// The candidates of one model in the order to try them, for a session or without one.
pub(crate) fn candidates(offer: &ModelOffer, session: Option<SessionHash>) -> impl Iterator<Item = AttemptTarget<'_>> {
    let candidates = &offer.model.candidates;
    let standing = |candidate: &Candidate| CandidateStats {
        priority: candidate.priority,
        weight: candidate.weight,
        latency: candidate.health.latency(),
    };
    let order = match &candidates[..] {
        // The common case needs no random number.
        [_] => vec![0],
        several => {
            let standings: Vec<CandidateStats> = several.iter().map(standing).collect();
            match session {
                Some(session) => {
                    let hashes: Vec<u64> = several.iter().map(|candidate| session.with(candidate)).collect();
                    load_balance::order_of_session(&standings, &hashes)
                }
                None => load_balance::order(&standings, random),
            }
        }
    };
    order.into_iter().map(move |index| AttemptTarget { offer, candidate: &candidates[index] })
}

/// A random number that spreads requests; 0 where the system gives none, and all go one way then.
fn random() -> u64 {
    getrandom::u64().unwrap_or_default()
}

pub(crate) fn busy(candidate: &Candidate, now: Instant) -> CandidateError {
    let wait = candidate.health.shut_until(now).map(|until| until.duration_since(now).as_secs() + 1);
    CandidateError::Busy { retry_after_seconds: wait.and_then(|seconds| u32::try_from(seconds).ok()) }
}

pub(crate) fn log_failure(request_id: RequestId, candidate: &Candidate, failed: &CandidateError) {
    let upstream = candidate.upstream.name();
    let error = failed as &dyn std::error::Error;
    if failed.is_ours_to_mend() {
        tracing::error!(%request_id, upstream, error, "a provider turned down our key, our account or our name for the model");
    } else {
        tracing::warn!(%request_id, upstream, error, "a provider could not be asked, or failed before its answer began");
    }
}
