//! Claiming an EVM payment for its order, with the bytes that are about to be sent.

use crate::x402::X402Payments;
use crate::x402::pay::PayRefused;
use crate::x402::sql::{self, PendingPayment, RelayerTransaction};
use crate::x402::terms::SignedTerms;
use crate::{CreditOrder, NewPayment, OrderPayment};
use tollgate_store::{StoreError, StoreTransaction};

use super::payload::reference;
use super::verify::{PaymentCarrier, VerifiedEvmPayment};

impl X402Payments {
    /// Claims the payment for the order, with all that finds it again. The bytes that are about to be sent are kept with it.
    pub(in crate::x402) async fn claim(
        &self,
        order: &CreditOrder,
        good: VerifiedEvmPayment<'_>,
    ) -> Result<PendingPayment, PayRefused> {
        let (offer, signed) = (good.claimed.offer, &good.claimed.signed);
        let (network, evm) = (&offer.network.id, offer.evm);
        let terms = SignedTerms::of(offer.token, signed);
        let new = NewPayment {
            source: network.clone(),
            reference: reference(offer.token, signed),
            asset: offer.token.address.to_string(),
            amount: signed.value.to_string(),
            payer: Some(signed.from.to_string()),
            receipt: None,
        };
        let now_ms = self.topups().now_ms();
        let relayer = evm.config().relayer.address().to_string();
        if let PaymentCarrier::Us { sent, .. } = good.carrier
            && !self.may_be_so_many(offer.network, &relayer, sent).await?
        {
            return Err(PayRefused::Unreachable(order.clone(), network.clone()));
        }
        let beside = async |transaction: &mut StoreTransaction, payment: &OrderPayment| {
            let fee = match good.carrier {
                PaymentCarrier::Us { gas, fees, data_fee, .. } => Some(offer.network.worth(gas, fees, data_fee)),
                PaymentCarrier::Another => None,
            };
            sql::keep(transaction, payment.id, network, offer.since, &terms, &good.call, fee).await?;
            let PaymentCarrier::Us { sent, gas, fees, .. } = good.carrier else { return Ok(()) };
            self.spends(transaction, offer.network).await?;
            let (nonce, turn) = sql::next_nonce(transaction, network, &relayer, sent).await?;
            let made = evm.sign(nonce, &offer.token.settlement_contract(), &good.call, gas, fees).map_err(unsigned)?;
            let (payment, signed_at_ms, relayer) = (payment.id, now_ms, relayer.clone());
            let send = RelayerTransaction { signed: made, relayer, nonce, turn, payment, gas, fees, signed_at_ms };
            Ok(sql::signed(transaction, network, &send).await?)
        };
        let claimed = match good.carrier {
            PaymentCarrier::Us { .. } => self.topups().claim(order.id, &new, beside).await,
            PaymentCarrier::Another => self.topups().claim_carried(order.id, &new, beside).await,
        };
        self.kept(order, claimed, &new).await
    }
}

/// The error of a key of ours that could not sign.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
pub(in crate::x402) fn unsigned(error: tollgate_chains::evm::TransactionSignError) -> StoreError {
    StoreError::Unreadable { what: "the key of our account on a chain", found: error.to_string() }
}
