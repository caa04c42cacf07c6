//! The settings of the router.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::signed_in_pages::SignedInPages;
use super::{BodyMemory, InFlightRequests, Operation, ResponseObserver, Rules, SessionCookies};
use tollgate_base::Clock;

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
    /// The operations of operators in the router.
    pub operators: OperatorRoutes,
    /// The pages among the operations whose visitors sign in.
    pub pages: Arc<[SignedInPages]>,
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
            proxy_timeout: rules.proxy_total,
            body_idle_timeout: rules.body_idle,
            body_total_timeout: rules.body_total,
            places: bounds.places,
            bodies: bounds.bodies,
            retry_after_max: bounds.retry_after_max,
            cookies: Arc::default(),
            operators: OperatorRoutes::default(),
            pages: Arc::new([]),
            observer: None,
        }
    }

    /// The longest time that an operation may take to begin its answer.
    pub(super) fn within(&self, operation: &Operation) -> Duration {
        if operation.proxy { self.proxy_timeout } else { self.request_timeout }
    }
}

/// The place of the operations below the paths of operators: a service may have two listeners, one of which nobody else reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OperatorRoutes {
    /// In the router, with all others.
    #[default]
    Served,
    /// Not in the router.
    Absent,
    /// Alone in the router, but for the operations that tell about the service itself.
    Alone,
}

impl OperatorRoutes {
    /// True if a route of an operation belongs in the router.
    pub(super) fn take(self, rules: &Rules, operation: &Operation, path: &str) -> bool {
        match self {
            Self::Served => true,
            Self::Absent => !rules.is_of_operators(path),
            Self::Alone => rules.is_of_operators(path) || operation.about_service,
        }
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
            .field("operators", &self.operators)
            .field("pages", &self.pages)
            .finish_non_exhaustive()
    }
}
