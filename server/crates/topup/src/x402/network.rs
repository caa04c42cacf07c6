//! A chain on which can be paid, and the state of its comparison with the configuration.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::time::{Instant, timeout_at};
use tollgate_chains::evm::{self, EvmNetwork, RpcError};
use tollgate_chains::solana::{SolanaNetwork, SolanaSetupError};

use super::super::commit::sent;
use super::config::{ChainConfig, ChainKind};

/// The time for asking a chain for its newest block when an order is made. An older block does as well.
const HEAD: Duration = Duration::from_secs(2);
/// The time that the other chains have after the first one that answers. A chain waits a moment for its own nodes, so it is longer.
const BEHIND_THE_FIRST: Duration = Duration::from_millis(800);
/// The pause between two alarms for the same cause, in milliseconds.
const BELL_MS: i64 = 60_000;

/// A chain on which can be paid.
#[derive(Debug)]
pub(super) struct PaymentNetwork {
    /// Its CAIP-2 id.
    pub(super) id: String,
    pub(super) config: ChainConfig,
    pub(super) chain: ChainClient,
    /// True if the chain was compared with its configuration. Before, nothing can be paid on it.
    checked: AtomicBool,
    /// True if the nodes that answered are of this chain. Before, nothing that they do not know is evidence.
    compared: AtomicBool,
    /// True if all nodes have answered that they are of this chain.
    whole: AtomicBool,
    /// The throttle of asking the nodes again that did not answer.
    pub(super) comparing: AlarmThrottle,
    /// The throttle of alarms for payments that its nodes have forgotten.
    pub(super) forgotten: AlarmThrottle,
    /// The throttle of alarms for payments of which its nodes have not shown enough for minutes.
    pub(super) unconfirmed: AlarmThrottle,
    /// The throttle of alarms for payments that one node alone shows, beyond what is credited on the word of one.
    pub(super) one_node: AlarmThrottle,
    /// The throttle of alarms for fees beyond the budget of our account.
    pub(super) spending: AlarmThrottle,
    /// The throttle of alarms for a transaction of ours that no block takes at the highest fee.
    pub(super) stuck: AlarmThrottle,
    /// The throttle of alarms for a missing transaction number of our account.
    pub(super) gap: AlarmThrottle,
    /// The throttle of alarms for a transaction number of our account that no node can be right about.
    pub(super) ahead: AlarmThrottle,
}

/// A throttle of one alarm a minute for what is looked at each second.
#[derive(Debug, Default)]
pub(super) struct AlarmThrottle(AtomicI64);

impl AlarmThrottle {
    /// True if the alarm is due; the caller has to raise it then.
    pub(super) fn is_due(&self, now_ms: i64) -> bool {
        let last_ms = self.0.load(Ordering::Relaxed);
        let is_due = now_ms.saturating_sub(last_ms) >= BELL_MS;
        is_due && self.0.compare_exchange(last_ms, now_ms, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// The kinds of chains.
#[derive(Debug)]
pub(super) enum ChainClient {
    Evm(EvmNetwork),
    Solana(SolanaNetwork),
}

/// The reason for which a chain cannot be used as it is configured.
#[derive(Debug, thiserror::Error)]
pub enum NetworkUnfit {
    /// An EVM chain.
    #[error(transparent)]
    Evm(#[from] evm::EvmSetupError),
    /// Solana.
    #[error(transparent)]
    Solana(#[from] SolanaSetupError),
}

impl NetworkUnfit {
    /// A chain that cannot be asked at all.
    pub(super) fn unasked(source: RpcError) -> Self {
        evm::EvmSetupError::Unasked { what: "its nodes".to_owned(), source }.into()
    }

    /// The question that no node answered, if that is the reason.
    pub(super) fn what_unasked(&self) -> Option<&str> {
        match self {
            Self::Evm(evm::EvmSetupError::Unasked { what, .. })
            | Self::Solana(SolanaSetupError::Unasked { what, .. }) => Some(what),
            Self::Evm(_) | Self::Solana(_) => None,
        }
    }

    /// True if our account on it is empty.
    pub(super) fn is_dry(&self) -> bool {
        matches!(self, Self::Evm(evm::EvmSetupError::Dry { .. }) | Self::Solana(SolanaSetupError::Dry { .. }))
    }
}

impl PaymentNetwork {
    pub(super) fn new(config: &ChainConfig) -> Result<Self, RpcError> {
        let chain = match &config.kind {
            ChainKind::Evm(evm) => ChainClient::Evm(EvmNetwork::new(evm.clone())?),
            ChainKind::Solana(solana) => ChainClient::Solana(SolanaNetwork::new(solana.clone())?),
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
            comparing: AlarmThrottle::default(),
            forgotten: AlarmThrottle::default(),
            unconfirmed: AlarmThrottle::default(),
            one_node: AlarmThrottle::default(),
            spending: AlarmThrottle::default(),
            stuck: AlarmThrottle::default(),
            gap: AlarmThrottle::default(),
            ahead: AlarmThrottle::default(),
        })
    }

    /// Compares its nodes with its id. A node of another chain makes the chain unusable again.
    pub(super) async fn compare(&self) -> Result<(), NetworkUnfit> {
        let compared = match &self.chain {
            ChainClient::Evm(evm) => evm.compare().await.map_err(NetworkUnfit::from),
            ChainClient::Solana(solana) => solana.compare().await.map_err(NetworkUnfit::from),
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

    /// True if its nodes were compared.
    pub(super) fn is_compared(&self) -> bool {
        self.compared.load(Ordering::Acquire)
    }

    pub(super) fn is_whole(&self) -> bool {
        self.whole.load(Ordering::Acquire)
    }

    /// Compares the chain with its configuration.
    pub(super) async fn check(&self) -> Result<(), NetworkUnfit> {
        self.compare().await?;
        match &self.chain {
            ChainClient::Evm(evm) => evm.check().await?,
            ChainClient::Solana(solana) => solana.check().await?,
        }
        self.checked.store(true, Ordering::Release);
        Ok(())
    }

    /// The kind of wallets that pay on it.
    pub(super) fn family(&self) -> tollgate_chains::ChainFamily {
        match self.chain {
            ChainClient::Evm(_) => tollgate_chains::ChainFamily::Evm,
            ChainClient::Solana(_) => tollgate_chains::ChainFamily::Solana,
        }
    }

    /// True if it was compared with its configuration.
    pub(super) fn is_checked(&self) -> bool {
        self.checked.load(Ordering::Acquire)
    }

    /// Sends what was signed and kept before to the chain. True if a node took it, which is no evidence of anything.
    pub(super) async fn send(&self, raw: &[u8]) -> bool {
        match &self.chain {
            ChainClient::Evm(evm) => sent(evm.send(raw)).await,
            ChainClient::Solana(solana) => sent(solana.send(raw)).await,
        }
    }

    /// A block before anything that pays an order that is made now. None if the chain does not answer.
    async fn block_before_now(&self) -> Option<u64> {
        if !self.is_checked() {
            return None;
        }
        match &self.chain {
            ChainClient::Evm(evm) => evm.block_before_now().await.ok(),
            ChainClient::Solana(solana) => solana.newest().await.ok(),
        }
    }
}

/// Blocks of chains before anything that pays an order that is made now, by their CAIP-2 ids. They are asked at the same time. Slow chains are left out: one that hangs must
/// not delay what can be paid on another.
pub(super) async fn blocks_before_now(networks: &[&PaymentNetwork]) -> Vec<(String, u64)> {
    let told = networks.iter().map(|network| async { Some((network.id.clone(), network.block_before_now().await?)) });
    prompt_answers(told).await
}

/// The answers that come within [`HEAD`], and no later than [`BEHIND_THE_FIRST`] behind the first of them.
async fn prompt_answers<T>(told: impl Iterator<Item = impl Future<Output = Option<T>>>) -> Vec<T> {
    let mut under_way: FuturesUnordered<_> = told.collect();
    let (mut answers, mut until) = (Vec::new(), Instant::now() + HEAD);
    while let Ok(Some(told)) = timeout_at(until, under_way.next()).await {
        if let Some(told) = told {
            until = until.min(Instant::now() + BEHIND_THE_FIRST);
            answers.push(told);
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    /// The answers of chains that take some milliseconds each, a negative time being that of a failure, and the time it took.
    async fn answers(times: &[i64]) -> (Vec<i64>, u128) {
        let began = Instant::now();
        let told = times.iter().map(|time| async move {
            sleep(Duration::from_millis(time.unsigned_abs())).await;
            (*time >= 0).then_some(*time)
        });
        (prompt_answers(told).await, began.elapsed().as_millis())
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_chain_delays_no_other() {
        const HANGS: i64 = 3_600_000;
        assert_eq!(answers(&[10, HANGS]).await, (vec![10], 810));
        assert_eq!(answers(&[HANGS, 700, 10, 900]).await, (vec![10, 700], 810));
        assert_eq!(answers(&[-5, 20, 10]).await, (vec![10, 20], 20));
        assert_eq!(answers(&[1_900, HANGS]).await, (vec![1_900], 2_000));
        assert_eq!(answers(&[HANGS]).await, (vec![], 2_000));
        assert_eq!(answers(&[]).await, (vec![], 0));
    }
}
