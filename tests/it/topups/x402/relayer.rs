//! Our own account on a chain: where it cannot pay, or where what it has signed does not go on, nothing is lost, and an operator
//! is told what to do.

use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tollgate_base::Clock;
use tollgate_chains::evm::TransferAuthorization;
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{Anvil, NETWORK, PAYER, RELAYER, STRANGER, account};
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::wait::until;
use tollgate_topup::x402::{NumberReset, NumberResetRefused, NumberResetRequest};

use super::{House, gateway_at, gateway_on};

/// Ten whole coins of the chain, in wei.
const PLENTY: &str = "0x8ac7230489e80000";
/// After which what is in no block is looked at.
const STUCK_MS: i64 = 31_000;

impl House {
    /// What our account has, in wei.
    async fn relayer_has(&self, wei: &str) {
        self.anvil.ask("anvil_setBalance", json!([account(RELAYER).address, wei])).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_account_takes_no_payment_and_rings() {
    let anvil = Anvil::start().await;
    anvil.ask("anvil_setBalance", json!([account(RELAYER).address, "0x1"])).await;
    let house = House { gateway: gateway_on(anvil.config("0")).await, anvil };
    let bells = AlarmLog::of_this_test();
    let rung = bells.ring("relayer", 1).await;
    assert_eq!(rung[0]["chain"], "anvil", "at the start: {rung:?}");
    assert!(rung[0]["error"].as_str().is_some_and(|told| told.contains("has 1 wei")), "{rung:?}");
    let body = r#"{"amount_usd":5}"#.to_owned();
    let refused = house.post("/api/user/topup/x402/orders", body.clone()).await;
    assert_eq!(refused["message"], "X402_CHAIN_UNAVAILABLE", "{refused}");
    // It is given more, and nobody has to start anything.
    house.relayer_has(PLENTY).await;
    let made = until("an order", async || {
        let made = house.post("/api/user/topup/x402/orders", body.clone()).await;
        (made["success"] == true).then_some(made)
    })
    .await;
    let (order, challenge) = (made["data"]["order_id"].as_i64().expect("a number"), &made["data"]["challenge"]);
    let payment = house.payment(challenge, 1).body();
    house.relayer_has("0x1").await;
    let refused = house.pay(order, &payment).await;
    assert_eq!((&refused["message"], &refused["data"]["status"]), (&json!("CHAIN_UNAVAILABLE"), &json!("pending")));
    let rung = bells.ring("relayer", 2).await;
    assert_eq!((&rung[1]["network"], &rung[1]["balance_wei"]), (&json!(NETWORK), &json!("1")), "{rung:?}");
    house.relayer_has(PLENTY).await;
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
    house.ends_well(order, &payment).await;
}

/// A ledger that knows of numbers which were never used, as one that was put back together by hand: the chain waits for them.
#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_is_missing_rings_until_somebody_uses_it() {
    let anvil = Anvil::start().await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let config = anvil.config("0").replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_at(config, clock).await, anvil };
    let relayer = account(RELAYER).address;
    let mut ledger = SqliteConnectOptions::new().filename(house.gateway.ledger()).connect().await.expect("a ledger");
    let given =
        format!("INSERT INTO chain_relayers (network, relayer, next_nonce) VALUES ('{NETWORK}', '{relayer}', 2)");
    sqlx::raw_sql(AssertSqlSafe(given)).execute(&mut ledger).await.expect("it is written");
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    hand.advance_ms(STUCK_MS);
    let rung = AlarmLog::of_this_test().ring("relayer", 1).await;
    assert_eq!((rung[0]["missing"].as_u64(), rung[0]["nonce"].as_u64()), (Some(0), Some(2)), "{rung:?}");
    // As it says: any transaction of that number.
    for _ in 0..2 {
        house.anvil.carry_out(json!({"from": relayer, "to": account(PAYER).address, "value": "0x1"})).await;
    }
    house.ends_well(order, &payment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_not_taken_for_the_most_that_may_be_paid_rings() {
    let anvil = Anvil::start().await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let config = anvil.config("0").replace("[chains.anvil]", "[chains.anvil]\nfee_gwei_max = 4");
    let house = House { gateway: gateway_at(config, clock).await, anvil };
    house.anvil.mine_at_once(false).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    let paid = house.pay(order, &payment).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    // It is raised step by step, up to the most.
    let bells = AlarmLog::of_this_test();
    let signed = async || house.number("SELECT count(*) FROM chain_sends").await;
    while bells.rung().is_empty() {
        let before = signed().await;
        hand.advance_ms(STUCK_MS);
        let more = async || (signed().await > before || !bells.rung().is_empty()).then_some(());
        until("one that pays more, or the alarm", more).await;
    }
    let rung = bells.ring("relayer", 1).await;
    assert_eq!((rung[0]["nonce"].as_u64(), &rung[0]["fee_wei"]), (Some(0), &json!("4000000000")), "{rung:?}");
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    house.ends_well(order, &payment).await;
}

/// A node says that no tip is usual, so that no block takes what is signed: the tip goes up to what the other says at the second raise,
/// and an operator hears of it after minutes, though more could be offered yet.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_whose_tip_is_too_little_is_raised_soon_and_rings() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let nodes = [node.url(), anvil.url.clone()];
    let house = House::on(anvil, "0", &nodes, "500", clock).await;
    node.takes("eth_maxPriorityFeePerGas", NodeFault::Pretends(json!("0x0")));
    house.anvil.mine_at_once(false).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    let tip = async || house.number("SELECT max(fee_tip) FROM chain_sends").await;
    assert_eq!(tip().await, 0, "as the node says");
    let bells = AlarmLog::of_this_test();
    let signed = async || house.number("SELECT count(*) FROM chain_sends").await;
    let raise = async || {
        let before = signed().await;
        hand.advance_ms(STUCK_MS);
        until("one that pays more", async || (signed().await > before).then_some(())).await;
    };
    raise().await;
    raise().await;
    let soon = tip().await;
    assert!(soon >= 1_000_000, "{soon} wei: an eighth more each time would be a few");
    assert!(bells.rung().is_empty(), "it may go on yet: {:?}", bells.rung());
    for _ in 0..4 {
        raise().await;
    }
    assert!(tip().await >= 8 * soon, "doubled each time");
    let rung = bells.rings("relayer").await;
    assert_eq!((&rung["nonce"], &rung["network"]), (&json!(0), &json!(NETWORK)), "{rung}");
    assert!(rung["seconds"].as_i64() > Some(180), "{rung}");
    house.anvil.mine(1).await;
    house.anvil.mine_at_once(true).await;
    house.ends_well(order, &payment).await;
}

/// One node says once that our account has sent a thousand million transactions: no payment gets a number that far ahead.
#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_no_node_can_be_right_about_is_not_taken() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let config = anvil.config("0").replace(&anvil.url, &node.url());
    let house = House { gateway: gateway_on(config).await, anvil };
    let (order, challenge) = house.order("5").await;
    assert_eq!(house.pay(order, &house.payment(&challenge, 1).body()).await["data"]["status"], "settled");
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 2).body();
    node.takes("eth_getTransactionCount", NodeFault::Pretends(json!("0x3b9aca00")));
    let refused = house.pay(order, &payment).await;
    assert_eq!((&refused["message"], &refused["data"]["status"]), (&json!("CHAIN_UNAVAILABLE"), &json!("pending")));
    let rung = AlarmLog::of_this_test().ring("relayer", 1).await;
    assert_eq!((rung[0]["sent"].as_u64(), rung[0]["given"].as_u64()), (Some(1_000_000_000), Some(1)), "{rung:?}");
    node.calm();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "settled");
    assert_eq!((house.balance().await.as_str(), house.received().await), ("10", 10_000_000));
    let sent = house.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
    assert_eq!(sent, json!("0x2"), "no number is left out");
    house.gateway.assert_books().await;
}

/// A fresh account has its first number from a node that lies: what it signs waits for numbers that nothing has. Nothing is reset
/// while it could still come; afterwards the account goes on from where the chain is, past what was signed before.
#[tokio::test(flavor = "multi_thread")]
async fn a_first_number_that_was_wrong_is_asked_of_the_chain_again() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let config = anvil.config("0").replace(&anvil.url, &node.url()).replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_on(config).await, anvil };
    let (order, challenge) = house.order("5").await;
    node.takes("eth_getTransactionCount", NodeFault::Pretends(json!("0x1")));
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    node.calm();
    assert_eq!(paid["success"], true, "it is on its way: {paid}");
    let topups = &house.gateway.service().topups;
    let relayer = account(RELAYER).address;
    let account = relayer.parse().expect("an address");
    let ask = NumberResetRequest { network: NETWORK, relayer: &account, actor: "test", reason: "a node had told 1" };
    let refused = topups.reset_relayer_number(ask).await.expect_err("it may still come");
    assert!(matches!(refused, NumberResetRefused::OnTheirWay(1)), "{refused}");
    assert!(refused.to_string().contains("1 transactions of this account are on their way"), "{refused}");
    // Until the time of what its payer signed is over.
    house.anvil.age().await;
    let done = async || topups.relayer_numbers().await.expect("a ledger")[0].on_their_way == 0;
    until("nothing on its way", async || done().await.then_some(())).await;
    let reset = topups.reset_relayer_number(ask).await.expect("nothing is on its way");
    assert_eq!(reset, NumberReset { before: Some(2) });
    // Whatever the node has of it is gone too.
    house.anvil.forget_pending().await;
    for number in 2..=3 {
        let (order, challenge) = house.order("5").await;
        let good = house.payment(&challenge, number);
        let late = (Clock::system().now_ms() / 1000 + 7200 + 3600).to_string();
        let signed = TransferAuthorization { valid_before: late.parse().expect("a number"), ..good.signed };
        let paid = house.pay(order, &house.signed(good.accepted.clone(), signed).body()).await;
        assert_eq!(paid["success"], true, "{paid}");
    }
    house.balance_is("10").await;
    let sent = house.anvil.ask("eth_getTransactionCount", json!([relayer, "latest"])).await;
    assert_eq!((sent, house.received().await), (json!("0x2"), 10_000_000), "one after the other, from the first");
    assert_eq!(
        house.number("SELECT max(turn) FROM chain_sends WHERE nonce = 1").await,
        2,
        "beside what was signed before"
    );
    house.gateway.assert_books().await;
}

/// A closed payment's transaction has the number that the chain takes next: nothing is missing, and it is sent on. It is told of each
/// node, whichever says more, and nothing is reset where none answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_not_reset_while_the_chain_waits_for_what_was_signed() {
    let anvil = Anvil::start().await;
    let node = FlakyNode::before(&anvil.url).await;
    let config = anvil.config("0").replace(&anvil.url, &node.url()).replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_on(config).await, anvil };
    let (order, challenge) = house.order("5").await;
    // No node takes it before the time of what its payer signed is over.
    node.takes("eth_sendRawTransaction", NodeFault::Fails);
    let paid = house.pay(order, &house.payment(&challenge, 1).body()).await;
    assert_eq!(paid["message"], "X402_SETTLE_PENDING", "{paid}");
    house.anvil.age().await;
    let topups = &house.gateway.service().topups;
    let done = async || topups.relayer_numbers().await.expect("a ledger")[0].on_their_way == 0;
    until("nothing on its way", async || done().await.then_some(())).await;
    let relayer = account(RELAYER).address.parse().expect("an address");
    let ask = NumberResetRequest { network: NETWORK, relayer: &relayer, actor: "test", reason: "it does not go on" };
    let refused = topups.reset_relayer_number(ask).await.expect_err("the chain takes it next");
    assert!(matches!(refused, NumberResetRefused::IsNext { from: 0, to: 0 }), "{refused}");
    node.takes("eth_getTransactionCount", NodeFault::Fails);
    let refused = topups.reset_relayer_number(ask).await.expect_err("nobody tells what the chain takes next");
    assert!(matches!(refused, NumberResetRefused::Unasked { .. }), "{refused}");
    assert_eq!(house.number("SELECT count(*) FROM chain_sends WHERE done = 0").await, 1, "it is sent on");
    node.calm();
    let sent = async || house.anvil.ask("eth_getTransactionCount", json!([relayer.to_string(), "latest"])).await;
    until("the chain to take it", async || (sent().await == json!("0x1")).then_some(())).await;
    let reset = topups.reset_relayer_number(ask).await.expect("its number is used up");
    assert_eq!(reset, NumberReset { before: Some(1) });
    house.gateway.assert_books().await;
}

/// The operator has changed the key while a payment was on its way: the new account carries it.
#[tokio::test(flavor = "multi_thread")]
async fn what_an_account_has_signed_that_is_ours_no_more_is_signed_by_the_new_one() {
    let anvil = Anvil::start().await;
    let (clock, hand) = Clock::manual(Clock::system().now_ms());
    let config = anvil.config("0").replace("wait_seconds = 5", "wait_seconds = 0");
    let house = House { gateway: gateway_at(config.clone(), clock.clone()).await, anvil };
    house.anvil.mine_at_once(false).await;
    let (order, challenge) = house.order("5").await;
    let payment = house.payment(&challenge, 1).body();
    assert_eq!(house.pay(order, &payment).await["data"]["status"], "credit_pending");
    let keys = tempfile::tempdir().expect("a folder");
    let key = keys.path().join("relayer");
    std::fs::write(&key, STRANGER).expect("a file of ours");
    let changed = config.replace("relayer_key_env = \"RELAYER_KEY\"", &format!("relayer_key_file = {key:?}"));
    assert_ne!(changed, config);
    let House { anvil, gateway } = house;
    let house = House { gateway: gateway.again(&changed, clock).await, anvil };
    house.anvil.forget_pending().await;
    house.anvil.mine_at_once(true).await;
    hand.advance_ms(STUCK_MS);
    house.ends_well(order, &payment).await;
    let sent = async |key| house.anvil.ask("eth_getTransactionCount", json!([account(key).address, "latest"])).await;
    assert_eq!((sent(RELAYER).await, sent(STRANGER).await), (json!("0x0"), json!("0x1")));
}
