//! Answers and requests with something wrong in them: nothing panics, hangs, or grows beyond measure.
//!
//! `FUZZ_INPUTS` says how many of each; a run by hand in release takes millions. For streams there is
//! the search of the gateway.

use super::super::{Format, convert_response, decode_request, encode_request};
use super::dice::Dice;
use super::{FORMATS, UPSTREAM, echo, golden, name, target};

/// Of each kind in the suite.
const INPUTS: u64 = 1500;

fn inputs() -> u64 {
    std::env::var("FUZZ_INPUTS").ok().and_then(|inputs| inputs.parse().ok()).unwrap_or(INPUTS)
}

/// Runs `try_one` on spoilt copies of the fixtures in `folder/{format}`.
fn spoilt(folder: &str, ending: &str, mut try_one: impl FnMut(Format, Format, &[u8])) {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let fixtures = FORMATS.map(|format| golden::fixtures(&format!("{folder}/{}", name(format)), ending));
    for input in 0..inputs() {
        let of = usize::try_from(input).expect("64 bits") % FORMATS.len();
        let mut bytes = fixtures[of][dice.roll(fixtures[of].len())].1.clone();
        for _ in 0..=dice.roll(4) {
            dice.spoil(&mut bytes);
        }
        try_one(FORMATS[of], FORMATS[dice.roll(FORMATS.len())], &bytes);
    }
}

#[test]
fn spoilt_answers_do_no_harm() {
    spoilt("replies", ".json", |upstream, client, body| {
        if let Ok(answer) = convert_response(upstream, client, body, UPSTREAM, &echo()) {
            assert!(serde_json::from_slice::<serde::de::IgnoredAny>(&answer.body).is_ok(), "{answer:?}");
        }
    });
}

#[test]
fn spoilt_requests_do_no_harm() {
    spoilt("asks", ".json", |client, upstream, body| {
        let Ok(ask) = decode_request(client, body, "m", false) else { return };
        if let Ok(encoded) = encode_request(upstream, &ask, &target()) {
            let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&encoded.body).is_ok();
            assert!(is_json, "{:?} of {}", encoded.body, String::from_utf8_lossy(body));
        }
    });
}
