//! Counting of tokens.

use super::super::count;
use super::{TARGET, json, read_as};
use crate::{Format, MessageRole};

#[test]
fn contents_or_a_whole_request_are_counted() {
    let plain = count::read(br#"{"contents":[{"parts":[{"text":"t"}]}]}"#, "models/m").expect("readable");
    assert_eq!((plain.model.as_str(), plain.turns[0].role), ("m", MessageRole::User));
    let body = br#"{"generate_content_request":{"model":"models/q","contents":[{"parts":[{"text":"t"}]}],
        "systemInstruction":{"parts":[{"text":"s"}]}}}"#;
    let whole = count::read(body, "m").expect("readable");
    assert_eq!(whole.turns[0].at, "generate_content_request.contents[0]");
    let written = count::write(&whole, &TARGET).expect("carried");
    assert_eq!(
        json(written.body),
        json(
            r#"{"generateContentRequest":{"model":"models/m","systemInstruction":{"parts":[{"text":"s"}]},
                "contents":[{"role":"user","parts":[{"text":"t"}]}]}}"#
        )
    );
    let bad = count::read(br#"{"generateContentRequest":{"contents":[{"parts":[]}]}}"#, "m").expect_err("empty");
    assert_eq!(bad.at, "generateContentRequest.contents[0].parts");
}

#[test]
fn what_cannot_be_asked_cannot_be_counted() {
    let mut ask = read_as(Format::Chat, r#"{"contents":[{"parts":[{"fileData":{"fileUri":"http://e.org/f"}}]}]}"#);
    assert_eq!(count::write(&ask, &TARGET).expect_err("an address").at, "contents[0].parts[0]");
    ask.turns.clear();
    assert!(count::write(&ask, &TARGET).is_err());
}

#[test]
fn the_answer_is_a_figure() {
    assert_eq!(count::read_answer(br#"{"totalTokens":12,"x":1}"#), Ok(12));
    assert_eq!(count::read_answer(b"{}").expect_err("nothing").at, "totalTokens");
    assert_eq!(json(count::write_answer(12)), json(r#"{"totalTokens":12}"#));
}
