//! Requests that are carried out once, whatever comes twice: what a client's Idempotency-Key does.
//!
//! The first request with a key is written down, carried out in a task of its own (so that it goes on when its client has
//! left, for the client will ask again), and its answer is written down before it is sent: with the hold and the receipt of
//! what is paid for, by itself otherwise. A request that carries no key passes by all of this.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use http_body_util::BodyExt;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;

use super::dispatched_request::DispatchedRequest;
use super::kept_answer::{is_json, may_run_again};
use super::refuse::refusal;
use super::reply::ReportedCode;
use super::request_digest::KEY;
use super::serve::guarded;
use super::{
    Answer, Asker, Call, Failure, Framework, IdempotencyOutcome, IdempotentEnd, IdempotentRequest, KeptAnswer, KeyClaim,
};
use crate::generated::runtime_headers::{FIRST_REQUEST_ID, REPLAYED, TAGS};
use tollgate_base::{RequestId, RequestTags};

const KEY_LEN_MAX: usize = 255;
static TAGS_HEADER: HeaderName = TAGS;
/// The time that a client waits before it asks for an answer that is on its way.
const IN_FLIGHT_WAIT_SECONDS: u32 = 1;

/// The outcome of an earlier request with the key is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the state of an Idempotency-Key cannot be read or written now")]
pub struct IdempotencyUnavailable;

/// Remembers keys. Implemented by the room that keeps the money.
pub trait Once: Send + Sync + 'static {
    /// Decides on a request. [`IdempotencyOutcome::First`] is on the disk when it is said.
    fn begin(
        &self,
        request: &IdempotentRequest,
    ) -> impl Future<Output = Result<IdempotencyOutcome, IdempotencyUnavailable>> + Send;

    /// The turn of a request that has ended and that nothing was held for, where another one has its key: told in the place of its
    /// own response.
    fn taken(
        &self,
        claim: &KeyClaim,
    ) -> impl Future<Output = Result<Option<IdempotencyOutcome>, IdempotencyUnavailable>> + Send;

    /// Writes down how a first request ended, as far as that is not written with the claim that it had. What cannot be written
    /// is found out from the ledger later.
    fn ended(
        &self,
        request: &IdempotentRequest,
        claim: Option<&KeyClaim>,
        end: IdempotentEnd,
    ) -> impl Future<Output = ()> + Send;

    /// Takes over a task, and waits for it before the service ends.
    fn spawn_tracked(&self, task: impl Future<Output = ()> + Send + 'static);
}

impl Call {
    /// Carries a request out, once where it carries a key.
    ///
    /// # Errors
    /// A refusal of a key or of tags that cannot be such; else the failure of the request.
    pub async fn once<S, F, Fut>(mut self, service: Arc<S>, asker: Asker, run: F) -> Answer
    where
        S: Once,
        F: FnOnce(Arc<S>, Self) -> Fut + Send + 'static,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        // Whatever goes to a provider is paid for.
        if self.asked.operation.proxy {
            self.cx.tags = self.tags()?;
        }
        match self.keyed(asker)? {
            // Boxed: the future of a whole operation is large, and each that holds it by value is copied with it.
            None => Box::pin(run(service, self)).await,
            Some(request) => Box::pin(carried(service, self, request, run)).await,
        }
    }

    /// The request with its key, if it carries one.
    fn keyed(&mut self, Asker { account, by }: Asker) -> Result<Option<IdempotentRequest>, Failure> {
        let Some(asked) = self.digest() else { return Ok(None) };
        let mut digest = Sha256::new_with_prefix(asked);
        // What one key of an account was answered is not for another, which may be for less.
        if let Some(key) = by {
            digest.update(key.0.to_le_bytes());
        }
        let sha256 = digest.finalize().into();
        let mut values = self.cx.headers.get_all(KEY).into_iter();
        let key = values.next().and_then(|value| value.to_str().ok()).filter(|key| is_key(key));
        let expected = "one value of 1 to 255 printable ASCII characters";
        let wrong = || self.bad_parameter("idempotency-key", expected, "something else");
        let key = key.filter(|_| values.next().is_none()).ok_or_else(wrong)?.to_owned();
        let is_paid_for = self.asked.operation.proxy;
        Ok(Some(IdempotentRequest { account, key, sha256, request: self.cx.request_id, is_paid_for }))
    }

    /// The tags that the request carries. The error does not repeat them.
    fn tags(&self) -> Result<RequestTags, Failure> {
        let tags = RequestTags::read(self.cx.headers.get_all(TAGS).into_iter().map(HeaderValue::as_bytes));
        let (most, longest) = (RequestTags::COUNT_MAX, RequestTags::LENGTH_MAX);
        let expected = || format!("up to {most} tags of 1 to {longest} letters, digits and -_.:/@ with commas between");
        tags.map_err(|invalid| self.bad_parameter(TAGS_HEADER.as_str(), expected(), &invalid.to_string()))
    }
}

fn is_key(text: &str) -> bool {
    (1..=KEY_LEN_MAX).contains(&text.len()) && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// Carries a request with a key out in a task of its own.
async fn carried<S, F, Fut>(service: Arc<S>, mut call: Call, request: IdempotentRequest, run: F) -> Answer
where
    S: Once,
    F: FnOnce(Arc<S>, Call) -> Fut + Send + 'static,
    Fut: Future<Output = Answer> + Send + 'static,
{
    let (asked, rules, within) = (call.asked, call.rules, call.within);
    let (answer, answered) = oneshot::channel();
    let owner = service.clone();
    owner.spawn_tracked(async move {
        let turn = service.begin(&request).await;
        let claim = if let Ok(IdempotencyOutcome::Claimed(claim)) = &turn { Some(claim.clone()) } else { None };
        let outcome = match turn {
            Ok(IdempotencyOutcome::First | IdempotencyOutcome::Claimed(_)) => {
                call.cx.claim.clone_from(&claim);
                let outcome = guarded(run(service.clone(), call), &asked, within, &rules.framework).await;
                let (response, end) = kept(rendered(outcome, &asked), request.request).await;
                service.ended(&request, claim.as_deref(), end).await;
                let taken = match claim {
                    Some(claim) => service.taken(&claim).await,
                    None => Ok(None),
                };
                match taken {
                    Ok(Some(turn)) => repeated(turn, &rules.framework),
                    Ok(None) => Ok(response),
                    Err(IdempotencyUnavailable) => Err(Failure::new(rules.framework.auth_unavailable)),
                }
            }
            Ok(turn) => repeated(turn, &rules.framework),
            Err(IdempotencyUnavailable) => Err(Failure::new(rules.framework.auth_unavailable)),
        };
        // Nobody takes it where the client has left; it is there for when it asks again.
        drop(answer.send(outcome));
    });
    answered.await.unwrap_or_else(|_| Err(Failure::new(rules.framework.panic)))
}

/// The answer to a request whose key is not new.
fn repeated(turn: IdempotencyOutcome, framework: &'static Framework) -> Answer {
    let refused = |code, first: RequestId| Failure::new(code).with("first_request_id", first.to_string());
    Err(match turn {
        IdempotencyOutcome::Answered(kept) => return Ok(replayed(kept)),
        IdempotencyOutcome::InFlight(first) => {
            refused(framework.idempotency_in_flight, first).with_retry_after(IN_FLIGHT_WAIT_SECONDS)
        }
        IdempotencyOutcome::Done(first) => refused(framework.idempotency_done, first),
        IdempotencyOutcome::Other(first) => refused(framework.idempotency_mismatch, first),
        IdempotencyOutcome::First | IdempotencyOutcome::Claimed(_) => Failure::new(framework.panic),
    })
}

fn replayed(kept: KeptAnswer) -> Response {
    let KeptAnswer { first, status, mut headers, body } = kept;
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    headers.extend(HeaderValue::try_from(first.as_str()).ok().map(|first| (FIRST_REQUEST_ID, first)));
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A failure as its client will see it: what is kept are the bytes.
fn rendered(outcome: Answer, asked: &DispatchedRequest) -> Response {
    outcome.unwrap_or_else(|failure| refusal(failure, asked.operation, asked.envelope, &asked.request_id))
}

/// A response, and the part of it that is kept for a repeat of the request.
async fn kept(response: Response, first: RequestId) -> (Response, IdempotentEnd) {
    let is_refusal = response.extensions().get::<ReportedCode>().is_some();
    if may_run_again(response.status(), response.headers(), is_refusal) {
        return (response, IdempotentEnd::MayRunAgain);
    }
    if !is_json(response.headers()) || response.body().size_hint().exact().is_none() {
        return (response, IdempotentEnd::Done);
    }
    let (parts, body) = response.into_parts();
    // Its length is known, so it is all there.
    let Ok(body) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return (Response::from_parts(parts, Bytes::new().into()), IdempotentEnd::Done);
    };
    let kept = KeptAnswer { first, status: parts.status, headers: parts.headers.clone(), body: body.clone() };
    (Response::from_parts(parts, body.into()), IdempotentEnd::Answered(kept))
}
