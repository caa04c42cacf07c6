//! The limits on all binding schemas of one request together.

/// The most strict tools.
const TOOLS_MAX: usize = 20;
/// The most members of objects that may be left out.
const OPTIONAL_MAX: usize = 24;
/// The most places where several types are possible.
const UNIONS_MAX: usize = 16;

/// The amounts that are left for the schemas to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaBudget {
    tools: usize,
    costs: SchemaCosts,
}

/// The amounts that a schema takes of a budget.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SchemaCosts {
    /// Members of objects that may be left out.
    pub optional: usize,
    /// Places where several types are possible.
    pub unions: usize,
}

impl SchemaBudget {
    /// Of a request that has no schema yet.
    pub const fn whole() -> Self {
        Self { tools: TOOLS_MAX, costs: SchemaCosts { optional: OPTIONAL_MAX, unions: UNIONS_MAX } }
    }

    /// Takes what the schema of an answer costs, and tells whether it was there.
    #[must_use]
    pub fn take(&mut self, costs: SchemaCosts) -> bool {
        let left = |have: usize, costs: usize| have.checked_sub(costs);
        match (left(self.costs.optional, costs.optional), left(self.costs.unions, costs.unions)) {
            (Some(optional), Some(unions)) => {
                self.costs = SchemaCosts { optional, unions };
                true
            }
            _ => false,
        }
    }

    /// Takes what a strict tool costs, and tells whether it was there.
    #[must_use]
    pub fn take_tool(&mut self, costs: SchemaCosts) -> bool {
        let takes = self.tools > 0 && self.take(costs);
        self.tools -= usize::from(takes);
        takes
    }
}
