//! Networks of Solana on which can be paid.

use tollgate_base::Secret;
use tollgate_chains::SolanaAddress;
use tollgate_chains::solana::{FeePayer, SolanaConfig, SolanaDepth, SolanaToken, TokenProgram, usual_tokens};

use super::chain_access::{key, nodes};
use super::file::{self, TokenMethod};
use tollgate_catalog::UnplacedComplaint;

/// Characters of the hash of a first block that name its network.
const REFERENCE_CHARS: usize = 32;
/// Greatest depth, in blocks: what lies under more is final.
const DEPTH_MAX: u64 = 31;
/// Usual bound of the fee, in lamports: many times what the protocol's own clients ask for.
const USUAL_FEE_LAMPORTS: u64 = 50_000;
/// Least bound of the fee, in lamports: the price of the two signatures alone.
const FEE_LAMPORTS_MIN: u64 = 10_000;
/// Greatest bound of the fee, in lamports: a hundredth of a SOL.
const FEE_LAMPORTS_MAX: u64 = 10_000_000;
/// Beyond it an amount of whole dollars would leave 64 bits.
const DECIMALS_MAX: u8 = 15;

pub(super) fn solana(
    name: &str,
    written: &file::ChainTable,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<SolanaConfig> {
    let complaints = found.len();
    let mut complain = |key: &str, message: &str| found.push(UnplacedComplaint::new(&["chains", name, key], message));
    let network = written.network.strip_prefix("solana:").unwrap_or_default();
    let digits = |byte: u8| byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte);
    if network.len() != REFERENCE_CHARS || !network.bytes().all(digits) {
        complain("network", "the CAIP-2 id of a network of Solana: \"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp\"");
    }
    let pay_to = written.pay_to.parse::<SolanaAddress>();
    if pay_to.is_err() {
        complain("pay_to", "an address of Solana: 32 bytes in base58");
    }
    let fee_most = written.fee_lamports_max.unwrap_or(USUAL_FEE_LAMPORTS);
    if !(FEE_LAMPORTS_MIN..=FEE_LAMPORTS_MAX).contains(&fee_most) {
        complain("fee_lamports_max", &format!("must be from {FEE_LAMPORTS_MIN} to {FEE_LAMPORTS_MAX}"));
    }
    if written.fee_gwei_max.is_some() {
        complain("fee_gwei_max", "is for EVM chains; here it is fee_lamports_max");
    }
    let depth = depth(&written.depth);
    if depth.is_none() {
        complain("depth", "a number of blocks up to 31, \"confirmed\" or \"finalized\"");
    }
    let tokens = if written.tokens.is_empty() { usual_tokens(network) } else { tokens(name, written, found) };
    if tokens.is_empty() && written.tokens.is_empty() {
        found.push(UnplacedComplaint::new(
            &["chains", name, "tokens"],
            "name at least one token: on this network none is usual",
        ));
    }
    let nodes = nodes(name, written, env, found);
    let read = |secret: &Secret| FeePayer::new(secret).map_err(|error| error.to_string());
    let fee_payer = key(name, written, env, found, read);
    if fee_payer.as_ref().is_some_and(|ours| pay_to.as_ref() == Ok(&ours.address())) {
        let message = "must not be the account that pays the fees, whose key is here";
        found.push(UnplacedComplaint::new(&["chains", name, "pay_to"], message));
    }
    (found.len() == complaints).then_some(())?;
    Some(SolanaConfig {
        network: network.to_owned(),
        nodes,
        depth: depth?,
        pay_to: pay_to.ok()?,
        tokens,
        fee_payer: fee_payer?,
        fee_most,
    })
}

fn depth(written: &file::DepthSetting) -> Option<SolanaDepth> {
    match written {
        file::DepthSetting::Blocks(blocks) => (*blocks <= DEPTH_MAX).then_some(SolanaDepth::Blocks(*blocks)),
        file::DepthSetting::Tag(tag) if tag == "confirmed" => Some(SolanaDepth::Blocks(0)),
        file::DepthSetting::Tag(tag) if tag == "finalized" => Some(SolanaDepth::Finalized),
        file::DepthSetting::Tag(_) => None,
    }
}

fn tokens(name: &str, written: &file::ChainTable, found: &mut Vec<UnplacedComplaint>) -> Vec<SolanaToken> {
    let mut tokens: Vec<SolanaToken> = Vec::new();
    for (index, token) in written.tokens.iter().enumerate() {
        let index = index.to_string();
        let mut complain = |key, message: &str| {
            found.push(UnplacedComplaint::new(&["chains", name, "tokens", &index, key], message));
        };
        if token.symbol.trim().is_empty() {
            complain("symbol", "must not be empty");
        }
        if token.decimals > DECIMALS_MAX {
            complain("decimals", &format!("must be at most {DECIMALS_MAX}"));
        }
        if token.name.is_some() || token.version.is_some() {
            complain("name", "is for tokens of EVM chains, and so is version");
        }
        let program = match token.method {
            TokenMethod::Spl => TokenProgram::Token,
            TokenMethod::Spl2022 => TokenProgram::Token2022,
            TokenMethod::Eip3009 | TokenMethod::Permit2 => {
                complain("method", "is for EVM chains; on Solana it is \"spl\" or \"spl2022\"");
                continue;
            }
        };
        let Ok(mint) = token.address.parse::<SolanaAddress>() else {
            complain("address", "the address of a mint: 32 bytes in base58");
            continue;
        };
        if tokens.iter().any(|one| one.mint == mint || one.symbol.eq_ignore_ascii_case(&token.symbol)) {
            complain("symbol", "another token has this symbol or address");
        }
        tokens.push(SolanaToken { symbol: token.symbol.clone(), mint, decimals: token.decimals, program });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::file::ConfigFile;
    use tollgate_topup::x402::ChainKind;

    /// The key pair of the seed of 32 times 9, as key files have it.
    const PAIR: &str = "[9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,253,23,36,56,90,160,199,91,100,\
        251,120,205,96,47,161,217,145,253,235,247,107,19,197,142,215,2,234,200,53,233,246,24]";
    const GOOD: &str = r#"
        [chains.solana]
        network = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
        rpc_urls = ["https://node.example/key"]
        depth = "finalized"
        pay_to = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
        relayer_key_env = "PAIR"
    "#;
    const TOKEN: &str = r#"
        [[chains.solana.tokens]]
        symbol = "PYUSD"
        address = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"
        decimals = 6
        method = "spl2022"
    "#;

    fn read(text: &str) -> Result<SolanaConfig, Vec<String>> {
        let file: ConfigFile = toml::from_str(text).map_err(|error| vec![error.message().to_owned()])?;
        let env = |name: &str| match name {
            "PAIR" => Some(PAIR.to_owned()),
            "EVM" => Some("0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6".to_owned()),
            _ => None,
        };
        let mut found = Vec::new();
        let config = super::super::chains::topup(&file, &env, &mut found);
        let complaints = super::super::complaints::placed(std::path::Path::new("f"), found, text);
        let keys: Vec<String> = complaints.into_iter().map(|complaint| complaint.key).collect();
        if !keys.is_empty() {
            return Err(keys);
        }
        let ChainKind::Solana(solana) = config.chains.chains[0].kind.clone() else { panic!("Solana") };
        assert_eq!(config.chains.chains[0].id(), format!("solana:{}", solana.network));
        Ok(solana)
    }

    #[test]
    fn a_network_is_read_with_the_usual_tokens_or_others() {
        let usual = read(GOOD).unwrap();
        let symbols =
            |config: &SolanaConfig| config.tokens.iter().map(|token| token.symbol.clone()).collect::<Vec<_>>();
        assert_eq!(symbols(&usual), ["USDC", "USDT"]);
        assert_eq!((usual.depth, usual.fee_most), (SolanaDepth::Finalized, USUAL_FEE_LAMPORTS));
        let printed = format!("{usual:?}");
        assert!(!printed.contains("node.example/key") && !printed.contains("9, 9, 9"), "{printed}");
        assert_eq!(read(&GOOD.replace("\"finalized\"", "\"confirmed\"")).unwrap().depth, SolanaDepth::Blocks(0));
        assert_eq!(read(&GOOD.replace("\"finalized\"", "31")).unwrap().depth, SolanaDepth::Blocks(31));
        let other = read(&format!("{GOOD}{TOKEN}")).unwrap();
        assert_eq!((symbols(&other), other.tokens[0].program), (vec!["PYUSD".to_owned()], TokenProgram::Token2022));
    }

    #[test]
    fn each_mistake_is_found_at_its_key() {
        let text = format!("{GOOD}{TOKEN}");
        for (right, wrong, key) in [
            ("qKqZKvdp", "qKqZKvd", "network"),
            ("qKqZKvdp", "qKqZKvd0", "network"),
            ("BjuAEGB", "BjuAEG0", "pay_to"),
            ("GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "pay_to"),
            ("\"finalized\"", "\"safe\"", "depth"),
            ("\"finalized\"", "32", "depth"),
            ("\"PAIR\"", "\"EVM\"", "relayer_key_env"),
            ("\"PAIR\"", "\"NONE\"", "relayer_key_env"),
            ("relayer_key_env = \"PAIR\"", "", "relayer_key_env"),
            ("https://", "ftp://", "rpc_urls"),
            ("depth =", "fee_lamports_max = 9999\ndepth =", "fee_lamports_max"),
            ("depth =", "fee_lamports_max = 10000001\ndepth =", "fee_lamports_max"),
            ("depth =", "fee_gwei_max = 5\ndepth =", "fee_gwei_max"),
            ("\"spl2022\"", "\"eip3009\"", "tokens.0.method"),
            ("\"spl2022\"", "\"spl\"\nname = \"PYUSD\"", "tokens.0.name"),
            ("decimals = 6", "decimals = 16", "tokens.0.decimals"),
            ("Fu24GXo", "Fu24GX", "tokens.0.address"),
            ("\"PYUSD\"", "\" \"", "tokens.0.symbol"),
        ] {
            let wrong_text = text.replace(right, wrong);
            assert_ne!(wrong_text, text, "{right}");
            assert_eq!(read(&wrong_text).unwrap_err(), [format!("chains.solana.{key}")], "{wrong}");
        }
        let twice = format!("{text}{TOKEN}");
        assert_eq!(read(&twice).unwrap_err(), ["chains.solana.tokens.1.symbol"]);
        let unusual = GOOD.replace("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z");
        assert_eq!(read(&unusual).unwrap_err(), ["chains.solana.tokens"]);
    }

    #[test]
    fn the_fee_payer_is_not_who_is_paid() {
        let ours = FeePayer::new(&Secret::new(PAIR.to_owned())).unwrap().address().to_string();
        let text = GOOD.replace("GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB", &ours);
        assert_eq!(read(&text).unwrap_err(), ["chains.solana.pay_to"]);
    }
}
