//! The shape of limits that are more than a number.

use super::Usd;

/// The least and the most money of one order; `None` is no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsdBounds {
    /// The least, allowed itself.
    pub min: Option<Usd>,
    /// The most, allowed itself.
    pub max: Option<Usd>,
}

impl UsdBounds {
    /// True if `amount` lies within the bounds.
    #[must_use]
    pub fn allow(&self, amount: Usd) -> bool {
        self.min.is_none_or(|min| amount >= min) && self.max.is_none_or(|max| amount <= max)
    }
}
