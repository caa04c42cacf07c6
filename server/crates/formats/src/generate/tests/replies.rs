//! Whole answers, in and out.

use super::super::{decode_response, encode_response};
use super::{echo, json};
use crate::{BlockKind, ChatResponse, ContentBlock, Format, ResponseChoice, StopReason, ThinkingSignature, TokenUsage};

fn answer(candidate: &str) -> ChatResponse {
    let body = format!(r#"{{"candidates":[{candidate}],"responseId":"r"}}"#);
    decode_response::read(body.as_bytes(), "up").unwrap_or_else(|error| panic!("{error}: {body}"))
}

fn kinds(parts: &str) -> String {
    let reply = answer(&format!(r#"{{"content":{{"role":"model","parts":{parts}}},"finishReason":"STOP"}}"#));
    let words = reply.choices[0].blocks.iter().map(|block| match &block.kind {
        BlockKind::Text(text) => format!("text {text}"),
        BlockKind::Thinking { text, signature, .. } => {
            format!("thought {text} {}", signature.as_ref().map_or("-", |signature| &signature.text))
        }
        BlockKind::Call { id, name, arguments, signature, .. } => {
            format!("call {id} {name} {arguments} {}", signature.as_ref().map_or("-", |signature| &signature.text))
        }
        BlockKind::Image(image) => format!("image {:?}", image.source),
        BlockKind::Other { name, raw } => format!("{name} {raw}"),
        other => panic!("{other:?}"),
    });
    words.collect::<Vec<_>>().join("|")
}

#[test]
fn parts_are_blocks() {
    for (parts, expected) in [
        (r#"[{"text":"a"},{"text":"b"}]"#, "text ab"),
        (r#"[{"text":"a","thought":true},{"text":"b","thought":true},{"text":"c"}]"#, "thought ab -|text c"),
        (r#"[{"text":"a"},{"text":"","thoughtSignature":"AQ=="}]"#, "text a|thought  AQ=="),
        (r#"[{"text":"a","thoughtSignature":"AQ=="}]"#, "text a|thought  AQ=="),
        (r#"[{"text":"a","thought":true},{"thoughtSignature":"AQ=="}]"#, "thought a AQ=="),
        (
            r#"[{"functionCall":{"id":"c","name":"f","args":{"b":1.0,"a":2}},"thoughtSignature":"AQ=="}]"#,
            r#"call c f {"b":1.0,"a":2} AQ=="#,
        ),
        (r#"[{"inlineData":{"mimeType":"image/png","data":"-_8"}}]"#, r#"image Base64("+/8=")"#),
        (r#"[{"inlineData":{"mimeType":"image/png","data":"-_8"},"thought":true},{"text":""},{}]"#, ""),
        (r#"[{"executableCode":{"code":"1"}}]"#, r#"executableCode {"executableCode":{"code":"1"}}"#),
    ] {
        assert_eq!(kinds(parts), expected, "{parts}");
    }
}

#[test]
fn calls_without_ids_get_different_ones() {
    let body = |id: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"functionCall":{{"name":"f"}}}},{{"functionCall":{{"name":"f"}}}}]}}}}],"responseId":"{id}"}}"#
        )
    };
    let ids = |id: &str| -> Vec<String> {
        let reply = decode_response::read(body(id).as_bytes(), "up").expect("an answer");
        let id = |block: &ContentBlock| match &block.kind {
            BlockKind::Call { id, .. } => id.clone(),
            other => panic!("{other:?}"),
        };
        reply.choices[0].blocks.iter().map(id).collect()
    };
    let all = [ids("a"), ids("b")].concat();
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 4);
    assert_eq!(ids("a"), ids("a"));
    assert!(all.iter().all(|id| id.starts_with("call_") && id.len() == 21), "{all:?}");
}

#[test]
fn each_reason_has_its_stop() {
    for (reason, plain, calling) in [
        ("STOP", StopReason::Natural, StopReason::Calls),
        ("", StopReason::Natural, StopReason::Calls),
        ("SOMETHING_NEW", StopReason::Natural, StopReason::Calls),
        ("OTHER", StopReason::Natural, StopReason::Calls),
        ("MAX_TOKENS", StopReason::Length, StopReason::Length),
        ("SAFETY", StopReason::Refused, StopReason::Refused),
        ("RECITATION", StopReason::Refused, StopReason::Refused),
        ("BLOCKLIST", StopReason::Refused, StopReason::Refused),
        ("IMAGE_SAFETY", StopReason::Refused, StopReason::Refused),
        ("MALFORMED_FUNCTION_CALL", StopReason::BrokenCall, StopReason::BrokenCall),
        ("CONTINUATION", StopReason::Pause, StopReason::Pause),
    ] {
        let with = |parts: &str| answer(&format!(r#"{{"content":{{"parts":{parts}}},"finishReason":"{reason}"}}"#));
        assert_eq!(with(r#"[{"text":"t"}]"#).choices[0].stop, plain, "{reason}");
        assert_eq!(with(r#"[{"functionCall":{"name":"f"}}]"#).choices[0].stop, calling, "{reason}");
    }
}

#[test]
fn usage_falls_into_buckets_that_do_not_overlap() {
    let usage = |metadata: &str| {
        let body = format!(r#"{{"candidates":[{{}}],"usageMetadata":{metadata}}}"#);
        decode_response::read(body.as_bytes(), "up").expect("an answer").usage
    };
    let all = usage(
        r#"{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":20,"thoughtsTokenCount":7,
          "toolUsePromptTokenCount":5,"totalTokenCount":132,
          "promptTokensDetails":[{"modality":"TEXT","tokenCount":60},{"modality":"AUDIO","tokenCount":30},{"modality":"IMAGE","tokenCount":10}],
          "cacheTokensDetails":[{"modality":"AUDIO","tokenCount":10}],"candidatesTokensDetails":[{"modality":"IMAGE","tokenCount":9}]}"#,
    );
    let expected = TokenUsage {
        input: 65,
        cache_read: 40,
        output: 27,
        reasoning: 7,
        audio_input: 20,
        image_input: 10,
        image_output: 9,
        ..TokenUsage::default()
    };
    assert_eq!(all, Some(expected));
    assert_eq!(expected.total(), 132);
    let by_total = usage(r#"{"promptTokenCount":10,"thoughtsTokenCount":3,"totalTokenCount":20}"#).expect("figures");
    assert_eq!((by_total.input, by_total.output), (10, 10));
    assert_eq!(usage("null"), None);
    assert_eq!(usage(r#"{"promptTokenCount":"x"}"#), Some(TokenUsage::IMPOSSIBLE));
}

#[test]
fn odd_answers_are_read_and_others_are_not() {
    assert!(answer(r#"{"finishReason":"MAX_TOKENS"}"#).choices[0].blocks.is_empty());
    let two =
        answer(r#"{"index":1,"content":{"parts":[{"text":"b"}]}},{"index":0,"content":{"parts":[{"text":"a"}]}}"#);
    assert!(matches!(&two.choices[0].blocks[0].kind, BlockKind::Text(text) if text == "a"));
    let blocked = decode_response::read(br#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, "up").expect("an answer");
    assert!(blocked.choices.is_empty());
    assert_eq!(blocked.extra[0].name, "promptFeedback");
    for (body, at) in [
        ("<html>", "body"),
        ("{}", "candidates"),
        (r#"{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}"#, "error"),
        (r#"{"candidates":1}"#, "candidates"),
        (
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}"#,
            "candidates[0].content.parts[0].functionCall.name",
        ),
    ] {
        assert_eq!(decode_response::read(body.as_bytes(), "up").expect_err(body).at, at);
    }
}

fn written(blocks: Vec<BlockKind>, stop: StopReason, usage: Option<TokenUsage>) -> serde_json::Value {
    let blocks = blocks.into_iter().map(|kind| ContentBlock { at: String::new(), kind, extra: Vec::new() }).collect();
    let choices = vec![ResponseChoice { blocks, stop, extra: Vec::new() }];
    json(encode_response::write(&ChatResponse { id: "up-1".into(), choices, usage, extra: Vec::new() }, &echo()))
}

#[test]
fn an_answer_has_all_that_the_sdks_and_the_source_want() {
    let usage =
        TokenUsage { input: 5, cache_read: 3, cache_write: 2, output: 9, reasoning: 4, ..TokenUsage::default() };
    let foreign = ThinkingSignature::made_by("a-up", Format::Messages, None, "sig".into());
    let call = BlockKind::Call {
        id: "toolu_1".into(),
        name: "f".into(),
        arguments: "{\n\"a\":1}".into(),
        custom: false,
        signature: Some(ThinkingSignature::made_by("g-up", Format::Generate, None, "AQ==".into())),
    };
    let other =
        BlockKind::Other { name: "server_tool_use".into(), raw: serde_json::value::to_raw_value(&1).expect("JSON") };
    let thinking = BlockKind::Thinking { text: "hm".into(), id: None, signature: Some(foreign.clone()) };
    let packed = super::super::signing::write(&foreign);
    let kinds = vec![
        thinking,
        BlockKind::ClosedThinking(foreign),
        BlockKind::Text("t".into()),
        BlockKind::Text(String::new()),
        call,
        other,
    ];
    let all = written(kinds, StopReason::Calls, Some(usage));
    assert_eq!(
        all,
        json(format!(
            r#"{{"candidates":[{{"content":{{"role":"model","parts":[
                {{"text":"hm","thought":true,"thoughtSignature":"{packed}"}},{{"text":"","thoughtSignature":"{packed}"}},{{"text":"t"}},
                {{"functionCall":{{"id":"toolu_1","name":"f","args":{{"a":1}}}},"thoughtSignature":"AQ=="}}]}},
              "finishReason":"STOP","index":0,"safetyRatings":[]}}],
              "usageMetadata":{{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":19,"cachedContentTokenCount":3,"thoughtsTokenCount":4}},
              "modelVersion":"alias","responseId":"0123"}}"#
        ))
    );
}

#[test]
fn a_bare_answer_still_has_its_members() {
    assert_eq!(
        written(vec![], StopReason::Refused, None),
        json(
            r#"{"candidates":[{"content":{"role":"model","parts":[]},"finishReason":"SAFETY","index":0,"safetyRatings":[]}],
               "usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0},
               "modelVersion":"alias","responseId":"0123"}"#
        )
    );
    let blocked = json(encode_response::write(&ChatResponse::default(), &echo()));
    assert_eq!(blocked["promptFeedback"], json(r#"{"blockReason":"OTHER"}"#));
    for (stop, word) in [
        (StopReason::Sequence(Some("x".into())), "STOP"),
        (StopReason::Length, "MAX_TOKENS"),
        (StopReason::ContextFull, "MAX_TOKENS"),
        (StopReason::Pause, "OTHER"),
        (StopReason::BrokenCall, "MALFORMED_FUNCTION_CALL"),
    ] {
        assert_eq!(written(vec![], stop, None)["candidates"][0]["finishReason"], word);
    }
}

#[test]
fn what_is_the_format_s_own_comes_back() {
    let own = r#"{"candidates":[{"content":{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},
        {"executableCode":{"code":"1"}}]},"finishReason":"STOP","index":0,"safetyRatings":[{"category":"C"}],
        "groundingMetadata":{"q":1},"foreign":1}],
      "usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":12,"totalTokenCount":15,
        "candidatesTokensDetails":[{"modality":"TEXT","tokenCount":2},{"modality":"IMAGE","tokenCount":10}]},
      "modelVersion":"alias","responseId":"0123"}"#;
    let reply = decode_response::read(own.as_bytes(), "up").expect("an answer");
    let mut expected = json(own);
    expected["candidates"][0].as_object_mut().expect("an object").remove("foreign");
    assert_eq!(json(encode_response::write(&reply, &echo())), expected);
}
