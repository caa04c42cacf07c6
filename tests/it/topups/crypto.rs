//! Top-ups that a person pays from a wallet: what is signed is what the answer says, and it is paid by the same engine as an
//! agent's orders; the page that helps with it is seen in a browser.

// suite of this file: waiting

mod pages;

use std::str::FromStr;

use alloy::signers::SignerSync;
use alloy::signers::local::PrivateKeySigner;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tollgate_api::generated::limits;
use tollgate_base::{Clock, ManualClock, Secret};
use tollgate_tests::chain::{Anvil, NETWORK, PAYER, STRANGER, account};
use tollgate_tests::gateway::{Options, amount, exact};
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};
use tollgate_topup::{Config, RailConfig};

/// Where orders are made.
const ORDERS: &str = "/api/user/topup/crypto/orders";
/// Where agents are registered.
const AGENTS: &str = "/api/user/self/agents";
const MINUTE_MS: i64 = 60_000;
const PASSWORD: &str = "correct horse battery";

/// A gateway without credit on a chain, with the rail on.
pub(crate) struct House<'c> {
    pub(crate) anvil: &'c Anvil,
    pub(crate) gateway: TestGateway,
    pub(crate) hand: ManualClock,
}

impl<'c> House<'c> {
    /// One on the chain that all share.
    async fn open() -> House<'static> {
        House::with(|_| {}).await
    }

    /// One whose rails are otherwise.
    async fn with(change: impl FnOnce(&mut Config)) -> House<'static> {
        House::on(Anvil::shared().await, change).await
    }

    /// One on a chain of its own.
    pub(crate) async fn on(anvil: &'c Anvil, change: impl FnOnce(&mut Config)) -> Self {
        let on = RailConfig { enabled: true, ..RailConfig::default() };
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let mut topup = Config { crypto: on, x402: on, chains: anvil.chains(0).await, ..Config::default() };
        change(&mut topup);
        let options = Options { credit: "0", clock, topup: Some(topup), ..Options::default() };
        Self { gateway: TestGateway::with(options).await, anvil, hand }
    }

    /// What creation answers to a caller with this key.
    async fn create_by(&self, key: &str, body: &Value) -> Value {
        let request = client().post(self.gateway.url(ORDERS)).bearer_auth(key).json(body);
        let reply = request.send().await.expect("an answer");
        assert!(reply.status() == 200 || reply.status() == 400 || reply.status() == 429, "{}", reply.status());
        exact(&reply.text().await.expect("a body"))
    }

    async fn create(&self, body: &Value) -> Value {
        self.create_by(&self.gateway.key, body).await
    }

    /// An order over so much, which the payer is to sign.
    async fn order(&self, usd: &str) -> Value {
        let body = format!(r#"{{"amount_usd":{usd},"network":"{NETWORK}","payer":"{}"}}"#, account(PAYER).address);
        let made = self.create(&serde_json::from_str(&body).expect("JSON")).await;
        assert_eq!(made["success"], true, "{made}");
        made["data"].clone()
    }

    /// What is answered to a question about an order.
    async fn ask(&self, path: &str) -> Value {
        let reply = self.gateway.get(&format!("{ORDERS}/{path}")).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    /// Submits a payment.
    async fn pay(&self, order: &Value, payment: &Value) -> Value {
        let path = format!("/api/x402/pay/{}", order["order_id"]);
        let reply = client().post(self.gateway.url(&path)).json(payment).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    async fn balance(&self) -> String {
        amount(&self.gateway.balance().await["quota_usd"])
    }

    /// Somebody who can sign in to the gateway's account, as `person` and [`PASSWORD`].
    pub(crate) async fn person(&self) -> String {
        let accounts = &self.gateway.service().accounts;
        let password = || Secret::new(PASSWORD.to_owned());
        accounts.set_password(self.gateway.account, password(), "test").await.expect("a password");
        let from = Some("192.0.2.78".parse().expect("an address"));
        let begun = accounts.sign_in("test", password(), from).await.expect("signed in");
        begun.token.reveal().to_owned()
    }
}

/// What a wallet makes of the typed data of an order, and a page of that: by what stands in the answer alone.
pub(crate) fn sign(order: &Value, key: &str) -> Value {
    let data = &order["typed_data"];
    let signer = PrivateKeySigner::from_str(key).expect("a key");
    let typed = serde_json::from_value(data.clone()).expect("typed data");
    let signature = signer.sign_dynamic_typed_data_sync(&typed).expect("a signature");
    let signature = format!("0x{}", data_encoding::HEXLOWER.encode(&signature.as_bytes()));
    let payload = json!({"signature": signature, "authorization": data["message"]});
    json!({"x402Version": 2, "accepted": order["challenge"]["accepts"][0], "payload": payload})
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_wallet_signs_of_the_answer_pays_the_order_once() {
    let house = House::open().await;
    let order = house.order("5").await;
    assert_eq!((&order["status"], &order["tokens"][0]["symbol"]), (&json!("pending"), &json!("USDC")));
    assert_eq!(order["tokens"][0]["network_name"], "anvil");
    let (page, name) = (order["page_url"].as_str().expect("a text"), order["trade_no"].as_str().expect("a text"));
    assert_eq!(page, house.gateway.url(&format!("/topup/crypto?order={name}")));
    let payment = sign(&order, PAYER);
    let paid = house.pay(&order, &payment).await;
    assert_eq!((&paid["data"]["status"], amount(&paid["data"]["balance_added"]).as_str()), (&json!("settled"), "5"));
    let again = house.pay(&order, &payment).await;
    assert_eq!(again["code"], "ORDER_ALREADY_SETTLED", "{again}");
    assert_eq!(house.balance().await, "5");
    let ended = house.ask(name).await["data"].clone();
    assert_eq!((&ended["status"], ended.get("challenge"), ended.get("typed_data")), (&json!("success"), None, None));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_was_left_goes_on_with_another_wallet_and_a_fresh_name() {
    // The chains are there for people alone, too.
    let house = House::with(|topup| topup.x402.enabled = false).await;
    let order = house.order("2.5").await;
    let name = order["trade_no"].as_str().expect("a text");
    let unnamed = house.ask(name).await["data"].clone();
    assert!(
        unnamed.get("typed_data").is_none() && unnamed["challenge"]["accepts"][0]["amount"] == "2500000",
        "{unnamed}"
    );
    let by = |address: &str| format!("{name}?payer={address}");
    let stranger = account(STRANGER).address;
    let first = house.ask(&by(&stranger)).await["data"].clone();
    let second = house.ask(&by(&stranger)).await["data"].clone();
    let nonce = |order: &Value| order["typed_data"]["message"]["nonce"].clone();
    assert!(nonce(&first).is_string() && nonce(&first) != nonce(&second), "{first}");
    assert_eq!(first["typed_data"]["message"]["from"].as_str().map(str::to_lowercase), Some(stranger));
    // Good as long as the order is, and as long as a payment needs that comes in its last second.
    let ends = order["expires_at"].to_string().parse::<u64>().expect("a number") + 1 + limits::PAYMENT_LEAD.as_secs();
    assert_eq!(first["typed_data"]["message"]["validBefore"], ends.to_string());
    // The stranger has no coins.
    let refused = house.pay(&order, &sign(&first, STRANGER)).await;
    assert_eq!((&refused["code"], &refused["data"]["status"]), (&json!("X402_PAYMENT_REJECTED"), &json!("pending")));
    let payer = house.ask(&by(&account(PAYER).address)).await["data"].clone();
    assert_eq!(house.pay(&order, &sign(&payer, PAYER)).await["data"]["status"], "settled");
    house.hand.advance_ms(11 * MINUTE_MS);
    let late = house.order("1").await;
    house.hand.advance_ms(10 * MINUTE_MS);
    let late = house.ask(late["trade_no"].as_str().expect("a text")).await["data"].clone();
    assert_eq!((&late["status"], late.get("challenge")), (&json!("expired"), None));
    assert_eq!(house.balance().await, "2.5");
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_refusal_has_its_code_and_makes_no_order() {
    let house = House::with(|topup| topup.crypto.max = "500".parse().ok()).await;
    for (body, code) in [
        (json!({"amount_usd": 0.5}), "INVALID_AMOUNT"),
        (json!({"amount_usd": 501}), "INVALID_AMOUNT"),
        // A token of six decimals has no unit so small.
        (json!({"amount_usd": 1.000_000_1}), "INVALID_AMOUNT"),
        (json!({"amount_usd": 5, "network": "eip155:1"}), "X402_UNSUPPORTED_ASSET"),
        (json!({"amount_usd": 5, "symbol": "DAI"}), "X402_UNSUPPORTED_ASSET"),
        (json!({"amount_usd": 5, "payer": "0x12"}), "BAD_FIELD"),
        (json!({"amount_usd": 5, "agent_wallet_id": 1}), "BAD_FIELD"),
    ] {
        let refused = house.create(&body).await;
        assert_eq!((&refused["success"], &refused["code"]), (&json!(false), &json!(code)), "{body}: {refused}");
    }
    let bounds = house.create(&json!({"amount_usd": 501})).await["detail"].to_string();
    assert!(bounds.contains("at least 1 and at most 500 USD"), "{bounds}");
    for (path, code) in [("tg0", "ORDER_NOT_FOUND"), ("tg0/code", "ORDER_NOT_FOUND")] {
        assert_eq!(house.ask(path).await["code"], code);
    }
    let order =
        house.create(&json!({"amount_usd": 5, "network": "", "symbol": "usdc", "payer": ""})).await["data"].clone();
    let path = format!("{}?payer=somebody", order["trade_no"].as_str().expect("a text"));
    assert_eq!(house.ask(&path).await["code"], "BAD_FIELD");
    let off = House::with(|topup| topup.crypto.enabled = false).await;
    assert_eq!(off.create(&json!({"amount_usd": 5})).await["code"], "RAIL_DISABLED");
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_orders_wait_for_a_wallet_and_take_no_place_of_an_agents() {
    let house = House::open().await;
    for _ in 0..limits::CRYPTO_ORDERS {
        house.order("1").await;
    }
    let reply = client().post(house.gateway.url(ORDERS)).bearer_auth(&house.gateway.key);
    let reply = reply.json(&json!({"amount_usd": 1})).send().await.expect("an answer");
    assert_eq!((reply.status().as_u16(), &reply.headers()["retry-after"]), (429, &"60".parse().expect("a value")));
    assert_eq!(exact(&reply.text().await.expect("a body"))["code"], "RATE_LIMITED");
    let x402 = "/api/user/topup/x402/orders";
    let reply = client().post(house.gateway.url(x402)).bearer_auth(&house.gateway.key);
    let made =
        exact(&reply.json(&json!({"amount_usd": 1})).send().await.expect("an answer").text().await.expect("a body"));
    assert_eq!(made["success"], true, "{made}");
    let listed = exact(&house.gateway.get(x402).send().await.expect("an answer").text().await.expect("a body"));
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(1), "a person's orders are not an agent's");
    let resumed = client().post(house.gateway.url(&format!("{x402}/{}/resume", made["data"]["order_id"])));
    assert_eq!(resumed.bearer_auth(&house.gateway.key).send().await.expect("an answer").status(), 200);
    house.hand.advance_ms(10 * MINUTE_MS);
    house.order("1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_info_tells_what_is_enforced() {
    let house = House::with(|topup| topup.crypto.min = "2".parse().ok()).await;
    let info = exact(
        &house.gateway.get("/api/user/topup/info").send().await.expect("an answer").text().await.expect("a body"),
    );
    let rails = info["data"]["rails"].as_array().expect("a list");
    let rail = rails.iter().find(|rail| rail["rail"] == "crypto").expect("it is told");
    assert_eq!(
        (&rail["enabled"], amount(&rail["min_usd"]), &rail["networks"][0]["network"]),
        (&json!(true), "2".to_owned(), &json!(NETWORK))
    );
    assert_eq!(house.create(&json!({"amount_usd": 1.99})).await["code"], "INVALID_AMOUNT");
    house.order("2").await;
}

/// The rail is for people, but takes no cap away from an agent that uses it.
#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_asks_is_bound_to_its_wallet_and_its_caps() {
    let house = House::open().await;
    let wallet = Wallet::of_key(PAYER);
    let request = client().post(house.gateway.url(AGENTS)).bearer_auth(&house.gateway.key);
    let body = wallet.registration(&house.gateway.url("")).to_string();
    let made = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    let made: Value = made.json().await.expect("JSON");
    let (key, agent) = (made["data"]["api_key"].as_str().expect("a key"), &made["data"]["agent"]["agent_id"]);
    let order =
        house.create_by(key, &json!({"amount_usd": 3, "payer": account(STRANGER).address})).await["data"].clone();
    let refused = house.pay(&order, &sign(&order, STRANGER)).await;
    assert_eq!(refused["code"], "PAYLOAD_MISMATCH", "{refused}");
    let change = client().patch(house.gateway.url(&format!("{AGENTS}/{agent}"))).bearer_auth(&house.gateway.key);
    assert_eq!(change.json(&json!({"cap_order_usd": 1})).send().await.expect("an answer").status(), 200);
    let over = house.create_by(key, &json!({"amount_usd": 3})).await;
    assert_eq!(over["code"], "X402_SPEND_CAP_EXCEEDED", "{over}");
    house.gateway.assert_books().await;
}

fn text<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers[name].to_str().expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_everybodys_and_its_code_is_the_owners() {
    let house = House::open().await;
    let page = client().get(house.gateway.url("/topup/crypto?order=tg0")).send().await.expect("an answer");
    assert_eq!((page.status().as_u16(), text(page.headers(), "content-type")), (200, "text/html; charset=utf-8"));
    let policy = text(page.headers(), "content-security-policy").to_owned();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(text(page.headers(), "x-content-type-options"), "nosniff");
    let html = page.text().await.expect("a body");
    assert!(html.contains("USDC on anvil") && !html.contains("tg0") && !html.contains(&house.anvil.url), "{html}");
    let order = house.order("5").await;
    let path = format!("{ORDERS}/{}/code", order["trade_no"].as_str().expect("a text"));
    let code = house.gateway.get(&path).send().await.expect("an answer");
    assert_eq!((code.status().as_u16(), text(code.headers(), "content-type")), (200, "image/svg+xml"));
    assert!(code.text().await.expect("a body").contains("<svg"));
    assert_eq!(client().get(house.gateway.url(&path)).send().await.expect("an answer").status(), 401);
    // A name of a host that fits into no code.
    let long = format!("{}.example", "a".repeat(4_000));
    let odd = house.gateway.get(&path).header("host", long).send().await.expect("an answer");
    assert_eq!(
        (odd.status().as_u16(), exact(&odd.text().await.expect("a body"))["code"].as_str()),
        (400, Some("BAD_FIELD"))
    );
}
