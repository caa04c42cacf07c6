// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `billing`.

use tollgate_macros::Wire;

use crate::api;

/// The budget of a key.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/billing.yaml: Subscription", open)]
pub struct Subscription {
    /// `object`.
    #[wire(literal = "billing_subscription")]
    pub object: &'static str,
    /// The budget of the key for its whole life; where it has none, that of a month, of a week, or else of a day.
    /// 100000000 when it has none of its own.
    pub hard_limit_usd: api::Usd,
    /// Equal to `hard_limit_usd`.
    pub soft_limit_usd: api::Usd,
    /// Equal to `hard_limit_usd`.
    pub system_hard_limit_usd: api::Usd,
    /// Time at which the key ends; 0 when it does not.
    pub access_until: i64,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}

/// Spending of a key.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/billing.yaml: BillingUsage", open)]
pub struct BillingUsage {
    /// `object`.
    #[wire(literal = "list")]
    pub object: &'static str,
    /// Sum of the key's charges, in US cents: an exact decimal.
    pub total_usage: api::Number,
    /// Members that the spec does not know, as they came.
    #[wire(rest)]
    pub rest: api::Rest,
}
