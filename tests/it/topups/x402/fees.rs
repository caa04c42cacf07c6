//! What our account on a chain spends on fees, whatever payers and nodes do: a tenth of an order at most, and in an hour so much on
//! payments that come to nothing.

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};
use tokio::sync::Mutex;
use tollgate_base::Clock;
use tollgate_chains::evm::TransferAuthorization;
use tollgate_tests::chain::{Anvil, NETWORK, RELAYER, account};
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::{until, until_later};
use tollgate_tests::{AlarmLog, TestGateway, client};

use super::{House, Payment, gateway_at, gateway_on};

const HOUR_MS: i64 = 3_600_000;
/// The age from which a transaction that is in no block is signed again.
const STUCK_MS: i64 = 31_000;

impl House {
    /// What our account has, in wei.
    async fn relayers(&self) -> u128 {
        let has = self.anvil.ask("eth_getBalance", json!([account(RELAYER).address, "latest"])).await;
        u128::from_str_radix(&has.as_str().expect("a number")[2..], 16).expect("a number")
    }

    /// A payment that is good for some hours.
    fn payment_for_hours(&self, challenge: &Value, nonce: u8) -> Payment {
        let Payment { accepted, signed, .. } = self.payment(challenge, nonce);
        let until = Clock::system().now_ms() / 1000 + 4 * 3600;
        let valid_before = until.to_string().parse().expect("a number");
        self.signed(accepted, TransferAuthorization { valid_before, ..signed })
    }
}

/// A payer who takes each payment back just before it is carried out has us pay for nothing: as much as may be spent in an hour, and
/// then nothing is signed, until the hour is over.
#[tokio::test(flavor = "multi_thread")]
async fn payers_who_take_their_payments_back_cost_no_more_than_the_amount_of_an_hour() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    // A coin is worth a thousand dollars, and half a dollar may be lost.
    let anvil = Anvil::start().await;
    let config = anvil.config("0").replace("coin_usd = \"1\"", "coin_usd = \"1000\"\nrelayer_usd_per_hour = \"0.5\"");
    let config = config.replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_at(config, clock).await, anvil };
    let had = house.relayers().await;
    let (order, challenge) = house.order("5").await;
    let bells = AlarmLog::of_this_test();
    let mut failed = 0_u8;
    let refused = loop {
        house.anvil.mine_at_once(false).await;
        let payment = house.payment_for_hours(&challenge, failed + 1);
        let told = house.pay(order, &payment.body()).await;
        if told["data"]["status"] != "credit_pending" {
            break told;
        }
        failed += 1;
        house.anvil.cancel_first(&payment.signed.nonce).await;
        house.anvil.mine(1).await;
        until("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    };
    assert_eq!((&refused["message"], &refused["data"]["status"]), (&json!("CHAIN_UNAVAILABLE"), &json!("pending")));
    assert!(failed >= 1);
    let rung = bells.rings("relayer_budget").await;
    assert_eq!((&rung["network"], &rung["per_hour_usd"]), (&json!(NETWORK), &json!("0.5")), "{rung}");
    // Half a thousandth of a coin.
    let lost = had - house.relayers().await;
    assert!((1..=500_000_000_000_000).contains(&lost), "{lost} wei");
    let signed = house.number("SELECT count(*) FROM chain_sends").await;
    house.anvil.mine_at_once(true).await;
    // Another account's payment is not carried either: it is one account of ours that pays.
    hand.advance_ms(HOUR_MS - 60_000);
    let payment = house.payment_for_hours(&challenge, failed + 1).body();
    assert_eq!(house.pay(order, &payment).await["message"], "ORDER_EXPIRED");
    let (order, challenge) = house.order("5").await;
    let payment = house.payment_for_hours(&challenge, failed + 1).body();
    assert_eq!(house.pay(order, &payment).await["message"], "CHAIN_UNAVAILABLE");
    assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, signed);
    hand.advance_ms(60_001);
    // What may still be carried out counts on, until it is seen that the chain has used its number.
    let used = async || (house.number("SELECT count(*) FROM chain_sends WHERE done = 0").await == 0).then_some(());
    until("the numbers to be used", used).await;
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["success"], true, "{paid}");
    house.ends_well(order, &payment).await;
    // What came has paid for itself.
    for number in 10..20 {
        let (order, challenge) = house.order("5").await;
        let paid = house.pay(order, &house.payment_for_hours(&challenge, number).body()).await;
        assert_eq!(paid["success"], true, "{paid}");
        house.balance_is(&(5 * (u64::from(number) - 8)).to_string()).await;
    }
    house.gateway.assert_books().await;
}

/// A node that keeps what we sign to itself has us offer more and more: never more than a tenth of the order, and on all that is on
/// its way never more than may be lost in an hour.
#[tokio::test(flavor = "multi_thread")]
async fn a_fee_that_is_raised_stays_within_the_order_and_the_hour() {
    let cases = [
        // A tenth of five dollars is less than what may be lost in an hour, and of fifty it is more.
        ("5", "100", "relayer"),
        ("50", "0.5", "relayer_budget"),
    ];
    for (usd, per_hour, alarm) in cases {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let anvil = Anvil::start().await;
        let terms = format!("coin_usd = \"1000\"\nrelayer_usd_per_hour = \"{per_hour}\"");
        let config = anvil.config("0").replace("coin_usd = \"1\"", &terms);
        let config = config.replace("wait_seconds = 5", "wait_seconds = 0");
        let house = House { gateway: gateway_at(config, clock).await, anvil };
        house.anvil.mine_at_once(false).await;
        let (order, challenge) = house.order(usd).await;
        let payment = house.payment(&challenge, 1).body();
        assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
        let rings = || AlarmLog::of_this_test().rung().iter().filter(|rung| rung["alarm"] == alarm).count();
        let signed = async || house.number("SELECT count(*) FROM chain_sends").await;
        while rings() == 0 {
            let so_far = signed().await;
            hand.advance_ms(STUCK_MS);
            let more = async || (signed().await > so_far || rings() > 0).then_some(());
            until("one that pays more, or the alarm", more).await;
        }
        assert!(signed().await > 1, "{usd} USD: it was raised");
        // Half a thousandth of a coin of a thousand dollars, of which the last raise falls short by less than an eighth.
        let dearest = house.number("SELECT max(gas * fee_most) FROM chain_sends").await;
        assert!((400_000_000_000_000..=500_000_000_000_000).contains(&dearest), "{usd} USD: {dearest} wei");
        house.anvil.mine(1).await;
        house.anvil.mine_at_once(true).await;
        house.balance_is(usd).await;
        assert_eq!(house.pay(order, &payment).await["message"], "ORDER_ALREADY_SETTLED");
        house.gateway.assert_books().await;
    }
}

/// A chain with several accounts, whose payers take their payments back.
struct Payers {
    house: House,
    beside: TestGateway,
    keys: Vec<String>,
    ledger: Mutex<PgConnection>,
}

impl Payers {
    /// Two servers on one ledger; a coin is worth three hundred dollars, and half a dollar may be lost.
    async fn open() -> Self {
        let anvil = Anvil::start().await;
        let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
        let rails = anvil.config("0").replace("wait_seconds = 5", "wait_seconds = 0");
        let rails = rails.replace("coin_usd = \"1\"", "coin_usd = \"300\"\nrelayer_usd_per_hour = \"0.5\"");
        let config = format!("[database]\nurl = {url:?}\n{rails}");
        let house = House { gateway: gateway_on(config.clone()).await, anvil };
        let beside = house.gateway.beside(&config).await;
        let mut keys = Vec::new();
        for number in 0..6 {
            keys.push(house.gateway.key_of(&format!("payer {number}")).await);
        }
        let options: PgConnectOptions = url.parse().expect("an address");
        let ledger = options.options([("search_path", "tollgate")]).connect().await.expect("a connection");
        Self { house, beside, keys, ledger: Mutex::new(ledger) }
    }

    /// The payment of an order of its own, at one server or at the other: its nonce, and the answer.
    async fn pays(&self, turn: usize, number: u8) -> ([u8; 32], Value) {
        let server = if turn.is_multiple_of(2) { &self.house.gateway } else { &self.beside };
        let request = client().post(server.url("/api/user/topup/x402/orders")).bearer_auth(&self.keys[turn]);
        let made: Value =
            request.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
        assert_eq!(made["success"], true, "{made}");
        let payment = self.house.payment_for_hours(&made["data"]["challenge"], number);
        let path = format!("/api/x402/pay/{}", made["data"]["order_id"]);
        let paid = client().post(server.url(&path)).json(&payment.body()).send().await.expect("an answer");
        (payment.signed.nonce, paid.json().await.expect("JSON"))
    }

    /// Payments that are on their way.
    async fn on_their_way(&self) -> i64 {
        let asked = sqlx::query_scalar("SELECT count(*) FROM payments WHERE state = 'claimed'");
        asked.fetch_one(&mut *self.ledger.lock().await).await.expect("a number")
    }
}

/// Payers of several accounts ask two servers at the same time, and take back what was signed: they share one amount of the hour.
#[tokio::test(flavor = "multi_thread")]
async fn several_accounts_at_two_servers_cost_no_more_than_the_amount_of_an_hour() {
    let payers = Payers::open().await;
    let had = payers.house.relayers().await;
    payers.house.anvil.mine_at_once(false).await;
    let mut failed: u128 = 0;
    for round in 0.. {
        let turns = 0..payers.keys.len();
        let number = |turn: usize| u8::try_from(round * payers.keys.len() + turn + 1).expect("few rounds");
        let told = join_all(turns.map(|turn| payers.pays(turn, number(turn)))).await;
        let (taken, refused): (Vec<_>, Vec<_>) =
            told.into_iter().partition(|(_, told)| told["data"]["status"] == "credit_pending");
        for (_, refused) in refused {
            assert_eq!(refused["message"], "CHAIN_UNAVAILABLE", "{refused}");
        }
        if taken.is_empty() {
            break;
        }
        for (nonce, _) in &taken {
            payers.house.anvil.cancel_first(nonce).await;
            failed += 1;
        }
        payers.house.anvil.mine(1).await;
        until_later("the end of all", async || (payers.on_their_way().await == 0).then_some(())).await;
    }
    assert!(failed > 1, "as many as may be lost were taken: {failed}");
    let rung = AlarmLog::of_this_test().rings("relayer_budget").await;
    assert_eq!((&rung["network"], &rung["per_hour_usd"]), (&json!(NETWORK), &json!("0.5")), "{rung}");
    // Half a dollar.
    let lost = had - payers.house.relayers().await;
    assert!((failed..=1_666_666_666_666_666).contains(&lost), "{lost} wei");
    payers.house.gateway.assert_books().await;
}

/// What a chain asks would be more than a tenth of the order: it is not carried, and a larger one is.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_not_carried_for_more_than_a_tenth_of_it() {
    let anvil = Anvil::start().await;
    let config =
        anvil.config("0").replace("coin_usd = \"1\"", "coin_usd = \"100000\"\nrelayer_usd_per_hour = \"1000\"");
    let house = House { gateway: gateway_on(config).await, anvil };
    let (order, challenge) = house.order("5").await;
    let refused = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!((&refused["message"], &refused["data"]["status"]), (&json!("X402_PAYMENT_REJECTED"), &json!("pending")));
    assert!(refused["detail"].as_str().is_some_and(|told| told.contains("a tenth of the order")), "{refused}");
    assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 0);
    let had = house.relayers().await;
    let (order, challenge) = house.order("400").await;
    let payment = house.payment(&challenge, 2).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "settled", "{paid}");
    // Forty dollars, at so many a coin.
    assert!(had - house.relayers().await <= 400_000_000_000_000);
    house.gateway.assert_books().await;
}

/// The contract that tells the fee for the data of a transaction, on chains that take one.
const GAS_PRICE_ORACLE: &str = "0x420000000000000000000000000000000000000f";

/// The code of a contract that answers every call with a number.
fn answers_always(number: u128) -> String {
    format!("0x7f{number:064x}60005260206000f3")
}

/// A gateway on a chain that takes a fee for data, which its own contract tells: in wei. A tenth of five dollars are half a
/// hundredth of a coin, as a coin is worth a hundred.
async fn house_with_data_fee(code: &str, per_hour: &str, nodes: Option<(&FlakyNode, bool)>, anvil: Anvil) -> House {
    anvil.ask("anvil_setCode", json!([GAS_PRICE_ORACLE, code])).await;
    let terms = format!("coin_usd = \"100\"\nrelayer_usd_per_hour = \"{per_hour}\"");
    let mut config = anvil.config("0").replace("coin_usd = \"1\"", &terms);
    if let Some((node, is_first)) = nodes {
        let mut nodes = [node.url(), anvil.url.clone()];
        if !is_first {
            nodes.reverse();
        }
        config = config.replace(&format!("rpc_urls = [\"{}\"]", anvil.url), &format!("rpc_urls = {nodes:?}"));
    }
    House { gateway: gateway_on(config).await, anvil }
}

/// What a chain takes for the data of a transaction is a part of its fee: beyond a tenth of the order it is not carried, whichever
/// node hides it, and below that it counts in the amount of the hour.
#[tokio::test(flavor = "multi_thread")]
async fn the_fee_for_data_counts_in_the_tenth_and_in_the_hour() {
    let (dear, fair) = (answers_always(6_000_000_000_000_000), answers_always(4_000_000_000_000_000));
    for is_first in [true, false] {
        let anvil = Anvil::start().await;
        let liar = FlakyNode::before(&anvil.url).await;
        // By this node's word there is no such contract, and nothing is taken.
        liar.takes_about(GAS_PRICE_ORACLE, NodeFault::Pretends(json!("0x")));
        let house = house_with_data_fee(&dear, "5", Some((&liar, is_first)), anvil).await;
        let (order, challenge) = house.order("5").await;
        let refused = house.pay(order, &house.payment(&challenge, 1).body()).await;
        let told = (&refused["message"], &refused["data"]["status"]);
        assert_eq!(told, (&json!("X402_PAYMENT_REJECTED"), &json!("pending")), "first: {is_first}: {refused}");
        assert!(refused["detail"].as_str().is_some_and(|told| told.contains("a tenth of the order")), "{refused}");
        assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 0, "nothing is signed");
        // A larger one is carried.
        let (order, challenge) = house.order("50").await;
        let paid = house.pay(order, &house.payment(&challenge, 2).body()).await;
        assert_eq!(paid["data"]["status"], "settled", "{paid}");
        house.gateway.assert_books().await;
    }
    // Forty cents of the fifty, and the gas beside them.
    let house = house_with_data_fee(&fair, "5", None, Anvil::start().await).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
    let fee = house.number("SELECT max(fee) FROM chain_payments").await;
    assert!((400_000_001..=500_000_000).contains(&fee), "{fee} nano-USD");
    house.ends_well(order, &payment).await;
    let house = house_with_data_fee(&fair, "0.4", None, Anvil::start().await).await;
    let (order, challenge) = house.order("5").await;
    let refused = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(refused["message"], "CHAIN_UNAVAILABLE", "{refused}");
    AlarmLog::of_this_test().rings("relayer_budget").await;
    assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 0, "nothing is signed");
    house.gateway.assert_books().await;
}

/// Where a chain takes a fee for data and no node tells it, nothing is signed.
#[tokio::test(flavor = "multi_thread")]
async fn a_fee_for_data_that_no_node_tells_is_not_paid() {
    // It reverts whatever it is asked.
    let house = house_with_data_fee("0x60006000fd", "5", None, Anvil::start().await).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let refused = house.pay(order, &payment).await;
    assert_eq!(refused["message"], "CHAIN_UNAVAILABLE", "{refused}");
    assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 0, "nothing is signed");
    house.anvil.ask("anvil_setCode", json!([GAS_PRICE_ORACLE, answers_always(1)])).await;
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
    house.ends_well(order, &payment).await;
}

/// A node that says that work is dear, or that our account has sent much, is held against the others.
#[tokio::test(flavor = "multi_thread")]
async fn what_one_node_says_of_tips_and_numbers_is_the_least_that_any_says() {
    for is_first in [true, false] {
        let anvil = Anvil::start().await;
        let node = FlakyNode::before(&anvil.url).await;
        let mut nodes = [node.url(), anvil.url.clone()];
        if !is_first {
            nodes.reverse();
        }
        let one = format!("rpc_urls = [\"{}\"]", anvil.url);
        let config = anvil.config("0").replace(&one, &format!("rpc_urls = {nodes:?}"));
        let house = House { gateway: gateway_on(config).await, anvil };
        let (order, challenge) = house.order("5").await;
        // A hundred gwei, and five hundred transactions.
        node.takes("eth_maxPriorityFeePerGas", NodeFault::Pretends(json!("0x174876e800")));
        node.takes("eth_getTransactionCount", NodeFault::Pretends(json!("0x1f4")));
        let payment = house.payment(&challenge, 1).body();
        let paid = house.pay(order, &payment).await;
        assert_eq!(paid["data"]["status"], "settled", "{paid}");
        let tip = house.number("SELECT max(fee_tip) FROM chain_sends").await;
        assert!(tip <= 2_000_000_000, "{tip} wei");
        assert_eq!(house.number("SELECT max(nonce) FROM chain_sends").await, 0);
        node.calm();
        house.ends_well(order, &payment).await;
    }
}
