//! The rails that are on, and how much can be paid on them: the object that enforces the bounds is the one that shows them.

use tollgate_api::UsdBounds;
use tollgate_api::generated::limits::Live;
use tollgate_api::generated::types::X402Network;
use tollgate_base::Usd;

use super::x402::{ChainConfig, ChainsConfig};
use super::{PaymentRail, ewallet};

/// The configuration of all rails.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// A person signs in a wallet.
    pub crypto: RailConfig,
    /// An agent signs by program.
    pub x402: RailConfig,
    /// Hosted checkout.
    pub ewallet: RailConfig,
    /// Chains on which `crypto` and `x402` are paid.
    pub chains: ChainsConfig,
    /// The payment provider of `ewallet`.
    pub checkout: Option<ewallet::Config>,
}

/// The configuration of one rail. The default is off, with the bounds of the spec.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RailConfig {
    /// True if orders can be made on it.
    pub enabled: bool,
    /// A lower bound in place of the spec's.
    pub min: Option<Usd>,
    /// An upper bound in place of the spec's.
    pub max: Option<Usd>,
}

impl Config {
    /// The bounds of one order on the rail, both ends included; no end means no bound.
    #[must_use]
    pub fn bounds(&self, rail: PaymentRail) -> UsdBounds {
        let live = Live::default();
        let usual = match rail {
            PaymentRail::Crypto => live.topup_usd_crypto,
            PaymentRail::X402 => live.topup_usd_x402,
            PaymentRail::Ewallet => live.topup_usd_ewallet,
        };
        let own = self.rail(rail);
        let bounds = UsdBounds { min: own.min.or(usual.min), max: own.max.or(usual.max) };
        // A rail takes what the chain takes that takes the least.
        let least = self.chains.chains.iter().filter(|_| rail.is_on_chain()).map(|chain| chain.min).min().flatten();
        UsdBounds { min: bounds.min.max(least), ..bounds }
    }

    /// The bounds of one order on the rail that is paid on this chain.
    #[must_use]
    pub fn bounds_on(&self, rail: PaymentRail, chain: &ChainConfig) -> UsdBounds {
        let bounds = self.bounds(rail);
        UsdBounds { min: bounds.min.max(chain.min), ..bounds }
    }

    /// The chains on which a rail is paid, in the words of the spec.
    #[must_use]
    pub fn networks(&self, rail: PaymentRail) -> Vec<X402Network> {
        let shown = |chain: &ChainConfig| X402Network {
            network: chain.id(),
            pay_to: chain.pay_to(),
            symbols: chain.symbols(),
            min_usd: self.bounds_on(rail, chain).min.unwrap_or(Usd::ZERO),
        };
        self.chains.chains.iter().map(shown).collect()
    }

    /// True if orders can be made on a rail.
    #[must_use]
    pub const fn is_on(&self, rail: PaymentRail) -> bool {
        match rail {
            PaymentRail::Crypto | PaymentRail::X402 => self.rail(rail).enabled,
            PaymentRail::Ewallet => self.ewallet.enabled && self.checkout.is_some(),
        }
    }

    /// True if orders can be made that are paid on chains.
    #[must_use]
    pub fn uses_chains(&self) -> bool {
        PaymentRail::ALL.into_iter().any(|rail| rail.is_on_chain() && self.is_on(rail))
    }

    /// The configuration of one rail.
    #[must_use]
    pub const fn rail(&self, rail: PaymentRail) -> RailConfig {
        match rail {
            PaymentRail::Crypto => self.crypto,
            PaymentRail::X402 => self.x402,
            PaymentRail::Ewallet => self.ewallet,
        }
    }
}
