//! What happens to one request: find the operation, call its route function, and see that whatever comes of it is
//! answered in the right shape.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{ALLOW, CONTENT_LENGTH};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use tokio::time::{Instant, timeout};
use tower::Service;

use super::params::path_matches;
use super::router::{Answered, Host};
use super::{Answer, Call, Envelope, Failure, Operation, RequestId, Route, Rules};

const REQUEST_ID: [HeaderName; 2] = [HeaderName::from_static("x-request-id"), HeaderName::from_static("request-id")];

type Running = Pin<Box<dyn Future<Output = Response> + Send>>;

/// One way to one operation.
pub(super) struct Entry<S> {
    pub route: &'static Route,
    pub runner: Arc<dyn Runner<S>>,
}

/// An operation's route function with its types forgotten.
pub(super) trait Runner<S>: Send + Sync {
    fn run(&self, host: &Arc<Host<S>>, route: &'static Route, request: Request) -> Running;
}

pub(super) struct Handler<F> {
    pub operation: &'static Operation,
    pub handler: F,
}

impl<S, F, Fut> Runner<S> for Handler<F>
where
    S: Send + Sync + 'static,
    F: Fn(Arc<S>, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send + 'static,
{
    fn run(&self, host: &Arc<Host<S>>, route: &'static Route, request: Request) -> Running {
        let started = Instant::now();
        let request_id = RequestId::mint(host.config.clock.now_ms());
        let call = Call::begin(host, self.operation, route, request, request_id, started);
        let envelope = self.operation.select.map_or(self.operation.envelope, |select| select(call.seen()));
        let answer = (self.handler)(host.service.clone(), call);
        let (host, operation) = (host.clone(), self.operation);
        Box::pin(async move {
            let outcome = guarded(answer, operation, &host, &request_id).await;
            let failed = outcome.as_ref().err().map(Failure::info);
            let mut response = outcome.unwrap_or_else(|failure| refusal(failure, operation, envelope, &request_id));
            name_request(response.headers_mut(), &request_id);
            if let Some(observer) = &host.config.observer {
                let (status, took) = (response.status(), started.elapsed());
                observer.answered(&Answered { operation: Some(operation), request_id, status, code: failed, took });
            }
            response
        })
    }
}

/// Runs a route function within its time, and survives its panic.
async fn guarded<S>(
    answer: impl Future<Output = Answer>,
    operation: &'static Operation,
    host: &Host<S>,
    request_id: &RequestId,
) -> Answer {
    let within = if operation.proxy { host.config.proxy_timeout } else { host.config.request_timeout };
    let framework = &host.rules.framework;
    match timeout(within, AssertUnwindSafe(answer).catch_unwind()).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            tracing::error!(operation = operation.id, %request_id, "a handler panicked");
            Err(Failure::new(framework.panic))
        }
        Err(_) => {
            let seconds = i64::try_from(within.as_secs()).unwrap_or(i64::MAX);
            Err(Failure::new(framework.timeout).with("seconds", seconds))
        }
    }
}

fn refusal(failure: Failure, operation: &Operation, envelope: &'static Envelope, request_id: &RequestId) -> Response {
    let always = operation.always_http.and_then(|status| StatusCode::from_u16(status).ok());
    let failure = match always {
        Some(status) => failure.with_http(status),
        None => failure,
    };
    rendered(&failure, envelope, request_id)
}

fn rendered(failure: &Failure, envelope: &'static Envelope, request_id: &RequestId) -> Response {
    let (status, headers, body) = failure.render(envelope, request_id);
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Puts the request's id on the answer, over whatever an upstream called it.
fn name_request(headers: &mut HeaderMap, request_id: &RequestId) {
    let value = HeaderValue::from_maybe_shared(Bytes::copy_from_slice(request_id.as_str().as_bytes()))
        .expect("a request id is ASCII");
    for name in REQUEST_ID {
        headers.insert(name, value.clone());
    }
}

/// All operations on one path of the axum router.
pub(super) struct PathService<S> {
    pub host: Arc<Host<S>>,
    pub entries: Arc<[Entry<S>]>,
}

impl<S> Clone for PathService<S> {
    fn clone(&self) -> Self {
        Self { host: self.host.clone(), entries: self.entries.clone() }
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
        match find(&self.entries, request.method(), request.uri().path()) {
            Found::Entry(entry) if request.method() == Method::HEAD => {
                Box::pin(entry.runner.run(&self.host, entry.route, request).map(|response| Ok(without_body(response))))
            }
            Found::Entry(entry) => Box::pin(entry.runner.run(&self.host, entry.route, request).map(Ok)),
            Found::OtherMethods(allowed) => {
                let response = answer_other_method(&self.host, request.method(), request.uri().path(), &allowed);
                Box::pin(std::future::ready(Ok(response)))
            }
            Found::Nothing => {
                let response = answer_unknown_path(&self.host, request.method(), request.uri().path());
                Box::pin(std::future::ready(Ok(response)))
            }
        }
    }
}

/// The answer to HEAD: everything but the body, whose length is told where it is known.
fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.entry(CONTENT_LENGTH).or_insert_with(|| length.into());
    }
    Response::from_parts(parts, Body::empty())
}

enum Found<'e, S> {
    Entry(&'e Entry<S>),
    OtherMethods(Vec<&'e Method>),
    Nothing,
}

/// The operation for a method and path. A route with a suffix wins over one without; HEAD is GET without its body.
fn find<'e, S>(entries: &'e [Entry<S>], method: &Method, path: &str) -> Found<'e, S> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let mut here = entries.iter().filter(|entry| path_matches(entry.route.path, entry.route.suffix, path));
    let best =
        here.clone().filter(|entry| entry.route.method == *method).max_by_key(|entry| entry.route.suffix.is_some());
    match best {
        Some(entry) => Found::Entry(entry),
        None if here.clone().next().is_some() => {
            Found::OtherMethods(here.by_ref().map(|entry| &entry.route.method).collect())
        }
        None => Found::Nothing,
    }
}

fn answer_other_method<S>(host: &Host<S>, method: &Method, path: &str, allowed: &[&Method]) -> Response {
    let mut names: Vec<&str> = allowed.iter().map(|method| method.as_str()).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.push("OPTIONS");
    names.sort_unstable();
    names.dedup();
    let allowed = names.join(", ");
    let value = HeaderValue::try_from(allowed.clone()).expect("method names are ASCII");
    let mut response = if method == Method::OPTIONS {
        no_content(host)
    } else {
        let failure = Failure::new(host.rules.framework.wrong_method).with("method", method.to_string());
        refuse(host, path, &failure.with("allowed", allowed))
    };
    response.headers_mut().insert(ALLOW, value);
    response
}

/// The answer where the spec has no such path.
pub(super) fn answer_unknown_path<S>(host: &Host<S>, method: &Method, path: &str) -> Response {
    let failure = Failure::new(host.rules.framework.unknown_path).with("method", method.to_string());
    refuse(host, path, &failure.with("path", path.to_owned()))
}

fn no_content<S>(host: &Host<S>) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    name_request(response.headers_mut(), &RequestId::mint(host.config.clock.now_ms()));
    response
}

fn refuse<S>(host: &Host<S>, path: &str, failure: &Failure) -> Response {
    let request_id = RequestId::mint(host.config.clock.now_ms());
    let response = host.rules.refuse(path, failure, request_id);
    if let Some(observer) = &host.config.observer {
        let (status, code) = (response.status(), Some(failure.info()));
        observer.answered(&Answered { operation: None, request_id, status, code, took: std::time::Duration::ZERO });
    }
    response
}

impl Rules {
    /// A failure of no operation, in the shape of the path's family: for layers above the router too.
    #[must_use]
    pub fn refuse(&self, path: &str, failure: &Failure, request_id: RequestId) -> Response {
        let mut response = rendered(failure, self.family(path), &request_id);
        name_request(response.headers_mut(), &request_id);
        response
    }
}
