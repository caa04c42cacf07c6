//! Solana, without a connection to it: signatures and signed text.

mod ownership;
mod signature;

pub use ownership::ownership_text;
pub use signature::SolanaSignature;
