//! A chain on which can be paid, and where it was when it was last asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::timeout;

use crate::chains::evm::{EvmNetwork, RpcError, Unfit};

use super::config::{ChainConfig, ChainKind};

/// For a chain's newest block when an order is made. An older one does as well.
const HEAD: Duration = Duration::from_secs(2);

/// A chain on which can be paid.
#[derive(Debug)]
pub(super) struct Network {
    /// Its CAIP-2 id.
    pub(super) id: String,
    pub(super) config: ChainConfig,
    pub(super) chain: Chain,
    /// Whether it was compared with what is written of it. Before, nothing can be paid on it.
    checked: AtomicBool,
}

/// The kinds of chains.
#[derive(Debug)]
pub(super) enum Chain {
    Evm(EvmNetwork),
}

impl Network {
    pub(super) fn new(config: &ChainConfig) -> Result<Self, RpcError> {
        let chain = match &config.kind {
            ChainKind::Evm(evm) => Chain::Evm(EvmNetwork::new(evm.clone())?),
        };
        Ok(Self { id: config.id(), config: config.clone(), chain, checked: AtomicBool::new(false) })
    }

    /// Compares the chain with what is written of it.
    pub(super) async fn check(&self) -> Result<(), Unfit> {
        let Chain::Evm(evm) = &self.chain;
        evm.check().await?;
        self.checked.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether it was.
    pub(super) fn is_checked(&self) -> bool {
        self.checked.load(Ordering::Acquire)
    }

    /// The newest block: what pays an order that is made now comes after it. None where the chain does not answer.
    pub(super) async fn now(&self) -> Option<u64> {
        let Chain::Evm(evm) = &self.chain;
        if !self.is_checked() {
            return None;
        }
        let head = timeout(HEAD, evm.head()).await.ok()?.ok()?;
        Some(head.number)
    }
}
