//! Money that comes in: wallets, chains, e-wallets, decisions on payments, and the comparison with the world outside.

pub(crate) mod crypto;
mod ewallet;
mod months;
mod payments;
mod reconcile;
pub(crate) mod x402;
