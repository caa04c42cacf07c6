//! The programs and the configuration of the guide to top-ups, run as they stand there.

use std::process::Output;

use serde_json::json;
use tollgate_tests::chain::{self, Anvil};
use tollgate_tests::gateway::Options;
use tollgate_tests::reverse_proxy::ReverseProxy;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, python};

use super::House;

/// The first program of a language, from the part about agents on.
fn program(language: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/guides/top-ups.md");
    let guide = std::fs::read_to_string(path).expect("the guide to top-ups");
    let (_, part) = guide.split_once("\n## An agent pays for itself\n").expect("the part about agents");
    let (_, rest) = part.split_once(&format!("\n```{language}\n")).expect("a program");
    rest.split_once("\n```\n").expect("its end").0.to_owned() + "\n"
}

/// Runs a program as a fresh agent: its wallet is new and has five coins and nothing else, its account has nothing. Two HTTP calls
/// and one signature later, the account has five dollars.
async fn pays(run: impl FnOnce(&[(&str, &str)]) -> Output + Send + 'static) {
    let house = House::open("0").await;
    let wallet = Wallet::evm();
    let (address, secret) = (wallet.address(), wallet.secret());
    house.anvil.mint(&address, 5_000_000).await;
    let registration = wallet.registration(&house.gateway.url("")).to_string();
    let agent = house.post("/api/user/self/agents", registration).await;
    let key = agent["data"]["api_key"].as_str().unwrap_or_else(|| panic!("{agent}")).to_owned();
    assert_eq!(house.balance().await, "0");
    let front = ReverseProxy::before(&house.gateway.url("")).await;
    let url = front.url();
    let output = tokio::task::spawn_blocking(move || run(&[("GATEWAY", &url), ("KEY", &key), ("WALLET", &secret)]));
    let output = output.await.expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told.trim(), "settled: 5 USD more, 5 USD in all", "{}", String::from_utf8_lossy(&output.stderr));
    let came = front.came();
    let [ordered, paid] = &came[..] else { panic!("two HTTP calls, and no other: {came:?}") };
    assert_eq!(ordered, "POST /api/user/topup/x402/orders");
    assert!(paid.starts_with("POST /api/x402/pay/"), "{came:?}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    // Of the wallet the chain has seen a signature alone: no transaction, and it had nothing to pay one with.
    let sent = house.anvil.ask("eth_getTransactionCount", json!([address, "latest"])).await;
    let has = house.anvil.ask("eth_getBalance", json!([address, "latest"])).await;
    assert_eq!((sent, has, house.anvil.coins(&address).await), (json!("0x0"), json!("0x0"), 0));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_in_typescript_pays() {
    pays(|env| chain::run_typescript("guide.ts", &program("ts"), env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_in_python_pays() {
    pays(|env| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("guide.py");
        std::fs::write(&path, program("python")).expect("written");
        python::pay(&path, env)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configuration_is_one() {
    let anvil = Anvil::start().await;
    let coin = anvil.token().address.checksummed();
    let shown = program("toml");
    let config = shown
        .replace("eip155:8453", chain::NETWORK)
        .replace("https://node.example", &anvil.url)
        .replace("depth = 12", "depth = 0\ncoin_usd = \"1\"")
        .replace("BASE_RELAYER_KEY", "RELAYER_KEY")
        .replace("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", &coin);
    let gateway = TestGateway::with(Options { credit: "0", config, ..Options::default() }).await;
    let house = House { anvil, gateway };
    let (order, challenge) = house.order("5").await;
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
}
