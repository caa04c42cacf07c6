//! The alarms for a transaction of our account that holds up all later ones.

use super::X402Payments;
use super::network::PaymentNetwork;
use super::sql::RelayerTransaction;

/// The age of the first transaction of a number, in milliseconds, from which it is told that no block takes it, also where more can
/// be offered. Blocks of the slowest chains come some fifteen times meanwhile.
const SLOW_MS: i64 = 3 * 60_000;

impl X402Payments {
    /// Raises an alarm for a number that no block has taken for minutes, while its fee is raised.
    pub(super) fn alarm_slow(&self, network: &PaymentNetwork, stuck: &RelayerTransaction, since_ms: i64) {
        let now_ms = self.topups().now_ms();
        let waits_ms = now_ms - since_ms;
        if waits_ms > SLOW_MS && network.stuck.is_due(now_ms) {
            tracing::error!(
                target: "alarm", alarm = "relayer", network = network.id, nonce = stuck.nonce, fee_wei = stuck.fees.most,
                seconds = waits_ms / 1000,
                "a transaction of ours has not been taken into a block for minutes; all later ones wait for it. Its fee is raised each \
                 half minute, up to the most that may be paid (a tenth of its order, `fee_gwei_max`, and what is left of \
                 `relayer_usd_per_hour`). Look whether the nodes pass on what is sent to them; to be quicker, send any transaction of \
                 that number from our account"
            );
        }
    }

    /// Raises an alarm for a number that some node has had in a block for minutes, and the first has not.
    pub(super) fn alarm_contradicted(&self, network: &PaymentNetwork, stuck: &RelayerTransaction, since_ms: i64) {
        let now_ms = self.topups().now_ms();
        let waits_ms = now_ms - since_ms;
        if waits_ms > SLOW_MS && network.stuck.is_due(now_ms) {
            tracing::error!(
                target: "alarm", alarm = "relayer", network = network.id, nonce = stuck.nonce, seconds = waits_ms / 1000,
                "a node of a chain says that a number of our account is used, and another has said for minutes that it is not: see to \
                 the one that has stopped or is wrong, or put another in its place in `rpc_urls`. What waits for that number is sent \
                 on, and its fee is not raised meanwhile"
            );
        }
    }

    /// Raises an alarm for a transaction for which nothing more may be offered.
    pub(super) fn alarm_stuck(&self, network: &PaymentNetwork, stuck: &RelayerTransaction) {
        if network.stuck.is_due(self.topups().now_ms()) {
            tracing::error!(
                target: "alarm", alarm = "relayer", network = network.id, nonce = stuck.nonce, fee_wei = stuck.fees.most,
                "a transaction of ours is not taken into a block for the most that may be paid (a tenth of its order, `fee_gwei_max`, \
                 and what is left of `relayer_usd_per_hour`); all later ones wait for it. It goes on by itself once the chain asks \
                 less; to be quicker, send any transaction of that number from our account, or raise the bound"
            );
        }
    }
}
