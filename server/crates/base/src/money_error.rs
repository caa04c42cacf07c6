//! The reasons why a text or a sum is no amount of money.

/// A text that is not an amount of money, or a sum that cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// Not a plain decimal number.
    #[error("not a decimal number")]
    NotANumber,
    /// More decimal places than the unit has.
    #[error("too many decimal places: at most {0}")]
    TooPrecise(u32),
    /// Does not fit the range of the type.
    #[error("too large")]
    TooLarge,
    /// A price below zero.
    #[error("a price cannot be negative")]
    Negative,
}
