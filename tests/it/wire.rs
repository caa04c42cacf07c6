//! What the derives make: no byte of an unknown member is lost, absent is not null, and complaints name the field.

use proptest::prelude::*;
use tollgate_macros::{Wire, WireEnum, WireUnion};

use crate::api::Usd;
use crate::api::wire::{Json, Map, Number, Object, Refusal, RefusalKind, Rest, Unknown, read};

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml:4", open)]
struct Chat {
    #[wire(min_len = 1, max_len = 8)]
    model: String,
    #[wire(min_items = 1, max_items = 3)]
    messages: Vec<Turn>,
    #[wire(optional, min = 1, max = 100)]
    n: Option<i64>,
    #[wire(optional, nullable, min = 0, max = 2)]
    temperature: Option<Option<Number>>,
    #[wire(default = "false")]
    stream: bool,
    #[wire(optional)]
    usage: Option<Usage>,
    #[wire(name = "type", optional, literal = "chat")]
    kind: Option<&'static str>,
    #[wire(optional, max_items = 2)]
    metadata: Option<Map<String>>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml:30")]
struct Usage {
    prompt_tokens: u32,
    #[wire(nullable)]
    cached: Option<u8>,
    #[wire(default = "[1, 2]")]
    shares: Vec<i64>,
    #[wire(literal = "usage")]
    object: &'static str,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml:40", open)]
struct Turn {
    role: Role,
    content: Vec<Block>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, WireEnum)]
#[wire(spec = "spec/types/chat.yaml:50")]
enum Role {
    #[wire(name = "user")]
    User,
    #[wire(name = "assistant")]
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq, WireEnum)]
enum Reason {
    #[wire(name = "end_turn")]
    EndTurn,
    #[wire(other)]
    Other(String),
}

#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "type", spec = "spec/types/chat.yaml:60")]
enum Block {
    #[wire(name = "text")]
    Text(Text),
    #[wire(name = "image")]
    Image(Box<Image>),
    #[wire(name = "group")]
    Group(Box<Group>),
    #[wire(name = "ping")]
    Ping,
    #[wire(other)]
    Other(Unknown),
}

#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "kind")]
enum Closed {
    #[wire(name = "text")]
    Text(Text),
    #[wire(name = "empty")]
    Empty,
}

#[derive(Debug, Clone, PartialEq, Wire)]
struct Text {
    text: String,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Image {
    #[wire(name = "type", literal = "image")]
    kind: &'static str,
    source: Json,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Group {
    content: Vec<Block>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Free {
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
struct Nothing {}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml:70", min_len = 3, max_len = 5)]
struct Address(String);

#[derive(Debug, Clone, PartialEq, Wire)]
struct Wallets {
    addresses: Vec<Address>,
    #[wire(optional)]
    by_chain: Option<Map<Vec<Option<u8>>>>,
}

fn written<T: Object>(value: &T) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut text);
    crate::api::wire::write_object(value, &mut serializer).expect("writes");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// Reads and writes again: the same text.
fn survives<T: Object + serde_json_de::Owned>(text: &str) -> T {
    let value: T = read(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"));
    assert_eq!(written(&value), text);
    value
}

/// What reading `text` complains of.
fn refused<T: serde_json_de::Owned + std::fmt::Debug>(text: &str) -> Refusal {
    match read::<T>(text.as_bytes()) {
        Ok(value) => panic!("{text} was read as {value:?}"),
        Err(refusal) => refusal,
    }
}

fn check_refused<T: serde_json_de::Owned + std::fmt::Debug>(cases: &[(&str, &str)]) {
    for (text, complaint) in cases {
        assert_eq!(refused::<T>(text).to_string(), *complaint, "{text}");
    }
}

/// serde's name, through the runtime's door.
mod serde_json_de {
    pub(super) use crate::api::wire::serde::de::DeserializeOwned as Owned;
}

#[test]
fn unknown_members_survive_byte_for_byte_and_in_order() {
    for text in [
        r#"{"model":"m","messages":[{"role":"user","content":[]}]}"#,
        r#"{"messages":[{"content":[],"role":"user"}],"model":"m"}"#,
        r#"{"a":1,"model":"m","b":2,"messages":[{"x":0.10,"role":"user","y":1e400,"content":[],"z":18446744073709551616}],"c":3}"#,
        r#"{"model":"m","messages":[{"role":"user","content":[]}],"odd":{ "k" :[ 1 ,2 ],"e":"é\u00e9\/" }}"#,
        r#"{"seed":-0,"model":"m","messages":[{"role":"user","content":[]}],"seed":1E+2}"#,
    ] {
        survives::<Chat>(text);
    }
    survives::<Free>("{}");
    survives::<Free>(r#"{"b":[[[]]],"a":null}"#);
    survives::<Nothing>("{}");
}

#[test]
fn known_fields_change_in_place_and_new_ones_come_last() {
    let mut chat: Chat =
        survives(r#"{"x":1,"stream":true,"messages":[{"role":"user","content":[]}],"y":2,"model":"m","n":3}"#);
    chat.stream = false;
    chat.n = None;
    chat.model = "mm".to_owned();
    chat.temperature = Some(None);
    chat.rest.set("y", Json::from_text("[2]".to_owned()).expect("JSON"));
    chat.rest.set("z", Json::of(&"new").expect("JSON"));
    assert_eq!(chat.rest.remove("x").map(|value| value.to_string()), Some("1".to_owned()));
    let text = written(&chat);
    let expected = r#"{"stream":false,"messages":[{"role":"user","content":[]}],"y":[2],"model":"mm","z":"new","temperature":null}"#;
    assert_eq!(text, expected);
}

#[test]
fn a_known_name_set_by_hand_does_not_stand_twice() {
    let mut chat: Chat = survives(r#"{"model":"m","messages":[{"role":"user","content":[]}]}"#);
    chat.rest.set("model", Json::of(&"other").expect("JSON"));
    assert_eq!(written(&chat), r#"{"model":"m","messages":[{"role":"user","content":[]}]}"#);
}

#[test]
fn absent_null_and_present_are_three_things() {
    let with =
        |temperature: &str| format!(r#"{{"model":"m","messages":[{{"role":"user","content":[]}}]{temperature}}}"#);
    let read = |temperature: &str| survives::<Chat>(&with(temperature)).temperature;
    assert_eq!(read(""), None);
    assert_eq!(read(r#","temperature":null"#), Some(None));
    let number = Number::from_text("0.10".to_owned()).expect("a number");
    assert_eq!(read(r#","temperature":0.10"#), Some(Some(number)));
    assert_eq!(refused::<Chat>(&with(r#","n":null"#)).to_string(), "`n`: expected a whole number, found null");
    check_refused::<Usage>(&[
        (r#"{"prompt_tokens":1,"object":"usage"}"#, "`cached`: missing"),
        (
            r#"{"prompt_tokens":null,"cached":null,"object":"usage"}"#,
            "`prompt_tokens`: expected a whole number, found null",
        ),
    ]);
}

#[test]
fn a_default_is_what_absence_means() {
    let usage: Usage = read(br#"{"prompt_tokens":1,"cached":null,"object":"usage"}"#).expect("reads");
    assert_eq!(usage.shares, [1, 2]);
    assert_eq!(written(&usage), r#"{"prompt_tokens":1,"cached":null,"shares":[1,2],"object":"usage"}"#);
    // In an object that is passed on, absence stays absence and an outspoken default stays outspoken.
    let turn = r#""messages":[{"role":"user","content":[]}]"#;
    let mut absent: Chat = survives(&format!(r#"{{"model":"m",{turn}}}"#));
    survives::<Chat>(&format!(r#"{{"model":"m",{turn},"stream":false}}"#));
    absent.stream = true;
    assert_eq!(written(&absent), format!(r#"{{"model":"m",{turn},"stream":true}}"#));
}

#[test]
fn constants_are_checked_and_written() {
    let usage = Usage { prompt_tokens: 1, cached: Some(2), shares: Vec::new(), object: "usage" };
    let text = r#"{"prompt_tokens":1,"cached":2,"shares":[],"object":"usage"}"#;
    assert_eq!(written(&usage), text);
    assert_eq!(survives::<Usage>(text), usage);
    check_refused::<Usage>(&[
        (r#"{"prompt_tokens":1,"cached":null,"object":"usages"}"#, r#"`object`: expected "usage", found "usages""#),
        (r#"{"prompt_tokens":1,"cached":null}"#, "`object`: missing"),
    ]);
}

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
        assert_eq!((refusal.kind, refusal.path.as_deref()), (RefusalKind::Value, Some("prompt_tokens")));
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
        assert_eq!(refused::<Chat>(text).kind, RefusalKind::Syntax, "{text}");
    }
    assert_eq!(refused::<Chat>(r#"{"model":"m"}"#).kind, RefusalKind::Missing);
    assert_eq!(read::<Free>(b"{\"\xff\":1}").expect_err("is no UTF-8").kind, RefusalKind::Syntax);
}

#[test]
fn closed_names_list_themselves_and_open_ones_keep_others() {
    assert_eq!(Role::ALL, [Role::User, Role::Assistant]);
    assert_eq!("assistant".parse(), Ok(Role::Assistant));
    assert_eq!(Role::User.to_string(), "user");
    let refusal = "nobody".parse::<Role>().expect_err("is no role");
    assert_eq!(refusal.to_string(), "expected one of `user`, `assistant`, found `nobody`");
    assert_eq!(serde_json::to_string(&Role::User).expect("writes"), "\"user\"");

    assert_eq!(Reason::ALL, [Reason::EndTurn]);
    assert_eq!("end_turn".parse(), Ok(Reason::EndTurn));
    let other: Reason = read(br#""pause_turn""#).expect("is open");
    assert_eq!(other, Reason::Other("pause_turn".to_owned()));
    assert_eq!(serde_json::to_string(&other).expect("writes"), r#""pause_turn""#);
    assert_eq!(refused::<Reason>("1").to_string(), "expected a string, found a number");
}

#[test]
fn unions_read_the_discriminator_wherever_it_stands() {
    let text = |text: &str| Block::Text(Text { text: text.to_owned() });
    let check = |from: &str, expected: &Block, to: &str| {
        let block: Block = read(from.as_bytes()).unwrap_or_else(|refusal| panic!("{from}: {refusal}"));
        assert_eq!((&block, block.kind()), (expected, expected.kind()), "{from}");
        assert_eq!(serde_json::to_string(&block).expect("writes"), to);
    };
    check(r#"{"type":"text","text":"a"}"#, &text("a"), r#"{"type":"text","text":"a"}"#);
    check(r#"{"text":"a","type":"text"}"#, &text("a"), r#"{"type":"text","text":"a"}"#);
    check(r#"{"text":"a","t\u0079pe":"t\u0065xt"}"#, &text("a"), r#"{"type":"text","text":"a"}"#);
    check(r#"{"type":"ping"}"#, &Block::Ping, r#"{"type":"ping"}"#);
}

#[test]
fn open_kinds_and_unknown_kinds_keep_everything() {
    for block in [
        r#"{"type":"image","source":{ "a":0.10 },"x":1e400}"#,
        r#"{"x":1e400,"source":{ "a":0.10 },"type":"image"}"#,
        r#"{"type":"group","content":[{"type":"text","text":"a"}],"cache":{"ttl":1.0}}"#,
        r#"{"cache":18446744073709551616,"type":"group","content":[]}"#,
        r#"{"content":[],"type":"group"}"#,
        r#"{"type":"video","content":[ 1.50 ],"b":1,"a":2}"#,
        r#"{"b":1,"content":[ 1.50 ],"type":"video","a":2}"#,
        r#"{"type":"video"}"#,
    ] {
        survives::<Chat>(&format!(r#"{{"model":"m","messages":[{{"role":"user","content":[{block}]}}]}}"#));
    }
    let block: Block = read(br#"{"b":1,"type":"video","a":[ 2 ]}"#).expect("is open");
    let Block::Other(unknown) = &block else { panic!("{block:?}") };
    assert_eq!((unknown.kind.as_str(), block.kind()), ("video", "video"));
    assert_eq!(unknown.members.get("a").map(Json::get), Some("[ 2 ]"));
    assert_eq!(unknown.members.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["b", "a"]);
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

#[test]
fn newtypes_hold_only_what_their_bounds_allow() {
    assert_eq!(Address::new("abc".to_owned()).map(Address::into_inner), Ok("abc".to_owned()));
    let refusal = Address::new("ab".to_owned()).expect_err("is too short");
    assert_eq!(refusal.to_string(), "expected a text of 3 to 5 characters, found one of 2");
    let wallets: Wallets = survives(r#"{"addresses":["abcd"],"by_chain":{"b":[1,null],"a":[]}}"#);
    assert_eq!(wallets.addresses[0].get(), "abcd");
    check_refused::<Wallets>(&[
        (r#"{"addresses":["abc","abcdef"]}"#, "`addresses[1]`: expected a text of 3 to 5 characters, found one of 6"),
        (
            r#"{"addresses":[],"by_chain":{"b":[1,256]}}"#,
            "`by_chain.b[1]`: expected a whole number from 0 to 255, found 256",
        ),
    ]);
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

/// Any JSON, as a text with odd spacing and odd numbers.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("18446744073709551616".to_owned()),
        Just("-0.10e+3".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        ".*".prop_map(|text: String| serde_json::to_string(&text).expect("writes")),
        Just(r#""\u00e9\/\ud83d\ude00""#.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[ {}]", items.join(" ,"))),
            prop::collection::vec(("[a-z]{0,3}", inner), 0..4).prop_map(|members| {
                let members: Vec<String> =
                    members.into_iter().map(|(name, value)| format!("\"{name}\" :{value}")).collect();
                format!("{{{}\n}}", members.join(","))
            }),
        ]
    })
}

/// An object of known members in any order among unknown ones.
fn object(known: Vec<(&'static str, BoxedStrategy<String>)>) -> impl Strategy<Value = String> {
    let (names, values): (Vec<_>, Vec<_>) = known.into_iter().unzip();
    let unknown = prop::collection::vec(("[a-z]{1,3}_x", json()), 0..4);
    (values, unknown).prop_flat_map(move |(values, unknown)| {
        let known = names.iter().map(|name| (*name).to_owned()).zip(values);
        let members: Vec<(String, String)> = known.chain(unknown).collect();
        Just(members).prop_shuffle().prop_map(|members| {
            let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
    })
}

fn block() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(r#"{"type":"text","text":"a"}"#.to_owned()),
        object(vec![("type", Just("\"image\"".to_owned()).boxed()), ("source", json().boxed())]),
        object(vec![("type", Just("\"other\"".to_owned()).boxed()), ("content", json().boxed())]),
    ]
}

fn chat() -> impl Strategy<Value = String> {
    let blocks = prop::collection::vec(block(), 0..3).prop_map(|blocks| format!("[{}]", blocks.join(",")));
    let turn = object(vec![("role", Just("\"user\"".to_owned()).boxed()), ("content", blocks.boxed())]);
    let turns = prop::collection::vec(turn, 1..4).prop_map(|turns| format!("[{}]", turns.join(",")));
    object(vec![
        ("model", Just("\"m\"".to_owned()).boxed()),
        ("messages", turns.boxed()),
        ("stream", any::<bool>().prop_map(|stream| stream.to_string()).boxed()),
        ("temperature", prop_oneof![Just("null"), Just("0.70"), Just("2")].prop_map(str::to_owned).boxed()),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn any_body_of_open_shapes_comes_out_as_it_went_in(text in chat()) {
        survives::<Chat>(&text);
    }

    #[test]
    fn any_text_is_read_or_refused(text in json()) {
        let _ = read::<Chat>(text.as_bytes());
        let _ = read::<Block>(text.as_bytes());
        let _ = read::<Usage>(text.as_bytes());
    }
}
