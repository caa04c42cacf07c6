//! What the chain shows of a transaction. The evidence decides: its status, the balances that it has changed, and how many
//! blocks there are.

use crate::chains::solana::{Lapse, Moved, SolanaNetwork, SolanaSigned};

use super::super::conclude::Unknown;
use super::super::look::{Found, not};
use super::super::sql::Kept;

/// After the last block that takes a transaction, it is looked for while so many others become final: some ten minutes.
const WATCHED_BLOCKS: u64 = 1500;

/// Looks for a transaction.
pub(in crate::topup::x402) async fn look(solana: &SolanaNetwork, kept: &Kept) -> Result<Found, Unknown> {
    let transfer = kept.terms.transfer().ok_or_else(|| Unknown::NoToken(kept.new.asset.clone()))?;
    let status = match solana.status(&transfer.signature).await? {
        Some(status) => status,
        None => match solana.lapse(&transfer.signature, transfer.last_height).await? {
            Lapse::Open => return Ok(Found::Waits(None)),
            // Whatever a node says, it is looked for a while longer: what came all the same is credited.
            Lapse::Over(blocks) => {
                return Ok(not("no block has taken the transaction while it was valid", blocks > WATCHED_BLOCKS));
            }
            Lapse::Came(status) => status,
        },
    };
    if !solana.is_deep(&status) {
        return Ok(Found::Waits(Some(status.slot)));
    }
    if status.failed.is_some() {
        return Ok(not("the chain did not carry the payment out", status.is_final));
    }
    let sent = SolanaSigned { raw: kept.call.clone(), signature: transfer.signature };
    match solana.moved(&sent, &transfer.mint, &transfer.to, transfer.amount).await? {
        Moved::Exactly => Ok(Found::Came(transfer.signature.to_string())),
        Moved::Unseen => Ok(Found::Waits(Some(status.slot))),
        Moved::Otherwise => {
            tracing::error!(
                target: "alarm", alarm = "surplus",
                token = %transfer.mint, signature = %transfer.signature, slot = status.slot,
                "the token moved another amount than was signed: nothing is credited, and a person has to look"
            );
            Ok(not("the token moved another amount than was signed", true))
        }
    }
}
