//! What comes to the address of notices, from the provider and from anybody.

use std::cell::RefCell;
use std::collections::BTreeSet;

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream;
use ring::hmac;
use tollgate_tests::checkout::{NAME, NOTIFY, key};
use tollgate_tests::statements::Statements;
use tollgate_topup::ewallet::{VerifyingKey, published};
use tollgate_topup::{NewOrder, PaymentRail};

use super::*;

async fn fault_40_a_notice_that_comes_twenty_times_credits_once(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    let notice = house.paid(&ordered, "P-40");
    for _ in 0..20 {
        assert_eq!(told(&house.post(&notice).await), (200, ""));
    }
    let at_once = house.unreported().await;
    let notice = house.paid(&at_once, "P-40-at-once");
    let answers = join_all((0..20).map(|_| house.post(&notice))).await;
    assert!(answers.iter().all(|answer| told(answer) == (200, "")), "{answers:?}");
    // And as the provider itself does.
    house.provider.faults(&json!({"duplicate": 20})).await;
    let reported = house.order().await;
    house.provider.press(&reported.page, "pay").await;
    house.balance_is("15").await;
    let all_sent = async || {
        let sent = house.provider.sent(&reported.trade_no).await;
        (sent.len() == 21).then(|| sent.iter().all(|sent| sent["acknowledged"] == true))
    };
    assert!(until("all notices", all_sent).await, "all are acknowledged");
    assert_eq!(house.balance().await, "15");
    assert_eq!(house.number("SELECT count(*) FROM notices").await, 3);
    house.gateway.assert_books().await;
}

async fn fault_41_what_is_not_the_providers_is_refused_and_changes_nothing(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    let (good, body) = (house.paid(&ordered, "P-41"), paid(&ordered.trade_no, "P-41", "500").to_string());
    let now_ms = house.clock.now_ms();
    let by_merchant = Posted::by(&key(published::MERCHANT_PRIVATE), NOTIFY, body.clone(), now_ms);
    let elsewhere =
        Posted::by(&key(published::PROVIDER_PRIVATE), "/api/topup/ewallet/notify/other", body.clone(), now_ms);
    // The public key is known to all: whoever takes it for the key of an HMAC believes anybody.
    let public = hmac::Key::new(hmac::HMAC_SHA256, published::PROVIDER_PUBLIC.as_bytes());
    let tag = data_encoding::BASE64.encode(hmac::sign(&public, body.as_bytes()).as_ref());
    let tag = tag.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    let signature = good.headers["signature"].to_str().expect("text").to_owned();
    let attacks = [
        ("no signature", good.clone().without("signature")),
        ("no client", good.clone().without("client-id")),
        ("no time", good.clone().without("request-time")),
        ("another key", by_merchant),
        (
            "HMAC with the public key",
            good.clone().with("signature", &format!("algorithm=HS256, keyVersion=1, signature={tag}")),
        ),
        ("HMAC as RSA", good.clone().with("signature", &format!("algorithm=RSA256, keyVersion=1, signature={tag}"))),
        ("no algorithm", good.clone().with("signature", "algorithm=none, keyVersion=1, signature=")),
        (
            "another version of the key",
            good.clone().with("signature", &signature.replace("keyVersion=1", "keyVersion=2")),
        ),
        ("another path", elsewhere),
        ("another client", good.clone().with("client-id", "SANDBOX_OTHER")),
        ("another time", good.clone().with("request-time", "2026-11-21T08:30:00Z")),
        ("another body", good.clone().saying(paid(&ordered.trade_no, "P-41", "50000").to_string())),
        ("a body cut short", good.clone().saying(&body.as_bytes()[..body.len() - 1])),
        ("a space more", good.clone().saying(format!("{body} "))),
        ("nothing", good.clone().saying(Vec::new())),
    ];
    for (what, attack) in attacks {
        assert_eq!(told(&house.post(&attack).await), REFUSED, "{what}");
    }
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("pending", "0"));
    assert_eq!(house.number("SELECT count(*) FROM notices").await, 0, "nothing of it is kept");
    assert_eq!(told(&house.post(&good).await), (200, ""), "the true one is taken all the same");
    assert_eq!(house.balance().await, "5");
}

async fn fault_42_a_notice_that_does_not_fit_is_refused_and_parked(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    let trade_no = &ordered.trade_no;
    let with = |member: &str, value: Value| {
        let mut body = paid(trade_no, "P-42", "500");
        *body.pointer_mut(member).expect("a member") = value;
        body.to_string()
    };
    let whole = paid(trade_no, "P-42", "500").to_string();
    let twice = whole.replacen('{', r#"{"paymentId":"P-43","#, 1);
    let misfits = [
        ("a cent less", with("/paymentAmount/value", json!("499"))),
        ("a cent more", with("/paymentAmount/value", json!("501"))),
        ("in dollars", with("/paymentAmount/value", json!("5.00"))),
        ("a number", with("/paymentAmount/value", json!(500))),
        ("negative", with("/paymentAmount/value", json!("-500"))),
        ("another currency", with("/paymentAmount/currency", json!("SGD"))),
        ("another order", with("/paymentRequestId", json!("tg-unknown"))),
        ("another type", with("/notifyType", json!("REFUND_RESULT"))),
        ("a member twice", twice),
        ("no JSON", "paid".to_owned()),
    ];
    for (what, body) in &misfits {
        let notice = Posted::signed(body.clone(), house.clock.now_ms());
        assert_eq!(told(&house.post(&notice).await), REFUSED, "{what}");
        assert_eq!(told(&house.post(&notice).await), REFUSED, "{what}, again");
    }
    assert_eq!(house.parked().await, 10, "each once");
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("pending", "0"));
    // An order of another rail has no checkout that a notice could name.
    let crypto = house.gateway.service().topups.open(crypto(&house.gateway)).await.expect("an order").trade_no;
    let notice = house.says(&paid(&crypto, "P-44", "500"));
    assert_eq!(told(&house.post(&notice).await), REFUSED, "another rail");
    let rung = AlarmLog::of_this_test().ring("payment_mismatch", misfits.len() + 1).await;
    assert!(rung.iter().all(|rung| rung["provider"] == NAME && rung["why"].is_string()), "{rung:?}");
    assert_eq!(told(&house.post(&house.paid(&ordered, "P-42")).await), (200, ""));
    assert_eq!(house.balance().await, "5");
    house.gateway.assert_books().await;
}

fn crypto(gateway: &TestGateway) -> NewOrder {
    let amount = "5".parse().expect("an amount");
    NewOrder { account: gateway.account, agent: None, rail: PaymentRail::Crypto, amount }
}

fn failure(trade_no: &str, payment_id: &str) -> Value {
    let mut body = paid(trade_no, payment_id, "500");
    body["result"] = json!({"resultCode": "USER_BALANCE_NOT_ENOUGH", "resultStatus": "F", "resultMessage": "failed"});
    body
}

fn pending(trade_no: &str, payment_id: &str) -> Value {
    let mut body = paid(trade_no, payment_id, "500");
    body["notifyType"] = json!("PAYMENT_PENDING");
    body
}

async fn fault_43_success_is_final_and_money_is_never_lost_whatever_comes_first(on: On) {
    let house = House::on(on).await;
    let say = async |body: Value| assert_eq!(told(&house.post(&house.says(&body)).await), (200, ""), "{body}");
    // Failure and pending after success.
    let first = house.unreported().await;
    say(paid(&first.trade_no, "P-1", "500")).await;
    say(failure(&first.trade_no, "P-1")).await;
    say(pending(&first.trade_no, "P-1")).await;
    assert_eq!((house.status(&first).await.as_str(), house.balance().await.as_str()), ("success", "5"));
    // Success after failure.
    let second = house.unreported().await;
    say(failure(&second.trade_no, "P-2")).await;
    let found = house.found(&second).await;
    assert_eq!((&found["status"], &found["failure"]["code"]), (&json!("failed"), &json!("PAYMENT_FAILED")), "{found}");
    say(paid(&second.trade_no, "P-2", "500")).await;
    assert_eq!((house.status(&second).await.as_str(), house.balance().await.as_str()), ("success", "10"));
    // Pending is no money, and then it is.
    let third = house.unreported().await;
    say(pending(&third.trade_no, "P-3")).await;
    assert_eq!((house.status(&third).await.as_str(), house.balance().await.as_str()), ("settling", "10"));
    say(paid(&third.trade_no, "P-3", "500")).await;
    assert_eq!((house.status(&third).await.as_str(), house.balance().await.as_str()), ("success", "15"));
    // Pending, and then it failed.
    let fourth = house.unreported().await;
    say(pending(&fourth.trade_no, "P-4")).await;
    say(failure(&fourth.trade_no, "P-4")).await;
    assert_eq!(house.status(&fourth).await, "failed");
    // Success after the order was given up: the provider was told to cancel, so money that came just before is on its way back.
    // What a notice says is not enough then; the provider is asked, and says so.
    let fifth = house.unreported().await;
    house.hand.advance_ms(11 * MINUTE_MS);
    until("the end", async || {
        (house.number("SELECT count(*) FROM topup_order WHERE status = 'expired'").await == 1).then_some(())
    })
    .await;
    assert_eq!(house.number("SELECT gives_up FROM checkouts ORDER BY gives_up DESC LIMIT 1").await, 1);
    say(paid(&fifth.trade_no, "P-5", "500")).await;
    house.hand.advance_ms(asks::SETTLED_MS);
    until("the question", async || {
        (house.number("SELECT count(*) FROM checkouts WHERE gives_up = 1 AND ask_at IS NOT NULL").await == 0)
            .then_some(())
    })
    .await;
    assert_eq!((house.status(&fifth).await.as_str(), house.balance().await.as_str()), ("expired", "15"));
    assert_eq!(house.number("SELECT count(*) FROM audit_log WHERE action = 'topup.late'").await, 1);
    house.gateway.assert_books().await;
}

async fn fault_44_one_payment_pays_one_order_and_an_order_is_paid_once(on: On) {
    let house = House::on(on).await;
    let (first, second) = (house.unreported().await, house.unreported().await);
    assert_eq!(told(&house.post(&house.paid(&first, "P-44")).await), (200, ""));
    assert_eq!(told(&house.post(&house.paid(&second, "P-44")).await), REFUSED, "it is the first one's");
    assert_eq!((house.status(&second).await.as_str(), house.balance().await.as_str()), ("pending", "5"));
    assert_eq!(told(&house.post(&house.paid(&first, "P-45")).await), (200, ""), "it is taken, and set aside");
    assert_eq!(house.balance().await, "5");
    assert_eq!(house.number("SELECT count(*) FROM payments WHERE state = 'surplus'").await, 1);
    assert_eq!(house.number("SELECT count(*) FROM audit_log WHERE action = 'topup.surplus'").await, 1);
    assert_eq!(house.number("SELECT count(*) FROM audit_log WHERE action = 'topup.unfit'").await, 1);
    let bells = AlarmLog::of_this_test();
    assert_eq!((bells.rings("payment_mismatch").await["payment"].as_str(), bells.rung().len()), (Some("P-44"), 2));
    let surplus = bells.rings("surplus").await;
    assert_eq!((&surplus["reference"], &surplus["source"]), (&json!("P-45"), &json!(NAME)), "{surplus}");
    house.gateway.assert_books().await;
}

async fn fault_45_a_notice_may_come_before_the_page_is_told(on: On) {
    let house = House::on(on).await;
    house.provider.faults(&json!({"drop": true, "answers": "hang"})).await;
    let request = client().post(house.gateway.url(ORDERS)).bearer_auth(&house.gateway.key);
    let creating = tokio::spawn(request.json(&json!({"amount_usd": 5, "wallet": "GCASH"})).send());
    until("the order", async || (house.number("SELECT count(*) FROM checkouts").await == 1).then_some(())).await;
    let trade_no = house.value("SELECT request_id FROM checkouts").await;
    let ordered = Ordered { trade_no, page: String::new() };
    assert_eq!(told(&house.post(&house.paid(&ordered, "P-45")).await), (200, ""));
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("success", "5"));
    assert!(!creating.is_finished(), "its creation is still waited for");
    creating.abort();
    house.gateway.assert_books().await;
}

async fn fault_49_a_redelivery_may_be_a_day_old_and_nothing_is_from_the_future(on: On) {
    let house = House::on(on).await;
    let now_ms = house.clock.now_ms();
    for (number, (sent_ms, taken)) in
        [(-90_000_000, true), (-90_001_000, false), (299_000, true), (301_000, false)].into_iter().enumerate()
    {
        let ordered = house.unreported().await;
        let body = paid(&ordered.trade_no, &format!("P-{number}"), "500").to_string();
        let answer = house.post(&Posted::signed(body, now_ms + sent_ms)).await;
        assert_eq!(told(&answer), if taken { (200, "") } else { REFUSED }, "{sent_ms}");
        assert_eq!(house.status(&ordered).await, if taken { "success" } else { "pending" }, "{sent_ms}");
    }
    assert_eq!(house.balance().await, "10");
}

/// Tables that a notice could have to do with.
const TABLES: [&str; 4] = ["notices", "checkouts", "topup_order", "payments"];

/// The signature is looked at first: what a flood costs is arithmetic, and no statement.
#[tokio::test]
async fn fault_50_a_thousand_garbage_notices_ask_nothing_of_the_ledger() {
    garbage_asks_nothing(On::File).await;
}

#[tokio::test]
async fn fault_50_nor_of_one_on_a_server() {
    garbage_asks_nothing(On::Server).await;
}

async fn garbage_asks_nothing(on: On) {
    let statements = Statements::of_this_thread();
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    let of_notices = |ran: Vec<(String, u64)>| -> BTreeSet<String> {
        let ran = ran.into_iter().map(|(statement, _)| statement);
        ran.filter(|statement| TABLES.iter().any(|table| statement.contains(table))).collect()
    };
    statements.take();
    let body = paid(&ordered.trade_no, "P-50", "500").to_string();
    let forged = Posted::by(&key(published::MERCHANT_PRIVATE), NOTIFY, body, house.clock.now_ms());
    let unsigned = forged.clone().without("signature");
    let large = forged.clone().saying(vec![b' '; 256 * 1024 + 1]);
    let kinds = [(&forged, 403), (&unsigned, 403), (&large, 413)];
    let url = &house.gateway.url("");
    let answers = stream::iter(0..1_000).map(|number| async move {
        let (posted, expected) = kinds[number % kinds.len()];
        let status = posted.to(url).send().await.expect("an answer").status().as_u16();
        (status, expected)
    });
    let answers: Vec<(u16, u16)> = answers.buffer_unordered(16).collect().await;
    // So many are told what is wrong with them, and of the rest nothing is said.
    assert!(answers.iter().all(|(status, expected)| status == expected || (*expected == 403 && *status == 429)));
    assert_eq!(answers.iter().filter(|(status, _)| *status == 403).count(), 60);
    let asked = of_notices(statements.take());
    // The server asks by itself each second, whether or not anything comes: what is asked without any notice is not for one.
    let own = RefCell::new(BTreeSet::new());
    let all_own = async || {
        own.borrow_mut().extend(of_notices(statements.take()));
        asked.is_subset(&own.borrow()).then_some(())
    };
    until("what was asked to be asked without a notice", all_own).await;
    let own = own.into_inner();
    assert_eq!(told(&house.post(&house.paid(&ordered, "P-50")).await), (200, ""), "a true one is heard in the noise");
    assert_eq!(house.balance().await, "5");
    assert!(!of_notices(statements.take()).is_subset(&own), "and is written down");
}

/// While the provider rotates its key, notices of either key are credited; what names a third is refused.
#[tokio::test(flavor = "multi_thread")]
async fn two_keys_of_the_provider_are_taken_at_once() {
    let provider = Provider::start(Clock::system(), 1);
    let mut topup = provider.rails();
    let checkout = topup.checkout.as_mut().expect("a provider");
    // As though it had a second key: the other one that is published.
    let keys = [("1", published::PROVIDER_PUBLIC), ("2", published::MERCHANT_PUBLIC)];
    let keys = keys.map(|(version, text)| (version.to_owned(), VerifyingKey::read(text).expect("a key")));
    checkout.provider_keys = keys.into_iter().collect();
    provider.faults(&json!({"drop": true})).await;
    let gateway = TestGateway::with(Options { credit: "0", topup: Some(topup), ..Options::default() }).await;
    let mut credited = 0;
    for (signed_by, version, expected) in [
        (published::PROVIDER_PRIVATE, "1", 200),
        (published::MERCHANT_PRIVATE, "2", 200),
        (published::MERCHANT_PRIVATE, "1", 403),
        (published::PROVIDER_PRIVATE, "3", 403),
    ] {
        let request = client().post(gateway.url(ORDERS)).bearer_auth(&gateway.key);
        let reply = request.json(&json!({"amount_usd": 5, "wallet": "GCASH"})).send().await.expect("an answer");
        let made = exact(&reply.text().await.expect("a body"));
        let trade_no = made["data"]["trade_no"].as_str().expect("an order");
        let body = paid(trade_no, &format!("P-{trade_no}"), "500").to_string();
        let posted = Posted::in_version(&key(signed_by), version, NOTIFY, body, Clock::system().now_ms());
        let answer = posted.to(&gateway.url("")).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), expected, "{version}");
        credited += if expected == 200 { 5 } else { 0 };
        assert_eq!(amount(&gateway.balance().await["quota_usd"]), credited.to_string(), "{version}");
    }
    gateway.assert_books().await;
}

on_both!(
    fault_40_a_notice_that_comes_twenty_times_credits_once,
    fault_41_what_is_not_the_providers_is_refused_and_changes_nothing,
    fault_42_a_notice_that_does_not_fit_is_refused_and_parked,
    fault_43_success_is_final_and_money_is_never_lost_whatever_comes_first,
    fault_44_one_payment_pays_one_order_and_an_order_is_paid_once,
    fault_45_a_notice_may_come_before_the_page_is_told,
    fault_49_a_redelivery_may_be_a_day_old_and_nothing_is_from_the_future,
);
