//! One EVM chain: what is asked of its nodes, and what is sent to them.

use alloy::primitives::{Address, B256, Bytes, U64, U128};
use alloy::sol_types::{SolCall, SolEvent};

use crate::base::Secret;
use crate::chains::EvmAddress;
use crate::chains::rpc::{Rpc, RpcError};

use super::token::contract::{
    AuthorizationCanceled, AuthorizationUsed, DOMAIN_SEPARATORCall, authorizationStateCall, decimalsCall,
};
use super::wire::{Block, BlockWire, CallWire, FilterWire, LogWire, Receipt, ReceiptWire};
use super::{Authorization, EvmToken, Fees, Relayer, Signed};

/// Blocks that are looked through by one question: many providers refuse more.
const BLOCKS_AT_ONCE: u64 = 1000;
/// Questions for one event. So many blocks are more than a day of most chains.
const QUESTIONS_MAX: usize = 400;

/// How deep a block has to lie until what is in it is taken for final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Under so many others; 0: as soon as it is there.
    Blocks(u64),
    /// As the chain itself says: its data are on the chain below.
    Safe,
    /// Likewise: it cannot be taken back.
    Finalized,
}

/// How a chain is reached, and what is taken on it.
#[derive(Debug, Clone)]
pub struct EvmConfig {
    /// Its number, by which signatures are bound to it.
    pub chain: u64,
    /// Addresses of its nodes, in which there may be a key.
    pub nodes: Vec<Secret>,
    /// How deep a payment has to lie.
    pub depth: Depth,
    /// Where payments go.
    pub pay_to: EvmAddress,
    /// Tokens that are taken; the first is the usual one.
    pub tokens: Vec<EvmToken>,
    /// Our account on it.
    pub relayer: Relayer,
    /// What a unit of work may cost at most, in wei.
    pub fee_most: u128,
}

/// A chain that can be asked.
#[derive(Debug)]
pub struct EvmNetwork {
    config: EvmConfig,
    rpc: Rpc,
}

/// What became of an authorization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It was used, by whomever.
    Used(Receipt),
    /// Its payer took it back.
    Cancelled {
        /// In this block.
        block: u64,
    },
    /// Nothing that the nodes know of.
    Unknown,
}

/// Why a chain cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It cannot be asked.
    #[error("asking for {what} failed")]
    Unasked {
        /// What was asked for.
        what: String,
        /// Why.
        #[source]
        source: RpcError,
    },
    /// The nodes are of another chain.
    #[error("its nodes are of the chain {0}")]
    OtherChain(u64),
    /// A token is not as it was written.
    #[error("the contract of {symbol} has {found} decimals, and not {written}")]
    Decimals {
        /// The token.
        symbol: String,
        /// What its contract says.
        found: u8,
        /// What the configuration says.
        written: u8,
    },
    /// Likewise.
    #[error("payments in {0} are signed under another domain: its name or version is not the contract's")]
    Domain(String),
    /// Our account has nothing to pay fees with.
    #[error("the relayer {relayer} has {wei} wei, which does not pay for a transaction")]
    Dry {
        /// Our account.
        relayer: EvmAddress,
        /// What it has.
        wei: u128,
    },
}

impl EvmNetwork {
    /// A chain; nobody is asked yet.
    ///
    /// # Errors
    /// When an address of a node is none.
    pub fn new(config: EvmConfig) -> Result<Self, RpcError> {
        Ok(Self { rpc: Rpc::new(&config.nodes)?, config })
    }

    /// What it was made of.
    #[must_use]
    pub fn config(&self) -> &EvmConfig {
        &self.config
    }

    /// Compares the chain with what is written of it.
    ///
    /// # Errors
    /// When it cannot be asked, or is otherwise.
    pub async fn check(&self) -> Result<(), Unfit> {
        let asking = |what: &str| {
            let what = what.to_owned();
            |source| Unfit::Unasked { what, source }
        };
        let chain: U64 = self.rpc.ask("eth_chainId", [(); 0]).await.map_err(asking("the chain's number"))?;
        if chain.to::<u64>() != self.config.chain {
            return Err(Unfit::OtherChain(chain.to()));
        }
        for token in &self.config.tokens {
            let symbol = &token.symbol;
            let decimals =
                self.read(token, decimalsCall {}).await.map_err(asking(&format!("decimals() of {symbol}")))?;
            if decimals != token.decimals {
                return Err(Unfit::Decimals { symbol: symbol.clone(), found: decimals, written: token.decimals });
            }
            let asked = self.read(token, DOMAIN_SEPARATORCall {}).await;
            let separator = asked.map_err(asking(&format!("DOMAIN_SEPARATOR() of {symbol}")))?;
            if separator != token.separator(self.config.chain) {
                return Err(Unfit::Domain(symbol.clone()));
            }
        }
        let wei = self.relayer_balance().await.map_err(asking("the relayer's balance"))?;
        let fees = self.fees().await.map_err(asking("the price of a transaction"))?;
        if wei < fees.most.saturating_mul(u128::from(GAS_MAX)) {
            return Err(Unfit::Dry { relayer: self.config.relayer.address(), wei });
        }
        Ok(())
    }

    /// What our account has, in wei.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn relayer_balance(&self) -> Result<u128, RpcError> {
        let address = Address::from(self.config.relayer.address().0);
        let wei: alloy::primitives::U256 = self.rpc.ask("eth_getBalance", (address, "latest")).await?;
        Ok(u128::try_from(wei).unwrap_or(u128::MAX))
    }

    /// The newest block.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn head(&self) -> Result<Block, RpcError> {
        self.block("latest").await?.ok_or_else(|| RpcError::Unreachable("it has no newest block".to_owned()))
    }

    /// The newest block that is final. None where there is none yet.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn settled(&self) -> Result<Option<Block>, RpcError> {
        match self.config.depth {
            Depth::Blocks(0) => self.head().await.map(Some),
            Depth::Blocks(depth) => match self.head().await?.number.checked_sub(depth) {
                Some(number) => self.block(U64::from(number)).await,
                None => Ok(None),
            },
            Depth::Safe => self.block("safe").await,
            Depth::Finalized => self.block("finalized").await,
        }
    }

    async fn block(&self, which: impl serde::Serialize) -> Result<Option<Block>, RpcError> {
        let block: Option<BlockWire> = self.rpc.ask("eth_getBlockByNumber", (which, false)).await?;
        Ok(block.map(Block::from))
    }

    /// Whether there is code at an address: it is a contract, or acts as one.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_contract(&self, address: &EvmAddress) -> Result<bool, RpcError> {
        let code: Bytes = self.rpc.ask("eth_getCode", (Address::from(address.0), "latest")).await?;
        Ok(!code.is_empty())
    }

    /// Tries a call from our account without sending it; how much work it would be.
    ///
    /// # Errors
    /// [`RpcError::Refused`] when the chain would not carry it out, which says why; or when no node answers.
    pub async fn simulate(&self, to: &EvmAddress, data: &[u8]) -> Result<u64, RpcError> {
        let from = Some(Address::from(self.config.relayer.address().0));
        let call = CallWire { from, to: Address::from(to.0), data: Bytes::copy_from_slice(data) };
        let gas: U64 = self.rpc.ask("eth_estimateGas", [call]).await?;
        Ok(gas.to())
    }

    /// What a unit of work costs now, with room for the price to double.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn fees(&self) -> Result<Fees, RpcError> {
        let base = self.head().await?.base_fee;
        let tip: U128 = self.rpc.ask("eth_maxPriorityFeePerGas", [(); 0]).await?;
        let tip = tip.to::<u128>().min(self.config.fee_most);
        Ok(Fees { most: base.saturating_mul(2).saturating_add(tip).min(self.config.fee_most), tip })
    }

    /// How many transactions of our account are in blocks, or with `pending` known to the node.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn sent(&self, pending: bool) -> Result<u64, RpcError> {
        let address = Address::from(self.config.relayer.address().0);
        let count: U64 =
            self.rpc.ask("eth_getTransactionCount", (address, if pending { "pending" } else { "latest" })).await?;
        Ok(count.to())
    }

    /// Gives a transaction to each node. What they say is no evidence of anything; whether one of them took it.
    pub async fn send(&self, raw: &[u8]) -> bool {
        let answers = self.rpc.ask_all::<B256>("eth_sendRawTransaction", [Bytes::copy_from_slice(raw)]).await;
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            tracing::debug!(
                chain = self.config.chain,
                error = error as &dyn std::error::Error,
                "a node did not take it"
            );
        }
        answers.iter().any(Result::is_ok)
    }

    /// What became of a transaction; none where it is in no block.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn receipt(&self, hash: &[u8; 32]) -> Result<Option<Receipt>, RpcError> {
        let receipt: Option<ReceiptWire> = self.rpc.ask("eth_getTransactionReceipt", [B256::from(*hash)]).await?;
        // A node that answers about another transaction answers about nothing.
        Ok(receipt.and_then(ReceiptWire::read).filter(|receipt| receipt.hash == *hash))
    }

    /// Whether an authorization can no longer be used: it was, or its payer took it back.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_spent(&self, token: &EvmToken, authorization: &Authorization) -> Result<bool, RpcError> {
        let authorizer = Address::from(authorization.from.0);
        self.read(token, authorizationStateCall { authorizer, nonce: B256::from(authorization.nonce) }).await
    }

    /// What became of an authorization after a block, as a node tells that has got at least to the block `known`.
    ///
    /// # Errors
    /// When no node answers, or the one that does is behind or has only a part of what it tells.
    pub async fn fate(
        &self,
        token: &EvmToken,
        authorization: &Authorization,
        since: u64,
        known: u64,
    ) -> Result<Fate, RpcError> {
        let behind = || RpcError::Unreachable("it is behind".to_owned());
        let head = self.head().await?.number;
        if head < known {
            return Err(behind());
        }
        let payer = Address::from(authorization.from.0).into_word();
        let (events, nonce) = (
            [AuthorizationUsed::SIGNATURE_HASH, AuthorizationCanceled::SIGNATURE_HASH],
            B256::from(authorization.nonce),
        );
        let address = Address::from(token.address.0);
        // What that block has was there before whoever asks.
        let mut from = since.saturating_add(1);
        for _ in 0..QUESTIONS_MAX {
            if from > head {
                return Ok(Fate::Unknown);
            }
            let to = head.min(from.saturating_add(BLOCKS_AT_ONCE - 1));
            let topics = [events.to_vec(), vec![payer], vec![nonce]];
            let filter = FilterWire { address, topics, from_block: U64::from(from), to_block: U64::from(to) };
            let logs: Vec<LogWire> = self.rpc.ask("eth_getLogs", [filter]).await?;
            let ours = |log: &&LogWire| !log.removed && log.address == address && log.topics[1..] == [payer, nonce];
            let named = logs.iter().filter(|log| log.topics.len() == 3).find(ours);
            let Some(log) = named else {
                from = to + 1;
                continue;
            };
            let (hash, block) = log.transaction_hash.zip(log.block_number).ok_or_else(behind)?;
            if log.topics[0] == events[1] {
                return Ok(Fate::Cancelled { block: block.to() });
            }
            return self.receipt(&hash.0).await?.map(Fate::Used).ok_or_else(behind);
        }
        Err(RpcError::Unreachable("its events reach too far back".to_owned()))
    }

    /// Signs a call with our key.
    ///
    /// # Errors
    /// When the key cannot sign.
    pub fn sign(
        &self,
        nonce: u64,
        to: &EvmAddress,
        data: &[u8],
        gas: u64,
        fees: Fees,
    ) -> Result<Signed, super::NotSigned> {
        let chain = self.config.chain;
        self.config.relayer.sign(&super::Call { chain, nonce, to: *to, data, gas, fees })
    }

    async fn read<C: SolCall>(&self, token: &EvmToken, call: C) -> Result<C::Return, RpcError> {
        let call = CallWire { from: None, to: Address::from(token.address.0), data: call.abi_encode().into() };
        let answer: Bytes = self.rpc.ask("eth_call", (call, "latest")).await?;
        C::abi_decode_returns(&answer).map_err(|error| RpcError::Refused { code: 0, message: error.to_string() })
    }
}

/// The most work that carrying one payment may be.
pub const GAS_MAX: u64 = 400_000;
