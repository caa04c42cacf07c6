//! What is read comes out as it went in, and absent is not null.

use crate::api::wire::{Json, Number, read};

use super::{
    Address, Block, Chat, Free, Nothing, Reason, Role, Text, Usage, Wallets, check_refused, refused, survives, written,
};

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
