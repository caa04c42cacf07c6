//! Chains on which can be paid.

use std::time::Duration;

use crate::base::Usd;
use crate::chains::evm::EvmConfig;
use crate::chains::solana::SolanaConfig;

/// How long a payer waits for the chain before the answer says that the credit follows.
const WAIT: Duration = Duration::from_secs(5);

/// A chain on which can be paid.
#[derive(Debug, Clone)]
pub struct ChainConfig {
    /// Its name in the configuration.
    pub name: String,
    /// Of which kind it is.
    pub kind: ChainKind,
    /// The least order that can be paid on it, where that is more than the rail's.
    pub min: Option<Usd>,
}

/// The kinds of chains.
#[derive(Debug, Clone)]
pub enum ChainKind {
    /// Ethereum and those like it.
    Evm(EvmConfig),
    /// Solana.
    Solana(SolanaConfig),
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

impl ChainConfig {
    /// Its CAIP-2 id.
    #[must_use]
    pub fn id(&self) -> String {
        match &self.kind {
            ChainKind::Evm(evm) => format!("eip155:{}", evm.chain),
            ChainKind::Solana(solana) => format!("solana:{}", solana.network),
        }
    }

    /// Decimal places of the most precise of these tokens. None where it has none of them.
    #[must_use]
    pub fn decimals(&self, is_wanted: impl Fn(&str) -> bool) -> Option<u8> {
        match &self.kind {
            ChainKind::Evm(evm) => {
                evm.tokens.iter().filter(|token| is_wanted(&token.symbol)).map(|token| token.decimals).max()
            }
            ChainKind::Solana(solana) => {
                solana.tokens.iter().filter(|token| is_wanted(&token.symbol)).map(|token| token.decimals).max()
            }
        }
    }

    /// Where payments on it go.
    #[must_use]
    pub fn pay_to(&self) -> String {
        match &self.kind {
            ChainKind::Evm(evm) => evm.pay_to.checksummed(),
            ChainKind::Solana(solana) => solana.pay_to.to_string(),
        }
    }

    /// Tokens that are taken on it.
    #[must_use]
    pub fn symbols(&self) -> Vec<String> {
        match &self.kind {
            ChainKind::Evm(evm) => evm.tokens.iter().map(|token| token.symbol.clone()).collect(),
            ChainKind::Solana(solana) => solana.tokens.iter().map(|token| token.symbol.clone()).collect(),
        }
    }
}
