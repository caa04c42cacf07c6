//! Plain decimals, read as whole numbers of a unit.

use super::MoneyError;

/// Reads a plain decimal as an integer of 10^-places. No exponent, no rounding.
pub(super) fn scaled(text: &str, places: u32) -> Result<i64, MoneyError> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(part) {
        return Err(MoneyError::NotANumber);
    }
    let part = part.trim_end_matches('0');
    let given = u32::try_from(part.len()).map_err(|_| MoneyError::TooPrecise(places))?;
    let missing = places.checked_sub(given).ok_or(MoneyError::TooPrecise(places))?;
    let unsigned: i128 = format!("{whole}{part}").parse().map_err(|_| MoneyError::TooLarge)?;
    let value = unsigned.checked_mul(10_i128.pow(missing)).ok_or(MoneyError::TooLarge)?;
    i64::try_from(if negative { -value } else { value }).map_err(|_| MoneyError::TooLarge)
}

/// The digits of a plain decimal as one integer.
pub(super) fn scaled_digits(whole: &str, part: &str) -> Result<i128, MoneyError> {
    let digits = format!("{whole}{part}");
    if whole.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(MoneyError::NotANumber);
    }
    digits.parse().map_err(|_| MoneyError::TooLarge)
}
