//! Another format's request, written for a provider of this one. The cases are written in this format and said by a
//! client of another. Here: what is said.

use super::{contents, json, read_as, refused, write};
use crate::{BlockKind, ChatMessage, ContentBlock, Format, MediaContent, MediaSource, MessageRole, ThinkingSignature};

const BYPASS: &str = "skip_thought_signature_validator";

fn block(at: &str, kind: BlockKind) -> ContentBlock {
    ContentBlock { at: at.to_owned(), kind, extra: Vec::new() }
}

fn signed(upstream: &str) -> ThinkingSignature {
    ThinkingSignature::made_by(upstream, Format::Generate, None, "AQI=".to_owned())
}

#[test]
fn speakers_take_turns_and_instructions_keep_their_place() {
    let mut ask = read_as(
        Format::Chat,
        r#"{"systemInstruction":{"parts":[{"text":"a"},{"text":""},{"text":"b"}]},"contents":[
          {"parts":[{"text":"1"},{"text":""}]},{"parts":[{"text":"2"}]},{"role":"model","parts":[{"text":"3"}]},
          {"role":"model","parts":[{"text":"4"}]},{"parts":[{"text":"5"}]},{"parts":[{"text":"6"}]}]}"#,
    );
    ask.turns[4].role = MessageRole::Developer;
    let (written, dropped) = write(&ask).expect("carried");
    assert_eq!(
        written,
        json(
            r#"{"systemInstruction":{"parts":[{"text":"a"},{"text":"b"}]},"contents":[
              {"role":"user","parts":[{"text":"1"},{"text":"2"}]},{"role":"model","parts":[{"text":"3"},{"text":"4"}]},
              {"role":"user","parts":[{"text":"5"},{"text":"6"}]}]}"#
        )
    );
    assert!(dropped.is_empty());
    ask.turns.clear();
    let (alone, _) = write(&ask).expect("carried");
    assert_eq!(alone, json(contents(r#"{"role":"user","parts":[{"text":"a"},{"text":"b"}]}"#)));
}

#[test]
fn results_stand_first_in_the_order_of_their_calls() {
    let mut ask = read_as(
        Format::Chat,
        r#"{"contents":[{"parts":[{"text":"t"}]},
          {"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},{"functionCall":{"id":"b","name":"g","args":{}}}]},
          {"parts":[{"functionResponse":{"id":"b","name":"x","response":{"n":1}}}]},
          {"parts":[{"text":"well"}]},
          {"parts":[{"functionResponse":{"id":"a","name":"x","response":{"error":"no"}}}]}]}"#,
    );
    ask.turns[3].role = MessageRole::System;
    ask.turns[2].blocks[0].kind = BlockKind::CallResult {
        id: "b".into(),
        name: None,
        content: vec![
            block("r", BlockKind::Text("seen".into())),
            block(
                "i",
                BlockKind::Image(MediaContent {
                    mime: None,
                    source: MediaSource::Base64("iVBORw0KGgo=".into()),
                    name: None,
                    detail: Some("low".into()),
                }),
            ),
        ],
        failed: Some(false),
    };
    let (written, dropped) = write(&ask).expect("carried");
    assert_eq!(
        written["contents"][2],
        json(
            r#"{"role":"user","parts":[
              {"functionResponse":{"id":"a","name":"f","response":{"error":"{\"error\":\"no\"}"}}},
              {"functionResponse":{"id":"b","name":"g","response":{"result":"seen"}}},
              {"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"text":"well"}]}"#
        )
    );
    assert_eq!(dropped, ["i.detail"]);
}

#[test]
fn a_call_without_its_result_is_refused_and_a_result_without_its_call() {
    let call = r#"{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]}"#;
    let result =
        |id: &str| format!(r#"{{"parts":[{{"functionResponse":{{"id":"{id}","name":"f","response":{{}}}}}}]}}"#);
    for (turns, at) in [
        (format!(r#"{{"parts":[{{"text":"t"}}]}},{call},{{"parts":[{{"text":"t"}}]}}"#), "contents[1].parts[0]"),
        (format!(r#"{{"parts":[{{"text":"t"}}]}},{call},{}"#, result("b")), "contents[1].parts[0]"),
        (format!("{call},{},{}", result("a"), result("a")), "contents[2].parts[0]"),
        (result("a"), "contents[0].parts[0]"),
    ] {
        assert_eq!(refused(&read_as(Format::Responses, &contents(&turns))), at, "{turns}");
    }
}

#[test]
fn the_first_call_of_each_turn_is_signed_one_way_or_the_other() {
    let turn = |blocks: Vec<BlockKind>| {
        let mut ask = read_as(Format::Messages, &contents(r#"{"parts":[{"text":"t"}]}"#));
        let blocks = blocks.into_iter().map(|kind| block("b", kind)).collect();
        ask.turns.push(ChatMessage { at: "m".into(), role: MessageRole::Model, blocks, extra: Vec::new() });
        let (mut written, dropped) = write(&ask).expect("carried");
        (written["contents"][1]["parts"].take(), dropped)
    };
    let call = |signature| BlockKind::Call {
        id: "a".into(),
        name: "f".into(),
        arguments: String::new(),
        custom: false,
        signature,
    };
    let thought = |text: &str, signature| BlockKind::Thinking { text: text.into(), id: None, signature };
    let part = |signature: &str| {
        format!(r#"{{"functionCall":{{"id":"a","name":"f","args":{{}}}},"thoughtSignature":"{signature}"}}"#)
    };
    let bare = r#"{"functionCall":{"id":"a","name":"f","args":{}}}"#;
    let text = || BlockKind::Text("x".into());
    for (blocks, expected, lost) in [
        (vec![call(None), call(None)], format!("[{},{bare}]", part(BYPASS)), 0),
        (vec![call(Some(signed("up"))), call(None)], format!("[{},{bare}]", part("AQI=")), 0),
        (vec![call(Some(signed("other")))], format!("[{}]", part(BYPASS)), 0),
        (
            vec![thought("hm", Some(signed("up"))), call(None)],
            format!(r#"[{{"text":"hm","thought":true}},{}]"#, part("AQI=")),
            0,
        ),
        (vec![BlockKind::ClosedThinking(signed("up")), call(None)], format!("[{}]", part("AQI=")), 0),
        (vec![BlockKind::ClosedThinking(signed("other")), call(None)], format!("[{}]", part(BYPASS)), 1),
        (vec![text(), thought("", Some(signed("up")))], r#"[{"text":"x","thoughtSignature":"AQI="}]"#.to_owned(), 0),
        (vec![text(), thought("", Some(signed("up"))), call(None)], format!(r#"[{{"text":"x"}},{}]"#, part("AQI=")), 0),
        (
            vec![thought("hm", Some(signed("up"))), text()],
            r#"[{"text":"hm","thought":true,"thoughtSignature":"AQI="},{"text":"x"}]"#.to_owned(),
            0,
        ),
        (vec![thought("hm", None), text()], r#"[{"text":"x"}]"#.to_owned(), 1),
    ] {
        let what = format!("{blocks:?}");
        let (written, dropped) = turn(blocks);
        assert_eq!(written, json(expected), "{what}");
        assert_eq!(dropped.len(), lost, "{what}");
    }
}

#[test]
fn arguments_and_results_are_objects() {
    let mut ask = read_as(
        Format::Chat,
        &contents(
            r#"{"parts":[{"text":"t"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]},
               {"parts":[{"functionResponse":{"id":"a","name":"f","response":{}}}]}"#,
        ),
    );
    let BlockKind::Call { arguments, .. } = &mut ask.turns[1].blocks[0].kind else { panic!("a call") };
    *arguments = r#"{"a":"#.to_owned();
    let BlockKind::CallResult { content, .. } = &mut ask.turns[2].blocks[0].kind else { panic!("a result") };
    content[0].kind = BlockKind::Text("[1,2]".into());
    let (written, _) = write(&ask).expect("carried");
    assert_eq!(written["contents"][1]["parts"][0]["functionCall"]["args"], json(r#"{"raw_arguments":"{\"a\":"}"#));
    assert_eq!(written["contents"][2]["parts"][0]["functionResponse"]["response"], json(r#"{"result":"[1,2]"}"#));
}

#[test]
fn media_go_as_bytes_or_by_address() {
    let media = |kind: fn(MediaContent) -> BlockKind, mime: Option<&str>, source: MediaSource| {
        let mut ask = read_as(Format::Messages, &contents(r#"{"parts":[{"text":"t"}]}"#));
        let media = MediaContent { mime: mime.map(Into::into), source, name: Some("n".into()), detail: None };
        ask.turns[0].blocks[0].kind = kind(media);
        write(&ask).map(|(written, dropped)| (written["contents"][0]["parts"][0].clone(), dropped))
    };
    let bytes = |data: &str| MediaSource::Base64(data.to_owned());
    let sent = |mime: &str, data: &str| json(format!(r#"{{"inlineData":{{"mimeType":"{mime}","data":"{data}"}}}}"#));
    assert_eq!(media(BlockKind::Image, Some("image/png"), bytes("AA==")).expect("sent").0, sent("image/png", "AA=="));
    assert_eq!(media(BlockKind::Image, None, bytes("/9j/")).expect("sent").0, sent("image/jpeg", "/9j/"));
    assert_eq!(media(BlockKind::Audio, Some("audio/wav"), bytes("AA==")).expect("sent").0, sent("audio/wav", "AA=="));
    let (pdf, dropped) = media(BlockKind::Document, Some("application/pdf"), bytes("AA==")).expect("sent");
    assert_eq!((pdf, dropped), (sent("application/pdf", "AA=="), vec!["contents[0].parts[0].title".to_owned()]));
    assert_eq!(
        media(BlockKind::Document, None, MediaSource::Text("x".into())).expect("sent").0,
        json(r#"{"text":"x"}"#)
    );
    let address = |uri: &str| MediaSource::Url(uri.to_owned());
    let fetched = |mime: &str, uri: &str| json(format!(r#"{{"fileData":{{"mimeType":"{mime}","fileUri":"{uri}"}}}}"#));
    for (kind, mime, uri, told) in [
        (
            BlockKind::Image as fn(MediaContent) -> BlockKind,
            None,
            "https://e.org/a/p.PNG?signature=a.webp#x",
            "image/png",
        ),
        (BlockKind::Image, None, "HTTPS://e.org/p", "image/jpeg"),
        (BlockKind::Image, None, "https://e.org", "image/jpeg"),
        (BlockKind::Image, Some("image/webp"), "https://e.org/p.png", "image/webp"),
        (BlockKind::Document, None, "https://e.org/d.csv", "text/csv"),
        (BlockKind::Document, None, "https://e.org/d", "application/pdf"),
    ] {
        assert_eq!(media(kind, mime, address(uri)).expect("sent").0, fetched(told, uri));
    }
    for refused in [
        media(BlockKind::Image, Some("image/png"), address("http://e.org/p.png")),
        media(BlockKind::Image, Some("image/png"), address("ftp://e.org/p.png")),
        media(BlockKind::Image, Some("image/png"), address("é")),
        media(BlockKind::Audio, Some("audio/wav"), address("https://e.org/p.wav")),
        media(BlockKind::Image, None, MediaSource::FileId("file-1".into())),
        media(BlockKind::Image, None, bytes("AA==")),
        media(BlockKind::Document, Some("application/msword"), bytes("AA==")),
    ] {
        assert_eq!(refused.expect_err("refused").at, "contents[0].parts[0]");
    }
}
