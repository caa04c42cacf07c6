//! Nodes that fail, lose what they have answered, and lie; and a chain that takes back what it had shown.

use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tollgate_server::base::OrderId;
use tollgate_server::generated::machines::topup_order::State;
use tollgate_tests::chain::{Anvil, DEPLOYER, PAY_TO, PAYER, RELAYER, account, word};
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

    /// One number out of the ledger's file.
    pub(super) async fn number(&self, statement: &'static str) -> i64 {
        let options = SqliteConnectOptions::new().filename(self.gateway.ledger()).read_only(true);
        let mut ledger = options.connect().await.expect("a ledger");
        sqlx::query_scalar(statement).fetch_one(&mut ledger).await.expect("a number")
    }

    /// A person was told of one payment.
    pub(super) async fn set_aside_once(&self) {
        let aside = "SELECT count(*) FROM payments WHERE state = 'surplus' AND receipt IS NOT NULL";
        let told = "SELECT count(*) FROM audit_log WHERE action = 'topup.surplus'";
        assert_eq!((self.number(aside).await, self.number(told).await), (1, 1));
    }

    /// The order is paid, and credited once.
    pub(super) async fn ends_well(&self, order: i64, payment: &Value) {
        self.balance_is("5").await;
        assert_eq!(self.received().await, 5_000_000);
        assert_eq!(self.pay(order, payment).await["message"], "ORDER_ALREADY_SETTLED");
        self.gateway.assert_books().await;
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
        node.takes("eth_getTransactionReceipt", Mood::Lies(lie));
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
    house.set_aside_once().await;
    // One that somebody else has carried is set aside as well.
    let (order, challenge) = house.order("5").await;
    let carried = house.payment(&challenge, 2);
    house.carried_by_a_stranger(&carried).await;
    assert_eq!(house.pay(order, &carried.body()).await["message"], "X402_PAYMENT_SET_ASIDE");
    assert_eq!(
        (house.number("SELECT count(*) FROM payments WHERE state = 'surplus'").await, house.waiting().await),
        (2, 0)
    );
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
    node.takes("eth_getTransactionReceipt", Mood::Pretends(receipt));
    // What would be sent again goes nowhere.
    node.takes("eth_sendRawTransaction", Mood::Pretends(newest["transactions"][0].clone()));
    house.anvil.mine_at_once(false).await;
    house.anvil.ask("anvil_reorg", json!([1, []])).await;
    house.anvil.forget_pending().await;
    house.anvil.mine(5).await;
    assert_eq!(house.received().await, 0, "it was taken back");
    let asked = node.asked("eth_getTransactionReceipt");
    until("several looks", async || (node.asked("eth_getTransactionReceipt") >= asked + 8).then_some(())).await;
    assert_eq!((house.balance().await.as_str(), house.waiting().await), ("0", 0));
    house.anvil.mine_at_once(true).await;
    node.calm();
    until("the payment to be there again", async || (house.received().await == 5_000_000).then_some(())).await;
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
    assert_one_order_paid(&outcomes);
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

/// The newest block of a chain.
pub(super) async fn head(anvil: &Anvil) -> u64 {
    let number = anvil.ask("eth_blockNumber", json!([])).await;
    u64::from_str_radix(&number.as_str().expect("a number")[2..], 16).expect("a number")
}

/// Lets two hours go by on a chain, and as many blocks come as make that final.
pub(super) async fn age(anvil: &Anvil) {
    anvil.ask("evm_increaseTime", json!([7200])).await;
    anvil.mine(10).await;
}

/// Behind one address may be several nodes, some of which have not got what the others have. That something never came is
/// believed of none that cannot know.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_behind_does_not_say_that_a_payment_never_came() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let before = head(&house.anvil).await;
    for method in ["eth_getTransactionReceipt", "eth_call", "eth_getLogs"] {
        node.takes(method, Mood::Lags(before));
    }
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.received().await, 5_000_000, "it is there");
    age(&house.anvil).await;
    // Its time is over, and it is looked for again and again.
    let asked = node.asked("eth_call");
    until("several looks", async || (node.asked("eth_call") >= asked + 6).then_some(())).await;
    assert_eq!((house.waiting().await, house.balance().await.as_str()), (0, "0"), "nobody says that it did not come");
    node.calm();
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_never_came_is_given_up_when_its_time_is_over() {
    let (house, node) = House::behind("3").await;
    let (order, challenge) = house.order("5").await;
    node.takes("eth_sendRawTransaction", Mood::Pretends(json!(format!("0x{}", "ab".repeat(32)))));
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    assert_eq!(house.waiting().await, 0);
    age(&house.anvil).await;
    until("the order to wait again", async || (house.waiting().await == 1).then_some(())).await;
    assert_eq!((house.received().await, house.balance().await.as_str()), (0, "0"));
    house.gateway.assert_books().await;
}

/// Each of ten payments has questions to which no node ever answers: the eleventh is credited as if they were not there.
#[tokio::test(flavor = "multi_thread")]
async fn payments_whose_questions_hang_keep_no_other_waiting() {
    let anvil = Anvil::start().await;
    let node = Fickle::before(&anvil.url).await;
    let config = anvil.config("3").replace(&anvil.url, &node.url()).replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_on(config).await, anvil };
    for number in 1..=11 {
        let (order, challenge) = house.order("1").await;
        let paid = house.pay(order, &house.payment(&challenge, number).body()).await;
        assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
        let newest = house.anvil.ask("eth_getBlockByNumber", json!(["latest", false])).await;
        let hash = newest["transactions"][0].as_str().expect("it made a block").to_owned();
        if number <= 10 {
            node.takes_about(&hash, Mood::Hangs);
        }
    }
    house.anvil.mine(3).await;
    house.balance_is("1").await;
    node.calm();
    house.balance_is("11").await;
    assert_eq!(house.received().await, 11_000_000);
    house.gateway.assert_books().await;
}

/// Somebody else has carried a payment, and of the nodes behind an address one has the newest state and another not what led to it.
/// To refuse it is to have its payer pay twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_whose_use_a_node_does_not_show_is_not_refused() {
    let (house, node) = House::behind("0").await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1);
    let before = head(&house.anvil).await;
    house.carried_by_a_stranger(&payment).await;
    for mood in [Mood::Lags(before), Mood::Pretends(json!([]))] {
        node.takes("eth_getLogs", mood);
        let refused = house.pay(order, &payment.body()).await;
        assert_eq!(
            (refused["message"].as_str(), refused["data"]["status"].as_str()),
            (Some("CHAIN_UNAVAILABLE"), Some("pending")),
            "{refused}"
        );
    }
    node.calm();
    assert_eq!(house.pay(order, &payment.body()).await["data"]["status"], "settled");
    house.ends_well(order, &payment.body()).await;
    // The same for another order is refused, whatever a node shows: it is known here.
    let (other, _) = house.order("5").await;
    node.takes("eth_getLogs", Mood::Pretends(json!([])));
    node.takes("eth_call", Mood::Pretends(json!(format!("0x{:064x}", 1))));
    assert_eq!(house.pay(other, &payment.body()).await["message"], "X402_PAYMENT_REJECTED");
    node.takes("eth_getLogs", Mood::Fails);
    let refused = house.pay(other, &payment.body()).await;
    assert_eq!(refused["message"], "X402_PAYMENT_REJECTED", "{refused}");
}

/// Many providers look through some blocks at once alone, and what is looked for may lie far back: it is found, if need be by
/// several looks.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_is_found_however_few_blocks_a_node_looks_through() {
    for (blocks, bound) in [(5_000, 300), (5_000, 10), (50, 1)] {
        let (house, node) = House::behind("0").await;
        let (order, challenge) = house.order("5").await;
        let payment = house.payment(&challenge, 1);
        house.anvil.mine(blocks).await;
        house.carried_by_a_stranger(&payment).await;
        node.takes("eth_getLogs", Mood::Bounds(bound));
        let mut told: Vec<Value> = Vec::new();
        while told.len() < 10 && told.last().is_none_or(|told| told["success"] == false) {
            told.push(house.pay(order, &payment.body()).await);
        }
        let (paid, before) = told.split_last().expect("it was tried");
        let status = paid["data"]["status"].as_str().unwrap_or_default();
        assert!(["settled", "credit_pending"].contains(&status), "{bound}: {paid}");
        assert!(before.iter().all(|told| told["message"] == "CHAIN_UNAVAILABLE"), "{bound}: {before:?}");
        assert_eq!(before.is_empty(), bound != 10, "{bound}: {before:?}");
        house.ends_well(order, &payment.body()).await;
    }
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
        until("it to be given up", async || {
            let order = house.gateway.service().topups.order(OrderId(order)).await.expect("the store answers");
            (order.expect("an order").state != State::Settling).then_some(())
        })
        .await;
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
    let accounts = &house.gateway.service().accounts;
    let other = accounts.create_account("other", "test").await.expect("an account").id;
    let key = tollgate_server::accounts::NewKey { account: other, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned();
    let made = tollgate_tests::client().post(house.gateway.url("/api/user/topup/x402/orders")).bearer_auth(&key);
    let made: Value = made.json(&json!({"amount_usd": 5})).send().await.expect("an answer").json().await.expect("JSON");
    let theirs = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
    let paid = house.pay(theirs, &house.payment(&made["data"]["challenge"], 12).body()).await;
    assert_eq!(paid["success"], true, "{paid}");
    house.gateway.assert_books().await;
}
