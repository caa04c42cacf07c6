//! Payments on Solana: the payer signs a transaction in which we pay the fee, and we sign it, keep it and send it. A limited number
//! of blocks accepts it; if none has, the order can be paid again.

mod claim;
mod judge;
mod look;
mod offer;
mod payload;

pub(super) use judge::{Good, judge};
pub(super) use look::{look, stands};
pub(super) use offer::SolanaOffer;
pub(super) use payload::Claimed;
