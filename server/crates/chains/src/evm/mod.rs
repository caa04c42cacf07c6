//! EVM chains: signatures and typed data, which need no connection; and a chain that is asked and sent to.

mod all_nodes;
mod authorization;
mod authorization_status;
mod data_fee;
mod event_searches;
mod incoming;
mod network;
mod ownership;
mod payment_evidence;
mod permit2;
mod permit2_contract;
mod relayer;
mod search;
mod signature;
mod token;
mod units;
mod wire;

pub use authorization::{PaymentSignature, SignatureOrigin, TransferAuthorization};
pub use authorization_status::AuthorizationExpiry;
pub use network::{
    AmbiguousUse, AuthorizationStatus, ConfirmationDepth, EvmConfig, EvmNetwork, EvmSetupError, GAS_MAX, gas_least,
};
pub use ownership::ownership_digest;
pub use payment_evidence::PaymentEvidence;
pub use permit2_contract::permit2_spender;
pub use relayer::{
    GasFees, GasPrice, PrivateKeyParseError, Relayer, RelayerCall, SignedTransaction, TransactionSignError,
};
pub use signature::EvmSignature;
pub use token::{EvmMethod, EvmToken};
pub use units::{TokenUnits, TokenUnitsParseError};
pub use wire::{EvmBlock, EvmReceipt, EvmTransferOutcome};

pub use super::rpc::RpcError;
