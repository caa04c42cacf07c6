//! The prices of a model: by the length of the prompt, by the class of service, and for uses of tools.

use std::sync::Arc;

use super::{
    BilledUsage, MediaKinds, PriceCeiling, PriceError, ServiceCharges, ServiceClass, ServicePrices, TokenPrices,
    ToolUseCharge,
};
use tollgate_base::{MoneyError, PriceRatio, Usd};

/// The prices of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tariff {
    /// Its prices where no tier applies.
    pub base: TokenPrices,
    /// The prices in its place for long prompts, the shortest first.
    pub tiers: Vec<PriceTier>,
    /// The prices beside those of tokens.
    pub services: Arc<ServicePrices>,
}

/// Prices of a whole request whose prompt is longer than so much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceTier {
    /// Tokens of the prompt, those that came from a cache and those that went into one included.
    pub above: u64,
    /// The prices.
    pub price: TokenPrices,
}

/// The cost of usage, and the prices that it came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageCharge {
    /// All of it, rounded up once.
    pub cost: Usd,
    /// The tier that it came to by its own prompt, if any.
    pub tier: Option<PriceTier>,
    /// The class of service and the tools.
    pub services: ServiceCharges,
}

impl Tariff {
    /// The cost of usage in these classes of service, with these uses of tools. Whoever asks has looked the classes up in
    /// [`ServicePrices::classes`]; those that are not there multiply by one.
    ///
    /// # Errors
    /// As [`TokenPrices::charge`].
    pub fn charge(
        &self,
        usage: &BilledUsage,
        classes: &[String],
        uses: Vec<ToolUseCharge>,
    ) -> Result<UsageCharge, PriceError> {
        let tier = self.tiers.iter().rev().find(|tier| usage.prompt > tier.above);
        let price = tier.map_or(&self.base, |tier| &tier.price);
        let class = match classes {
            [] => None,
            classes => Some(ServiceClass { name: classes.join(", "), price: self.multiplied(price, classes)? }),
        };
        let price = class.as_ref().map_or(price, |class| &class.price);
        let cost = price.charge(usage, &uses)?;
        Ok(UsageCharge { cost, tier: tier.cloned(), services: ServiceCharges { class, uses } })
    }

    /// The dearest prices of a request of these kinds whose prompt is no longer than `prompt_bound`, in these classes of service
    /// or in the base one: of every tier that it can come to, and of those below, because it may turn out shorter.
    ///
    /// # Errors
    /// When a price does not fit.
    pub fn ceiling(
        &self,
        prompt_bound: u64,
        kinds: MediaKinds,
        classes: &[String],
    ) -> Result<PriceCeiling, MoneyError> {
        let within = self.tiers.iter().filter(|tier| prompt_bound > tier.above).map(|tier| &tier.price);
        let mut most = self.base.ceiling(kinds);
        for price in std::iter::once(&self.base).chain(within) {
            most = most.max(price.ceiling(kinds));
            if !classes.is_empty() {
                most = most.max(self.multiplied(price, classes)?.ceiling(kinds));
            }
        }
        Ok(most)
    }

    fn multiplied(&self, price: &TokenPrices, classes: &[String]) -> Result<TokenPrices, MoneyError> {
        let known = classes.iter().filter_map(|class| self.services.classes.get(class));
        known.copied().try_fold(price.clone(), |price, ratio| price.times(ratio))
    }

    /// The tariff of an account that pays `ratio` of it; nothing is copied where it has that ratio.
    #[must_use]
    pub fn shared_at(self: Arc<Self>, ratio: PriceRatio) -> Arc<Self> {
        if self.base.ratio == ratio { self } else { Arc::new(self.at(ratio)) }
    }

    /// A copy of the tariff with `ratio`.
    #[must_use]
    pub fn at(&self, ratio: PriceRatio) -> Self {
        let mut tariff = self.clone();
        tariff.base.ratio = ratio;
        tariff.tiers.iter_mut().for_each(|tier| tier.price.ratio = ratio);
        tariff
    }
}

impl From<TokenPrices> for Tariff {
    fn from(base: TokenPrices) -> Self {
        Self { base, tiers: Vec::new(), services: Arc::default() }
    }
}
