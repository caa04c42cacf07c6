//! Orders of which no notice comes: the provider is asked, as often as it takes, by whoever serves then.

use std::time::Instant;

use tollgate_api::generated::limits;
use tollgate_tests::binary::{Served, alarm_in, run_json};
use tollgate_topup::ewallet::published;

use super::*;

const SECOND_MS: i64 = 1_000;
/// From giving an order up to the next question about it: whatever was told to the provider by then has arrived.
pub(super) const SETTLED_MS: i64 = 25 * SECOND_MS;

async fn fault_46_a_payment_that_nobody_reports_is_found_by_asking(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    house.provider.press(&ordered.page, "pay").await;
    assert_eq!(house.status(&ordered).await, "pending");
    house.hand.advance_ms(10 * SECOND_MS);
    house.balance_is("5").await;
    assert_eq!(house.status(&ordered).await, "success");
    assert!(house.provider.sent(&ordered.trade_no).await.is_empty(), "no notice came");
    assert_eq!(
        house.number("SELECT count(*) FROM checkouts WHERE ask_at IS NOT NULL").await,
        0,
        "nothing is asked any more"
    );
    house.gateway.assert_books().await;
}

async fn fault_47_a_provider_that_is_not_certain_is_asked_again_by_the_same_name(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    house.provider.press(&ordered.page, "pay").await;
    let asked_at = async || house.number("SELECT coalesce(max(ask_at), 0) FROM checkouts").await;
    for answers in [
        json!("error"),
        json!("undecided"),
        json!({"refused": "PROCESS_FAIL"}),
        json!("forged"),
        json!("unsigned"),
        json!("oversized"),
    ] {
        house.provider.faults(&json!({"drop": true, "answers": answers})).await;
        let before = asked_at().await;
        house.hand.advance_ms(before - house.clock.now_ms());
        // The next question is on the disk before this one is asked.
        until("a question", async || (asked_at().await > before).then_some(())).await;
        assert_eq!(
            (house.status(&ordered).await.as_str(), house.balance().await.as_str()),
            ("pending", "0"),
            "{answers}"
        );
    }
    house.provider.faults(&json!({"drop": true})).await;
    house.hand.advance_ms(asked_at().await - house.clock.now_ms());
    house.balance_is("5").await;
    house.gateway.assert_books().await;
}

/// Who asks waits for so long and no longer, and asks again; others are asked about meanwhile.
async fn fault_47_a_provider_that_never_answers_is_asked_again(on: On) {
    let house = House::on(on).await;
    let ordered = house.unreported().await;
    house.provider.press(&ordered.page, "pay").await;
    house.provider.faults(&json!({"drop": true, "answers": "hang"})).await;
    let asked_at = async || house.number("SELECT coalesce(max(ask_at), 0) FROM checkouts").await;
    let before = asked_at().await;
    house.hand.advance_ms(before - house.clock.now_ms());
    until("a question", async || (asked_at().await > before).then_some(())).await;
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("pending", "0"));
    // It answers again, and the question that hangs keeps nobody from asking.
    house.provider.faults(&json!({"drop": true})).await;
    house.hand.advance_ms(asked_at().await - house.clock.now_ms());
    house.balance_is("5").await;
    assert_eq!(house.number("SELECT count(*) FROM payments WHERE state = 'paid'").await, 1);
    house.gateway.assert_books().await;
}

/// Whoever orders is told after so long that there is no page; the order is there, and ends.
async fn fault_47_a_page_that_never_comes_is_a_clear_refusal(on: On) {
    let house = House::on(on).await;
    house.provider.faults(&json!({"drop": true, "answers": "hang"})).await;
    let since = Instant::now();
    let (status, told) = house.create(&json!({"amount_usd": 5, "wallet": "GCASH"})).await;
    assert_eq!((status.as_u16(), told["code"].as_str()), (502, Some("CHECKOUT_UNAVAILABLE")), "{told}");
    assert!(since.elapsed() < limits::CHECKOUT_CALL * 2, "{:?}", since.elapsed());
    assert_eq!(house.number("SELECT count(*) FROM topup_order WHERE status = 'pending'").await, 1);
    house.provider.faults(&json!({"drop": true})).await;
    house.hand.advance_ms(MINUTE_MS);
    until("its end", async || {
        let failed = "SELECT count(*) FROM topup_order WHERE status = 'failed' AND failure_code = 'PAYMENT_CANCELLED'";
        (house.number(failed).await == 1).then_some(())
    })
    .await;
    assert_eq!(house.balance().await, "0");
}

/// The order is there before the provider is called, and stays: what was lost on the way back may have been done.
async fn fault_47_a_page_that_is_not_opened_for_certain_is_a_clear_refusal_and_nothing_is_lost(on: On) {
    let house = House::on(on).await;
    let body = json!({"amount_usd": 5, "wallet": "GCASH"});
    let mut orders = 0;
    for answers in [json!("error"), json!("undecided"), json!("forged"), json!("unsigned"), json!("oversized")] {
        house.provider.faults(&json!({"answers": answers})).await;
        let (status, told) = house.create(&body).await;
        assert_eq!((status.as_u16(), told["code"].as_str()), (502, Some("CHECKOUT_UNAVAILABLE")), "{answers}: {told}");
        orders += 1;
        let waiting = house.number("SELECT count(*) FROM topup_order WHERE status = 'pending'").await;
        assert_eq!(waiting, orders, "{answers}");
    }
    // A refusal that is certain ends the order at once.
    house.provider.faults(&json!({"answers": {"refused": "RISK_REJECT"}})).await;
    let (status, told) = house.create(&body).await;
    assert_eq!((status.as_u16(), told["code"].as_str()), (502, Some("CHECKOUT_UNAVAILABLE")), "{told}");
    assert_eq!(house.number("SELECT count(*) FROM topup_order WHERE status = 'failed'").await, 1);
    // Pages that nobody was given are given up at the provider, long before they would be over.
    house.provider.faults(&json!({})).await;
    house.hand.advance_ms(MINUTE_MS);
    let ended = async || {
        let failed = "SELECT count(*) FROM topup_order WHERE status = 'failed' AND failure_code = 'PAYMENT_CANCELLED'";
        (house.number(failed).await == orders).then_some(())
    };
    until("their end", ended).await;
    assert_eq!(house.balance().await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_expires_when_its_provider_has_given_it_up() {
    let house = House::open().await;
    let (left, slow) = (house.order().await, house.order().await);
    house.provider.faults(&json!({"answers": "undecided"})).await;
    house.hand.advance_ms(10 * MINUTE_MS);
    assert_eq!(house.status(&left).await, "expired", "shown so, as it cannot be paid any more");
    let first = house.number("SELECT min(ask_at) FROM checkouts").await;
    until("a question", async || (house.number("SELECT min(ask_at) FROM checkouts").await > first).then_some(())).await;
    let pending = "SELECT count(*) FROM topup_order WHERE status = 'pending'";
    assert_eq!(house.number(pending).await, 2, "nobody knows that it was not paid");
    house.provider.faults(&json!({})).await;
    house.hand.advance_ms(5 * MINUTE_MS);
    until("their end", async || (house.number(pending).await == 0).then_some(())).await;
    assert_eq!(house.number("SELECT count(*) FROM topup_order WHERE status = 'expired'").await, 2);
    // The page is over there too: whoever kept it open cannot pay any more.
    let page = client().get(&slow.page).send().await.expect("an answer").text().await.expect("a page");
    assert!(page.contains("This payment was cancelled."), "{page}");
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_payer_gives_up_or_fails_at_is_over() {
    let house = House::open().await;
    let (cancelled, failed) = (house.unreported().await, house.unreported().await);
    house.provider.press(&cancelled.page, "cancel").await;
    house.provider.press(&failed.page, "fail").await;
    house.hand.advance_ms(10 * SECOND_MS);
    for (ordered, code) in [(&cancelled, "PAYMENT_CANCELLED"), (&failed, "PAYMENT_FAILED")] {
        house.status_is(ordered, "failed").await;
        assert_eq!(house.found(ordered).await["failure"]["code"], code);
    }
}

/// Paid when its time was over, and reported: it is credited as late.
#[tokio::test(flavor = "multi_thread")]
async fn money_that_comes_when_the_order_is_over_is_credited() {
    let house = House::open().await;
    let ordered = house.unreported().await;
    let paid = house.paid(&ordered, "P-late");
    // Before the provider could be told that it is given up.
    house.provider.faults(&json!({"drop": true, "answers": "undecided"})).await;
    house.hand.advance_ms(10 * MINUTE_MS);
    assert_eq!(house.post(&paid).await, (200, String::new()));
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("success", "5"));
    house.gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_orders_wait_on_a_page_and_no_more() {
    let house = House::open().await;
    for _ in 0..20 {
        house.order().await;
    }
    let (status, told) = house.create(&json!({"amount_usd": 5, "wallet": "GCASH"})).await;
    assert_eq!((status.as_u16(), told["code"].as_str()), (429, Some("RATE_LIMITED")), "{told}");
    house.hand.advance_ms(10 * MINUTE_MS);
    house.order().await;
}

/// The order is given up, and the cancellation is on its way to the provider when the person pays after all. A notice reports the
/// money; the cancellation gives it back.
#[tokio::test(flavor = "multi_thread")]
async fn money_that_a_cancellation_on_its_way_gives_back_is_not_credited() {
    let house = House::open().await;
    let ordered = house.unreported().await;
    house.provider.faults(&json!({"drop": true, "hold": "cancel"})).await;
    // A moment before the end the person presses, and the provider takes its time.
    let paying = house.paid(&ordered, "P-race");
    house.hand.advance_ms(10 * MINUTE_MS);
    until("it to be given up", async || {
        (house.number("SELECT count(*) FROM checkouts WHERE gives_up = 1").await == 1).then_some(())
    })
    .await;
    let ask_at = async || house.number("SELECT coalesce(min(ask_at), 0) FROM checkouts").await;
    assert!(ask_at().await >= house.clock.now_ms() + SETTLED_MS, "nobody asks while it is on its way");
    house.hand.advance_ms(10 * SECOND_MS);
    assert_eq!(house.post(&paying).await, (200, String::new()));
    assert!(ask_at().await >= house.clock.now_ms() + SETTLED_MS, "nor because of a notice");
    house.provider.faults(&json!({"drop": true})).await;
    until("the end", async || {
        // Where this machine was so slow that the call was given up: it is called again.
        house.hand.advance_ms(SETTLED_MS);
        (house.number("SELECT count(*) FROM checkouts WHERE ask_at IS NOT NULL").await == 0).then_some(())
    })
    .await;
    let page = client().get(&ordered.page).send().await.expect("an answer").text().await.expect("a page");
    assert!(page.contains("This payment was cancelled."), "{page}");
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("expired", "0"));
    let given_up = house.number("SELECT count(*) FROM payments WHERE state = 'void'").await;
    let open = house.number("SELECT count(*) FROM payments WHERE state = 'claimed'").await;
    assert_eq!((given_up, open), (1, 0), "what the notice has reported is given up with the order");
    house.gateway.assert_books().await;
}

/// The provider has said that somebody is paying, and then nothing comes of it: the order ends like any other, only later.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_that_was_begun_and_left_is_given_up() {
    let house = House::open().await;
    let ordered = house.unreported().await;
    let mut pending = paid(&ordered.trade_no, "P-left", "500");
    pending["notifyType"] = json!("PAYMENT_PENDING");
    assert_eq!(house.post(&house.says(&pending)).await, (200, String::new()));
    assert_eq!(house.status(&ordered).await, "settling");
    let ask_at = async || house.number("SELECT coalesce(min(ask_at), 0) FROM checkouts").await;
    for minutes in [11, 20] {
        house.hand.advance_ms(minutes * MINUTE_MS);
        until("a question", async || (ask_at().await > house.clock.now_ms()).then_some(())).await;
        assert_eq!(house.status(&ordered).await, "settling", "who pays slowly has time");
    }
    house.hand.advance_ms(20 * MINUTE_MS);
    house.status_is(&ordered, "failed").await;
    assert_eq!(house.found(&ordered).await["failure"]["code"], "PAYMENT_CANCELLED");
    assert_eq!((house.balance().await.as_str(), ask_at().await), ("0", 0));
    house.gateway.assert_books().await;
}

/// The provider says that another amount was paid, whether or not it had said before that somebody was paying: a person is told, and
/// the order does not stay open for ever.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_paid_otherwise_than_it_asks_for_ends() {
    let house = House::open().await;
    house.provider.faults(&json!({"drop": true, "wrong_answers": true})).await;
    let (begun, open) = (house.order().await, house.order().await);
    let mut pending = paid(&begun.trade_no, "P-begun", "500");
    pending["notifyType"] = json!("PAYMENT_PENDING");
    assert_eq!(house.post(&house.says(&pending)).await, (200, String::new()));
    assert_eq!((house.status(&begun).await.as_str(), house.status(&open).await.as_str()), ("settling", "pending"));
    for ordered in [&begun, &open] {
        house.provider.press(&ordered.page, "pay").await;
    }
    house.hand.advance_ms(10 * SECOND_MS);
    for ordered in [&begun, &open] {
        house.status_is(ordered, "failed").await;
        let found = house.found(ordered).await;
        assert_eq!(found["failure"]["code"], "PAYMENT_UNFIT", "{found}");
    }
    assert_eq!(house.number("SELECT count(*) FROM audit_log WHERE action = 'topup.unfit'").await, 2);
    AlarmLog::of_this_test().ring("payment_mismatch", 2).await;
    assert_eq!(house.number("SELECT count(*) FROM checkouts WHERE ask_at IS NOT NULL").await, 0);
    assert_eq!(house.number("SELECT count(*) FROM payments WHERE state = 'claimed'").await, 0);
    assert_eq!(house.balance().await, "0");
    house.gateway.assert_books().await;
}

/// What an answer says of another order, or of none that it names, is nobody's payment: the question is asked again.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_for_another_order_or_for_none_credits_nothing() {
    let house = House::open().await;
    let ordered = house.unreported().await;
    let other = house.unreported().await;
    house.provider.press(&ordered.page, "pay").await;
    let asked_at = async || {
        let asked_at =
            format!("SELECT coalesce(max(ask_at), 0) FROM checkouts WHERE request_id = '{}'", ordered.trade_no);
        house.number(&asked_at).await
    };
    for named in [other.trade_no.as_str(), "tg-unknown", ""] {
        house.provider.faults(&json!({"drop": true, "answered_order": named})).await;
        for _ in 0..2 {
            let before = asked_at().await;
            house.hand.advance_ms(before - house.clock.now_ms());
            // The next question is on the disk before this one is asked: after two of them, one was answered.
            until("a question", async || (asked_at().await > before).then_some(())).await;
        }
        let stands = (house.status(&ordered).await, house.status(&other).await, house.balance().await);
        assert_eq!(stands, ("pending".to_owned(), "pending".to_owned(), "0".to_owned()), "{named:?}");
    }
    house.provider.faults(&json!({"drop": true})).await;
    house.hand.advance_ms(asked_at().await - house.clock.now_ms());
    house.balance_is("5").await;
    assert_eq!(house.status(&other).await, "pending");
    house.gateway.assert_books().await;
}

/// The provider cancels what it has reported as paid: the credit stands, and a person is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_credited_payment_that_its_provider_cancels_is_told_to_a_person() {
    let house = House::open().await;
    let ordered = house.unreported().await;
    house.provider.press(&ordered.page, "cancel").await;
    house.provider.faults(&json!({"drop": true, "hold_answer": "inquiryPayment"})).await;
    let before = house.number("SELECT max(ask_at) FROM checkouts").await;
    house.hand.advance_ms(10 * SECOND_MS);
    until("a question", async || (house.number("SELECT max(ask_at) FROM checkouts").await > before).then_some(()))
        .await;
    assert_eq!(house.post(&house.paid(&ordered, "P-odd")).await, (200, String::new()));
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("success", "5"));
    house.provider.faults(&json!({"drop": true})).await;
    until("a person to be told", async || {
        let told = "SELECT count(*) FROM audit_log WHERE action = 'topup.given_back'";
        (house.number(told).await == 1).then_some(())
    })
    .await;
    let rung = AlarmLog::of_this_test().ring("provider_refunded", 1).await;
    assert_eq!((&rung[0]["order"], &rung[0]["amount"]), (&json!(ordered.trade_no), &json!("5")), "{rung:?}");
    assert!(
        rung[0]["message"].as_str().is_some_and(|told| told.contains("`tollgate payment chargeback ORDER`")),
        "{rung:?}"
    );
    assert_eq!(house.balance().await, "5");
    house.gateway.assert_books().await;
}

/// A provider that says nothing for more than a day after the end: a person is told of each order, and what nobody was seen to pay
/// ends here.
#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_says_nothing_for_a_day_rings() {
    let house = House::open().await;
    let (left, begun) = (house.unreported().await, house.unreported().await);
    let mut pending = paid(&begun.trade_no, "P-begun", "500");
    pending["notifyType"] = json!("PAYMENT_PENDING");
    assert_eq!(house.post(&house.says(&pending)).await, (200, String::new()));
    house.provider.faults(&json!({"drop": true, "answers": "undecided"})).await;
    house.hand.advance_ms(10 * MINUTE_MS + 26 * 60 * MINUTE_MS);
    let rung = AlarmLog::of_this_test().ring("provider_silent", 2).await;
    for ordered in [&left, &begun] {
        assert!(rung.iter().any(|rung| rung["order"] == ordered.trade_no), "{rung:?}");
    }
    house.status_is(&left, "expired").await;
    // It reads as expired before that is written down.
    let expired = async || house.number("SELECT count(*) FROM topup_order WHERE status = 'expired'").await;
    until("the expiry to be written down", async || (expired().await == 1).then_some(())).await;
    assert_eq!((house.status(&begun).await.as_str(), house.balance().await.as_str()), ("settling", "0"));
    house.gateway.assert_books().await;
}

/// An order is given up, a notice reports that it is paid, and the provider says nothing more for longer than it is asked about
/// orders that nobody was seen to pay. This one is asked about until it answers, and credited then.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_a_notice_reports_as_paid_is_asked_about_until_the_provider_answers() {
    let house = House::open().await;
    let ordered = house.order().await;
    house.provider.faults(&json!({"answers": "undecided"})).await;
    // As where the provider was told to cancel, and the call was lost.
    let options = SqliteConnectOptions::new().filename(house.gateway.ledger());
    let mut ledger = options.connect().await.expect("a ledger");
    let given_up = sqlx::query("UPDATE checkouts SET gives_up = 1").execute(&mut ledger).await.expect("one row");
    assert_eq!(given_up.rows_affected(), 1);
    drop(ledger);
    house.provider.press(&ordered.page, "pay").await;
    let acted = async || house.number("SELECT count(*) FROM notices WHERE acted_at IS NOT NULL").await;
    until("the notice", async || (acted().await == 1).then_some(())).await;
    assert_eq!((house.status(&ordered).await.as_str(), house.balance().await.as_str()), ("pending", "0"));
    house.hand.advance_ms(10 * MINUTE_MS + 26 * 60 * MINUTE_MS);
    let rung = AlarmLog::of_this_test().ring("provider_silent", 1).await;
    assert_eq!(rung[0]["order"], ordered.trade_no, "{rung:?}");
    house.provider.faults(&json!({})).await;
    let next = house.number("SELECT coalesce(max(ask_at), 0) FROM checkouts").await;
    house.hand.advance_ms((next - house.clock.now_ms()).max(60 * MINUTE_MS));
    house.balance_is("5").await;
    assert_eq!(house.status(&ordered).await, "success");
    assert_eq!(house.number("SELECT count(*) FROM payments WHERE state = 'claimed'").await, 0);
    house.gateway.assert_books().await;
}

/// The configuration of a service on one ledger, in a folder.
pub(super) fn written(folder: &tempfile::TempDir, provider: &Provider, database: &str) -> String {
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file of ours");
        path.display().to_string()
    };
    let (merchant, key) = (file("merchant", published::MERCHANT_PRIVATE), file("provider", published::PROVIDER_PUBLIC));
    let text = format!(
        "public_url = \"http://127.0.0.1:9\"\ndata_dir = {:?}\n{database}[upstreams.main]\nbase_url = \"https://x\"\n[models.small]\n\
         context_tokens = 10\nmax_output_tokens = 5\nprice = {{ prompt = \"1\", completion = \"2\" }}\n\
         candidates = [{{ upstream = \"main\" }}]\n[topup.ewallet]\nbase_url = {:?}\nclient_id = {:?}\n\
         merchant_key_file = {merchant:?}\nprovider_key_file = {key:?}\n",
        folder.path(),
        provider.url,
        published::CLIENT_ID,
    );
    file("tollgate.toml", &text)
}

/// Of two servers on one ledger, one makes the orders and dies; the other asks, and each order is credited once.
#[tokio::test(flavor = "multi_thread")]
async fn another_server_asks_about_the_orders_of_one_that_died() {
    let provider = Provider::start(Clock::system(), 1_000_000);
    provider.faults(&json!({"drop": true})).await;
    let url = database(On::Server).await.expect("a server");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = written(&folder, &provider, &table(&url));
    let args = ["--config", &*config];
    let tell = |more: &[&str]| run_json(&[&args[..], more].concat());
    assert!(tell(&["account", "create", "a"]).0);
    let key = tell(&["key", "create", "--account", "a"]).1["key"].as_str().expect("a key").to_owned();
    let beside = tempfile::tempdir().expect("a temporary folder");
    let first = Served::start(&args);
    let beside = beside.path().display().to_string();
    let (second, third) =
        (Served::start(&[&args[..], &["--data", &beside]].concat()), tempfile::tempdir().expect("a folder"));
    let third = Served::start(&[&args[..], &["--data", &third.path().display().to_string()]].concat());
    for _ in 0..3 {
        let request = client().post(format!("{}{ORDERS}", first.url())).bearer_auth(&key);
        let made = request.json(&json!({"amount_usd": 5, "wallet": "DANA"})).send().await.expect("an answer");
        let made: Value = made.json().await.expect("JSON");
        provider.press(made["data"]["checkout_url"].as_str().unwrap_or_else(|| panic!("{made}")), "pay").await;
    }
    first.kill();
    let balance = async || {
        let asked = client().get(format!("{}/api/user/self/balance", second.url())).bearer_auth(&key);
        let told = exact(&asked.send().await.ok()?.text().await.ok()?);
        (amount(&told["data"]["quota_usd"]) == "15").then_some(())
    };
    until("all three", balance).await;
    assert!(second.terminate() && third.terminate());
    let (clean, report) = tell(&["audit"]);
    assert!(clean, "{report}");
}

/// A provider that got another name, or whose rail was switched off: nobody asks about what is open there, and that is told.
#[tokio::test(flavor = "multi_thread")]
async fn checkouts_of_a_provider_that_is_gone_are_told() {
    let provider = Provider::start(Clock::system(), 1_000_000);
    provider.faults(&json!({"drop": true})).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = written(&folder, &provider, "");
    let args = ["--config", &*config];
    let tell = |more: &[&str]| run_json(&[&args[..], more].concat());
    assert!(tell(&["account", "create", "a"]).0);
    let key = tell(&["key", "create", "--account", "a"]).1["key"].as_str().expect("a key").to_owned();
    let served = Served::start(&args);
    let request = client().post(format!("{}{ORDERS}", served.url())).bearer_auth(&key);
    let made = request.json(&json!({"amount_usd": 5, "wallet": "DANA"})).send().await.expect("an answer");
    assert_eq!(made.status(), 200);
    assert!(served.terminate());
    assert_eq!(tell(&["check"]).1["stranded"], json!([]));
    let text = std::fs::read_to_string(&config).expect("it was written");
    for more in ["provider = \"renamed\"\n", "enabled = false\n"] {
        std::fs::write(&config, format!("{text}{more}")).expect("a file of ours");
        let (ok, told) = tell(&["check"]);
        assert_eq!((ok, &told["stranded"]), (true, &json!([{"provider": "antom", "checkouts": 1}])), "{more}: {told}");
        let output = tollgate_tests::binary::run(&[&args[..], &["check"]].concat());
        let told = String::from_utf8(output.stdout).expect("text");
        assert!(told.contains("1 open checkouts of the payment provider `antom`"), "{told}");
        std::fs::write(&config, format!("{text}{more}[log]\nformat = \"json\"\n")).expect("a file of ours");
        let (served, log) = Served::start_logged(&args);
        let rung = alarm_in(&log, "orphaned_payments");
        assert_eq!(rung["count"], 1, "{more}: {rung}");
        assert!(rung["of"].as_str().is_some_and(|of| of.contains("`antom`")), "{more}: {rung}");
        assert!(served.terminate());
    }
}

on_both!(
    fault_46_a_payment_that_nobody_reports_is_found_by_asking,
    fault_47_a_page_that_is_not_opened_for_certain_is_a_clear_refusal_and_nothing_is_lost,
    fault_47_a_page_that_never_comes_is_a_clear_refusal,
    fault_47_a_provider_that_is_not_certain_is_asked_again_by_the_same_name,
    fault_47_a_provider_that_never_answers_is_asked_again,
);
