//! The standing of a credited payment on an EVM chain.

use crate::x402::X402Payments;
use crate::x402::evidence::PaymentFinality;
use crate::x402::settle_error::SettleError;
use crate::x402::sql::{self, PendingPayment};
use crate::x402::terms::unhex;
use tollgate_chains::evm::{AuthorizationStatus, EvmNetwork, EvmTransferOutcome};

use super::token::token_of;

impl X402Payments {
    /// The standing by the transaction of the credit, or by another one that has replaced it since. That may be one of ours, or of
    /// anybody who has carried the same payment.
    pub(in crate::x402) async fn finality(
        &self,
        evm: &EvmNetwork,
        kept: &PendingPayment,
    ) -> Result<PaymentFinality, SettleError> {
        let Some(by) = kept.new.receipt.as_deref().and_then(unhex) else { return Ok(PaymentFinality::ForEver(None)) };
        let seen = kept.seen_block.unwrap_or(kept.since_block);
        let sends = sql::sends_of(self.topups().store.readers(), kept.payment).await?;
        for hash in [by].into_iter().chain(sends.into_iter().map(|send| send.signed.hash)) {
            if let Some(block) = evm.block_in_chain(&hash, seen).await? {
                return stands_in(evm, block).await;
            }
        }
        let Ok((token, signed)) = token_of(evm, kept) else { return Ok(PaymentFinality::Gone) };
        match evm.authorization_status(token, &signed, kept.since_block, 0).await? {
            AuthorizationStatus::Used(receipt)
                if receipt.transfer_outcome(token, &signed) == EvmTransferOutcome::Exactly =>
            {
                stands_in(evm, receipt.block).await
            }
            _ => Ok(PaymentFinality::Gone),
        }
    }
}

async fn stands_in(evm: &EvmNetwork, block: u64) -> Result<PaymentFinality, SettleError> {
    Ok(if evm.is_final(block).await? { PaymentFinality::ForEver(Some(block)) } else { PaymentFinality::In(block) })
}
