//! Chains on which can be paid.

use std::time::Duration;

use crate::chains::evm::EvmConfig;
use crate::generated::types::X402Network;

/// How long a payer waits for the chain before the answer says that the credit follows.
const WAIT: Duration = Duration::from_secs(5);

/// A chain on which can be paid.
#[derive(Debug, Clone)]
pub struct ChainConfig {
    /// Its name in the configuration.
    pub name: String,
    /// Of which kind it is.
    pub kind: ChainKind,
}

/// The kinds of chains.
#[derive(Debug, Clone)]
pub enum ChainKind {
    /// Ethereum and those like it.
    Evm(EvmConfig),
}

/// The chains, the usual one first.
#[derive(Debug, Clone)]
pub struct ChainsConfig {
    /// Each of them.
    pub chains: Vec<ChainConfig>,
    /// How long a payer waits for the chain before the answer says that the credit follows.
    pub wait: Duration,
}

impl Default for ChainsConfig {
    fn default() -> Self {
        Self { chains: Vec::new(), wait: WAIT }
    }
}

impl ChainsConfig {
    /// The chains in the words of the spec.
    #[must_use]
    pub fn networks(&self) -> Vec<X402Network> {
        let shown =
            |chain: &ChainConfig| X402Network { network: chain.id(), pay_to: chain.pay_to(), symbols: chain.symbols() };
        self.chains.iter().map(shown).collect()
    }
}

impl ChainConfig {
    /// Its CAIP-2 id.
    #[must_use]
    pub fn id(&self) -> String {
        let ChainKind::Evm(evm) = &self.kind;
        format!("eip155:{}", evm.chain)
    }

    /// Where payments on it go.
    #[must_use]
    pub fn pay_to(&self) -> String {
        let ChainKind::Evm(evm) = &self.kind;
        evm.pay_to.checksummed()
    }

    /// Tokens that are taken on it.
    #[must_use]
    pub fn symbols(&self) -> Vec<String> {
        let ChainKind::Evm(evm) = &self.kind;
        evm.tokens.iter().map(|token| token.symbol.clone()).collect()
    }
}
