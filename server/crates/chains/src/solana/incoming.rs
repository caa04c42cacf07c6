//! Every transfer of a configured token to the token accounts of `pay_to` in a span of time, as one node of the network tells it,
//! by the balances before and after each transaction.

use std::collections::BTreeSet;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::json;

use crate::incoming::{QUESTIONS_MAX, QuestionBudget, is_current};
use crate::rpc::RpcError;
use crate::{IncomingScan, IncomingTransfer, SolanaAddress};

use super::answers::{SignatureWire, SolanaTransactionWire};
use super::{SolanaDepth, SolanaNetwork, SolanaToken};

/// Signatures of one answer: the most that a node gives.
const PAGE: usize = 1_000;
/// Transactions that are asked for at the same time.
const AT_ONCE: usize = 4;

impl SolanaNetwork {
    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.rpc.count()
    }

    /// Transfers of the configured tokens to `pay_to` since a time that are confirmed, or where payments have to lie deeper, final as
    /// this node says. Times are unix seconds.
    ///
    /// # Errors
    /// When the node does not answer, does not have what it names, has had no new block for an hour, or would have to be asked more
    /// than one comparison asks.
    pub async fn incoming(&self, node: usize, since_seconds: u64, now_seconds: u64) -> Result<IncomingScan, RpcError> {
        let at = json!({"commitment": self.commitment()});
        let slot: u64 = self.rpc.ask_patiently(node, "getSlot", [at]).await?;
        let newest: Option<i64> = self.rpc.ask_patiently(node, "getBlockTime", [slot]).await?;
        let newest = newest.and_then(|newest| u64::try_from(newest).ok());
        let untold = || RpcError::Unreachable("it does not tell when its newest block was made".to_owned());
        is_current(newest.ok_or_else(untold)?, now_seconds)?;
        let (mut transfers, mut budget) = (Vec::new(), QuestionBudget::new(QUESTIONS_MAX));
        for token in &self.config().tokens {
            let account = token.account_of(&self.config().pay_to);
            let signatures = self.signatures_of(node, &account, since_seconds, &mut budget).await?;
            let asked: Vec<_> = signatures.iter().map(|signature| self.incoming_in(node, signature, token)).collect();
            let told: Vec<Option<IncomingTransfer>> = stream::iter(asked).buffered(AT_ONCE).try_collect().await?;
            transfers.extend(told.into_iter().flatten());
        }
        Ok(IncomingScan { transfers, left_out: None })
    }

    /// Transfers of the configured tokens to `pay_to` in one transaction. None where this node does not have it in a block, or it was
    /// not carried out.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn incoming_by(&self, node: usize, transaction: &str) -> Result<Option<Vec<IncomingTransfer>>, RpcError> {
        let Some(found) = self.transaction(node, transaction).await?.filter(|found| !found.failed()) else {
            return Ok(None);
        };
        let incoming = |token| self.gained(&found, transaction, token, None);
        Ok(Some(self.config().tokens.iter().filter_map(incoming).collect()))
    }

    fn commitment(&self) -> &'static str {
        match self.config().depth {
            SolanaDepth::Blocks(0) => "confirmed",
            SolanaDepth::Blocks(_) | SolanaDepth::Finalized => "finalized",
        }
    }

    /// Transactions of a token account that were carried out since a time, the newest first. Nodes may give less than was asked for,
    /// so that only an empty page is the last.
    async fn signatures_of(
        &self,
        node: usize,
        account: &SolanaAddress,
        since_seconds: u64,
        budget: &mut QuestionBudget,
    ) -> Result<Vec<SignatureWire>, RpcError> {
        let (mut found, mut named, mut before) = (Vec::new(), BTreeSet::new(), None::<String>);
        loop {
            budget.take()?;
            let how = json!({"limit": PAGE, "before": before, "commitment": self.commitment()});
            let page: Vec<SignatureWire> =
                self.rpc.ask_patiently(node, "getSignaturesForAddress", (account.to_string(), how)).await?;
            before = page.last().map(|last| last.signature.clone());
            let (mut is_over, mut is_new) = (page.is_empty(), false);
            for signature in page {
                // A node need not tell the time of a block: one without is looked at.
                let is_before = signature.block_time.is_some_and(|at| at < since_seconds);
                is_over |= is_before;
                is_new |= named.insert(signature.signature.clone());
                if !is_before && signature.err.is_none() {
                    // Its transaction is asked for.
                    budget.take()?;
                    found.push(signature);
                }
            }
            // One that tells the same again and again would be asked for ever.
            if is_over || !is_new {
                return Ok(found);
            }
        }
    }

    async fn incoming_in(
        &self,
        node: usize,
        signature: &SignatureWire,
        token: &SolanaToken,
    ) -> Result<Option<IncomingTransfer>, RpcError> {
        let found = self.transaction(node, &signature.signature).await?.ok_or(RpcError::Behind)?;
        Ok(self.gained(&found, &signature.signature, token, signature.memo.as_deref()))
    }

    async fn transaction(&self, node: usize, signature: &str) -> Result<Option<SolanaTransactionWire>, RpcError> {
        let commitment = self.commitment();
        let how = json!({"encoding": "base64", "commitment": commitment, "maxSupportedTransactionVersion": 0});
        self.rpc.ask_patiently(node, "getTransaction", (signature, how)).await
    }

    /// The transfer of a token to `pay_to` by a transaction; none where it has no more than before.
    fn gained(
        &self,
        found: &SolanaTransactionWire,
        signature: &str,
        token: &SolanaToken,
        memo: Option<&str>,
    ) -> Option<IncomingTransfer> {
        let changes = found.changes(&token.mint);
        let us = self.config().pay_to;
        let amount = u128::try_from(*changes.get(&us)?).ok().filter(|amount| *amount > 0)?;
        let payer = changes.iter().filter(|(_, change)| **change < 0).min_by_key(|(_, change)| **change);
        Some(IncomingTransfer {
            transaction: signature.to_owned(),
            place: None,
            asset: token.mint.to_string(),
            payer: payer.map(|(payer, _)| payer.to_string()),
            amount,
            block: found.slot,
            at_seconds: found.block_time,
            memo: memo.map(str::to_owned),
        })
    }
}

#[cfg(test)]
mod tests;
