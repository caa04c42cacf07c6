//! Any JSON, as clients may write it: bodies of open shapes come out as they went in, and nothing panics.

use proptest::prelude::*;

use crate::api::wire::read;

use super::{Block, Chat, Usage, survives};

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
