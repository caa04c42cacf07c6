//! What else can become of a payment on its way: others carry it, its payer takes it back, the gateway ends.

use serde_json::json;
use tollgate_api::generated::machines::topup_order::State;
use tollgate_base::{Clock, OrderId};
use tollgate_chains::evm::PaymentSignature;
use tollgate_tests::TestGateway;
use tollgate_tests::chain::{Anvil, STRANGER};
use tollgate_tests::gateway::Options;
use tollgate_tests::wait::until;

use super::{House, Payment};

impl House {
    /// A stranger carries a payment to the chain.
    pub(super) async fn carried_by_a_stranger(&self, payment: &Payment) {
        self.anvil.call(STRANGER, &self.anvil.coin, &self.call(payment)).await;
    }

    /// The call that carries a payment out, in hexadecimal digits.
    pub(super) fn call(&self, payment: &Payment) -> String {
        let signature = payment.signature.parse().map(PaymentSignature::Key).expect("a signature");
        data_encoding::HEXLOWER.encode(&payment.signed.call(&self.anvil.token(), &signature))
    }
}

/// Whoever sees our transaction on its way sends the same call before it: ours comes to nothing, and the money is there.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_a_stranger_carries_before_us_is_credited_once() {
    for depth in ["0", "3"] {
        let house = House::open(depth).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1);
        house.anvil.mine_at_once(false).await;
        let paid = house.pay(order, &payment.body()).await;
        assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
        house.anvil.call_first(STRANGER, &house.anvil.coin, &house.call(&payment)).await;
        house.anvil.mine(1).await;
        house.anvil.mine_at_once(true).await;
        let block = house.anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
        let mut done = Vec::new();
        for hash in block["transactions"].as_array().expect("a list") {
            done.push(house.anvil.ask("eth_getTransactionReceipt", json!([hash])).await["status"].clone());
        }
        assert_eq!(done, ["0x1", "0x0"], "theirs, and ours");
        house.anvil.mine(3).await;
        house.balance_is("5").await;
        assert_eq!(house.received().await, 5_000_000);
        assert_eq!(house.pay(order, &payment.body()).await["message"], "ORDER_ALREADY_SETTLED");
        house.gateway.assert_books().await;
    }
}

/// The time of an order is over while its payment is on its way: it is credited all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_on_its_way_outlives_its_order() {
    let anvil = Anvil::start().await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let options = Options { credit: "0", config: anvil.config("0"), clock, ..Options::default() };
    let house = House { gateway: TestGateway::with(options).await, anvil };
    let (order, challenge) = house.order("5").await;
    let (late, _) = house.order("5").await;
    house.anvil.mine_at_once(false).await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    hand.advance_ms(11 * 60 * 1000);
    let state = async |order| {
        let found = house.gateway.service().topups.order(OrderId(order)).await.expect("the store answers");
        found.expect("an order").state
    };
    until("the other order to expire", async || (state(late).await == State::Expired).then_some(())).await;
    assert_eq!(state(order).await, State::Settling);
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    house.balance_is("5").await;
    assert_eq!((state(order).await, house.received().await), (State::Success, 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_a_stranger_carries_is_credited_all_the_same() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    house.carried_by_a_stranger(&payment).await;
    let paid = house.pay(order, &payment.body()).await;
    assert_eq!((paid["success"].as_bool(), paid["data"]["status"].as_str()), (Some(true), Some("settled")), "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_paid_before_the_order_was_made_buys_nothing() {
    let house = House::open("0").await;
    let (_, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    house.carried_by_a_stranger(&payment).await;
    // So long before that no reorganisation explains it.
    house.anvil.mine(40).await;
    let (order, _) = house.order("5").await;
    let refused = house.pay(order, &payment.body()).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_ends_on_the_way_finds_the_payment_again() {
    let house = House::open("0").await;
    house.anvil.mine_at_once(false).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let again = house.pay(order, &payment).await;
    assert_eq!(again["message"], "SETTLING_IN_PROGRESS", "{again}");
    // Whatever the chain had of it is gone too.
    house.anvil.forget_pending().await;
    let House { anvil, gateway } = house;
    let gateway = gateway.again(&anvil.config("0"), Clock::system()).await;
    let house = House { anvil, gateway };
    house.anvil.mine_at_once(true).await;
    house.balance_is("5").await;
    assert_eq!(house.received().await, 5_000_000);
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payer_who_takes_it_back_leaves_an_order_that_can_be_paid() {
    let house = House::open("0").await;
    house.anvil.mine_at_once(false).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    let paid = house.pay(order, &payment.body()).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    house.anvil.cancel_first(&payment.signed.nonce).await;
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    until("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    let other = house.payment(&challenge, 2).body();
    let paid = house.pay(order, &other).await;
    assert_eq!(paid["success"], true, "{paid}");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("5", 5_000_000));
    house.gateway.assert_books().await;
}
