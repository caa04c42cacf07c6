//! A chain that takes back what it had shown.

use serde_json::json;
use tollgate_base::Clock;
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{PAYER, STRANGER, account, word};
use tollgate_tests::flaky_node::NodeFault;
use tollgate_tests::wait::until_later;

use super::House;

/// Blocks under which one is final, as anvil says it.
pub(super) const FINAL_BLOCKS: u64 = 64 + 1;
/// Payments that a gateway still looks at.
const OPEN: &str = "SELECT count(*) FROM chain_payments WHERE closed = 0";
const TOLD: &str = "SELECT count(*) FROM audit_log WHERE action = 'topup.taken_back'";
const UNSEEN: &str = "SELECT count(*) FROM chain_payments WHERE seen_block IS NULL";

impl House {
    /// A gateway that is started over, and looks at once at what is open.
    async fn started_over(self, depth: &str) -> Self {
        self.started_over_at(depth, 0).await
    }

    /// The same, so many minutes later by its clock.
    async fn started_over_at(self, depth: &str, minutes: i64) -> Self {
        let Self { anvil, gateway } = self;
        let (clock, _) = Clock::manual(Clock::system().now_ms() + minutes * 60_000);
        let clock = if minutes == 0 { Clock::system() } else { clock };
        let gateway = gateway.again(&anvil.config(depth), clock).await;
        Self { anvil, gateway }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_takes_a_payment_back_gets_it_again() {
    let house = House::open("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    assert_eq!(house.received().await, 5_000_000);
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    assert_eq!((house.received().await, house.balance().await.as_str()), (0, "0"));
    let sent = async || house.anvil.ask("txpool_status", json!([])).await["pending"] != "0x0";
    until_later("the payment to be sent again", async || sent().await.then_some(())).await;
    house.anvil.mine(1).await;
    assert_eq!(
        (house.received().await, house.balance().await.as_str()),
        (5_000_000, "0"),
        "it does not lie deep enough"
    );
    house.anvil.mine_at_once(true).await;
    house.anvil.mine(3).await;
    house.ends_well(order, &payment).await;
}

/// A node that keeps what it has answered, or sits on a branch that nobody else follows, still shows the transaction in a block
/// that the chain has taken back, while the blocks after it grow in number.
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_of_a_block_that_was_taken_back_credits_nothing() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    let newest = house.anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
    let receipt = house.anvil.ask("eth_getTransactionReceipt", json!([newest["transactions"][0]])).await;
    assert_eq!(receipt["status"], "0x1", "{receipt}");
    node.takes("eth_getTransactionReceipt", NodeFault::Pretends(receipt));
    // What would be sent again goes nowhere.
    node.takes("eth_sendRawTransaction", NodeFault::Pretends(newest["transactions"][0].clone()));
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    house.anvil.forget_pending().await;
    house.anvil.mine(5).await;
    assert_eq!(house.received().await, 0, "it was taken back");
    let asked = node.asked("eth_getTransactionReceipt");
    until_later("several looks", async || (node.asked("eth_getTransactionReceipt") >= asked + 8).then_some(())).await;
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 0));
    house.anvil.mine_at_once(true).await;
    node.calm();
    until_later("the payment to be there again", async || (house.received().await == 5_000_000).then_some(())).await;
    house.anvil.mine(3).await;
    house.ends_well(order, &payment).await;
}

/// Deeper than a payment has to lie here: it is credited, and a person is told that it is gone. It comes again by itself, as what is
/// signed is sent on, which is told as well, and is left alone once its block is final.
#[tokio::test(flavor = "multi_thread")]
async fn a_credited_payment_that_is_taken_back_is_told_and_comes_again() {
    let house = House::open("1").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    house.anvil.mine(1).await;
    house.balance_is("5").await;
    assert_eq!((house.number(OPEN).await, house.number(UNSEEN).await), (1, 0), "it is looked at on");
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([2, []])).await;
    house.anvil.forget_pending().await;
    assert_eq!(house.received().await, 0);
    let house = house.started_over("1").await;
    let rung = AlarmLog::of_this_test().ring("chain_reorg", 1).await;
    assert_eq!((&rung[0]["order"], &rung[0]["amount"]), (&json!(order.to_string()), &json!("5000000")), "{rung:?}");
    assert!(
        rung[0]["message"].as_str().is_some_and(|told| told.contains("`tollgate payment chargeback ORDER`")),
        "{rung:?}"
    );
    assert_eq!((house.balance().await.as_str(), house.number(TOLD).await), ("5", 1), "nothing is taken from anybody");
    let sent = async || house.anvil.ask("txpool_status", json!([])).await["pending"] != "0x0";
    until_later("it to be sent again", async || sent().await.then_some(())).await;
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    assert_eq!(house.received().await, 5_000_000);
    let house = house.started_over("1").await;
    until_later("it to be seen again", async || (house.number(UNSEEN).await == 0).then_some(())).await;
    let rung = AlarmLog::of_this_test().ring("chain_reorg", 2).await;
    assert_eq!((&rung[1]["order"], &rung[1]["amount"]), (&json!(order.to_string()), &json!("5000000")), "{rung:?}");
    assert!(rung[1]["message"].as_str().is_some_and(|told| told.contains("is there again")), "{rung:?}");
    house.anvil.mine(FINAL_BLOCKS).await;
    let house = house.started_over("1").await;
    until_later("its end", async || (house.number(OPEN).await == 0).then_some(())).await;
    AlarmLog::of_this_test().ring("chain_reorg", 2).await;
    house.ends_well(order, &payment).await;
}

/// As long as its authorization is valid, somebody can carry a payment that no block has: it is watched on, longer than half an hour
/// after its credit, and is told when it is there again. Who has booked a chargeback by then would not know of it else.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_taken_back_is_watched_until_its_authorization_ends() {
    let house = House::open("1").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    house.anvil.mine(1).await;
    house.balance_is("5").await;
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([2, []])).await;
    house.anvil.forget_pending().await;
    let reorganised = || {
        let rung = AlarmLog::of_this_test().rung().into_iter();
        rung.filter(|rung| rung["alarm"] == "chain_reorg").collect::<Vec<_>>()
    };
    let house = house.started_over_at("1", 31).await;
    until_later("it to be missed", async || (reorganised().len() == 1).then_some(())).await;
    let sent = async || house.anvil.ask("txpool_status", json!([])).await["pending"] != "0x0";
    until_later("it to be sent again", async || sent().await.then_some(())).await;
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    assert_eq!(house.received().await, 5_000_000);
    let house = house.started_over_at("1", 32).await;
    until_later("it to be seen again", async || (reorganised().len() == 2).then_some(())).await;
    let rung = &reorganised()[1];
    assert_eq!(rung["order"], json!(order.to_string()), "{rung}");
    assert!(rung["message"].as_str().is_some_and(|told| told.contains("is there again")), "{rung}");
    until_later("its end", async || (house.number(OPEN).await == 0).then_some(())).await;
    house.gateway.assert_books().await;
}

/// One that no block has when its authorization has ended is looked for no more.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_taken_back_is_left_when_its_authorization_has_ended() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    assert_eq!(house.pay(order, &house.payment(&challenge, 1).body()).await["data"]["status"], "settled");
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    house.anvil.forget_pending().await;
    let house = house.started_over_at("0", 61).await;
    until_later("its end", async || (house.number(OPEN).await == 0).then_some(())).await;
    AlarmLog::of_this_test().rings("chain_reorg").await;
    house.gateway.assert_books().await;
}

/// Somebody else's transaction carries the payment on the branch that stays, and ours comes to nothing there: the money is here, and
/// nobody is told that it is not.
#[tokio::test(flavor = "multi_thread")]
async fn a_credited_payment_that_a_stranger_carries_the_second_time_is_let_be() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "settled");
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    house.anvil.call_first(STRANGER, &house.anvil.coin, &house.call(&payment)).await;
    let pending = async || house.anvil.ask("txpool_status", json!([])).await["pending"] == "0x2";
    until_later("both to be on their way", async || pending().await.then_some(())).await;
    house.anvil.mine(1).await;
    assert_eq!(house.received().await, 5_000_000);
    house.anvil.mine(FINAL_BLOCKS).await;
    house.anvil.mine_at_once(true).await;
    let house = house.started_over("0").await;
    until_later("its end", async || (house.number(OPEN).await == 0).then_some(())).await;
    assert_eq!(house.number(TOLD).await, 0);
    house.ends_well(order, &payment.body()).await;
}

/// The payer has used the time: what is sent again is in a block, and not carried out. That is told as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_credited_payment_that_comes_to_nothing_the_second_time_is_told() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    assert_eq!(house.pay(order, &house.payment(&challenge, 1).body()).await["data"]["status"], "settled");
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    let all = house.anvil.coins(&account(PAYER).address).await;
    let moves = format!("a9059cbb{}{all:064x}", word(&account(STRANGER).address));
    house.anvil.call_first(PAYER, &house.anvil.coin, &moves).await;
    let pending = async || house.anvil.ask("txpool_status", json!([])).await["pending"] == "0x2";
    until_later("both to be on their way", async || pending().await.then_some(())).await;
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    assert_eq!(house.received().await, 0);
    let house = house.started_over("0").await;
    AlarmLog::of_this_test().ring("chain_reorg", 1).await;
    assert_eq!((house.balance().await.as_str(), house.number(TOLD).await), ("5", 1));
    house.gateway.assert_books().await;
}
