//! The evidence of the nodes of a chain for a payment that is said to have been carried out. The answers of a node are compared
//! with the chain that the same node has, so that one which still shows what was taken back shows nothing.

use alloy::primitives::{Address, B256, U64};
use alloy::sol_types::SolEvent;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;

use crate::node_quorum::{WitnessCount, quorum_answer};
use crate::rpc::RpcError;

use super::network::{ConfirmationDepth, EvmNetwork};
use super::token::contract::Transfer;
use super::wire::{EvmBlock, EvmReceipt, EvmTransferOutcome, FilterWire, LogWire, transferred_amount};
use super::{EvmToken, TransferAuthorization};

/// The evidence of the nodes for a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentEvidence {
    /// It came, exactly as it was signed.
    Came,
    /// Something else came of it, by the transfer at this place of its block.
    Otherwise(u64),
    /// It was used up, and nothing came.
    Nothing,
    /// The transaction was carried out, and does not say what for.
    Unclear,
    /// The transaction is in no block of theirs, or in one that was taken back, or was not carried out.
    Gone,
}

/// The hash and the number of a block.
type BlockName = ([u8; 32], u64);

/// The block of a transaction that is in no block, or in one that does not matter.
const NO_BLOCK: BlockName = ([0; 32], 0);

impl EvmNetwork {
    /// The evidence of a transaction for a payment, on how many nodes' word that it came is believed, and its block where it came.
    /// The block of the transaction has to lie so deep in the chain of each node that shows it. Anything but that the payment
    /// came is believed of all of them alone.
    ///
    /// # Errors
    /// When they do not answer or do not agree, or one is behind or says two things.
    pub async fn payment_evidence(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        hash: &[u8; 32],
        depth: ConfirmationDepth,
    ) -> Result<(PaymentEvidence, WitnessCount, u64), RpcError> {
        let nodes = 0..self.rpc.count();
        let told: FuturesUnordered<_> =
            nodes.map(|node| self.payment_evidence_by(node, token, authorization, hash, depth)).collect();
        let ((shown, (_, block)), witnesses) =
            quorum_answer(told, |(shown, _)| *shown == PaymentEvidence::Came).await?;
        Ok((shown, witnesses, block))
    }

    /// The block of a transaction that was carried out before and seen in the block `seen`. None where it is in the chain no
    /// more, or was not carried out there: as some node says that has got so far, and none contradicts.
    ///
    /// # Errors
    /// When no node says either.
    pub async fn block_in_chain(&self, hash: &[u8; 32], seen: u64) -> Result<Option<u64>, RpcError> {
        let mut told = Err(RpcError::Unreachable("there is no node".to_owned()));
        for answer in join_all((0..self.rpc.count()).map(|node| self.block_in_chain_by(node, hash, seen))).await {
            match answer {
                Ok(Some(block)) => return Ok(Some(block)),
                Ok(None) => told = Ok(None),
                Err(error) => told = told.or(Err(error)),
            }
        }
        told
    }

    /// True if a transaction was not carried out, in a final block: as each node says of its own chain.
    ///
    /// # Errors
    /// When one does not answer, or is behind.
    pub async fn is_undone(&self, hash: &[u8; 32]) -> Result<bool, RpcError> {
        for told in join_all((0..self.rpc.count()).map(|node| self.is_undone_by(node, hash))).await {
            if !told? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn is_undone_by(&self, node: usize, hash: &[u8; 32]) -> Result<bool, RpcError> {
        let Some((receipt, _)) = self.receipt_by(node, hash).await? else { return Ok(false) };
        let settled = self.settled_by(Some(node), self.config().depth).await?;
        Ok(!receipt.done && settled.is_some_and(|settled| receipt.block <= settled.number))
    }

    /// The block of a transaction, as one node says. None where it is in the chain no more.
    async fn block_in_chain_by(&self, node: usize, hash: &[u8; 32], seen: u64) -> Result<Option<u64>, RpcError> {
        match self.receipt_by(node, hash).await? {
            Some((receipt, _)) => Ok(receipt.done.then_some(receipt.block)),
            // One that is behind knows nothing of it, either way.
            None => self.block_by(Some(node), U64::from(seen)).await?.map(|_| None).ok_or(RpcError::Behind),
        }
    }

    /// The evidence of one node, and where the payment came, its block.
    async fn payment_evidence_by(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        hash: &[u8; 32],
        depth: ConfirmationDepth,
    ) -> Result<(PaymentEvidence, BlockName), RpcError> {
        let Some((receipt, block)) = self.receipt_by(node, hash).await?.filter(|(receipt, _)| receipt.done) else {
            return Ok((PaymentEvidence::Gone, NO_BLOCK));
        };
        let settled = self.settled_by(Some(node), depth).await?.filter(|settled| receipt.block <= settled.number);
        let settled = settled.ok_or(RpcError::Behind)?.number;
        let shown = match receipt.transfer_outcome(token, authorization) {
            EvmTransferOutcome::Exactly => PaymentEvidence::Came,
            EvmTransferOutcome::Unshown => return Ok((PaymentEvidence::Unclear, NO_BLOCK)),
            // Its events, asked for by themselves, have to say the same: nothing else is believed of a receipt alone.
            EvmTransferOutcome::Otherwise(_) | EvmTransferOutcome::Nothing
                if !self.agrees(node, token, authorization, &receipt).await? =>
            {
                return Err(RpcError::Unreachable("its receipt and its events do not agree".to_owned()));
            }
            EvmTransferOutcome::Otherwise(place) => PaymentEvidence::Otherwise(place),
            EvmTransferOutcome::Nothing => PaymentEvidence::Nothing,
        };
        if !self.is_spent_by(node, token, authorization, settled).await? {
            return Err(RpcError::Unreachable("it shows what came, and that nothing did".to_owned()));
        }
        Ok((shown, if shown == PaymentEvidence::Came { (block.hash, receipt.block) } else { NO_BLOCK }))
    }

    /// The receipt of a transaction as one of them has it, and its block, where that is in the chain of the same node.
    pub(super) async fn receipt_by(
        &self,
        node: usize,
        hash: &[u8; 32],
    ) -> Result<Option<(EvmReceipt, EvmBlock)>, RpcError> {
        let Some(receipt) = self.receipt_of(node, hash).await? else { return Ok(None) };
        let block = self.block_by(Some(node), U64::from(receipt.block)).await?.ok_or(RpcError::Behind)?;
        Ok(Some((receipt, block)).filter(|(receipt, block)| receipt.block_hash == Some(block.hash)))
    }

    /// True if the transfers of a receipt are those that the same node tells of its block.
    async fn agrees(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        receipt: &EvmReceipt,
    ) -> Result<bool, RpcError> {
        let word_of = |address: [u8; 20]| vec![Address::from(address).into_word()];
        let topics = vec![vec![Transfer::SIGNATURE_HASH], word_of(authorization.from.0), word_of(authorization.to.0)];
        let block = U64::from(receipt.block);
        let filter = FilterWire { address: Address::from(token.address.0), topics, from_block: block, to_block: block };
        let logs: Vec<LogWire> = self.rpc.ask_of(node, "eth_getLogs", [filter]).await?;
        let of_it = logs.iter().filter(|log| !log.removed && log.transaction_hash == Some(B256::from(receipt.hash)));
        let told: Vec<_> =
            of_it.filter_map(|log| Some((log.log_index, transferred_amount(log, authorization)?))).collect();
        Ok(told == receipt.transfers(token, authorization))
    }

    /// True if an authorization is used up, as one node tells.
    /// The node tells it of the settled block, or where it refuses that, of its newest one.
    async fn is_spent_by(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        settled: u64,
    ) -> Result<bool, RpcError> {
        match self.is_spent_at(Some(node), token, authorization, U64::from(settled)).await {
            Err(RpcError::Refused { .. }) => self.is_spent_at(Some(node), token, authorization, "latest").await,
            told => told,
        }
    }
}
