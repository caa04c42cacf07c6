//! One span: a part of a traced request, from here to where it is dropped.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use http::HeaderMap;
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceState};
use opentelemetry::{KeyValue, Value};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks, SpanProcessor};
use tokio::time::Instant;

use super::export::SpanExport;
use super::link::linked;
use super::sampling::TraceIds;
use tollgate_base::RequestId;

/// The part of a request that a span covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanPart {
    /// The request from its head to the head of its answer, by the name of its operation. The parent of all others.
    Request(&'static str),
    /// The whole exchange with a model, to the end of the answer and its settlement.
    Answer,
    /// Money is held for it.
    Hold,
    /// One provider is asked, up to where its answer begins well or fails.
    Try,
    /// The hold is charged or given back.
    Settle,
}

impl SpanPart {
    fn name(self) -> &'static str {
        match self {
            Self::Request(operation) => operation,
            Self::Answer => "answer",
            Self::Hold => "hold",
            Self::Try => "try",
            Self::Settle => "settle",
        }
    }

    fn kind(self) -> SpanKind {
        match self {
            Self::Request(_) => SpanKind::Server,
            Self::Try => SpanKind::Client,
            Self::Answer | Self::Hold | Self::Settle => SpanKind::Internal,
        }
    }
}

/// A part of a request that is under way; nothing where the request is not traced.
#[derive(Debug, Default)]
#[must_use = "it ends when it is dropped"]
pub struct TraceSpan(Option<Box<OpenSpan>>);

#[derive(Debug)]
struct OpenSpan {
    exporting: Arc<SpanExport>,
    data: SpanData,
}

impl TraceSpan {
    pub(super) fn begin(exporting: &Arc<SpanExport>, request: RequestId, part: SpanPart, began: Instant) -> Self {
        let Some(TraceIds { trace, root }) = exporting.sampling.of(request) else { return Self(None) };
        let (span, parent) = match part {
            SpanPart::Request(_) => (root, SpanId::INVALID),
            // One without a number of its own is not sent.
            SpanPart::Answer | SpanPart::Hold | SpanPart::Try | SpanPart::Settle => {
                (SpanId::from_bytes(getrandom::u64().unwrap_or_default().to_be_bytes()), root)
            }
        };
        let at = exporting.time(began);
        let data = SpanData {
            span_context: SpanContext::new(trace, span, TraceFlags::SAMPLED, false, TraceState::default()),
            parent_span_id: parent,
            parent_span_is_remote: false,
            span_kind: part.kind(),
            name: Cow::Borrowed(part.name()),
            start_time: at,
            end_time: at,
            attributes: vec![KeyValue::new("tollgate.request_id", request.as_str().to_owned())],
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: Status::Unset,
            instrumentation_scope: exporting.scope.clone(),
        };
        Self(Some(Box::new(OpenSpan { exporting: exporting.clone(), data })))
    }

    /// Adds an attribute: a number, a configured name or a code. `value` is called only where the request is traced.
    pub fn note<V: Into<Value>>(&mut self, name: &'static str, value: impl FnOnce() -> V) {
        if let Some(open) = &mut self.0 {
            open.data.attributes.push(KeyValue::new(name, value()));
        }
    }

    /// Adds an attribute by its `Display` text.
    pub fn note_text(&mut self, name: &'static str, value: impl fmt::Display) {
        self.note(name, || value.to_string());
    }

    /// Marks the part as failed.
    pub fn failed(&mut self) {
        if let Some(open) = &mut self.0 {
            // Without a description: error texts may hold text of others.
            open.data.status = Status::error("");
        }
    }

    /// Links to the trace that the client says it is in.
    pub fn link(&mut self, headers: &HeaderMap) {
        if let Some(open) = &mut self.0 {
            open.data.links.links.extend(linked(headers));
        }
    }
}

impl Drop for TraceSpan {
    fn drop(&mut self) {
        let Some(open) = self.0.take() else { return };
        let OpenSpan { exporting, mut data } = *open;
        data.end_time = exporting.time(Instant::now());
        if data.span_context.is_valid() {
            exporting.processor.on_end(data);
        }
    }
}
