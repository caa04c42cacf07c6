//! A request for a provider of another format, or with what only a provider of another format may see: read into the inner
//! language once, written for each candidate.

use super::ask::At;
use super::catalog::Speaker;
use super::exchange::{self, Ask, Encoded, Target};
use super::failed::CandidateFailed;
use super::inbound::Inbound;

/// A client's request in the inner language, read when the first candidate needs it.
#[derive(Debug)]
pub struct Conversion<'a> {
    inbound: &'a Inbound,
    ask: Option<Ask>,
    /// Whether the request holds a signature that no provider may see as it stands, once that was asked.
    foreign: Option<bool>,
}

impl<'a> Conversion<'a> {
    /// Of a request; nothing is read yet.
    #[must_use]
    pub const fn new(inbound: &'a Inbound) -> Self {
        Self { inbound, ask: None, foreign: None }
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
            let body = self.inbound.body(candidate, offer.output_bound);
            return Ok(Encoded { body, dropped: self.inbound.dropped() });
        }
        let target = Target {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: offer.model.max_output_tokens,
            output_bought: offer.output_bound,
            older_bound_name: candidate.upstream.output_bound_field().is_older(),
        };
        Ok(exchange::write_ask(to, self.ask()?, &target)?)
    }

    fn holds_foreign(&mut self) -> bool {
        let bytes = &self.inbound.bytes;
        *self.foreign.get_or_insert_with(|| exchange::has_foreign_signature(bytes))
    }

    fn ask(&mut self) -> Result<&Ask, CandidateFailed> {
        let Self { inbound, ask, foreign: _ } = self;
        match ask {
            Some(ask) => Ok(ask),
            None => {
                exchange::portable(inbound.format, &inbound.bytes)?;
                Ok(ask.insert(exchange::read_ask(inbound.format, &inbound.bytes, &inbound.model, inbound.stream)?))
            }
        }
    }
}
