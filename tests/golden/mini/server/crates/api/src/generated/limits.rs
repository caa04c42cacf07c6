// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Bounds on counts, times, sizes and amounts.
use std::time::Duration;
use crate::api;
/// Size of a body. Beyond it: BODY_TOO_LARGE.
pub const BODY: usize = 1024;
/// How deep JSON may be nested.
pub const DEPTH: u32 = 32;
/// Parts of a form.
pub const PARTS: u32 = 8;
/// Longest pause of a body.
pub const SILENCE: Duration = Duration::from_secs(5);
/// How long a body or a relay may take.
pub const PATIENCE: Duration = Duration::from_secs(30);
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
