//! The amounts that an order may be for: bounds, and decimal places of the token or currency that pays it.

use tollgate_api::{UsdBounds, WrittenUsd};
use tollgate_base::Usd;

/// Decimal places of money here; a token may have more.
pub(crate) const PLACES_MAX: u32 = 9;

/// The amounts that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AcceptedAmounts {
    pub(crate) bounds: UsdBounds,
    /// Decimal places of the most precise token that can pay, or of the cents of a payment provider.
    pub(crate) places: u32,
}

/// An amount that is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AmountRefused {
    /// The amounts that are accepted.
    pub(crate) taken: AcceptedAmounts,
    /// The accepted amount that is nearest to the one asked for.
    pub(crate) nearest: Usd,
}

impl AcceptedAmounts {
    /// The amount that was written, where it is accepted to the last digit.
    pub(crate) fn take(self, written: &WrittenUsd) -> Result<Usd, AmountRefused> {
        let taken =
            |amount: &Usd| *amount > Usd::ZERO && self.bounds.allow(*amount) && amount.nanos() % self.step() == 0;
        written.exact().filter(taken).ok_or_else(|| self.refuse(written))
    }

    /// The refusal of an amount.
    pub(crate) fn refuse(self, written: &WrittenUsd) -> AmountRefused {
        let step = self.step();
        let least = self.bounds.min.unwrap_or(Usd::ZERO).nanos().max(1);
        let least = least.saturating_add(step - 1) / step * step;
        let most = self.bounds.max.unwrap_or(Usd::MAX).nanos() / step * step;
        let nearest = written.nearest(self.places).nanos().max(least).min(most);
        AmountRefused { taken: self, nearest: Usd::from_nanos(nearest) }
    }

    /// The accepted amounts as a phrase for error texts.
    pub(crate) fn allowed(self) -> String {
        let (UsdBounds { min, max }, places) = (self.bounds, self.places);
        let least = min.map_or_else(|| "above 0".to_owned(), |min| format!("at least {min}"));
        let most = max.map_or_else(String::new, |max| format!(" and at most {max}"));
        format!("{least}{most} USD, with at most {places} decimal places")
    }

    /// The least difference between two accepted amounts, in nano-USD.
    fn step(self) -> i64 {
        10_i64.pow(PLACES_MAX.saturating_sub(self.places))
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
        let amounts = AcceptedAmounts { bounds, places: 6 };
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
        let amounts = AcceptedAmounts { bounds: UsdBounds { min: None, max: None }, places: PLACES_MAX };
        assert_eq!(amounts.take(&written("0.000000001")), Ok(Usd::from_nanos(1)));
        assert_eq!(amounts.take(&written("0")).unwrap_err().nearest, Usd::from_nanos(1));
        assert_eq!(amounts.take(&written("1e400")).unwrap_err().nearest, Usd::MAX);
    }
}
