//! The evidence that an EVM chain shows of a payment: a receipt, an event, the state of the authorization, and the chain's own
//! time.

use crate::x402::evidence::{ChainEvidence, FailureCause, not, rejected};
use crate::x402::sql::{PendingPayment, RelayerTransaction};
use crate::x402::terms::hex;
use tollgate_chains::evm::{
    AuthorizationExpiry, AuthorizationStatus, ConfirmationDepth, EvmBlock, EvmMethod, EvmNetwork, EvmReceipt, EvmToken,
    PaymentEvidence, RpcError, TransferAuthorization,
};

/// The most seconds that an answering node may be behind.
const BEHIND_SECONDS: i64 = 600;

/// The validity in seconds, at the claim, that is time enough on a chain that works. If it was shorter, the payer has let it end
/// too soon.
const TIME_ENOUGH_SECONDS: i64 = 120;

/// Looks for a payment on its chain.
pub(in crate::x402) async fn inspect_chain(
    evm: &EvmNetwork,
    token: &EvmToken,
    signed: &TransferAuthorization,
    kept: &PendingPayment,
    sends: &[RelayerTransaction],
    now_ms: i64,
) -> Result<ChainEvidence, RpcError> {
    let payment = PaymentInspection { evm, token, signed, settled: evm.settled().await? };
    let had_time = signed.ends(token) - kept.claimed_at_ms / 1000 >= TIME_ENOUGH_SECONDS;
    let mut undone = None;
    if let Some(found) = payment.of_ours(sends, had_time, &mut undone).await? {
        return Ok(found);
    }
    let known = payment.settled.map_or(0, |settled| settled.number);
    if evm.is_spent(token, signed).await? {
        let fate = evm.authorization_status(token, signed, kept.since_block, known).await?;
        return payment.spent(fate).await;
    }
    // The events have to agree. After some minutes nobody waits for a node that is gone: the payment is given up, and looked for
    // until that node has answered too.
    let is_long_over = now_ms / 1000 >= signed.ends(token).saturating_add(BEHIND_SECONDS);
    let lapsed = if payment.is_over_by(0) {
        evm.authorization_expiry(token, signed, is_long_over).await?
    } else {
        AuthorizationExpiry::No
    };
    if lapsed != AuthorizationExpiry::No {
        match evm.authorization_status(token, signed, kept.since_block, known).await? {
            AuthorizationStatus::Unknown => {
                let cause = undone.unwrap_or_else(|| payment.lapsed(had_time));
                return Ok(not("the time of the authorization is over", lapsed == AuthorizationExpiry::ByAll, cause));
            }
            // The amount came otherwise: an operator has to look.
            fate @ AuthorizationStatus::Unnamed(_) => return payment.spent(fate).await,
            AuthorizationStatus::Used(_) | AuthorizationStatus::Cancelled { .. } => {}
        }
    }
    Ok(match undone {
        Some(cause) => not("the chain did not carry the payment out", false, cause),
        None => ChainEvidence::Waits(None),
    })
}

/// The payment that is looked for, and the newest block that is final. There is none if the chain is not that long yet.
struct PaymentInspection<'a> {
    evm: &'a EvmNetwork,
    token: &'a EvmToken,
    signed: &'a TransferAuthorization,
    settled: Option<EvmBlock>,
}

impl PaymentInspection<'_> {
    /// The evidence by our own transactions. None if none of them shows what became of it; one that was not carried out is the
    /// cause in `undone`.
    ///
    /// A first node that has stopped still answers, so where it shows nothing that is deep enough, each node is asked. What one of
    /// them shows is compared with the others all the same, each by its own chain: until enough agree, it waits.
    async fn of_ours(
        &self,
        sends: &[RelayerTransaction],
        had_time: bool,
        undone: &mut Option<FailureCause>,
    ) -> Result<Option<ChainEvidence>, RpcError> {
        let (mut hashes, mut shown, mut contradicted) = (Vec::new(), Vec::new(), None);
        for send in sends {
            let hash = &send.signed.hash;
            match self.evm.receipt(hash).await? {
                Some(receipt) if self.is_deep(receipt.block) => {
                    match self.of_receipt(&receipt, had_time, undone).await {
                        Ok(Some(found)) => return Ok(Some(found)),
                        Ok(None) => {}
                        // Another transaction may be there all the same.
                        Err(error) => contradicted = Some(error),
                    }
                }
                first => {
                    hashes.push(*hash);
                    shown.extend(first);
                }
            }
        }
        let mut settled = None;
        if self.evm.node_count() > 1 && !hashes.is_empty() {
            shown.extend(self.evm.receipts_of_any(&hashes).await?);
            if !shown.is_empty() {
                settled = self.evm.settled_newest().await.map(|settled| settled.number);
            }
        }
        let (mut compared, mut waits) = (Vec::new(), None);
        for receipt in &shown {
            let what = (receipt.hash, receipt.done);
            let found = if settled.is_none_or(|settled| receipt.block > settled) {
                Err(RpcError::Behind)
            } else if compared.contains(&what) {
                continue;
            } else {
                compared.push(what);
                self.of_receipt(receipt, had_time, undone).await
            };
            match found {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                // It is not deep enough, or another node has not got so far or shows another thing: the worker tells if that takes
                // too long.
                Err(_) => waits = Some(waits.map_or(receipt.block, |block: u64| block.min(receipt.block))),
            }
        }
        match contradicted {
            Some(error) => Err(error),
            None => Ok(waits.map(|block| ChainEvidence::Waits(Some(block)))),
        }
    }

    /// The evidence by the receipt of one of our transactions.
    async fn of_receipt(
        &self,
        receipt: &EvmReceipt,
        had_time: bool,
        undone: &mut Option<FailureCause>,
    ) -> Result<Option<ChainEvidence>, RpcError> {
        if receipt.done {
            return self.evidence_of(receipt).await;
        }
        if self.evm.is_undone(&receipt.hash).await? && !matches!(undone, Some(FailureCause::Payer { .. })) {
            *undone = Some(self.refused_in(receipt.block, had_time).await?);
        }
        Ok(None)
    }

    fn is_deep(&self, block: u64) -> bool {
        self.settled.is_some_and(|settled| block <= settled.number)
    }

    /// True if it expired so many seconds before a block that is final. What comes after that block cannot use it any more.
    fn is_over_by(&self, seconds: i64) -> bool {
        let after = self.signed.ends(self.token).saturating_add(seconds);
        self.settled.is_some_and(|settled| i64::try_from(settled.timestamp).is_ok_and(|now| now >= after))
    }

    /// The cause for which a transaction was not carried out in a block. It came too late, or the payer can have seen to it.
    async fn refused_in(&self, block: u64, had_time: bool) -> Result<FailureCause, RpcError> {
        let made_at = self.evm.made_at(block).await?.ok_or(RpcError::Behind)?;
        let is_late = i64::try_from(made_at).is_ok_and(|made_at| made_at >= self.signed.ends(self.token));
        Ok(if is_late && had_time { FailureCause::Chain } else { FailureCause::Payer { block } })
    }

    /// The cause for which no block has a transaction of it that was in time.
    fn lapsed(&self, had_time: bool) -> FailureCause {
        if had_time { FailureCause::Chain } else { FailureCause::Payer { block: self.newest() } }
    }

    fn newest(&self) -> u64 {
        self.settled.map_or(0, |settled| settled.number)
    }

    /// The evidence by a transaction that was carried out. None if it is in no block of the chain any more, or does not say what
    /// for.
    async fn judged(&self, receipt: &EvmReceipt) -> Result<Option<ChainEvidence>, RpcError> {
        if !self.is_deep(receipt.block) {
            return Ok(Some(ChainEvidence::Waits(Some(receipt.block))));
        }
        self.evidence_of(receipt).await
    }

    /// The evidence of the nodes together by a transaction, each by its own chain.
    async fn evidence_of(&self, receipt: &EvmReceipt) -> Result<Option<ChainEvidence>, RpcError> {
        let depth = self.evm.config().depth;
        let (shown, witnesses, block) =
            self.evm.payment_evidence(self.token, self.signed, &receipt.hash, depth).await?;
        let transaction = hex(&receipt.hash);
        Ok(match shown {
            PaymentEvidence::Came => {
                let is_final = depth == ConfirmationDepth::Finalized;
                Some(ChainEvidence::Came { receipt: transaction, block, is_final, witnesses })
            }
            PaymentEvidence::Otherwise(place) => Some(ChainEvidence::Otherwise(format!("{transaction}/{place}"))),
            PaymentEvidence::Nothing => {
                let why = rejected("the authorization was used up, and nothing came of it");
                Some(ChainEvidence::UsedUp { why, by: Some(transaction), block: receipt.block })
            }
            PaymentEvidence::Unclear | PaymentEvidence::Gone => None,
        })
    }

    /// The evidence by the use of an authorization that is used up.
    async fn spent(&self, fate: AuthorizationStatus) -> Result<ChainEvidence, RpcError> {
        Ok(match fate {
            AuthorizationStatus::Used(receipt) => {
                self.judged(&receipt).await?.ok_or_else(|| unreachable("it does not show what came"))?
            }
            AuthorizationStatus::Cancelled { block } if self.is_deep(block) => {
                not("the payer took the authorization back", true, FailureCause::Payer { block })
            }
            AuthorizationStatus::Cancelled { block } => ChainEvidence::Waits(Some(block)),
            AuthorizationStatus::Unnamed(riddles) => {
                let later = riddles.iter().find(|riddle| !self.is_deep(riddle.block)).map(|riddle| riddle.block);
                let deep = riddles.iter().filter(|riddle| self.is_deep(riddle.block));
                let transfers = deep.map(|riddle| format!("{}/{}", hex(&riddle.hash), riddle.place)).collect();
                let block = riddles.iter().map(|riddle| riddle.block).max().unwrap_or(0);
                ChainEvidence::Unnamed { transfers, later, is_all: self.is_over_by(BEHIND_SECONDS), block }
            }
            // Nothing names it, and nothing can any more. The absence of a transfer is shown by what a node does not have, and it
            // may be behind; after so long none is.
            AuthorizationStatus::Unknown
                if self.token.method == EvmMethod::Permit2 && self.is_over_by(BEHIND_SECONDS) =>
            {
                ChainEvidence::UsedUp {
                    why: rejected("the permit was used up otherwise"),
                    by: None,
                    block: self.newest(),
                }
            }
            // It was not spent when it was claimed, so something has used it up: this node has not got that yet, or not any more.
            // Nothing else is signed meanwhile that could not be carried out.
            AuthorizationStatus::Unknown => return Err(unreachable("it has not got an event yet")),
        })
    }
}

fn unreachable(why: &str) -> RpcError {
    RpcError::Unreachable(why.to_owned())
}
