//! The handling of one request: find the operation, call its route function, and answer with its result in the right
//! shape.

use std::convert::Infallible;
use std::future::ready;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt;
use http::Method;
use http::header::ORIGIN;
use tokio::time::{Instant, timeout};
use tower::Service;

use super::answer_headers::{bound_wait, name_request, without_body};
use super::auth::read_credentials;
use super::cors::{answer_preflight, is_preflight, let_read};
use super::dispatched_request::DispatchedRequest;
use super::family::ends_with_verb;
use super::params::path_matches;
use super::refuse::{answer_other_method, answer_unknown_path, refusal};
use super::reply::ReportedCode;
use super::router_context::RouterContext;
use super::signed_in_pages::SignedInPages;
use super::{Answer, Call, Envelope, Failure, Framework, ObservedResponse, Operation, RequestId, Route, Seen};

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// One way to one operation.
pub(super) struct RouteEntry<S> {
    pub route: &'static Route,
    pub runner: Arc<dyn RouteRunner<S>>,
}

/// An operation's route function with its types forgotten.
pub(super) trait RouteRunner<S>: Send + Sync {
    fn run(&self, host: &Arc<RouterContext<S>>, route: &'static Route, request: Request) -> ResponseFuture;
}

pub(super) struct RouteHandler<F> {
    pub operation: &'static Operation,
    pub handler: F,
}

impl<S, F, Fut> RouteRunner<S> for RouteHandler<F>
where
    S: Send + Sync + 'static,
    F: Fn(Arc<S>, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send + 'static,
{
    fn run(&self, host: &Arc<RouterContext<S>>, route: &'static Route, request: Request) -> ResponseFuture {
        if !self.operation.roles.is_empty() && !shows_operator(host, self.operation, &request) {
            return Box::pin(ready(answer_unknown_path(host, &request)));
        }
        let asked = DispatchedRequest {
            operation: self.operation,
            envelope: envelope(self.operation, &request),
            request_id: RequestId::mint(host.config.clock.now_ms()),
            started: Instant::now(),
        };
        let Some(place) = host.config.places.try_acquire(self.operation) else {
            return Box::pin(ready(asked.answer(host, Err(host.rules.overloaded()))));
        };
        let call = Call::begin(host, route, request, asked, place.clone());
        // Boxed: each future that holds another by value is as large as both, and this one is held three times.
        let answer = Box::pin((self.handler)(host.service.clone(), call));
        let host = host.clone();
        Box::pin(async move {
            let within = host.config.within(asked.operation);
            let outcome = guarded(answer, &asked, within, &host.rules.framework).await;
            place.attach_to(asked.answer(&host, outcome))
        })
    }
}

impl DispatchedRequest {
    /// The answer to whatever came of it.
    fn answer<S>(&self, host: &RouterContext<S>, outcome: Answer) -> Response {
        let failed = match &outcome {
            Ok(response) => response.extensions().get::<ReportedCode>().map(|told| told.0),
            Err(failure) => Some(failure.info()),
        };
        let refused = |failure| refusal(failure, self.operation, self.envelope, &self.request_id);
        let mut response = outcome.unwrap_or_else(refused);
        name_request(response.headers_mut(), &self.request_id);
        bound_wait(response.headers_mut(), host.config.retry_after_max);
        if let Some(deprecated) = self.operation.deprecated {
            deprecated.tell(response.headers_mut());
        }
        if let Some(observer) = &host.config.observer {
            observer.answered(&ObservedResponse {
                operation: Some(self.operation),
                request_id: self.request_id,
                status: response.status(),
                code: failed,
                began: self.started,
            });
        }
        response
    }
}

/// True if a request may be an operator's. For all others, the operations of operators are not there.
fn shows_operator<S>(host: &RouterContext<S>, operation: &Operation, request: &Request) -> bool {
    let (uri, headers, cookies) = (request.uri(), request.headers(), &host.config.cookies);
    read_credentials(operation.schemes, request.method(), uri, headers, cookies).may_be_of_operator()
}

/// The shape of the operation's errors, as the request chooses it.
fn envelope(operation: &'static Operation, request: &Request) -> &'static Envelope {
    let seen = || Seen::of(operation.probes, request.headers(), request.uri().query());
    operation.select.map_or(operation.envelope, |select| select(seen()))
}

/// Runs a route function within its time, and survives its panic.
pub(super) async fn guarded(
    answer: impl Future<Output = Answer>,
    asked: &DispatchedRequest,
    within: Duration,
    framework: &'static Framework,
) -> Answer {
    match timeout(within, AssertUnwindSafe(answer).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            let request_id = asked.request_id;
            tracing::error!(operation = asked.operation.id, %request_id, "a handler panicked");
            Err(Failure::new(framework.panic))
        }
        Err(_) => {
            let seconds = i64::try_from(within.as_secs()).unwrap_or(i64::MAX);
            Err(Failure::new(framework.timeout).with("seconds", seconds))
        }
    }
}

/// All operations on one path of the axum router.
pub(super) struct PathService<S> {
    pub host: Arc<RouterContext<S>>,
    /// True if pages of any origin may call them.
    pub open: bool,
    /// The pages of a browser that they are among.
    pub pages: Option<SignedInPages>,
    pub entries: Arc<[RouteEntry<S>]>,
}

impl<S> Clone for PathService<S> {
    fn clone(&self) -> Self {
        Self { host: self.host.clone(), open: self.open, pages: self.pages.clone(), entries: self.entries.clone() }
    }
}

impl<S: Send + Sync + 'static> Service<Request> for PathService<S> {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let head = request.method() == Method::HEAD;
        let Some(visit) = self.pages.as_ref().and_then(|pages| pages.request(&request)) else {
            return self.dispatch(request, head);
        };
        let framework = &self.host.rules.framework;
        // A page has its own length.
        let answer = self.dispatch(request, false);
        let shown = move |response| {
            let response = visit.answer(response, framework);
            if head { without_body(response) } else { response }
        };
        Box::pin(answer.map(move |answer| answer.map(shown)))
    }
}

impl<S: Send + Sync + 'static> PathService<S> {
    /// The answer of the operation that a request is for, or of none; without a body where that is wanted.
    fn dispatch(&self, request: Request, head: bool) -> <Self as Service<Request>>::Future {
        if self.open && is_preflight(&request) {
            return Box::pin(ready(Ok(answer_preflight(&self.host, &request))));
        }
        let of_page = self.open && request.headers().contains_key(ORIGIN);
        match find(&self.entries, request.method(), request.uri().path()) {
            RouteMatch::Entry(entry) => {
                let answer = entry.runner.run(&self.host, entry.route, request);
                Box::pin(answer.map(move |mut response| {
                    if of_page {
                        let_read(response.headers_mut());
                    }
                    Ok(if head { without_body(response) } else { response })
                }))
            }
            // That a path has other methods would tell that it is there.
            RouteMatch::OtherMethods(_) if self.host.rules.is_of_operators(request.uri().path()) => {
                let response = answer_unknown_path(&self.host, &request);
                Box::pin(ready(Ok(response)))
            }
            RouteMatch::OtherMethods(allowed) => {
                let response = answer_other_method(&self.host, &request, &allowed);
                Box::pin(ready(Ok(response)))
            }
            RouteMatch::Nothing => {
                let response = answer_unknown_path(&self.host, &request);
                Box::pin(ready(Ok(response)))
            }
        }
    }
}

enum RouteMatch<'e, S> {
    Entry(&'e RouteEntry<S>),
    OtherMethods(Vec<&'e Method>),
    Nothing,
}

/// The operation for a method and path. A route with a suffix wins over one without; HEAD is GET without its body. A path
/// with a verb that no route ends with is nothing, though a parameter that takes the rest would take it too.
fn find<'e, S>(entries: &'e [RouteEntry<S>], method: &Method, path: &str) -> RouteMatch<'e, S> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let mut here = entries.iter().filter(|entry| path_matches(entry.route.path, entry.route.suffix, path));
    let best =
        here.clone().filter(|entry| entry.route.method == *method).max_by_key(|entry| entry.route.suffix.is_some());
    match best {
        Some(entry) => RouteMatch::Entry(entry),
        None if ends_with_verb(path) && here.clone().all(|entry| entry.route.suffix.is_none()) => RouteMatch::Nothing,
        None if here.clone().next().is_some() => {
            RouteMatch::OtherMethods(here.by_ref().map(|entry| &entry.route.method).collect())
        }
        None => RouteMatch::Nothing,
    }
}
