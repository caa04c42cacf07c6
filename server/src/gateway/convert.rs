//! A request for a provider of another format: read into the inner language once, written for each candidate.

use super::catalog::{Candidate, Model};
use super::exchange::{self, Ask, Encoded, Target};
use super::failed::CandidateFailed;
use super::inbound::Inbound;

/// A client's request in the inner language, read when the first candidate needs it.
#[derive(Debug)]
pub struct Conversion<'a> {
    inbound: &'a Inbound,
    ask: Option<Ask>,
}

impl<'a> Conversion<'a> {
    /// Of a request; nothing is read yet.
    #[must_use]
    pub const fn new(inbound: &'a Inbound) -> Self {
        Self { inbound, ask: None }
    }

    /// The body for a candidate of any format, and what it does not carry.
    ///
    /// # Errors
    /// When the request is not what its format says, or asks for what the candidate's format has no word for.
    pub fn body(
        &mut self,
        candidate: &Candidate,
        model: &Model,
        output_bound: Option<u64>,
    ) -> Result<Encoded, CandidateFailed> {
        let to = candidate.upstream.speaks(self.inbound.format);
        if to == self.inbound.format {
            return Ok(Encoded { body: self.inbound.body(candidate, output_bound), dropped: Vec::new() });
        }
        let target = Target {
            upstream: candidate.upstream.name(),
            model: &candidate.model,
            output_max: model.max_output_tokens,
            output_bought: output_bound,
            older_bound_name: candidate.upstream.output_bound_field().is_older(),
        };
        Ok(exchange::write_ask(to, self.ask()?, &target)?)
    }

    fn ask(&mut self) -> Result<&Ask, CandidateFailed> {
        let Self { inbound, ask } = self;
        match ask {
            Some(ask) => Ok(ask),
            None => {
                exchange::portable(inbound.format, &inbound.bytes)?;
                Ok(ask.insert(exchange::read_ask(inbound.format, &inbound.bytes, &inbound.model, inbound.stream)?))
            }
        }
    }
}
