//! The destination of spans.

use std::time::SystemTime;

use opentelemetry::InstrumentationScope;
use opentelemetry_sdk::trace::BatchSpanProcessor;
use tokio::time::Instant;

use super::sampling::TraceSampling;

/// The processor of spans, and what all of them have in common.
#[derive(Debug)]
pub(super) struct SpanExport {
    pub(super) processor: BatchSpanProcessor,
    pub(super) sampling: TraceSampling,
    pub(super) scope: InstrumentationScope,
    /// One moment on both clocks: spans are measured by the one that is never set.
    pub(super) began: (SystemTime, Instant),
}

impl SpanExport {
    /// The time of day of a moment.
    pub(super) fn time(&self, at: Instant) -> SystemTime {
        let (system, began) = self.began;
        match at.checked_duration_since(began) {
            Some(later) => system + later,
            None => system - began.duration_since(at),
        }
    }
}
