//! What the chain shows of a payment. The evidence decides: a receipt, an event, the state of the authorization, and the
//! chain's own time.

use crate::chains::evm::{Authorization, EvmMethod, EvmNetwork, EvmToken, Fate, Receipt, RpcError};

use super::super::Failed;
use super::sql::{Kept, Send};
use super::terms::hex;

/// The code of payments that did not come, as the pay operation has it.
pub(super) const REJECTED: &str = "X402_PAYMENT_REJECTED";

/// How far behind a node may be that still answers.
const BEHIND_SECONDS: i64 = 600;

/// What is known of a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// The money is there, deep enough, by this transaction.
    Came(String),
    /// Not yet; the block that it was seen in, where it was seen in one.
    Waits(Option<u64>),
    /// It did not come. Where it is not `closed`, it still could.
    Not { why: Failed, closed: bool },
    /// The amount came, and nothing shows that it came for this payment.
    Unnamed {
        /// By these transfers, deep enough: a transaction each, and the place in its block.
        transfers: Vec<String>,
        /// The block of one that is not deep enough.
        later: Option<u64>,
        /// Whether every node has what there is, by the chain's own time.
        is_all: bool,
    },
}

/// Looks for a payment.
pub(super) async fn look(
    evm: &EvmNetwork,
    token: &EvmToken,
    signed: &Authorization,
    kept: &Kept,
    sends: &[Send],
) -> Result<Found, RpcError> {
    // None, where the chain is not that long yet.
    let settled = evm.settled().await?;
    let is_deep = |block: u64| settled.is_some_and(|settled| block <= settled.number);
    let judged = |receipt: &Receipt| {
        if !is_deep(receipt.block) {
            return Found::Waits(Some(receipt.block));
        }
        if receipt.moved(token, signed) {
            return Found::Came(hex(&receipt.hash));
        }
        tracing::error!(
            target: "alarm", alarm = "surplus",
            token = %token.address, payer = %signed.from, block = receipt.block,
            "the token moved another amount than was signed: nothing is credited, and a person has to look"
        );
        not("the token moved another amount than was signed", true)
    };
    let mut undone = false;
    for send in sends {
        match evm.receipt(&send.signed.hash).await? {
            Some(receipt) if receipt.done => return Ok(judged(&receipt)),
            Some(receipt) if !is_deep(receipt.block) => return Ok(Found::Waits(Some(receipt.block))),
            Some(_) => undone = true,
            None => {}
        }
    }
    let known = settled.map_or(0, |settled| settled.number);
    let ends = signed.ends(token);
    // By the time of a block that is final: whatever comes after it cannot use the authorization any more.
    let over_by = |seconds: i64| {
        let after = ends.saturating_add(seconds);
        settled.is_some_and(|settled| i64::try_from(settled.timestamp).is_ok_and(|now| now >= after))
    };
    let over = over_by(0);
    if evm.is_spent(token, signed).await? {
        return Ok(match evm.fate(token, signed, kept.since_block, known).await? {
            Fate::Used(receipt) => judged(&receipt),
            Fate::Cancelled { block } if is_deep(block) => not("the payer took the authorization back", true),
            Fate::Cancelled { block } => Found::Waits(Some(block)),
            Fate::Unnamed(riddles) => {
                let later = riddles.iter().find(|riddle| !is_deep(riddle.block)).map(|riddle| riddle.block);
                let deep = riddles.iter().filter(|riddle| is_deep(riddle.block));
                let transfers = deep.map(|riddle| format!("{}/{}", hex(&riddle.hash), riddle.place)).collect();
                Found::Unnamed { transfers, later, is_all: over_by(BEHIND_SECONDS) }
            }
            // Nothing names it, and nothing can any more. That there was no transfer is told by what a node does not have, and it
            // may be behind: so long that none is.
            Fate::Unknown if over_by(BEHIND_SECONDS) && token.method == EvmMethod::Permit2 => {
                tracing::error!(
                    target: "alarm", alarm = "surplus",
                    token = %token.address, payer = %signed.from, payment = kept.new.reference,
                    "a permit was used up otherwise: nothing is credited, and a person may want to look where it went"
                );
                not("the permit was used up otherwise", true)
            }
            // It was not spent when it was claimed, so there is such an event: this node has not got it yet. Nothing is signed
            // meanwhile that could not be carried out.
            Fate::Unknown => return Err(RpcError::Unreachable("it has not got an event yet".to_owned())),
        });
    }
    // Several nodes may answer to one address, some of them late. What is said here is said of a block of those after the end, by a
    // node that has it; and what the events say has to agree.
    if over
        && evm.is_unspent_beyond(token, signed, known).await?
        && evm.fate(token, signed, kept.since_block, known).await? == Fate::Unknown
    {
        return Ok(not("the time of the authorization is over", true));
    }
    Ok(if undone { not("the chain did not carry the payment out", false) } else { Found::Waits(None) })
}

/// It did not come, for this reason.
pub(super) fn not(detail: &str, closed: bool) -> Found {
    Found::Not { why: Failed { code: REJECTED.to_owned(), detail: detail.to_owned() }, closed }
}
