//! The page on which a person pays with a wallet.

use askama::Template;

use tollgate_api::UsdBounds;
use tollgate_topup::x402::WalletNetwork;
use tollgate_topup::{Config, PaymentRail};

use super::page::{PageBranding, PageError, RenderedPage, policy};

const SCRIPT: &str = concat!(include_str!("../templates/wallets.js"), include_str!("../templates/crypto.js"));
/// Chains whose wallets the script can speak to.
const SPOKEN: [&str; 4] = [
    "eip155:",
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
    "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z",
];
/// The suggested amount in USD, where the bounds allow it.
const SUGGESTED: &str = "10";

#[derive(Template)]
#[template(path = "crypto.html")]
struct CryptoPage<'c> {
    branding: &'c PageBranding,
    script: &'static str,
    /// Empty where the rail is off.
    choices: Vec<TokenChoice<'c>>,
    bounds: String,
    suggested: String,
}

/// A token of a chain.
pub(super) struct TokenChoice<'c> {
    pub(super) network: String,
    pub(super) network_name: &'c str,
    pub(super) symbol: String,
    /// Bounds of an order on this chain, as a sentence.
    pub(super) bounds: String,
    /// The least order, in words, where it is more than elsewhere.
    pub(super) least: String,
    /// The data by which a wallet adds the chain.
    pub(super) wallet: Option<&'c WalletNetwork>,
}

/// Writes the page of the crypto rail.
pub(super) fn crypto(config: &Config, branding: &PageBranding) -> Result<RenderedPage, PageError> {
    let bounds = config.bounds(PaymentRail::Crypto);
    let choices = if config.is_on(PaymentRail::Crypto) { choices(config) } else { Vec::new() };
    let (bounds, suggested) = (sentence(bounds), suggested(bounds));
    let page = CryptoPage { branding, script: SCRIPT, choices, bounds, suggested };
    Ok(RenderedPage { html: page.render()?.into(), policy: policy(&branding.style, SCRIPT)? })
}

/// The tokens that wallets can pay with on the page.
pub(super) fn choices(config: &Config) -> Vec<TokenChoice<'_>> {
    let chains = config.chains.chains.iter().map(|chain| (chain, chain.id()));
    let spoken = chains.filter(|(_, network)| SPOKEN.iter().any(|spoken| network.starts_with(spoken)));
    let usual = config.bounds(PaymentRail::Crypto);
    let tokens = spoken.flat_map(|(chain, network)| {
        let bounds = config.bounds_on(PaymentRail::Crypto, chain);
        let least = bounds.min.filter(|_| bounds.min > usual.min);
        chain.symbols().into_iter().map(move |symbol| TokenChoice {
            network: network.clone(),
            network_name: chain.display_name(),
            symbol,
            bounds: sentence(bounds),
            least: least.map_or_else(String::new, |least| format!(" (from {least} USD)")),
            wallet: chain.wallet.as_ref(),
        })
    });
    tokens.collect()
}

/// The bounds of an order, as a sentence.
pub(super) fn sentence(UsdBounds { min, max }: UsdBounds) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("From {min} to {max} USD."),
        (Some(min), None) => format!("At least {min} USD."),
        (None, Some(max)) => format!("At most {max} USD."),
        (None, None) => String::new(),
    }
}

/// An amount to begin with: a usual one, or the bound that it would break.
fn suggested(bounds: UsdBounds) -> String {
    let usual = SUGGESTED.parse().ok().filter(|usual| bounds.allow(*usual));
    usual.or(bounds.min).or(bounds.max).map_or_else(String::new, |amount| amount.to_string())
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64;
    use sha2::{Digest, Sha256};

    use super::*;
    use tollgate_base::{Branding, Logo, Secret, ServiceName};
    use tollgate_chains::EvmAddress;
    use tollgate_chains::evm::{ConfirmationDepth, EvmConfig, EvmMethod, EvmToken, Relayer};
    use tollgate_topup::RailConfig;
    use tollgate_topup::x402::{ChainConfig, ChainKind, ChainsConfig};

    fn rails(symbol: &str) -> Config {
        let method = EvmMethod::Eip3009 { name: "USD Coin".to_owned(), version: "2".to_owned() };
        let address = EvmAddress([1; 20]);
        let key = "0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6";
        let evm = EvmConfig {
            chain: 8453,
            nodes: vec![Secret::new("https://node.example/secret".to_owned())],
            depth: ConfirmationDepth::Blocks(1),
            pay_to: EvmAddress([2; 20]),
            tokens: vec![EvmToken { symbol: symbol.to_owned(), address, decimals: 6, method }],
            relayer: Relayer::new(&Secret::new(key.to_owned())).unwrap(),
            fee_most: 1,
        };
        let chain = ChainConfig::usual("base", ChainKind::Evm(evm));
        let chains = ChainsConfig { chains: vec![chain], ..ChainsConfig::default() };
        Config { crypto: RailConfig { enabled: true, ..RailConfig::default() }, chains, ..Config::default() }
    }

    fn plain() -> PageBranding {
        PageBranding::of(&Branding::default())
    }

    fn html(config: &Config) -> String {
        String::from_utf8(crypto(config, &plain()).unwrap().html.to_vec()).unwrap()
    }

    #[test]
    fn it_offers_what_can_be_paid_and_tells_no_secret() {
        let page = html(&rails("USDC"));
        assert!(
            page.contains(
                r#"<option data-network="eip155:8453" data-name="Base" data-symbol="USDC" data-bounds="From 1 to 1000 USD.">USDC on Base</option>"#
            ),
            "{page}"
        );
        assert!(page.contains("From 1 to 1000 USD.") && page.contains(r#"value="10""#));
        assert!(!page.contains("node.example") && !page.contains("switched off at the moment"));
        let off = Config { crypto: RailConfig::default(), ..rails("USDC") };
        assert!(html(&off).contains("switched off at the moment") && !html(&off).contains("<option"));
    }

    #[test]
    fn a_chain_with_a_least_order_of_its_own_says_so() {
        let mut config = rails("USDC");
        let mut dear = config.chains.chains[0].clone();
        let ChainKind::Evm(evm) = &mut dear.kind else { panic!("it is one of EVM") };
        (evm.chain, dear.min) = (10, "25".parse().ok());
        config.chains.chains.push(dear);
        let page = html(&config);
        assert!(
            page.contains("USDC on Base</option>") && page.contains(r#"data-bounds="From 1 to 1000 USD.""#),
            "{page}"
        );
        let least = r#"data-bounds="From 25 to 1000 USD.">USDC on OP Mainnet (from 25 USD)</option>"#;
        assert!(page.contains(least), "{page}");
    }

    #[test]
    fn wallets_are_told_the_node_that_is_for_them_alone() {
        let mut config = rails("USDC");
        assert!(!html(&config).contains("data-rpc"));
        let wallet = WalletNetwork {
            rpc_url: "https://rpc.example/\"".to_owned(),
            coin_symbol: "ETH".to_owned(),
            explorer_url: Some("https://scan.example".to_owned()),
        };
        config.chains.chains[0].wallet = Some(wallet);
        let page = html(&config);
        let told = r#" data-rpc="https://rpc.example/&#34;" data-coin="ETH" data-explorer="https://scan.example">"#;
        assert!(page.contains(told) && !page.contains("node.example"), "{page}");
    }

    #[test]
    fn what_the_operator_writes_is_no_markup() {
        let page = html(&rails("<b onclick=\"x\">"));
        assert!(!page.contains("<b onclick") && page.contains("&#60;b onclick"), "{page}");
    }

    #[test]
    fn the_policy_names_what_stands_on_the_page_and_nothing_else_runs() {
        for branding in [plain(), PageBranding::of(&acme())] {
            let pages = [crypto(&rails("USDC"), &branding), super::super::order_page::order(&branding)];
            pages.into_iter().for_each(|page| is_closed(&page.unwrap()));
        }
    }

    /// A name that is no markup, a colour, and a picture.
    fn acme() -> Branding {
        let logo = Logo::read(b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"planted()\"/>".to_vec()).ok();
        Branding { name: ServiceName::new("<b>Acme").unwrap(), logo, accent: "#ffcc00".parse().ok() }
    }

    #[test]
    fn pages_bear_the_name_the_logo_and_the_colour_of_the_service() {
        let branding = PageBranding::of(&acme());
        for page in [crypto(&rails("USDC"), &branding), super::super::order_page::order(&branding)] {
            let page = String::from_utf8(page.unwrap().html.to_vec()).unwrap();
            for part in
                ["– &#60;b&#62;Acme</title>", "<span>&#60;b&#62;Acme</span>", "--fill: #ffcc00; --on-fill: #000000;"]
            {
                assert!(page.contains(part), "{part}: {page}");
            }
            assert_eq!(
                page.matches("\"data:image/svg+xml;base64,PHN2Zy").count(),
                2,
                "beside the name, and in the tab"
            );
        }
        let page = html(&rails("USDC"));
        assert!(
            page.contains("– Tollgate</title>")
                && !page.contains("<p class=\"brand\"><img")
                && page.contains("href=\"data:,\"")
        );
    }

    fn is_closed(RenderedPage { html, policy }: &RenderedPage) {
        let (page, told) = (str::from_utf8(html).unwrap(), policy.to_str().unwrap());
        for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
            let parts: Vec<&str> = page.split(&format!("<{tag}>")).collect();
            let [_, rest] = parts[..] else { panic!("one <{tag}>, without attributes") };
            let (text, after) = rest.split_once(&format!("</{tag}>")).unwrap();
            assert!(!after.contains(&format!("</{tag}>")), "it ends where it seems to");
            let hash = BASE64.encode(&Sha256::digest(text));
            assert!(told.contains(&format!("{directive} 'sha256-{hash}';")), "{told}");
        }
        assert!(!told.contains("unsafe") && !page.contains(" style=") && !page.contains("javascript:"), "{told}");
        let handlers = page.match_indices(" on").filter(|(at, _)| {
            let word: String = page[at + 1..].chars().take_while(char::is_ascii_alphabetic).collect();
            page[at + 1 + word.len()..].starts_with('=')
        });
        assert_eq!(handlers.count(), 0, "no handler stands in an attribute");
    }

    #[test]
    fn the_amount_to_begin_with_is_one_that_is_taken() {
        let bounds = |min: &str, max: &str| UsdBounds { min: min.parse().ok(), max: max.parse().ok() };
        for (min, max, want, words) in [
            ("1", "1000", "10", "From 1 to 1000 USD."),
            ("25", "", "25", "At least 25 USD."),
            ("", "5", "5", "At most 5 USD."),
            ("", "", "10", ""),
        ] {
            assert_eq!((suggested(bounds(min, max)).as_str(), sentence(bounds(min, max)).as_str()), (want, words));
        }
    }
}
