//! What else can become of a payment on its way: others carry it, its payer takes it back, the gateway ends.

use serde_json::json;
use tollgate_server::base::Clock;
use tollgate_server::chains::evm::PaymentSignature;
use tollgate_tests::chain::{STRANGER, account};
use tollgate_tests::wait::until;

use super::{House, Payment};

impl House {
    /// A stranger carries a payment to the chain.
    pub(super) async fn carried_by_a_stranger(&self, payment: &Payment) {
        let signature = payment.signature.parse().map(PaymentSignature::Key).expect("a signature");
        let data =
            format!("0x{}", data_encoding::HEXLOWER.encode(&payment.signed.call(&self.anvil.token(), &signature)));
        let call = json!({"from": account(STRANGER).address, "to": self.anvil.coin, "data": data, "gas": "0x7a120"});
        self.anvil.carry_out(call).await;
    }
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
    house.anvil.mine(1).await;
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
