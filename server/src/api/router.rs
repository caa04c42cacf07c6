//! The table of routes: operations are added one by one, then become one axum router.
//!
//! axum matches the raw path; method, suffix and shape are decided here, because axum allows one parameter per segment
//! (so `{model}:generateContent` is a wildcard with a suffix) and would answer a wrong method in its own words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use http::StatusCode;
use tokio::time::Instant;

use super::cors::{answer_preflight, is_preflight};
use super::refuse::answer_unknown_path;
use super::serve::{PathService, RouteEntry, RouteHandler, RouteRunner};
use super::{Answer, BodyMemory, Call, CodeInfo, InFlightRequests, Operation, RequestId, Rules, SessionCookies};
use crate::base::Clock;

/// The settings of the router, which an operator may set.
#[derive(Clone)]
pub struct RouterConfig {
    /// The time that request ids carry.
    pub clock: Clock,
    /// The longest time that an operation may take to begin its answer.
    pub request_timeout: Duration,
    /// The longest time for operations that wait for an upstream.
    pub proxy_timeout: Duration,
    /// The longest time that a body may stay silent.
    pub body_idle_timeout: Duration,
    /// The longest time that a body may take to arrive.
    pub body_total_timeout: Duration,
    /// Places for requests in flight; one that finds none is refused.
    pub places: InFlightRequests,
    /// Memory for the bodies of requests in flight; one that does not fit is refused.
    pub bodies: BodyMemory,
    /// The longest wait that an answer may ask for before a retry.
    pub retry_after_max: Duration,
    /// The cookies of those who are signed in.
    pub cookies: Arc<SessionCookies>,
    /// The observer of every answer, for logs and metrics.
    pub observer: Option<Arc<dyn ResponseObserver>>,
}

impl RouterConfig {
    /// A configuration with the times that `rules` and `bounds` give; plain cookies, no observer.
    #[must_use]
    pub fn new(clock: Clock, rules: &Rules, bounds: RouterBounds) -> Self {
        Self {
            clock,
            request_timeout: bounds.request_own,
            proxy_timeout: rules.request_total,
            body_idle_timeout: rules.body_read_idle,
            body_total_timeout: rules.body_read_total,
            places: bounds.places,
            bodies: bounds.bodies,
            retry_after_max: bounds.retry_after_max,
            cookies: Arc::default(),
            observer: None,
        }
    }

    /// The longest time that an operation may take to begin its answer.
    pub(super) fn within(&self, operation: &Operation) -> Duration {
        if operation.proxy { self.proxy_timeout } else { self.request_timeout }
    }
}

/// Bounds that a service sets itself.
#[derive(Debug, Clone)]
pub struct RouterBounds {
    /// The longest time that an operation may take which waits for no upstream.
    pub request_own: Duration,
    /// Places for requests in flight.
    pub places: InFlightRequests,
    /// Memory for the bodies of requests in flight.
    pub bodies: BodyMemory,
    /// The longest wait that an answer may ask for before a retry.
    pub retry_after_max: Duration,
}

impl fmt::Debug for RouterConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RouterConfig")
            .field("request_timeout", &self.request_timeout)
            .field("proxy_timeout", &self.proxy_timeout)
            .field("body_idle_timeout", &self.body_idle_timeout)
            .field("body_total_timeout", &self.body_total_timeout)
            .field("places", &self.places)
            .field("bodies", &self.bodies)
            .field("retry_after_max", &self.retry_after_max)
            .field("cookies", &self.cookies)
            .finish_non_exhaustive()
    }
}

/// An observer, told of every answer once its head is known; a stream may still be running.
/// Called on the request's task, so it must be quick.
pub trait ResponseObserver: Send + Sync + 'static {
    /// One answer.
    fn answered(&self, answered: &ObservedResponse);
}

/// One answer, as an observer learns of it.
#[derive(Debug, Clone, Copy)]
pub struct ObservedResponse {
    /// The operation; `None` where no operation matched.
    pub operation: Option<&'static Operation>,
    /// The request.
    pub request_id: RequestId,
    /// The status that was sent.
    pub status: StatusCode,
    /// The error code, unless it succeeded.
    pub code: Option<&'static CodeInfo>,
    /// The moment at which the request arrived; the head of the answer is about to be sent.
    pub began: Instant,
}

/// The parts that every request needs: service, rules and configuration.
pub(super) struct RouterContext<S> {
    pub service: Arc<S>,
    pub rules: &'static Rules,
    pub config: RouterConfig,
}

/// Operations on their way into a router.
pub struct Routes<S> {
    host: Arc<RouterContext<S>>,
    entries: Vec<RouteEntry<S>>,
}

impl<S: Send + Sync + 'static> Routes<S> {
    /// An empty table.
    #[must_use]
    pub fn new(service: Arc<S>, rules: &'static Rules, config: RouterConfig) -> Self {
        Self { host: Arc::new(RouterContext { service, rules, config }), entries: Vec::new() }
    }

    /// Adds an operation under all its routes.
    pub fn add<F, Fut>(&mut self, operation: &'static Operation, handler: F)
    where
        F: Fn(Arc<S>, Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        let runner: Arc<dyn RouteRunner<S>> = Arc::new(RouteHandler { operation, handler });
        for route in operation.routes {
            self.entries.push(RouteEntry { route, runner: runner.clone() });
        }
    }

    /// The router: every path of every operation, and an answer in the right shape for everything else.
    pub fn finish(self) -> Router {
        let Self { host, entries } = self;
        let wildcards: BTreeSet<String> =
            entries.iter().filter(|entry| is_wildcard(entry)).map(|entry| prefix(entry).to_owned()).collect();
        let mut paths: BTreeMap<String, Vec<RouteEntry<S>>> = BTreeMap::new();
        for entry in entries {
            paths.entry(axum_path(&entry, &wildcards)).or_default().push(entry);
        }
        let unknown = host.clone();
        let mut router = Router::new();
        for (path, entries) in paths {
            let open = entries.iter().all(|entry| host.rules.is_open(entry.route.path));
            router = router.route_service(&path, PathService { host: host.clone(), open, entries: entries.into() });
        }
        router.fallback(move |request: Request| {
            let asks = is_preflight(&request) && unknown.rules.is_open(request.uri().path());
            std::future::ready(match asks {
                true => answer_preflight(&unknown, &request),
                false => answer_unknown_path(&unknown, &request),
            })
        })
    }
}

impl<S> fmt::Debug for Routes<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| entry.route)).finish()
    }
}

/// Everything before the last segment.
fn prefix<S>(entry: &RouteEntry<S>) -> &'static str {
    entry.route.path.rsplit_once('/').map_or("", |(prefix, _)| prefix)
}

fn is_wildcard<S>(entry: &RouteEntry<S>) -> bool {
    entry.route.suffix.is_some() || entry.route.path.contains("{*")
}

/// The path in axum's words. Parameters lose their names, so that two operations may name the same one differently;
/// a last parameter becomes a wildcard where another operation needs one in its place.
fn axum_path<S>(entry: &RouteEntry<S>, wildcards: &BTreeSet<String>) -> String {
    let mut path = String::new();
    let segments: Vec<&str> = entry.route.path.split('/').skip(1).collect();
    for (index, segment) in segments.iter().enumerate() {
        path.push('/');
        let last = index + 1 == segments.len();
        match segment.starts_with('{') {
            true if last && wildcards.contains(prefix(entry)) => path.push_str("{*rest}"),
            true => path.push_str(&format!("{{p{index}}}")),
            false => path.push_str(segment),
        }
    }
    path
}
