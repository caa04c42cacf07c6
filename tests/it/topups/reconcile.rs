//! The ledger beside the world outside, over real chain software and the provider of the sandbox: whatever came and was not
//! credited, and whatever was credited and did not come, is named, and what is right is not.

// suite of this file: waiting

mod daily;
mod nodes;
mod resolved;
mod restored;

use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;
use tollgate_base::{Clock, draw_id};
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::chain::{self, Anvil, CHAIN, PAY_TO, PAYER, RELAYER, account, word};
use tollgate_tests::checkout::{NAME, Provider};
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::svm::{self, Svm, fee_payer_key};
use tollgate_tests::wait::{until, until_later};
use tollgate_topup::ewallet::published;

use crate::ledger::restartable::On;

const X402: &str = "/api/user/topup/x402/orders";
const EWALLET: &str = "/api/user/topup/ewallet/orders";
/// What is planted was so long ago: no node is behind by so much.
const HOUR_MS: i64 = 3_600_000;

/// An account and its ledger, two chains, and a payment provider that reports nothing by itself.
struct World {
    anvil: Anvil,
    svm: Svm,
    provider: Provider,
    folder: TempDir,
    /// Of its database: a path or an address.
    place: String,
    key: String,
    account: i64,
}

/// An order on the provider's page.
struct Page {
    trade_no: String,
    url: String,
}

impl World {
    async fn open(on: On) -> Self {
        let (anvil, svm, provider) = (Anvil::start().await, Svm::start(), Provider::start(Clock::system(), 1_000_000));
        provider.faults(&json!({"drop": true})).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = match on {
            On::File => folder.path().join("tollgate.db").display().to_string(),
            On::Server => {
                let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await;
                url.expect("PostgreSQL starts")
            }
        };
        let mut world = Self { anvil, svm, provider, folder, place, key: String::new(), account: 0 };
        let (evm, solana) = (world.anvil.url.clone(), world.svm.url.clone());
        world.configure(&[evm], &[solana]);
        world.account = world.run(&["account", "create", "payer"])["id"].as_i64().expect("a number");
        world.key = world.run(&["key", "create", "--account", "payer"])["key"].as_str().expect("a key").to_owned();
        world
    }

    /// Writes the configuration, with these nodes of each chain.
    fn configure(&self, evm: &[String], solana: &[String]) {
        let file = |name: &str, text: &str| {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            path.display().to_string()
        };
        let database = match self.place.starts_with("postgres") {
            true => format!("[database]\nurl = {:?}\n", self.place),
            false => String::new(),
        };
        let (merchant, key) =
            (file("merchant", published::MERCHANT_PRIVATE), file("provider", published::PROVIDER_PUBLIC));
        let relayer = format!("relayer_key_file = {:?}", file("relayer", RELAYER));
        let fee_payer = format!("relayer_key_file = {:?}", file("fee-payer", &fee_payer_key()));
        let one = |url: &str| format!("rpc_urls = [\"{url}\"]");
        let anvil = self.anvil.config("0").replace("relayer_key_env = \"RELAYER_KEY\"", &relayer);
        let anvil = anvil.replace(&one(&self.anvil.url), &format!("rpc_urls = {evm:?}"));
        let svm = self.svm.config_with("0", &fee_payer).replace(&one(&self.svm.url), &format!("rpc_urls = {solana:?}"));
        let (_, svm) = svm.split_once("[chains.svm]").expect("a chain");
        let text = format!(
            "public_url = \"http://127.0.0.1:9\"\ndata_dir = {:?}\n{database}[upstreams.main]\nbase_url = \"https://x\"\n\
             [models.small]\ncontext_tokens = 10\nmax_output_tokens = 5\nprice = {{ prompt = \"1\", completion = \"2\" }}\n\
             candidates = [{{ upstream = \"main\" }}]\n[topup.ewallet]\nbase_url = {:?}\nclient_id = {:?}\n\
             merchant_key_file = {merchant:?}\nprovider_key_file = {key:?}\n{anvil}[chains.svm]{svm}",
            self.folder.path(),
            self.provider.url,
            published::CLIENT_ID,
        );
        file("tollgate.toml", &text);
    }

    fn args(&self) -> [String; 2] {
        ["--config".to_owned(), self.folder.path().join("tollgate.toml").display().to_string()]
    }

    fn tell(&self, more: &[&str]) -> (bool, Value) {
        let args = self.args();
        let args: Vec<&str> = args.iter().map(String::as_str).chain(more.iter().copied()).collect();
        run_json(&args)
    }

    fn run(&self, more: &[&str]) -> Value {
        let (done, told) = self.tell(more);
        assert!(done, "{more:?}: {told}");
        told
    }

    fn serve(&self) -> Served {
        let args = self.args();
        Served::start(&[&args[0], &args[1]])
    }

    /// Compares; whether everything is right, and what was told of the chains and the provider.
    fn compared(&self, more: &[&str]) -> (bool, Value) {
        let (clean, told) = self.tell(&[&["audit", "--chains"], more].concat());
        assert_eq!(clean, told["clean"] == true, "{told}");
        (clean, told["chains"].clone())
    }

    /// The findings, which there have to be: kind, reference, amount, order and account of each.
    fn named(&self, more: &[&str]) -> Vec<Value> {
        let (clean, told) = self.compared(more);
        assert!(!clean, "{told}");
        told["findings"].as_array().expect("a list").clone()
    }

    /// Writes rows beside the server, and ends the connection.
    async fn plant(&self, rows: String) {
        let rows = AssertSqlSafe(rows);
        if self.place.starts_with("postgres") {
            let options: PgConnectOptions = self.place.parse().expect("an address");
            let mut ledger = options.options([("search_path", "tollgate")]).connect().await.expect("a connection");
            sqlx::raw_sql(rows).execute(&mut ledger).await.expect("rows that the rules allow");
            ledger.close().await.expect("it ends");
        } else {
            let mut ledger = SqliteConnectOptions::new().filename(&self.place).connect().await.expect("a connection");
            sqlx::raw_sql(rows).execute(&mut ledger).await.expect("rows that the rules allow");
            ledger.close().await.expect("it ends");
        }
    }

    async fn ask(&self, served: &Served, path: &str, body: &Value) -> Value {
        let request = client().post(format!("{}{path}", served.url())).bearer_auth(&self.key).json(body);
        exact(&request.send().await.expect("an answer").text().await.expect("a body"))
    }

    async fn balance_is(&self, served: &Served, usd: &str) {
        until("the credit", async || {
            let asked = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&self.key);
            let told = exact(&asked.send().await.ok()?.text().await.ok()?);
            (amount(&told["data"]["quota_usd"]) == usd).then_some(())
        })
        .await;
    }

    /// An order over five dollars, and the place of its option on a chain.
    async fn order(&self, served: &Served, network: &str) -> (i64, Value, usize) {
        let made = self.ask(served, X402, &json!({"amount_usd": 5})).await;
        let options = made["data"]["challenge"]["accepts"].as_array().unwrap_or_else(|| panic!("{made}"));
        let place = options.iter().position(|option| option["network"] == network).expect("an option");
        let id = made["data"]["order_id"].to_string().parse().expect("a number");
        (id, made["data"]["challenge"].clone(), place)
    }

    async fn pay(&self, served: &Served, order: i64, payment: &Value) {
        let paid = self.ask(served, &format!("/api/x402/pay/{order}"), payment).await;
        assert_eq!(paid["data"]["status"], "settled", "{paid}");
    }

    /// Pays five dollars on the EVM chain, for the order of this number.
    async fn pay_on_evm(&self, served: &Served, nonce: u8) -> i64 {
        let (order, challenge, place) = self.order(served, chain::NETWORK).await;
        let option = &challenge["accepts"][place];
        let signed = chain::authorization_for(option, [nonce; 32]);
        let signature = chain::sign(PAYER, &signed, &self.anvil.token(), CHAIN);
        let payment = crate::topups::x402::Payment { accepted: option.clone(), signed, signature };
        self.pay(served, order, &payment.body()).await;
        order
    }

    /// The same on Solana.
    async fn pay_on_solana(&self, served: &Served) {
        let (order, challenge, place) = self.order(served, svm::NETWORK).await;
        let payment = self.svm.payment_with(&challenge, "official", json!({"option": place})).await;
        self.pay(served, order, &payment).await;
    }

    /// An order on the provider's page.
    async fn page(&self, served: &Served) -> Page {
        let made = self.ask(served, EWALLET, &json!({"amount_usd": 5, "wallet": "GCASH"})).await;
        let text = |name: &str| made["data"][name].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        Page { trade_no: text("trade_no"), url: text("checkout_url") }
    }

    /// Sends coins to us past the gateway; the transfer, as the comparison names it.
    async fn send_on_evm(&self, units: u64) -> String {
        let data = format!("a9059cbb{}{units:064x}", word(&account(PAY_TO).address));
        let receipt = self.anvil.call(PAYER, &self.anvil.coin, &data).await;
        let log = &receipt["logs"][0];
        let place = log["logIndex"].as_str().expect("a number").trim_start_matches("0x");
        let place = u64::from_str_radix(place, 16).expect("a number");
        format!("{}/{place}", receipt["transactionHash"].as_str().expect("a hash"))
    }

    /// The same on Solana, with what an order wants to read beside it; the signature.
    async fn send_on_solana(&self, served: &Served) -> (i64, String) {
        let (order, challenge, place) = self.order(served, svm::NETWORK).await;
        let how = json!({"option": place});
        let payment = self.svm.payment_with(&challenge, "payer is fee payer", how).await;
        let how = json!([payment["payload"]["transaction"], {"encoding": "base64"}]);
        let signature = self.svm.ask("sendTransaction", how).await;
        (order, signature.as_str().expect("a signature").to_owned())
    }

    /// A credit of five dollars that somebody with access to the database has written, for money that never came.
    async fn plant_credit(&self, source: &str, rail: &str, (reference, asset, units): (&str, &str, &str)) -> i64 {
        let (id, account) = (draw_id(1), self.account);
        let at = Clock::system().now_ms() - HOUR_MS;
        let place = if rail == "x402" { "1" } else { "NULL" };
        self.plant(format!(
            "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at, place) VALUES \
                 ({id}, 'planted{id}', {account}, '{rail}', 5000000000, 'pending', {at}, {at} + 600000, {place}); \
             INSERT INTO payments (id, source, reference, order_id, state, asset, amount, receipt, claimed_at) VALUES \
                 ({id}, '{source}', '{reference}', {id}, 'claimed', '{asset}', '{units}', '{reference}', {at}); \
             UPDATE topup_order SET status = 'settling', rev = rev + 1 WHERE id = {id}; \
             UPDATE payments SET state = 'paid', rev = rev + 1, decided_at = {at} WHERE id = {id}; \
             UPDATE topup_order SET settled_at = {at} WHERE id = {id}; \
             UPDATE topup_order SET status = 'success', rev = rev + 1 WHERE id = {id};"
        ))
        .await;
        id
    }
}

fn told(finding: &Value) -> (&str, &str, &str) {
    let text = |name: &str| finding[name].as_str().unwrap_or_default();
    (text("kind"), text("source"), text("reference"))
}

async fn what_is_right_is_not_named(on: On) {
    let world = World::open(on).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    world.pay_on_solana(&served).await;
    let page = world.page(&served).await;
    world.provider.press(&page.url, "pay").await;
    world.balance_is(&served, "15").await;
    // One that nobody pays, and one of less than any order: of such, anybody can send as many as he wants.
    world.page(&served).await;
    world.send_on_evm(999_999).await;
    let (clean, told) = world.compared(&[]);
    assert!(clean, "{told}");
    for (place, source) in [chain::NETWORK, svm::NETWORK, NAME].into_iter().enumerate() {
        let report = &told["sources"][place];
        assert_eq!((&report["source"], &report["compared"]), (&json!(source), &json!(true)), "{told}");
        assert_eq!((&report["matched"], &report["findings"]), (&json!(1), &json!(0)), "{told}");
    }
    let small = &told["sources"][0];
    assert_eq!((&small["small_transfers"], amount(&small["small_usd"]).as_str()), (&json!(1), "0.999999"), "{told}");
    assert!(served.terminate());
}

async fn money_that_was_credited_to_nobody_is_named(on: On) {
    let world = World::open(on).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    world.anvil.mine(2_500).await;
    let on_evm = world.send_on_evm(7_000_000).await;
    let (order, on_solana) = world.send_on_solana(&served).await;
    let page = world.page(&served).await;
    assert!(served.terminate());
    // Nobody asks about it any more, and it is paid.
    world.plant("UPDATE checkouts SET ask_at = NULL;".to_owned()).await;
    world.provider.press(&page.url, "pay").await;
    let named = world.named(&[]);
    let kinds: Vec<_> = named.iter().map(told).collect();
    assert_eq!(
        kinds[..2],
        [("not_credited", chain::NETWORK, on_evm.as_str()), ("not_credited", svm::NETWORK, on_solana.as_str())]
    );
    assert_eq!((kinds.len(), kinds[2].0, kinds[2].1), (3, "not_credited", NAME), "{named:?}");
    let payer = account(PAYER).address;
    assert_eq!((&named[0]["amount"], &named[0]["payer"]), (&json!("7000000"), &json!(payer)), "{named:?}");
    assert!(named[0]["at"].is_string() && amount(&named[0]["usd"]) == "7", "{named:?}");
    for finding in &named[1..] {
        assert_eq!((&finding["account"], amount(&finding["usd"]).as_str()), (&json!(world.account), "5"), "{finding}");
    }
    assert_eq!(named[1]["order_id"], order);
    // For people it is a table, and what to do.
    let args = world.args();
    let shown = run(&[&args[0], &args[1], "audit", "--chains", "--since", "2d"]);
    let text = String::from_utf8(shown.stdout).expect("text");
    assert!(!shown.status.success() && text.contains(&on_evm) && text.contains(&on_solana), "{text}");
    for words in ["eip155:31337: 1 the same, 0 under way, 1 differ", "DIFFERENCE", "Next: look whose it is"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // What is granted under its name is told no more.
    for finding in &named {
        let (reference, usd) = (told(finding).2, amount(&finding["usd"]));
        let key = ["--idempotency-key", reference, "--note", "came past the gateway"];
        world.run(&[&["credit", "grant", "--account", "payer", "--usd", &usd][..], &key].concat());
    }
    let (clean, told) = world.compared(&[]);
    assert!(clean, "{told}");
}

async fn credit_for_money_that_is_not_there_is_named(on: On) {
    let world = World::open(on).await;
    let served = world.serve();
    world.pay_on_evm(&served, 1).await;
    assert!(served.terminate());
    let (hash, signature) = (format!("0x{}", "ab".repeat(32)), "5".repeat(88));
    let (coin, mint) = (world.anvil.token().address.to_string(), world.svm.address("coin").to_owned());
    let mut planted = Vec::new();
    for (source, rail, money) in [
        (chain::NETWORK, "x402", (hash.as_str(), coin.as_str(), "5000000")),
        (svm::NETWORK, "x402", (&signature, &mint, "5000000")),
        (NAME, "ewallet", ("P-planted", "USD", "500")),
    ] {
        planted.push((world.plant_credit(source, rail, money).await, source, money.0));
    }
    let named = world.named(&[]);
    assert_eq!(named.len(), 3, "{named:?}");
    for (finding, (id, source, reference)) in named.iter().zip(&planted) {
        assert_eq!(told(finding), ("not_found", *source, *reference), "{named:?}");
        assert_eq!((&finding["payment_id"], &finding["account"]), (&json!(id), &json!(world.account)), "{named:?}");
        assert_eq!((finding["shown_by"].as_i64(), amount(&finding["usd"]).as_str()), (Some(0), "5"), "{named:?}");
    }
    // One that has gone back is told no more.
    for (id, ..) in &planted {
        world.run(&["payment", "chargeback", &id.to_string(), "--reason", "the money never came"]);
    }
    let (clean, told) = world.compared(&[]);
    assert!(clean, "{told}");
}

on_both!(
    what_is_right_is_not_named,
    money_that_was_credited_to_nobody_is_named,
    credit_for_money_that_is_not_there_is_named,
);
