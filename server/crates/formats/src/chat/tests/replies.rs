//! Whole answers, read from upstreams of many habits and written for clients.

use serde_json::{Value, json};

use super::super::{decode_request, decode_response, encode_response};
use super::{UPSTREAM, block, call, echo, made_by, text};
use crate::{BlockKind, ChatResponse, Format, ResponseChoice, StopReason, ThinkingSignature, TokenUsage};

#[test]
fn answers_of_all_habits_are_read() {
    let function = json!({"name": "f", "arguments": "{}"});
    for (message, word, expected) in [
        (json!({"role": "assistant", "content": "x"}), json!("stop"), "[text x] Natural"),
        (json!({"content": null}), json!(null), "[] Natural"),
        (json!({"content": ""}), json!(""), "[] Natural"),
        (json!({"content": "x"}), json!("eos"), "[text x] Natural"),
        (json!({"content": "x"}), json!("length"), "[text x] Length"),
        (json!({"content": "x"}), json!("content_filter"), "[text x] Refused"),
        (json!({"content": [{"type": "text", "text": "x"}]}), json!("stop"), "[text x] Natural"),
        (
            json!({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "x"}]}),
            json!("stop"),
            "[thought hm \"\", text x] Natural",
        ),
        (json!({"content": null, "refusal": "no"}), json!("stop"), "[refusal no] Refused"),
        (json!({"content": "x", "reasoning_content": "hm"}), json!("stop"), "[thought hm \"\", text x] Natural"),
        (json!({"content": "x", "reasoning": "hm"}), json!("stop"), "[thought hm \"\", text x] Natural"),
        (
            json!({"content": "x", "reasoning": "hm", "reasoning_details":
                [{"type": "reasoning.text", "text": "hm", "signature": "s"}, {"type": "reasoning.encrypted", "data": "d"}, 4]}),
            json!("stop"),
            "[thought hm \"s\", closed \"d\", text x] Natural",
        ),
        (
            json!({"content": null, "tool_calls": [{"id": "1", "type": "function", "function": function}]}),
            json!("stop"),
            "[call 1 f {}] Calls",
        ),
        (
            json!({"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a": 1.0}}}]}),
            json!("tool_calls"),
            "[call 1 f {\"a\":1.0}] Calls",
        ),
        (json!({"tool_calls": [{"id": "1", "function": function}]}), json!("length"), "[call 1 f {}] Length"),
        (json!({"function_call": function}), json!("function_call"), "[call call_0_answer f {}] Calls"),
        (json!({"tool_calls": [{"function": function}]}), json!("tool_calls"), "[call call_0_answer f {}] Calls"),
        (
            json!({"content": "x", "images": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}),
            json!("stop"),
            "[text x, picture] Natural",
        ),
    ] {
        let body = json!({"id": "an-swer", "created": 1.5, "choices": [{"message": message, "finish_reason": word}]});
        assert_eq!(told(&read(&body)), expected, "{body}");
    }
}

#[test]
fn what_is_no_answer_is_garbled() {
    for body in [
        "<html>",
        "[]",
        "{}",
        r#"{"error":{"message":"no","code":500}}"#,
        r#"{"error":"no","choices":[]}"#,
        r#"{"choices":{}}"#,
        r#"{"choices":[{"index":0}]}"#,
        r#"{"choices":[{"message":{"content":4}}]}"#,
        r#"{"choices":[{"message":{"tool_calls":[{"id":"1"}]}}]}"#,
    ] {
        decode_response::read(body.as_bytes(), UPSTREAM).expect_err(body);
    }
}

#[test]
fn usage_is_told_in_buckets_that_do_not_overlap() {
    let plain = TokenUsage { input: 10, output: 5, ..TokenUsage::default() };
    for (usage, expected) in [
        (json!(null), None),
        (json!({}), None),
        (json!({"prompt_tokens": -1, "completion_tokens": 5}), Some(TokenUsage::IMPOSSIBLE)),
        (json!({"prompt_tokens": 10, "completion_tokens": 5.0, "total_tokens": 15}), Some(plain)),
        (json!({"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": null}), Some(plain)),
        (
            json!({"prompt_tokens": 100, "completion_tokens": 50,
                "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 30, "audio_tokens": 4, "image_tokens": 2},
                "completion_tokens_details": {"reasoning_tokens": 20, "audio_tokens": 3}}),
            Some(TokenUsage {
                input: 10,
                cache_read: 60,
                cache_write: 30,
                output: 50,
                reasoning: 20,
                audio_input: 4,
                image_input: 2,
                audio_output: 3,
                ..TokenUsage::default()
            }),
        ),
        (
            json!({"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 4}),
            Some(TokenUsage { input: 6, cache_read: 4, output: 5, ..TokenUsage::default() }),
        ),
        (
            json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 35,
                "completion_tokens_details": {"reasoning_tokens": 20}}),
            Some(TokenUsage { input: 10, output: 25, reasoning: 20, ..TokenUsage::default() }),
        ),
    ] {
        let body = json!({"choices": [], "usage": usage});
        assert_eq!(read(&body).usage, expected, "{usage}");
        if let Some(expected) = expected.filter(|usage| !usage.impossible) {
            let again = encode_response::write(
                &ChatResponse { usage: Some(expected), ..ChatResponse::default() },
                &echo(false),
            );
            assert_eq!(decode_response::read(&again, UPSTREAM).expect("an answer").usage, Some(expected));
        }
    }
}

#[test]
fn an_answer_is_written_with_all_that_clients_need() {
    let usage = TokenUsage { input: 3, cache_read: 1, output: 4, reasoning: 2, ..TokenUsage::default() };
    let choice = ResponseChoice {
        blocks: vec![block(text("a")), block(text("b"))],
        stop: StopReason::Natural,
        extra: Vec::new(),
    };
    let reply = ChatResponse { choices: vec![choice], usage: Some(usage), ..ChatResponse::default() };
    assert_eq!(
        write(&reply),
        json!({
            "id": "chatcmpl-0123", "object": "chat.completion", "created": 7, "model": "m",
            "choices": [{"index": 0, "logprobs": null, "finish_reason": "stop",
                "message": {"role": "assistant", "content": "ab", "refusal": null, "annotations": []}}],
            "usage": {"prompt_tokens": 4, "completion_tokens": 4, "total_tokens": 8,
                "prompt_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 0, "text_tokens": 4,
                    "audio_tokens": 0, "image_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 2, "text_tokens": 2, "audio_tokens": 0, "image_tokens": 0}},
            "system_fingerprint": null, "service_tier": null,
        })
    );
}

#[test]
fn each_kind_of_block_has_its_member() {
    let thought = |signature| BlockKind::Thinking { text: "hm".into(), id: Some("rs_1".into()), signature };
    let signed = made_by(Format::Messages, "sig");
    let packed = signed.for_client(Format::Chat);
    let riding = ThinkingSignature { item: Some("2".into()), ..signed.clone() };
    let arguments = r#"{"z":1.0,"a":12345678901234567890}"#;
    let of_call = made_by(Format::Generate, "g");
    let extra = json!({"google": {"thought_signature": of_call.for_client(Format::Chat)}});
    let free =
        BlockKind::Call { id: "2".into(), name: "c".into(), arguments: "free".into(), custom: true, signature: None };
    let bare =
        BlockKind::Call { id: "3".into(), name: "f".into(), arguments: String::new(), custom: false, signature: None };
    for (blocks, stop, changed, word) in [
        (vec![BlockKind::Refusal("no".into())], StopReason::Refused, json!({"content": null, "refusal": "no"}), "stop"),
        (vec![], StopReason::Refused, json!({}), "content_filter"),
        (vec![text("x")], StopReason::Sequence(Some("s".into())), json!({"content": "x"}), "stop"),
        (vec![text("x")], StopReason::ContextFull, json!({"content": "x"}), "length"),
        (
            vec![thought(None), text("x")],
            StopReason::Natural,
            json!({"content": "x", "reasoning_content": "hm"}),
            "stop",
        ),
        (
            vec![thought(Some(signed.clone())), call("1", "f", None)],
            StopReason::Calls,
            json!({"content": null, "reasoning_content": "hm",
                "reasoning_details": [{"type": "reasoning.text", "text": "hm", "signature": packed, "id": "rs_1", "index": 0}],
                "tool_calls": [{"id": riding.append_to_id("1"), "type": "function",
                    "function": {"name": "f", "arguments": arguments}}]}),
            "tool_calls",
        ),
        (
            vec![call("1", "f", Some(of_call.clone())), free, bare],
            StopReason::Calls,
            json!({"content": null, "tool_calls": [
                {"id": of_call.append_to_id("1"), "type": "function", "function": {"name": "f", "arguments": arguments},
                    "extra_content": extra},
                {"id": "2", "type": "custom", "custom": {"name": "c", "input": "free"}},
                {"id": "3", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            ]}),
            "tool_calls",
        ),
    ] {
        let blocks = blocks.into_iter().map(block).collect();
        let choices = vec![ResponseChoice { blocks, stop, extra: Vec::new() }];
        let body = write(&ChatResponse { choices, ..ChatResponse::default() });
        let mut message = json!({"role": "assistant", "content": "", "refusal": null, "annotations": []});
        message.as_object_mut().expect("an object").extend(changed.as_object().expect("an object").clone());
        assert_eq!(body["choices"][0]["message"], message);
        assert_eq!(body["choices"][0]["finish_reason"], word);
        assert_eq!(body.get("usage"), None);
    }
}

#[test]
fn a_written_answer_reads_the_same_and_goes_back_as_a_turn() {
    let own = |text: &str| ThinkingSignature::made_by(UPSTREAM, Format::Chat, None, text.into());
    let kinds = vec![
        BlockKind::Thinking { text: "hm".into(), id: None, signature: Some(own("sig")) },
        text("x"),
        call("1", "f", Some(own("of the call"))),
    ];
    let blocks = kinds.into_iter().map(block).collect();
    let choices = vec![ResponseChoice { blocks, stop: StopReason::Calls, extra: Vec::new() }];
    let body = write(&ChatResponse { choices, ..ChatResponse::default() });
    let again = read(&body);
    assert_eq!(told(&again), "[thought hm \"sig\", text x, call 1 f {\"z\":1.0,\"a\":12345678901234567890}] Calls");
    let turn = json!({"model": "there", "messages": [body["choices"][0]["message"]]});
    let ask = decode_request::read(turn.to_string().as_bytes()).expect("a request");
    assert_eq!(ask.turns[0].blocks.len(), 3);
    let (sent, _) = super::written(&ask);
    assert_eq!(sent["messages"][0]["reasoning_details"][0]["signature"], "sig");
    assert_eq!(sent["messages"][0]["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "of the call");
}

fn read(body: &Value) -> ChatResponse {
    decode_response::read(body.to_string().as_bytes(), UPSTREAM).unwrap_or_else(|fault| panic!("{body}: {fault}"))
}

fn write(reply: &ChatResponse) -> Value {
    serde_json::from_slice(&encode_response::write(reply, &echo(false))).expect("JSON")
}

fn told(reply: &ChatResponse) -> String {
    let choice = &reply.choices[0];
    let blocks: Vec<String> = choice.blocks.iter().map(|block| tell(&block.kind)).collect();
    format!("[{}] {:?}", blocks.join(", "), choice.stop)
}

fn tell(kind: &BlockKind) -> String {
    let sig =
        |signature: &Option<ThinkingSignature>| format!("{:?}", signature.as_ref().map_or("-", |it| it.text.as_str()));
    match kind {
        BlockKind::Text(text) => format!("text {text}"),
        BlockKind::Refusal(text) => format!("refusal {text}"),
        BlockKind::Image(_) => "picture".into(),
        BlockKind::Call { id, name, arguments, .. } => format!("call {id} {name} {arguments}"),
        BlockKind::Thinking { text, signature, .. } => format!("thought {text} {}", sig(signature)),
        BlockKind::ClosedThinking(signature) => format!("closed {:?}", signature.text),
        other => format!("{other:?}"),
    }
}
