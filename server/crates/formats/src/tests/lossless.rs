//! A request that is written in the format that it was read from loses nothing: whatever is left out of a full one and
//! whatever its texts are, each value is there again.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::super::{Format, decode_request, encode_request};
use super::place::{self, Step};
use super::{FORMATS, UPSTREAM, golden, name, target};

/// Members whose text is the client's own.
const FREE: [&str; 11] = [
    "text",
    "content",
    "refusal",
    "instructions",
    "output",
    "description",
    "title",
    "thinking",
    "code",
    "prompt_cache_key",
    "input",
];
/// Ends of places whose values the gateway decides and not the client, or whose meaning stands elsewhere: a thought of
/// which only the signature is left needs no mark, and a result that is one text no word for its kind.
const OURS: [&str; 8] = [
    "model",
    "store",
    "stream",
    ".include_usage",
    "background",
    "systemInstruction.role",
    ".thought",
    ".output[0].type",
];

/// A request made of the full one: without what `left_out` picks, with `text` in the texts that `changed` picks.
fn made(format: Format, left_out: &[usize], changed: &[usize], text: &str) -> Value {
    let (_, body) = golden::fixtures("full", ".json").into_iter().find(|(of, _)| of == name(format)).expect("one");
    let mut request: Value = serde_json::from_slice(&body).expect("JSON");
    while let Err(at) = kept(format, &request) {
        let place = place::found(&request, &at);
        place::remove(&mut request, &place);
    }
    for pick in left_out {
        let mut without = request.clone();
        let leaves = place::leaves(&without);
        let leaf = &leaves[pick % leaves.len()];
        place::remove(&mut without, &leaf[..1 + pick % leaf.len()]);
        if kept(format, &without).is_ok() {
            request = without;
        }
    }
    for pick in changed {
        let leaves = place::leaves(&request);
        let free: Vec<_> = leaves.iter().filter(|leaf| is_free(leaf)).collect();
        let mut other = request.clone();
        if let Some(value) = free.get(pick % free.len().max(1)).and_then(|leaf| place::get(&mut other, leaf)) {
            *value = Value::String(format!("{text}{pick}"));
        }
        if kept(format, &other).is_ok() {
            request = other;
        }
    }
    request
}

fn is_free(leaf: &[Step]) -> bool {
    matches!(leaf.last(), Some(Step::Member(name)) if FREE.contains(&name.as_str()))
}

/// The request as it is written again, or the place that is refused or told as left out: what signs nothing, say.
fn kept(format: Format, request: &Value) -> Result<Value, String> {
    let body = request.to_string();
    let ask = decode_request(format, body.as_bytes(), "m", true).map_err(|fault| fault.at)?;
    let encoded = encode_request(format, &ask, &target()).map_err(|fault| fault.at)?;
    match encoded.dropped.into_iter().next() {
        Some(at) => Err(at),
        None => Ok(serde_json::from_slice(&encoded.body).expect("JSON")),
    }
}

/// The number of times that each value stands in a request, wherever it does.
fn values(request: &Value) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut request = request.clone();
    for leaf in place::leaves(&request) {
        let ours = OURS.iter().any(|ending| place::spelt(&leaf).ends_with(ending));
        let value = place::get(&mut request, &leaf).expect("a leaf");
        if !ours && !value.is_null() && !value.is_array() && !value.is_object() {
            *found.entry(value.to_string()).or_default() += 1;
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_value_is_there_again(
        left_out in prop::collection::vec(any::<usize>(), 0..12),
        changed in prop::collection::vec(any::<usize>(), 0..6),
        text in "\\PC{1,12}|[\\n\\t \u{e9}\u{1f600}\"\\\\]{1,6}",
    ) {
        for format in FORMATS {
            let request = made(format, &left_out, &changed, &text);
            let written = kept(format, &request).expect("what cannot be kept was not made");
            let found = values(&written);
            for (value, count) in values(&request) {
                let again = found.get(&value).copied().unwrap_or_default();
                prop_assert!(again >= count, "{}: {value} of {request}\nnot in {written}", name(format));
            }
        }
    }
}

#[test]
fn a_full_request_is_the_same_when_it_is_written_twice() {
    for format in FORMATS {
        let once = kept(format, &made(format, &[], &[], "")).expect("readable");
        let twice = kept(format, &once).expect("readable");
        assert_eq!(once, twice, "{} at {UPSTREAM}", name(format));
    }
}
