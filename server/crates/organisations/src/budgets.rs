//! Budgets that several keys spend together, and what is spent of them.

use super::OrganisationError;
use tollgate_accounts::BadLimit;
use tollgate_base::{PoolId, Usd};
use tollgate_credit::{BudgetPeriod, BudgetUsage};

/// The largest budget, as the database has it: no account can have more.
const BUDGET_MAX: Usd = Usd::from_nanos(1_000_000_000_000_000_000);

/// The budgets of an organisation or a team; absent is without limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PooledBudgets {
    /// The most in a UTC day.
    pub day: Option<Usd>,
    /// The most in a UTC week, from Monday.
    pub week: Option<Usd>,
    /// The most in a UTC month.
    pub month: Option<Usd>,
    /// The most in all.
    pub life: Option<Usd>,
    /// The amount by which each of them is higher for a while.
    pub raised_by: Option<Usd>,
    /// Unix time in milliseconds at which the raise ends.
    pub raised_until_ms: Option<i64>,
}

impl PooledBudgets {
    /// Without any limit.
    pub const NONE: Self =
        Self { day: None, week: None, month: None, life: None, raised_by: None, raised_until_ms: None };
}

/// A change of budgets: absent stays as it is, and the inner absent takes the limit away.
#[derive(Debug, Clone, Copy, Default)]
pub struct BudgetsChange {
    /// The most in a UTC day.
    pub day: Option<Option<Usd>>,
    /// The most in a UTC week.
    pub week: Option<Option<Usd>>,
    /// The most in a UTC month.
    pub month: Option<Option<Usd>>,
    /// The most in all.
    pub life: Option<Option<Usd>>,
    /// The amount of a raise.
    pub raised_by: Option<Option<Usd>>,
    /// Its end, in unix milliseconds.
    pub raised_until_ms: Option<Option<i64>>,
}

/// The use of a budget in the time that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetUse {
    /// The time that it is for.
    pub period: BudgetPeriod,
    /// The budget, with the raise that counts now.
    pub budget: Usd,
    /// The part that is spent.
    pub spent: Usd,
    /// The part that requests under way hold.
    pub held: Usd,
    /// Unix time in milliseconds at which it begins anew; absent for never.
    pub resets_at_ms: Option<i64>,
}

/// The budgets of a team or a member, and the place for their use.
#[derive(Debug)]
pub(super) struct UsedPool<'p> {
    pub(super) id: PoolId,
    pub(super) budgets: PooledBudgets,
    pub(super) usage: &'p mut Vec<BudgetUse>,
}

impl PooledBudgets {
    /// The budgets with the changes made.
    ///
    /// # Errors
    /// When a budget is no amount that can be spent, or a raise has no end, or one that has passed.
    pub(super) fn changed(mut self, change: &BudgetsChange, now_ms: i64) -> Result<Self, OrganisationError> {
        // A raise that is over is none any more: neither a new amount nor a new end alone brings it back.
        if self.raised_until_ms.is_some_and(|until| until <= now_ms) {
            (self.raised_by, self.raised_until_ms) = (None, None);
        }
        let budgets = Self {
            day: change.day.unwrap_or(self.day),
            week: change.week.unwrap_or(self.week),
            month: change.month.unwrap_or(self.month),
            life: change.life.unwrap_or(self.life),
            raised_by: change.raised_by.unwrap_or(self.raised_by).filter(|raise| *raise != Usd::ZERO),
            raised_until_ms: change.raised_until_ms.unwrap_or(self.raised_until_ms),
        };
        for (field, budget) in [
            ("budget_day_usd", budgets.day),
            ("budget_week_usd", budgets.week),
            ("budget_month_usd", budgets.month),
            ("budget_usd", budgets.life),
            ("raised_by_usd", budgets.raised_by),
        ] {
            if let Some(budget) = budget.filter(|budget| *budget < Usd::ZERO || *budget > BUDGET_MAX) {
                return Err(unfit(field, "an amount from 0 to 1000000000", &budget.to_string()));
            }
        }
        match (budgets.raised_by, budgets.raised_until_ms) {
            (Some(_), None) => Err(unfit("raised_until", "the time at which the raise ends", "absent")),
            (None, Some(_)) => Ok(Self { raised_until_ms: None, ..budgets }),
            (Some(_), Some(until)) if until <= now_ms => {
                Err(unfit("raised_until", "a time in the future", "one that has passed"))
            }
            (None, None) | (Some(_), Some(_)) => Ok(budgets),
        }
    }

    /// Each budget that there is, with the raise that counts now.
    pub(super) fn in_force(self, now_ms: i64) -> impl Iterator<Item = (BudgetPeriod, Usd)> {
        let raise = self.raised_by.filter(|_| self.raised_until_ms.is_some_and(|until| now_ms < until));
        let budgets = BudgetPeriod::ALL.into_iter().zip([self.day, self.week, self.month, self.life]);
        budgets.filter_map(move |(period, budget)| Some((period, budget?.checked_add(raise.unwrap_or(Usd::ZERO))?)))
    }
}

impl BudgetUse {
    /// The part that a new request may still spend; never below zero.
    #[must_use]
    pub fn left(&self) -> Usd {
        let taken = self.spent.checked_add(self.held).unwrap_or(Usd::MAX);
        BudgetUsage { most: self.budget, taken }.left()
    }
}

pub(super) fn unfit(field: &str, expected: &'static str, found: &str) -> OrganisationError {
    OrganisationError::Unfit(BadLimit { field: field.to_owned(), expected, found: found.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usd(text: &str) -> Option<Usd> {
        Some(text.parse().unwrap())
    }

    #[test]
    fn a_raise_has_an_end_and_ends_by_itself() {
        let budgets = PooledBudgets { day: usd("5"), life: usd("9"), ..PooledBudgets::default() };
        let raise =
            |by, until| BudgetsChange { raised_by: Some(by), raised_until_ms: Some(until), ..BudgetsChange::default() };
        let raised = budgets.changed(&raise(usd("2"), Some(100)), 50).unwrap();
        let sums = |at| raised.in_force(at).map(|(_, budget)| budget).collect::<Vec<_>>();
        assert_eq!(sums(99), [usd("7").unwrap(), usd("11").unwrap()]);
        assert_eq!(sums(100), [usd("5").unwrap(), usd("9").unwrap()]);
        let field = |error: OrganisationError| match error {
            OrganisationError::Unfit(bad) => bad.field,
            other => panic!("{other}"),
        };
        assert_eq!(field(budgets.changed(&raise(usd("2"), None), 50).unwrap_err()), "raised_until");
        assert_eq!(field(budgets.changed(&raise(usd("2"), Some(50)), 50).unwrap_err()), "raised_until");
        assert_eq!(field(budgets.changed(&raise(usd("-1"), Some(60)), 50).unwrap_err()), "raised_by_usd");
        // An end without a raise is none, and so is a raise of nothing.
        assert_eq!(budgets.changed(&raise(None, Some(100)), 50).unwrap(), budgets);
        assert_eq!(budgets.changed(&raise(usd("0"), Some(100)), 50).unwrap(), budgets);
        // One that is over is gone, and has to be asked for whole.
        let later = BudgetsChange { day: Some(None), ..BudgetsChange::default() };
        assert_eq!(raised.changed(&later, 500).unwrap(), PooledBudgets { day: None, ..budgets });
        let amount = BudgetsChange { raised_by: Some(usd("2")), ..BudgetsChange::default() };
        assert_eq!(field(raised.changed(&amount, 500).unwrap_err()), "raised_until");
        let end = BudgetsChange { raised_until_ms: Some(Some(900)), ..BudgetsChange::default() };
        assert_eq!(raised.changed(&end, 500).unwrap(), budgets);
    }

    #[test]
    fn what_is_left_is_never_below_zero() {
        let of = |budget, spent, held| BudgetUse {
            period: BudgetPeriod::Day,
            budget: usd(budget).unwrap(),
            spent: usd(spent).unwrap(),
            held: usd(held).unwrap(),
            resets_at_ms: None,
        };
        assert_eq!(of("5", "1", "1.5").left(), usd("2.5").unwrap());
        assert_eq!(of("5", "6", "0").left(), Usd::ZERO, "it was lowered");
    }
}
