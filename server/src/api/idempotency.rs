//! Requests that are carried out once, whatever comes twice: what a client's Idempotency-Key does.
//!
//! The first request with a key is written down, carried out in a task of its own (so that it goes on when its client has
//! left, for the client will ask again), and its answer is written down before it is sent: with the hold and the receipt of
//! what is paid for, by itself otherwise. A request that carries no key passes by all of this.

use std::sync::Arc;

use axum::body::HttpBody;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;

use super::failure::SHOULD_RETRY;
use super::refuse::refusal;
use super::reply::ReportedCode;
use super::serve::{DispatchedRequest, guarded};
use super::{Answer, Call, Failure, Framework, KeyClaim, Operation, ProxyReply, ProxyReplyBody};
use crate::base::{AccountId, Caller, CallerCredential, KeyId, Principal, RequestId};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const KEY_LEN_MAX: usize = 255;
/// The header of an answer that was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// The header with the id of the request that it was given to.
const FIRST: HeaderName = HeaderName::from_static("x-tollgate-first-request-id");
/// The time that a client waits before it asks for an answer that is on its way.
const IN_FLIGHT_WAIT_SECONDS: u32 = 1;

/// A request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The account whose key it is: another account's may be the same.
    pub account: AccountId,
    /// The key.
    pub key: String,
    /// The digest of method, path and body, and of who asks.
    pub sha256: [u8; 32],
    /// The request.
    pub request: RequestId,
    /// True where money is held for it.
    pub is_paid_for: bool,
}

/// The sender of a request that carries a key.
#[derive(Debug, Clone, Copy)]
pub struct Asker {
    account: AccountId,
    /// None for a person who is signed in, who is the same when they sign in again.
    by: Option<KeyId>,
}

impl From<&Principal> for Asker {
    fn from(principal: &Principal) -> Self {
        Self { account: principal.account, by: Some(principal.key) }
    }
}

impl From<&Caller> for Asker {
    fn from(caller: &Caller) -> Self {
        let by = match caller.by {
            CallerCredential::Key(key) | CallerCredential::Agent(_, key) => Some(key),
            CallerCredential::Session(_) => None,
        };
        Self { account: caller.account, by }
    }
}

/// The decision on a request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyOutcome {
    /// It is the first: it is carried out, and [`Once::ended`] is told how that ended.
    First,
    /// It is paid for: it is carried out with this claim, and the ledger decides with its hold whether it is the first.
    Claimed(Arc<KeyClaim>),
    /// It was answered before.
    Answered(KeptAnswer),
    /// This request has the key and is under way.
    InFlight(RequestId),
    /// This request had the key and was carried out, and its answer cannot be given again.
    Done(RequestId),
    /// This request had the key and was another one.
    Other(RequestId),
}

impl IdempotencyOutcome {
    /// The request that has the key in the place of this one.
    #[must_use]
    pub const fn first(&self) -> Option<RequestId> {
        match self {
            Self::First | Self::Claimed(_) => None,
            Self::Answered(KeptAnswer { first, .. })
            | Self::InFlight(first)
            | Self::Done(first)
            | Self::Other(first) => Some(*first),
        }
    }
}

/// An answer as it is given again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The request that it was given to.
    pub first: RequestId,
    /// Its status.
    pub status: StatusCode,
    /// Its headers, but for those that every answer gets.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl KeptAnswer {
    /// A whole answer as it is kept, if it is one that can be given again.
    #[must_use]
    pub fn of(reply: ProxyReply, first: RequestId) -> Option<Self> {
        let ProxyReply { status, headers, body: ProxyReplyBody::Whole(body) } = reply else { return None };
        let is_kept = is_json(&headers) && !may_run_again(status, &headers, false);
        is_kept.then_some(Self { first, status, headers, body })
    }
}

/// The end of a first request.
#[derive(Debug, PartialEq, Eq)]
pub enum IdempotentEnd {
    /// It was answered, and the answer can be given again if it is not too large.
    Answered(KeptAnswer),
    /// It was answered by a stream, which cannot be given again.
    Done,
    /// It may be sent again: nothing came of it, unless it was charged.
    MayRunAgain,
}

/// The outcome of an earlier request with the key is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the state of an Idempotency-Key cannot be read or written now")]
pub struct IdempotencyUnavailable;

/// Remembers keys. Implemented by the room that keeps the money.
pub trait Once: Send + Sync + 'static {
    /// Decides on a request. [`Turn::First`] is on the disk when it is said.
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
    /// When the key is none; else what comes of the request.
    pub async fn once<S, F, Fut>(mut self, service: Arc<S>, asker: Asker, run: F) -> Answer
    where
        S: Once,
        F: FnOnce(Arc<S>, Self) -> Fut + Send + 'static,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        match self.keyed(asker)? {
            None => run(service, self).await,
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
        // Whatever goes to a provider is paid for.
        let is_paid_for = self.asked.operation.proxy;
        Ok(Some(IdempotentRequest { account, key, sha256, request: self.cx.request_id, is_paid_for }))
    }
}

fn is_key(text: &str) -> bool {
    (1..=KEY_LEN_MAX).contains(&text.len()) && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// True if a request is to be carried out once.
pub(super) fn is_keyed(operation: &Operation, headers: &HeaderMap) -> bool {
    operation.once && headers.contains_key(KEY)
}

/// The digest by which a request is known again: method, path, query and body.
/// Of a form it is the same whatever its client chose for a boundary this time.
#[derive(Debug)]
pub(super) struct RequestDigest(Sha256);

impl RequestDigest {
    pub(super) fn of(method: &Method, path: &str, query: Option<&str>) -> Self {
        let mut digest = Sha256::new();
        // None of them has a line break in it.
        digest.update(format!("{method}\n{path}\n{}\n", query.unwrap_or_default()));
        Self(digest)
    }

    pub(super) fn add(&mut self, body: &[u8], boundary: Option<&str>) {
        let Some(boundary) = boundary.filter(|boundary| !boundary.is_empty()) else { return self.0.update(body) };
        let mut rest = 0;
        for at in memchr::memmem::find_iter(body, boundary.as_bytes()) {
            self.0.update(&body[rest..at]);
            rest = at + boundary.len();
        }
        self.0.update(&body[rest..]);
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
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
            refused(framework.once_in_flight, first).with_retry_after(IN_FLIGHT_WAIT_SECONDS)
        }
        IdempotencyOutcome::Done(first) => refused(framework.once_done, first),
        IdempotencyOutcome::Other(first) => refused(framework.once_other, first),
        IdempotencyOutcome::First | IdempotencyOutcome::Claimed(_) => Failure::new(framework.panic),
    })
}

fn replayed(kept: KeptAnswer) -> Response {
    let KeptAnswer { first, status, mut headers, body } = kept;
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    headers.extend(HeaderValue::try_from(first.as_str()).ok().map(|first| (FIRST, first)));
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// A failure as its client will see it: what is kept are the bytes.
fn rendered(outcome: Answer, asked: &DispatchedRequest) -> Response {
    outcome.unwrap_or_else(|failure| {
        let code = failure.info();
        let mut response = refusal(failure, asked.operation, asked.envelope, &asked.request_id);
        response.extensions_mut().insert(ReportedCode(code));
        response
    })
}

/// True for an answer after which the request may be sent again, so that nothing of it is kept. `is_refusal`: it refuses the
/// request, whatever its status.
fn may_run_again(status: StatusCode, headers: &HeaderMap, is_refusal: bool) -> bool {
    let says_so = headers.get(SHOULD_RETRY).is_some_and(|told| told == "true") || headers.contains_key(RETRY_AFTER);
    // What is refused for want of money or rights is another matter once these are there.
    let lacks = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::PAYMENT_REQUIRED | StatusCode::FORBIDDEN);
    // Of an operation whose refusals are told with a status of success.
    let refused = status.is_success() && is_refusal;
    status.is_server_error() || says_so || lacks || refused
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
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
