//! The page in a browser, with wallets that announce themselves and sign with keys of ours.

use tollgate_chains::evm::EvmToken;
use tollgate_tests::chain::{DEPLOYER, word};
use tollgate_tests::reply::Reply;
use tollgate_tests::svm::{PAYER_SEED, Svm};
use tollgate_tests::{Upstream, browser, script};
use tollgate_topup::x402::{ChainConfig, ChainKind, WalletNetwork};

use super::*;

/// What the script has cases for.
const CASES: usize = 31;

// suite: browser 75s
#[tokio::test(flavor = "multi_thread")]
async fn people_pay_from_their_wallets() {
    let (anvil, svm) = (Anvil::start().await, Svm::start());
    // A token that changes no permission but from nothing, of which there is an old one.
    let stubborn = anvil.permit2_token("Stubborn", "USDT", 1_000_000).await;
    anvil.approve_permit2(PAYER, &stubborn, &format!("{:064x}", 1)).await;
    // And one that keeps a part of what it moves.
    let keeps = anvil.deploy("Skimming", "").await;
    anvil.call(DEPLOYER, &keeps, &format!("40c10f19{}{:064x}", word(&account(PAYER).address), 10_000_000)).await;
    let keeps = EvmToken { symbol: "FEE".to_owned(), address: keeps.parse().expect("an address"), ..anvil.token() };
    let solana = ChainConfig::usual("svm", ChainKind::Solana(svm.solana()));
    let house = House::on(&anvil, |topup| {
        topup.chains.chains[0].wallet = Some(WalletNetwork {
            rpc_url: "https://rpc.example".to_owned(),
            coin_symbol: "ETH".to_owned(),
            explorer_url: Some("https://scan.example".to_owned()),
        });
        let Some(ChainKind::Evm(evm)) = topup.chains.chains.first_mut().map(|chain| &mut chain.kind) else { return };
        evm.tokens.extend([stubborn, keeps]);
        topup.chains.chains.push(solana);
    })
    .await;
    let off = House::on(&anvil, |topup| topup.crypto.enabled = false).await;
    let many = House::on(&anvil, |topup| {
        let [first] = &topup.chains.chains[..] else { return };
        let more = [further(first, ("base", 8_453), None), further(first, ("arbitrum", 42_161), Some("25"))];
        topup.chains.chains.extend(more);
    })
    .await;
    let (session, off_session, many_session) = (house.person().await, off.person().await, many.person().await);
    // The script asks for time to go by.
    let clock = Upstream::start().await;
    let hand = house.hand.clone();
    clock.on(move |_| {
        hand.advance_ms(10 * MINUTE_MS);
        Reply::json(200, &json!({"success": true, "data": {}}))
    });
    let env = [
        ("GATEWAY_URL", house.gateway.url("")),
        ("GATEWAY_KEY", house.gateway.key.clone()),
        ("SESSION", session),
        ("PASSWORD", PASSWORD.to_owned()),
        ("OFF_URL", off.gateway.url("")),
        ("OFF_SESSION", off_session),
        ("MANY_URL", many.gateway.url("")),
        ("MANY_KEY", many.gateway.key.clone()),
        ("MANY_SESSION", many_session),
        ("CLOCK_URL", clock.base_url()),
        ("RPC_URL", house.anvil.url.clone()),
        ("PAYER", PAYER.to_owned()),
        ("STRANGER", STRANGER.to_owned()),
        ("SOLANA_PAYER", svm.address("payer").to_owned()),
        ("SOLANA_SEED", PAYER_SEED.to_string()),
        ("LOOKS", looks()),
        ("SCREENSHOTS", std::env::var("UPDATE_SCREENSHOTS").map(|_| screenshots()).unwrap_or_default()),
    ];
    let output = tokio::task::spawn_blocking(move || {
        let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        browser::run("crypto.js", &env)
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(CASES));
    until("the last credit", async || (house.balance().await == "85").then_some(())).await;
    house.gateway.assert_books().await;
}

/// A chain that nobody reaches, else as another.
fn further(chain: &ChainConfig, (name, id): (&str, u64), least: Option<&str>) -> ChainConfig {
    let mut further = ChainConfig { name: name.to_owned(), ..chain.clone() };
    further.min = least.and_then(|least| least.parse().ok());
    if let ChainKind::Evm(evm) = &mut further.kind {
        evm.chain = id;
        evm.nodes = vec![Secret::new("http://127.0.0.1:1".to_owned())];
    }
    further
}

/// The folder in which pictures of each state lie after a run.
fn looks() -> String {
    let pictures = script::target_folder().join("suite").join("topups");
    std::fs::create_dir_all(&pictures).expect("the target folder is ours");
    pictures.display().to_string()
}

/// Where pictures of the pages are kept.
fn screenshots() -> String {
    format!("{}/screenshots", env!("CARGO_MANIFEST_DIR"))
}
