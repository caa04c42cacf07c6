//! The examples of agents that pay, run as they stand; the guide to top-ups shows them, and a configuration.

use std::process::Output;

use serde_json::{Value, json};
use tollgate_tests::chain::{self, Anvil};
use tollgate_tests::gateway::Options;
use tollgate_tests::reverse_proxy::ReverseProxy;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, python};

use super::House;

/// The file of an example.
fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../server/examples/x402-agent");
    std::fs::read_to_string(format!("{folder}/{name}")).expect("an example")
}

/// The first block of a language in the guide, from the part about agents on.
fn shown(language: &str) -> String {
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
    pays(|env| chain::run_typescript("agent.ts", &example("agent.ts"), env)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_in_python_pays() {
    pays(|env| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("agent.py");
        std::fs::write(&path, example("agent.py")).expect("written");
        python::pay(&path, env)
    })
    .await;
}

#[test]
fn the_guide_shows_the_examples() {
    for (language, name, head) in [("ts", "agent.ts", "\n"), ("python", "agent.py", "\n\n")] {
        let example = example(name);
        assert_eq!(example.split_once(head).expect("a line about it").1, shown(language), "{name}");
    }
}

/// What the suite runs them with is what they name.
#[test]
fn the_examples_name_the_packages_that_they_run_with() {
    let sdk = concat!(env!("CARGO_MANIFEST_DIR"), "/sdk");
    let manifest = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let ran = manifest(&std::fs::read_to_string(format!("{sdk}/chain/package.json")).expect("the suite's"));
    let named = manifest(&example("package.json"));
    for (package, version) in named["dependencies"].as_object().expect("packages") {
        assert_eq!(&ran["dependencies"][package], version, "{package}");
    }
    let ran = std::fs::read_to_string(format!("{sdk}/python/payer.txt")).expect("the suite's");
    let version = |text: &str| text.trim().rsplit("==").next().map(str::to_owned);
    assert_eq!(version(&example("requirements.txt")), version(&ran));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configuration_is_one() {
    let anvil = Anvil::start().await;
    let coin = anvil.token().address.checksummed();
    let config = shown("toml")
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
