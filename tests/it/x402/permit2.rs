//! Payments in a token that knows no authorizations, by Permit2, and with 18 decimals.

use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tollgate_server::chains::EvmAddress;
use tollgate_server::chains::evm::{Authorization, EvmToken, PaymentSignature, Units};
use tollgate_tests::chain::{self, Anvil, CHAIN, DEPLOYER, NETWORK, PAY_TO, PAYER, PERMIT2, STRANGER, account, word};
use tollgate_tests::fickle::{Fickle, Mood};
use tollgate_tests::script;
use tollgate_tests::wait::until;

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
    pub(super) signed: Authorization,
    pub(super) signature: String,
}

impl Permit {
    pub(super) fn body(&self, token: &EvmToken) -> Value {
        let Authorization { from, to, value, valid_after, valid_before, nonce } = &self.signed;
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

    /// The same behind a node that misbehaves as it is told.
    async fn behind(depth: &str) -> (Self, Fickle) {
        let anvil = Anvil::start().await;
        let token = anvil.plain_token(1_000_000).await;
        anvil.approve_permit2(PAYER, &token, ALL).await;
        let node = Fickle::before(&anvil.url).await;
        let config = anvil.config_with(depth, std::slice::from_ref(&token)).replace(&anvil.url, &node.url());
        (Self { house: House { anvil, gateway: gateway_on(config).await }, token }, node)
    }

    fn permit(&self, challenge: &Value, nonce: u8) -> Permit {
        let option = &challenge["accepts"][0];
        let text = |name: &str| option[name].as_str().expect("a text").to_owned();
        let signed = Authorization {
            from: account(PAYER).address.parse().expect("an address"),
            to: text("payTo").parse().expect("an address"),
            value: text("amount").parse().expect("a number"),
            valid_after: "0".parse().expect("a number"),
            valid_before: chain::soon().parse().expect("a number"),
            nonce: [nonce; 32],
        };
        self.signed(option.clone(), signed)
    }

    fn signed(&self, accepted: Value, signed: Authorization) -> Permit {
        Permit { accepted, signed, signature: chain::sign(PAYER, &signed, &self.token, CHAIN) }
    }

    async fn pay(&self, order: i64, permit: &Permit) -> Value {
        self.house.pay(order, &permit.body(&self.token)).await
    }

    async fn received(&self) -> u128 {
        self.house.anvil.units_of(&self.token, &account(PAY_TO).address).await
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
        let proxy = word(&tollgate_server::chains::evm::permit2_spender().to_string());
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
    }

    async fn refused(&self, order: i64, body: &Value, code: &str, field: Option<&str>) -> Value {
        let refused = self.house.pay(order, body).await;
        let found = (refused["success"].as_bool(), refused["message"].as_str(), refused["data"]["field"].as_str());
        assert_eq!(found, (Some(false), Some(code), field), "{body}: {refused}");
        assert_eq!(refused["data"]["status"], "pending", "{refused}");
        refused
    }

    /// Payments of which a person was told that nothing names them, and that are kept for that.
    async fn set_aside(&self) -> i64 {
        let options = SqliteConnectOptions::new().filename(self.house.gateway.ledger()).read_only(true);
        let mut ledger = options.connect().await.expect("a ledger");
        let asked = "SELECT count(*) FROM payments p WHERE state = 'surplus' AND receipt IS NOT NULL AND EXISTS \
            (SELECT 1 FROM audit_log WHERE action = 'topup.unnamed' AND subject = CAST(p.order_id AS TEXT))";
        sqlx::query_scalar(asked).fetch_one(&mut ledger).await.expect("a number")
    }

    /// Nothing has come, nothing of ours was sent, and the order waits.
    async fn nothing_happened(&self) {
        let relayer = account(chain::RELAYER).address;
        let sent = self.house.anvil.ask("eth_getTransactionCount", json!([relayer, "latest"])).await;
        assert_eq!((self.received().await, self.house.waiting().await, sent), (0, 1, json!("0x0")));
    }
}

fn units(text: &str) -> Units {
    text.parse().expect("a number")
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
async fn eighteen_decimals_are_exact() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5.123456789").await;
    let option = &challenge["accepts"][0];
    assert_eq!(
        (&option["amount"], &option["extra"]),
        (&json!("5123456789000000000"), &json!({"assetTransferMethod": "permit2"}))
    );
    let good = permits.permit(&challenge, 1);
    for off in ["5123456789000000001", "5123456788999999999", "5123456789", "5123456"] {
        let wrong = permits.signed(good.accepted.clone(), Authorization { value: units(off), ..good.signed });
        let field = Some("payload.permit2Authorization.permitted.amount");
        permits.refused(order, &wrong.body(&permits.token), "PAYLOAD_MISMATCH", field).await;
    }
    assert_eq!(permits.pay(order, &good).await["data"]["status"], "settled");
    assert_eq!(
        (permits.house.balance().await.as_str(), permits.received().await),
        ("5.123456789", 5_123_456_789_000_000_000)
    );
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_to_say_what_is_asked_for() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1).body(&permits.token);
    let stranger = account(STRANGER).address;
    for (pointer, wrong) in [
        ("/payload/permit2Authorization/spender", json!(stranger)),
        ("/payload/permit2Authorization/spender", json!(PERMIT2)),
        ("/payload/permit2Authorization/witness/to", json!(stranger)),
        ("/payload/permit2Authorization/witness/validAfter", json!("3999999999")),
        ("/payload/permit2Authorization/witness/validAfter", json!(0)),
        ("/payload/permit2Authorization/witness", json!("x")),
        ("/payload/permit2Authorization/permitted/token", json!(stranger)),
        ("/payload/permit2Authorization/permitted/amount", json!("1")),
        ("/payload/permit2Authorization/permitted/amount", json!("05000000000000000000")),
        ("/payload/permit2Authorization/permitted", json!([])),
        ("/payload/permit2Authorization/deadline", json!("1")),
        ("/payload/permit2Authorization/deadline", json!("4000000000")),
        ("/payload/permit2Authorization/nonce", json!("0x01")),
        ("/payload/permit2Authorization/nonce", json!("1e3")),
        ("/payload/permit2Authorization/from", json!("0x00")),
        ("/payload/permit2Authorization", Value::Null),
        ("/payload/signature", json!("0x")),
        ("/accepted/asset", json!(stranger)),
    ] {
        let mut payment = good.clone();
        *payment.pointer_mut(pointer).expect(pointer) = wrong;
        let field = pointer[1..].replace('/', ".");
        permits.refused(order, &payment, "PAYLOAD_MISMATCH", Some(&field)).await;
    }
    // What an EIP-3009 token would take.
    let coin = super::Payment {
        accepted: challenge["accepts"][0].clone(),
        signed: permits.permit(&challenge, 1).signed,
        signature: "0x".to_owned(),
    };
    permits.refused(order, &coin.body(), "PAYLOAD_MISMATCH", Some("payload.permit2Authorization")).await;
    permits.nothing_happened().await;
    assert_eq!(permits.house.pay(order, &good).await["data"]["status"], "settled", "nothing of it was used up");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_to_be_signed_as_it_stands() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1);
    let stranger: EvmAddress = account(STRANGER).address.parse().expect("an address");
    for other in [
        Authorization { to: stranger, ..good.signed },
        Authorization { value: units("1"), ..good.signed },
        Authorization { nonce: [2; 32], ..good.signed },
        Authorization { valid_after: units("1"), ..good.signed },
        Authorization {
            valid_before: units(&(chain::soon().parse::<u64>().expect("a number") - 60).to_string()),
            ..good.signed
        },
    ] {
        // The signature of something else under the words of a good payment.
        let lie = Permit { signed: good.signed, ..permits.signed(good.accepted.clone(), other) };
        permits.refused(order, &lie.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    let elsewhere = EvmToken { address: stranger, ..permits.token.clone() };
    for signature in [
        chain::sign(PAYER, &good.signed, &permits.token, 1),
        chain::sign(PAYER, &good.signed, &elsewhere, CHAIN),
        chain::sign(PAYER, &good.signed, &permits.house.anvil.token(), CHAIN),
        chain::sign(STRANGER, &good.signed, &permits.token, CHAIN),
    ] {
        let foreign = Permit { signature, ..good.clone() };
        permits.refused(order, &foreign.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    permits.nothing_happened().await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_that_a_stranger_carries_is_credited_once() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let permit = permits.permit(&challenge, 1);
    let proxy = tollgate_server::chains::evm::permit2_spender().to_string();
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
    let proxy = tollgate_server::chains::evm::permit2_spender().to_string();
    permits.house.anvil.call_first(STRANGER, &proxy, &permits.call(&permit)).await;
    permits.house.anvil.mine(1).await;
    permits.house.anvil.mine_at_once(true).await;
    permits.house.balance_is("5").await;
    assert_eq!(permits.received().await, 5 * WHOLE);
    assert_eq!(permits.pay(order, &permit).await["message"], "ORDER_ALREADY_SETTLED");
    permits.house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permit_has_one_form_of_signature() {
    let permits = Permits::open("0").await;
    let (order, challenge) = permits.house.order("5").await;
    let good = permits.permit(&challenge, 1);
    for signature in super::attacks::malleated(&good.signature) {
        let payment = Permit { signature, ..good.clone() };
        permits.refused(order, &payment.body(&permits.token), "PAYLOAD_MISMATCH", Some("payload.signature")).await;
    }
    permits.nothing_happened().await;
    assert_eq!(permits.pay(order, &good).await["data"]["status"], "settled");
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
    super::faults::assert_one_order_paid(&outcomes);
    assert_eq!((permits.house.balance().await.as_str(), permits.house.waiting().await), ("5", 1));
    let (order, challenge) = permits.house.order("5").await;
    let many: Vec<Value> = (101..=120).map(|nonce| permits.permit(&challenge, nonce).body(&permits.token)).collect();
    let outcomes = futures_util::future::join_all(many.iter().map(|permit| permits.house.pay(order, permit))).await;
    super::assert_paid_once(&outcomes);
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("10", 10 * WHOLE));
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
    until("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    assert_eq!(permits.received().await, 0);
    let other = permits.permit(&challenge, 2);
    assert_eq!(permits.pay(order, &other).await["success"], true);
    assert_eq!((permits.house.balance().await.as_str(), permits.received().await), ("5", 5 * WHOLE));
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
    let of_wallet = Authorization { from: wallet.parse().expect("an address"), ..permits.permit(&challenge, 1).signed };
    let permit = permits.signed(challenge["accepts"][0].clone(), of_wallet);
    let foreign = Permit { signature: chain::sign(STRANGER, &of_wallet, &permits.token, CHAIN), ..permit.clone() };
    permits.refused(order, &foreign.body(&permits.token), "X402_PAYMENT_REJECTED", None).await;
    assert_eq!(permits.pay(order, &permit).await["data"]["status"], "settled");
    assert_eq!(anvil.units_of(&permits.token, &wallet).await, 5 * WHOLE);
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
    // The payer takes the names of others back, and shows the same transfer for them: it is set aside once. Until no node can be
    // behind any more, another transfer could turn up.
    let second = permits.permit(&challenge, 2);
    let word = format!("{:064x}", alloy::primitives::U256::from_be_bytes([2_u8; 32]) >> 8);
    let mask = format!("{:064x}", alloy::primitives::U256::from(1) << 2);
    permits.house.anvil.call(PAYER, PERMIT2, &format!("3ff9dcb1{word}{mask}")).await;
    let taken = permits.pay(other, &second).await;
    assert_eq!(taken["data"]["status"], "credit_pending", "{taken}");
    assert_eq!((permits.set_aside().await, permits.house.waiting().await), (1, 0));
    super::faults::age(&permits.house.anvil).await;
    until("the order to wait again", async || (permits.house.waiting().await == 1).then_some(())).await;
    assert_eq!((permits.set_aside().await, permits.house.balance().await.as_str()), (1, "0"));
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
    let before = super::faults::head(&permits.house.anvil).await;
    for method in ["eth_getTransactionReceipt", "eth_getLogs"] {
        node.takes(method, Mood::Lags(before));
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
