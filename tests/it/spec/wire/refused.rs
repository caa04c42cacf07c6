//! What does not fit is refused, with the field and what was expected of it.

use tollgate_macros::Wire;

use crate::api::Usd;
use crate::api::wire::{ValueDecodeErrorKind, read};

use super::{Block, Chat, Closed, Free, Nothing, Usage, check_refused, refused, survives};

#[test]
fn closed_shapes_refuse_what_they_do_not_know() {
    check_refused::<Usage>(&[
        (
            r#"{"promt_tokens":1}"#,
            "`promt_tokens`: expected a known field (did you mean `prompt_tokens`?), found `promt_tokens`",
        ),
        (r#"{"zzz":1}"#, "`zzz`: expected one of `prompt_tokens`, `cached`, `shares`, `object`, found `zzz`"),
        (r#"{"prompt_tokens":1,"prompt_tokens":1}"#, "`prompt_tokens`: expected the field once, found it twice"),
    ]);
    check_refused::<Nothing>(&[(r#"{"a":1}"#, "`a`: expected no field at all, found `a`")]);
    let long = format!(r#"{{"{}":1}}"#, "x`".repeat(1_000_000));
    assert!(refused::<Usage>(&long).to_string().len() < 1_000, "a client's text is not repeated without bound");
}

#[test]
fn an_open_shape_refuses_a_known_field_that_stands_twice() {
    let text = r#"{"model":"m","x":1,"model":"m","messages":[]}"#;
    assert_eq!(refused::<Chat>(text).to_string(), "`model`: expected the field once, found it twice");
}

#[test]
fn integers_refuse_fractions_and_what_does_not_fit() {
    let with = |n: &str| format!(r#"{{"prompt_tokens":{n},"cached":null,"object":"usage"}}"#);
    let range = "a whole number from 0 to 4294967295";
    for (number, found) in [
        ("1.0", "1.0"),
        ("1e3", "1000.0"),
        ("-1", "-1"),
        ("4294967296", "4294967296"),
        ("18446744073709551616", "1.8446744073709552e19"),
    ] {
        let refusal = refused::<Usage>(&with(number));
        assert_eq!(refusal.to_string(), format!("`prompt_tokens`: expected {range}, found {found}"));
        assert_eq!((refusal.kind, refusal.path.as_deref()), (ValueDecodeErrorKind::Value, Some("prompt_tokens")));
    }
    let refusal = refused::<Usage>(&with("\"1\""));
    assert_eq!(refusal.to_string(), "`prompt_tokens`: expected a whole number, found a string");
}

#[test]
fn bounds_name_the_field_and_the_bound() {
    let turn = r#"{"role":"user","content":[]}"#;
    let with = |model: &str, turns: usize, more: &str| {
        format!(r#"{{"model":"{model}","messages":[{}]{more}}}"#, vec![turn; turns].join(","))
    };
    survives::<Chat>(&with("éééééééé", 3, r#","n":100,"temperature":2.0,"metadata":{"b":"1","a":"2"}"#));
    for (text, complaint) in [
        (with("", 1, ""), "`model`: expected a text of 1 to 8 characters, found one of 0"),
        (with("ééééééééé", 1, ""), "`model`: expected a text of 1 to 8 characters, found one of 9"),
        (with("m", 0, ""), "`messages`: expected a list of 1 to 3 items, found one of 0"),
        (with("m", 4, ""), "`messages`: expected at most 3 items, found more"),
        (with("m", 1, r#","n":0"#), "`n`: expected a value of 1 to 100, found 0"),
        (with("m", 1, r#","temperature":1e400"#), "`temperature`: expected a value of 0 to 2, found 1e400"),
        (with("m", 1, r#","temperature":-0.1"#), "`temperature`: expected a value of 0 to 2, found -0.1"),
        (with("m", 1, r#","temperature":"1""#), "`temperature`: expected a number, found a string"),
        (with("m", 1, r#","metadata":{"a":"","b":"","c":""}"#), "`metadata`: expected at most 2 items, found more"),
        (with("m", 1, r#","metadata":{"a":"","a":""}"#), "`metadata.a`: expected the name once, found it twice"),
    ] {
        assert_eq!(refused::<Chat>(&text).to_string(), complaint);
    }
}

#[test]
fn complaints_name_the_path() {
    for (text, complaint) in [
        (r#"{"messages":[]}"#, "`messages`: expected a list of 1 to 3 items, found one of 0"),
        (r#"{"model":"m"}"#, "`messages`: missing"),
        (r#"{"model":"m","messages":[{"role":"user","content":[]},{"content":[]}]}"#, "`messages[1].role`: missing"),
        (
            r#"{"model":"m","messages":[{"role":"usr","content":[]}]}"#,
            "`messages[0].role`: expected one of `user`, `assistant` (did you mean `user`?), found `usr`",
        ),
        (
            r#"{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":1}]}]}"#,
            "`messages[0].content[1].text`: expected a string, found a number",
        ),
        (
            r#"{"model":"m","messages":[{"role":"user","content":[{"content":[{"text":[],"type":"text"}],"type":"group"}]}]}"#,
            "`messages[0].content[0].content[0].text`: expected a string, found a list",
        ),
        (
            r#"{"model":"m","messages":[{"role":"user","content":[]}],"usage":{"prompt_tokens":1.5}}"#,
            "`usage.prompt_tokens`: expected a whole number from 0 to 4294967295, found 1.5",
        ),
        (
            r#"{"model":"m","messages":[{"role":"user","content":[]}],"metadata":{"a":{}}}"#,
            "`metadata.a`: expected a string, found an object",
        ),
        (r#"{"model":"m","messages":{}}"#, "`messages`: expected a list, found an object"),
    ] {
        let refusal = refused::<Chat>(text);
        assert_eq!(refusal.to_string(), complaint, "{text}");
        // The path is in the text of plain serde_json's error as well.
        let error = serde_json::from_str::<Chat>(text).expect_err("is refused").to_string();
        assert!(error.starts_with(&format!("`{}`: ", refusal.path.expect("a path"))), "{error}");
    }
    let refusal = refused::<Chat>("[]");
    assert_eq!((refusal.path.as_deref(), refusal.to_string().as_str()), (None, "expected an object, found a list"));
    let under = refused::<Usage>("{}").under("[3]").under("list");
    assert_eq!(under.path.as_deref(), Some("list[3].prompt_tokens"));
}

#[test]
fn what_is_no_json_is_told_from_a_field_at_fault() {
    for text in ["", "{", r#"{"usage":{"prompt_tokens":1,}}"#, r#"{"model":"m""#, r#"{"model":}"#, "{} {}"] {
        assert_eq!(refused::<Chat>(text).kind, ValueDecodeErrorKind::Syntax, "{text}");
    }
    assert_eq!(refused::<Chat>(r#"{"model":"m"}"#).kind, ValueDecodeErrorKind::Missing);
    assert_eq!(read::<Free>(b"{\"\xff\":1}").expect_err("is no UTF-8").kind, ValueDecodeErrorKind::Syntax);
}

#[test]
fn unions_complain_about_the_kind_that_was_meant() {
    check_refused::<Closed>(&[
        (r#"{"kind":"txt"}"#, "`kind`: expected one of `text`, `empty` (did you mean `text`?), found `txt`"),
        (r#"{"text":"a"}"#, "`kind`: missing"),
        (r#"{"kind":1}"#, "`kind`: expected a string, found a number"),
        (r#"{"kind":"text","tex":"a"}"#, "`tex`: expected a known field (did you mean `text`?), found `tex`"),
        (r#"{"kind":"text","text":"a","kind":"text"}"#, "`kind`: expected the field once, found it twice"),
        (r#"{"text":"a","kind":"text","kind":"text"}"#, "`kind`: expected the field once, found it twice"),
        (r#"{"text":"a","text":"b","kind":"text"}"#, "`text`: expected the field once, found it twice"),
        (r#"{"kind":"empty","a":1}"#, "`a`: expected no field at all, found `a`"),
        (r#"{"a":1,"kind":"empty"}"#, "`a`: expected no field at all, found `a`"),
        ("3", "expected an object, found a number"),
    ]);
    assert_eq!(read(br#"{"kind":"empty"}"#), Ok(Closed::Empty));
    check_refused::<Block>(&[(
        r#"{"source":1,"type":"image","type":"image"}"#,
        "`type`: expected the field once, found it twice",
    )]);
}

#[test]
fn depth_is_bounded_wherever_the_discriminator_stands() {
    let nested = |depth: usize, first: bool| {
        let (open, close) =
            if first { (r#"{"type":"group","content":["#, "]}") } else { (r#"{"content":["#, r#"],"type":"group"}"#) };
        format!("{}{}", open.repeat(depth), close.repeat(depth))
    };
    for first in [true, false] {
        assert!(read::<Block>(nested(40, first).as_bytes()).is_ok());
        assert!(read::<Block>(nested(20_000, first).as_bytes()).is_err());
    }
}

#[derive(Debug, Clone, PartialEq, Wire)]
struct Price {
    #[wire(min = 1, max = 1000)]
    amount_usd: Usd,
}
#[test]
fn money_is_read_exactly_and_bounded_in_dollars() {
    let price: Price = survives(r#"{"amount_usd":999.000000001}"#);
    assert_eq!(price.amount_usd, Usd::from_nanos(999_000_000_001));
    survives::<Price>(r#"{"amount_usd":1000}"#);
    check_refused::<Price>(&[
        (r#"{"amount_usd":1000.000000001}"#, "`amount_usd`: expected a value of 1 to 1000, found 1000.000000001"),
        (r#"{"amount_usd":0.999999999}"#, "`amount_usd`: expected a value of 1 to 1000, found 0.999999999"),
        (
            r#"{"amount_usd":1.0000000001}"#,
            "`amount_usd`: expected a plain decimal with at most 9 places, found 1.0000000001",
        ),
        (r#"{"amount_usd":1e3}"#, "`amount_usd`: expected a plain decimal with at most 9 places, found 1e3"),
        (r#"{"amount_usd":"1"}"#, "`amount_usd`: expected a number, found a string"),
    ]);
}
