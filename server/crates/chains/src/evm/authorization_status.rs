//! The status of a payment that a payer signed: usable, used, cancelled or over, as the chain shows it.

use alloy::primitives::{Address, B256, U64, U256};
use alloy::sol_types::SolEvent;
use futures_util::future::join_all;

use crate::rpc::RpcError;

use super::event_searches::BlockRange;
use super::network::{AmbiguousUse, AuthorizationStatus, ConfirmationDepth, EvmNetwork};
use super::permit2_contract::contract::{UnorderedNonceInvalidation, nonceBitmapCall};
use super::permit2_contract::{PERMIT2, nonce_position, settlement};
use super::token::contract::{AuthorizationCanceled, AuthorizationUsed, Transfer, authorizationStateCall};
use super::wire::{EvmTransactionWire, FilterWire, LogWire};
use super::{EvmMethod, EvmToken, TransferAuthorization};

/// The word of nodes on an authorization after its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthorizationExpiry {
    /// The authorization can still be used, or was.
    No,
    /// It is over, as those nodes say that answer.
    BySome,
    /// It is over, as each node says.
    ByAll,
}

impl EvmNetwork {
    /// True if what was signed can no longer be used: it was used, or its payer took it back.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_spent(&self, token: &EvmToken, authorization: &TransferAuthorization) -> Result<bool, RpcError> {
        self.is_spent_at(None, token, authorization, "latest").await
    }

    /// The word of nodes on an authorization after its end. It is over where each node has final blocks from after the end, and none
    /// had it used up by then. One that contradicts is right. One that does not answer is waited for, but where the others are
    /// enough.
    ///
    /// # Errors
    /// Where no node answers, or one is waited for.
    pub async fn authorization_expiry(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        without_the_silent: bool,
    ) -> Result<AuthorizationExpiry, RpcError> {
        let asked = (0..self.rpc.count()).map(|node| self.is_expired_by(node, token, authorization));
        let (mut lapsed, mut silent) = (false, None);
        for told in join_all(asked).await {
            match told {
                Ok(false) => return Ok(AuthorizationExpiry::No),
                Ok(true) => lapsed = true,
                Err(error) => silent = Some(error),
            }
        }
        match silent {
            None => Ok(AuthorizationExpiry::ByAll),
            Some(_) if lapsed && without_the_silent => Ok(AuthorizationExpiry::BySome),
            Some(error) => Err(error),
        }
    }

    /// True if this node says that the authorization is over.
    /// That it was not used up is said of a block with a number: behind one address may be several nodes, and one that has no
    /// such block says nothing.
    async fn is_expired_by(
        &self,
        node: usize,
        token: &EvmToken,
        authorization: &TransferAuthorization,
    ) -> Result<bool, RpcError> {
        let ends = authorization.ends(token);
        let settled = self.settled_by(Some(node), self.config().depth).await?;
        if !settled.is_some_and(|settled| i64::try_from(settled.timestamp).is_ok_and(|now| now >= ends)) {
            return Ok(false);
        }
        let newest = self.settled_by(Some(node), ConfirmationDepth::Blocks(0)).await?.ok_or(RpcError::Behind)?;
        Ok(!self.is_spent_at(Some(node), token, authorization, U64::from(newest.number)).await?)
    }

    /// True if what was signed had been used up by a block, as a node shows that remembers that block.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn was_spent_by(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        block: u64,
    ) -> Result<bool, RpcError> {
        match self.is_spent_at(None, token, authorization, U64::from(block)).await {
            Err(RpcError::Refused { .. }) => Ok(false),
            told => told,
        }
    }

    /// True if what was signed is used up at a block, as one node says, or any.
    pub(super) async fn is_spent_at(
        &self,
        node: Option<usize>,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        at: impl serde::Serialize,
    ) -> Result<bool, RpcError> {
        let payer = Address::from(authorization.from.0);
        match &token.method {
            EvmMethod::Eip3009 { .. } => {
                let asked = authorizationStateCall { authorizer: payer, nonce: B256::from(authorization.nonce) };
                self.read_by(node, Address::from(token.address.0), asked, at).await
            }
            EvmMethod::Permit2 => {
                let (word, bit) = nonce_position(&authorization.nonce);
                let asked = nonceBitmapCall { owner: payer, word };
                Ok(self.read_by(node, PERMIT2, asked, at).await? & bit != U256::ZERO)
            }
        }
    }

    /// The status of an authorization in the blocks after `since`.
    /// It is told by a node that has got at least to the block `known`, which is final.
    ///
    /// # Errors
    /// When no node answers, or the one that does is behind or has only a part of what it tells.
    pub async fn authorization_status(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        since: u64,
        known: u64,
    ) -> Result<AuthorizationStatus, RpcError> {
        let head = self.head().await?.number;
        if head < known {
            return Err(RpcError::Behind);
        }
        // What that block has was there before whoever asks.
        let span = BlockRange { from: since.saturating_add(1), to: head };
        match &token.method {
            EvmMethod::Eip3009 { .. } => self.eip3009_status(token, authorization, span).await,
            EvmMethod::Permit2 => self.permit_status(token, authorization, span).await,
        }
    }

    async fn eip3009_status(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        span: BlockRange,
    ) -> Result<AuthorizationStatus, RpcError> {
        let (payer, nonce) = (Address::from(authorization.from.0).into_word(), B256::from(authorization.nonce));
        let (used, cancelled) = (AuthorizationUsed::SIGNATURE_HASH, AuthorizationCanceled::SIGNATURE_HASH);
        let topics = vec![vec![used, cancelled], vec![payer], vec![nonce]];
        let named = |log: &LogWire| log.topics.len() == 3 && log.topics[1..] == [payer, nonce];
        let address = Address::from(token.address.0);
        let Some(log) = self.first_event(address, topics, span, authorization.nonce, named).await? else {
            return Ok(AuthorizationStatus::Unknown);
        };
        let hash = log.transaction_hash.ok_or(RpcError::Behind)?;
        if log.topics[0] == cancelled {
            return self.cancelled(&log).await;
        }
        self.receipt(&hash.0).await?.map(AuthorizationStatus::Used).ok_or(RpcError::Behind)
    }

    /// Permit2 tells nobody which permit it has carried out, so the transaction itself is looked at: it has to be the very call
    /// that was signed for. A name that was used up otherwise is used up: by another permit of the same name, or by a call
    /// inside a call, which shows nothing that could not be made up. Where the very amount came beside it, a person decides, of
    /// each transfer.
    async fn permit_status(
        &self,
        token: &EvmToken,
        authorization: &TransferAuthorization,
        span: BlockRange,
    ) -> Result<AuthorizationStatus, RpcError> {
        let word_of = |address: [u8; 20]| Address::from(address).into_word();
        let (payer, payee) = (word_of(authorization.from.0), word_of(authorization.to.0));
        let address = Address::from(token.address.0);
        let mut riddles = Vec::new();
        let mut rest = span;
        loop {
            let exact = |log: &LogWire| {
                let moved = Transfer::decode_raw_log(log.topics.iter().copied(), &log.data);
                moved.is_ok_and(|moved| moved.value == authorization.value.0)
            };
            let topics = vec![vec![Transfer::SIGNATURE_HASH], vec![payer], vec![payee]];
            let Some(log) = self.first_event(address, topics, rest, authorization.nonce, exact).await? else { break };
            let block = log.block_number.ok_or(RpcError::Behind)?.to::<u64>();
            for (hash, place) in self.transfers_in(&log, address, block, exact).await? {
                let transaction: Option<EvmTransactionWire> = self.rpc.ask("eth_getTransactionByHash", [hash]).await?;
                let EvmTransactionWire { to, input } = transaction.ok_or(RpcError::Behind)?;
                if authorization.is_settled_by(token, to, &input) {
                    return self.receipt(&hash.0).await?.map(AuthorizationStatus::Used).ok_or(RpcError::Behind);
                }
                // Another payment of this kind has a nonce of its own, and is not ambiguous.
                if settlement(to, &input).is_none() {
                    riddles.push(AmbiguousUse { hash: hash.0, place, block });
                }
            }
            rest.from = block + 1;
        }
        // Before anything else is said of it: a payer can take a permit back that was carried out long ago.
        if !riddles.is_empty() {
            return Ok(AuthorizationStatus::Unnamed(riddles));
        }
        let (word, bit) = nonce_position(&authorization.nonce);
        let taken_back = |log: &LogWire| {
            let told = UnorderedNonceInvalidation::decode_raw_log(log.topics.iter().copied(), &log.data);
            told.is_ok_and(|told| told.word == word && told.mask & bit != U256::ZERO)
        };
        let topics = vec![vec![UnorderedNonceInvalidation::SIGNATURE_HASH], vec![payer]];
        if let Some(log) = self.first_event(PERMIT2, topics, span, authorization.nonce, taken_back).await? {
            return self.cancelled(&log).await;
        }
        // That its name is used up and nothing tells by what is no evidence: a node may have the newest state and not, or no more,
        // what led to it. The time of the permit decides.
        Ok(AuthorizationStatus::Unknown)
    }

    /// The cancellation of an authorization, once each node tells the event.
    /// A payment that is given up by the word of one node could come all the same. A node may tell of an event whose block was
    /// taken back.
    async fn cancelled(&self, log: &LogWire) -> Result<AuthorizationStatus, RpcError> {
        let block: u64 = log.block_number.ok_or(RpcError::Behind)?.to();
        let topics = log.topics.iter().map(|topic| vec![*topic]).collect();
        let at = U64::from(block);
        let filter = FilterWire { address: log.address, topics, from_block: at, to_block: at };
        for told in self.rpc.ask_all::<Vec<LogWire>>("eth_getLogs", [filter]).await {
            let is_it = |other: &LogWire| !other.removed && other.transaction_hash == log.transaction_hash;
            if !told?.iter().any(is_it) {
                return Err(RpcError::Disagreed("not all tell that a payer took a payment back".to_owned()));
            }
        }
        match self.is_in_chain(block, log.block_hash.map(|hash| hash.0)).await? {
            true => Ok(AuthorizationStatus::Cancelled { block }),
            false => Err(RpcError::Behind),
        }
    }

    /// The transfers of a block like the one that was found first, with that one: their transactions and their places.
    async fn transfers_in(
        &self,
        first: &LogWire,
        address: Address,
        block: u64,
        exact: impl Fn(&LogWire) -> bool,
    ) -> Result<Vec<(B256, u64)>, RpcError> {
        let topics = first.topics.iter().map(|topic| vec![*topic]).collect();
        let logs = self.events(address, topics, BlockRange { from: block, to: block }).await?;
        let named = |log: &LogWire| log.transaction_hash.zip(log.log_index.map(|index| index.to::<u64>()));
        let all: Option<Vec<(B256, u64)>> = logs.iter().filter(|log| exact(log)).map(named).collect();
        // Another node may answer, which has not got that block.
        all.filter(|all| all.iter().any(|(hash, _)| Some(*hash) == first.transaction_hash)).ok_or(RpcError::Behind)
    }
}
