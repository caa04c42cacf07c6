//! Payments on EVM chains: the payer signs an authorization, and our account carries it to the chain in a transaction of its own.

mod claim;
mod finality;
mod inspect;
mod offer;
mod payload;
mod relayer;
mod relayer_number;
mod sign_again;
mod token;
mod typed_data;
mod verify;

pub(super) use claim::unsigned;
pub(super) use inspect::inspect_chain;
pub(super) use offer::EvmOffer;
pub(super) use payload::{PayloadPaths, SubmittedEvmPayment, authorization, is_asked_for, permit, reference};
pub(super) use sign_again::{is_lost, offers};
pub(super) use token::token_of;
pub(super) use typed_data::typed_data;
pub(super) use verify::{VerifiedEvmPayment, verify};

pub use relayer::RelayerNumber;
pub use relayer_number::{NumberReset, NumberResetRefused, NumberResetRequest};
