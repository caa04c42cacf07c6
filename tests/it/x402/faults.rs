//! Nodes that fail, lose what they have answered, and lie; and a chain that takes back what it had shown.

use serde_json::{Value, json};
use tollgate_tests::chain::{Anvil, DEPLOYER, PAY_TO, account};
use tollgate_tests::fickle::{Fickle, Mood};
use tollgate_tests::wait::until;

use super::{House, gateway_on};

impl House {
    /// A house whose only node is a fickle one.
    async fn behind(depth: &str) -> (Self, Fickle) {
        let anvil = Anvil::start().await;
        let node = Fickle::before(&anvil.url).await;
        let gateway = gateway_on(anvil.config(depth).replace(&anvil.url, &node.url())).await;
        (Self { anvil, gateway }, node)
    }

    /// The order is paid, and credited once.
    async fn ends_well(&self, order: i64, payment: &Value) {
        self.balance_is("5").await;
        assert_eq!(self.received().await, 5_000_000);
        assert_eq!(self.pay(order, payment).await["message"], "ORDER_ALREADY_SETTLED");
        self.gateway.assert_books().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_loses_its_answer_has_sent_the_payment() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_sendRawTransaction", Mood::LosesTheAnswer);
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "settled", "the chain shows it: {paid}");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_node_says_to_a_transaction_is_no_evidence() {
    for words in ["already known", "nonce too low", "replacement transaction underpriced", "insufficient funds"] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        node.takes("eth_sendRawTransaction", Mood::SaysInstead(words));
        let paid = house.pay(order, &payment).await;
        assert_eq!(paid["data"]["status"], "settled", "{words}: {paid}");
        house.ends_well(order, &payment).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_a_node_swallows_is_sent_again() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_sendRawTransaction", Mood::Pretends(json!(format!("0x{}", "ab".repeat(32)))));
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.received().await, 0);
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_fails_leaves_the_order_as_it_was() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    for method in
        ["eth_getCode", "eth_call", "eth_estimateGas", "eth_getTransactionCount", "eth_maxPriorityFeePerGas", "*"]
    {
        node.takes(method, Mood::Fails);
        let refused = house.pay(order, &payment).await;
        assert_eq!(
            (refused["message"].as_str(), refused["data"]["status"].as_str()),
            (Some("CHAIN_UNAVAILABLE"), Some("pending")),
            "{method}"
        );
        node.calm();
    }
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled", "nothing of it was used up");
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_after_the_payment_was_sent_delays_its_credit() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    node.takes("*", Mood::Fails);
    house.anvil.mine(3).await;
    let again = house.pay(order, &payment).await;
    assert_eq!(again["message"], "X402_SETTLE_PENDING", "{again}");
    assert_eq!(house.balance().await, "0");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_hangs_keeps_no_payer_waiting_for_ever() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    node.takes("eth_estimateGas", Mood::Hangs);
    let refused = house.pay(order, &payment).await;
    assert_eq!(refused["message"], "CHAIN_UNAVAILABLE", "{refused}");
    node.calm();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
}

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
        ("nothing moved", json!({"logs": []})),
        ("another token moved", forged(&account(DEPLOYER).address, &five)),
        ("somebody else paid", forged("COIN", &five)),
    ] {
        let (house, node) = House::behind("0").await;
        let lie: Value = serde_json::from_str(&lie.to_string().replace("COIN", &house.anvil.coin)).expect("JSON");
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1).body();
        node.takes("eth_getTransactionReceipt", Mood::Lies(lie));
        let told = house.pay(order, &payment).await;
        assert_eq!(
            (told["success"].as_bool(), told["message"].as_str()),
            (Some(false), Some("X402_PAYMENT_REJECTED")),
            "{name}: {told}"
        );
        assert_eq!(house.balance().await, "0", "{name}");
        house.gateway.assert_books().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_keeps_a_fee_credits_nothing() {
    let mut anvil = Anvil::start().await;
    anvil.coin = anvil.deploy("Skimming", "").await;
    anvil.mint(&account(tollgate_tests::chain::PAYER).address, 1_000_000_000).await;
    let gateway = gateway_on(anvil.config("0")).await;
    let house = House { anvil, gateway };
    let (order, challenge) = house.order("5").await;
    let told = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(
        (told["success"].as_bool(), told["message"].as_str()),
        (Some(false), Some("X402_PAYMENT_REJECTED")),
        "{told}"
    );
    assert_eq!((house.balance().await.as_str(), house.received().await), ("0", 4_950_000));
    house.gateway.assert_books().await;
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
    until("the payment to be sent again", async || sent().await.then_some(())).await;
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
    assert_eq!(outcomes.iter().filter(|outcome| outcome["success"] == true).count(), 1, "{outcomes:?}");
    assert_eq!((house.balance().await.as_str(), house.received().await, house.waiting().await), ("5", 5_000_000, 1));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_another_accounts_order_is_no_payment_of_ours() {
    let house = House::open("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["success"], true);
    let accounts = &house.gateway.service().accounts;
    let other = accounts.create_account("other", "test").await.expect("an account").id;
    let key = tollgate_server::accounts::NewKey { account: other, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned();
    let made = tollgate_tests::client().post(house.gateway.url("/api/user/topup/x402/orders")).bearer_auth(&key);
    let made: Value = made.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
    let theirs = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let refused = house.pay(theirs, &payment).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
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
