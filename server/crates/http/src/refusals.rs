//! Refusals before the router has seen a request, in the error shape of its family.

use std::fmt;
use std::sync::Arc;

use axum::response::Response;
use http::Request;
use tokio::time::Instant;

use tollgate_api::{Failure, ObservedResponse, RequestId, ResponseObserver, Rules};
use tollgate_base::Clock;

/// Makes refusals before the router.
#[derive(Clone)]
pub struct ListenerRefusals {
    /// The error shape of each request.
    pub rules: &'static Rules,
    /// The time that request ids carry.
    pub clock: Clock,
    /// Observer of every refusal.
    pub observer: Option<Arc<dyn ResponseObserver>>,
}

impl ListenerRefusals {
    /// The refusal as a response.
    pub(super) fn answer<B>(&self, request: &Request<B>, failure: &Failure) -> Response {
        let request_id = RequestId::mint(self.clock.now_ms());
        let response = self.rules.refuse(request.uri(), request.headers(), failure, request_id);
        if let Some(observer) = &self.observer {
            let (status, code) = (response.status(), Some(failure.info()));
            observer.answered(&ObservedResponse { operation: None, request_id, status, code, began: Instant::now() });
        }
        response
    }
}

impl fmt::Debug for ListenerRefusals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusals").finish_non_exhaustive()
    }
}
