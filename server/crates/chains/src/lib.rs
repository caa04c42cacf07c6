//! Floor 2: EVM chains and Solana, with their addresses, signatures and proofs of ownership.
//!
//! Imports `base` and `net`; the packages that know a chain (alloy, ed25519-dalek, bs58) are named here and nowhere else, and its
//! nodes are spoken to from here. Knows nothing of accounts, agents and orders, and keeps no state. Invariants: an address that
//! exists is well formed and has one way to be written, by which it is stored and compared; a signature is accepted in one
//! encoding only, so that nobody can turn one that was seen into another that is valid too.
//! Start reading at [`OwnershipStatement::verify`], [`evm::EvmNetwork`] and [`solana::SolanaNetwork`].

mod address;
mod error;
pub mod evm;
#[cfg(test)]
mod fake_node;
mod incoming;
mod node_quorum;
mod ownership;
mod ownership_proof;
mod rpc;
mod sign_in_message;
pub mod solana;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use address::{ChainFamily, EvmAddress, SolanaAddress, WalletAddress, WalletParseError};
pub use error::{OwnershipProofError, SignatureParseError, SignerMismatch};
pub use evm::{EvmSignature, ownership_digest};
pub use incoming::{IncomingScan, IncomingTransfer, SkippedBlocks};
pub use node_quorum::WitnessCount;
pub use ownership::OwnershipStatement;
pub use sign_in_message::SignInMessage;
pub use solana::{SolanaSignature, ownership_text};
