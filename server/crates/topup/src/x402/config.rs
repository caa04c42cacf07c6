//! The chains on which can be paid.

use std::time::Duration;

use tollgate_base::Usd;
use tollgate_chains::evm::EvmConfig;
use tollgate_chains::solana::SolanaConfig;

/// The time that a payer waits for the chain before the answer says that the credit follows.
const WAIT: Duration = Duration::from_secs(5);

/// A chain on which can be paid.
#[derive(Debug, Clone)]
pub struct ChainConfig {
    /// Its name in the configuration.
    pub name: String,
    /// The kind of the chain, with its own configuration.
    pub kind: ChainKind,
    /// The least order that can be paid on it, where that is more than the rail's.
    pub min: Option<Usd>,
    /// The most that is credited in an hour on the word of one node, where no other answers or exists.
    pub one_node_per_hour: Usd,
    /// The bounds of what our account on it may spend on fees.
    pub fees: FeeBounds,
    /// The data by which a wallet adds it. Absent: people add it themselves.
    pub wallet: Option<WalletNetwork>,
}

/// The data by which a wallet adds a chain that it does not know (EIP-3085). Everybody is shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalletNetwork {
    /// The address of a node that anybody may ask.
    pub rpc_url: String,
    /// The symbol of the chain's own coin.
    pub coin_symbol: String,
    /// A site that shows the chain's transactions.
    pub explorer_url: Option<String>,
}

/// The bounds of what our account on a chain may spend on fees, over all payers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeeBounds {
    /// The price of a whole coin of the chain, by which fees are converted.
    pub coin: Usd,
    /// The most that may be spent in an hour on payments that fail.
    pub per_hour: Usd,
}

/// The part of an order, one in this many, that may be spent on carrying its payment.
const SHARE: i64 = 10;
const NANOS: i64 = 1_000_000_000;
/// The default of the hourly credit on the word of one node.
const USUAL_ONE_NODE: Usd = Usd::from_nanos(500 * NANOS);
/// The default of what may be spent in an hour on payments that fail.
const USUAL_PER_HOUR: Usd = Usd::from_nanos(5 * NANOS);
/// The default prices of coins in US dollars, by chain. They are far above what coins have cost, so that less is spent.
const COINS: [(&str, i64); 7] = [
    ("eip155:56", 3_000),
    ("eip155:100", 2),
    ("eip155:42220", 10),
    ("eip155:137", 5),
    ("eip155:43114", 200),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", 1_000),
    ("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", 1_000),
];
/// The default price of any other coin, mostly ether.
const USUAL_COIN: i64 = 5_000;

/// The symbols of own coins, by chain.
const COIN_SYMBOLS: [(&str, &str); 7] = [
    ("eip155:56", "BNB"),
    ("eip155:100", "XDAI"),
    ("eip155:137", "POL"),
    ("eip155:42220", "CELO"),
    ("eip155:43113", "AVAX"),
    ("eip155:43114", "AVAX"),
    ("eip155:80002", "POL"),
];
const USUAL_COIN_SYMBOL: &str = "ETH";

impl FeeBounds {
    /// The worth of so many smallest units of a coin with these decimal places, rounded up. It is the largest amount where it is
    /// more.
    #[must_use]
    pub fn worth(&self, units: u128, decimals: u32) -> Usd {
        let nanos = u128::try_from(self.coin.nanos()).unwrap_or_default();
        let worth = units.checked_mul(nanos).map(|worth| worth.div_ceil(10_u128.pow(decimals)));
        Usd::from_nanos(worth.and_then(|worth| i64::try_from(worth).ok()).unwrap_or(i64::MAX))
    }

    /// The most of a coin's smallest units that may be spent on an order.
    #[must_use]
    pub fn most_for(&self, order: Usd, decimals: u32) -> u128 {
        let share = u128::try_from(order.nanos() / SHARE).unwrap_or_default();
        let nanos = u128::try_from(self.coin.nanos()).unwrap_or_default().max(1);
        share.saturating_mul(10_u128.pow(decimals)) / nanos
    }
}

/// The kinds of chains.
#[derive(Debug, Clone)]
pub enum ChainKind {
    /// Ethereum and chains like it.
    Evm(EvmConfig),
    /// Solana.
    Solana(SolanaConfig),
}

/// The chains, the default one first.
#[derive(Debug, Clone)]
pub struct ChainsConfig {
    /// The chains.
    pub chains: Vec<ChainConfig>,
    /// The time that a payer waits for the chain before the answer says that the credit follows.
    pub wait: Duration,
}

impl Default for ChainsConfig {
    fn default() -> Self {
        Self { chains: Vec::new(), wait: WAIT }
    }
}

impl ChainKind {
    fn id(&self) -> String {
        match self {
            Self::Evm(evm) => format!("eip155:{}", evm.chain),
            Self::Solana(solana) => format!("solana:{}", solana.network),
        }
    }
}

impl ChainConfig {
    /// A chain with the default bounds.
    #[must_use]
    pub fn usual(name: &str, kind: ChainKind) -> Self {
        let id = kind.id();
        let coin = COINS.iter().find(|(network, _)| *network == id).map_or(USUAL_COIN, |(_, coin)| *coin);
        let fees = FeeBounds { coin: Usd::from_nanos(coin * NANOS), per_hour: USUAL_PER_HOUR };
        Self { name: name.to_owned(), kind, min: None, one_node_per_hour: USUAL_ONE_NODE, fees, wallet: None }
    }

    /// The symbol of the chain's own coin, where none is configured.
    #[must_use]
    pub fn usual_coin_symbol(&self) -> &'static str {
        let id = self.id();
        COIN_SYMBOLS.iter().find(|(network, _)| *network == id).map_or(USUAL_COIN_SYMBOL, |(_, symbol)| *symbol)
    }

    /// Its CAIP-2 id.
    #[must_use]
    pub fn id(&self) -> String {
        self.kind.id()
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

    /// The address or account that is paid, as text.
    #[must_use]
    pub fn pay_to(&self) -> String {
        match &self.kind {
            ChainKind::Evm(evm) => evm.pay_to.checksummed(),
            ChainKind::Solana(solana) => solana.pay_to.to_string(),
        }
    }

    /// The symbols of the tokens that are accepted on it.
    #[must_use]
    pub fn symbols(&self) -> Vec<String> {
        match &self.kind {
            ChainKind::Evm(evm) => evm.tokens.iter().map(|token| token.symbol.clone()).collect(),
            ChainKind::Solana(solana) => solana.tokens.iter().map(|token| token.symbol.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fees_are_reckoned_in_dollars_and_never_below_what_they_are() {
        let usd = |text: &str| text.parse::<Usd>().unwrap();
        let bounds = FeeBounds { coin: usd("2500"), per_hour: usd("5") };
        assert_eq!(bounds.worth(2_000_000_000_000_000, 18), usd("5"));
        assert_eq!(bounds.worth(1, 18), Usd::from_nanos(1));
        assert_eq!(bounds.worth(0, 18), Usd::ZERO);
        assert_eq!(bounds.worth(u128::MAX, 18), Usd::from_nanos(i64::MAX));
        assert_eq!(bounds.worth(u128::from(u64::MAX), 18), usd("46116.860184274"));
        assert_eq!(bounds.most_for(usd("5"), 18), 200_000_000_000_000);
        assert_eq!(bounds.most_for(usd("5"), 9), 200_000);
        assert_eq!(bounds.worth(bounds.most_for(usd("7.77"), 18), 18), usd("0.777"));
        assert_eq!(bounds.most_for(Usd::ZERO, 18), 0);
    }
}
