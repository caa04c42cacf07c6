//! Each fault of the provider, and what the merchant makes of it.

use super::*;
use tollgate_base::Clock;

fn paid(cents: i64) -> Result<NoticeOutcome, NoticeRefused> {
    Ok(NoticeOutcome::Paid { amount: Cents::new(cents).unwrap(), at_ms: Some(NOW) })
}

#[tokio::test]
async fn notices_that_are_wrong_are_seen_to_be() {
    let mut shop = Shop::open().await;
    let forged = |bad| Err(NoticeRefused::Forged(AuthenticityError::Signature(bad)));
    let cases = [
        ("{}", paid(1234)),
        (r#"{"wrong_amount": true}"#, paid(12_340)),
        (r#"{"currency": "SGD"}"#, Err(NoticeRefused::Unfit(UnusableNotice::Currency))),
        (r#"{"forged_signature": true}"#, forged(BadSignature::Wrong)),
        (r#"{"key_version": "2"}"#, forged(BadSignature::KeyVersion { version: "2".to_owned() })),
        (r#"{"clock_ahead_ms": 300000}"#, paid(1234)),
        (r#"{"clock_ahead_ms": 300001}"#, Err(NoticeRefused::Forged(AuthenticityError::Future))),
        (r#"{"clock_ahead_ms": -90000000}"#, paid(1234)),
        (r#"{"clock_ahead_ms": -90000001}"#, Err(NoticeRefused::Forged(AuthenticityError::TooOld))),
    ];
    for (number, (faults, expected)) in cases.into_iter().enumerate() {
        let name = format!("tg-{number}");
        let session = shop.antom.create(&order(&name, &shop)).await.unwrap();
        shop.faults(faults).await;
        shop.http.post(format!("{}/pay", session.url)).send().await.unwrap();
        let repeated = if expected.is_ok() { 1 } else { 8 };
        for _ in 0..repeated {
            assert_eq!(shop.outcome().await, expected, "{faults}");
        }
        shop.faults("{}").await;
    }
}

#[tokio::test]
async fn notices_come_late_twice_in_disorder_or_never() {
    let mut shop = Shop::open().await;
    shop.faults(r#"{"drop": true}"#).await;
    shop.press(&order("tg-drop", &shop), "pay").await;
    assert!(matches!(shop.status("tg-drop").await.unwrap(), ProviderStatus::Paid { .. }), "asking finds it");
    for (faults, expected) in [
        (r#"{"delay_ms": 1}"#, vec![paid(1234)]),
        (r#"{"pending_first": true}"#, vec![Ok(NoticeOutcome::Pending), paid(1234)]),
        (r#"{"pending_first": true, "reorder": true}"#, vec![paid(1234), Ok(NoticeOutcome::Pending)]),
        (r#"{"duplicate": 20}"#, vec![paid(1234); 21]),
    ] {
        shop.faults(faults).await;
        shop.press(&order(&format!("tg-{}", faults.len()), &shop), "pay").await;
        for expected in expected {
            assert_eq!(shop.outcome().await, expected, "{faults}");
        }
        assert!(shop.is_quiet(), "{faults}");
    }
}

#[tokio::test]
async fn one_name_can_come_for_two_payments() {
    let mut shop = Shop::open().await;
    shop.faults(r#"{"payment_id": "P-twice"}"#).await;
    let mut seen = Vec::new();
    for name in ["tg-1", "tg-2"] {
        shop.press(&order(name, &shop), "pay").await;
        let notice = shop.arrived().await.read.unwrap();
        seen.push((notice.trade_no, notice.payment_id.to_string()));
    }
    assert_eq!(seen, [("tg-1".into(), "P-twice".into()), ("tg-2".into(), "P-twice".into())]);
}

/// Whatever the answer is, the payment is asked for again by the same name, and is the same.
#[tokio::test]
async fn an_answer_that_is_not_certain_is_never_a_failure() {
    let shop = Shop::open().await;
    let asked = order("tg-1", &shop);
    let session = shop.antom.create(&asked).await.unwrap();
    for (answers, expected) in [
        (r#""error""#, "Status(500)"),
        (r#""undecided""#, "Open { code: \"UNKNOWN_EXCEPTION\" }"),
        (r#"{"refused": "PROCESS_FAIL"}"#, "Open { code: \"PROCESS_FAIL\" }"),
        (r#"{"refused": "A_NEW_CODE"}"#, "Open { code: \"A_NEW_CODE\" }"),
        (r#""forged""#, "Unsigned(Wrong)"),
        (r#""unsigned""#, "Unsigned(Header)"),
        (r#""oversized""#, "TooLarge"),
    ] {
        shop.faults(&format!(r#"{{"answers": {answers}}}"#)).await;
        let name = OrderRef { trade_no: "tg-1" };
        let tries = [shop.antom.create(&asked).await.map(drop), shop.antom.inquire(name).await.map(drop)];
        for tried in tries {
            match tried {
                Err(ProviderError::Unknown(unsure)) => assert_eq!(format!("{unsure:?}"), expected, "{answers}"),
                other => panic!("{answers}: {other:?}"),
            }
        }
        shop.faults("{}").await;
        assert_eq!(shop.antom.create(&asked).await.unwrap(), session, "{answers}");
    }
    for (order, expected) in [("tg-2", "another order"), ("", "cannot be read")] {
        shop.faults(&format!(r#"{{"answered_order": "{order}"}}"#)).await;
        match shop.status("tg-1").await {
            Err(ProviderError::Unknown(unsure)) => assert!(unsure.to_string().contains(expected), "{order}: {unsure}"),
            other => panic!("{order}: {other:?}"),
        }
    }
    shop.faults(r#"{"clock_ahead_ms": 300001}"#).await;
    let untimely = shop.status("tg-1").await.unwrap_err();
    assert!(matches!(untimely, ProviderError::Unknown(UncertainAnswer::Untimely)), "{untimely:?}");
    let nowhere = Antom::new(shop::config("http://127.0.0.1:1"), Clock::manual(NOW).0).unwrap();
    let unreachable = nowhere.create(&asked).await.unwrap_err();
    assert!(matches!(unreachable, ProviderError::Unknown(UncertainAnswer::Unreachable(_))), "{unreachable:?}");
}

/// The clock of the runtime runs ahead while nothing comes, so that nobody waits for the ten seconds.
#[tokio::test]
async fn a_provider_that_hangs_is_not_waited_for() {
    let shop = Shop::open().await;
    let asked = order("tg-1", &shop);
    shop.faults(r#"{"answers": "hang"}"#).await;
    tokio::time::pause();
    let hung = shop.antom.create(&asked).await.unwrap_err();
    assert!(matches!(hung, ProviderError::Unknown(UncertainAnswer::TooSlow)), "{hung:?}");
}
