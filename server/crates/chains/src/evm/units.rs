//! Amounts of a token, in its smallest units: up to 256 bits, never a float.

use std::fmt;
use std::str::FromStr;

use alloy::primitives::U256;

use tollgate_base::Usd;

/// Decimal places of a nano-USD in USD.
const NANO_PLACES: u8 = 9;

/// A number of the smallest units of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenUnits(pub(super) U256);

/// The text is no number in its one spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a whole number in decimal digits, without sign and leading zeros")]
pub struct TokenUnitsParseError;

impl TokenUnits {
    /// The units of an amount of US dollars in a token of so many decimals.
    /// None where the token has no unit so small, or the amount is negative.
    #[must_use]
    pub fn of_usd(amount: Usd, decimals: u8) -> Option<Self> {
        let nanos = U256::from(u64::try_from(amount.nanos()).ok()?);
        let power = |places: u8| U256::from(10).checked_pow(U256::from(places));
        if let Some(more) = decimals.checked_sub(NANO_PLACES) {
            return nanos.checked_mul(power(more)?).map(Self);
        }
        let (units, rest) = nanos.div_rem(power(NANO_PLACES - decimals)?);
        rest.is_zero().then_some(Self(units))
    }
}

impl TokenUnits {
    /// A number from its 256 bits, the highest first.
    #[must_use]
    pub fn of_bits(bits: [u8; 32]) -> Self {
        Self(U256::from_be_bytes(bits))
    }
}

impl FromStr for TokenUnits {
    type Err = TokenUnitsParseError;

    /// Reads one spelling only.
    /// Whoever takes `05` or `0x5` for 5 takes something else than what another has read.
    fn from_str(text: &str) -> Result<Self, TokenUnitsParseError> {
        let plain = !text.is_empty() && text.len() <= 78 && text.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || (text.len() > 1 && text.starts_with('0')) {
            return Err(TokenUnitsParseError);
        }
        U256::from_str_radix(text, 10).map(Self).map_err(|_| TokenUnitsParseError)
    }
}

impl fmt::Display for TokenUnits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(amount: &str, decimals: u8) -> Option<String> {
        TokenUnits::of_usd(amount.parse().unwrap(), decimals).map(|units| units.to_string())
    }

    #[test]
    fn an_amount_is_exact_or_none() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("5", 6), some("5000000"));
        assert_eq!(of("5.000001", 6), some("5000001"));
        assert_eq!(of("5.0000001", 6), None);
        assert_eq!(of("1000", 18), some("1000000000000000000000"));
        assert_eq!(of("0.000000001", 18), some("1000000000"));
        assert_eq!(of("0.000000001", 9), some("1"));
        assert_eq!(of("3", 0), some("3"));
        assert_eq!(of("3.5", 0), None);
        assert_eq!(of("9223372036.854775807", 77), None, "beyond 256 bits");
    }

    #[test]
    fn a_number_has_one_spelling() {
        assert_eq!("0".parse::<TokenUnits>().unwrap().to_string(), "0");
        let most = U256::MAX.to_string();
        assert_eq!(most.parse::<TokenUnits>().unwrap().to_string(), most);
        let beyond = format!("{}0", &most[..77]).replace("11579208923", "21579208923");
        for text in
            ["", "05", "00", "0x5", "5e6", "+5", "-5", " 5", "5 ", "5.0", "５", "1_000", &beyond, &"9".repeat(79)]
        {
            assert_eq!(text.parse::<TokenUnits>(), Err(TokenUnitsParseError), "{text}");
        }
    }
}
