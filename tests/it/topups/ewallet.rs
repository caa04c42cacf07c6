//! Top-ups that are paid on the page of a payment provider, over the provider of the sandbox, which speaks the real wire: what
//! is paid is credited once, whatever the provider, the network or a stranger does, and nothing else is.

// suite of this file: waiting

mod asks;
mod crashes;
mod notices;
mod pages;
mod returns;

use reqwest::StatusCode;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tollgate_base::{Clock, ManualClock};
use tollgate_tests::checkout::{Posted, Provider, paid};
use tollgate_tests::gateway::{Options, amount, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::until;
use tollgate_tests::{AlarmLog, TestGateway, client};

use crate::ledger::restartable::On;

/// Where orders are made.
pub(crate) const ORDERS: &str = "/api/user/topup/ewallet/orders";
const MINUTE_MS: i64 = 60_000;

/// A gateway without credit, and its payment provider, on one clock.
pub(crate) struct House {
    pub(crate) provider: Provider,
    pub(crate) gateway: TestGateway,
    hand: ManualClock,
    clock: Clock,
    /// Where its ledger is on a database server.
    database: Option<String>,
}

/// An order, as its creation told it.
#[derive(Debug, Clone)]
pub(crate) struct Ordered {
    pub(crate) trade_no: String,
    pub(crate) page: String,
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::on(On::File).await
    }

    async fn on(on: On) -> Self {
        let database = database(on).await;
        let config = database.as_deref().map(table).unwrap_or_default();
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let provider = Provider::start(clock.clone(), 1_000_000);
        let mut topup = provider.rails();
        topup.crypto = topup.ewallet;
        let topup = Some(topup);
        let options = Options { credit: "0", config, clock: clock.clone(), topup, ..Options::default() };
        Self { gateway: TestGateway::with(options).await, provider, hand, clock, database }
    }

    /// What creation answers.
    async fn create(&self, body: &Value) -> (StatusCode, Value) {
        let request = client().post(self.gateway.url(ORDERS)).bearer_auth(&self.gateway.key);
        let reply = request.json(body).send().await.expect("an answer");
        (reply.status(), exact(&reply.text().await.expect("a body")))
    }

    /// An order over 5 USD.
    async fn order(&self) -> Ordered {
        let (_, made) = self.create(&json!({"amount_usd": 5, "wallet": "GCASH"})).await;
        assert_eq!((&made["success"], &made["data"]["status"]), (&json!(true), &json!("pending")), "{made}");
        let text = |name: &str| made["data"][name].as_str().expect("a text").to_owned();
        Ordered { trade_no: text("trade_no"), page: text("checkout_url") }
    }

    /// An order that is known by nobody but us.
    async fn unreported(&self) -> Ordered {
        self.provider.faults(&json!({"drop": true})).await;
        self.order().await
    }

    /// How an order stands.
    async fn found(&self, ordered: &Ordered) -> Value {
        let path = format!("/api/user/topup/order/{}", ordered.trade_no);
        let reply = self.gateway.get(&path).send().await.expect("an answer");
        exact(&reply.text().await.expect("a body"))["data"].clone()
    }

    async fn status(&self, ordered: &Ordered) -> String {
        self.found(ordered).await["status"].as_str().expect("a status").to_owned()
    }

    async fn status_is(&self, ordered: &Ordered, status: &str) {
        until(status, async || (self.status(ordered).await == status).then_some(())).await;
    }

    /// Posts a notice; the status of the answer and its code, where it is an error.
    async fn post(&self, posted: &Posted) -> (u16, String) {
        let reply = posted.to(&self.gateway.url("")).send().await.expect("an answer");
        let (status, body): (_, Value) = (reply.status().as_u16(), reply.json().await.expect("JSON"));
        assert_eq!(status == 200, body["result"]["resultCode"] == "SUCCESS", "{body}");
        (status, body["code"].as_str().unwrap_or_default().to_owned())
    }

    /// The notice that an order was paid with 5 USD, as the provider sends it now.
    fn paid(&self, ordered: &Ordered, payment_id: &str) -> Posted {
        self.says(&paid(&ordered.trade_no, payment_id, "500"))
    }

    fn says(&self, body: &Value) -> Posted {
        Posted::signed(body.to_string(), self.clock.now_ms())
    }

    async fn balance(&self) -> String {
        amount(&self.gateway.balance().await["quota_usd"])
    }

    async fn balance_is(&self, usd: &str) {
        until("the credit", async || (self.balance().await == usd).then_some(())).await;
    }

    /// One value out of the ledger, as text.
    async fn value(&self, statement: &str) -> String {
        let asked = AssertSqlSafe(format!("SELECT CAST(({statement}) AS TEXT)"));
        let found = if let Some(url) = &self.database {
            let options: PgConnectOptions = url.parse().expect("an address");
            let mut ledger = options.options([("search_path", "tollgate")]).connect().await.expect("a ledger");
            sqlx::query_scalar(asked).fetch_one(&mut ledger).await
        } else {
            let options = SqliteConnectOptions::new().filename(self.gateway.ledger()).read_only(true);
            let mut ledger = options.connect().await.expect("a ledger");
            sqlx::query_scalar(asked).fetch_one(&mut ledger).await
        };
        found.expect("a value")
    }

    /// One number.
    async fn number(&self, statement: &str) -> i64 {
        self.value(statement).await.parse().expect("a number")
    }

    /// Notices that wait for a person.
    async fn parked(&self) -> i64 {
        self.number("SELECT count(*) FROM notices WHERE parked IS NOT NULL").await
    }
}

/// The address of a database of its own, where the ledger is on a server.
async fn database(on: On) -> Option<String> {
    match on {
        On::File => None,
        On::Server => {
            let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await;
            Some(url.expect("PostgreSQL starts"))
        }
    }
}

/// As the configuration has it.
fn table(url: &str) -> String {
    format!("[database]\nurl = {url:?}\n")
}

const REFUSED: (u16, &str) = (403, "NOTICE_REFUSED");

fn told(answer: &(u16, String)) -> (u16, &str) {
    (answer.0, answer.1.as_str())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_paid_on_the_page_is_credited_when_it_is_reported() {
    let house = House::open().await;
    let ordered = house.order().await;
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("pending", "0"));
    house.provider.press(&ordered.page, "pay").await;
    house.balance_is("5").await;
    let found = house.found(&ordered).await;
    assert_eq!((&found["status"], &found["rail"]), (&json!("success"), &json!("ewallet")), "{found}");
    assert_eq!(amount(&found["balance_added"]), "5");
    assert!(found["reference"].as_str().is_some_and(|payment| payment.starts_with('P')), "{found}");
    let acknowledged = async || {
        let sent = house.provider.sent(&ordered.trade_no).await;
        sent.first().map(|sent| (sent["acknowledged"] == true, sent["signed"] == true))
    };
    assert_eq!(until("the acknowledgement", acknowledged).await, (true, true), "it is signed by us");
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_info_tells_what_is_enforced() {
    let provider = Provider::start(Clock::system(), 1);
    let mut topup = provider.rails();
    let checkout = topup.checkout.as_mut().expect("a provider");
    checkout.wallets.truncate(2);
    checkout.wallets[1].min_usd = "2.50".parse().expect("an amount");
    topup.ewallet.max = Some("100".parse().expect("an amount"));
    let gateway = TestGateway::with(Options { topup: Some(topup), ..Options::default() }).await;
    let told = gateway.get("/api/user/topup/info").send().await.expect("an answer").text().await.expect("a body");
    let told = exact(&told);
    let rails = told["data"]["rails"].as_array().expect("rails");
    let rail = rails.iter().find(|rail| rail["rail"] == "ewallet").expect("the rail");
    assert_eq!((&rail["enabled"], amount(&rail["min_usd"]).as_str()), (&json!(true), "1"));
    assert_eq!(amount(&rail["max_usd"]), "100");
    let wallets = rail["wallets"].as_array().expect("wallets");
    let (code, least) = (wallets[1]["wallet"].as_str().expect("a code"), amount(&wallets[1]["min_usd"]));
    assert_eq!((wallets.len(), least.as_str()), (2, "2.5"));
    for (usd, wallet, expected) in [
        ("2.49", code, "INVALID_AMOUNT"),
        ("2.505", code, "INVALID_AMOUNT"),
        ("100.01", code, "INVALID_AMOUNT"),
        ("5", "GCASH", "UNSUPPORTED_WALLET"),
        ("2.5", code, ""),
        ("100", code, ""),
    ] {
        let body = format!("{{\"amount_usd\":{usd},\"wallet\":\"{wallet}\"}}");
        let request = client().post(gateway.url(ORDERS)).bearer_auth(&gateway.key);
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        let told: Value = reply.json().await.expect("JSON");
        assert_eq!(told["message"], expected, "{usd} {wallet}: {told}");
    }
}

/// Amounts are whole cents: the remains of a binary float are refused with the amount that would do.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_amount_names_the_nearest_that_is_taken() {
    let provider = Provider::start(Clock::system(), 1);
    let mut topup = provider.rails();
    topup.ewallet.max = Some("100".parse().expect("an amount"));
    let gateway = TestGateway::with(Options { topup: Some(topup), ..Options::default() }).await;
    let asks_for = async |usd: &str| {
        let body = format!("{{\"amount_usd\":{usd},\"wallet\":\"GCASH\"}}");
        let request = client().post(gateway.url(ORDERS)).bearer_auth(&gateway.key);
        let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        (reply.status().as_u16(), exact(&reply.text().await.expect("a body")))
    };
    for (usd, nearest) in [
        ("12.340000000000002", "12.34"),
        ("2.9999999999999996", "3"),
        ("12.345", "12.35"),
        ("5e0", "5"),
        ("0.5", "1"),
        ("-5", "1"),
        ("100.000000000000014", "100"),
        ("1e400", "100"),
    ] {
        let (status, told) = asks_for(usd).await;
        assert_eq!((status, told["message"].as_str()), (200, Some("INVALID_AMOUNT")), "{usd}: {told}");
        assert_eq!(amount(&told["data"]["nearest_usd"]), nearest, "{usd}: {told}");
        let words = format!("the nearest is {nearest}");
        assert!(told["detail"].as_str().is_some_and(|detail| detail.contains(&words)), "{usd}: {told}");
        let (_, made) = asks_for(nearest).await;
        assert_eq!(made["success"], true, "what is named is taken: {made}");
    }
    let (_, made) = asks_for("12.340000000000000").await;
    assert_eq!(amount(&made["data"]["amount_usd"]), "12.34", "zeros behind it are no other amount: {made}");
    assert_eq!(asks_for("\"12.34\"").await.0, 400, "what is no number is no amount");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rail_without_its_provider_is_off() {
    let gateway = TestGateway::start().await;
    let request = client().post(gateway.url(ORDERS)).bearer_auth(&gateway.key);
    let told: Value = request
        .json(&json!({"amount_usd": 5, "wallet": "GCASH"}))
        .send()
        .await
        .expect("told")
        .json()
        .await
        .expect("JSON");
    assert_eq!(told["message"], "RAIL_DISABLED", "{told}");
    let notice = Posted::signed(paid("tg", "P", "500").to_string(), Clock::system().now_ms());
    assert_eq!(notice.to(&gateway.url("")).send().await.expect("an answer").status(), 404);
}
