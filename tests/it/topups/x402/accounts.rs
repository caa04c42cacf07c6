//! Several orders and several accounts: a payment is of one of them, and none has more on its way than it may.

use serde_json::{Value, json};
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{Clock, OrderId};
use tollgate_chains::evm::TransferAuthorization;
use tollgate_tests::chain::{Anvil, RELAYER, account};
use tollgate_tests::wait::until;

use super::{House, gateway_on};

#[tokio::test(flavor = "multi_thread")]
async fn one_payment_for_two_orders_at_once_pays_one() {
    let house = House::open("0").await;
    let (first, challenge) = house.order("5").await;
    let (second, _) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let outcomes = futures_util::future::join_all((0..10).map(|turn| {
        let order = if turn % 2 == 0 { first } else { second };
        house.pay(order, &payment)
    }));
    let outcomes = outcomes.await;
    assert_one_order_paid(&outcomes);
    assert_eq!((house.balance().await.as_str(), house.received().await, house.waiting().await), ("5", 5_000_000, 1));
    house.gateway.assert_books().await;
}

/// Of one payment for two orders by turns, one was taken; the others were told what became of it, or that it is the other order's.
pub(super) fn assert_one_order_paid(outcomes: &[Value]) {
    let taken: Vec<usize> =
        outcomes.iter().enumerate().filter(|(_, outcome)| outcome["success"] == true).map(|(turn, _)| turn).collect();
    let [taken] = taken[..] else { panic!("{outcomes:?}") };
    for (turn, refused) in outcomes.iter().enumerate().filter(|(turn, _)| *turn != taken) {
        let expected: &[&str] = match turn % 2 == taken % 2 {
            true => &["SETTLING_IN_PROGRESS", "X402_SETTLE_PENDING", "ORDER_ALREADY_SETTLED"],
            false => &["X402_PAYMENT_REJECTED"],
        };
        let code = refused["message"].as_str().unwrap_or_default();
        assert!(expected.contains(&code), "{turn}, and {taken} was taken: {refused}");
        assert!(turn % 2 == taken % 2 || refused["data"]["status"] == "pending", "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_another_accounts_order_is_no_payment_of_ours() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["success"], true);
    let key = house.gateway.key_of("other").await;
    let made = tollgate_tests::client().post(house.gateway.url("/api/user/topup/x402/orders")).bearer_auth(&key);
    let made: Value = made.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
    let theirs = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let refused = house.pay(theirs, &payment).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
    let detail = refused["detail"].as_str().expect("words");
    assert!(detail.contains("for another order") && !detail.contains(&order.to_string()), "{detail}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_ten_orders_at_once_three_are_made() {
    let house = House::open("0").await;
    let made = futures_util::future::join_all(
        (0..10).map(|_| house.post("/api/user/topup/x402/orders", r#"{"amount_usd":5}"#.to_owned())),
    );
    let made = made.await;
    assert_eq!(made.iter().filter(|made| made["success"] == true).count(), 3, "{made:?}");
    for refused in made.iter().filter(|made| made["success"] != true) {
        assert_eq!(refused["message"], "X402_PENDING_CAP", "{refused}");
    }
    assert_eq!(house.waiting().await, 3);
}

/// Somebody signs, and takes it back before a block has it: each time the service pays for a transaction that comes to nothing.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_us_pay_for_nothing_is_stopped() {
    let anvil = Anvil::start().await;
    let gateway = gateway_on(anvil.config("0").replace("wait_seconds = 5", "wait_seconds = 0")).await;
    let house = House { anvil, gateway };
    let sent = async || house.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
    let mut last = None;
    for number in 1..=10 {
        // After three of them an order has failed.
        let (order, challenge) = match last.take() {
            Some(last) if number % 3 != 1 => last,
            _ => house.order("5").await,
        };
        house.anvil.mine_at_once(false).await;
        let payment = house.payment(&challenge, number);
        let paid = house.pay(order, &payment.body()).await;
        assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
        house.anvil.cancel_first(&payment.signed.nonce).await;
        house.anvil.mine(1).await;
        house.anvil.mine_at_once(true).await;
        given_up(&house, order).await;
        last = Some((order, challenge));
    }
    assert_eq!(sent().await, json!("0xa"));
    let (order, challenge) = last.expect("an order");
    let refused = house.pay(order, &house.payment(&challenge, 11).body()).await;
    assert_eq!(refused["message"], "RATE_LIMITED", "{refused}");
    assert!(refused["detail"].as_str().is_some_and(|told| told.contains("came to nothing")), "{refused}");
    assert_eq!((sent().await, house.waiting().await), (json!("0xa"), 1), "nothing was sent, and the order waits");
    // Of a payment that somebody else has carried the money is there: it costs us nothing.
    let carried = house.payment(&challenge, 13);
    house.carried_by_a_stranger(&carried).await;
    let paid = house.pay(order, &carried.body()).await;
    assert_eq!(paid["success"], true, "{paid}");
    house.balance_is("5").await;
    assert_eq!(sent().await, json!("0xa"), "by nothing of ours");
    // Another account has its own.
    let key = house.gateway.key_of("other").await;
    let made = tollgate_tests::client().post(house.gateway.url("/api/user/topup/x402/orders")).bearer_auth(&key);
    let made: Value = made.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
    let theirs = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let paid = house.pay(theirs, &house.payment(&made["data"]["challenge"], 12).body()).await;
    assert_eq!(paid["success"], true, "{paid}");
    house.gateway.assert_books().await;
}

/// The chain takes no transaction for hours, again and again: each payment comes too late and is refused by a block, and whoever
/// signed it is not stopped for that.
#[tokio::test(flavor = "multi_thread")]
async fn an_outage_of_the_chain_stops_nobody() {
    let anvil = Anvil::start().await;
    let gateway = gateway_on(anvil.config("0").replace("wait_seconds = 5", "wait_seconds = 0")).await;
    let house = House { anvil, gateway };
    let began = Clock::system().now_ms() / 1000;
    let good_for_an_hour = |challenge: &Value, number: u8| {
        let good = house.payment(challenge, number);
        let ends = began + 7200 * i64::from(number) + 3600;
        let signed = TransferAuthorization { valid_before: ends.to_string().parse().expect("a number"), ..good.signed };
        house.signed(good.accepted.clone(), signed)
    };
    let mut last = None;
    for number in 0..10 {
        // After three of them an order has failed.
        let (order, challenge) = match last.take() {
            Some(last) if number % 3 != 0 => last,
            _ => house.order("5").await,
        };
        house.anvil.mine_at_once(false).await;
        let paid = house.pay(order, &good_for_an_hour(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
        house.anvil.age().await;
        house.anvil.mine_at_once(true).await;
        given_up(&house, order).await;
        last = Some((order, challenge));
    }
    let sent = house.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
    assert_eq!((sent, house.balance().await.as_str()), (json!("0xa"), "0"), "each cost a fee");
    let (order, challenge) = last.expect("an order");
    let paid = house.pay(order, &good_for_an_hour(&challenge, 10).body()).await;
    assert_eq!(paid["success"], true, "{paid}");
    house.balance_is("5").await;
    house.gateway.assert_books().await;
}

async fn given_up(house: &House, order: i64) {
    until("it to be given up", async || {
        let order = house.gateway.service().topups.order(OrderId(order)).await.expect("the store answers");
        (order.expect("an order").state != State::Settling).then_some(())
    })
    .await;
}
