//! What `tollgate check` says of chains: it asks them, and whatever is otherwise than it is written is refused by name. And what
//! it says of payments that are open on a chain that is no longer written.

use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_tests::binary::{Served, alarm_in, run, run_json};
use tollgate_tests::chain::{Anvil, NETWORK, PERMIT2, RELAYER, STRANGER, account};
use tollgate_tests::client;
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::svm::{Svm, fee_payer_key};
use tollgate_tests::wait::until;

/// What a service sells beside a sandbox.
const MODEL: &str = "[upstreams.main]\nbase_url = \"http://127.0.0.1:9\"\n[models.small]\ncontext_tokens = 10\n\
    max_output_tokens = 5\nprice = { prompt = \"1\", completion = \"2\" }\ncandidates = [{ upstream = \"main\" }]\n";

/// A folder with a configuration and keys.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file of ours");
        path.display().to_string()
    }

    fn config(&self, text: &str) -> String {
        let data = self.0.path().join("data");
        self.file("tollgate.toml", &format!("data_dir = {data:?}\n{text}"))
    }

    /// Whether a configuration can be used, and what is said of it.
    fn check(&self, text: &str) -> (bool, String) {
        let output = run(&["--config", &self.config(text), "check"]);
        let told = if output.status.success() { output.stdout } else { output.stderr };
        (output.status.success(), String::from_utf8(told).expect("text"))
    }

    fn assert_refused(&self, text: &str, words: &[&str]) {
        let (ok, told) = self.check(text);
        assert!(!ok && words.iter().all(|word| told.contains(word)), "{words:?}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_thing_that_is_otherwise_on_an_evm_chain_is_refused_by_name() {
    let anvil = Anvil::start().await;
    let permits = anvil.plain_token(1).await;
    let folder = Folder::new();
    let relayer = folder.file("relayer", RELAYER);
    let key_file = format!("relayer_key_file = {relayer:?}");
    let chains = anvil.config_with("0", &[anvil.token()]).replace("relayer_key_env = \"RELAYER_KEY\"", &key_file);
    let good = format!("{MODEL}{chains}");
    assert!(folder.check(&good).0, "{:?}", folder.check(&good));
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}: {good}");
        good.replace(from, to)
    };
    let chain = "the chain `anvil` cannot be used as it is configured";
    let stranger = account(STRANGER).address;
    for (text, words) in [
        // A rail without its secret.
        (with(&key_file, ""), vec!["`chains.anvil.relayer_key_env`", "relayer_key"]),
        (
            with(&key_file, "relayer_key_env = \"SURELY_NOT_SET\""),
            vec!["`chains.anvil.relayer_key_env`", "SURELY_NOT_SET"],
        ),
        // A token that is otherwise than its contract.
        (with("decimals = 6", "decimals = 18"), vec![chain, "USDC", "6 decimals", "18"]),
        (with("name = \"USD Coin\"", "name = \"USDC\""), vec![chain, "USDC", "another domain"]),
        (with("version = \"2\"", "version = \"1\""), vec![chain, "USDC", "another domain"]),
        // An address without a contract, and one of another contract.
        (with(&anvil.coin, &stranger), vec![chain, "decimals() of USDC"]),
        (with(&anvil.coin, &permits.address.to_string()), vec![chain, "USDC", "18 decimals"]),
        (with(&anvil.coin, PERMIT2), vec![chain, "decimals() of USDC"]),
        // Nodes of another chain, and none at all.
        (with(NETWORK, "eip155:8453"), vec![chain, "its nodes are of the chain 31337"]),
        (with(&anvil.url, "http://127.0.0.1:9"), vec![chain, "the chain's number"]),
        // A network whose money is worth nothing.
        (format!("mode = \"production\"\n{good}"), vec!["`chains.anvil.network`", "test network", "production"]),
        (
            format!("mode = \"production\"\n[sandbox]\nenabled = true\n{chains}"),
            vec!["`sandbox.enabled`", "production"],
        ),
    ] {
        folder.assert_refused(&text, &words);
    }
    anvil.ask("anvil_setBalance", json!([account(RELAYER).address, "0x1"])).await;
    folder.assert_refused(&good, &[chain, &account(RELAYER).address[2..10], "has 1 wei"]);
}

/// It can be used, and could be better.
#[tokio::test(flavor = "multi_thread")]
async fn what_there_is_to_say_of_a_chain_is_said() {
    let anvil = Anvil::start().await;
    let folder = Folder::new();
    let relayer = folder.file("relayer", RELAYER);
    let chains = anvil.config_with("0", &[anvil.token()]);
    let chains = chains.replace("relayer_key_env = \"RELAYER_KEY\"", &format!("relayer_key_file = {relayer:?}"));
    let good = format!("{MODEL}{chains}");
    let (ok, told) = folder.check(&good);
    assert!(ok && told.contains("the chain `anvil` has one node, of which alone up to 500 USD an hour"), "{told}");
    let second = anvil.url.replace("127.0.0.1", "localhost");
    let both = good.replace(&format!("[\"{}\"]", anvil.url), &format!("[\"{}\", \"{second}\"]", anvil.url));
    let (ok, told) = folder.check(&both);
    assert!(both != good && ok && !told.contains("one node") && !told.contains("do not answer"), "{told}");
    let (ok, told) = folder.check(&both.replace(&second, "http://127.0.0.1:9"));
    assert!(
        ok && told.contains(
            "the chain `anvil` has nodes that do not answer, so what one alone shows is credited up to 500 USD an hour"
        ),
        "{told}"
    );
    let few = FlakyNode::before(&anvil.url).await;
    anvil.mine(2_000).await;
    few.takes("eth_getLogs", NodeFault::Bounds(40));
    let (ok, told) = folder.check(&good.replace(&anvil.url, &few.url()));
    assert!(ok && told.contains("events of 31 blocks at once"), "{told}");
    few.takes("eth_getLogs", NodeFault::Refuses(-32601, "no such method"));
    folder
        .assert_refused(&good.replace(&anvil.url, &few.url()), &["the chain `anvil`", "the events of the last blocks"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_without_the_contract_for_permits_is_refused() {
    // Nobody has put it there.
    let anvil = Anvil::start().await;
    let folder = Folder::new();
    let relayer = folder.file("relayer", RELAYER);
    let mut token = anvil.token();
    token.method = tollgate_chains::evm::EvmMethod::Permit2;
    let chains = anvil.config_with("0", &[token]);
    let chains = chains.replace("relayer_key_env = \"RELAYER_KEY\"", &format!("relayer_key_file = {relayer:?}"));
    folder.assert_refused(&format!("{MODEL}{chains}"), &["the chain `anvil`", "DOMAIN_SEPARATOR() of Permit2"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_thing_that_is_otherwise_on_solana_is_refused_by_name() {
    let svm = Svm::start();
    let folder = Folder::new();
    let key = folder.file("fee-payer", &fee_payer_key());
    let key_file = format!("relayer_key_file = {key:?}");
    let good = format!("{MODEL}{}", svm.config_with("0", &key_file));
    assert!(folder.check(&good).0, "{:?}", folder.check(&good));
    let chain = "the chain `svm` cannot be used as it is configured";
    let poor = ed25519_dalek::SigningKey::from_bytes(&[201; 32]);
    let poor = folder.file("poor", &bs58::encode(poor.to_keypair_bytes()).into_string());
    for (text, words) in [
        (good.replace(&key_file, ""), vec!["`chains.svm.relayer_key_env`"]),
        (good.replacen("decimals = 6", "decimals = 9", 1), vec![chain, "USDC", "6 decimals"]),
        (good.replace(svm.address("coin"), svm.address("payer")), vec![chain, "USDC", "no such mint"]),
        (good.replace(&key, &poor), vec![chain, "has 0 lamports"]),
        (format!("mode = \"production\"\n{good}"), vec!["`chains.svm.network`", "test network"]),
    ] {
        assert_ne!(text, good);
        folder.assert_refused(&text, &words);
    }
}

/// A payment is on its way, and its chain is taken out of the configuration: nobody would see to it, and it is told.
#[tokio::test(flavor = "multi_thread")]
async fn payments_of_a_chain_that_is_gone_are_told() {
    let anvil = Anvil::start().await;
    let folder = Folder::new();
    let relayer = folder.file("relayer", RELAYER);
    let chains = anvil.config_with("3", &[anvil.token()]);
    let chains = chains.replace("relayer_key_env = \"RELAYER_KEY\"", &format!("relayer_key_file = {relayer:?}"));
    let log = "[log]\nformat = \"json\"\n";
    let with = folder.config(&format!("{log}{MODEL}{chains}"));
    let args = ["--config", &*with];
    assert!(run_json(&[&args[..], &["account", "create", "payer"]].concat()).0);
    let key = run_json(&[&args[..], &["key", "create", "--account", "payer"]].concat()).1["key"].clone();
    let key = key.as_str().expect("a key");
    let served = Served::start(&args);
    let made = client().post(format!("{}/api/user/topup/x402/orders", served.url())).bearer_auth(key);
    let made: Value = made.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
    let payment = anvil.payment(&made["data"]["challenge"], 1);
    let pay = client().post(format!("{}/api/x402/pay/{}", served.url(), made["data"]["order_id"])).json(&payment);
    let paid: Value = pay.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let (_, told) = run_json(&[&args[..], &["check"]].concat());
    assert_eq!(told["stranded"], json!([]), "{told}");
    assert!(served.terminate());

    // The chain is gone.
    folder.config(&format!("{log}{MODEL}"));
    let (ok, told) = run_json(&[&args[..], &["check"]].concat());
    let expected = json!([{"network": NETWORK, "asset": anvil.token().address.to_string(), "payments": 1}]);
    assert_eq!((ok, &told["stranded"]), (true, &expected), "{told}");
    let (served, lines) = Served::start_logged(&args);
    let alarm = alarm_in(&lines, "orphaned_payments");
    assert_eq!(alarm["count"].to_string(), "1", "{alarm}");
    assert!(alarm["of"].as_str().is_some_and(|of| of.contains(NETWORK)), "{alarm}");
    until("the metric", async || {
        let told = client().get(format!("{}/metrics", served.url())).send().await.ok()?.text().await.ok()?;
        told.contains("tollgate_topup_stranded 1\n").then_some(())
    })
    .await;
    assert!(served.terminate());

    // It is back, and ends by itself.
    folder.config(&format!("{log}{MODEL}{chains}"));
    anvil.mine(3).await;
    let served = Served::start(&args);
    until("the credit", async || {
        let balance = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(key);
        let told: Value = balance.send().await.ok()?.json().await.ok()?;
        (told["data"]["quota_usd"].to_string().trim_matches('"').trim_end_matches(".0") == "5").then_some(())
    })
    .await;
    assert!(served.terminate());
}
