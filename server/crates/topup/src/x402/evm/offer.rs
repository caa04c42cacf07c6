//! The ways to pay an order on an EVM chain.

use crate::x402::network::PaymentNetwork;
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{EvmNetwork, EvmToken, TokenUnits};

/// One way to pay an order on an EVM chain.
#[derive(Debug, Clone, Copy)]
pub(in crate::x402) struct EvmOffer<'n> {
    pub(in crate::x402) network: &'n PaymentNetwork,
    pub(in crate::x402) evm: &'n EvmNetwork,
    pub(in crate::x402) token: &'n EvmToken,
    pub(in crate::x402) amount: TokenUnits,
    /// A block of the chain before all those that can have what pays the order.
    pub(in crate::x402) since: u64,
}

impl EvmOffer<'_> {
    pub(in crate::x402) fn pay_to(&self) -> EvmAddress {
        self.evm.config().pay_to
    }
}
