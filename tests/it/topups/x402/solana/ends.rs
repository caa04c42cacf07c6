//! What else can become of a transaction on its way: no block takes it, the network does not carry it out, a node hides it, the
//! gateway ends.

use data_encoding::BASE64;
use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::gateway::{IN_FILE, Options};
use tollgate_tests::svm::{LAPSED_BLOCKS, NETWORK, Svm};
use tollgate_tests::wait::until_later;
use tollgate_tests::{AlarmLog, TestGateway, client};

use super::{House, told};

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_no_block_takes_leaves_an_order_that_can_be_paid() {
    let house = House::open("0").await;
    house.svm.set(json!({"deaf": true})).await;
    let (order, challenge) = house.order("5").await;
    let lost = house.svm.payment(&challenge, "official").await;
    let request = client().post(house.gateway.url(&format!("/api/x402/pay/{order}"))).json(&lost);
    let reply = request.send().await.expect("an answer");
    let response = BASE64.decode(reply.headers()["payment-response"].as_bytes()).expect("base64");
    let response: Value = serde_json::from_slice(&response).expect("JSON");
    assert_eq!(told(&reply.json().await.expect("JSON")), (true, "credit_pending"));
    // What carries it is known before anybody has seen it: 64 bytes in base58.
    let named = response["transaction"].as_str().expect("a text");
    assert_eq!(bs58::decode(named).into_vec().map(|bytes| bytes.len()), Ok(64), "{response}");
    assert_eq!(told(&house.pay(order, &lost).await), (false, "SETTLING_IN_PROGRESS"));
    // It could still come, in a block that is not final yet.
    house.svm.mine(LAPSED_BLOCKS - 30).await;
    assert_eq!(told(&house.pay(order, &lost).await), (false, "SETTLING_IN_PROGRESS"));
    house.svm.mine(30).await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    house.svm.set(json!({"deaf": false})).await;
    let reply = house.pay(order, &lost).await;
    assert_eq!(told(&reply), (false, "X402_PAYMENT_REJECTED"), "{reply}");
    let paid = house.pay(order, &house.svm.payment(&challenge, "official").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

/// What no block has taken has cost nothing: it leaves the amount of the hour to others when nothing can come of it any more.
#[tokio::test(flavor = "multi_thread")]
async fn the_fee_of_a_transaction_that_has_lapsed_is_given_back_to_the_amount_of_the_hour() {
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let svm = Svm::start();
    // A coin is worth a thousand dollars, so that one fee fits into an hour and two do not.
    let config =
        svm.config("0").replace("[chains.svm]", "[chains.svm]\ncoin_usd = \"1000\"\nrelayer_usd_per_hour = \"0.015\"");
    let config = format!("{config}\n{IN_FILE}");
    let options = Options { credit: "0", config: config.clone(), clock: clock.clone(), ..Options::default() };
    let house = House { gateway: TestGateway::with(options).await, svm };
    house.svm.set(json!({"deaf": true})).await;
    let ((first, one), (second, two)) = (house.order("5").await, house.order("5").await);
    let lost = house.svm.payment(&one, "official").await;
    assert_eq!(told(&house.pay(first, &lost).await), (true, "credit_pending"));
    let refused = house.pay(second, &house.svm.payment(&two, "official").await).await;
    assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "as much as may be spent is on its way: {refused}");
    house.svm.mine(LAPSED_BLOCKS).await;
    until_later("both orders to wait", async || (house.waiting().await == 2).then_some(())).await;
    house.svm.set(json!({"deaf": false})).await;
    let refused = house.pay(second, &house.svm.payment(&two, "official").await).await;
    assert_eq!(told(&refused), (false, "CHAIN_UNAVAILABLE"), "a node may have hidden it: {refused}");
    // More than ten minutes and as many blocks later it is closed, by whoever looks then.
    house.svm.mine(1600).await;
    hand.advance_ms(11 * 60_000);
    let House { svm, gateway } = house;
    let house = House { gateway: gateway.again(&config, clock).await, svm };
    let given_back = async || (house.payments_where("closed = 1 AND fee = 0").await == 1).then_some(());
    until_later("the fee to be given back", given_back).await;
    let (third, three) = house.order("5").await;
    let paid = house.pay(third, &house.svm.payment(&three, "official").await).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_who_spends_it_before_leaves_an_order_that_can_be_paid() {
    let house = House::open("0").await;
    house.svm.set(json!({"mineAtOnce": false})).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    house.svm.ask("test_send", json!([{"units": 999_999_000_000_u64}])).await;
    house.svm.mine(1).await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 0));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_a_node_hides_is_credited_when_it_shows() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.set(json!({"hidden": true})).await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    assert_eq!(house.received().await, 5_000_000, "it was carried out all the same");
    house.svm.mine(LAPSED_BLOCKS).await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    house.svm.set(json!({"hidden": false})).await;
    house.balance_is("5").await;
    let again = house.pay(order, &payment).await;
    assert_eq!(told(&again), (false, "ORDER_ALREADY_SETTLED"), "{again}");
    house.gateway.assert_books().await;
}

/// Whoever comes back after a quarter of an hour has looked once, and the node does not show it then.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_a_node_hides_for_long_is_credited_when_it_shows() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.set(json!({"hidden": true})).await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    house.svm.mine(LAPSED_BLOCKS + 1600).await;
    until_later("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    let asked = async || house.svm.asked("getFirstAvailableBlock").await;
    let before = asked().await;
    until_later("another look", async || (asked().await > before).then_some(())).await;
    house.svm.set(json!({"hidden": false})).await;
    house.balance_is("5").await;
    assert_eq!(house.received().await, 5_000_000);
    house.gateway.assert_books().await;
}

/// A node that keeps the blocks of some days alone does not say that something is not in an older one.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_has_forgotten_does_not_say_that_a_payment_never_came() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.set(json!({"hidden": true, "firstSlot": 100_000_000})).await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    house.svm.mine(LAPSED_BLOCKS + 1600).await;
    let asked = async || house.svm.asked("getFirstAvailableBlock").await;
    until_later("some looks", async || (asked().await >= 3).then_some(())).await;
    assert_eq!((house.waiting().await, house.balance().await.as_str()), (0, "0"), "nobody knows");
    let rung = AlarmLog::of_this_test().rings("history_pruned").await;
    assert_eq!((&rung["order"], &rung["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung}");
    house.svm.set(json!({"hidden": false})).await;
    house.balance_is("5").await;
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_ends_on_the_way_finds_the_transaction_again() {
    let house = House::open("0").await;
    house.svm.set(json!({"mineAtOnce": false})).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "credit_pending"));
    let House { svm, gateway } = house;
    let (config, before) = (svm.config("0"), gateway.address());
    let gateway = gateway.again(&config, Clock::system()).await;
    assert_ne!(gateway.address(), before, "it is another one");
    // Whatever the network had of it is gone too: the same bytes are sent again.
    svm.ask("test_forget", json!([])).await;
    svm.set(json!({"mineAtOnce": true})).await;
    let house = House { svm, gateway };
    house.balance_is("5").await;
    assert_eq!((house.received().await, house.svm.carried_out().await), (5_000_000, 1));
    house.gateway.assert_books().await;
}

/// The network lets a block go that was confirmed, and with it a payment that is credited; and has it again.
#[tokio::test(flavor = "multi_thread")]
async fn a_credited_transaction_that_is_taken_back_is_told() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    assert_eq!(told(&house.pay(order, &payment).await), (true, "settled"));
    house.svm.set(json!({"hidden": true})).await;
    house.svm.mine(LAPSED_BLOCKS).await;
    // Whoever starts looks at once.
    let House { svm, gateway } = house;
    let gateway = gateway.again(&svm.config("0"), Clock::system()).await;
    let house = House { svm, gateway };
    let rung = AlarmLog::of_this_test().ring("chain_reorg", 1).await;
    assert_eq!((&rung[0]["order"], &rung[0]["network"]), (&json!(order.to_string()), &json!(NETWORK)), "{rung:?}");
    assert_eq!(house.balance().await, "5", "nothing is taken from anybody");
    assert_eq!(told(&house.pay(order, &payment).await), (false, "ORDER_ALREADY_SETTLED"));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_network_that_does_not_answer_takes_no_payment_and_no_order() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.svm.payment(&challenge, "official").await;
    house.svm.set(json!({"down": true})).await;
    let reply = house.pay(order, &payment).await;
    assert_eq!(told(&reply), (false, "CHAIN_UNAVAILABLE"), "{reply}");
    let key = &house.gateway.key;
    let refused = house.post(key, "/api/user/topup/x402/orders", &json!({"amount_usd": 5})).await;
    assert_eq!(told(&refused), (false, "X402_CHAIN_UNAVAILABLE"), "{refused}");
    house.svm.set(json!({"down": false})).await;
    let paid = house.pay(order, &payment).await;
    assert_eq!(told(&paid), (true, "settled"), "{paid}");
    house.gateway.assert_books().await;
}
