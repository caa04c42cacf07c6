//! One turn of a conversation as a [`CandidateRequest`]: in the client's own bytes where a candidate speaks its format, converted
//! where it does not.

use tokio::time::Instant;

use crate::Gateway;
use crate::config::ProviderKind;
use crate::members::RequestedServices;
use crate::routing::candidate_error::CandidateError;
use crate::routing::model_offer::AttemptTarget;
use crate::streaming::closed_thinking;
use crate::upstream::{UpstreamAction, UpstreamAnswer, upstream};
use tollgate_base::RequestId;
use tollgate_formats::Format;

use super::answer_progress::AnswerTerms;
use super::attempts::{AttemptOutput, CandidateRequest, OutboundRequest, SentRequest};
use super::billing::BilledRequest;
use super::convert::RequestConversion;
use super::first_bytes::{ResponseStart, StartedResponse};
use super::prepared_turn::PreparedTurn;
use super::session::SessionHash;

/// A request on its way to one candidate after the other.
#[derive(Debug)]
pub struct ChatTurn<'a> {
    gateway: &'a Gateway,
    prepared: &'a PreparedTurn,
    conversion: RequestConversion<'a>,
    /// The services beside tokens that the next provider is asked for.
    services: RequestedServices,
    tab: &'a mut BilledRequest,
}

impl<'a> ChatTurn<'a> {
    /// A turn that `tab` pays for.
    #[must_use]
    pub fn new(gateway: &'a Gateway, prepared: &'a PreparedTurn, tab: &'a mut BilledRequest) -> Self {
        Self {
            gateway,
            prepared,
            conversion: RequestConversion::new(&prepared.inbound),
            services: RequestedServices::default(),
            tab,
        }
    }
}

impl CandidateRequest for ChatTurn<'_> {
    type CandidateAnswer = StartedResponse;

    fn request_id(&self) -> RequestId {
        self.tab.request_id
    }

    fn session(&self) -> Option<SessionHash> {
        self.prepared.session
    }

    fn suits(&self, at: AttemptTarget<'_>) -> bool {
        !at.offer.admission.unknown || at.candidate.upstream.forwards_unknown()
    }

    fn outbound(&mut self, at: AttemptTarget<'_>) -> Result<OutboundRequest, CandidateError> {
        let encoded = self.conversion.body(at)?;
        if !self.prepared.opening.asks(&AnswerTerms::of(at.offer, encoded.dropped.clone())) {
            return Err(CandidateError::Unfit);
        }
        let PreparedTurn { inbound, headers, .. } = self.prepared;
        let stream = inbound.stream;
        let format = at.candidate.speaker(inbound.format)?.format;
        let services = &at.offer.admission.services;
        self.services = match format == inbound.format {
            true => services.clone(),
            false => services.converted(&encoded.dropped),
        };
        let action =
            if format == Format::Completions { UpstreamAction::Complete } else { UpstreamAction::Turn { stream } };
        Ok(OutboundRequest {
            action,
            headers: upstream(headers, inbound.format, ProviderKind::Speaks(format)),
            body: encoded.body,
            dropped: encoded.dropped,
            begins_within: stream.then_some(self.gateway.patience.first_event),
        })
    }

    fn sent(&mut self, at: AttemptTarget<'_>) {
        self.tab.sent_to(at);
        self.tab.asked(std::mem::take(&mut self.services));
    }

    fn retries_with_less(&mut self, _: AttemptTarget<'_>, given: &StartedResponse) -> bool {
        let asked_for = self.prepared.inbound.hides_closed_thinking();
        let relents = asked_for && given.refusal().is_some_and(|refusal| closed_thinking::blames_question(&refusal));
        self.conversion.closed_thinking = !relents;
        relents
    }

    fn note_retry(&mut self, at: AttemptTarget<'_>, answered: bool) {
        self.conversion.closed_thinking = true;
        if answered {
            at.candidate.closed_thinking.refused();
        }
    }

    async fn read(
        &mut self,
        answer: UpstreamAnswer,
        at: AttemptTarget<'_>,
        sent: SentRequest,
    ) -> Result<StartedResponse, CandidateError> {
        self.gateway.start_response(answer, self.prepared, at, sent.dropped, self.conversion.edits()).await
    }
}

impl AttemptOutput for StartedResponse {
    fn first_read(&self) -> Option<Instant> {
        match &self.beginning {
            ResponseStart::Whole { first_read, .. } => *first_read,
            ResponseStart::Stream { body, .. } => body.first_read(),
            ResponseStart::Refusal(_) => None,
        }
    }

    fn is_refusal(&self) -> bool {
        matches!(self.beginning, ResponseStart::Refusal(_))
    }
}
