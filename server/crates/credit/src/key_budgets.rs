//! Budgets of a key, and what is spent or held of them.

use tollgate_base::Usd;

/// The limit of a key's spending in a period, and the part of it that is spent or held now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetUsage {
    /// The limit.
    pub most: Usd,
    /// The part of it that is spent or held.
    pub taken: Usd,
}

/// The budgets of a key; absent is without limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeyBudgets {
    /// The budget of this UTC day.
    pub day: Option<BudgetUsage>,
    /// The budget of this UTC week, from Monday.
    pub week: Option<BudgetUsage>,
    /// The budget of this UTC month.
    pub month: Option<BudgetUsage>,
    /// The budget of the key's life.
    pub life: Option<BudgetUsage>,
}

impl BudgetUsage {
    /// The part that is left; zero where the budget was lowered below what was spent.
    #[must_use]
    pub fn left(&self) -> Usd {
        self.most.checked_sub(self.taken).unwrap_or(Usd::ZERO).max(Usd::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_never_below_zero() {
        let budget =
            |most: &str, taken: &str| BudgetUsage { most: most.parse().unwrap(), taken: taken.parse().unwrap() };
        assert_eq!(budget("5", "1.25").left(), "3.75".parse().unwrap());
        assert_eq!(budget("5", "5").left(), Usd::ZERO);
        assert_eq!(budget("1", "5").left(), Usd::ZERO, "it was lowered");
    }
}
