//! One turn of a conversation as a [`Question`]: in the client's own bytes where a candidate speaks its format, converted
//! where it does not.

use http::HeaderMap;
use tokio::time::Instant;

use crate::base::RequestId;

use super::Gateway;
use super::ask::{At, Given, Outbound, Question, Sent};
use super::begin::{Beginning, Begun};
use super::closed_thinking;
use super::config::Kind;
use super::convert::Conversion;
use super::exchange::Format;
use super::failed::CandidateFailed;
use super::inbound::Inbound;
use super::inbound::members::AskedServices;
use super::offer::Offer;
use super::opening::{Opening, Told};
use super::session::Session;
use super::stream::FaultEvent;
use super::tab::Tab;
use super::upstream::{Action, Answer, upstream};

/// A request that was read and held for.
#[derive(Debug)]
pub struct Prepared {
    /// The client's request.
    pub inbound: Inbound,
    /// The client's headers that some provider may be shown.
    pub headers: HeaderMap,
    /// The base of the answer's ids, where we have to make them.
    pub answer_id: String,
    /// The models that may answer.
    pub offers: Vec<Offer>,
    /// Makes the error of a stream that broke.
    pub fault_event: FaultEvent,
    /// The session that it belongs to, where there is a choice of candidates.
    pub session: Option<Session>,
    /// The progress of the answer.
    pub opening: Opening,
}

/// A request on its way to one candidate after the other.
#[derive(Debug)]
pub struct Turn<'a> {
    gateway: &'a Gateway,
    prepared: &'a Prepared,
    conversion: Conversion<'a>,
    /// The services beside tokens that the next provider is asked for.
    services: AskedServices,
    tab: &'a mut Tab,
}

impl<'a> Turn<'a> {
    /// A turn that `tab` pays for.
    #[must_use]
    pub fn new(gateway: &'a Gateway, prepared: &'a Prepared, tab: &'a mut Tab) -> Self {
        Self {
            gateway,
            prepared,
            conversion: Conversion::new(&prepared.inbound),
            services: AskedServices::default(),
            tab,
        }
    }
}

impl Question for Turn<'_> {
    type Given = Begun;

    fn request_id(&self) -> RequestId {
        self.tab.request_id
    }

    fn session(&self) -> Option<Session> {
        self.prepared.session
    }

    fn suits(&self, at: At<'_>) -> bool {
        !at.offer.admission.unknown || at.candidate.upstream.forwards_unknown()
    }

    fn outbound(&mut self, at: At<'_>) -> Result<Outbound, CandidateFailed> {
        let encoded = self.conversion.body(at)?;
        if !self.prepared.opening.asks(&Told::of(at.offer, encoded.dropped.clone())) {
            return Err(CandidateFailed::Unfit);
        }
        let Prepared { inbound, headers, .. } = self.prepared;
        let stream = inbound.stream;
        let format = at.candidate.speaker(inbound.format)?.format;
        let services = &at.offer.admission.services;
        self.services = match format == inbound.format {
            true => services.clone(),
            false => services.converted(&encoded.dropped),
        };
        let action = if format == Format::Completions { Action::Complete } else { Action::Turn { stream } };
        Ok(Outbound {
            action,
            headers: upstream(headers, inbound.format, Kind::Speaks(format)),
            body: encoded.body,
            dropped: encoded.dropped,
            begins_within: stream.then_some(self.gateway.patience.first_event),
        })
    }

    fn sent(&mut self, at: At<'_>) {
        self.tab.sent_to(at);
        self.tab.asked(std::mem::take(&mut self.services));
    }

    fn relents(&mut self, _: At<'_>, given: &Begun) -> bool {
        let asked_for = self.prepared.inbound.hides_closed_thinking();
        let relents = asked_for && given.refusal().is_some_and(|refusal| closed_thinking::blames_question(&refusal));
        self.conversion.closed_thinking = !relents;
        relents
    }

    fn relented(&mut self, at: At<'_>, answered: bool) {
        self.conversion.closed_thinking = true;
        if answered {
            at.candidate.closed_thinking.refused();
        }
    }

    async fn read(&mut self, answer: Answer, at: At<'_>, sent: Sent) -> Result<Begun, CandidateFailed> {
        self.gateway.begin(answer, self.prepared, at, sent.dropped, self.conversion.edits()).await
    }
}

impl Given for Begun {
    fn first_read(&self) -> Option<Instant> {
        match &self.beginning {
            Beginning::Whole { first_read, .. } => *first_read,
            Beginning::Stream { body, .. } => body.first_read(),
            Beginning::Refusal(_) => None,
        }
    }

    fn is_refusal(&self) -> bool {
        matches!(self.beginning, Beginning::Refusal(_))
    }
}
