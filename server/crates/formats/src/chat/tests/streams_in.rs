//! Streams of upstreams, with the habits that servers of this format have.

use super::super::decode_stream::ChatStreamDecoder;
use super::{UPSTREAM, events, told};
use crate::StreamDecoder;

fn check(data: &[&str], expected: &[&str]) {
    assert_eq!(told(&events(data)), expected);
}

#[test]
fn text_and_usage() {
    check(
        &[
            r#"{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}"#,
            r#"{"id":"c1","choices":[{"index":0,"delta":{"content":"a "}}]}"#,
            r#"{"id":"c1","choices":[{"index":0,"delta":{"content":"b"}}]}"#,
            r#"{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            r#"{"id":"c1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}"#,
            "[DONE]",
            "[DONE]",
        ],
        &["start c1", "0 open text", "0 text a ", "0 text b", "usage 3+2", "0 close", "stop Natural", "end"],
    );
}

#[test]
fn thoughts_go_before_text_and_are_signed_or_marked() {
    let expected = |signature| {
        [
            "start ",
            "0 open thinking",
            "0 text h",
            "0 text m",
            signature,
            "0 close",
            "1 open text",
            "1 text x",
            "1 close",
            "stop Natural",
            "end",
        ]
    };
    for name in ["reasoning_content", "reasoning"] {
        let thought = |text: &str| format!(r#"{{"choices":[{{"delta":{{"{name}":"{text}","content":null}}}}]}}"#);
        let last = r#"{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}"#;
        check(&[&thought("h"), &thought("m"), last], &expected("0 sig \"\""));
    }
    check(
        &[
            r#"{"choices":[{"delta":{"reasoning":"h","reasoning_details":[{"type":"reasoning.text","text":"h","index":0}]}}]}"#,
            r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}}]}"#,
            r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}]}}]}"#,
            r#"{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}"#,
        ],
        &expected("0 sig \"s\""),
    );
}

#[test]
fn closed_thoughts_come_whole() {
    let data = r#"{"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"d"}]},"finish_reason":"stop"}]}"#;
    let told = told(&events(&[data]));
    assert!(told[1].starts_with("0 open whole ClosedThinking"), "{told:?}");
    assert_eq!(told[2..], ["0 close", "stop Natural", "end"]);
}

#[test]
fn parallel_calls_in_alternating_fragments() {
    check(
        &[
            r#"{"choices":[{"delta":{"content":"x","tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"2","type":"function","function":{"name":"g"}},{"index":0,"function":{"arguments":"{\"a\""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}},{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"tool_calls"}]}"#,
            "[DONE]",
        ],
        &[
            "start ",
            "0 open text",
            "0 text x",
            "0 close",
            "1 open call 1 f",
            "2 open call 2 g",
            "1 args {\"a\"",
            "2 args {}",
            "1 args :1}",
            "1 close",
            "2 close",
            "stop Calls",
            "end",
        ],
    );
}

#[test]
fn calls_of_odd_servers() {
    let ends = ["stop Calls", "end"];
    for (deltas, expected) in [
        // Whole, without indexes.
        (
            vec![
                r#""tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}},{"id":"2","function":{"name":"g","arguments":{}}}]"#,
            ],
            vec!["0 open call 1 f", "0 args {}", "1 open call 2 g", "1 args {}", "0 close", "1 close"],
        ),
        // All under one index.
        (
            vec![
                r#""tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"}}]"#,
                r#""tool_calls":[{"index":0,"id":"2","function":{"name":"f","arguments":"{}"}}]"#,
            ],
            vec!["0 open call 1 f", "0 args {}", "1 open call 2 f", "1 args {}", "0 close", "1 close"],
        ),
        // Id and name in every fragment; the next fragment without an index.
        (
            vec![
                r#""tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{"}}]"#,
                r#""tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"}"}}]"#,
                r#""tool_calls":[{"function":{"arguments":" "}}]"#,
            ],
            vec!["0 open call 1 f", "0 args {", "0 args }", "0 args  ", "0 close"],
        ),
        // The name after the id, and arguments before both are there.
        (
            vec![
                r#""tool_calls":[{"index":3,"id":"1","function":{"arguments":"{"}}]"#,
                r#""tool_calls":[{"index":3,"function":{"name":"f","arguments":"}"}}]"#,
            ],
            vec!["0 open call 1 f", "0 args {}", "0 close"],
        ),
        // No id at all, and the older form.
        (vec![r#""tool_calls":[{"index":0,"function":{"name":"f"}}]"#], vec!["0 open call call_0_cs f", "0 close"]),
        (
            vec![r#""function_call":{"name":"f","arguments":""}"#, r#""function_call":{"arguments":"{}"}"#],
            vec!["0 open call call_0_cs f", "0 args {}", "0 close"],
        ),
        // Free text, and a signature.
        (
            vec![
                r#""tool_calls":[{"index":0,"id":"1","type":"custom","custom":{"name":"c","input":""}}]"#,
                r#""tool_calls":[{"index":0,"custom":{"input":"free"}}]"#,
            ],
            vec!["0 open call 1 c custom", "0 args free", "0 close"],
        ),
        (
            vec![
                r#""tool_calls":[{"index":0,"id":"1","extra_content":{"google":{"thought_signature":"s"}},"function":{"name":"f","arguments":"{}"}}]"#,
            ],
            vec!["0 open call 1 f", "0 sig \"s\"", "0 args {}", "0 close"],
        ),
    ] {
        let mut data: Vec<String> =
            deltas.iter().map(|delta| format!(r#"{{"id":"c-s","choices":[{{"delta":{{{delta}}}}}]}}"#)).collect();
        data.push("[DONE]".into());
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        let expected: Vec<&str> = std::iter::once("start c-s").chain(expected).chain(ends).collect();
        check(&data, &expected);
    }
}

#[test]
fn a_call_without_a_name_is_broken() {
    check(
        &[r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"arguments":"{}"}}]}}]}"#, "[DONE]"],
        &["start ", "stop BrokenCall", "end"],
    );
}

#[test]
fn refusals_and_bounds() {
    check(
        &[r#"{"choices":[{"delta":{"refusal":"no"}}]}"#, r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#],
        &["start ", "0 open refusal", "0 text no", "0 close", "stop Refused", "end"],
    );
    check(&[r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#], &["start ", "stop Length", "end"]);
}

#[test]
fn usage_in_the_finish_chunk_and_chunks_without_choices() {
    check(
        &[
            r#"{"choices":[{"delta":{"content":"x"},"finish_reason":""}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#,
            r#"{"choices":null,"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
            r#"{"x":1}"#,
        ],
        &["start ", "0 open text", "0 text x", "usage 1+1", "usage 1+2", "0 close", "stop Natural", "end"],
    );
}

#[test]
fn a_stream_without_its_end_broke_off() {
    check(&[r#"{"choices":[{"delta":{"content":"x"}}]}"#], &["start ", "0 open text", "0 text x"]);
    check(&[], &[]);
    check(&["[DONE]"], &[]);
    check(
        &[r#"{"choices":[{"delta":{"content":"x"}}]}"#, "[DONE]"],
        &["start ", "0 open text", "0 text x", "0 close", "stop Natural", "end"],
    );
}

#[test]
fn errors_end_everything() {
    for error in [
        r#"{"error":{"message":"no","code":429}}"#,
        r#"{"error":"no"}"#,
        r#"{"object":"error","message":"no"}"#,
        r#"{"choices":[{"delta":{"content":"y"},"finish_reason":"error"}],"error":{"message":"no"}}"#,
    ] {
        check(
            &[
                r#"{"choices":[{"delta":{"content":"x"},"finish_reason":null}],"error":null}"#,
                error,
                r#"{"choices":[]}"#,
                "[DONE]",
            ],
            &["start ", "0 open text", "0 text x", "error no"],
        );
    }
}

#[test]
fn what_is_no_chunk_is_garbled() {
    for data in
        ["<html>", "[]", r#"{"choices":4}"#, r#"{"choices":[4]}"#, r#"{"choices":[{"delta":{"tool_calls":[4]}}]}"#]
    {
        ChatStreamDecoder::new(UPSTREAM).read(None, data.as_bytes(), &mut Vec::new()).expect_err(data);
    }
}

#[test]
fn a_second_choice_is_not_mixed_in() {
    check(
        &[
            r#"{"choices":[{"index":1,"delta":{"content":"y"},"finish_reason":"stop"},{"index":0,"delta":{"content":"x"}}]}"#,
            "[DONE]",
        ],
        &["start ", "0 open text", "0 text x", "0 close", "stop Natural", "end"],
    );
}
