//! A request for a provider of another format, or with what only a provider of another format may see: read into the inner
//! language once, written for each candidate.

use std::sync::Arc;

use super::ask::At;
use super::catalog::Speaker;
use super::exchange::{self, Ask, Encoded, FunctionNames, Target};
use super::failed::CandidateFailed;
use super::inbound::Inbound;
use super::inbound::members::{Place, Verdict};

/// A client's request in the inner language, read when the first candidate needs it.
#[derive(Debug)]
pub struct Conversion<'a> {
    inbound: &'a Inbound,
    /// The request, and what had been taken out of it.
    ask: Option<(Ask, Vec<Place>)>,
    /// What the functions stand for that the last candidate was sent.
    functions: Arc<FunctionNames>,
    /// Whether the request holds a signature that no provider may see as it stands, once that was asked.
    foreign: Option<bool>,
}

impl<'a> Conversion<'a> {
    /// Of a request; nothing is read yet.
    #[must_use]
    pub fn new(inbound: &'a Inbound) -> Self {
        Self { inbound, ask: None, functions: Arc::default(), foreign: None }
    }

    /// The body for a candidate that speaks any format, and what it does not carry.
    ///
    /// # Errors
    /// When the request is not what its format says, or asks for what the candidate's format has no word for.
    pub fn body(&mut self, at: At<'_>) -> Result<Encoded, CandidateFailed> {
        let offer = at.offer;
        let Speaker { candidate, format: to } = at.candidate.speaker(self.inbound.format)?;
        // A bound of the client's own that has to be cut reaches into settings that depend on it.
        let cut = self.inbound.is_cut_in_depth(offer.output_bound);
        if to == self.inbound.format && !cut && !self.holds_foreign() {
            let body = self.inbound.body(candidate, offer.output_bound, &offer.verdict.dropped);
            return Ok(Encoded { body, dropped: told(&offer.verdict, self.inbound.dropped()) });
        }
        let target = Target {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: offer.model.max_output_tokens,
            output_bought: offer.output_bound,
            older_bound_name: candidate.upstream.output_bound_field().is_older(),
        };
        let ask = self.ask(&offer.verdict.dropped)?;
        let (encoded, functions) = match exchange::lowered(ask, to)? {
            Some((ask, functions)) => (exchange::write_ask(to, &ask, &target)?, functions),
            None => (exchange::write_ask(to, ask, &target)?, FunctionNames::default()),
        };
        self.functions = Arc::new(functions);
        Ok(Encoded { dropped: told(&offer.verdict, encoded.dropped), ..encoded })
    }

    /// What the functions stand for that the last candidate was sent.
    #[must_use]
    pub fn functions(&self) -> Arc<FunctionNames> {
        Arc::clone(&self.functions)
    }

    fn holds_foreign(&mut self) -> bool {
        let bytes = &self.inbound.bytes;
        *self.foreign.get_or_insert_with(|| exchange::has_foreign_signature(bytes))
    }

    fn ask(&mut self, without: &[Place]) -> Result<&Ask, CandidateFailed> {
        let Self { inbound, ask, .. } = self;
        if ask.as_ref().is_none_or(|(_, taken_out)| taken_out != without) {
            let bytes = inbound.remaining(without);
            exchange::portable(inbound.format, &bytes)?;
            let read = exchange::read_ask(inbound.format, &bytes, &inbound.model, inbound.stream)?;
            *ask = Some((read, without.to_vec()));
        }
        Ok(ask.as_ref().map(|(ask, _)| ask).expect("it was read just now"))
    }
}

/// What the client is told that the provider did not see: what the model does not offer, then the rest.
fn told(verdict: &Verdict, dropped: Vec<String>) -> Vec<String> {
    verdict.dropped.iter().map(ToString::to_string).chain(dropped).collect()
}
