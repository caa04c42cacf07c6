//! Which amounts an order may be for: the bounds of its rail, and the decimal places of the tokens that can pay it.

use crate::api::{UsdBounds, WrittenUsd};
use crate::base::Usd;

use super::super::Rail;
use super::X402;
use super::network::Network;
use super::sql::Wish;

/// Decimal places of money here; a token may have more.
pub(super) const PLACES_MAX: u32 = 9;

/// The amounts that are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) bounds: UsdBounds,
    /// Decimal places of the most precise token.
    pub(super) places: u32,
}

/// An amount is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AmountRefused {
    /// Those that are.
    pub(super) taken: Amounts,
    /// The nearest of them.
    pub(super) nearest: Usd,
}

impl Amounts {
    /// The amount that was written, where it is taken to the last digit.
    pub(super) fn take(self, written: &WrittenUsd) -> Result<Usd, AmountRefused> {
        let taken =
            |amount: &Usd| *amount > Usd::ZERO && self.bounds.allow(*amount) && amount.nanos() % self.step() == 0;
        written.exact().filter(taken).ok_or_else(|| self.refuse(written))
    }

    /// The refusal of an amount.
    pub(super) fn refuse(self, written: &WrittenUsd) -> AmountRefused {
        let step = self.step();
        let least = self.bounds.min.unwrap_or(Usd::ZERO).nanos().max(1);
        let least = least.saturating_add(step - 1) / step * step;
        let most = self.bounds.max.unwrap_or(Usd::MAX).nanos() / step * step;
        let nearest = written.nearest(self.places).nanos().max(least).min(most);
        AmountRefused { taken: self, nearest: Usd::from_nanos(nearest) }
    }

    /// The least difference between two of them, in nano-USD.
    fn step(self) -> i64 {
        10_i64.pow(PLACES_MAX.saturating_sub(self.places))
    }
}

impl X402 {
    /// The amounts that tokens which were asked for can hold, within the bounds of the rail and of the chain that takes the least.
    pub(super) fn amounts(&self, rail: Rail, wish: &Wish, networks: &[&Network]) -> Amounts {
        let config = self.topups().config();
        let bounds = config.bounds(rail);
        let least = networks.iter().map(|network| config.bounds_on(rail, &network.config).min).min().flatten();
        let decimals = |network: &&Network| network.config.decimals(|symbol| wish.allows(&network.id, symbol));
        let places = networks.iter().filter_map(decimals).max().map_or(PLACES_MAX, u32::from);
        Amounts { bounds: UsdBounds { min: least.or(bounds.min), ..bounds }, places: places.min(PLACES_MAX) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(text: &str) -> Usd {
        text.parse().unwrap()
    }

    fn written(text: &str) -> WrittenUsd {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_nearest_amount_that_is_taken_is_named() {
        let bounds = UsdBounds { min: Some(usd("1.0000005")), max: Some(usd("1000")) };
        let amounts = Amounts { bounds, places: 6 };
        for (text, nearest) in [
            ("12.340000000000002", "12.34"),
            ("2.9999999999999996", "3"),
            ("5.0000001", "5"),
            ("5e0", "5"),
            // The least is no amount of the token itself.
            ("1.0000005", "1.000001"),
            ("0.1", "1.000001"),
            ("-5", "1.000001"),
            ("-1e400", "1.000001"),
            ("1000.0000001", "1000"),
            ("1e400", "1000"),
        ] {
            let refused = amounts.take(&written(text)).unwrap_err();
            assert_eq!((refused.nearest, refused.taken), (usd(nearest), amounts), "{text}");
            assert_eq!(amounts.take(&refused.nearest.into()), Ok(usd(nearest)), "what is named is taken");
        }
        for text in ["12.34", "12.340000000000000", "1.000001", "1000"] {
            assert_eq!(amounts.take(&written(text)), Ok(usd(text)), "{text}");
        }
    }

    #[test]
    fn without_bounds_and_with_a_precise_token_any_amount_of_money_is_taken() {
        let amounts = Amounts { bounds: UsdBounds { min: None, max: None }, places: PLACES_MAX };
        assert_eq!(amounts.take(&written("0.000000001")), Ok(Usd::from_nanos(1)));
        assert_eq!(amounts.take(&written("0")).unwrap_err().nearest, Usd::from_nanos(1));
        assert_eq!(amounts.take(&written("1e400")).unwrap_err().nearest, Usd::MAX);
    }
}
