//! What a key may spend, and what of it is taken.

use super::{Books, BooksError, Period, sql};
use crate::base::{KeyId, Usd};

/// What a key may spend in a time, and what of that is spent or held now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The most.
    pub most: Usd,
    /// What is taken of it.
    pub taken: Usd,
}

/// The budgets of a key; absent is without limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budgets {
    /// Of this day.
    pub day: Option<Budget>,
    /// Of this month.
    pub month: Option<Budget>,
    /// Of its life.
    pub life: Option<Budget>,
}

impl Budget {
    /// What is left. Nothing where the budget was lowered below what was spent.
    #[must_use]
    pub fn left(&self) -> Usd {
        self.most.checked_sub(self.taken).unwrap_or(Usd::ZERO).max(Usd::ZERO)
    }
}

impl Books {
    /// What a key may spend, and has.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn budgets(&self, key: KeyId) -> Result<Budgets, BooksError> {
        let now_ms = self.clock.now_ms();
        let (day, month) = (Period::Day.starts_at_ms(now_ms), Period::Month.starts_at_ms(now_ms));
        Ok(sql::budgets(self.store.readers(), key, day, month).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_never_below_zero() {
        let budget = |most: &str, taken: &str| Budget { most: most.parse().unwrap(), taken: taken.parse().unwrap() };
        assert_eq!(budget("5", "1.25").left(), "3.75".parse().unwrap());
        assert_eq!(budget("5", "5").left(), Usd::ZERO);
        assert_eq!(budget("1", "5").left(), Usd::ZERO, "it was lowered");
    }
}
