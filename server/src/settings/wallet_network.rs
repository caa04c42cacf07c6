//! The data by which a wallet adds a chain that it does not know.

use http::Uri;
use http::uri::Scheme;

use tollgate_topup::x402::{ChainConfig, ChainKind, WalletNetwork};

use super::file;
use tollgate_catalog::UnplacedComplaint;

/// The lengths of a coin's symbol that wallets take.
const SYMBOL_LENGTHS: std::ops::RangeInclusive<usize> = 2..=6;

/// The data of a chain for wallets. None where there is no node for them.
pub(super) fn wallet_network(
    chain: &ChainConfig,
    written: &file::ChainTable,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<WalletNetwork> {
    let mut complain =
        |key: &str, message: &str| found.push(UnplacedComplaint::new(&["chains", &chain.name, key], message));
    let (rpc_url, symbol, explorer_url) = (&written.wallet_rpc_url, &written.coin_symbol, &written.explorer_url);
    let rest = [("coin_symbol", symbol), ("explorer_url", explorer_url)];
    let Some(rpc_url) = rpc_url else {
        for (key, _) in rest.into_iter().filter(|(_, value)| value.is_some()) {
            complain(key, "is told to wallets beside wallet_rpc_url, which is missing");
        }
        return None;
    };
    let ChainKind::Evm(evm) = &chain.kind else {
        complain("wallet_rpc_url", "is for EVM chains: wallets of Solana know their networks");
        return None;
    };
    for (key, url) in [("wallet_rpc_url", Some(rpc_url)), ("explorer_url", explorer_url.as_ref())] {
        if url.is_some_and(|url| !is_public(url)) {
            complain(
                key,
                "must be an https:// address without a name, a password, `?` or `#` in it: everybody is shown it",
            );
        }
    }
    let is_secret = written.rpc_urls.is_empty();
    if is_secret && evm.nodes.iter().any(|node| is_same(node.reveal(), rpc_url)) {
        complain("wallet_rpc_url", "is one of the nodes that are kept secret: everybody would be shown it");
    }
    if symbol.as_ref().is_some_and(|symbol| !SYMBOL_LENGTHS.contains(&symbol.chars().count())) {
        complain("coin_symbol", "wallets take 2 to 6 letters: \"ETH\"");
    }
    Some(WalletNetwork {
        rpc_url: rpc_url.clone(),
        coin_symbol: symbol.clone().unwrap_or_else(|| chain.usual_coin_symbol().to_owned()),
        explorer_url: explorer_url.clone(),
    })
}

fn is_public(url: &str) -> bool {
    let has_no_secret = |uri: Uri| {
        let is_host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        uri.scheme() == Some(&Scheme::HTTPS) && is_host && uri.query().is_none() && !url.contains('#')
    };
    url.parse().is_ok_and(has_no_secret)
}

/// True if two addresses lead to the same place.
fn is_same(one: &str, other: &str) -> bool {
    let (Ok(one), Ok(other)) = (one.parse::<Uri>(), other.parse::<Uri>()) else { return false };
    let path = |uri: &Uri| uri.path().trim_end_matches('/').to_owned();
    (one.scheme(), one.authority(), path(&one), one.query())
        == (other.scheme(), other.authority(), path(&other), other.query())
}
