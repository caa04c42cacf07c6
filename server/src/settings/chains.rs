//! The rails of top-ups, and the chains on which can be paid.

use std::time::Duration;

use tollgate_base::Usd;
use tollgate_chains::EvmAddress;
use tollgate_chains::evm::{ConfirmationDepth, EvmConfig, EvmMethod, EvmToken, Relayer};
use tollgate_topup::x402::{ChainConfig, ChainKind, ChainsConfig};
use tollgate_topup::{Config, PaymentRail, RailConfig};

use super::chain_access::{key, nodes};
use super::file::{self, ConfigFile, ServerMode};
use super::solana;
use super::wallet_network::wallet_network;
use tollgate_catalog::UnplacedComplaint;

/// Far above what the usual chains ask, and far below what would empty an account by mistake.
const USUAL_FEE_GWEI: u32 = 500;
const WEI_PER_GWEI: u128 = 1_000_000_000;
/// Beyond it an amount of whole dollars would leave 256 bits.
const DECIMALS_MAX: u8 = 36;
/// Longest wait of a payer: well within the time of a request.
const WAIT_SECONDS_MAX: u64 = 30;

/// Networks whose money is given away: what is paid on them must buy nothing real.
const TEST_NETWORKS: [&str; 12] = [
    "eip155:97",
    "eip155:17000",
    "eip155:31337",
    "eip155:43113",
    "eip155:80002",
    "eip155:84532",
    "eip155:421614",
    "eip155:560048",
    "eip155:11155111",
    "eip155:11155420",
    "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
];

/// The rails that are on, and the chains on which can be paid.
pub(super) fn topup(
    file: &ConfigFile,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Config {
    let (crypto, x402) = (&file.topup.crypto, &file.topup.x402);
    let crypto = rail("crypto", crypto.enabled, [&crypto.min_usd, &crypto.max_usd], found);
    let x402 = rail("x402", x402.enabled, [&x402.min_usd, &x402.max_usd], found);
    let mut chains = ChainsConfig::default();
    if let Some(seconds) = file.topup.x402.wait_seconds {
        if seconds > WAIT_SECONDS_MAX {
            let message = format!("must be from 0 to {WAIT_SECONDS_MAX} seconds");
            found.push(UnplacedComplaint::new(&["topup", "x402", "wait_seconds"], message));
        }
        chains.wait = Duration::from_secs(seconds);
    }
    for (name, written) in &file.chains {
        if file.mode == ServerMode::Production && TEST_NETWORKS.contains(&&*written.network) {
            let message = "is a test network, whose money is given away: refused when mode = \"production\"";
            found.push(UnplacedComplaint::new(&["chains", name, "network"], message));
        }
        let kind = match written.network.starts_with("solana:") {
            true => solana::solana(name, written, env, found).map(ChainKind::Solana),
            false => evm(name, written, env, found).map(ChainKind::Evm),
        };
        let min = least(name, written, [crypto, x402], found);
        let chain = kind.map(|kind| bounded(ChainConfig { min, ..ChainConfig::usual(name, kind) }, written, found));
        let chain = chain.map(|chain| ChainConfig { wallet: wallet_network(&chain, written, found), ..chain });
        if let Some(twin) = chain.as_ref().and_then(|chain| chains.chains.iter().find(|one| one.id() == chain.id())) {
            found.push(UnplacedComplaint::new(
                &["chains", name, "network"],
                format!("[chains.{}] is of the same network", twin.name),
            ));
        }
        chains.chains.extend(chain);
    }
    for (name, rail) in [("crypto", crypto), ("x402", x402)] {
        if rail.enabled && file.chains.is_empty() {
            let message = "nothing can be paid without a chain: add a [chains.NAME] table";
            found.push(UnplacedComplaint::new(&["topup", name, "enabled"], message));
        }
    }
    Config { crypto, x402, chains, ..Config::default() }
}

fn rail(name: &str, enabled: bool, [min, max]: [&Option<String>; 2], found: &mut Vec<UnplacedComplaint>) -> RailConfig {
    let mut amount = |key, text: &Option<String>| {
        let amount = text.as_ref()?.parse::<Usd>();
        let fit = amount.as_ref().is_ok_and(|amount| *amount > Usd::ZERO);
        if !fit {
            found.push(UnplacedComplaint::new(
                &["topup", name, key],
                "an amount of US dollars above 0, as text: \"1.50\"",
            ));
        }
        amount.ok()
    };
    let (min, max) = (amount("min_usd", min), amount("max_usd", max));
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        found.push(UnplacedComplaint::new(&["topup", name, "max_usd"], "must not be less than min_usd"));
    }
    RailConfig { enabled, min, max }
}

fn evm(
    name: &str,
    written: &file::ChainTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<EvmConfig> {
    let complaints = found.len();
    let mut complain = |key: &str, message: &str| found.push(UnplacedComplaint::new(&["chains", name, key], message));
    let chain = written.network.strip_prefix("eip155:").and_then(|chain| chain.parse::<u64>().ok());
    if chain.is_none_or(|chain| format!("eip155:{chain}") != written.network) {
        complain("network", "the CAIP-2 id of an EVM chain: \"eip155:8453\"");
    }
    let pay_to = written.pay_to.parse::<EvmAddress>();
    match &pay_to {
        Ok(EvmAddress::ZERO) => complain("pay_to", "the zero address is nobody's"),
        Ok(_) => {}
        Err(error) => complain("pay_to", &error.to_string()),
    }
    if written.tokens.is_empty() {
        complain("tokens", "name at least one token");
    }
    let fee_gwei = written.fee_gwei_max.unwrap_or(USUAL_FEE_GWEI);
    if fee_gwei == 0 {
        complain("fee_gwei_max", "must be at least 1");
    }
    if written.fee_lamports_max.is_some() {
        complain("fee_lamports_max", "is for Solana; here it is fee_gwei_max");
    }
    let depth = depth(&written.depth);
    if depth.is_none() {
        complain("depth", "a number of blocks, \"safe\" or \"finalized\"");
    }
    let tokens = tokens(name, written, found);
    let nodes = nodes(name, written, env, found);
    let relayer = relayer(name, written, env, found);
    (found.len() == complaints).then_some(())?;
    Some(EvmConfig {
        chain: chain?,
        nodes,
        depth: depth?,
        pay_to: pay_to.ok()?,
        tokens,
        relayer: relayer?,
        fee_most: u128::from(fee_gwei) * WEI_PER_GWEI,
    })
}

/// A chain with the bounds that are written for it in place of the usual ones.
fn bounded(mut chain: ChainConfig, written: &file::ChainTable, found: &mut Vec<UnplacedComplaint>) -> ChainConfig {
    for (key, text, bound) in [
        ("one_node_usd_per_hour", &written.one_node_usd_per_hour, &mut chain.one_node_per_hour),
        ("relayer_usd_per_hour", &written.relayer_usd_per_hour, &mut chain.fees.per_hour),
        ("coin_usd", &written.coin_usd, &mut chain.fees.coin),
    ] {
        let Some(text) = text else { continue };
        match text.parse::<Usd>() {
            Ok(amount) if amount > Usd::ZERO || amount == Usd::ZERO && key != "coin_usd" => *bound = amount,
            _ => found.push(UnplacedComplaint::new(
                &["chains", &chain.name, key],
                "an amount of US dollars, as text: \"500\"",
            )),
        }
    }
    chain
}

/// The least order on a chain; a complaint where no rail takes as much.
fn least(
    name: &str,
    written: &file::ChainTable,
    rails: [RailConfig; 2],
    found: &mut Vec<UnplacedComplaint>,
) -> Option<Usd> {
    let mut complain = |message: &str| found.push(UnplacedComplaint::new(&["chains", name, "min_usd"], message));
    let least = written.min_usd.as_ref()?.parse::<Usd>().ok().filter(|least| *least > Usd::ZERO);
    let Some(least) = least else {
        complain("an amount of US dollars above 0, as text: \"5\"");
        return None;
    };
    let config = Config { crypto: rails[0], x402: rails[1], ..Config::default() };
    let takes = |rail| config.is_on(rail) && config.bounds(rail).max.is_none_or(|most| least <= most);
    if config.uses_chains() && ![PaymentRail::Crypto, PaymentRail::X402].into_iter().any(takes) {
        complain("is more than any rail takes: nothing could be paid on this chain");
    }
    Some(least)
}

fn depth(written: &file::DepthSetting) -> Option<ConfirmationDepth> {
    match written {
        file::DepthSetting::Blocks(blocks) => Some(ConfirmationDepth::Blocks(*blocks)),
        file::DepthSetting::Tag(tag) if tag == "safe" => Some(ConfirmationDepth::Safe),
        file::DepthSetting::Tag(tag) if tag == "finalized" => Some(ConfirmationDepth::Finalized),
        file::DepthSetting::Tag(_) => None,
    }
}

fn tokens(name: &str, written: &file::ChainTable, found: &mut Vec<UnplacedComplaint>) -> Vec<EvmToken> {
    let mut tokens: Vec<EvmToken> = Vec::new();
    for (index, token) in written.tokens.iter().enumerate() {
        let index = index.to_string();
        let mut complain = |key, message: String| {
            found.push(UnplacedComplaint::new(&["chains", name, "tokens", &index, key], message));
        };
        if token.symbol.trim().is_empty() {
            complain("symbol", "must not be empty".to_owned());
        }
        if token.decimals > DECIMALS_MAX {
            complain("decimals", format!("must be at most {DECIMALS_MAX}"));
        }
        let address = match token.address.parse::<EvmAddress>() {
            Ok(address) => address,
            Err(error) => {
                complain("address", error.to_string());
                continue;
            }
        };
        if tokens.iter().any(|one| one.address == address || one.symbol.eq_ignore_ascii_case(&token.symbol)) {
            complain("symbol", "another token has this symbol or address".to_owned());
        }
        let method = match (token.method, &token.name, &token.version) {
            (file::TokenMethod::Eip3009, Some(name), Some(version)) => {
                EvmMethod::Eip3009 { name: name.clone(), version: version.clone() }
            }
            (file::TokenMethod::Permit2, None, None) => EvmMethod::Permit2,
            (file::TokenMethod::Eip3009, ..) => {
                complain("method", "eip3009 needs the contract's name and version".to_owned());
                continue;
            }
            (file::TokenMethod::Spl | file::TokenMethod::Spl2022, ..) => {
                complain("method", "is for Solana; on an EVM chain it is \"eip3009\" or \"permit2\"".to_owned());
                continue;
            }
            (file::TokenMethod::Permit2, ..) => {
                complain("method", "permit2 has a name of its own: leave name and version out".to_owned());
                continue;
            }
        };
        tokens.push(EvmToken { symbol: token.symbol.clone(), address, decimals: token.decimals, method });
    }
    tokens
}

fn relayer(
    name: &str,
    written: &file::ChainTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<Relayer> {
    key(name, written, env, found, |secret| Relayer::new(secret).map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate_topup::x402::FeeBounds;

    const GOOD: &str = r#"
        [topup.crypto]
        max_usd = "500"
        [topup.x402]
        enabled = true
        min_usd = "2"
        [chains.base]
        network = "eip155:8453"
        rpc_urls = ["https://node.example/key"]
        depth = 12
        pay_to = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
        relayer_key_env = "KEY"
        [[chains.base.tokens]]
        symbol = "USDC"
        address = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
        decimals = 6
        method = "eip3009"
        name = "USD Coin"
        version = "2"
    "#;

    fn read(text: &str) -> Result<Config, Vec<String>> {
        let file: ConfigFile = toml::from_str(text).map_err(|error| vec![error.message().to_owned()])?;
        let env = |name: &str| match name {
            "KEY" => Some("0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6".to_owned()),
            "URLS" => Some("https://a.example\nhttps://b.example".to_owned()),
            _ => None,
        };
        let mut found = Vec::new();
        let config = topup(&file, &env, &mut found);
        let complaints = super::super::complaints::placed(std::path::Path::new("f"), found, text);
        let keys: Vec<String> = complaints.into_iter().map(|complaint| complaint.key).collect();
        if keys.is_empty() { Ok(config) } else { Err(keys) }
    }

    #[test]
    fn a_chain_is_read_whole() {
        let config = read(GOOD).unwrap();
        let [chain] = &config.chains.chains[..] else { panic!("one chain") };
        assert_eq!((chain.id().as_str(), chain.symbols()), ("eip155:8453", vec!["USDC".to_owned()]));
        assert_eq!(config.x402.min, Some("2".parse().unwrap()));
        assert_eq!((config.crypto.enabled, config.crypto.max), (false, Some("500".parse().unwrap())));
        let ChainKind::Evm(evm) = &chain.kind else { panic!("an EVM chain") };
        assert_eq!((evm.depth, evm.fee_most), (ConfirmationDepth::Blocks(12), 500 * WEI_PER_GWEI));
        assert_eq!(chain.one_node_per_hour, "500".parse().unwrap());
        assert_eq!(chain.fees, FeeBounds { coin: "5000".parse().unwrap(), per_hour: "5".parse().unwrap() });
        for (text, above) in [("0", "0"), ("12.5", "12.5")] {
            let other = GOOD.replace("depth = 12", &format!("depth = 12\none_node_usd_per_hour = \"{text}\""));
            assert_eq!(read(&other).unwrap().chains.chains[0].one_node_per_hour, above.parse().unwrap());
        }
        assert!(!format!("{config:?}").contains("node.example/key"));
        assert_eq!(chain.wallet, None);
        let wallets = GOOD.replace("depth = 12", "depth = 12\nwallet_rpc_url = \"https://rpc.example\"");
        let wallet = read(&wallets).unwrap().chains.chains[0].wallet.clone().unwrap();
        assert_eq!((wallet.rpc_url.as_str(), wallet.coin_symbol.as_str()), ("https://rpc.example", "ETH"));
        let two = GOOD.replace(r#"rpc_urls = ["https://node.example/key"]"#, "rpc_urls_env = \"URLS\"");
        let ChainKind::Evm(evm) = read(&two).unwrap().chains.chains[0].kind.clone() else { panic!("an EVM chain") };
        assert_eq!(evm.nodes.len(), 2);
        assert!(read(&GOOD.replace("depth = 12", "depth = \"finalized\"")).is_ok());
        let signed_otherwise = "name = \"USD Coin\"\n        version = \"2\"";
        let permit2 = GOOD.replace("\"eip3009\"", "\"permit2\"").replace(signed_otherwise, "");
        let ChainKind::Evm(evm) = read(&permit2).unwrap().chains.chains[0].kind.clone() else { panic!("an EVM chain") };
        assert_eq!(evm.tokens[0].method, EvmMethod::Permit2);
    }

    #[test]
    fn each_mistake_is_found_at_its_key() {
        for (right, wrong, key) in [
            ("\"eip155:8453\"", "\"base\"", "chains.base.network"),
            ("\"eip155:8453\"", "\"eip155:08453\"", "chains.base.network"),
            ("293BC", "293bC", "chains.base.pay_to"),
            ("depth = 12", "depth = \"soon\"", "chains.base.depth"),
            ("relayer_key_env = \"KEY\"", "", "chains.base.relayer_key_env"),
            ("relayer_key_env = \"KEY\"", "relayer_key_env = \"NONE\"", "chains.base.relayer_key_env"),
            ("relayer_key_env = \"KEY\"", "relayer_key_env = \"URLS\"", "chains.base.relayer_key_env"),
            ("https://node.example", "ftp://node.example", "chains.base.rpc_urls"),
            ("depth = 12", "depth = 12\nrpc_urls_env = \"URLS\"", "chains.base.rpc_urls"),
            ("/key\"]", "/key\", \"https://node.example/key\"]", "chains.base.rpc_urls"),
            ("depth = 12", "depth = 12\nfee_lamports_max = 50000", "chains.base.fee_lamports_max"),
            ("depth = 12", "depth = 12\none_node_usd_per_hour = \"-1\"", "chains.base.one_node_usd_per_hour"),
            ("depth = 12", "depth = 12\none_node_usd_per_hour = \"much\"", "chains.base.one_node_usd_per_hour"),
            ("depth = 12", "depth = 12\ncoin_usd = \"0\"", "chains.base.coin_usd"),
            ("depth = 12", "depth = 12\nrelayer_usd_per_hour = \"much\"", "chains.base.relayer_usd_per_hour"),
            ("depth = 12", "depth = 12\nwallet_rpc_url = \"http://rpc.example\"", "chains.base.wallet_rpc_url"),
            ("depth = 12", "depth = 12\nwallet_rpc_url = \"https://a:b@rpc.example\"", "chains.base.wallet_rpc_url"),
            (
                "rpc_urls = [\"https://node.example/key\"]",
                "rpc_urls_env = \"URLS\"\nwallet_rpc_url = \"https://B.example/\"",
                "chains.base.wallet_rpc_url",
            ),
            ("depth = 12", "depth = 12\nwallet_rpc_url = \"https://\"", "chains.base.wallet_rpc_url"),
            ("depth = 12", "depth = 12\ncoin_symbol = \"ETH\"", "chains.base.coin_symbol"),
            (
                "depth = 12",
                "depth = 12\nwallet_rpc_url = \"https://rpc.example\"\ncoin_symbol = \"E\"",
                "chains.base.coin_symbol",
            ),
            ("depth = 12", "depth = 12\nexplorer_url = \"https://scan.example\"", "chains.base.explorer_url"),
            ("depth = 12", "depth = 12\nmin_usd = \"0\"", "chains.base.min_usd"),
            ("depth = 12", "depth = 12\nmin_usd = \"much\"", "chains.base.min_usd"),
            ("depth = 12", "depth = 12\nmin_usd = \"1000.01\"", "chains.base.min_usd"),
            ("A02913", "A0291", "chains.base.tokens.0.address"),
            ("\"eip3009\"", "\"spl\"", "chains.base.tokens.0.method"),
            ("decimals = 6", "decimals = 77", "chains.base.tokens.0.decimals"),
            ("\"eip3009\"", "\"permit2\"", "chains.base.tokens.0.method"),
            ("version = \"2\"", "", "chains.base.tokens.0.method"),
            ("min_usd = \"2\"", "min_usd = \"-2\"", "topup.x402.min_usd"),
            ("min_usd = \"2\"", "min_usd = \"2\"\nmax_usd = \"1\"", "topup.x402.max_usd"),
            ("max_usd = \"500\"", "max_usd = \"none\"", "topup.crypto.max_usd"),
            ("max_usd = \"500\"", "min_usd = \"2\"\nmax_usd = \"1\"", "topup.crypto.max_usd"),
            ("min_usd = \"2\"", "wait_seconds = 31", "topup.x402.wait_seconds"),
        ] {
            let text = GOOD.replace(right, wrong);
            assert_ne!(text, GOOD, "{right}");
            assert_eq!(read(&text).unwrap_err(), [key], "{wrong}");
        }
        for rail in ["crypto", "x402"] {
            let without = read(&format!("[topup.{rail}]\nenabled = true")).unwrap_err();
            assert_eq!(without, [format!("topup.{rail}.enabled")]);
        }
    }
}
