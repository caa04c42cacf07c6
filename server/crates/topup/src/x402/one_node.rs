//! The hourly bound of credits on the word of one node, so that a node that lies gets no more than that.

use super::super::commit::commit;
use super::super::{ConfirmedPayment, CreditOutcome};
use super::X402Payments;
use super::network::PaymentNetwork;
use super::settle_error::SettleError;
use super::sql::{self, PendingPayment};

/// The time for which such credits are counted, in milliseconds.
const HOUR_MS: i64 = 3_600_000;

impl X402Payments {
    /// Credits a payment that one node shows, within the hour's bound.
    pub(super) async fn credit_of_one_node(
        &self,
        network: &PaymentNetwork,
        kept: &PendingPayment,
        came: &ConfirmedPayment,
    ) -> Result<CreditOutcome, SettleError> {
        let topups = self.topups();
        let mut transaction = topups.store.begin().await?;
        let credited = topups.credit_in(&mut transaction, came).await?;
        if let CreditOutcome::Now(order) = &credited {
            let (per_hour, now_ms) = (network.config.one_node_per_hour, topups.now_ms());
            // Credits come one after the other, so no other server counts at the same time.
            let before = sql::credited_of_one_node(&mut transaction, &network.id, now_ms - HOUR_MS).await?;
            if before.checked_add(order.amount).is_none_or(|sum| sum > per_hour) {
                if network.one_node.is_due(now_ms) {
                    tracing::error!(
                        target: "alarm", alarm = "one_node",
                        order = %order.id, network = network.id, payment = kept.new.reference, amount_usd = %order.amount,
                        credited_usd = %before, per_hour_usd = %per_hour,
                        "one node of a chain alone shows a payment, and as much as is believed of one within an hour was credited: \
                         look the payment up elsewhere, and see to the chain's other nodes, or configure a second one: it is \
                         credited once two show it, or once the amount of an hour has room for it (`one_node_usd_per_hour`)"
                    );
                }
                return Err(SettleError::OneNode { before, per_hour });
            }
            tracing::warn!(
                order = %order.id, network = network.id, payment = kept.new.reference,
                "a payment is credited by the word of one node alone"
            );
            sql::credit_of_one_node(&mut transaction, &network.id, kept.payment, order.amount, now_ms).await?;
        }
        commit(transaction, credited.step(), "a payment").await?;
        Ok(credited)
    }
}
