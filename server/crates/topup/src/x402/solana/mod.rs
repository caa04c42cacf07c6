//! Payments on Solana: the payer signs a transaction in which we pay the fee, and we sign it, keep it and send it. A limited number
//! of blocks accepts it; if none has, the order can be paid again.

mod claim;
mod inspect;
mod offer;
mod payload;
mod verify;

pub(super) use inspect::{finality, inspect_chain};
pub(super) use offer::SolanaOffer;
pub(super) use payload::SubmittedSolanaPayment;
pub(super) use verify::{VerifiedSolanaPayment, verify};
