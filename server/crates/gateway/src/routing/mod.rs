//! The models on offer, the order of their candidates, and the meaning of a candidate's failure.
//!
//! Nothing here sends a request.
//!
//! Start reading at [`catalog`]; the order of candidates is made in [`load_balance`], and [`breaker`] leaves the broken ones out.

pub mod blame;
pub mod breaker;
pub mod candidate_error;
pub mod catalog;
pub mod load_balance;
pub mod model;
pub mod model_offer;
pub mod model_pattern;
pub mod provider_history;
pub mod refusal;
pub mod token_bounds;
