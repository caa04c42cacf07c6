// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `organisation`.

use tollgate_macros::{Wire, WireEnum};

use crate::api;

/// Changes. Absent members stay as they are, null means without limit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: OrganisationChange")]
pub struct OrganisationChange {
    /// The most in a day in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<Option<api::Usd>>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<Option<api::Usd>>,
    /// The most in a month in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<Option<api::Usd>>,
    /// The most in all.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_usd: Option<Option<api::Usd>>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<Option<api::Usd>>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, nullable, max = 253402300799)]
    pub raised_until: Option<Option<i64>>,
}

/// An organisation. A budget that is absent is none.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: Organisation")]
pub struct Organisation {
    /// Its name, which is that of the account.
    pub name: String,
    /// The use of each of its budgets, the shortest time first.
    pub r#use: Vec<BudgetUse>,
    /// The most in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most in all.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<api::Usd>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, max = 253402300799)]
    pub raised_until: Option<i64>,
}

/// A new team: its name and its budgets. An absent budget means unlimited.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: TeamRequest")]
pub struct TeamRequest {
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// The most in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most in all.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<api::Usd>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, max = 253402300799)]
    pub raised_until: Option<i64>,
}

/// Changes. Absent members stay as they are, null means without limit.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: TeamChange")]
pub struct TeamChange {
    /// A name for people. No line breaks.
    #[wire(optional, min_len = 1, max_len = 64)]
    pub name: Option<String>,
    /// The most in a day in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<Option<api::Usd>>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<Option<api::Usd>>,
    /// The most in a month in UTC.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<Option<api::Usd>>,
    /// The most in all.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub budget_usd: Option<Option<api::Usd>>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, nullable, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<Option<api::Usd>>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, nullable, max = 253402300799)]
    pub raised_until: Option<Option<i64>>,
}

/// A team. A budget that is absent is none.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: Team")]
pub struct Team {
    /// Number of the team; it never changes.
    pub team_id: i64,
    /// Its state.
    pub status: TeamStatus,
    /// The number of its keys that are not revoked.
    #[wire(min = 0)]
    pub keys: i64,
    /// The use of each of its budgets, the shortest time first.
    pub r#use: Vec<BudgetUse>,
    /// Time at which it was made.
    pub created_at: i64,
    /// A name for people. No line breaks.
    #[wire(min_len = 1, max_len = 64)]
    pub name: String,
    /// The most in a day in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_day_usd: Option<api::Usd>,
    /// The most in a week in UTC that begins on a Monday.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_week_usd: Option<api::Usd>,
    /// The most in a month in UTC.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_month_usd: Option<api::Usd>,
    /// The most in all.
    #[wire(optional, min = 0, max = 1000000000)]
    pub budget_usd: Option<api::Usd>,
    /// The amount by which each of the budgets is higher until `raised_until`.
    #[wire(optional, min = 0, max = 1000000000)]
    pub raised_by_usd: Option<api::Usd>,
    /// Time at which the raise ends by itself. It goes with `raised_by_usd`.
    #[wire(optional, max = 253402300799)]
    pub raised_until: Option<i64>,
}

/// State of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/organisation.yaml: TeamStatus")]
pub enum TeamStatus {
    /// Its keys may spend.
    #[wire(name = "active")]
    Active,
    /// It has no keys, and gets none.
    #[wire(name = "closed")]
    Closed,
}

/// The use of a budget in the time that is under way.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: BudgetUse")]
pub struct BudgetUse {
    /// The time that the budget is for.
    pub period: BudgetTime,
    /// The budget, with the raise that counts now.
    pub budget_usd: api::Usd,
    /// The part that is spent.
    pub spent_usd: api::Usd,
    /// Held for requests that have not been settled yet.
    pub held_usd: api::Usd,
    /// The part that a new request may still spend. Never below zero.
    pub left_usd: api::Usd,
    /// Time at which it begins anew. Absent means never.
    #[wire(optional)]
    pub resets_at: Option<i64>,
}

/// The time that a budget is for, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/organisation.yaml: BudgetTime")]
pub enum BudgetTime {
    /// From midnight to midnight.
    #[wire(name = "day")]
    Day,
    /// From Monday to Monday.
    #[wire(name = "week")]
    Week,
    /// From the first to the first.
    #[wire(name = "month")]
    Month,
    /// All time, from when the budget was first set.
    #[wire(name = "life")]
    Life,
}

/// Answer of `organisation.show`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: OrganisationReply")]
pub struct OrganisationReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The organisation.
    pub data: Organisation,
}

/// Answer of `teams.create`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: TeamReply")]
pub struct TeamReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The team.
    pub data: Team,
}

/// Answer of `teams.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/organisation.yaml: TeamListReply")]
pub struct TeamListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The teams, closed ones included.
    pub data: Vec<Team>,
}
