//! The prices of a model by the length of the prompt.

use std::sync::Arc;

use super::{Ceiling, Kinds, Price, PriceError, Usage};
use crate::base::{Ratio, Usd};

/// What a model costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff {
    /// Its prices where no tier applies.
    pub base: Price,
    /// What takes their place for long prompts, the shortest first.
    pub tiers: Vec<Tier>,
}

/// Prices of a whole request whose prompt is longer than so much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tier {
    /// Tokens of the prompt, those that came from a cache and those that went into one included.
    pub above: u64,
    /// The prices.
    pub price: Price,
}

impl Tariff {
    /// What usage costs, and the tier whose prices that was charged at, if it came to one: by its own prompt, all of it.
    ///
    /// # Errors
    /// As [`Price::charge`].
    pub fn charge(&self, usage: &Usage) -> Result<(Usd, Option<&Tier>), PriceError> {
        let tier = self.tiers.iter().rev().find(|tier| usage.prompt > tier.above);
        let price = tier.map_or(&self.base, |tier| &tier.price);
        Ok((price.charge(usage)?, tier))
    }

    /// The dearest prices of a request of these kinds whose prompt is no longer than `prompt_bound`: of every tier that it can
    /// come to, and of those below, because it may turn out shorter.
    #[must_use]
    pub fn ceiling(&self, prompt_bound: u64, kinds: Kinds) -> Ceiling {
        let within = self.tiers.iter().filter(|tier| prompt_bound > tier.above);
        within.fold(self.base.ceiling(kinds), |most, tier| most.max(tier.price.ceiling(kinds)))
    }

    /// The same of an account that pays `ratio` of it; nothing is copied where that is all.
    #[must_use]
    pub fn shared_at(self: Arc<Self>, ratio: Ratio) -> Arc<Self> {
        if self.base.ratio == ratio { self } else { Arc::new(self.at(ratio)) }
    }

    /// The same, as a copy.
    #[must_use]
    pub fn at(&self, ratio: Ratio) -> Self {
        let mut tariff = self.clone();
        tariff.base.ratio = ratio;
        tariff.tiers.iter_mut().for_each(|tier| tier.price.ratio = ratio);
        tariff
    }
}

impl From<Price> for Tariff {
    fn from(base: Price) -> Self {
        Self { base, tiers: Vec::new() }
    }
}
