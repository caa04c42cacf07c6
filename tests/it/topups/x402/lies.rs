//! A node that lies about heads, prices, work and authorizations beside an honest one, first and last in the list: nothing is
//! credited that is not there or not deep enough, nobody is told that a payment has failed which has not, and no lie costs more
//! than the fee of one transaction.

use futures_util::future::join_all;
use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::chain::{Anvil, STRANGER};
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::wait::until_later;

use super::House;
use super::reorgs::FINAL_BLOCKS;

/// How a question for the state of an authorization begins: the selector of `authorizationState`.
const STATE: &str = "e94a0102";
/// Looks after which a node would have been believed.
const LOOKS: usize = 3;

/// A house whose first or last node lies as it is told to.
struct BesideLiar {
    house: House,
    liar: FlakyNode,
    honest: FlakyNode,
    is_first: bool,
}

impl BesideLiar {
    async fn open(depth: &str, is_first: bool) -> Self {
        let anvil = Anvil::start().await;
        let (liar, honest) = (FlakyNode::before(&anvil.url).await, FlakyNode::before(&anvil.url).await);
        let mut nodes = [liar.url(), honest.url()];
        if !is_first {
            nodes.reverse();
        }
        let house = House::on(anvil, depth, &nodes, "500", Clock::system()).await;
        Self { house, liar, honest, is_first }
    }

    /// Several looks go by, and nothing is credited or given up.
    async fn waits(&self) {
        let first = if self.is_first { &self.liar } else { &self.honest };
        let asked = first.asked("eth_getTransactionReceipt");
        let looks = async || (first.asked("eth_getTransactionReceipt") >= asked + LOOKS).then_some(());
        until_later("several looks", looks).await;
        assert_eq!((self.house.balance().await.as_str(), self.house.waiting().await), ("0", 0));
    }

    /// The state of each authorization is this, as the liar says.
    fn says_of_authorizations(&self, is_used: bool) {
        self.liar.takes_about(STATE, NodeFault::Pretends(json!(format!("0x{:064x}", u8::from(is_used)))));
    }
}

/// The state of an order, or the code of a refusal.
fn told(reply: &Value) -> &str {
    let told = if reply["success"] == true { &reply["data"]["status"] } else { &reply["message"] };
    told.as_str().unwrap_or_default()
}

/// How deep a payment lies is what each node says of its own chain: one whose newest, safe or final block is far ahead credits
/// nothing early, and one that is far behind only delays the credit.
// suite: waiting 40s
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lies_about_its_heads_credits_nothing_early() {
    for (depth, head) in [("12", "\"latest\""), ("\"safe\"", "\"safe\""), ("\"finalized\"", "\"finalized\"")] {
        let lies = [(true, true), (true, false), (false, true), (false, false)];
        join_all(lies.map(|(is_first, is_ahead)| credits_nothing_early(depth, head, is_first, is_ahead))).await;
    }
}

async fn credits_nothing_early(depth: &str, head: &str, is_first: bool, is_ahead: bool) {
    let beside = BesideLiar::open(depth, is_first).await;
    let (house, liar) = (&beside.house, &beside.liar);
    let (order, challenge) = house.order("5").await;
    // A block that would have the payment, which comes into the next one, as deep as that.
    let number = if is_ahead { house.anvil.head().await + 13 } else { 0 };
    liar.takes_about(head, NodeFault::Lies(json!({"number": format!("{number:#x}")})));
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(told(&paid), "credit_pending", "{depth}, first: {is_first}, ahead: {is_ahead}: {paid}");
    if !is_ahead {
        house.anvil.mine(FINAL_BLOCKS).await;
    }
    beside.waits().await;
    liar.calm();
    if is_ahead {
        house.anvil.mine(FINAL_BLOCKS).await;
    }
    house.ends_well(order, &payment).await;
}

/// A node that is far ahead when an order is made, and the first to answer: what pays the order is looked for where the honest one has
/// it.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_far_ahead_when_an_order_is_made_hides_nothing() {
    for is_first in [true, false] {
        let beside = BesideLiar::open("0", is_first).await;
        let (house, liar) = (&beside.house, &beside.liar);
        liar.takes_about("\"latest\"", NodeFault::Lies(json!({"number": "0xf4240"})));
        beside.honest.takes("eth_getBlockByNumber", NodeFault::Delays(100));
        let (order, challenge) = house.order("5").await;
        liar.calm();
        beside.honest.calm();
        let payment = house.payment(&challenge, 1);
        house.carried_by_a_stranger(&payment).await;
        let paid = house.pay(order, &payment.body()).await;
        assert_eq!(told(&paid), "settled", "first: {is_first}: {paid}");
        house.ends_well(order, &payment.body()).await;
    }
}

/// A first node hides that a payment was carried out, by us or by somebody else before us, and says that our number is used: no further
/// number is signed for it, each of which would cost its fee.
// suite: waiting 30s
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_hides_a_payment_has_no_further_number_signed() {
    for is_by_us in [true, false] {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let anvil = Anvil::start().await;
        let liar = FlakyNode::before(&anvil.url).await;
        let nodes = [liar.url(), anvil.url.clone()];
        let house = House::on(anvil, "0", &nodes, "500", clock).await;
        let (order, challenge) = house.order("5").await;
        liar.takes("eth_getTransactionReceipt", NodeFault::Pretends(Value::Null));
        liar.takes("eth_getLogs", NodeFault::Pretends(json!([])));
        liar.takes("eth_getTransactionCount", NodeFault::Pretends(json!("0x1")));
        liar.takes_about(STATE, NodeFault::Pretends(json!(format!("0x{:064x}", 0))));
        house.anvil.mine_at_once(false).await;
        let payment = house.payment(&challenge, 1);
        let paid = house.pay(order, &payment.body()).await;
        assert_eq!(told(&paid), "credit_pending", "{paid}");
        if !is_by_us {
            house.anvil.call_first(STRANGER, &house.anvil.coin, &house.call(&payment)).await;
        }
        house.anvil.mine(1).await;
        house.anvil.mine_at_once(true).await;
        assert_eq!(house.received().await, 5_000_000, "it is there");
        for _ in 0..3 {
            hand.advance_ms(31_000);
            let asked = liar.asked("eth_getTransactionReceipt");
            let looks = async || (liar.asked("eth_getTransactionReceipt") >= asked + LOOKS).then_some(());
            until_later("several looks", looks).await;
        }
        assert_eq!(house.number("SELECT count(*) FROM chain_sends").await, 1, "by us: {is_by_us}");
        assert_eq!(house.balance().await, "0");
        liar.calm();
        house.ends_well(order, &payment.body()).await;
    }
}

/// A node that is asked first may have an order refused, which waits for the next try, and no more. What the last one says of this
/// nobody asks.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_lies_before_a_payment_is_sent_costs_a_try() {
    let block = |fee: &str| NodeFault::Lies(json!({"baseFeePerGas": fee}));
    let gas = |units: u64| NodeFault::Pretends(json!(format!("{units:#x}")));
    let (blocks, work) = ("eth_getBlockByNumber", "eth_estimateGas");
    for (what, method, lie, when_first) in [
        ("a base fee of a million gwei", blocks, block("0x38d7ea4c68000"), "X402_PAYMENT_REJECTED"),
        ("no base fee", blocks, block("0x0"), "settled"),
        ("more work than is paid for", work, gas(10_000_000), "X402_PAYMENT_REJECTED"),
        ("less work than it is", work, gas(21_000), "X402_PAYMENT_REJECTED"),
    ] {
        for is_first in [true, false] {
            let beside = BesideLiar::open("0", is_first).await;
            let (house, liar) = (&beside.house, &beside.liar);
            let (order, challenge) = house.order("5").await;
            liar.takes(method, lie.clone());
            let payment = house.payment(&challenge, 1).body();
            let paid = house.pay(order, &payment).await;
            let expected = if is_first { when_first } else { "settled" };
            assert_eq!(told(&paid), expected, "{what}, first: {is_first}: {paid}");
            liar.calm();
            if told(&paid) == "settled" {
                house.ends_well(order, &payment).await;
                continue;
            }
            assert_eq!((house.balance().await.as_str(), house.received().await, house.waiting().await), ("0", 0, 1));
            // One that was sent and not carried out may not be sent again.
            let sent = house.number("SELECT count(*) FROM chain_sends").await;
            assert!(sent <= 1, "{what}: {sent} transactions");
            let payment = if sent == 0 { payment } else { house.payment(&challenge, 2).body() };
            assert_eq!(told(&house.pay(order, &payment).await), "settled", "{what}");
            house.ends_well(order, &payment).await;
        }
    }
}

/// A node says of an authorization that it is used up, before it is sent and after: nothing is given up, and nothing is credited.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_says_that_an_authorization_is_used_up_ends_no_payment() {
    for is_first in [true, false] {
        let beside = BesideLiar::open("0", is_first).await;
        let (house, liar) = (&beside.house, &beside.liar);
        house.anvil.mine_at_once(false).await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        if is_first {
            beside.says_of_authorizations(true);
            let refused = house.pay(order, &payment).await;
            assert_eq!(told(&refused), "X402_PAYMENT_REJECTED", "{refused}");
            assert_eq!((house.waiting().await, house.number("SELECT count(*) FROM chain_sends").await), (1, 0));
            liar.calm();
        }
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), "credit_pending", "{paid}");
        beside.says_of_authorizations(true);
        beside.waits().await;
        liar.calm();
        house.anvil.mine(1).await;
        house.anvil.mine_at_once(true).await;
        house.ends_well(order, &payment).await;
    }
}

/// A node hides a payment that came, until its time is long over: the other node contradicts, so it has not failed.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_hides_a_payment_does_not_end_it() {
    for is_first in [true, false] {
        let beside = BesideLiar::open("0", is_first).await;
        let (house, liar) = (&beside.house, &beside.liar);
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        liar.takes("eth_getTransactionReceipt", NodeFault::Pretends(Value::Null));
        liar.takes("eth_getLogs", NodeFault::Pretends(json!([])));
        beside.says_of_authorizations(false);
        let paid = house.pay(order, &payment).await;
        assert_eq!(told(&paid), "credit_pending", "{paid}");
        assert_eq!(house.received().await, 5_000_000, "it is there");
        house.anvil.age().await;
        beside.waits().await;
        liar.calm();
        house.ends_well(order, &payment).await;
    }
}
