//! Money: integers, one rounding rule, no binary float.
//!
//! A balance is [`Usd`], a whole number of nano-USD. A price is [`PicoUsd`] per unit (a token, an image), which is the
//! same number as micro-USD per million units. A request's charge is the sum of units times prices, times the ratio that
//! the account pays of them, in 128 bits, rounded **up** to the nano-USD, once, in [`price_of`]. Nothing else in the server
//! rounds money; a price that is made of another is rounded up to the pico-USD before anything is charged by it, in
//! [`PicoUsd::at_percent`], and one that comes from a list that holds binary floats is read to the nearest, in
//! [`PicoUsd::nearest`].

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::decimal::{scaled, scaled_digits};
use super::{MoneyError, PriceRatio};

const NANOS_PER_USD: i64 = 1_000_000_000;
/// The parts of a nano-USD in a price times a ratio: pico-USD times millionths.
const PARTS_PER_NANO: i128 = 1_000 * 1_000_000;
/// Decimal places of a pico-USD in USD.
const PICO_PLACES: i32 = 12;
/// Decimal places of a nano-USD.
const NANO_PLACES: u32 = 9;

/// An amount of US dollars in nano-USD. On the wire and in configuration: an exact decimal with at most nine places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Usd(i64);

/// A price in pico-USD per unit; never negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PicoUsd(i64);

impl Usd {
    /// No money.
    pub const ZERO: Self = Self(0);
    /// The largest amount that can be written.
    pub const MAX: Self = Self(i64::MAX);

    /// An amount given in nano-USD.
    #[must_use]
    pub const fn from_nanos(nanos: i64) -> Self {
        Self(nanos)
    }

    /// The amount in nano-USD.
    #[must_use]
    pub const fn nanos(self) -> i64 {
        self.0
    }

    /// The sum, or `None` where it leaves the range.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` where it leaves the range.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }
}

impl PicoUsd {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// A price given in pico-USD per unit.
    ///
    /// # Errors
    /// [`MoneyError::Negative`] below zero.
    pub const fn new(picos: i64) -> Result<Self, MoneyError> {
        if picos < 0 { Err(MoneyError::Negative) } else { Ok(Self(picos)) }
    }

    /// The price in pico-USD per unit.
    #[must_use]
    pub const fn picos(self) -> i64 {
        self.0
    }

    /// So many hundredths of this price, rounded up to a whole pico-USD.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when it leaves the range.
    pub fn at_percent(self, percent: u32) -> Result<Self, MoneyError> {
        let hundredths = i128::from(self.0) * i128::from(percent);
        i64::try_from((hundredths + 99) / 100).map(Self).map_err(|_| MoneyError::TooLarge)
    }

    /// This price times a ratio, rounded up to a whole pico-USD.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when it leaves the range.
    pub fn times(self, ratio: PriceRatio) -> Result<Self, MoneyError> {
        let millionths = i128::from(self.0) * i128::from(ratio.millionths());
        i64::try_from((millionths + 999_999) / 1_000_000).map(Self).map_err(|_| MoneyError::TooLarge)
    }

    /// This price and `units` at another.
    ///
    /// # Errors
    /// [`MoneyError::TooLarge`] when the sum leaves the range.
    pub fn plus(self, units: u64, price: Self) -> Result<Self, MoneyError> {
        let sum = i128::from(units).checked_mul(price.0.into()).and_then(|more| more.checked_add(self.0.into()));
        sum.and_then(|sum| i64::try_from(sum).ok()).map(Self).ok_or(MoneyError::TooLarge)
    }

    /// Reads a price written in USD per unit (`0.04`): at most twelve decimal places.
    ///
    /// # Errors
    /// When the text is no decimal, has more than twelve places, is negative or too large.
    pub fn from_usd(text: &str) -> Result<Self, MoneyError> {
        Self::new(scaled(text, 12)?)
    }

    /// Reads a price written in USD per million units (`0.15`), as price lists write it: at most six decimal places.
    ///
    /// # Errors
    /// When the text is no decimal, has more than six places, is negative or too large.
    pub fn from_usd_per_million(text: &str) -> Result<Self, MoneyError> {
        Self::new(scaled(text, 6)?)
    }

    /// Reads a price as programs print it: a decimal that may have an exponent (`1.5e-07`), times `10^exponent` USD per
    /// unit. Rounded to the nearest pico-USD: what lies beyond is what is left of a binary float.
    ///
    /// # Errors
    /// When the text is no such number, is negative or too large.
    pub fn nearest(text: &str, exponent: i32) -> Result<Self, MoneyError> {
        let (decimal, own) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let own: i32 = own.parse().map_err(|_| MoneyError::NotANumber)?;
        let (whole, part) = decimal.split_once('.').unwrap_or((decimal, "0"));
        let part = part.trim_end_matches('0');
        let digits = match whole.strip_prefix('-') {
            Some(whole) => -scaled_digits(whole, part)?,
            None => scaled_digits(whole, part)?,
        };
        let places = i32::try_from(part.len()).map_err(|_| MoneyError::TooLarge)?;
        let shift = own.checked_add(exponent).and_then(|sum| sum.checked_add(PICO_PLACES - places));
        let power = |places: u32| 10_i128.checked_pow(places);
        let picos = match shift.ok_or(MoneyError::TooLarge)? {
            shift @ 0.. => power(shift.unsigned_abs()).and_then(|power| digits.checked_mul(power)),
            // Beyond all digits there is nothing left to round.
            shift => power(shift.unsigned_abs())
                .map_or(Some(0), |power| Some(digits.checked_add(digits.signum() * (power / 2))? / power)),
        };
        Self::new(picos.and_then(|picos| i64::try_from(picos).ok()).ok_or(MoneyError::TooLarge)?)
    }

    /// In USD per unit, as [`from_usd`](Self::from_usd) reads it: `0.04`.
    #[must_use]
    pub fn usd(self) -> String {
        let unit = 10_i64.pow(PICO_PLACES.unsigned_abs());
        let text = format!("{}.{:012}", self.0 / unit, self.0 % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

impl PicoUsd {
    /// The part of it that is paid, in USD per unit: exact, without trailing zeros.
    #[must_use]
    pub fn usd_at(self, ratio: PriceRatio) -> String {
        const PLACES: usize = 18;
        // 2^63 pico-USD at the largest ratio, 10^9 millionths, stay below 2^93.
        let parts = i128::from(self.0) * i128::from(ratio.millionths());
        let unit = 10_i128.pow(18);
        let text = format!("{}.{:0PLACES$}", parts / unit, parts % unit);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// The cost of `units` at their prices, of which `ratio` is paid. It is the exact sum, rounded up to a whole nano-USD once.
///
/// # Errors
/// [`MoneyError::TooLarge`] when the sum leaves the range of [`Usd`]; it is never clipped.
pub fn price_of(items: impl IntoIterator<Item = (u64, PicoUsd)>, ratio: PriceRatio) -> Result<Usd, MoneyError> {
    let mut picos: i128 = 0;
    for (units, price) in items {
        // 2^64 units at 2^63 pico-USD stay below 2^127; the sum is checked.
        picos = picos.checked_add(i128::from(units) * i128::from(price.0)).ok_or(MoneyError::TooLarge)?;
    }
    let parts = picos.checked_mul(ratio.millionths().into()).and_then(|parts| parts.checked_add(PARTS_PER_NANO - 1));
    let nanos = parts.ok_or(MoneyError::TooLarge)? / PARTS_PER_NANO;
    i64::try_from(nanos).map(Usd).map_err(|_| MoneyError::TooLarge)
}

impl Usd {
    /// Reads an amount as programs print it: a decimal that may have more places and an exponent (`12.340000000000002`,
    /// `5e0`). Rounded to the nearest amount of at most so many decimal places, half away from zero.
    ///
    /// # Errors
    /// When the text is no such number or the amount leaves the range.
    pub fn nearest(text: &str, places: u32) -> Result<Self, MoneyError> {
        let (decimal, own) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (negative, decimal) = decimal.strip_prefix('-').map_or((false, decimal), |rest| (true, rest));
        let (whole, part) = decimal.split_once('.').unwrap_or((decimal, "0"));
        let digits = format!("{whole}{}", part.trim_end_matches('0'));
        if whole.is_empty() || part.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(MoneyError::NotANumber);
        }
        let own: i64 = own.parse().map_err(|_| MoneyError::NotANumber)?;
        let places = places.min(NANO_PLACES);
        // Where the point stands among the digits, once those that stay are in front of it.
        let point = i64::try_from(whole.len()).unwrap_or(i64::MAX).saturating_add(own).saturating_add(places.into());
        let steps = rounded_before(&digits, point)?.checked_mul(10_i64.pow(NANO_PLACES - places));
        let nanos = steps.ok_or(MoneyError::TooLarge)?;
        Ok(Self(if negative { -nanos } else { nanos }))
    }
}

/// The digits before a point as one number, rounded by the first one behind it. Digits that are missing are zeros.
fn rounded_before(digits: &str, point: i64) -> Result<i64, MoneyError> {
    let Ok(point) = usize::try_from(point) else { return Ok(0) };
    let digits = digits.as_bytes();
    let mut number = 0_i64;
    let leading = digits.iter().take_while(|digit| **digit == b'0').count();
    if leading == digits.len() {
        return Ok(0);
    }
    for place in leading..point {
        let digit = digits.get(place).map_or(0, |digit| i64::from(digit - b'0'));
        number = number.checked_mul(10).and_then(|ten| ten.checked_add(digit)).ok_or(MoneyError::TooLarge)?;
    }
    let rest = digits.get(point).is_some_and(|digit| *digit >= b'5');
    number.checked_add(i64::from(rest)).ok_or(MoneyError::TooLarge)
}

impl FromStr for Usd {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        scaled(text, 9).map(Self)
    }
}

impl fmt::Display for Usd {
    /// The exact decimal without trailing zeros: `1.25`, `0.000000001`, `-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let unit = NANOS_PER_USD.unsigned_abs();
        let (whole, part) = (nanos / unit, nanos % unit);
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let places = format!("{part:09}");
        write!(f, "{sign}{whole}.{}", places.trim_end_matches('0'))
    }
}

impl fmt::Display for PicoUsd {
    /// In USD per million units, as price lists write it: `0.15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1_000_000, self.0 % 1_000_000);
        let places = format!("{part:06}");
        match places.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            places => write!(f, "{whole}.{places}"),
        }
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = RawValue::from_string(self.to_string()).expect("an exact decimal is a JSON number");
        number.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Usd {
    /// Reads a JSON number by its text, exactly. A string, an exponent or a tenth decimal place is refused.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Box::<RawValue>::deserialize(deserializer)?;
        number.get().parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_paid_of_a_price_is_told_exactly() {
        let price = |text| PicoUsd::from_usd_per_million(text).expect("a price");
        for (per_million, ratio, told) in [
            ("0.15", "1", "0.00000015"),
            ("0.15", "0.333333", "0.00000004999995"),
            ("9000000000000", "1", "9000000"),
            ("9000000000000", "1000", "9000000000"),
            ("0.000001", "0.000001", "0.000000000000000001"),
            ("0", "1", "0"),
            ("10000000", "1", "10"),
        ] {
            let ratio = ratio.parse().expect("a ratio");
            assert_eq!(price(per_million).usd_at(ratio), told, "{per_million} at {ratio}");
        }
    }

    #[test]
    fn what_programs_print_is_read_as_the_nearest_amount() {
        for (text, places, nearest) in [
            ("12.340000000000002", 6, "12.34"),
            ("0.30000000000000004", 9, "0.3"),
            ("2.9999999999999996", 6, "3"),
            ("5.0000005", 6, "5.000001"),
            ("5.0000004999", 6, "5"),
            ("-5.0000005", 6, "-5.000001"),
            ("1e1", 2, "10"),
            ("1.5E+2", 2, "150"),
            ("15e-1", 0, "2"),
            ("1e-400", 9, "0"),
            ("0e400", 9, "0"),
            ("0.00000000049", 9, "0"),
            ("9.9", 0, "10"),
            ("0.6", 0, "1"),
            ("5", 18, "5"),
        ] {
            assert_eq!(Usd::nearest(text, places), Ok(nearest.parse().expect("an amount")), "{text} {places}");
        }
        for text in ["1e400", "1e30", "9223372036.854775808", "99999999999999999999"] {
            assert_eq!(Usd::nearest(text, 9), Err(MoneyError::TooLarge), "{text}");
        }
        for text in ["", "-", ".5", "5.", "1e", "ten", "1e1.5", "--1"] {
            assert_eq!(Usd::nearest(text, 9), Err(MoneyError::NotANumber), "{text}");
        }
    }

    #[test]
    fn decimals_read_and_write_exactly() {
        for text in ["0", "1.25", "-3", "0.000000001", "9223372036.854775807", "-9223372036.854775808"] {
            let amount: Usd = text.parse().expect("a decimal");
            assert_eq!(amount.to_string(), text);
            assert_eq!(serde_json::to_string(&amount).expect("writes"), text);
            assert_eq!(serde_json::from_str::<Usd>(text).expect("reads"), amount);
        }
        assert_eq!("1.500".parse(), Ok(Usd(1_500_000_000)));
    }

    #[test]
    fn what_is_no_amount_is_refused_and_never_rounded() {
        for text in ["", "-", ".5", "5.", "1e3", "+1", "1,5", "0x1", "NaN", " 1"] {
            assert_eq!(text.parse::<Usd>(), Err(MoneyError::NotANumber), "{text:?}");
        }
        assert_eq!("0.0000000001".parse::<Usd>(), Err(MoneyError::TooPrecise(9)));
        assert_eq!("9223372036.854775808".parse::<Usd>(), Err(MoneyError::TooLarge));
        assert!(serde_json::from_str::<Usd>("\"1\"").is_err());
        assert!(serde_json::from_str::<Usd>("1e2").is_err());
    }

    #[test]
    fn a_price_list_number_is_pico_usd_per_unit() {
        assert_eq!(PicoUsd::from_usd_per_million("0.15"), Ok(PicoUsd(150_000)));
        assert_eq!(PicoUsd::from_usd_per_million("60"), Ok(PicoUsd(60_000_000)));
        for text in ["0.15", "60", "0.000001"] {
            assert_eq!(PicoUsd::from_usd_per_million(text).map(|price| price.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(PicoUsd::from_usd("0.04"), Ok(PicoUsd(40_000_000_000)));
        assert_eq!(PicoUsd::from_usd("0.0000000000001"), Err(MoneyError::TooPrecise(12)));
        assert_eq!(PicoUsd::from_usd("-1"), Err(MoneyError::Negative));
        assert_eq!(PicoUsd::from_usd_per_million("0.0000001"), Err(MoneyError::TooPrecise(6)));
        assert_eq!(PicoUsd::from_usd_per_million("-1"), Err(MoneyError::Negative));
    }

    #[test]
    fn a_price_that_a_program_printed_is_taken_to_the_nearest_pico_usd() {
        for (text, exponent, per_million) in [
            ("1.5e-07", 0, "0.15"),
            ("0.00000015", 0, "0.15"),
            ("3.0000000000000004e-07", 0, "0.3"),
            ("2.9999999999999997E-6", 0, "3"),
            ("1e+0", -6, "1"),
            ("0.25", -6, "0.25"),
            ("0.0000004", -6, "0"),
            ("0.0000005", -6, "0.000001"),
            ("0", 0, "0"),
            ("1e-999999", 0, "0"),
            ("0e-07", 0, "0"),
        ] {
            assert_eq!(
                PicoUsd::nearest(text, exponent).map(|price| price.to_string()),
                Ok(per_million.to_owned()),
                "{text}"
            );
        }
        for text in ["", "e5", "1e", "x", "1.2.3", "1e5e5", "+1", ".5", "--1", "1.-5", "1_0"] {
            assert_eq!(PicoUsd::nearest(text, 0), Err(MoneyError::NotANumber), "{text:?}");
        }
        assert_eq!(PicoUsd::nearest("-1e-7", 0), Err(MoneyError::Negative));
        for text in ["1e30", "1e2147483647", "99999999999999999999999999999999999999999999", "10000000"] {
            assert_eq!(PicoUsd::nearest(text, 0), Err(MoneyError::TooLarge), "{text}");
        }
        for text in ["0.04", "3", "0.000000000001", "0"] {
            assert_eq!(PicoUsd::from_usd(text).map(PicoUsd::usd), Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_price_made_of_another_is_rounded_up() {
        assert_eq!(PicoUsd(150_000).at_percent(125), Ok(PicoUsd(187_500)));
        assert_eq!(PicoUsd(1).at_percent(125), Ok(PicoUsd(2)));
        assert_eq!(PicoUsd(0).at_percent(200), Ok(PicoUsd(0)));
        assert_eq!(PicoUsd(i64::MAX).at_percent(100), Ok(PicoUsd(i64::MAX)));
        assert_eq!(PicoUsd(i64::MAX).at_percent(101), Err(MoneyError::TooLarge));
    }

    #[test]
    fn a_charge_is_rounded_up_once() {
        let price = |picos| PicoUsd::new(picos).expect("not negative");
        let price_of = |items: &[(u64, PicoUsd)]| price_of(items.iter().copied(), PriceRatio::ONE);
        assert_eq!(price_of(&[(1, price(20_000))]), Ok(Usd(20)));
        assert_eq!(price_of(&[(1, price(1))]), Ok(Usd(1)));
        assert_eq!(price_of(&[(1, price(400)), (1, price(400))]), Ok(Usd(1)), "one rounding, not two");
        assert_eq!(price_of(&[(0, price(7))]), Ok(Usd(0)));
        assert_eq!(price_of(&[(u64::MAX, price(i64::MAX))]), Err(MoneyError::TooLarge));
    }

    #[test]
    fn a_ratio_is_paid_of_the_sum_and_not_of_its_parts() {
        let price = |picos| PicoUsd::new(picos).expect("not negative");
        for (ratio, nanos) in [("1", 2), ("0.5", 1), ("0.500001", 2), ("0.000001", 1), ("2.0005", 5), ("1000", 2_000)] {
            let ratio = ratio.parse().expect("a ratio");
            assert_eq!(price_of([(2, price(500)), (1, price(1_000))], ratio), Ok(Usd(nanos)), "{ratio}");
        }
        let most = "1000".parse().expect("a ratio");
        assert_eq!(price_of([(u64::MAX, price(i64::MAX))], most), Err(MoneyError::TooLarge));
        assert_eq!(price_of([(1, price(i64::MAX))], most), Ok(Usd(9_223_372_036_854_775_807)));
    }
}
