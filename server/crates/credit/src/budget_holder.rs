//! The kinds of holders of a budget.

/// The holder of a budget that a request spends from, by its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BudgetHolder {
    /// The key that was shown.
    Key,
    /// The member whose key it is.
    Member,
    /// The team whose key it is.
    Team,
    /// The whole organisation.
    Organisation,
}

impl BudgetHolder {
    /// All of them, the narrowest first.
    pub const ALL: [Self; 4] = [Self::Key, Self::Member, Self::Team, Self::Organisation];

    /// The holder as it is stored and told.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Member => "member",
            Self::Team => "team",
            Self::Organisation => "organisation",
        }
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|holder| holder.as_str() == text)
    }
}
