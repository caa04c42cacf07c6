//! One EVM chain: what is asked of its nodes, and what is sent to them.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use alloy::primitives::{Address, B256, Bytes, U64, U128};
use alloy::sol_types::SolCall;

use crate::EvmAddress;
use crate::rpc::{RpcClient, RpcError};
use tollgate_base::Secret;

use super::event_searches::EventSearches;
use super::permit2_contract::contract::{PERMIT2Call, allowanceCall};
use super::permit2_contract::{PERMIT2, PROXY};
use super::token::contract::{DOMAIN_SEPARATORCall, decimalsCall};
use super::wire::{BlockWire, CallWire, EvmBlock, EvmReceipt, ReceiptWire};
use super::{EvmMethod, EvmToken, GasFees, GasPrice, Relayer, SignedTransaction, TokenUnits};

/// The depth at which a block is taken for final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmationDepth {
    /// The number of blocks on top of it; at 0 it counts as soon as it is there.
    Blocks(u64),
    /// The chain itself calls the block safe: its data are on the chain below.
    Safe,
    /// The chain itself calls the block final: it cannot be taken back.
    Finalized,
}

/// The configuration of one chain: its nodes, its tokens and our account.
#[derive(Debug, Clone)]
pub struct EvmConfig {
    /// Its number, by which signatures are bound to it.
    pub chain: u64,
    /// Addresses of its nodes, in which there may be a key.
    pub nodes: Vec<Secret>,
    /// The depth at which a payment is taken for final.
    pub depth: ConfirmationDepth,
    /// The address that payments go to.
    pub pay_to: EvmAddress,
    /// Tokens that are taken; the first is the usual one.
    pub tokens: Vec<EvmToken>,
    /// Our account on it.
    pub relayer: Relayer,
    /// The most that a unit of gas may cost, in wei.
    pub fee_most: u128,
}

/// A chain that can be asked.
#[derive(Debug)]
pub struct EvmNetwork {
    config: EvmConfig,
    pub(super) rpc: RpcClient,
    pub(super) searches: EventSearches,
    /// True if the chain takes a fee for data; empty until that is known. It does not change while a server runs.
    pub(super) has_data_fee: OnceLock<bool>,
}

/// The status of an authorization on its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthorizationStatus {
    /// It was used, by whomever.
    Used(EvmReceipt),
    /// Its payer took it back.
    Cancelled {
        /// The block of the cancellation.
        block: u64,
    },
    /// It was used up, and beside it the amount came by transactions that do not name it: nobody can tell whether one of these
    /// was this payment, or which.
    Unnamed(Vec<AmbiguousUse>),
    /// The nodes know of no use of it.
    Unknown,
}

/// A transfer of which nothing tells what it was for. One transaction can make several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmbiguousUse {
    /// The transaction.
    pub hash: [u8; 32],
    /// Its place among what its block tells.
    pub place: u64,
    /// Its block.
    pub block: u64,
}

/// The reasons why a chain cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum EvmSetupError {
    /// It cannot be asked.
    #[error("asking for {what} failed")]
    Unasked {
        /// The value that was asked for.
        what: String,
        /// The error of the nodes.
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
        /// The decimals that its contract has.
        found: u8,
        /// The decimals that the configuration has.
        written: u8,
    },
    /// The signing domain of a token is not as it was written.
    #[error("payments in {0} are signed under another domain: its name or version is not the contract's")]
    Domain(String),
    /// The protocol's contract is not the one that is known.
    #[error("the contract that carries out payments by Permit2 uses {0} in the place of Permit2")]
    Proxy(EvmAddress),
    /// Our account has nothing to pay fees with.
    #[error("the relayer {relayer} has {wei} wei, which does not pay for a transaction")]
    Dry {
        /// Our account.
        relayer: EvmAddress,
        /// The balance of our account, in wei.
        wei: u128,
    },
}

impl EvmNetwork {
    /// A chain; nobody is asked yet.
    ///
    /// # Errors
    /// When an address of a node is none.
    pub fn new(config: EvmConfig) -> Result<Self, RpcError> {
        let (searches, has_data_fee) = (EventSearches::default(), OnceLock::new());
        Ok(Self { rpc: RpcClient::new(&config.nodes)?, config, searches, has_data_fee })
    }

    /// The configuration that it was made of.
    #[must_use]
    pub fn config(&self) -> &EvmConfig {
        &self.config
    }

    /// Compares what is on the chain with what is written of it. Its nodes are [compared](Self::compare) before.
    ///
    /// # Errors
    /// When it cannot be asked, or is otherwise.
    pub async fn check(&self) -> Result<(), EvmSetupError> {
        for token in &self.config.tokens {
            let symbol = &token.symbol;
            let address = Address::from(token.address.0);
            let decimals = self.read(address, decimalsCall {}, "latest").await;
            let decimals = decimals.map_err(asking(&format!("decimals() of {symbol}")))?;
            if decimals != token.decimals {
                return Err(EvmSetupError::Decimals {
                    symbol: symbol.clone(),
                    found: decimals,
                    written: token.decimals,
                });
            }
            let (domain, whose) = match &token.method {
                EvmMethod::Eip3009 { .. } => (address, symbol.as_str()),
                EvmMethod::Permit2 => (PERMIT2, "Permit2"),
            };
            let asked = self.read(domain, DOMAIN_SEPARATORCall {}, "latest").await;
            let separator = asked.map_err(asking(&format!("DOMAIN_SEPARATOR() of {whose}")))?;
            if separator != token.separator(self.config.chain) {
                return Err(EvmSetupError::Domain(symbol.clone()));
            }
            if token.method == EvmMethod::Permit2 {
                let through = self.read(PROXY, PERMIT2Call {}, "latest").await;
                let through = through.map_err(asking("the contract that carries out payments by Permit2"))?;
                if through != PERMIT2 {
                    return Err(EvmSetupError::Proxy(EvmAddress(through.into())));
                }
            }
        }
        self.check_events().await.map_err(asking("the events of the last blocks"))?;
        // Kept from here on, so that a node that hangs later delays no payment by it.
        self.has_gas_price_oracle().await.map_err(asking("the contract that tells the fee for data"))?;
        let wei = self.relayer_balance().await.map_err(asking("the relayer's balance"))?;
        let price = self.price().await.map_err(asking("the price of a transaction"))?;
        if wei < price.capped(self.config.fee_most).most.saturating_mul(u128::from(GAS_MAX)) {
            return Err(EvmSetupError::Dry { relayer: self.config.relayer.address(), wei });
        }
        Ok(())
    }

    /// Compares the chain's number with what each of its nodes says. True if all of them answered.
    ///
    /// # Errors
    /// When none answers, or one is of another chain.
    pub async fn compare(&self) -> Result<bool, EvmSetupError> {
        let (chains, is_all) = self.rpc.ask_any::<U64>("eth_chainId").await.map_err(asking("the chain's number"))?;
        match chains.into_iter().map(|chain| chain.to::<u64>()).find(|chain| *chain != self.config.chain) {
            Some(other) => Err(EvmSetupError::OtherChain(other)),
            None => Ok(is_all),
        }
    }

    /// The balance of our account, in wei.
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
    pub async fn head(&self) -> Result<EvmBlock, RpcError> {
        self.block("latest").await?.ok_or_else(|| RpcError::Unreachable("it has no newest block".to_owned()))
    }

    /// The newest block that is final. None where there is none yet.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn settled(&self) -> Result<Option<EvmBlock>, RpcError> {
        self.settled_by(None, self.config.depth).await
    }

    /// The newest block at this depth, as one node says of its own chain, or any node.
    pub(super) async fn settled_by(
        &self,
        node: Option<usize>,
        depth: ConfirmationDepth,
    ) -> Result<Option<EvmBlock>, RpcError> {
        let deep = match depth {
            ConfirmationDepth::Safe => return self.block_by(node, "safe").await,
            ConfirmationDepth::Finalized => return self.block_by(node, "finalized").await,
            ConfirmationDepth::Blocks(deep) => deep,
        };
        let newest = self.block_by(node, "latest").await?;
        match newest.as_ref().and_then(|newest| newest.number.checked_sub(deep)) {
            Some(number) if deep > 0 => self.block_by(node, U64::from(number)).await,
            Some(_) => Ok(newest),
            None => Ok(None),
        }
    }

    /// The time at which a block was made, in unix seconds. None where there is none of that number.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn made_at(&self, number: u64) -> Result<Option<u64>, RpcError> {
        Ok(self.block(U64::from(number)).await?.map(|block| block.timestamp))
    }

    async fn block(&self, which: impl serde::Serialize) -> Result<Option<EvmBlock>, RpcError> {
        self.block_by(None, which).await
    }

    pub(super) async fn block_by(
        &self,
        node: Option<usize>,
        which: impl serde::Serialize,
    ) -> Result<Option<EvmBlock>, RpcError> {
        let (method, params) = ("eth_getBlockByNumber", (which, false));
        let block: Option<BlockWire> = match node {
            Some(node) => self.rpc.ask_of(node, method, params).await?,
            None => self.rpc.ask(method, params).await?,
        };
        Ok(block.map(EvmBlock::from))
    }

    /// True if the chain itself calls a block final. False on a chain that calls none so.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_final(&self, number: u64) -> Result<bool, RpcError> {
        match self.block("finalized").await {
            Ok(newest) => Ok(newest.is_some_and(|newest| number <= newest.number)),
            Err(RpcError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// True if a block of this number and hash is in the chain: a node may still tell of one that was taken back.
    ///
    /// # Errors
    /// When no node answers, or the one that does has not got as far.
    pub async fn is_in_chain(&self, number: u64, hash: Option<[u8; 32]>) -> Result<bool, RpcError> {
        let block = self.block(U64::from(number)).await?.ok_or(RpcError::Behind)?;
        Ok(hash == Some(block.hash))
    }

    /// True if there is code at an address: it is a contract, or acts as one.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn is_contract(&self, address: &EvmAddress) -> Result<bool, RpcError> {
        let code: Bytes = self.rpc.ask("eth_getCode", (Address::from(address.0), "latest")).await?;
        Ok(!code.is_empty())
    }

    /// Tries a call from our account without sending it, and gives the gas that it would take.
    ///
    /// # Errors
    /// [`RpcError::Refused`] when the chain would not carry it out, which says why; or when no node answers.
    pub async fn simulate(&self, to: &EvmAddress, data: &[u8]) -> Result<u64, RpcError> {
        let from = Some(Address::from(self.config.relayer.address().0));
        let call = CallWire { from, to: Address::from(to.0), data: Bytes::copy_from_slice(data) };
        let gas: U64 = self.rpc.ask("eth_estimateGas", [call]).await?;
        Ok(gas.to())
    }

    /// The present price of a unit of gas. The tip is the least that a node says is usual.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn price(&self) -> Result<GasPrice, RpcError> {
        let base = self.head().await?.base_fee;
        let tip: U128 = self.rpc.ask_least("eth_maxPriorityFeePerGas", [(); 0]).await?;
        Ok(GasPrice { base, tip: tip.to() })
    }

    /// The number of our account's transactions that are in blocks, or with `pending` known to a node.
    /// Of those it is the least that a node says, since a number that lies ahead keeps all later ones waiting for ever.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn sent(&self, pending: bool) -> Result<u64, RpcError> {
        let address = Address::from(self.config.relayer.address().0);
        let count: U64 = match pending {
            true => self.rpc.ask_least("eth_getTransactionCount", (address, "pending")).await?,
            false => self.rpc.ask("eth_getTransactionCount", (address, "latest")).await?,
        };
        Ok(count.to())
    }

    /// The number of an account's transactions that are in blocks: the least and the most that its nodes say.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn sent_by(&self, account: &EvmAddress) -> Result<RangeInclusive<u64>, RpcError> {
        let asked = (Address::from(account.0), "latest");
        let mut told: Result<RangeInclusive<u64>, _> = Err(RpcError::Unreachable("there is no node".to_owned()));
        for answer in self.rpc.ask_all::<U64>("eth_getTransactionCount", asked).await {
            told = match (told, answer.map(|count| count.to::<u64>())) {
                (Ok(told), Ok(count)) => Ok(count.min(*told.start())..=count.max(*told.end())),
                (Err(_), Ok(count)) => Ok(count..=count),
                (Ok(told), Err(_)) => Ok(told),
                (Err(_), Err(error)) => Err(error),
            };
        }
        told
    }

    /// Gives a transaction to each node. True if one of them took it, which is no evidence of anything.
    pub async fn send(&self, raw: &[u8]) -> bool {
        let answers = self.rpc.tell_all::<B256>("eth_sendRawTransaction", [Bytes::copy_from_slice(raw)]).await;
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            tracing::debug!(
                chain = self.config.chain,
                error = error as &dyn std::error::Error,
                "a node did not take a transaction"
            );
        }
        answers.iter().any(Result::is_ok)
    }

    /// The receipt of a transaction; none where it is in no block.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn receipt(&self, hash: &[u8; 32]) -> Result<Option<EvmReceipt>, RpcError> {
        let receipt: Option<ReceiptWire> = self.rpc.ask("eth_getTransactionReceipt", [B256::from(*hash)]).await?;
        // A node that answers about another transaction answers about nothing.
        Ok(receipt.and_then(ReceiptWire::read).filter(|receipt| receipt.hash == *hash))
    }

    /// The receipt of a transaction, as one node shows it; none where it is in no block.
    pub(super) async fn receipt_of(&self, node: usize, hash: &[u8; 32]) -> Result<Option<EvmReceipt>, RpcError> {
        let receipt: Option<ReceiptWire> =
            self.rpc.ask_of(node, "eth_getTransactionReceipt", [B256::from(*hash)]).await?;
        Ok(receipt.and_then(ReceiptWire::read).filter(|receipt| receipt.hash == *hash))
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
        fees: GasFees,
    ) -> Result<SignedTransaction, super::TransactionSignError> {
        let chain = self.config.chain;
        self.config.relayer.sign(&super::RelayerCall { chain, nonce, to: *to, data, gas, fees })
    }

    /// The amount of a token that its owner lets Permit2 move.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn permit2_allowance(&self, token: &EvmToken, owner: &EvmAddress) -> Result<TokenUnits, RpcError> {
        let asked = allowanceCall { owner: Address::from(owner.0), spender: PERMIT2 };
        self.read(Address::from(token.address.0), asked, "latest").await.map(TokenUnits)
    }

    pub(super) async fn read<C: SolCall>(
        &self,
        contract: Address,
        call: C,
        at: impl serde::Serialize,
    ) -> Result<C::Return, RpcError> {
        self.read_by(None, contract, call, at).await
    }

    /// The result of a call of a contract, as one node answers, or any.
    pub(super) async fn read_by<C: SolCall>(
        &self,
        node: Option<usize>,
        contract: Address,
        call: C,
        at: impl serde::Serialize,
    ) -> Result<C::Return, RpcError> {
        let call = CallWire { from: None, to: contract, data: call.abi_encode().into() };
        let answer: Bytes = match node {
            Some(node) => self.rpc.ask_of(node, "eth_call", (call, at)).await?,
            None => self.rpc.ask("eth_call", (call, at)).await?,
        };
        C::abi_decode_returns(&answer).map_err(|error| RpcError::Refused { code: 0, message: error.to_string() })
    }
}

/// The most gas that carrying out one payment may take.
pub const GAS_MAX: u64 = 400_000;
/// The gas of a transaction without data, and the most of one byte of data, in the rules of Ethereum.
const GAS_PLAIN: u64 = 21_000;
const GAS_BYTE_MAX: u64 = 40;

/// The gas limit below which a node may refuse a call before it is carried out. Nothing of our account goes on behind a transaction
/// that is signed with less, so no node is believed that a call takes less.
#[must_use]
pub fn gas_least(call: &[u8]) -> u64 {
    u64::try_from(call.len()).unwrap_or(u64::MAX).saturating_mul(GAS_BYTE_MAX).saturating_add(GAS_PLAIN)
}

fn asking(what: &str) -> impl FnOnce(RpcError) -> EvmSetupError {
    let what = what.to_owned();
    |source| EvmSetupError::Unasked { what, source }
}
