//! Payments that are credited and lie in a block that could still be taken back: a chain may be reorganised deeper than the
//! configured depth. Nobody is charged for that by a machine: a person is told, once, and decides. What our account has signed
//! is sent again meanwhile, as anything that is in no block, so that most such payments come a second time.

use crate::chains::evm::{EvmNetwork, Fate, Moved};

use super::super::commit::{Step, commit};
use super::X402;
use super::conclude::{Unknown, token_of};
use super::network::{Chain, Network};
use super::solana;
use super::sql::{self, Kept};
use super::terms::unhex;
use super::worker::LOOKS_IN_VAIN;

/// Where a chain does not say that the block is final, it is looked at for so long after the credit.
const WATCHED_MS: i64 = 30 * 60_000;

/// How a payment stands that is credited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// It cannot be taken back any more.
    ForEver,
    /// In this block, which could be.
    In(u64),
    /// It was.
    Gone,
}

impl X402 {
    /// Looks whether a payment that is credited is in the chain still, after so many looks in a row that did not find it. It is let
    /// be by what a look has told alone: whoever was away for long, or asked nodes that did not answer, looks first.
    pub(super) async fn watch(&self, network: &Network, kept: &mut Kept, vain: u32) -> Result<(), Unknown> {
        let is_long_ago = self.credited_for_ms(kept) > WATCHED_MS;
        let stands = match &network.chain {
            Chain::Evm(evm) => self.stands(evm, kept).await?,
            Chain::Solana(solana) => solana::stands(solana, kept).await?,
        };
        match stands {
            Stands::ForEver => self.close(kept).await.map(drop).map_err(Unknown::from),
            Stands::In(block) => {
                if kept.seen_block.is_none() {
                    let (order, payment) = (kept.order, &kept.new.reference);
                    tracing::warn!(%order, network = network.id, payment, block, "a payment that was taken back is there again");
                }
                self.waits(kept, Some(block)).await?;
                self.let_be(kept, is_long_ago).await
            }
            // A node of another chain knows of no payment of ours.
            Stands::Gone if !network.is_compared() => Ok(()),
            Stands::Gone if vain + 1 < LOOKS_IN_VAIN => Err(Unknown::Missed),
            Stands::Gone => {
                self.taken_back(network, kept).await?;
                self.let_be(kept, is_long_ago).await
            }
        }
    }

    /// Looks no more, where that was long enough.
    async fn let_be(&self, kept: &Kept, is_long_ago: bool) -> Result<(), Unknown> {
        if is_long_ago {
            self.close(kept).await?;
        }
        Ok(())
    }

    /// How long ago a payment was credited.
    pub(super) fn credited_for_ms(&self, kept: &Kept) -> i64 {
        self.topups().now_ms() - kept.decided_at_ms.unwrap_or(kept.claimed_at_ms)
    }

    /// Tells a person, once each time, whoever looks.
    async fn taken_back(&self, network: &Network, kept: &Kept) -> Result<(), Unknown> {
        let topups = self.topups();
        let mut transaction = topups.store.begin().await?;
        if !sql::unseen(&mut transaction, kept.payment).await? {
            return Ok(());
        }
        topups.note_taken_back(&mut transaction, &kept.new.source, &kept.new.reference).await?;
        commit(transaction, Step::Seen, "that a payment was taken back").await?;
        let (order, payment, receipt) = (kept.order, &kept.new.reference, kept.new.receipt.as_deref());
        tracing::error!(
            target: "alarm", alarm = "taken_back",
            %order, network = network.id, payment, transaction = receipt, amount = kept.new.amount, asset = kept.new.asset,
            "a chain has taken back a payment that is credited. Look whether it comes again, which the log tells; where it does \
             not, `tollgate payment chargeback ORDER`. And let payments lie deeper on this chain"
        );
        Ok(())
    }

    /// By the transaction that it was credited by, or another one that has taken its place since: of ours, or of anybody who has
    /// carried the same payment.
    async fn stands(&self, evm: &EvmNetwork, kept: &Kept) -> Result<Stands, Unknown> {
        let Some(by) = kept.new.receipt.as_deref().and_then(unhex) else { return Ok(Stands::ForEver) };
        let seen = kept.seen_block.unwrap_or(kept.since_block);
        let sends = sql::sends_of(self.topups().store.readers(), kept.payment).await?;
        for hash in [by].into_iter().chain(sends.into_iter().map(|send| send.signed.hash)) {
            if let Some(block) = evm.stands(&hash, seen).await? {
                return stands_in(evm, block).await;
            }
        }
        let Ok((token, signed)) = token_of(evm, kept) else { return Ok(Stands::Gone) };
        match evm.fate(token, &signed, kept.since_block, 0).await? {
            Fate::Used(receipt) if receipt.moved(token, &signed) == Moved::Exactly => {
                stands_in(evm, receipt.block).await
            }
            _ => Ok(Stands::Gone),
        }
    }
}

async fn stands_in(evm: &EvmNetwork, block: u64) -> Result<Stands, Unknown> {
    Ok(if evm.is_final(block).await? { Stands::ForEver } else { Stands::In(block) })
}
