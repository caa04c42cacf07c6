//! A chain on which can be paid, and where it was when it was last asked.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::{Instant, timeout_at};

use crate::chains;
use crate::chains::evm::{self, EvmNetwork, RpcError};
use crate::chains::solana::{SolanaNetwork, SolanaUnfit};

use super::super::commit::sent;
use super::config::{ChainConfig, ChainKind};

/// For a chain's newest block when an order is made. An older one does as well.
const HEAD: Duration = Duration::from_secs(2);
/// Where several chains are asked for it, the others have so long after the first that answers.
const BEHIND_THE_FIRST: Duration = Duration::from_millis(400);
/// Between two alarms for the same.
const BELL_MS: i64 = 60_000;

/// A chain on which can be paid.
#[derive(Debug)]
pub(super) struct Network {
    /// Its CAIP-2 id.
    pub(super) id: String,
    pub(super) config: ChainConfig,
    pub(super) chain: Chain,
    /// Whether it was compared with what is written of it. Before, nothing can be paid on it.
    checked: AtomicBool,
    /// Whether its nodes are of this chain, as those say that answered. Before, nothing that they do not know is evidence.
    compared: AtomicBool,
    /// Whether all of them did.
    whole: AtomicBool,
    /// When those that did not are asked again.
    pub(super) comparing: Bell,
    /// Rings for a payment that its nodes have forgotten.
    pub(super) forgotten: Bell,
    /// For a payment of which its nodes have not told enough for minutes.
    pub(super) unconfirmed: Bell,
    /// For a payment that one node alone shows, beyond what is believed of one.
    pub(super) one_node: Bell,
    /// For fees of our account that are more than it may spend.
    pub(super) spending: Bell,
    /// For a transaction of ours that is not taken for the most that may be paid.
    pub(super) stuck: Bell,
    /// For a number of our account that nothing has.
    pub(super) gap: Bell,
    /// For a number of our account that no node can be right about.
    pub(super) ahead: Bell,
}

/// Rings at most once a minute for what is looked at each second.
#[derive(Debug, Default)]
pub(super) struct Bell(AtomicI64);

impl Bell {
    /// Whether it is time; whoever asks has to ring then.
    pub(super) fn is_due(&self, now_ms: i64) -> bool {
        let last_ms = self.0.load(Ordering::Relaxed);
        let is_due = now_ms.saturating_sub(last_ms) >= BELL_MS;
        is_due && self.0.compare_exchange(last_ms, now_ms, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// The kinds of chains.
#[derive(Debug)]
pub(super) enum Chain {
    Evm(EvmNetwork),
    Solana(SolanaNetwork),
}

/// Why a chain cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// An EVM chain.
    #[error(transparent)]
    Evm(#[from] evm::Unfit),
    /// Solana.
    #[error(transparent)]
    Solana(#[from] SolanaUnfit),
}

impl Unfit {
    /// A chain that cannot be asked at all.
    pub(super) fn unasked(source: RpcError) -> Self {
        evm::Unfit::Unasked { what: "its nodes".to_owned(), source }.into()
    }

    /// What was asked for in vain, where that is what is wrong.
    pub(super) fn what_unasked(&self) -> Option<&str> {
        match self {
            Self::Evm(evm::Unfit::Unasked { what, .. }) | Self::Solana(SolanaUnfit::Unasked { what, .. }) => Some(what),
            Self::Evm(_) | Self::Solana(_) => None,
        }
    }

    /// Whether our account on it is empty.
    pub(super) fn is_dry(&self) -> bool {
        matches!(self, Self::Evm(evm::Unfit::Dry { .. }) | Self::Solana(SolanaUnfit::Dry { .. }))
    }
}

impl Network {
    pub(super) fn new(config: &ChainConfig) -> Result<Self, RpcError> {
        let chain = match &config.kind {
            ChainKind::Evm(evm) => Chain::Evm(EvmNetwork::new(evm.clone())?),
            ChainKind::Solana(solana) => Chain::Solana(SolanaNetwork::new(solana.clone())?),
        };
        let (id, config) = (config.id(), config.clone());
        let (checked, compared, whole) = (AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false));
        Ok(Self {
            id,
            config,
            chain,
            checked,
            compared,
            whole,
            comparing: Bell::default(),
            forgotten: Bell::default(),
            unconfirmed: Bell::default(),
            one_node: Bell::default(),
            spending: Bell::default(),
            stuck: Bell::default(),
            gap: Bell::default(),
            ahead: Bell::default(),
        })
    }

    /// Compares its nodes with its id. One that turns out to be of another chain makes it unfit again.
    pub(super) async fn compare(&self) -> Result<(), Unfit> {
        let compared = match &self.chain {
            Chain::Evm(evm) => evm.compare().await.map_err(Unfit::from),
            Chain::Solana(solana) => solana.compare().await.map_err(Unfit::from),
        };
        match compared {
            Ok(is_whole) => {
                self.whole.store(is_whole, Ordering::Release);
                self.compared.store(true, Ordering::Release);
                Ok(())
            }
            Err(unfit) => {
                if unfit.what_unasked().is_none() {
                    self.compared.store(false, Ordering::Release);
                    self.checked.store(false, Ordering::Release);
                }
                Err(unfit)
            }
        }
    }

    /// Whether its nodes were compared; with `is_whole` all of them.
    pub(super) fn is_compared(&self) -> bool {
        self.compared.load(Ordering::Acquire)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole.load(Ordering::Acquire)
    }

    /// Compares the chain with what is written of it.
    pub(super) async fn check(&self) -> Result<(), Unfit> {
        self.compare().await?;
        match &self.chain {
            Chain::Evm(evm) => evm.check().await?,
            Chain::Solana(solana) => solana.check().await?,
        }
        self.checked.store(true, Ordering::Release);
        Ok(())
    }

    /// Whose wallets pay on it.
    pub(super) fn family(&self) -> chains::Chain {
        match self.chain {
            Chain::Evm(_) => chains::Chain::Evm,
            Chain::Solana(_) => chains::Chain::Solana,
        }
    }

    /// Whether it was.
    pub(super) fn is_checked(&self) -> bool {
        self.checked.load(Ordering::Acquire)
    }

    /// Gives the chain what was signed and kept before. Whether a node took it, which is no evidence of anything.
    pub(super) async fn send(&self, raw: &[u8]) -> bool {
        match &self.chain {
            Chain::Evm(evm) => sent(evm.send(raw)).await,
            Chain::Solana(solana) => sent(solana.send(raw)).await,
        }
    }

    /// The newest block: what pays an order that is made now comes after it. None where the chain does not answer.
    async fn newest(&self) -> Option<u64> {
        if !self.is_checked() {
            return None;
        }
        match &self.chain {
            Chain::Evm(evm) => evm.newest().await.ok(),
            Chain::Solana(solana) => solana.newest().await.ok(),
        }
    }
}

/// The newest blocks of chains that are asked at the same time, by their CAIP-2 ids. Those that take their time are left out: one
/// that hangs must not delay what can be paid on another.
pub(super) async fn newest_blocks(networks: &[&Network]) -> Vec<(String, u64)> {
    let told = networks.iter().map(|network| async { Some((network.id.clone(), network.newest().await?)) });
    let mut under_way: FuturesUnordered<_> = told.collect();
    let (mut blocks, mut until) = (Vec::new(), Instant::now() + HEAD);
    while let Ok(Some(told)) = timeout_at(until, under_way.next()).await {
        if let Some(told) = told {
            until = until.min(Instant::now() + BEHIND_THE_FIRST);
            blocks.push(told);
        }
    }
    blocks
}
