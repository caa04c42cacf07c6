//! The evidence that Solana shows of a transaction: its status, the balances that it has changed, and the number of blocks.

use crate::x402::evidence::{ChainEvidence, FailureCause, PaymentFinality, not};
use crate::x402::settle_error::SettleError;
use tollgate_api::generated::machines::payment::State;
use tollgate_chains::solana::{
    RpcError, SolanaNetwork, SolanaSignedTransaction, SolanaTransferOutcome, TransactionExpiry,
};

use super::super::network::PaymentNetwork;
use super::super::sql::PendingPayment;

/// The blocks, some ten minutes, for which a transaction is looked for after the last block that accepts it. After it was given up
/// it is looked for as long: a server that comes back later has looked once, and one look may be wrong.
const WATCHED_BLOCKS: u64 = 1500;
const WATCHED_MS: i64 = 600_000;

/// Looks for a transaction on its chain.
pub(in crate::x402) async fn inspect_chain(
    network: &PaymentNetwork,
    solana: &SolanaNetwork,
    kept: &PendingPayment,
    now_ms: i64,
) -> Result<ChainEvidence, SettleError> {
    let transfer = kept.terms.transfer().ok_or_else(|| SettleError::NoToken(kept.new.asset.clone()))?;
    let status = match solana.status(&transfer.signature).await? {
        Some(status) => status,
        None => {
            match solana.transaction_expiry(&transfer.signature, transfer.since_slot, transfer.last_height).await? {
                TransactionExpiry::Open => return Ok(ChainEvidence::Waits(None)),
                // Whatever a node says, it is looked for a while longer: what came all the same is credited.
                TransactionExpiry::Over(blocks) => {
                    let closed = blocks > WATCHED_BLOCKS && was_watched(kept, now_ms);
                    return Ok(not(
                        "no block has taken the transaction while it was valid",
                        closed,
                        FailureCause::Lapsed,
                    ));
                }
                TransactionExpiry::Forgotten => {
                    if network.forgotten.is_due(now_ms) {
                        tracing::error!(
                            target: "alarm", alarm = "history_pruned", alarm_before = "forgotten",
                            network = network.id, order = %kept.order, signature = %transfer.signature,
                            "no node has blocks so old that they tell what became of a payment: configure one that has, or look for \
                            the transaction elsewhere"
                        );
                    }
                    return Err(RpcError::Unreachable("it has forgotten the time of the payment".to_owned()).into());
                }
                TransactionExpiry::Came(status) => status,
            }
        }
    };
    if !solana.is_deep(&status) {
        return Ok(ChainEvidence::Waits(Some(status.slot)));
    }
    let sent = SolanaSignedTransaction { raw: kept.call.clone(), signature: transfer.signature };
    let (moved, witnesses) = solana.transfer_outcome(&sent, &transfer.mint, &transfer.to, transfer.amount).await?;
    match moved {
        SolanaTransferOutcome::Exactly => {
            let receipt = transfer.signature.to_string();
            Ok(ChainEvidence::Came { receipt, block: status.slot, is_final: status.is_final, witnesses })
        }
        SolanaTransferOutcome::Unseen => Ok(ChainEvidence::Waits(Some(status.slot))),
        SolanaTransferOutcome::Otherwise => Ok(ChainEvidence::Otherwise(transfer.signature.to_string())),
        // Whatever the nodes say, it is looked for a while longer.
        SolanaTransferOutcome::Failed => {
            let closed = status.is_final && was_watched(kept, now_ms);
            let cause = FailureCause::Payer { block: status.slot };
            Ok(not("the chain did not carry the payment out", closed, cause))
        }
    }
}

/// The standing of a credited transaction on the chain.
pub(in crate::x402) async fn finality(
    solana: &SolanaNetwork,
    kept: &PendingPayment,
) -> Result<PaymentFinality, SettleError> {
    let transfer = kept.terms.transfer().ok_or_else(|| SettleError::NoToken(kept.new.asset.clone()))?;
    Ok(match solana.status(&transfer.signature).await? {
        Some(status) if status.is_final && status.failed.is_some() => PaymentFinality::Gone,
        Some(status) if status.is_final => PaymentFinality::ForEver(Some(status.slot)),
        Some(status) => PaymentFinality::In(status.slot),
        None => {
            match solana.transaction_expiry(&transfer.signature, transfer.since_slot, transfer.last_height).await? {
                TransactionExpiry::Over(_) => PaymentFinality::Gone,
                TransactionExpiry::Came(status) => PaymentFinality::In(status.slot),
                // A block may have it still.
                TransactionExpiry::Open | TransactionExpiry::Forgotten => {
                    return Err(RpcError::Unreachable("it has not got it now".to_owned()).into());
                }
            }
        }
    })
}

/// True if a payment was given up so long ago that it would have been seen since.
fn was_watched(kept: &PendingPayment, now_ms: i64) -> bool {
    let given_up_ms = kept.decided_at_ms.filter(|_| kept.state == State::Void);
    given_up_ms.is_some_and(|given_up_ms| now_ms - given_up_ms >= WATCHED_MS)
}
