//! Traces: what one request in so many did, span by span, sent to a collector by OTLP over HTTP. Off unless a collector is
//! configured; then a span costs the look at an `Option`.
//!
//! Spans have our own names, numbers and codes in them, and the names that an operator gave to models and providers; never a
//! body, a key, a header or the words of an error. Which requests are traced is drawn by their ids, which we mint: no
//! client can have itself traced at the operator's cost. A `traceparent` that a client sends becomes a link, and decides
//! nothing.
//!
//! Spans are made as data and handed to the batching processor of the OpenTelemetry project, past its tracers: the parts of
//! a request are in several rooms, and find each other by the request's id in place of a context that would have to be
//! carried through all of them. Whatever becomes of the collector, a request never waits: a queue that is full drops.

mod collector;
mod export;
mod link;
mod sampling;
mod span;

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SpanProcessor};
use tokio::task::spawn_blocking;
use tokio::time::Instant;

use tollgate_base::{Clock, RequestId};

use collector::CollectorClient;
use export::SpanExport;
use sampling::TraceSampling;
pub use span::{SpanPart, TraceSpan};

/// Most spans that wait to be sent; further ones are dropped.
const SPANS_WAITING_MAX: usize = 4_096;
const SPANS_SENT_MAX: usize = 512;
const SENT_EVERY: Duration = Duration::from_secs(1);
/// Timeout of one request to the collector.
const PATIENCE: Duration = Duration::from_secs(5);
/// Timeout for sending the last spans when the process ends.
const LAST_PATIENCE: Duration = Duration::from_secs(3);

/// The collector of traces, and the share of requests that are traced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracesConfig {
    /// The collector's address for traces, path included.
    pub endpoint: String,
    /// Requests in a million that are traced.
    pub millionths: u32,
}

/// The collector's client could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// The HTTP client.
    #[error("building the HTTP client of the collector failed")]
    Client(#[source] reqwest::Error),
    /// The exporter of spans.
    #[error("the collector's address cannot be used")]
    Exporter(#[source] ExporterBuildError),
}

/// The handle on traces. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct TraceHandle(Option<Arc<SpanExport>>);

impl TraceHandle {
    /// Begins to send spans to the collector, or not, without one. To be called in a runtime, which carries what is sent.
    ///
    /// # Errors
    /// When its address is none.
    pub fn start(config: Option<&TracesConfig>, clock: &Clock) -> Result<Self, TracesError> {
        let Some(config) = config else { return Ok(Self::default()) };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(CollectorClient::build(PATIENCE).map_err(TracesError::Client)?)
            .with_endpoint(&config.endpoint)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(PATIENCE)
            .build()
            .map_err(TracesError::Exporter)?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(SPANS_WAITING_MAX)
            .with_max_export_batch_size(SPANS_SENT_MAX)
            .with_scheduled_delay(SENT_EVERY)
            .build();
        let mut processor = BatchSpanProcessor::builder(exporter).with_batch_config(batches).build();
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        processor.set_resource(&Resource::builder().with_service_name("tollgate").with_attribute(version).build());
        let since_epoch = Duration::from_millis(clock.now_ms().try_into().unwrap_or_default());
        Ok(Self(Some(Arc::new(SpanExport {
            processor,
            sampling: TraceSampling { millionths: config.millionths },
            scope: InstrumentationScope::builder("tollgate").build(),
            began: (UNIX_EPOCH + since_epoch, Instant::now()),
        }))))
    }

    /// A part of a request that begins now and ends when it is dropped; nothing where the request is not traced.
    pub fn span(&self, request: RequestId, part: SpanPart) -> TraceSpan {
        match &self.0 {
            None => TraceSpan::default(),
            Some(exporting) => TraceSpan::begin(exporting, request, part, Instant::now()),
        }
    }

    /// A part of a request that began at `began` and ends when it is dropped; nothing where the request is not traced.
    pub fn span_since(&self, request: RequestId, part: SpanPart, began: Instant) -> TraceSpan {
        match &self.0 {
            None => TraceSpan::default(),
            Some(exporting) => TraceSpan::begin(exporting, request, part, began),
        }
    }

    /// Sends the spans that wait, within a timeout; later spans are dropped.
    pub async fn finish(&self) {
        let Some(exporting) = self.0.clone() else { return };
        let last = spawn_blocking(move || exporting.processor.shutdown_with_timeout(LAST_PATIENCE)).await;
        if !matches!(last, Ok(Ok(()))) {
            tracing::warn!("the last spans could not be sent in time");
        }
    }
}
