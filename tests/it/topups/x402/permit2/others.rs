//! Permits that others carry, use up, or hide: the money is credited where the chain names the payment, and else a person
//! decides.

use serde_json::{Value, json};
use tollgate_chains::evm::{PaymentSignature, TransferAuthorization};
use tollgate_tests::AlarmLog;
use tollgate_tests::chain::{Anvil, PAY_TO, PAYER, PERMIT2, STRANGER, account, word};
use tollgate_tests::flaky_node::{FlakyNode, NodeFault};
use tollgate_tests::wait::until_later;

use super::super::{House, gateway_on};
use super::{ALL, Permit, Permits, WHOLE};

impl Permits {
    /// The same behind a node that misbehaves as it is told.
    async fn behind(depth: &str) -> (Self, FlakyNode) {
        let anvil = Anvil::start().await;
        let token = anvil.plain_token(1_000_000).await;
        anvil.approve_permit2(PAYER, &token, ALL).await;
        let node = FlakyNode::before(&anvil.url).await;
        let config = anvil.config_with(depth, std::slice::from_ref(&token)).replace(&anvil.url, &node.url());
        (Self { house: House { anvil, gateway: gateway_on(config).await }, token }, node)
    }

    /// The call that carries a payment out, in hexadecimal digits.
    fn call(&self, permit: &Permit) -> String {
        let signature = permit.signature.parse().map(PaymentSignature::Key).expect("a signature");
        data_encoding::HEXLOWER.encode(&permit.signed.call(&self.token, &signature))
    }

    /// A contract of somebody's carries payments out, one or two.
    async fn passed(&self, caller: &str, permits: &[&Permit]) {
        let mut data = Vec::new();
        let (mut places, mut place) = (String::new(), 32 * (permits.len() + 1));
        for permit in permits {
            let call = self.call(permit);
            let (length, padding) = (call.len() / 2, "0".repeat((64 - call.len() % 64) % 64));
            places.push_str(&format!("{place:064x}"));
            place += 32 + (call.len() + padding.len()) / 2;
            data.push(format!("{length:064x}{call}{padding}"));
        }
        let proxy = word(&tollgate_chains::evm::permit2_spender().to_string());
        let name = if permits.len() == 1 { "pass(address,bytes)" } else { "passBoth(address,bytes,bytes)" };
        let selector = data_encoding::HEXLOWER.encode(&alloy::primitives::keccak256(name)[..4]);
        self.house.anvil.call(STRANGER, caller, &format!("{selector}{proxy}{places}{}", data.concat())).await;
    }

    /// An order, and a payment for it that somebody's contract has carried.
    pub(crate) async fn carried_inside(&self) -> (i64, Value) {
        let (order, challenge) = self.house.order("5").await;
        let permit = self.permit(&challenge, 1);
        let caller = self.house.anvil.deploy("Caller", "").await;
        self.passed(&caller, &[&permit]).await;
        (order, permit.body(&self.token))
    }

    /// The payment came by a call inside a call: nothing is credited, its order has failed, and a person decides.
    async fn left_to_a_person(&self, order: i64, permit: &Permit) {
        let refused = self.pay(order, permit).await;
        assert_eq!(refused["message"], "X402_PAYMENT_SET_ASIDE", "nothing shows which payment it was: {refused}");
        assert!(refused["detail"].as_str().is_some_and(|told| told.contains("a person decides")), "{refused}");
        assert_eq!(refused["data"]["status"], "failed", "nobody pays a second time by mistake: {refused}");
        assert_eq!(
            self.pay(order, permit).await["message"],
            "X402_PAYMENT_SET_ASIDE",
            "whoever asks again is told again"
        );
        let anew = self.house.post(&format!("/api/user/topup/x402/orders/{order}/resume"), "{}".to_owned()).await;
        assert_eq!(anew["message"], "ORDER_NOT_PENDING", "nobody is asked for the money once more: {anew}");
    }

    /// Payments of which a person was told that nothing names them, and that are kept for that.
    async fn set_aside(&self) -> i64 {
        let asked = "SELECT count(*) FROM payments p WHERE state = 'surplus' AND receipt IS NOT NULL AND EXISTS \
            (SELECT 1 FROM audit_log WHERE action = 'topup.unnamed' AND subject = CAST(p.order_id AS TEXT))";
        self.house.number(asked).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_that_a_stranger_carries_is_credited_once() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let proxy = tollgate_chains::evm::permit2_spender().to_string();
    permits.house.anvil.call(STRANGER, &proxy, &permits.call(&permit)).await;
    let paid = permits.pay(order, &permit).await;
    assert_eq!((paid["success"].as_bool(), paid["data"]["status"].as_str()), (Some(true), Some("settled")), "{paid}");
    // Another order does not live on the same transfer, by whatever name.
    let (other, challenge) = permits.house.order("5").await;
    for nonce in [1, 2] {
        let second = permits.permit(&challenge, nonce);
        if nonce == 2 {
            let word = format!("{:064x}", alloy::primitives::U256::from_be_bytes([2_u8; 32]) >> 8);
            let mask = format!("{:064x}", alloy::primitives::U256::from(1) << 2);
            permits.house.anvil.call(PAYER, PERMIT2, &format!("3ff9dcb1{word}{mask}")).await;
        }
        assert_eq!(permits.pay(other, &second).await["message"], "X402_PAYMENT_REJECTED", "{nonce}");
    }
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("5", 5 * WHOLE));
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_that_a_stranger_carries_before_us_is_credited_once() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    permits.house.anvil.mine_at_once(false).await;
    let paid = permits.pay(order, &permit).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let proxy = tollgate_chains::evm::permit2_spender().to_string();
    permits.house.anvil.call_first(STRANGER, &proxy, &permits.call(&permit)).await;
    permits.house.anvil.mine(1).await;
    permits.house.anvil.mine_at_once(true).await;
    permits.house.balance_is("5").await;
    assert_eq!(permits.received().await, 5 * WHOLE);
    assert_eq!(permits.pay(order, &permit).await["message"], "ORDER_ALREADY_SETTLED");
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_used_up_on_the_way_leaves_an_order_that_can_be_paid() {
    let permits = Permits::open("0").await;
    permits.house.anvil.mine_at_once(false).await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let paid = permits.pay(order, &permit).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    permits.house.anvil.invalidate_first(&permit.signed.nonce).await;
    permits.house.anvil.mine(1).await;
    permits.house.anvil.mine_at_once(true).await;
    until_later("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    assert_eq!(permits.received().await, 0);
    let other = permits.permit(&challenge, 2);
    assert_eq!(permits.pay(order, &other).await["success"], true);
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("5", 5 * WHOLE));
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_that_is_carried_inside_another_call_is_left_to_a_person() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let (other, challenge) = permits.house.order("5").await;
    let caller = permits.house.anvil.deploy("Caller", "").await;
    permits.passed(&caller, &[&permit]).await;
    assert_eq!(permits.received().await, 5 * WHOLE, "the money came");
    permits.left_to_a_person(order, &permit).await;
    assert_eq!((permits.house.balance().await.as_str(), permits.house.waiting().await), ("0", 1));
    assert_eq!(permits.set_aside().await, 1);
    let bells = AlarmLog::of_this_test();
    let rung = bells.ring("unattributed_transfer", 1).await;
    assert_eq!((&rung[0]["order"], &rung[0]["amount"]), (&json!(order.to_string()), &json!((5 * WHOLE).to_string())));
    let transfer = rung[0]["transaction"].clone();
    assert!(transfer.as_str().is_some_and(|transfer| transfer.starts_with("0x") && transfer.contains('/')), "{rung:?}");
    // The payer takes the names of others back, and shows the same transfer for them: it is set aside once. Until no node can be
    // behind any more, another transfer could turn up.
    let second = permits.permit(&challenge, 2);
    let word = format!("{:064x}", alloy::primitives::U256::from_be_bytes([2_u8; 32]) >> 8);
    let mask = format!("{:064x}", alloy::primitives::U256::from(1) << 2);
    permits.house.anvil.call(PAYER, PERMIT2, &format!("3ff9dcb1{word}{mask}")).await;
    let taken = permits.pay(other, &second).await;
    assert_eq!(taken["data"]["status"], "credit_pending", "{taken}");
    assert_eq!((permits.set_aside().await, permits.house.waiting().await), (1, 0));
    permits.house.anvil.age().await;
    until_later("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    assert_eq!((permits.set_aside().await, permits.house.balance().await.as_str()), (1, "0"));
    // A person who looks at the one looks at both.
    let rung = bells.ring("unattributed_transfer", 2).await;
    assert_eq!((&rung[1]["order"], &rung[1]["transaction"]), (&json!(other.to_string()), &transfer));
    permits.house.gateway.assert_books().await;
}

/// The payer has signed two permits of one name, and the other one is carried out: where that went is for a person.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_used_up_for_somebody_else_is_told() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let to = account(STRANGER).address.parse().expect("an address");
    let elsewhere = permits.signed(permit.accepted.clone(), TransferAuthorization { to, ..permit.signed });
    permits.house.anvil.mine_at_once(false).await;
    let paid = permits.pay(order, &permit).await;
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    let proxy = tollgate_chains::evm::permit2_spender().to_string();
    permits.house.anvil.call_first(STRANGER, &proxy, &permits.call(&elsewhere)).await;
    permits.house.anvil.mine(1).await;
    permits.house.anvil.mine_at_once(true).await;
    assert_eq!(permits.house.anvil.units_of(&permits.token, &account(STRANGER).address).await, 5 * WHOLE);
    permits.house.anvil.age().await;
    until_later("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    let rung = AlarmLog::of_this_test().ring("surplus", 1).await;
    assert_eq!(rung[0]["order"], json!(order.to_string()));
    assert!(rung[0]["message"].as_str().is_some_and(|told| told.contains("used up otherwise")), "{rung:?}");
    assert_eq!((permits.received().await, permits.house.balance().await.as_str()), (0, "0"));
    permits.house.gateway.assert_books().await;
}

/// A person is told of each of several payments, in one transaction or in many: of none it is said that it was another's.
#[tokio::test(flavor = "multi_thread")]
async fn each_permit_that_is_carried_inside_another_call_is_left_to_a_person() {
    let permits = Permits::open("0").await;
    let caller = permits.house.anvil.deploy("Caller", "").await;
    for round in 0..2 {
        let mut made = Vec::new();
        for nonce in [1, 2] {
            let (order, challenge) = permits.house.order("5").await;
            made.push((order, permits.permit(&challenge, 2 * round + nonce)));
        }
        let [(_, one), (_, other)] = &made[..] else { unreachable!("two were made") };
        if round == 0 {
            permits.passed(&caller, &[one]).await;
            permits.passed(&caller, &[other]).await;
        } else {
            permits.passed(&caller, &[one, other]).await;
        }
        for (order, permit) in &made {
            permits.left_to_a_person(*order, permit).await;
        }
        assert_eq!(permits.set_aside().await, 2 * i64::from(round + 1), "{round}");
        AlarmLog::of_this_test().ring("unattributed_transfer", 2 * usize::from(round + 1)).await;
    }
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("0", 20 * WHOLE));
    permits.house.gateway.assert_books().await;
}

/// One of the nodes behind an address has the newest state, another has not got as far or has thrown away what led to it: that a
/// name is used up, and that nothing shows by what, is no evidence that it was used for nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_permit_whose_transfer_a_node_does_not_show_is_not_given_up() {
    let (permits, node) = Permits::behind("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let before = permits.house.anvil.head().await;
    for method in ["eth_getTransactionReceipt", "eth_getLogs"] {
        node.takes(method, NodeFault::Lags(before));
    }
    let paid = permits.pay(order, &permit).await;
    assert_eq!(
        (paid["success"].as_bool(), paid["data"]["status"].as_str()),
        (Some(true), Some("credit_pending")),
        "{paid}"
    );
    assert_eq!((permits.received().await, permits.house.waiting().await), (5 * WHOLE, 0), "it came");
    node.calm();
    permits.house.balance_is("5").await;
    assert_eq!(permits.pay(order, &permit).await["message"], "ORDER_ALREADY_SETTLED");
    assert_eq!(permits.received().await, 5 * WHOLE);
    permits.house.gateway.assert_books().await;
}

/// A permit came to nothing, and its payer sends the amount by an ordinary transfer: that is no payment of the order by what it says,
/// and a person is told of it, once.
#[tokio::test(flavor = "multi_thread")]
async fn what_comes_beside_a_permit_that_was_never_used_is_left_to_a_person() {
    let permits = Permits::open("0").await;
    let (anvil, token) = (&permits.house.anvil, permits.token.address.to_string());
    let (order, challenge) = permits.house.order("5").await;
    anvil.mine_at_once(false).await;
    assert_eq!(permits.pay(order, &permits.permit(&challenge, 1)).await["data"]["status"], "credit_pending");
    // All that the payer has is elsewhere when it is carried out.
    let (payer, stranger, us) = (account(PAYER).address, account(STRANGER).address, account(PAY_TO).address);
    let moves = |to: &str, units: u128| format!("a9059cbb{}{units:064x}", word(to));
    let all = anvil.units_of(&permits.token, &payer).await;
    anvil.call_first(PAYER, &token, &moves(&stranger, all)).await;
    anvil.mine(1).await;
    anvil.mine_at_once(true).await;
    until_later("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    anvil.call(STRANGER, &token, &moves(&payer, 5 * WHOLE)).await;
    anvil.call(PAYER, &token, &moves(&us, 5 * WHOLE)).await;
    anvil.age().await;
    let rung = AlarmLog::of_this_test().ring("unattributed_transfer", 1).await;
    assert_eq!(rung[0]["order"], json!(order.to_string()));
    let open = "SELECT count(*) FROM chain_payments WHERE closed = 0";
    until_later("the end of looking", async || (permits.house.number(open).await == 0).then_some(())).await;
    assert_eq!((permits.set_aside().await, permits.house.balance().await.as_str()), (1, "0"));
    permits.house.gateway.assert_books().await;
}
