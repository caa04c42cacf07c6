//! The amounts that an order that is paid on chains may be for: the bounds of its rail, and the decimal places of the tokens that
//! can pay it.

use crate::api::UsdBounds;

use super::super::Rail;
use super::super::amount::{Amounts, PLACES_MAX};
use super::X402;
use super::network::Network;
use super::sql::Wish;

impl X402 {
    /// The amounts that the wanted tokens can hold, within the bounds of the rail. The minimum is the smallest one of the chains.
    pub(super) fn amounts(&self, rail: Rail, wish: &Wish, networks: &[&Network]) -> Amounts {
        let config = self.topups().config();
        let bounds = config.bounds(rail);
        let least = networks.iter().map(|network| config.bounds_on(rail, &network.config).min).min().flatten();
        let decimals = |network: &&Network| network.config.decimals(|symbol| wish.allows(&network.id, symbol));
        let places = networks.iter().filter_map(decimals).max().map_or(PLACES_MAX, u32::from);
        Amounts { bounds: UsdBounds { min: least.or(bounds.min), ..bounds }, places: places.min(PLACES_MAX) }
    }
}
