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
mod transfer_evidence;
mod unsigned;
mod wire;

pub use answers::{SignatureStatus, TokenMintError};
pub use fee_payer::{FeePayer, KeyPairParseError, SolanaSignedTransaction};
pub use network::{SimulationOutcome, SolanaConfig, SolanaDepth, SolanaNetwork, SolanaSetupError, TransactionExpiry};
pub use ownership::ownership_text;
pub use payment::{SolanaPayment, SolanaPaymentMismatch, SolanaPaymentPart, SolanaRequirements};
pub use signature::SolanaSignature;
pub use token::{DEV_NETWORK, MAIN_NETWORK, SolanaToken, TokenProgram, usual_tokens};
pub use transfer_evidence::SolanaTransferOutcome;
pub use wire::{TRANSACTION_BYTES_MAX, TransactionParseError};

pub use super::rpc::RpcError;
