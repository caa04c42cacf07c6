//! The table of routes: operations are added one by one, then become one axum router.
//!
//! axum matches the raw path; method, suffix and shape are decided here, because axum allows one parameter per segment
//! (so `{model}:generateContent` is a wildcard with a suffix) and would answer a wrong method in its own words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;

use super::cors::{answer_preflight, is_preflight};
use super::refuse::answer_unknown_path;
use super::router_context::RouterContext;
use super::serve::{PathService, RouteEntry, RouteHandler, RouteRunner};
use super::signed_in_pages::SignedInPages;
use super::{Answer, Call, Operation, RouterConfig, Rules};

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
        let RouterContext { rules, config, .. } = &*self.host;
        for route in operation.routes.iter().filter(|route| config.operators.take(rules, operation, route.path)) {
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
            let below = |pages: &SignedInPages| entries.iter().any(|entry| pages.holds(entry.route.path));
            let pages = host.config.pages.iter().find(|pages| below(pages)).cloned();
            router =
                router.route_service(&path, PathService { host: host.clone(), open, pages, entries: entries.into() });
        }
        router.fallback(move |request: Request| {
            let asks = is_preflight(&request) && unknown.rules.is_open(request.uri().path());
            let visit = unknown.config.pages.iter().find_map(|pages| pages.request(&request));
            let answer = match asks {
                true => answer_preflight(&unknown, &request),
                false => answer_unknown_path(&unknown, &request),
            };
            std::future::ready(match visit {
                Some(visit) => visit.answer(answer, &unknown.rules.framework),
                None => answer,
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
