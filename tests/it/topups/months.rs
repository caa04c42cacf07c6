//! Payments and requests of a month that is over. Repeated over the turn of the month, and when its receipts are archived and gone,
//! each is credited once, charged once, and answered alike.

// suite of this file: waiting

use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tollgate_base::{Clock, ManualClock, YearMonth};
use tollgate_chains::evm::TransferAuthorization;
use tollgate_credit::GrantRequest;
use tollgate_tests::chain::{self, Anvil, CHAIN, NETWORK, PAY_TO, PAYER, account};
use tollgate_tests::checkout::{Posted, Provider, paid};
use tollgate_tests::gateway::{Options, amount, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{TestGateway, client};
use tollgate_topup::RailConfig;

use super::crypto::sign;

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;
const X402: &str = "/api/user/topup/x402/orders";
const CRYPTO: &str = "/api/user/topup/crypto/orders";
const EWALLET: &str = "/api/user/topup/ewallet/orders";

/// A gateway on PostgreSQL with all rails, in the last minute of a month.
struct House {
    anvil: Anvil,
    _provider: Provider,
    gateway: TestGateway,
    clock: Clock,
    hand: ManualClock,
    month: YearMonth,
}

/// The payments that were made, as they can be sent again.
struct Paid {
    /// Each with the number of its order.
    on_chain: Vec<(i64, Value)>,
    trade_no: String,
}

impl House {
    async fn at_a_months_turn() -> Self {
        let month = YearMonth::of_ms(Clock::system().now_ms());
        let (clock, hand) = Clock::manual(month.ends_at_ms() - MINUTE_MS);
        let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
        let (anvil, provider) = (Anvil::start().await, Provider::start(clock.clone(), 1));
        provider.faults(&json!({"drop": true})).await;
        let on = RailConfig { enabled: true, ..RailConfig::default() };
        let topup = tollgate_topup::Config { crypto: on, x402: on, chains: anvil.chains(0).await, ..provider.rails() };
        let config = format!("[database]\nurl = {url:?}\n");
        let options = Options { config, clock: clock.clone(), topup: Some(topup), ..Options::default() };
        let gateway = TestGateway::with(options).await;
        gateway.upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
        Self { anvil, _provider: provider, gateway, clock, hand, month }
    }

    fn post(&self, path: &str) -> RequestBuilder {
        client().post(self.gateway.url(path)).bearer_auth(&self.gateway.key)
    }

    /// The answer to an order over five dollars, with an Idempotency-Key.
    async fn order(&self, path: &str, more: Value, key: &str) -> Value {
        let mut body = json!({"amount_usd": 5});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let request = self.post(path).header("idempotency-key", key).json(&body);
        let made = exact(&request.send().await.expect("an answer").text().await.expect("a body"));
        assert_eq!(made["success"], true, "{made}");
        made["data"].clone()
    }

    /// The order of an agent's rail. Its number is the key's, so that the same key is the same order.
    async fn x402_order(&self) -> Value {
        self.order(X402, json!({}), "x402").await
    }

    async fn pay(&self, order: i64, payment: &Value) -> Value {
        let reply = self.post(&format!("/api/x402/pay/{order}")).json(payment).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))
    }

    async fn notice(&self, trade_no: &str) -> u16 {
        let notice = paid(trade_no, "P-1", "500").to_string();
        let posted = Posted::signed(notice, self.clock.now_ms()).to(&self.gateway.url(""));
        posted.send().await.expect("an answer").status().as_u16()
    }

    /// A chat under a key: whether it is the answer of before, the id of the first request, and the body.
    async fn chat(&self) -> (bool, String, String) {
        let reply = self.gateway.hello().header("idempotency-key", "chat").send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
        let first = header("x-tollgate-first-request-id").or_else(|| header("x-request-id")).expect("an id");
        (header("idempotent-replayed").is_some(), first, reply.text().await.expect("a body"))
    }

    /// The credit of the account, once nothing is held any more.
    async fn balance(&self) -> String {
        let settled = async || {
            let told = self.gateway.balance().await;
            (amount(&told["held_usd"]) == "0").then(|| amount(&told["quota_usd"]))
        };
        until("the end of all holds", settled).await
    }

    /// A payment by each rail, five dollars each.
    async fn paid(&self) -> Paid {
        let order = self.x402_order().await;
        let option = &order["challenge"]["accepts"][0];
        let valid_before = (self.clock.now_ms() / 1000 + 3600).to_string().parse().expect("a number");
        let signed = TransferAuthorization { valid_before, ..chain::authorization_for(option, [1; 32]) };
        let signature = chain::sign(PAYER, &signed, &self.anvil.token(), CHAIN);
        let by_agent = super::x402::Payment { accepted: option.clone(), signed, signature }.body();
        let by_wallet =
            self.order(CRYPTO, json!({"network": NETWORK, "payer": account(PAYER).address}), "crypto").await;
        let mut on_chain = Vec::new();
        for (order, payment) in [(&order, by_agent), (&by_wallet, sign(&by_wallet, PAYER))] {
            let id = order["order_id"].to_string().parse().expect("a number");
            let told = self.pay(id, &payment).await;
            assert_eq!(told["data"]["status"], "settled", "{told}");
            on_chain.push((id, payment));
        }
        let page = self.order(EWALLET, json!({"wallet": "GCASH"}), "ewallet").await;
        let trade_no = page["trade_no"].as_str().expect("a text").to_owned();
        assert_eq!(self.notice(&trade_no).await, 200);
        until("the credit", async || (self.balance().await == "25").then_some(())).await;
        Paid { on_chain, trade_no }
    }

    /// Each payment comes again, for its order and for another, and so does the grant of the start. Nothing is credited for it.
    async fn come_again(&self, paid: &Paid) {
        let before = self.balance().await;
        let other = self.order(X402, json!({}), &self.clock.now_ms().to_string()).await;
        let other = other["order_id"].to_string().parse().expect("a number");
        for (order, payment) in &paid.on_chain {
            let told = self.pay(*order, payment).await;
            assert_eq!(
                (&told["success"], &told["message"]),
                (&json!(false), &json!("ORDER_ALREADY_SETTLED")),
                "{told}"
            );
            let told = self.pay(other, payment).await;
            assert_eq!((&told["success"], &told["data"]["status"]), (&json!(false), &json!("pending")), "{told}");
        }
        assert_eq!(self.notice(&paid.trade_no).await, 200, "the provider is told that it was heard");
        let (account, amount) = (self.gateway.account, "10".parse().expect("an amount"));
        let grant = GrantRequest { account, amount, idem: "start", actor: "test".into(), note: "" };
        assert!(self.gateway.service().credit.grant(grant).await.expect("a grant").repeated);
        assert_eq!(self.balance().await, before);
        assert_eq!(self.anvil.coins(&chain::account(PAY_TO).address).await, 10_000_000);
        self.gateway.assert_books().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_once_is_credited_once_over_a_months_turn_and_when_the_month_is_gone() {
    let house = House::at_a_months_turn().await;
    let paid = house.paid().await;
    let (order, first) = (house.x402_order().await, house.chat().await);
    let charged = house.balance().await;
    assert_eq!((order["order_id"].to_string(), first.0), (paid.on_chain[0].0.to_string(), false));
    house.hand.advance_ms(2 * MINUTE_MS);
    // Its day is not over yet: the answers are those of that month, byte for byte.
    assert_eq!(house.chat().await, (true, first.1.clone(), first.2.clone()));
    assert_eq!(house.x402_order().await, order);
    house.come_again(&paid).await;
    assert_eq!(house.balance().await, charged);
    house.hand.advance_ms(DAY_MS);
    let file = house.gateway.folder.path().join("receipts.csv.gz");
    let archived = house.gateway.service().credit.archive(house.month, &file, true).await.expect("it is over");
    assert_eq!((archived.receipts, archived.table), (1, None), "the chat, of which no table is left");
    house.come_again(&paid).await;
    assert_eq!(house.balance().await, charged);
    // A key has a day: after it the request is a new one, as the guide says, and is charged as one.
    let anew = house.chat().await;
    assert!(!anew.0 && anew.1 != first.1, "{anew:?}");
    assert_ne!(house.balance().await, charged);
    assert_eq!(house.gateway.upstream.take_received().len(), 2);
    house.gateway.assert_books().await;
}
