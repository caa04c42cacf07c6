//! The ways to pay an order on Solana.

use serde_json::{Value, json};

use tollgate_base::{OrderId, Usd};
use tollgate_chains::SolanaAddress;
use tollgate_chains::solana::{FeePayer, RpcError, SolanaNetwork, SolanaRequirements, SolanaToken};

use super::super::network::PaymentNetwork;
use super::super::sql::AssetFilter;

/// One way to pay an order on Solana.
#[derive(Debug, Clone, Copy)]
pub(in crate::x402) struct SolanaOffer<'n> {
    pub(in crate::x402) network: &'n PaymentNetwork,
    pub(super) solana: &'n SolanaNetwork,
    pub(in crate::x402) token: &'n SolanaToken,
    pub(in crate::x402) amount: u64,
    /// The number of blocks when the order was made.
    pub(super) since: u64,
}

impl<'n> SolanaOffer<'n> {
    /// The ways to pay an amount with wanted tokens of a network.
    pub(in crate::x402) fn all<'a>(
        network: &'n PaymentNetwork,
        solana: &'n SolanaNetwork,
        amount: Usd,
        wish: &'a AssetFilter,
        since: u64,
    ) -> impl Iterator<Item = Self> + use<'n, 'a> {
        let wanted = solana.config().tokens.iter().filter(move |token| wish.allows(&network.id, &token.symbol));
        wanted.filter_map(move |token| Some(Self { network, solana, token, amount: token.units_of(amount)?, since }))
    }

    pub(in crate::x402) fn pay_to(&self) -> SolanaAddress {
        self.solana.config().pay_to
    }

    /// Our account on the chain, which pays the fee.
    pub(super) fn fee_payer(&self) -> &'n FeePayer {
        &self.solana.config().fee_payer
    }

    /// The payment that is asked for, with this memo.
    pub(super) fn ask<'m>(&'m self, memo: &'m str) -> SolanaRequirements<'m> {
        let config = self.solana.config();
        SolanaRequirements {
            fee_payer: config.fee_payer.address(),
            token: self.token,
            pay_to: config.pay_to,
            amount: self.amount,
            memo,
            fee_most: config.fee_most,
        }
    }

    /// The transaction that a wallet is to sign for an order. None if that wallet cannot pay.
    pub(in crate::x402) async fn unsigned(
        &self,
        order: OrderId,
        payer: &SolanaAddress,
    ) -> Result<Option<String>, RpcError> {
        let blockhash = self.solana.blockhash().await?;
        Ok(self.ask(&memo(order)).unsigned(payer, &blockhash))
    }

    /// The rest that a client has to know. It is the account that pays the fee, and the memo that binds its payment to the order.
    /// There is no recent block in it: an order outlives it by far.
    pub(in crate::x402) fn extra(&self, order: OrderId) -> Value {
        json!({"feePayer": self.solana.config().fee_payer.address().to_string(), "memo": memo(order)})
    }
}

/// The memo of a payment for an order.
pub(super) fn memo(order: OrderId) -> String {
    format!("order:{order}")
}
