//! A network of the chain: what is asked of its nodes, and what is sent to them.

use serde_json::{Value, json};

use crate::SolanaAddress;
use crate::rpc::{RpcClient, RpcError};
use tollgate_base::Secret;

use super::answers::{
    EpochInfo, LatestBlockhash, SignatureStatus, SignatureStatusWire, SimulationWire, SlotValue, SolanaAccount,
    TokenAccount, TokenMint, TokenMintError,
};
use super::{FeePayer, SolanaSignature, SolanaToken};

/// The balance that an account without data has to keep, or it may not pay, in lamports.
const LAMPORTS_KEPT: u64 = 890_880;
/// The characters of a node's reasons that are passed on.
const REASON_CHARS: usize = 200;

/// The depth at which a transaction is taken for final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolanaDepth {
    /// Two thirds of the stake have voted for its block, and so many blocks lie on it.
    Blocks(u64),
    /// It cannot be taken back.
    Finalized,
}

/// The configuration of one network: its nodes, its tokens and our account.
#[derive(Debug, Clone)]
pub struct SolanaConfig {
    /// Its CAIP-2 reference: the beginning of the hash of its first block.
    pub network: String,
    /// Addresses of its nodes, in which there may be a key.
    pub nodes: Vec<Secret>,
    /// The depth at which a payment is taken for final.
    pub depth: SolanaDepth,
    /// The wallet whose token accounts are paid into.
    pub pay_to: SolanaAddress,
    /// Tokens that are taken; the first is the usual one.
    pub tokens: Vec<SolanaToken>,
    /// Our account on it.
    pub fee_payer: FeePayer,
    /// The most that one payment may cost us, in lamports.
    pub fee_most: u64,
}

/// A network that can be asked.
#[derive(Debug)]
pub struct SolanaNetwork {
    config: SolanaConfig,
    pub(super) rpc: RpcClient,
}

/// The reasons why a network cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum SolanaSetupError {
    /// It cannot be asked.
    #[error("asking for {what} failed")]
    Unasked {
        /// The value that was asked for.
        what: String,
        /// The error of the nodes.
        #[source]
        source: RpcError,
    },
    /// The nodes are of another network.
    #[error("its nodes are of the network {0}")]
    OtherNetwork(String),
    /// A token is not as it is written.
    #[error("the token {symbol} is not as it is configured")]
    Mint {
        /// The token.
        symbol: String,
        /// The difference in its mint.
        #[source]
        source: TokenMintError,
    },
    /// Nothing can be paid in this token.
    #[error(
        "pay_to has no account for {symbol} that can be paid into: send any amount of it there once, which makes {account}"
    )]
    NoAccount {
        /// The token.
        symbol: String,
        /// The account that is missing.
        account: SolanaAddress,
    },
    /// Our account has nothing to pay fees with.
    #[error("the fee payer {fee_payer} has {lamports} lamports, which does not pay for a transaction")]
    Dry {
        /// Our account.
        fee_payer: SolanaAddress,
        /// The balance of our account, in lamports.
        lamports: u64,
    },
}

/// The outcome of trying a transaction without sending it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimulationOutcome {
    /// The slot as of which it was tried.
    pub slot: u64,
    /// The reason why the network would not carry it out, where it would not.
    pub refused: Option<String>,
}

/// The nodes' answer to the question if a transaction can still come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransactionExpiry {
    /// It can still come.
    Open,
    /// The last block that could take it lies so many blocks below the newest that is final, and none that is final has it.
    Over(u64),
    /// Another node than the first has it.
    Came(SignatureStatus),
    /// No node that answers has what happened so long ago.
    Forgotten,
}

impl SolanaNetwork {
    /// A network; nobody is asked yet.
    ///
    /// # Errors
    /// When an address of a node is none.
    pub fn new(config: SolanaConfig) -> Result<Self, RpcError> {
        Ok(Self { rpc: RpcClient::new(&config.nodes)?, config })
    }

    /// The configuration that it was made of.
    #[must_use]
    pub fn config(&self) -> &SolanaConfig {
        &self.config
    }

    /// Compares what is on the network with what is written of it. Its nodes are [compared](Self::compare) before.
    ///
    /// # Errors
    /// When it cannot be asked, or is otherwise.
    pub async fn check(&self) -> Result<(), SolanaSetupError> {
        for token in &self.config.tokens {
            let symbol = &token.symbol;
            let found = self.account(&token.mint).await.map_err(asking(&format!("the mint of {symbol}")))?;
            let mint = TokenMint::read(found.as_ref(), token);
            mint.map_err(|source| SolanaSetupError::Mint { symbol: symbol.clone(), source })?;
            let account = token.account_of(&self.config.pay_to);
            let found = self.account(&account).await.map_err(asking(&format!("the account for {symbol}")))?;
            let fit = found.and_then(|found| TokenAccount::read(&found, token.program));
            if fit != Some(TokenAccount { mint: token.mint, owner: self.config.pay_to }) {
                return Err(SolanaSetupError::NoAccount { symbol: symbol.clone(), account });
            }
        }
        let lamports = self.lamports().await.map_err(asking("the fee payer's balance"))?;
        if !Self::can_pay(lamports, self.config.fee_most) {
            return Err(SolanaSetupError::Dry { fee_payer: self.config.fee_payer.address(), lamports });
        }
        Ok(())
    }

    /// Compares the first block with the one that each of the nodes has. True if all of them answered.
    ///
    /// # Errors
    /// When none answers, or one is of another network.
    pub async fn compare(&self) -> Result<bool, SolanaSetupError> {
        let (firsts, is_all) = self.rpc.ask_any::<String>("getGenesisHash").await.map_err(asking("the first block"))?;
        let network = &self.config.network;
        match firsts.into_iter().find(|first| !first.starts_with(network)) {
            Some(other) => Err(SolanaSetupError::OtherNetwork(other.chars().take(network.len()).collect())),
            None => Ok(is_all),
        }
    }

    /// The balance of our account, in lamports.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn lamports(&self) -> Result<u64, RpcError> {
        let of = self.config.fee_payer.address().to_string();
        let found: SlotValue<u64> = self.rpc.ask("getBalance", (of, at("confirmed"))).await?;
        Ok(found.value)
    }

    /// True if so many lamports pay a fee and leave what an account has to keep.
    #[must_use]
    pub const fn can_pay(lamports: u64, fee: u64) -> bool {
        lamports >= fee.saturating_add(LAMPORTS_KEPT)
    }

    /// The height of the newest confirmed block.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn height(&self) -> Result<u64, RpcError> {
        self.rpc.ask("getBlockHeight", [at("confirmed")]).await
    }

    /// The height of the newest confirmed block, from whichever node tells it first.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn newest(&self) -> Result<u64, RpcError> {
        self.rpc.ask_fastest("getBlockHeight", [at("confirmed")]).await
    }

    async fn account(&self, address: &SolanaAddress) -> Result<Option<SolanaAccount>, RpcError> {
        let how = json!({"encoding": "base64", "commitment": "confirmed"});
        let found: SlotValue<Option<SolanaAccount>> =
            self.rpc.ask("getAccountInfo", (address.to_string(), how)).await?;
        Ok(found.value)
    }

    /// Tries a transaction without sending it, as of blocks that are confirmed. Its signatures are not looked at: it has to be one
    /// that is not signed by us yet, or a node could send it before it is kept.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn simulate(&self, raw: &[u8]) -> Result<SimulationOutcome, RpcError> {
        let how = json!({
            "encoding": "base64", "commitment": "confirmed", "sigVerify": false, "replaceRecentBlockhash": false,
        });
        let answer: SlotValue<SimulationWire> = self.rpc.ask("simulateTransaction", (written(raw), how)).await?;
        let told = |wrong: Value| match wrong.as_str() {
            Some("BlockhashNotFound") => "its recent blockhash is too old, or not known yet: sign it anew".to_owned(),
            Some("AlreadyProcessed") => "it was carried out before".to_owned(),
            _ => wrong.to_string().chars().take(REASON_CHARS).collect(),
        };
        Ok(SimulationOutcome { slot: answer.context.slot, refused: answer.value.err.map(told) })
    }

    /// A recent block, which a transaction has to name.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn blockhash(&self) -> Result<[u8; 32], RpcError> {
        let answer: SlotValue<LatestBlockhash> = self.rpc.ask("getLatestBlockhash", [at("confirmed")]).await?;
        let hash: Result<SolanaAddress, _> = answer.value.blockhash.parse();
        hash.map(|hash| hash.0).map_err(|_| RpcError::Unreachable("it names a block in another way".to_owned()))
    }

    /// Gives a transaction to each node. True if one of them took it, which is no evidence of anything.
    pub async fn send(&self, raw: &[u8]) -> bool {
        let how = json!({"encoding": "base64", "skipPreflight": true, "maxRetries": 0});
        let answers = self.rpc.tell_all::<String>("sendTransaction", (written(raw), how)).await;
        for error in answers.iter().filter_map(|answer| answer.as_ref().err()) {
            tracing::debug!(
                network = self.config.network,
                error = error as &dyn std::error::Error,
                "a node did not take a transaction"
            );
        }
        answers.iter().any(Result::is_ok)
    }

    /// The status of a transaction; none where it is in no block that the node knows of.
    ///
    /// # Errors
    /// When no node answers.
    pub async fn status(&self, signature: &SolanaSignature) -> Result<Option<SignatureStatus>, RpcError> {
        let answer: SlotValue<Vec<Option<SignatureStatusWire>>> =
            self.rpc.ask("getSignatureStatuses", asked(signature)).await?;
        Ok(status_of(answer))
    }

    /// True if a status is final at the configured depth.
    #[must_use]
    pub fn is_deep(&self, status: &SignatureStatus) -> bool {
        match self.config.depth {
            SolanaDepth::Finalized => status.is_final,
            SolanaDepth::Blocks(blocks) => status.is_final || status.confirmed.is_some_and(|on_top| on_top >= blocks),
        }
    }

    /// Asks if a transaction can still come that no block after this height takes.
    /// Over is what every node says that answers and has all blocks since the slot before which it was not sent, each of its own
    /// blocks that are final: at a moment when it had all that could have taken it, it knew of none.
    ///
    /// # Errors
    /// When no node answers, or one of them is behind itself.
    pub async fn transaction_expiry(
        &self,
        signature: &SolanaSignature,
        since_slot: u64,
        last_height: u64,
    ) -> Result<TransactionExpiry, RpcError> {
        let epochs = self.rpc.ask_all::<EpochInfo>("getEpochInfo", [at("finalized")]).await;
        // In the order of the nodes, after the first answers.
        let statuses = self
            .rpc
            .ask_all::<SlotValue<Vec<Option<SignatureStatusWire>>>>("getSignatureStatuses", asked(signature))
            .await;
        let mut over = Vec::new();
        let mut last = RpcError::Unreachable("there is no node".to_owned());
        for (epoch, status) in epochs.into_iter().zip(statuses) {
            let (epoch, status) = match (epoch, status) {
                (Ok(epoch), Ok(status)) => (epoch, status),
                (Err(error), _) | (_, Err(error)) => {
                    last = error;
                    over.push(None);
                    continue;
                }
            };
            let slot = status.context.slot;
            if let Some(status) = status_of(status) {
                return Ok(TransactionExpiry::Came(status));
            }
            let Some(beyond) = epoch.block_height.checked_sub(last_height).filter(|beyond| *beyond > 0) else {
                return Ok(TransactionExpiry::Open);
            };
            // Behind one address may be several nodes, and this answer be of one that has not got as far.
            if slot < epoch.absolute_slot {
                return Err(RpcError::Behind);
            }
            over.push(Some(beyond));
        }
        if over.iter().all(Option::is_none) {
            return Err(last);
        }
        self.remembered(over, since_slot, last).await
    }

    /// Over is what those nodes say, of so many blocks each, that have all since a slot: the others would say so in any case.
    async fn remembered(
        &self,
        over: Vec<Option<u64>>,
        since_slot: u64,
        last: RpcError,
    ) -> Result<TransactionExpiry, RpcError> {
        let firsts = self.rpc.ask_all::<u64>("getFirstAvailableBlock", [(); 0]).await;
        let (mut least, mut forgotten, mut last) = (None, false, last);
        for (beyond, first) in over.into_iter().zip(firsts) {
            match (beyond, first) {
                (Some(beyond), Ok(first)) if first <= since_slot => {
                    least = Some(least.map_or(beyond, |least: u64| least.min(beyond)));
                }
                (Some(_), Ok(_)) => forgotten = true,
                (Some(_), Err(error)) => last = error,
                (None, _) => {}
            }
        }
        match least {
            Some(least) => Ok(TransactionExpiry::Over(least)),
            None if forgotten => Ok(TransactionExpiry::Forgotten),
            None => Err(last),
        }
    }
}

fn asking(what: &str) -> impl FnOnce(RpcError) -> SolanaSetupError {
    let what = what.to_owned();
    |source| SolanaSetupError::Unasked { what, source }
}

pub(super) fn at(commitment: &str) -> Value {
    json!({"commitment": commitment})
}

fn written(raw: &[u8]) -> String {
    data_encoding::BASE64.encode(raw)
}

/// The parameters that ask for a signature's status, also where it lies further back than a node keeps at hand.
pub(super) fn asked(signature: &SolanaSignature) -> (Vec<String>, Value) {
    (vec![signature.to_string()], json!({"searchTransactionHistory": true}))
}

pub(super) fn status_of(answer: SlotValue<Vec<Option<SignatureStatusWire>>>) -> Option<SignatureStatus> {
    answer.value.into_iter().next().flatten().map(SignatureStatus::from)
}
