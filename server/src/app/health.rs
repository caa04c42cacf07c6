//! Health, readiness and metrics of the service, and its OpenAPI document.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use crate::settings::MetricsAccess;
use tollgate_api::generated::errors::code;
use tollgate_api::generated::ops::service::{
    GetHealth, GetHealthError, GetHealthInput, GetMetrics, GetMetricsError, GetMetricsInput, GetOpenapi, GetOpenapi30,
    GetOpenapi30Error, GetOpenapi30Input, GetOpenapiError, GetOpenapiInput, GetReadiness, GetReadinessError,
    GetReadinessInput,
};
use tollgate_api::generated::types::ServiceState;
use tollgate_api::{Cx, ObservedResponse, ProxyReply, ProxyReplyBody, ResponseObserver, raise};
use tollgate_spec_build::OPENAPI_30;
use tollgate_store::Store;
use tollgate_telemetry::{MetricsRegistry, OPENMETRICS, SpanPart, TraceHandle};

/// Made from the spec together with the routes, so that the two cannot differ.
const OPENAPI: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/openapi.json"));
/// Time for which a proof of writability holds: anyone may ask, and each proof is a write to the disk.
const PROOF_LASTS: Duration = Duration::from_secs(1);
/// Headers of proxies. A request with one of them is not from this machine, wherever the proxy is.
const FORWARDED: [HeaderName; 3] = [
    HeaderName::from_static("forwarded"),
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

/// Handlers of the operations about the process itself. Cheap to clone.
#[derive(Debug, Clone)]
pub struct HealthProbes(Arc<HealthProbesState>);

#[derive(Debug)]
struct HealthProbesState {
    store: Store,
    proof: Mutex<Option<(Instant, bool)>>,
    metrics: MetricsRegistry,
    traces: TraceHandle,
    open_to: MetricsAccess,
    stopped: watch::Receiver<bool>,
}

impl HealthProbes {
    pub(super) fn new(
        store: Store,
        metrics: MetricsRegistry,
        traces: TraceHandle,
        open_to: MetricsAccess,
        stopped: watch::Receiver<bool>,
    ) -> Self {
        Self(Arc::new(HealthProbesState { store, proof: Mutex::default(), metrics, traces, open_to, stopped }))
    }

    /// True if the gateway was told to stop. Answers on open connections are then the last that it does.
    fn is_stopping(&self) -> bool {
        *self.0.stopped.borrow()
    }

    /// True if the ledger was written within the last second; if nobody knows, it is tried now, by one at a time.
    async fn can_write(&self) -> bool {
        let mut proof = self.0.proof.lock().await;
        if let Some((at, held)) = *proof
            && at.elapsed() < PROOF_LASTS
        {
            return held;
        }
        let written = self.0.store.prove_writable().await;
        if let Err(error) = &written {
            tracing::warn!(error = error as &dyn std::error::Error, "not ready: the ledger cannot be written");
        }
        *proof = Some((Instant::now(), written.is_ok()));
        written.is_ok()
    }

    fn may_read_metrics(&self, cx: &Cx) -> bool {
        match self.0.open_to {
            MetricsAccess::Anyone => true,
            MetricsAccess::Loopback => {
                let proxied = FORWARDED.iter().any(|name| cx.headers.contains_key(name));
                !proxied && cx.client.map(|client| client.to_canonical()).is_some_and(|client| client.is_loopback())
            }
        }
    }
}

const WELL: ServiceState = ServiceState { status: "ok" };

impl GetHealth for HealthProbes {
    async fn get_health(&self, _: &Cx, _: GetHealthInput) -> Result<ServiceState, GetHealthError> {
        Ok(WELL)
    }
}

impl GetReadiness for HealthProbes {
    async fn get_readiness(&self, _: &Cx, _: GetReadinessInput) -> Result<ServiceState, GetReadinessError> {
        if self.is_stopping() {
            return Err(raise(code::ShuttingDown {}));
        }
        if self.can_write().await { Ok(WELL) } else { Err(raise(code::LedgerUnavailable {})) }
    }
}

impl GetMetrics for HealthProbes {
    async fn get_metrics(&self, cx: &Cx, _: GetMetricsInput) -> Result<ProxyReply, GetMetricsError> {
        let text = self.may_read_metrics(cx).then(|| self.0.metrics.text().ok()).flatten();
        let not_there = || raise(code::RouteNotFound { method: "GET".to_owned(), path: "/metrics".to_owned() });
        let text = text.ok_or_else(not_there)?;
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(OPENMETRICS))]);
        Ok(ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(text.into()) })
    }
}

impl GetOpenapi for HealthProbes {
    async fn get_openapi(&self, _: &Cx, _: GetOpenapiInput) -> Result<ProxyReply, GetOpenapiError> {
        Ok(document(OPENAPI))
    }
}

impl GetOpenapi30 for HealthProbes {
    async fn get_openapi30(&self, _: &Cx, _: GetOpenapi30Input) -> Result<ProxyReply, GetOpenapi30Error> {
        Ok(document(OPENAPI_30))
    }
}

fn document(json: &'static [u8]) -> ProxyReply {
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    ProxyReply { status: StatusCode::OK, headers, body: ProxyReplyBody::Whole(Bytes::from_static(json)) }
}

impl HealthProbes {
    /// The span of a request, to the head of its answer.
    fn trace(&self, operation: &'static str, code: &'static str, answered: &ObservedResponse) {
        let mut span = self.0.traces.span_since(answered.request_id, SpanPart::Request(operation), answered.began);
        span.note("tollgate.operation", || operation);
        span.note("http.response.status_code", || i64::from(answered.status.as_u16()));
        if !code.is_empty() {
            span.note("tollgate.code", || code);
        }
        if answered.status.is_server_error() {
            span.failed();
        }
    }
}

impl ResponseObserver for HealthProbes {
    fn answered(&self, answered: &ObservedResponse) {
        let operation = answered.operation.map_or("", |operation| operation.id);
        let code = answered.code.map_or("", |info| info.code);
        self.0.metrics.answered(operation, answered.status.as_u16(), code, answered.began.elapsed());
        self.trace(operation, code, answered);
    }
}
