//! Solana: signatures and signed text, and payments that are read from bytes, which need no connection; and a network that is
//! asked and sent to.
//!
//! Invariant: our key signs one thing only, a [`SolanaPayment`], and one of these exists only where its bytes were read and
//! compared with what is asked for, whole.

mod answers;
mod blockhash;
mod fee_payer;
mod incoming;
mod network;
mod ownership;
mod payment;
mod signature;
#[cfg(test)]
mod tests;
mod token;
mod unsigned;
mod wire;
mod witness;

pub use answers::{MintRefused, Status};
pub use fee_payer::{FeePayer, NotAKeyPair, SolanaSigned};
pub use network::{Lapse, SolanaConfig, SolanaDepth, SolanaNetwork, SolanaUnfit, Tried};
pub use ownership::ownership_text;
pub use payment::{Differs, Part, SolanaAsk, SolanaPayment};
pub use signature::SolanaSignature;
pub use token::{DEV_NETWORK, MAIN_NETWORK, SolanaToken, TokenProgram, usual_tokens};
pub use wire::{NotATransaction, TRANSACTION_BYTES_MAX};
pub use witness::Moved;

pub use super::rpc::RpcError;
