//! The amounts that an order that is paid on chains may be for: the bounds of its rail, and the decimal places of the tokens that
//! can pay it.

use crate::orders::amount::{AcceptedAmounts, PLACES_MAX};
use tollgate_api::UsdBounds;

use super::super::PaymentRail;
use super::X402Payments;
use super::network::PaymentNetwork;
use super::sql::AssetFilter;

impl X402Payments {
    /// The amounts that the wanted tokens can hold, within the bounds of the rail. The minimum is the smallest one of the chains.
    pub(super) fn amounts(
        &self,
        rail: PaymentRail,
        wish: &AssetFilter,
        networks: &[&PaymentNetwork],
    ) -> AcceptedAmounts {
        let config = self.topups().config();
        let bounds = config.bounds(rail);
        let least = networks.iter().map(|network| config.bounds_on(rail, &network.config).min).min().flatten();
        let decimals = |network: &&PaymentNetwork| network.config.decimals(|symbol| wish.allows(&network.id, symbol));
        let places = networks.iter().filter_map(decimals).max().map_or(PLACES_MAX, u32::from);
        AcceptedAmounts { bounds: UsdBounds { min: least.or(bounds.min), ..bounds }, places: places.min(PLACES_MAX) }
    }
}
