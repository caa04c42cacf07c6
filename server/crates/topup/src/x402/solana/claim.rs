//! Claiming a Solana transaction for its order, with the bytes that are about to be sent.

use tollgate_store::StoreTransaction;

use super::super::X402Payments;
use super::super::pay::PayRefused;
use super::super::sql::{self, PendingPayment};
use super::super::terms::{SignedTerms, SolanaTransfer};
use super::VerifiedSolanaPayment;
use crate::{CreditOrder, NewPayment, OrderPayment};

impl X402Payments {
    /// Claims the payment for the order. Its name is the transaction's own, by which the chain carries it out once; it is known
    /// before anything is sent, and kept with the signed bytes.
    pub(in crate::x402) async fn claim_transaction(
        &self,
        order: &CreditOrder,
        good: VerifiedSolanaPayment<'_>,
    ) -> Result<PendingPayment, PayRefused> {
        let VerifiedSolanaPayment { offer, payment, fee, since_slot, last_height } = good;
        let (network, token) = (&offer.network.id, offer.token);
        let signed = offer.fee_payer().sign(&payment);
        let transfer = SolanaTransfer {
            mint: token.mint,
            to: token.account_of(&offer.pay_to()),
            amount: offer.amount,
            signature: signed.signature,
            since_slot,
            last_height,
        };
        let new = NewPayment {
            source: network.clone(),
            reference: signed.signature.to_string(),
            asset: token.mint.to_string(),
            amount: offer.amount.to_string(),
            payer: Some(payment.payer().to_string()),
            receipt: None,
        };
        let terms = SignedTerms::of_transfer(&transfer);
        let beside = async |transaction: &mut StoreTransaction, payment: &OrderPayment| {
            sql::keep(transaction, payment.id, network, offer.since, &terms, &signed.raw, Some(fee)).await?;
            self.spends(transaction, offer.network).await
        };
        let claimed = self.topups().claim(order.id, &new, beside).await;
        self.kept(order, claimed, &new).await
    }
}
