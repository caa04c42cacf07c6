//! What is told about orders for credit, and to those who pay them.

use data_encoding::BASE64;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_accounts::NewKey;
use tollgate_api::generated::limits;
use tollgate_base::{AgentId, Clock};
use tollgate_tests::chain::Anvil;
use tollgate_tests::checkout::{Posted, Provider, paid, token_in};
use tollgate_tests::gateway::Options;
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};
use tollgate_topup::{Config, CreditOrder, NewOrder, NewPayment, PaymentRail, RailConfig};

use super::asks::{Ask, Names, PUBLIC_URL};
use super::codes::{Cases, Expected, Shape};
use super::people::told;
use super::{AGENTS, Door, ORDER_VALIDITY_MS};
use crate::topups::x402::permit2::Permits;

const PAY: &str = "x402.pay";
const CREATE: &str = "ewallet.create";
const HANDSHAKE: &str = "x402.handshake";

pub(super) async fn run(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let request = Ask::of("topup.get", &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    told(cases, door, "topup.get", request, "ORDER_NOT_FOUND").await;
    creation(cases, gateway, door).await;
    payments(cases, gateway, door).await;
    caps(cases, gateway, door).await;
    chain(cases).await;
    checkouts(cases, gateway, door).await;
    opened_once(cases, gateway, door).await;
    too_often(cases, door).await;
}

/// An order of the gateway's account that waits for an agent's payment.
pub(crate) async fn waiting(gateway: &TestGateway) -> CreditOrder {
    let amount = "5".parse().expect("an amount");
    let new = NewOrder { account: gateway.account, agent: None, rail: PaymentRail::X402, amount };
    gateway.service().topups.open(new).await.expect("an order")
}

/// A good payment for an order that is made for it, with the order's number. One of its own for each number.
pub(super) async fn payment(gateway: &TestGateway, door: &Door, number: u8) -> (i64, RequestBuilder) {
    let made = Ask::of("x402.create", &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    let made: Value = door.send("x402.create", made).await.json().await.expect("JSON");
    let order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let body = Anvil::shared().await.payment(&made["data"]["challenge"], number);
    (order_id, pay(door, order_id, body))
}

/// The notice that an order is paid which is made for it.
pub(super) async fn notice(gateway: &TestGateway, door: &Door) -> RequestBuilder {
    let made = Ask::of(CREATE, &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    let made: Value = door.send(CREATE, made).await.json().await.expect("JSON");
    let trade_no = made["data"]["trade_no"].as_str().unwrap_or_else(|| panic!("{made}"));
    Posted::signed(paid(trade_no, "P-answers", "500").to_string(), Clock::system().now_ms()).to(&door.url)
}

/// The question about an order that is made for it, with its token.
pub(super) async fn state(gateway: &TestGateway, door: &Door) -> RequestBuilder {
    let made = Ask::of(CREATE, &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    let made: Value = door.send(CREATE, made).await.json().await.expect("JSON");
    let text = |name: &str| made["data"][name].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
    let token = token_in(&Provider::shared().return_address(&text("checkout_url")).await);
    client().get(format!("{}/api/topup/order/{}?token={token}", door.url, text("trade_no")))
}

/// On the page of a payment provider.
async fn checkouts(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let create = || Ask::of(CREATE, &Names::default());
    for (name, value, code) in
        [("amount_usd", json!(0.5), "INVALID_AMOUNT"), ("wallet", json!("CASH"), "UNSUPPORTED_WALLET")]
    {
        let ask = create().with(name, value);
        told(cases, door, CREATE, ask.request(&door.url).bearer_auth(&gateway.key), code).await;
    }
    let notice = Ask::of("ewallet.notify", &Names::default()).request(&door.url);
    told(cases, door, "ewallet.notify", notice, "NOTICE_REFUSED").await;
    let state = Ask::of("ewallet.state", &Names::default()).request(&door.url);
    told(cases, door, "ewallet.state", state, "ORDER_NOT_FOUND").await;
    let without = TestGateway::start().await;
    let closed = Door::open(without.service()).await;
    let request = create().request(&closed.url).bearer_auth(&without.key);
    told(cases, &closed, CREATE, request, "RAIL_DISABLED").await;
    // Where the provider was, nobody answers.
    let topup = Some(Provider::start(Clock::system(), 1).rails());
    let gone = TestGateway::with(Options { topup, ..Options::default() }).await;
    let door = Door::open(gone.service()).await;
    told(cases, &door, CREATE, create().request(&door.url).bearer_auth(&gone.key), "CHECKOUT_UNAVAILABLE").await;
}

/// With a key that was used: by another order, and by one that is under way.
async fn opened_once(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let account = key_of_its_own(gateway, "keeper").await;
    let none = Names::default();
    for operation in [CREATE, "x402.create", "crypto.create"] {
        let ask = Ask::of(operation, &none);
        let keyed = |ask: Ask| ask.request(&door.url).bearer_auth(&account).header("idempotency-key", operation);
        assert_eq!(door.send(operation, keyed(ask.clone())).await.status(), 200, "{operation}");
        told(cases, door, operation, keyed(ask.with("amount_usd", json!(6))), "IDEMPOTENCY_MISMATCH").await;
    }
    let provider = Provider::start(Clock::system(), 1);
    provider.faults(&json!({"answers": "hang"})).await;
    let slow = TestGateway::with(Options { topup: Some(provider.rails()), ..Options::default() }).await;
    let door = Door::open(slow.service()).await;
    let keyed = || Ask::of(CREATE, &none).request(&door.url).bearer_auth(&slow.key).header("idempotency-key", "k");
    let first = tokio::spawn(keyed().send());
    until("the first to be with the provider", async || {
        let standing: Value =
            slow.get("/api/user/self/status").send().await.expect("an answer").json().await.expect("JSON");
        standing["data"]["orders"].as_array().is_some_and(|orders| orders.len() == 1).then_some(())
    })
    .await;
    told(cases, &door, CREATE, keyed(), "IDEMPOTENCY_IN_FLIGHT").await;
    drop(provider);
    let first = first.await.expect("no panic").expect("an answer");
    assert_eq!(door.seen(&first), (CREATE, Some("CHECKOUT_UNAVAILABLE")));
}

/// The same in the protocol's own header.
pub(super) async fn payment_by_header(gateway: &TestGateway, door: &Door, number: u8) -> RequestBuilder {
    let made = Ask::of("x402.create", &Names::default()).request(&door.url).bearer_auth(&gateway.key);
    let made: Value = door.send("x402.create", made).await.json().await.expect("JSON");
    let order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    by_header(door, order_id, &Anvil::shared().await.payment(&made["data"]["challenge"], number))
}

fn by_header(door: &Door, order_id: i64, body: &Value) -> RequestBuilder {
    let ask = Ask::of(HANDSHAKE, &Names { order_id, ..Names::default() });
    ask.request(&door.url).header("payment-signature", BASE64.encode(body.to_string().as_bytes()))
}

fn pay(door: &Door, order_id: i64, body: Value) -> RequestBuilder {
    let ask = Ask::of(PAY, &Names { order_id, ..Names::default() });
    Ask { body: Some(body), ..ask }.request(&door.url)
}

async fn creation(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let none = Names::default();
    let key = key_of_its_own(gateway, "buyer").await;
    for (name, value, code) in [
        ("amount_usd", json!(0.5), "X402_INVALID_AMOUNT"),
        ("network", json!("eip155:1"), "X402_UNSUPPORTED_ASSET"),
        ("agent_wallet_id", json!(1), "AGENT_NOT_FOUND"),
    ] {
        let ask = Ask::of("x402.create", &none).with(name, value);
        told(cases, door, "x402.create", ask.request(&door.url).bearer_auth(&key), code).await;
    }
    let create = || Ask::of("x402.create", &none).request(&door.url).bearer_auth(&key);
    let mut order_id = 0;
    for _ in 0..limits::X402_PENDING_ORDERS {
        let made: Value = door.send("x402.create", create()).await.json().await.expect("JSON");
        order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    }
    told(cases, door, "x402.create", create(), "X402_PENDING_CAP").await;
    for (order_id, code) in [(order_id, "ORDER_NOT_PENDING"), (7, "ORDER_NOT_FOUND")] {
        let ask = Ask::of("x402.resume", &Names { order_id, ..Names::default() });
        told(cases, door, "x402.resume", ask.request(&door.url).bearer_auth(&key), code).await;
    }
    let without = TestGateway::start().await;
    let closed = Door::open(without.service()).await;
    for operation in ["x402.create", "x402.list"] {
        let request = Ask::of(operation, &none).request(&closed.url).bearer_auth(&without.key);
        told(cases, &closed, operation, request, "X402_DISABLED").await;
    }
}

async fn payments(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    told(cases, door, PAY, pay(door, 7, json!({})), "ORDER_NOT_FOUND").await;
    told(cases, door, HANDSHAKE, by_header(door, 7, &json!({})), "ORDER_NOT_FOUND").await;
    let order_id = waiting(gateway).await.id.0;
    let unpaid = Ask::of(HANDSHAKE, &Names { order_id, ..Names::default() }).request(&door.url);
    told(cases, door, HANDSHAKE, unpaid, "PAYMENT_REQUIRED").await;
    told(cases, door, HANDSHAKE, by_header(door, order_id, &json!({})), "PAYLOAD_MISMATCH").await;
    let (order, good) = payment(gateway, door, 21).await;
    told(cases, door, PAY, pay(door, order, json!({"x402Version": 1})), "PAYLOAD_MISMATCH").await;
    let paid = door.send(PAY, good.try_clone().expect("bytes")).await;
    assert!(paid.text().await.expect("a body").contains("\"settled\""));
    told(cases, door, PAY, good, "ORDER_ALREADY_SETTLED").await;
    // The same authorization for another order.
    let (_, used) = payment(gateway, door, 21).await;
    told(cases, door, PAY, used, "X402_PAYMENT_REJECTED").await;
    let order = waiting(gateway).await;
    let taken = NewPayment {
        source: "eip155:1".to_owned(),
        reference: "another".to_owned(),
        asset: "0xa0".to_owned(),
        amount: "5".to_owned(),
        payer: None,
        receipt: None,
    };
    gateway.service().topups.claim(order.id, &taken, async |_, _| Ok(())).await.expect("claimed");
    told(cases, door, PAY, pay(door, order.id.0, json!({})), "SETTLING_IN_PROGRESS").await;
}

/// An agent whose cap is lowered between its order and the payment.
async fn caps(cases: &mut Cases, gateway: &TestGateway, door: &Door) {
    let key = key_of_its_own(gateway, "owner of an agent").await;
    let registered = client().post(gateway.url(AGENTS)).bearer_auth(&key);
    let wallet = Wallet::of_key(tollgate_tests::chain::PAYER);
    let body = wallet.registration(PUBLIC_URL).to_string();
    let registered = registered.header("content-type", "application/json").body(body).send().await.expect("an answer");
    let registered: Value = registered.json().await.expect("JSON");
    let agent = AgentId(registered["data"]["agent"]["agent_id"].as_i64().unwrap_or_else(|| panic!("{registered}")));
    let create = || {
        let ask = Ask::of("x402.create", &Names::default()).with("agent_wallet_id", json!(agent.0));
        ask.request(&door.url).bearer_auth(&key)
    };
    let made: Value = door.send("x402.create", create()).await.json().await.expect("JSON");
    let order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let change = Ask::of("agents.change", &Names { agent: agent.0, ..Names::default() });
    let change = Ask { body: Some(json!({"cap_order_usd": 1})), ..change };
    let changed = door.send("agents.change", change.request(&door.url).bearer_auth(&key)).await;
    assert_eq!(changed.status(), 200);
    told(cases, door, "x402.create", create(), "X402_SPEND_CAP_EXCEEDED").await;
    let body = Anvil::shared().await.payment(&made["data"]["challenge"], 31);
    told(cases, door, PAY, pay(door, order_id, body), "SPEND_CAP_EXCEEDED").await;
}

/// On chains that are slow or gone, and of an order whose time is over.
async fn chain(cases: &mut Cases) {
    let on = RailConfig { enabled: true, ..RailConfig::default() };
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let slow = Config { x402: on, chains: Anvil::shared().await.chains(1_000_000).await, ..Config::default() };
    let options = Options { clock, topup: Some(slow), ..Options::default() };
    let slow = TestGateway::with(options).await;
    let door = Door::open(slow.service()).await;
    let (_, good) = payment(&slow, &door, 41).await;
    let taken = door.send(PAY, good.try_clone().expect("bytes")).await;
    assert!(taken.text().await.expect("a body").contains("\"credit_pending\""));
    told(cases, &door, PAY, good, "X402_SETTLE_PENDING").await;
    let (_, late) = payment(&slow, &door, 42).await;
    hand.advance_ms(ORDER_VALIDITY_MS);
    told(cases, &door, PAY, late, "ORDER_EXPIRED").await;

    let permits = Permits::open("0").await;
    let door = Door::open(permits.house.gateway.service()).await;
    let (order, permit) = permits.carried_inside().await;
    told(cases, &door, PAY, pay(&door, order, permit), "X402_PAYMENT_SET_ASIDE").await;

    let anvil = Anvil::start().await;
    let gone = Config { x402: on, chains: anvil.chains(0).await, ..Config::default() };
    let gone = TestGateway::with(Options { topup: Some(gone), ..Options::default() }).await;
    let door = Door::open(gone.service()).await;
    let made = Ask::of("x402.create", &Names::default()).request(&door.url).bearer_auth(&gone.key);
    let made: Value = door.send("x402.create", made).await.json().await.expect("JSON");
    let order_id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let body = anvil.payment(&made["data"]["challenge"], 43);
    drop(anvil);
    let reply = door.send(PAY, pay(&door, order_id, body)).await;
    cases.answered(Expected { wait: 5, ..Expected::new(Shape::Pay, "CHAIN_UNAVAILABLE") }, reply).await;
    let create = Ask::of("x402.create", &Names::default()).request(&door.url).bearer_auth(&gone.key);
    let reply = door.send("x402.create", create).await;
    cases.answered(Expected { wait: 5, ..Expected::new(Shape::Account, "X402_CHAIN_UNAVAILABLE") }, reply).await;
}

/// The last of all: from this address nothing is looked at for a while.
async fn too_often(cases: &mut Cases, door: &Door) {
    for _ in 0..=limits::PAYMENT_TRIES {
        let reply = door.send(PAY, pay(door, 7, json!({}))).await;
        let wait =
            reply.headers().get("retry-after").map(|wait| wait.to_str().expect("text").parse().expect("seconds"));
        if let Some(wait) = wait {
            let expected = Expected { wait, ..Expected::new(Shape::Pay, "RATE_LIMITED") };
            return cases.answered(expected, reply).await;
        }
    }
    panic!("it may be tried without end");
}

/// The key of another account.
async fn key_of_its_own(gateway: &TestGateway, name: &str) -> String {
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account(name, "test").await.expect("an account").id;
    let key = NewKey { account, label: String::new(), expires_at_ms: None };
    accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
}
