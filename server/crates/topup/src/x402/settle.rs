//! Acting on the evidence that a chain shows of a payment.

use crate::payments::quarantine::SET_ASIDE;
use crate::{ConfirmedPayment, CreditOutcome, NewPayment, OrderFailure, PaymentAnomaly};
use tollgate_api::generated::machines::payment::State;
use tollgate_chains::WitnessCount;
use tollgate_chains::evm::RpcError;
use tollgate_store::StoreError;

use super::super::commit::{Step, commit};
use super::evidence::{ChainEvidence, FailureCause, REJECTED};
use super::evm::{inspect_chain, token_of};
use super::network::{ChainClient, PaymentNetwork};
use super::settle_error::SettleError;
use super::sql::{self, PendingPayment};
use super::{X402Payments, solana};

/// The outcome of looking for a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SettleOutcome {
    /// Its order is credited with it, or it is set aside.
    Booked,
    /// It has not come yet; the block that it was seen in, if any.
    Waits(Option<u64>),
    /// It was given up.
    GivenUp(OrderFailure),
}

impl X402Payments {
    /// Looks for a payment and acts on what there is.
    pub(super) async fn settle(
        &self,
        network: &PaymentNetwork,
        kept: &mut PendingPayment,
    ) -> Result<SettleOutcome, SettleError> {
        let topups = self.topups();
        let found = match &network.chain {
            ChainClient::Evm(evm) => {
                let (token, signed) = token_of(evm, kept)?;
                let sends = sql::sends_of(topups.store.readers(), kept.payment).await?;
                inspect_chain(evm, token, &signed, kept, &sends, topups.now_ms()).await?
            }
            ChainClient::Solana(solana) => solana::inspect_chain(network, solana, kept, topups.now_ms()).await?,
        };
        // A node of another chain knows of no payment of ours: that is no evidence.
        let is_evidence =
            network.is_compared() || matches!(found, ChainEvidence::Came { .. } | ChainEvidence::Waits(_));
        if !is_evidence {
            return Err(RpcError::Unreachable("its nodes were not compared with the configuration".to_owned()).into());
        }
        match found {
            ChainEvidence::Came { receipt, block, is_final, witnesses } => {
                self.came(network, kept, receipt, Some(block).filter(|_| !is_final), witnesses).await
            }
            // If it was given up, the block stays that shows by whose doing.
            ChainEvidence::Waits(block) if kept.state == State::Void => Ok(SettleOutcome::Waits(block)),
            ChainEvidence::Waits(block) => self.waits(kept, block).await,
            ChainEvidence::Otherwise(transfer) => self.quarantine_mismatch(kept, transfer).await,
            ChainEvidence::UsedUp { why, by, block } => {
                self.give_up(kept, &why, FailureCause::Payer { block }).await?;
                self.used_up(network, kept, why, by.as_deref()).await
            }
            ChainEvidence::Unnamed { transfers, later, is_all, block } => {
                self.unnamed(kept, &transfers, later, is_all, block).await
            }
            ChainEvidence::Not { why, closed, cause } => {
                self.give_up(kept, &why, cause).await?;
                if closed {
                    self.close_not_come(kept, cause).await?;
                }
                Ok(SettleOutcome::GivenUp(why))
            }
        }
    }

    /// Gives up a payment that did not come, with the block that shows by whose doing. The account's payments at stake are counted
    /// by that, also where the block shows later: a node may have hidden it. The fee stays in the hourly budget of our account.
    async fn give_up(
        &self,
        kept: &mut PendingPayment,
        why: &OrderFailure,
        cause: FailureCause,
    ) -> Result<(), SettleError> {
        let block = match cause {
            FailureCause::Payer { block } => Some(block),
            FailureCause::Chain | FailureCause::Lapsed => None,
        };
        if kept.state == State::Void && kept.seen_block.is_none() && block.is_some() {
            self.waits(kept, block).await?;
        }
        if kept.state != State::Claimed {
            return Ok(());
        }
        self.waits(kept, block).await?;
        self.topups().give_up(&kept.new.source, &kept.new.reference, why).await?;
        Ok(())
    }

    /// Credits a payment. One whose block could still be reorganised is [watched](Self::watch) on.
    async fn came(
        &self,
        network: &PaymentNetwork,
        kept: &mut PendingPayment,
        receipt: String,
        watched: Option<u64>,
        witnesses: WitnessCount,
    ) -> Result<SettleOutcome, SettleError> {
        if watched.is_some() {
            self.waits(kept, watched).await?;
        }
        let payment = NewPayment { receipt: Some(receipt), ..kept.new.clone() };
        let came = ConfirmedPayment { order: kept.order, payment };
        let credited = match witnesses {
            WitnessCount::Two => self.topups().credit(&came).await?,
            WitnessCount::One => self.credit_of_one_node(network, kept, &came).await?,
        };
        if watched.is_none() || matches!(credited, CreditOutcome::SetAside(_)) {
            self.close(kept).await?;
        }
        Ok(SettleOutcome::Booked)
    }

    pub(super) async fn waits(
        &self,
        kept: &mut PendingPayment,
        block: Option<u64>,
    ) -> Result<SettleOutcome, SettleError> {
        if kept.seen_block != block {
            let mut transaction = self.topups().store.begin().await?;
            sql::seen(&mut transaction, kept.payment, block).await?;
            commit(transaction, Step::Seen, "a payment on chain").await?;
            kept.seen_block = block;
        }
        Ok(SettleOutcome::Waits(block))
    }

    /// Sets a payment aside of which another amount came than was signed.
    async fn quarantine_mismatch(&self, kept: &PendingPayment, transfer: String) -> Result<SettleOutcome, SettleError> {
        let NewPayment { source, reference, .. } = &kept.new;
        match self.topups().set_aside(PaymentAnomaly::Otherwise, source, reference, &[transfer], SET_ASIDE).await? {
            Some(why) => {
                self.close(kept).await?;
                Ok(SettleOutcome::GivenUp(why))
            }
            None => Err(RpcError::Unreachable("it shows one transfer for two payments".to_owned()).into()),
        }
    }

    /// Raises one alarm, whichever server looks, for a payment that was given up because it was used up otherwise.
    async fn used_up(
        &self,
        network: &PaymentNetwork,
        kept: &PendingPayment,
        why: OrderFailure,
        by: Option<&str>,
    ) -> Result<SettleOutcome, SettleError> {
        let NewPayment { reference, asset, amount, payer, .. } = &kept.new;
        if self.close(kept).await? {
            let words = match by {
                Some(_) => {
                    "an authorization was used up, and what follows it is not its transfer: nothing is credited, and a person \
                     has to look. Where the money came, `tollgate payment resolve PAYMENT --credit`"
                }
                None => {
                    "a permit was used up otherwise: nothing is credited, and a person may want to look where it went"
                }
            };
            tracing::error!(
                target: "alarm", alarm = "surplus",
                payment_id = kept.payment, order = %kept.order, network = network.id, payment = reference, transaction = by, amount, asset,
                payer = payer.as_deref(), "{words}"
            );
        }
        Ok(SettleOutcome::GivenUp(why))
    }

    /// Sets a payment aside under a transfer that no other payment was set aside under. If there is none, an operator knows of each
    /// transfer that could be it; the payment has failed then, once no other transfer can turn up.
    async fn unnamed(
        &self,
        kept: &mut PendingPayment,
        transfers: &[String],
        later: Option<u64>,
        is_all: bool,
        block: u64,
    ) -> Result<SettleOutcome, SettleError> {
        let topups = self.topups();
        let NewPayment { source, reference, .. } = &kept.new.clone();
        let why = match topups.set_aside(PaymentAnomaly::Unnamed, source, reference, transfers, SET_ASIDE).await? {
            Some(why) => why,
            None if later.is_some() => return self.waits(kept, later).await,
            // Nothing is signed meanwhile that could not be carried out.
            None if !is_all => return Err(RpcError::Unreachable("it has not got a transfer yet".to_owned()).into()),
            None => {
                let detail = "it was used up, and what came beside it was set aside for other payments".to_owned();
                let why = OrderFailure { code: REJECTED.to_owned(), detail };
                topups.report_unattributed(source, reference, transfers).await?;
                self.give_up(kept, &why, FailureCause::Payer { block }).await?;
                why
            }
        };
        self.close(kept).await?;
        Ok(SettleOutcome::GivenUp(why))
    }

    /// Closes a payment that did not come. Where no block took its one transaction it has cost no fee, and leaves the hourly budget
    /// of our account now. Not before: what one look says may be wrong, and a fee that is not counted can be spent again and again.
    async fn close_not_come(&self, kept: &PendingPayment, cause: FailureCause) -> Result<(), StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        if sql::close(&mut transaction, kept.payment).await? && cause == FailureCause::Lapsed {
            sql::give_fee_back(&mut transaction, kept.payment).await?;
        }
        commit(transaction, Step::Close, "a payment on chain").await
    }

    /// Closes a payment that cannot change any more. True if nobody had closed it.
    pub(super) async fn close(&self, kept: &PendingPayment) -> Result<bool, StoreError> {
        let mut transaction = self.topups().store.begin().await?;
        let is_first = sql::close(&mut transaction, kept.payment).await?;
        commit(transaction, Step::Close, "a payment on chain").await?;
        Ok(is_first)
    }
}
