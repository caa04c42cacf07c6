//! The ratio of the prices that an account pays.

use std::fmt;
use std::str::FromStr;

use super::decimal::scaled;

const PLACES: u32 = 6;
const WHOLE: i64 = 10_i64.pow(PLACES);
/// A thousandfold: beyond it somebody has mistaken the unit.
const MAX: i64 = 1_000 * WHOLE;

/// A ratio of prices in millionths, above nothing and at most a thousand. Written as an exact decimal: `0.85`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PriceRatio(i64);

/// The text or number is no ratio of prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no ratio: a decimal above 0 and up to 1000 with at most six places, as in \"0.85\"")]
pub struct InvalidPriceRatio;

impl PriceRatio {
    /// The prices as they are.
    pub const ONE: Self = Self(WHOLE);

    /// A ratio given in millionths.
    ///
    /// # Errors
    /// When it would make every price free, or is beyond a thousandfold.
    pub fn from_millionths(millionths: i64) -> Result<Self, InvalidPriceRatio> {
        if (1..=MAX).contains(&millionths) { Ok(Self(millionths)) } else { Err(InvalidPriceRatio) }
    }

    /// The ratio in millionths.
    #[must_use]
    pub const fn millionths(self) -> i64 {
        self.0
    }
}

impl Default for PriceRatio {
    fn default() -> Self {
        Self::ONE
    }
}

impl FromStr for PriceRatio {
    type Err = InvalidPriceRatio;

    fn from_str(text: &str) -> Result<Self, InvalidPriceRatio> {
        Self::from_millionths(scaled(text, PLACES).map_err(|_| InvalidPriceRatio)?)
    }
}

impl fmt::Display for PriceRatio {
    /// The exact decimal without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / WHOLE, self.0 % WHOLE);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_read_and_write_exactly() {
        for text in ["0.85", "1", "1.25", "0.000001", "1000"] {
            assert_eq!(text.parse::<PriceRatio>().map(|ratio| ratio.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("1.000000".parse(), Ok(PriceRatio::ONE));
        for text in ["", "0", "0.0000001", "-0.5", "1e0", "85%", "1000.000001", ".5"] {
            assert_eq!(text.parse::<PriceRatio>(), Err(InvalidPriceRatio), "{text:?}");
        }
    }
}
