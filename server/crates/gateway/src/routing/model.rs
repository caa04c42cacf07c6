//! A model on offer with its candidates.

use std::sync::Arc;

use tokio::time::Instant;

use crate::config::VideoTerms;
use crate::metering::{in_one_folder, is_variant};
use crate::streaming::closed_thinking::ClosedThinking;
use crate::upstream::{ServiceUris, UpstreamClient};
use tollgate_base::PicoUsd;
use tollgate_credit::{MediaTokens, Tariff, TokenPrices};
use tollgate_formats::{Format, ModelCapabilities, Unsupported};

use super::breaker::{BreakerPermit, CandidateHealth};

/// One model on offer.
#[derive(Debug)]
pub struct CatalogModel {
    /// The name that clients ask for.
    pub id: String,
    /// The pattern that it is on offer by, where it is by one.
    pub pattern: Option<String>,
    /// The name for people.
    pub display_name: String,
    /// The owner that lists of models name.
    pub owned_by: String,
    /// Unix seconds.
    pub created: i64,
    /// Tokens of prompt and output together.
    pub context_tokens: u64,
    /// The longest output of one choice, in tokens.
    pub max_output_tokens: u64,
    /// Its capabilities, from the configuration or a price list.
    pub capabilities: ModelCapabilities,
    /// True if providers that cache only on request are asked to cache.
    ///
    /// That is so where writing to a cache has a price, and reading from one costs less than other input.
    pub asks_for_cache: bool,
    /// Its prices.
    pub tariff: Arc<Tariff>,
    /// What its provider asks for a unit of usage; `None` where it is not known.
    pub cost: Option<TokenPrices>,
    /// The most uses of a tool in one request, where the client sets no bound.
    pub tool_uses_max: u64,
    /// The price of a generated picture, where each has one.
    pub image_price: Option<PicoUsd>,
    /// The terms of its videos; `None` where it makes none.
    pub video: Option<VideoTerms>,
    /// True for the kinds of sound and picture tokens that have prices of their own; others cost what text costs.
    pub media_prices: MediaTokens<bool>,
    /// Its candidates, in order; never empty.
    pub candidates: Vec<Candidate>,
    /// Names of the models that take its place when all of these fail, in order.
    pub fallback: Vec<String>,
}

/// An upstream with its name of a model.
#[derive(Debug)]
pub struct Candidate {
    /// The provider.
    pub upstream: Arc<UpstreamClient>,
    /// The model's name there.
    pub model: String,
    /// The URIs of its services.
    pub services: ServiceUris,
    /// The name in its answers, where that is no version of the name that it is asked by.
    pub answers_as: Option<String>,
    /// The lower the earlier it is asked.
    pub priority: u32,
    /// Its share among candidates of the same priority.
    pub weight: u32,
    /// Its breaker and usual latency.
    pub health: Arc<CandidateHealth>,
    /// True if it is sent no new requests.
    pub draining: bool,
    /// Its record of refusals of closed thinking.
    pub closed_thinking: Arc<ClosedThinking>,
}

/// A candidate that answers chat requests, with the format that it is asked in.
#[derive(Debug, Clone, Copy)]
pub struct FormatCandidate<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// The client's own format where the provider takes it.
    pub format: Format,
}

impl CatalogModel {
    /// True if it sells pictures or videos and its text costs nothing: a conversation with it would be free.
    #[must_use]
    pub fn sells_no_words(&self) -> bool {
        let media = self.image_price.is_some() || self.video.is_some();
        media && (self.tariff.base.prompt, self.tariff.base.completion) == (PicoUsd::ZERO, PicoUsd::ZERO)
    }

    /// True if answers of `upstream` that name the model `theirs` are this model's.
    pub(super) fn answers_as(&self, upstream: &str, theirs: &str) -> bool {
        let is = |own: &String| is_variant(own, theirs) && in_one_folder(own, theirs);
        let there = self.candidates.iter().filter(|candidate| candidate.upstream.name() == upstream);
        there.flat_map(|candidate| std::iter::once(&candidate.model).chain(&candidate.answers_as)).any(is)
    }
}

impl Candidate {
    /// A permit to send a request now; `None` while its provider drains, rests, or has its breaker open.
    pub fn try_acquire(&self, now: Instant) -> Option<BreakerPermit<'_>> {
        if self.draining { None } else { self.health.try_acquire(now) }
    }

    /// The candidate with the format that it is asked in for a client of the format `client`.
    ///
    /// # Errors
    /// When its provider does something else.
    pub fn speaker(&self, client: Format) -> Result<FormatCandidate<'_>, Unsupported> {
        let format = self.upstream.turn_format(client).ok_or_else(|| Unsupported {
            at: "model".to_owned(),
            reason: "its provider answers no chat requests".to_owned(),
        })?;
        Ok(FormatCandidate { candidate: self, format })
    }
}
