//! The evidence of the nodes of a network for a transaction that is in a block: the answers of one node have to agree with each
//! other.

use futures_util::stream::FuturesUnordered;
use serde_json::json;

use crate::SolanaAddress;
use crate::node_quorum::{WitnessCount, quorum_answer};
use crate::rpc::RpcError;

use super::answers::{SignatureStatusWire, SlotValue, SolanaTransactionWire};
use super::network::{asked, status_of};
use super::wire::SolanaTransaction;
use super::{SolanaDepth, SolanaNetwork, SolanaSignedTransaction};

/// The effect of a transaction in a block on the account that is paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolanaTransferOutcome {
    /// The account that is paid has exactly so much more.
    Exactly,
    /// It has more, and not so much.
    Otherwise,
    /// Nothing: it was not carried out.
    Failed,
    /// The nodes do not show the transaction yet, or not deep enough.
    Unseen,
}

impl SolanaNetwork {
    /// The amount of a token that a transaction in a block has moved to an account, compared with the wanted one.
    /// With it, on how many nodes' word that it was exactly so much is believed. Anything else is believed of all of them alone.
    ///
    /// # Errors
    /// When they do not answer or do not agree, or one says two things.
    pub async fn transfer_outcome(
        &self,
        sent: &SolanaSignedTransaction,
        mint: &SolanaAddress,
        to: &SolanaAddress,
        amount: u64,
    ) -> Result<(SolanaTransferOutcome, WitnessCount), RpcError> {
        let nodes = 0..self.rpc.count();
        let told: FuturesUnordered<_> =
            nodes.map(|node| self.transfer_outcome_by(node, sent, mint, to, amount)).collect();
        quorum_answer(told, |moved| *moved == SolanaTransferOutcome::Exactly).await
    }

    /// The effect that one node shows.
    async fn transfer_outcome_by(
        &self,
        node: usize,
        sent: &SolanaSignedTransaction,
        mint: &SolanaAddress,
        to: &SolanaAddress,
        amount: u64,
    ) -> Result<SolanaTransferOutcome, RpcError> {
        let unreadable = |why: &str| RpcError::Unreachable(why.to_owned());
        let status: SlotValue<Vec<Option<SignatureStatusWire>>> =
            self.rpc.ask_of(node, "getSignatureStatuses", asked(&sent.signature)).await?;
        let Some(status) = status_of(status).filter(|status| self.is_deep(status)) else {
            return Ok(SolanaTransferOutcome::Unseen);
        };
        let commitment = match self.config().depth {
            SolanaDepth::Blocks(_) => "confirmed",
            SolanaDepth::Finalized => "finalized",
        };
        let how = json!({"encoding": "base64", "commitment": commitment, "maxSupportedTransactionVersion": 0});
        let name = sent.signature.to_string();
        let found: Option<SolanaTransactionWire> = self.rpc.ask_of(node, "getTransaction", (name, how)).await?;
        let Some(found) = found else { return Ok(SolanaTransferOutcome::Unseen) };
        // A node that shows another transaction under this name shows nothing.
        let another = || unreadable("it shows another transaction");
        let ours = SolanaTransaction::read(&sent.raw).map_err(|_| another())?;
        let theirs = SolanaTransaction::read(&found.bytes().ok_or_else(another)?).map_err(|_| another())?;
        if ours.message != theirs.message {
            return Err(another());
        }
        match (status.failed.is_some(), found.failed()) {
            (true, true) => return Ok(SolanaTransferOutcome::Failed),
            (false, false) => {}
            _ => return Err(unreadable("it says that a transaction was carried out, and that it was not")),
        }
        // One that shows no balances shows no other amount either; and what was carried out has moved something.
        let index = ours.keys.iter().position(|key| key == to);
        let balances = index.and_then(|index| found.balances(index, mint));
        let gained = balances.and_then(|(before, after)| after.checked_sub(before)).filter(|gained| *gained > 0);
        match gained {
            Some(gained) if gained == amount => Ok(SolanaTransferOutcome::Exactly),
            Some(_) => Ok(SolanaTransferOutcome::Otherwise),
            None => Err(unreadable("it does not show what a transaction has moved")),
        }
    }
}
