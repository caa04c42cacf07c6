//! Charges of a provider beside tokens: uses of the tools that it runs, and classes of service.

use std::collections::BTreeMap;

use super::{TokenPrices, ToolUseCharge};
use tollgate_base::{PicoUsd, PriceRatio};

/// The prices of a model beside those of tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServicePrices {
    /// The price of one use of a tool, by the tool's name in `spec/requests`. A tool that is not here is not offered.
    pub tools: BTreeMap<String, PicoUsd>,
    /// The multiplier of the prices of tokens, by the class of service: `service_tier: flex`. A class that is not here is not
    /// offered.
    pub classes: BTreeMap<String, PriceRatio>,
}

impl ServicePrices {
    /// These, and of `others` what is not among them.
    #[must_use]
    pub fn or(&self, others: &Self) -> Self {
        let mut prices = others.clone();
        prices.tools.extend(self.tools.iter().map(|(tool, price)| (tool.clone(), *price)));
        prices.classes.extend(self.classes.iter().map(|(class, ratio)| (class.clone(), *ratio)));
        prices
    }
}

/// The charges of a request beside tokens at their usual prices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServiceCharges {
    /// The class of service, where it is not the base one.
    pub class: Option<ServiceClass>,
    /// Uses of tools, each tool once, by name.
    pub uses: Vec<ToolUseCharge>,
}

/// A class of service that a request was answered in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceClass {
    /// Its name: `service_tier: flex`; several are joined by commas.
    pub name: String,
    /// The prices in it, in the place of all others.
    pub price: TokenPrices,
}

impl ServiceCharges {
    /// Itself in a box, or nothing where it is empty: few requests use any, and all endings are moved.
    pub(super) fn boxed(self) -> Option<Box<Self>> {
        (self.class.is_some() || !self.uses.is_empty()).then(|| Box::new(self))
    }
}
