//! Payments in a token that knows no authorizations, by Permit2, and with 18 decimals.

mod forms;
mod others;

use serde_json::{Value, json};
use tollgate_chains::evm::{EvmToken, TransferAuthorization};
use tollgate_tests::chain::{self, Anvil, CHAIN, DEPLOYER, NETWORK, PAY_TO, PAYER, PERMIT2, STRANGER, account, word};
use tollgate_tests::script;

use super::{House, gateway_on, python_pays};

/// One token.
const WHOLE: u128 = 1_000_000_000_000_000_000;
const ALL: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

/// A gateway on a chain where such a token is all that is taken.
pub(crate) struct Permits {
    pub(crate) house: House,
    token: EvmToken,
}

/// A payment before it is sent.
#[derive(Debug, Clone)]
pub(super) struct Permit {
    pub(super) accepted: Value,
    pub(super) signed: TransferAuthorization,
    pub(super) signature: String,
}

impl Permit {
    pub(super) fn body(&self, token: &EvmToken) -> Value {
        let TransferAuthorization { from, to, value, valid_after, valid_before, nonce } = &self.signed;
        let nonce = alloy::primitives::U256::from_be_bytes(*nonce).to_string();
        json!({
            "x402Version": 2, "accepted": self.accepted,
            "payload": {"signature": self.signature, "permit2Authorization": {
                "from": from.to_string(), "spender": "0x402085c248EeA27D92E8b30b2C58ed07f9E20001", "nonce": nonce,
                "permitted": {"token": token.address.to_string(), "amount": value.to_string()},
                "deadline": valid_before.to_string(),
                "witness": {"to": to.to_string(), "validAfter": valid_after.to_string()},
            }},
        })
    }
}

impl Permits {
    /// With a payer who has let Permit2 move all of it.
    pub(crate) async fn open(depth: &str) -> Self {
        let opened = Self::unapproved(depth).await;
        opened.house.anvil.approve_permit2(PAYER, &opened.token, ALL).await;
        opened
    }

    async fn unapproved(depth: &str) -> Self {
        let anvil = Anvil::start().await;
        let token = anvil.plain_token(1_000_000).await;
        let gateway = gateway_on(anvil.config_with(depth, std::slice::from_ref(&token))).await;
        Self { house: House { anvil, gateway }, token }
    }

    fn permit(&self, challenge: &Value, nonce: u8) -> Permit {
        let option = &challenge["accepts"][0];
        let signed = chain::authorization_for(option, [nonce; 32]);
        self.signed(option.clone(), signed)
    }

    fn signed(&self, accepted: Value, signed: TransferAuthorization) -> Permit {
        Permit { accepted, signed, signature: chain::sign(PAYER, &signed, &self.token, CHAIN) }
    }

    async fn pay(&self, order: i64, permit: &Permit) -> Value {
        self.house.pay(order, &permit.body(&self.token)).await
    }

    async fn received(&self) -> u128 {
        self.house.anvil.units_of(&self.token, &account(PAY_TO).address).await
    }

    async fn refused(&self, order: i64, body: &Value, code: &str, field: Option<&str>) -> Value {
        let refused = self.house.pay(order, body).await;
        let found = (refused["success"].as_bool(), refused["message"].as_str(), refused["data"]["field"].as_str());
        assert_eq!(found, (Some(false), Some(code), field), "{body}: {refused}");
        assert_eq!(refused["data"]["status"], "pending", "{refused}");
        refused
    }

    /// Nothing has come, nothing of ours was sent, and the order waits.
    async fn nothing_happened(&self) {
        let relayer = account(chain::RELAYER).address;
        let sent = self.house.anvil.ask("eth_getTransactionCount", json!([relayer, "latest"])).await;
        assert_eq!((self.received().await, self.house.waiting().await, sent), (0, 1, json!("0x0")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn official_clients_pay_by_permit2() {
    let permits = Permits::open("0").await;
    let (url, key) = (permits.house.gateway.url(""), permits.house.gateway.key.clone());
    let output = tokio::task::spawn_blocking(move || {
        chain::run("pay.js", &[("GATEWAY", &url), ("KEY", &key), ("PAYER", PAYER), ("NETWORK", NETWORK)])
    });
    assert_eq!(script::held(&output.await.expect("it runs")), Ok(4));
    python_pays(&permits.house).await;
    assert_eq!(
        (permits.house.balance().await.as_str(), permits.received().await),
        ("20.25", 20_250_000_000_000_000_000)
    );
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowance_that_is_missing_is_named() {
    let permits = Permits::unapproved("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1);
    let told = permits.refused(order, &good.body(&permits.token), "X402_PAYMENT_REJECTED", None).await;
    assert!(told["detail"].as_str().is_some_and(|told| told.contains("permit2_allowance_required")), "{told}");
    permits.house.anvil.approve_permit2(PAYER, &permits.token, &format!("{:064x}", 5 * WHOLE - 1)).await;
    permits.refused(order, &good.body(&permits.token), "X402_PAYMENT_REJECTED", None).await;
    permits.nothing_happened().await;
    permits.house.anvil.approve_permit2(PAYER, &permits.token, &format!("{:064x}", 5 * WHOLE)).await;
    assert_eq!(permits.pay(order, &good).await["data"]["status"], "settled");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_pays_one_order_once() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let body = permit.body(&permits.token);
    let outcomes = futures_util::future::join_all((0..10).map(|_| permits.house.pay(order, &body))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome["success"] == true).count(), 1, "{outcomes:?}");
    assert_eq!(permits.pay(order, &permit).await["message"], "ORDER_ALREADY_SETTLED");
    let (other, challenge) = permits.house.order("5").await;
    assert_eq!(permits.pay(other, &permit).await["message"], "X402_PAYMENT_REJECTED", "the same permit");
    // The same name, signed anew.
    let again = permits.permit(&challenge, 1);
    assert_eq!(permits.pay(other, &again).await["message"], "X402_PAYMENT_REJECTED", "the same name");
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("5", 5 * WHOLE));
    permits.house.gateway.assert_books().await;
}

/// One permit for two orders at once, and then twenty permits for one order.
#[tokio::test(flavor = "multi_thread")]
async fn many_permits_at_once_pay_once() {
    let permits = Permits::open("0").await;
    let (first, challenge) = permits.house.order("5").await;
    let (second, _) = permits.house.order("5").await;
    let same = permits.permit(&challenge, 1).body(&permits.token);
    let outcomes = futures_util::future::join_all((0..10).map(|turn| {
        let order = if turn % 2 == 0 { first } else { second };
        permits.house.pay(order, &same)
    }));
    let outcomes = outcomes.await;
    super::accounts::assert_one_order_paid(&outcomes);
    assert_eq!((permits.house.balance().await.as_str(), permits.house.waiting().await), ("5", 1));
    let (order, challenge) = permits.house.order("5").await;
    let many: Vec<Value> = (101..=120).map(|nonce| permits.permit(&challenge, nonce).body(&permits.token)).collect();
    let outcomes = futures_util::future::join_all(many.iter().map(|permit| permits.house.pay(order, permit))).await;
    super::assert_paid_once(&outcomes);
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("10", 10 * WHOLE));
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_that_lies_not_deep_enough_is_credited_when_it_does() {
    let permits = Permits::open("3").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    assert_eq!(permits.pay(order, &permit).await["data"]["status"], "credit_pending");
    assert_eq!(permits.pay(order, &permit).await["message"], "X402_SETTLE_PENDING");
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("0", 5 * WHOLE));
    permits.house.anvil.mine(3).await;
    permits.house.balance_is("5").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contract_pays_by_permit2() {
    let permits = Permits::open("0").await;
    let anvil = &permits.house.anvil;
    let wallet = anvil.deploy("Wallet", &word(&account(PAYER).address)).await;
    anvil
        .call(PAYER, &permits.token.address.to_string(), &format!("a9059cbb{}{:064x}", word(&wallet), 10 * WHOLE))
        .await;
    anvil
        .call(DEPLOYER, &wallet, &format!("7e5465ba{}{}", word(&permits.token.address.to_string()), word(PERMIT2)))
        .await;
    let (order, challenge) = permits.house.order("5").await;
    let of_wallet =
        TransferAuthorization { from: wallet.parse().expect("an address"), ..permits.permit(&challenge, 1).signed };
    let permit = permits.signed(challenge["accepts"][0].clone(), of_wallet);
    let foreign = Permit { signature: chain::sign(STRANGER, &of_wallet, &permits.token, CHAIN), ..permit.clone() };
    permits.refused(order, &foreign.body(&permits.token), "X402_PAYMENT_REJECTED", None).await;
    assert_eq!(permits.pay(order, &permit).await["data"]["status"], "settled");
    assert_eq!(anvil.units_of(&permits.token, &wallet).await, 5 * WHOLE);
    permits.house.gateway.assert_books().await;
}
