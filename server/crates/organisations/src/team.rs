//! Teams.

use super::budgets::UsedPool;
use super::{BudgetUse, BudgetsChange, PooledBudgets};
use tollgate_base::PoolId;

/// A team of an organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// Its number.
    pub id: PoolId,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: TeamState,
    /// The budgets that its keys spend together.
    pub budgets: PooledBudgets,
    /// Their use.
    pub usage: Vec<BudgetUse>,
    /// The number of its live keys.
    pub keys: i64,
    /// Unix time in milliseconds at which it was made.
    pub created_at_ms: i64,
}

/// The state of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeamState {
    /// Its keys may spend.
    Active,
    /// It has no keys, and gets none.
    Closed,
}

/// A change of a team; absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct TeamChange {
    /// Its name.
    pub name: Option<String>,
    /// Its budgets.
    pub budgets: BudgetsChange,
}

impl Team {
    /// Its budgets, and the place for their use.
    pub(super) fn pool(&mut self) -> UsedPool<'_> {
        UsedPool { id: self.id, budgets: self.budgets, usage: &mut self.usage }
    }
}

impl TeamState {
    /// The state as it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Closed => "closed",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        [Self::Active, Self::Closed].into_iter().find(|state| state.as_str() == text)
    }
}
