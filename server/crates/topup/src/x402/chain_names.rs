//! Names of chains for people.

use super::ChainConfig;
use super::offers::PaymentOffer;

/// Chains by their CAIP-2 ids, with their names in wallets.
const NAMES: [(&str, &str); 11] = [
    ("eip155:1", "Ethereum"),
    ("eip155:10", "OP Mainnet"),
    ("eip155:56", "BNB Smart Chain"),
    ("eip155:137", "Polygon"),
    ("eip155:8453", "Base"),
    ("eip155:42161", "Arbitrum One"),
    ("eip155:43114", "Avalanche C-Chain"),
    ("eip155:84532", "Base Sepolia (test network)"),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "Solana"),
    ("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "Solana Devnet (test network)"),
    ("solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z", "Solana Testnet (test network)"),
];

impl ChainConfig {
    /// The chain's name for people: the usual one, or else the name in the configuration.
    #[must_use]
    pub fn display_name(&self) -> &str {
        let id = self.id();
        NAMES.iter().find(|(known, _)| *known == id).map_or(&self.name, |(_, name)| name)
    }
}

impl PaymentOffer<'_> {
    /// The token's symbol.
    pub(super) fn symbol(&self) -> &str {
        match self {
            Self::Evm(offer) => &offer.token.symbol,
            Self::Solana(offer) => &offer.token.symbol,
        }
    }

    pub(super) fn chain(&self) -> &ChainConfig {
        match self {
            Self::Evm(offer) => &offer.network.config,
            Self::Solana(offer) => &offer.network.config,
        }
    }
}
