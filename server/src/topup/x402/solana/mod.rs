//! Payments on Solana: the payer signs a transaction in which we pay the fee, and we sign it, keep it and send it. It is taken
//! for so many blocks alone; what reached none of them returns to the order.

mod claim;
mod judge;
mod look;
mod offer;
mod payload;

pub(super) use judge::{Good, judge};
pub(super) use look::{look, stands};
pub(super) use offer::SolanaOffer;
pub(super) use payload::Claimed;
