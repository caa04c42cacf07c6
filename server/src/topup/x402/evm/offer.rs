//! The ways to pay an order on an EVM chain.

use crate::chains::EvmAddress;
use crate::chains::evm::{EvmNetwork, EvmToken, TokenUnits};
use crate::topup::x402::network::PaymentNetwork;

/// One way to pay an order on an EVM chain.
#[derive(Debug, Clone, Copy)]
pub(in crate::topup::x402) struct EvmOffer<'n> {
    pub(in crate::topup::x402) network: &'n PaymentNetwork,
    pub(in crate::topup::x402) evm: &'n EvmNetwork,
    pub(in crate::topup::x402) token: &'n EvmToken,
    pub(in crate::topup::x402) amount: TokenUnits,
    /// The newest block of the chain when the order was made.
    pub(in crate::topup::x402) since: u64,
}

impl EvmOffer<'_> {
    pub(in crate::topup::x402) fn pay_to(&self) -> EvmAddress {
        self.evm.config().pay_to
    }
}
