//! Requests as each candidate is sent them: the client's own bytes in its own format, or else read into the inner language
//! once and written for each candidate. A signature that no provider may see as it stands, or a bound that has to be cut in
//! depth, is a reason to convert within one format too.

use std::sync::Arc;

use bytes::Bytes;

use crate::inbound::InboundRequest;
use crate::members::{self, FindingKind, MemberClasses, RequestAdmission, StoredItems};
use crate::routing::candidate_error::CandidateError;
use crate::routing::model::FormatCandidate;
use crate::routing::model_offer::AttemptTarget;
use crate::routing::model_offer::ModelOffer;
use tollgate_api::generated::limits;
use tollgate_formats::{
    self, ChatRequest, ConversionTarget, EncodedRequest, Format, FunctionNames, MalformedRequest, ToolChoice,
    Unsupported,
};

/// The edits of an answer whose provider was sent other than the client's own request.
#[derive(Debug, Clone, Default)]
pub struct AnswerEdits {
    /// The tools that the functions in the request stand for.
    pub functions: Arc<FunctionNames>,
    /// The stop texts that the provider was not sent.
    pub stop: Arc<[String]>,
    /// True if the client asked the model to think.
    pub thinks: bool,
}

/// A client's request in the inner language, read when the first candidate needs it.
#[derive(Debug)]
pub struct RequestConversion<'a> {
    inbound: &'a InboundRequest,
    /// The request, as it was admitted.
    ask: Option<(ChatRequest, RequestAdmission)>,
    edits: AnswerEdits,
    /// True if the request holds a signature that no provider may see as it stands; `None` before the search.
    foreign: Option<bool>,
    /// True if closed thinking is asked for that the client did not ask for itself.
    pub closed_thinking: bool,
}

impl<'a> RequestConversion<'a> {
    /// A conversion of which nothing is read yet.
    #[must_use]
    pub fn new(inbound: &'a InboundRequest) -> Self {
        Self { inbound, ask: None, edits: AnswerEdits::default(), foreign: None, closed_thinking: true }
    }

    /// The body for a candidate of any format, with the places of the request that it does not carry.
    ///
    /// # Errors
    /// When the request is not what its format says, or asks for what the candidate's format has no word for.
    pub fn body(&mut self, at: AttemptTarget<'_>) -> Result<EncodedRequest, CandidateError> {
        let offer = at.offer;
        let FormatCandidate { candidate, format: to } = at.candidate.speaker(self.inbound.format)?;
        // A bound of the client's own that has to be cut reaches into settings that depend on it.
        let cut = self.inbound.is_cut_in_depth(offer.output_bound);
        if to == self.inbound.format && !cut && !self.holds_foreign() {
            self.edits = AnswerEdits::default();
            let closed_thinking = self.closed_thinking && candidate.closed_thinking.may_be_asked_for();
            let body = self.inbound.body(at, closed_thinking);
            return Ok(EncodedRequest {
                body,
                dropped: dropped_places(&offer.admission, self.inbound.format, self.inbound.dropped()),
            });
        }
        let target = ConversionTarget {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: offer.model.max_output_tokens,
            output_bought: offer.output_bound,
            older_bound_name: candidate.upstream.output_bound_field().is_older(),
            asks_for_cache: offer.model.asks_for_cache,
            capabilities: offer.model.capabilities,
        };
        let ask = self.ask(&offer.admission)?;
        let stop = tollgate_formats::stop_texts(ask, to)?;
        let thinks = ask.reasoning.as_ref().is_some_and(|reasoning| reasoning.value.wants_thinking());
        let (encoded, functions) = match tollgate_formats::lower_tools(ask, to)? {
            Some((ask, functions)) => (written(to, &ask, &target)?, functions),
            None => (written(to, ask, &target)?, FunctionNames::default()),
        };
        self.edits = AnswerEdits { functions: Arc::new(functions), stop, thinks };
        names_nothing_kept(&encoded.body, to)?;
        let encoded = EncodedRequest { body: with_bounds(encoded.body, to, offer)?, ..encoded };
        Ok(EncodedRequest {
            dropped: dropped_places(&offer.admission, self.inbound.format, encoded.dropped),
            ..encoded
        })
    }

    /// The edits of the last candidate's answer.
    #[must_use]
    pub fn edits(&self) -> AnswerEdits {
        self.edits.clone()
    }

    fn holds_foreign(&mut self) -> bool {
        let bytes = &self.inbound.bytes;
        *self.foreign.get_or_insert_with(|| tollgate_formats::has_foreign_signature(bytes))
    }

    fn ask(&mut self, admission: &RequestAdmission) -> Result<&ChatRequest, CandidateError> {
        let Self { inbound, ask, .. } = self;
        if ask.as_ref().is_none_or(|(_, admitted)| admitted != admission) {
            let bytes = inbound.remaining(admission);
            tollgate_formats::check_portable(inbound.format, &bytes)?;
            let read = tollgate_formats::decode_request(inbound.format, &bytes, &inbound.model, inbound.stream)?;
            *ask = Some((read, admission.clone()));
        }
        Ok(ask.as_ref().map(|(ask, _)| ask).expect("it was read just now"))
    }
}

/// Refuses a converted body that names a file which is kept at the provider.
///
/// A client of another format names files by addresses that its own format's lists take for any: the provider's own among
/// them would be everybody's.
fn names_nothing_kept(body: &[u8], to: Format) -> Result<(), CandidateError> {
    if to != Format::Generate || memchr::memmem::find(body, b"\"fileUri\"").is_none() {
        return Ok(());
    }
    let findings = members::scan_beside(to, body, &MemberClasses::default(), &StoredItems::default())?;
    match findings.iter().any(|finding| finding.asks == FindingKind::State) {
        true => {
            let (at, reason) = ("url".to_owned(), "the file is kept at the provider; send its bytes".to_owned());
            Err(Unsupported { at, reason }.into())
        }
        false => Ok(()),
    }
}

/// The body with the bounds of the tools that are sold, as the provider's format writes them.
///
/// The client's format may have no such bounds, or others. What is held for is the most that a tool may be used.
fn with_bounds(body: Bytes, to: Format, offer: &ModelOffer) -> Result<Bytes, MalformedRequest> {
    let services = &offer.admission.services;
    if services.tools.is_empty() {
        return Ok(body);
    }
    let findings = members::scan_beside(to, &body, &MemberClasses::default(), &StoredItems::default())?;
    Ok(members::with_bounds(&body, &services.bounds_in(to, &findings)))
}

/// The dropped places that the client is told of: first what the model does not offer, then the rest.
///
/// Bounds that we wrote into the request are left out, and so is `store` in format R, whose answers are kept here, whoever
/// gives them.
fn dropped_places(admission: &RequestAdmission, from: Format, dropped: Vec<String>) -> Vec<String> {
    let bounds = admission.services.bounds.iter().map(|bound| bound.place.member(bound.member).to_string());
    let ours: Vec<String> = bounds.chain((from == Format::Responses).then(|| "store".to_owned())).collect();
    let dropped = dropped.into_iter().filter(|place| !ours.contains(place));
    admission.dropped.iter().map(ToString::to_string).chain(dropped).collect()
}

/// The request in the format `to`. A converted one with more than `REQUEST_TOOLS` tools is refused.
fn written(to: Format, ask: &ChatRequest, target: &ConversionTarget<'_>) -> Result<EncodedRequest, CandidateError> {
    let most = limits::REQUEST_TOOLS as usize;
    let too_many = ask.tools.get(most).map(|tool| &tool.at).or_else(|| {
        let choice = ask.tool_choice.as_ref()?;
        matches!(&choice.value, ToolChoice::Among { names, .. } if names.len() > most).then_some(&choice.at)
    });
    if let Some(at) = too_many.filter(|_| ask.from != to) {
        let expected = format!("absent: a request for this model may declare {most} tools");
        return Err(MalformedRequest::new(at, &expected, "more").into());
    }
    Ok(tollgate_formats::encode_request(to, ask, target)?)
}
