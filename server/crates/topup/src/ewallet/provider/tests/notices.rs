//! Notices that are the provider's: what they say, and those that say nothing that can be acted on.

use super::*;

/// A notice with one text in it replaced.
fn read(from: &str, to: &str) -> Result<NoticeOutcome, UnusableNotice> {
    assert!(NOTICE.contains(from), "{from}");
    notice::read(NOTICE.replace(from, to).as_bytes(), NOW).map(|notice| notice.outcome)
}

const PAID_AT: Option<i64> = Some(NOW);

fn paid(cents: i64) -> Result<NoticeOutcome, UnusableNotice> {
    Ok(NoticeOutcome::Paid { amount: Cents::new(cents).unwrap(), at_ms: PAID_AT })
}

#[test]
fn a_notice_names_order_payment_amount_and_time() {
    let notice = notice::read(NOTICE.as_bytes(), NOW).unwrap();
    assert_eq!((notice.trade_no.as_str(), notice.sent_at_ms), ("T20261121-0001", NOW));
    assert_eq!(notice.payment_id.as_str(), "20261121194010800100188000000001");
    assert_eq!(Ok(notice.outcome), paid(1234));
}

#[test]
fn only_a_result_that_is_a_success_is_money() {
    let failed = |code: &str| Ok(NoticeOutcome::Failed { code: code.to_owned() });
    for (from, to, expected) in [
        ("PAYMENT_RESULT", "PAYMENT_RESULT", paid(1234)),
        ("PAYMENT_RESULT", "PAYMENT_PENDING", Ok(NoticeOutcome::Pending)),
        ("\"resultStatus\":\"S\"", "\"resultStatus\":\"F\"", failed("SUCCESS")),
        ("\"resultStatus\":\"S\"", "\"resultStatus\":\"U\"", Ok(NoticeOutcome::Pending)),
        ("\"resultStatus\":\"S\"", "\"resultStatus\":\"s\"", Ok(NoticeOutcome::Pending)),
        ("\"resultStatus\":\"S\"", "\"resultStatus\":\"\"", Ok(NoticeOutcome::Pending)),
        ("PAYMENT_RESULT", "CAPTURE_RESULT", Err(UnusableNotice::Type)),
        ("PAYMENT_RESULT", "payment_result", Err(UnusableNotice::Type)),
        ("PAYMENT_RESULT", "", Err(UnusableNotice::Type)),
    ] {
        assert_eq!(read(from, to), expected, "{to}");
    }
}

#[test]
fn amounts_are_cents_of_a_dollar_in_plain_digits() {
    for (to, expected) in [
        (r#"{"currency":"USD","value":"1"}"#, paid(1)),
        (r#"{"value":"1234","currency":"USD","more":[]}"#, paid(1234)),
        (r#"{"currency":"USD","value":"999999999999999"}"#, paid(999_999_999_999_999)),
        (r#"{"currency":"SGD","value":"1234"}"#, Err(UnusableNotice::Currency)),
        (r#"{"currency":"usd","value":"1234"}"#, Err(UnusableNotice::Currency)),
        (r#"{"currency":"","value":"1234"}"#, Err(UnusableNotice::Currency)),
        (r#"{"currency":"USD","value":"12.34"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"0"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"01234"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"+1234"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"-1234"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":" 1234"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"1e3"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"١٢٣٤"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":""}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"9999999999999999"}"#, Err(UnusableNotice::Amount)),
        (r#"{"currency":"USD","value":"99999999999999999999"}"#, Err(UnusableNotice::Amount)),
        ("null", Err(UnusableNotice::Amount)),
    ] {
        assert_eq!(read(r#"{"currency":"USD","value":"1234"}"#, to), expected, "{to}");
    }
}

#[test]
fn names_are_short_and_visible() {
    for name in ["", " ", "a b", "a\\u0000", "a\\n", "\u{e9}", &"x".repeat(65)] {
        for from in ["T20261121-0001", "20261121194010800100188000000001"] {
            assert_eq!(read(from, name), Err(UnusableNotice::Name), "{name:?}");
        }
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_not_read() {
    let amount = r#""paymentAmount":{"currency":"USD","value":"1234"}"#;
    for (from, to) in [
        (amount, format!(r#"{amount},"paymentAmount":{{"currency":"USD","value":"9999"}}"#)),
        (amount, format!(r#"{amount},"payment\u0041mount":{{"currency":"USD","value":"9999"}}"#)),
        (r#""value":"1234""#, r#""value":"1234","value":"9999""#.to_owned()),
        (r#""value":"1234""#, r#""value":1234"#.to_owned()),
        (r#""value":"1234""#, r#""value":["1234"]"#.to_owned()),
        (r#""currency":"USD","#, String::new()),
        (r#""resultStatus":"S""#, r#""resultStatus":"F","resultStatus":"S""#.to_owned()),
        (r#""resultStatus":"S""#, r#""resultStatus":true"#.to_owned()),
        (
            r#""notifyType":"PAYMENT_RESULT","#,
            r#""notifyType":"PAYMENT_PENDING","notifyType":"PAYMENT_RESULT","#.to_owned(),
        ),
        (r#""paymentRequestId":"T20261121-0001","#, String::new()),
        (r#""paymentRequestId":"T20261121-0001""#, r#""paymentRequestId":20261121"#.to_owned()),
        ("}}", "}} x".to_owned()),
    ] {
        let body = NOTICE.replacen(from, &to, 1);
        let body = if from == "}}" { format!("{NOTICE} x") } else { body };
        let read = notice::read(body.as_bytes(), NOW);
        assert!(matches!(read, Err(UnusableNotice::Unreadable(_))), "{to}: {read:?}");
    }
    for body in [&b""[..], b"null", b"[]", b"\xff", b"{\"notifyType\":\"\xff\"}", "[".repeat(10_000).as_bytes()] {
        assert!(matches!(notice::read(body, NOW), Err(UnusableNotice::Unreadable(_))));
    }
}
