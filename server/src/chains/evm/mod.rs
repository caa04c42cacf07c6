//! EVM chains, without a connection to one: signatures and typed data.

mod ownership;
mod signature;

pub use ownership::ownership_digest;
pub use signature::EvmSignature;
