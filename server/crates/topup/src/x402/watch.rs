//! Reorganisations: credited payments in a block that a chain could still take back, deeper than the configured depth. Nobody is
//! charged for that automatically: an operator is told, once, and decides. Our signed transaction is sent again meanwhile, as any
//! that is in no block, so that most such payments come a second time. That is told as well: who has booked a chargeback by then has
//! to give the credit back.

use super::super::commit::{Step, commit};
use super::evidence::PaymentFinality;
use super::evm::token_of;
use super::network::{ChainClient, PaymentNetwork};
use super::poll_schedule::LOOKS_IN_VAIN;
use super::settle_error::SettleError;
use super::sql::{self, PendingPayment};
use super::{X402Payments, solana};

/// The time after the credit for which a payment is watched, in milliseconds. It applies where the chain does not say that the
/// block is final. One that is in no block is watched as long as anything can carry it, if that is longer.
const WATCHED_MS: i64 = 30 * 60_000;

impl X402Payments {
    /// Checks that a credited payment is still in the chain, after `vain` looks that did not find it. Watching ends by the result
    /// of a look alone: a server that was away for long, or whose nodes did not answer, looks first.
    pub(super) async fn watch(
        &self,
        network: &PaymentNetwork,
        kept: &mut PendingPayment,
        vain: u32,
    ) -> Result<(), SettleError> {
        let is_long_ago = self.credited_for_ms(kept) > WATCHED_MS;
        let stands = match &network.chain {
            ChainClient::Evm(evm) => self.finality(evm, kept).await?,
            ChainClient::Solana(solana) => solana::finality(solana, kept).await?,
        };
        match stands {
            PaymentFinality::ForEver(block) => {
                if let Some(block) = block {
                    self.report_there_again(network, kept, block).await?;
                }
                self.close(kept).await.map(drop).map_err(SettleError::from)
            }
            PaymentFinality::In(block) => {
                self.report_there_again(network, kept, block).await?;
                self.waits(kept, Some(block)).await?;
                self.end_watch_if_due(kept, is_long_ago).await
            }
            // A node of another chain knows of no payment of ours.
            PaymentFinality::Gone if !network.is_compared() => Ok(()),
            PaymentFinality::Gone if vain + 1 < LOOKS_IN_VAIN => Err(SettleError::Missed),
            PaymentFinality::Gone => {
                self.report_reorganised(network, kept).await?;
                self.end_watch_if_due(kept, is_long_ago && self.is_past_its_end(network, kept)).await
            }
        }
    }

    /// Ends the watch if it was long enough.
    async fn end_watch_if_due(&self, kept: &PendingPayment, is_long_ago: bool) -> Result<(), SettleError> {
        if is_long_ago {
            self.close(kept).await?;
        }
        Ok(())
    }

    /// True if nothing can carry a payment any more that is in no block. On Solana that is so of each of those.
    fn is_past_its_end(&self, network: &PaymentNetwork, kept: &PendingPayment) -> bool {
        match &network.chain {
            ChainClient::Evm(evm) => {
                token_of(evm, kept).map_or(true, |(token, signed)| signed.ends(token) <= self.topups().now_ms() / 1000)
            }
            ChainClient::Solana(_) => true,
        }
    }

    /// The time since a payment was credited, in milliseconds.
    pub(super) fn credited_for_ms(&self, kept: &PendingPayment) -> i64 {
        self.topups().now_ms() - kept.decided_at_ms.unwrap_or(kept.claimed_at_ms)
    }

    /// Raises one alarm for a payment that was taken back, whichever server sees it.
    async fn report_reorganised(&self, network: &PaymentNetwork, kept: &PendingPayment) -> Result<(), SettleError> {
        let topups = self.topups();
        let mut transaction = topups.store.begin().await?;
        if !sql::unseen(&mut transaction, kept.payment).await? {
            return Ok(());
        }
        topups.note_reorganised(&mut transaction, &kept.new.source, &kept.new.reference).await?;
        commit(transaction, Step::Seen, "that a payment was taken back").await?;
        let (order, payment, receipt) = (kept.order, &kept.new.reference, kept.new.receipt.as_deref());
        tracing::error!(
            target: "alarm", alarm = "chain_reorg", alarm_before = "taken_back",
            %order, network = network.id, payment, transaction = receipt, amount = kept.new.amount, asset = kept.new.asset,
            "a chain has taken back a payment that is credited. Look whether it comes again, which another alarm tells; where it does \
             not, `tollgate payment chargeback ORDER`. And let payments lie deeper on this chain"
        );
        Ok(())
    }

    /// Raises one alarm for a payment that was taken back and is there again, whichever server sees it.
    async fn report_there_again(
        &self,
        network: &PaymentNetwork,
        kept: &mut PendingPayment,
        block: u64,
    ) -> Result<(), SettleError> {
        if kept.seen_block.is_some() {
            return Ok(());
        }
        let mut transaction = self.topups().store.begin().await?;
        if !sql::seen_again(&mut transaction, kept, block).await? {
            return Ok(());
        }
        commit(transaction, Step::Seen, "that a payment is there again").await?;
        kept.seen_block = Some(block);
        let (order, payment, receipt) = (kept.order, &kept.new.reference, kept.new.receipt.as_deref());
        tracing::error!(
            target: "alarm", alarm = "chain_reorg",
            %order, network = network.id, payment, transaction = receipt, block, amount = kept.new.amount,
            asset = kept.new.asset,
            "a credited payment that a chain had taken back is there again. Where a chargeback was booked for it, give the credit back \
             by `tollgate credit grant`: `tollgate audit --chains` names it. Otherwise there is nothing to do"
        );
        Ok(())
    }
}
