// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Bounds on counts, times, sizes and amounts.
use crate::api;
/// Size of a body. Beyond it: BODY_TOO_LARGE.
pub const BODY: usize = 1024;
/// Things at the same time. Per account.
pub const THINGS: u32 = 3;
/// What a thing may cost. Beyond it: TOO_DEAR.
pub const PRICE_USD: api::UsdBounds = api::UsdBounds {
    min: Some(api::Usd::from_nanos(1000000000)),
    max: None,
};

/// The bounds that a deployment may set. What is enforced and what is told come from one value of this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// What a thing may cost. Beyond it: TOO_DEAR.
    pub price_usd: api::UsdBounds,
}

impl Default for Live {
    fn default() -> Self {
        Self { price_usd: PRICE_USD }
    }
}
