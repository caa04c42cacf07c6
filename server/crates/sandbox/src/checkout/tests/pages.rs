//! Actions on the page, and the notices that the merchant gets of them.

use super::*;

fn paid() -> NoticeOutcome {
    NoticeOutcome::Paid { amount: Cents::new(1234).unwrap(), at_ms: Some(NOW) }
}

#[tokio::test]
async fn a_page_shows_what_is_paid_and_needs_no_script() {
    let shop = Shop::open().await;
    let session = shop.antom.create(&order("tg-page", &shop)).await.unwrap();
    let page = shop.http.get(&session.url).send().await.unwrap();
    assert!(page.headers()["content-security-policy"].to_str().unwrap().starts_with("default-src 'none'"));
    let html = page.text().await.unwrap();
    for part in ["12.34 USD", "GCash", "tg-page", "Sandbox", "/pay\"", "/fail\"", "/cancel\"", "/pay-later\"", "dark"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<script") && !html.contains("src="), "{html}");
    assert_eq!(shop.press(&order("tg-page", &shop), "fail").await, "https://shop.example/paid?order=1&x=%22");
    let html = shop.http.get(&session.url).send().await.unwrap().text().await.unwrap();
    assert!(html.contains("This payment failed.") && !html.contains("<form"), "{html}");
    for missing in [format!("{}/checkout/none", shop.provider), format!("{}x", session.url)] {
        assert_eq!(shop.http.get(&missing).send().await.unwrap().status(), 404, "{missing}");
    }
    let other = shop.antom.create(&order("tg-other", &shop)).await.unwrap();
    assert_eq!(shop.http.post(format!("{}/steal", other.url)).send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn a_payment_is_reported_and_told_when_it_is_asked_for() {
    let mut shop = Shop::open().await;
    shop.press(&order("tg-1", &shop), "pay").await;
    let notice = shop.arrived().await.read.unwrap();
    assert_eq!((notice.trade_no.as_str(), &notice.outcome, notice.sent_at_ms), ("tg-1", &paid(), NOW));
    let expected =
        ProviderStatus::Paid { payment_id: notice.payment_id, amount: Cents::new(1234).unwrap(), at_ms: Some(NOW) };
    assert_eq!(shop.status("tg-1").await.unwrap(), expected);
    shop.press(&order("tg-1", &shop), "fail").await;
    assert_eq!(shop.status("tg-1").await.unwrap(), expected, "a page that is over does nothing");
    let sent = shop.sent().await;
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((&sent[0]["acknowledged"], &sent[0]["signed"]), (&true.into(), &true.into()), "{sent:?}");
    assert!(shop.is_quiet());
}

#[tokio::test]
async fn a_failure_is_reported_and_a_cancellation_is_not() {
    let mut shop = Shop::open().await;
    shop.press(&order("tg-c", &shop), "cancel").await;
    assert_eq!(shop.status("tg-c").await.unwrap(), ProviderStatus::Cancelled);
    shop.press(&order("tg-f", &shop), "fail").await;
    let code = "USER_PAYMENT_FAILED".to_owned();
    assert_eq!(shop.outcome().await, Ok(NoticeOutcome::Failed { code: code.clone() }), "the first that is reported");
    assert_eq!(shop.status("tg-f").await.unwrap(), ProviderStatus::Failed { code });
}

#[tokio::test]
async fn a_payment_can_be_made_when_the_order_is_over() {
    let mut shop = Shop::open().await;
    let soon = CheckoutOrder { expires_at_ms: NOW + 20, ..order("tg-l", &shop) };
    shop.press(&soon, "pay-later").await;
    assert_eq!(shop.status("tg-l").await.unwrap(), ProviderStatus::Unpaid);
    assert_eq!(shop.outcome().await, Ok(paid()));
    let past = CheckoutOrder { expires_at_ms: NOW, ..order("tg-p", &shop) };
    shop.press(&past, "pay").await;
    assert_eq!(shop.status("tg-p").await.unwrap(), ProviderStatus::Unpaid, "too late for this page");
}

#[tokio::test]
async fn a_notice_is_repeated_byte_for_byte_until_it_is_acknowledged() {
    let mut shop = Shop::open().await;
    shop.decline(2);
    shop.press(&order("tg-r", &shop), "pay").await;
    let first = shop.arrived().await.bytes;
    for _ in 0..2 {
        let again = shop.arrived().await.bytes;
        assert_eq!((&again.0, again.1.get(SIGNATURE)), (&first.0, first.1.get(SIGNATURE)));
    }
    shop.decline(u32::MAX);
    shop.press(&order("tg-n", &shop), "pay").await;
    for _ in 0..8 {
        assert_eq!(shop.arrived().await.read.unwrap().trade_no, "tg-n", "the other one is not repeated any more");
    }
    shop.decline(0);
    shop.press(&order("tg-e", &shop), "pay").await;
    assert_eq!(shop.arrived().await.read.unwrap().trade_no, "tg-e", "eight are all");
}
