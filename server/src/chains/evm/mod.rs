//! EVM chains: signatures and typed data, which need no connection; and a chain that is asked and sent to.

mod authorization;
mod fate;
mod incoming;
mod network;
mod ownership;
mod permit2;
mod relayer;
mod search;
mod signature;
mod token;
mod units;
mod wire;
mod witness;

pub use authorization::{Authorization, PaymentSignature, SignedBy};
pub use fate::Lapsed;
pub use network::{Depth, EvmConfig, EvmNetwork, Fate, GAS_MAX, Riddle, Unfit};
pub use ownership::ownership_digest;
pub use permit2::permit2_spender;
pub use relayer::{Call, Fees, NotAKey, NotSigned, Price, Relayer, Signed};
pub use signature::EvmSignature;
pub use token::{EvmMethod, EvmToken};
pub use units::{NotUnits, Units};
pub use wire::{Block, Moved, Receipt};
pub use witness::Shown;

pub use super::rpc::RpcError;
