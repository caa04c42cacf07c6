//! Receipts that do not show what was signed, whether a node makes them up or a token does so: nothing of it is credited.

use serde_json::{Value, json};
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{Anvil, DEPLOYER, PAY_TO, PAYER, account, word};
use tollgate_tests::flaky_node::NodeFault;

use super::{House, gateway_on};

impl House {
    /// A person was told of one payment, and is told what to do.
    pub(super) async fn set_aside_once(&self, order: i64) {
        let aside = "SELECT count(*) FROM payments WHERE state = 'surplus' AND receipt IS NOT NULL";
        let told = "SELECT count(*) FROM audit_log WHERE action = 'topup.surplus'";
        assert_eq!((self.number(aside).await, self.number(told).await), (1, 1));
        let rung = AlarmLog::of_this_test().ring("surplus", 1).await;
        assert_eq!((&rung[0]["order"], &rung[0]["amount"]), (&json!(order.to_string()), &json!("5000000")));
        assert!(rung[0]["message"].as_str().is_some_and(|told| told.contains("give it back")), "{rung:?}");
    }
}

/// A receipt in which the authorization of a number is used for a transfer of so much to somebody.
pub(super) fn told_of(coin: &str, number: u8, units: u64, to: &str) -> Value {
    let [used, moved] = ["AuthorizationUsed(address,bytes32)", "Transfer(address,address,uint256)"]
        .map(|event| json!(alloy::primitives::keccak256(event)));
    let payer = account(PAYER).address;
    let [payer, to] = [payer.as_str(), to].map(|address| format!("0x{}", word(address)));
    let (name, value) = (format!("0x{}", format!("{number:02x}").repeat(32)), format!("0x{units:064x}"));
    json!({"logs": [
        {"address": coin, "topics": [used, payer, name], "data": "0x", "removed": false, "logIndex": "0x0"},
        {"address": coin, "topics": [moved, payer, to], "data": value, "removed": false, "logIndex": "0x1"},
    ]})
}

// suite: 30s
#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_without_the_transfer_credits_nothing() {
    let forged = |address: &str, value: &str| {
        let topics = [
            "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef".to_owned(),
            format!("0x{:0>64}", "11"),
            format!("0x{:0>64}", account(PAY_TO).address.trim_start_matches("0x")),
        ];
        json!({"logs": [{"address": address, "topics": topics, "data": value, "removed": false}]})
    };
    let five = format!("0x{:064x}", 5_000_000);
    for (name, lie) in [
        ("less moved", told_of("COIN", 1, 4_950_000, &account(PAY_TO).address)),
        ("it went elsewhere", told_of("COIN", 1, 5_000_000, &account(DEPLOYER).address)),
        ("nothing moved", json!({"logs": []})),
        ("another token moved", forged(&account(DEPLOYER).address, &five)),
        ("somebody else paid", forged("COIN", &five)),
    ] {
        let (house, node) = House::behind("0").await;
        let lie: Value = serde_json::from_str(&lie.to_string().replace("COIN", &house.anvil.coin)).expect("JSON");
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        node.takes("eth_getTransactionReceipt", NodeFault::Lies(lie));
        let told = house.pay(order, &payment).await;
        assert_eq!(told["data"]["status"], "credit_pending", "it may be there: {name}: {told}");
        assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 0), "{name}");
        node.calm();
        house.ends_well(order, &payment).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_of_a_token_that_keeps_a_fee_is_left_to_a_person() {
    let mut anvil = Anvil::start().await;
    anvil.coin = anvil.deploy("Skimming", "").await;
    anvil.mint(&account(PAYER).address, 1_000_000_000).await;
    let gateway = gateway_on(anvil.config("0")).await;
    let house = House { anvil, gateway };
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let told = house.pay(order, &payment).await;
    assert_eq!(
        (told["success"].as_bool(), told["message"].as_str(), told["data"]["status"].as_str()),
        (Some(false), Some("X402_PAYMENT_SET_ASIDE"), Some("failed")),
        "nobody is to pay once more: {told}"
    );
    assert!(told["detail"].as_str().is_some_and(|told| told.contains("another amount")), "{told}");
    assert_eq!(house.pay(order, &payment).await["message"], "X402_PAYMENT_SET_ASIDE");
    assert_eq!((house.balance().await.as_str(), house.received().await, house.waiting().await), ("0", 4_950_000, 0));
    house.set_aside_once(order).await;
    // One that somebody else has carried is set aside as well.
    let (order, challenge) = house.order("5").await;
    let carried = house.payment(&challenge, 2);
    house.carried_by_a_stranger(&carried).await;
    assert_eq!(house.pay(order, &carried.body()).await["message"], "X402_PAYMENT_SET_ASIDE");
    assert_eq!(
        (house.number("SELECT count(*) FROM payments WHERE state = 'surplus'").await, house.waiting().await),
        (2, 0)
    );
    AlarmLog::of_this_test().ring("surplus", 2).await;
    house.gateway.assert_books().await;
}

/// The only node says in both places that an authorization was used up for nothing. It is believed, and a person is told where to
/// look: here it has made that up.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_used_up_for_nothing_is_told_to_a_person() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let mut used = told_of(&house.anvil.coin, 1, 0, &account(PAY_TO).address);
    used["logs"].as_array_mut().expect("a list").truncate(1);
    node.takes("eth_getTransactionReceipt", NodeFault::Lies(used));
    node.takes("eth_getLogs", NodeFault::Pretends(json!([])));
    let refused = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 1));
    let rung = AlarmLog::of_this_test().ring("surplus", 1).await;
    assert_eq!(rung[0]["order"], json!(order.to_string()));
    assert!(rung[0]["transaction"].as_str().is_some_and(|told| told.starts_with("0x")), "{rung:?}");
    house.gateway.assert_books().await;
}
