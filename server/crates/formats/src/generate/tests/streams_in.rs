//! Streams of providers, read.

use super::super::decode_stream::GenerateStreamDecoder;
use crate::{BlockDelta, BlockKind, BlockOpening, StreamDecoder, StreamEvent};

/// The events in short, one a line's word: `+0text`, `0=abc`, `-0`.
pub fn short(events: &[StreamEvent]) -> String {
    let word = |event: &StreamEvent| match event {
        StreamEvent::Start { id } => format!("start({id})"),
        StreamEvent::Open { index, opening } => match opening {
            BlockOpening::Text => format!("+{index}text"),
            BlockOpening::Refusal => format!("+{index}refusal"),
            BlockOpening::Thinking => format!("+{index}thought"),
            BlockOpening::Call { id, name, .. } if id.len() > 9 => format!("+{index}call(made,{name})"),
            BlockOpening::Call { id, name, .. } => format!("+{index}call({id},{name})"),
            BlockOpening::Whole(block) => match &block.kind {
                BlockKind::Image(image) => format!("+{index}image({:?})", image.source),
                BlockKind::Other { raw, .. } => format!("+{index}other({raw})"),
                kind => format!("+{index}{kind:?}"),
            },
        },
        StreamEvent::Delta { index, delta: BlockDelta::Text(text) | BlockDelta::Arguments(text) } => {
            format!("{index}={text}")
        }
        StreamEvent::Delta { index, delta: BlockDelta::Signature(signature) } => format!("{index}~{}", signature.text),
        StreamEvent::Close { index } => format!("-{index}"),
        StreamEvent::Usage(usage) => format!("usage({},{})", usage.prompt(), usage.output),
        StreamEvent::Stop(stop) => format!("stop({stop:?})"),
        StreamEvent::End => "end".to_owned(),
        StreamEvent::Error(told) => format!("error({told})"),
        StreamEvent::Ping => "ping".to_owned(),
    };
    events.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn stream(chunks: &[&str]) -> String {
    let mut reader = GenerateStreamDecoder::new("up");
    let mut out = Vec::new();
    for chunk in chunks {
        reader.read(None, chunk.as_bytes(), &mut out).unwrap_or_else(|error| panic!("{error}: {chunk}"));
    }
    reader.finish(&mut out);
    short(&out)
}

fn parts(parts: &str) -> String {
    format!(r#"{{"candidates":[{{"content":{{"role":"model","parts":{parts}}},"index":0}}],"responseId":"r"}}"#)
}

const STOP: &str = r#"{"candidates":[{"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2}}"#;

#[test]
fn text_comes_in_pieces() {
    let running = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":1}}"#;
    assert_eq!(
        stream(&[
            running,
            &parts(r#"[{"text":"b"},{"text":"c"}]"#),
            STOP,
            r#"{"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":3}}"#
        ]),
        "start() +0text 0=a usage(4,1) 0=b 0=c usage(4,2) usage(4,3) -0 stop(Natural) end"
    );
}

#[test]
fn thoughts_and_their_signatures() {
    for (pieces, expected) in [
        (r#"[{"text":"a","thought":true},{"text":"b"}]"#, "+0thought 0=a -0 +1text 1=b -1"),
        (
            r#"[{"text":"a","thought":true,"thoughtSignature":"AQ=="},{"text":"b"}]"#,
            "+0thought 0=a 0~AQ== -0 +1text 1=b -1",
        ),
        (r#"[{"text":"a","thought":true},{"text":"","thoughtSignature":"AQ=="}]"#, "+0thought 0=a 0~AQ== -0"),
        (r#"[{"text":"a"},{"text":"","thoughtSignature":"AQ=="}]"#, "+0text 0=a -0 +1thought 1~AQ== -1"),
        (r#"[{"text":"a","thoughtSignature":"AQ=="}]"#, "+0text 0=a -0 +1thought 1~AQ== -1"),
    ] {
        assert_eq!(
            stream(&[&parts(pieces), STOP]),
            format!(
                "start(r) {} usage(4,2){} stop(Natural) end",
                &expected[..expected.len() - tail(expected)],
                &expected[expected.len() - tail(expected)..]
            )
        );
    }
}

/// A block that is still open closes after the last chunk.
fn tail(expected: &str) -> usize {
    if expected.contains("text 1=b") { " -1".len() } else { 0 }
}

#[test]
fn calls_come_whole_and_each_is_one() {
    let both = r#"[{"functionCall":{"id":"c1","name":"f","args":{"a":1.0}},"thoughtSignature":"AQ=="},{"functionCall":{"name":"g"}}]"#;
    let last =
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","args":{}}}]},"finishReason":"STOP"}]}"#;
    assert_eq!(
        stream(&[&parts(r#"[{"text":"x"}]"#), &parts(both), last]),
        r#"start(r) +0text 0=x -0 +1call(c1,f) 1~AQ== 1={"a":1.0} -1 +2call(made,g) -2 +3call(made,g) 3={} -3 stop(Calls) end"#
    );
}

#[test]
fn calls_without_ids_in_two_chunks_have_two_ids() {
    let mut reader = GenerateStreamDecoder::new("up");
    let mut out = Vec::new();
    for _ in 0..2 {
        let chunk = parts(r#"[{"functionCall":{"name":"f"}}]"#);
        reader.read(None, chunk.as_bytes(), &mut out).expect("a chunk");
    }
    let id = |event: &StreamEvent| match event {
        StreamEvent::Open { opening: BlockOpening::Call { id, .. }, .. } => Some(id.clone()),
        _ => None,
    };
    let ids: Vec<String> = out.iter().filter_map(id).collect();
    assert_eq!(ids.len(), 2);
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn pictures_and_what_else_comes_whole() {
    let pieces = r#"[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"executableCode":{"code":"1"}},{"text":"b"}]"#;
    assert_eq!(
        stream(&[&parts(pieces), STOP]),
        r#"start(r) +0text 0=a -0 +1image(Base64("AA==")) -1 +2other({"executableCode":{"code":"1"}}) -2 +3text 3=b usage(4,2) -3 stop(Natural) end"#
    );
}

#[test]
fn refusals() {
    let safety = r#"{"candidates":[{"finishReason":"SAFETY"}]}"#;
    assert_eq!(stream(&[&parts(r#"[{"text":"a"}]"#), safety]), "start(r) +0text 0=a -0 stop(Refused) end");
    let blocked = r#"{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":4}}"#;
    assert_eq!(stream(&[blocked]), "start() usage(4,0) stop(Refused) end");
}

#[test]
fn errors_and_broken_streams_do_not_end() {
    let error = r#"{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}"#;
    assert_eq!(stream(&[&parts(r#"[{"text":"a"}]"#), error, STOP]), "start(r) +0text 0=a error(UNAVAILABLE: busy) -0");
    assert_eq!(stream(&[error]), "error(UNAVAILABLE: busy)");
    assert_eq!(stream(&[&parts(r#"[{"text":"a"}]"#)]), "start(r) +0text 0=a -0");
    assert_eq!(stream(&[]), "");
}

#[test]
fn oddities_pass_and_garbage_does_not() {
    assert_eq!(
        stream(&[
            "",
            " ",
            r#"{"candidates":null,"new":1}"#,
            r#"{"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}}]}"#,
            STOP,
            "[DONE]"
        ]),
        "start() usage(4,2) stop(Natural) end"
    );
    for (chunk, at) in [
        ("<html>", "body"),
        ("[]", "body"),
        (r#"{"candidates":[{"content":{"parts":[{"text":1}]}}]}"#, "candidates[0].content.parts[0].text"),
        (r#"{"candidates":[{"finishReason":1}]}"#, "candidates[0].finishReason"),
    ] {
        let error = GenerateStreamDecoder::new("up").read(None, chunk.as_bytes(), &mut Vec::new()).expect_err(chunk);
        assert_eq!(error.at, at);
    }
}
