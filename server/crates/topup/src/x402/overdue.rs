//! Payments that a chain should have shown by now: its nodes answer, and do not show them, or not deep enough.

use tollgate_api::generated::machines::payment::State;
use tollgate_chains::evm::ConfirmationDepth;

use super::X402Payments;
use super::network::{ChainClient, PaymentNetwork};
use super::settle::SettleOutcome;
use super::sql::PendingPayment;

/// The age of a claimed payment, in milliseconds, from which failed looks raise an alarm. A node of its chain may be gone for good.
pub(super) const UNCONFIRMED_MS: i64 = 3 * 60_000;
/// The longest time between two blocks of a chain, in milliseconds.
const BLOCK_MS: i64 = 15_000;
/// The longest time, in milliseconds, after which a chain that works calls a block safe, and final.
const SAFE_MS: i64 = 20 * 60_000;
const FINALIZED_MS: i64 = 40 * 60_000;

impl X402Payments {
    /// The reason for which a payment that waits is overdue. None if it is not, or does not wait.
    pub(super) fn overdue(
        &self,
        network: &PaymentNetwork,
        kept: &PendingPayment,
        outcome: &SettleOutcome,
    ) -> Option<String> {
        let (SettleOutcome::Waits(block), State::Claimed) = (outcome, kept.state) else { return None };
        let ChainClient::Evm(evm) = &network.chain else { return None };
        let waits_ms = self.topups().now_ms() - kept.claimed_at_ms;
        if waits_ms < UNCONFIRMED_MS.saturating_add(depth_ms(evm.config().depth)) {
            return None;
        }
        Some(match block {
            Some(block) => {
                format!("it is in the block {block}, and not all show it there, or it does not lie deep enough")
            }
            None => "none of them shows it in a block".to_owned(),
        })
    }
}

/// The longest time, in milliseconds, in which a block of a chain that works gets so deep.
fn depth_ms(depth: ConfirmationDepth) -> i64 {
    match depth {
        ConfirmationDepth::Blocks(deep) => i64::try_from(deep).unwrap_or(i64::MAX).saturating_mul(BLOCK_MS),
        ConfirmationDepth::Safe => SAFE_MS,
        ConfirmationDepth::Finalized => FINALIZED_MS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_deeper_may_take_longer() {
        let times = [
            ConfirmationDepth::Blocks(0),
            ConfirmationDepth::Blocks(12),
            ConfirmationDepth::Safe,
            ConfirmationDepth::Finalized,
            ConfirmationDepth::Blocks(u64::MAX),
        ]
        .map(|depth| UNCONFIRMED_MS.saturating_add(depth_ms(depth)));
        assert_eq!(times, [180_000, 360_000, 1_380_000, 2_580_000, i64::MAX]);
    }
}
