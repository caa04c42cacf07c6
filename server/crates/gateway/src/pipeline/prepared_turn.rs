//! A turn that was read and held for, before its first candidate is tried.

use http::HeaderMap;

use crate::inbound::InboundRequest;
use crate::routing::model_offer::ModelOffer;

use super::answer_progress::AnswerProgress;
use super::metered_stream::StreamErrorRenderer;
use super::session::SessionHash;

/// A request that was read and held for.
#[derive(Debug)]
pub struct PreparedTurn {
    /// The client's request.
    pub inbound: InboundRequest,
    /// The client's headers that some provider may be shown.
    pub headers: HeaderMap,
    /// The base of the answer's ids, where we have to make them.
    pub answer_id: String,
    /// The models that may answer.
    pub offers: Vec<ModelOffer>,
    /// Makes the error of a stream that broke.
    pub fault_event: StreamErrorRenderer,
    /// The session that it belongs to, where there is a choice of candidates.
    pub session: Option<SessionHash>,
    /// The progress of the answer.
    pub opening: AnswerProgress,
}
