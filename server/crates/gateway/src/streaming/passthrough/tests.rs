//! What goes on to the client, what is held back, and what is counted of it.

use super::*;

const STREAM: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":null}\n\n\
    : note\n\n\
    data: {\"usage\" : null , \"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n\
    data: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n\
    data: [DONE]\n\n";

fn run(hide_usage: bool, reads: &[&[u8]]) -> (String, Option<String>) {
    let mut relay = StreamPassthrough::new(
        Format::Chat,
        UsageMeter::new(Format::Chat, 100, 0),
        hide_usage,
        StreamRoom::uncounted(1000),
    );
    let mut out = Vec::new();
    for read in reads {
        let taken = relay.take(read);
        out.extend_from_slice(&taken.forward);
        if let StreamState::Ends(event) = taken.then {
            assert!(relay.tally.finished() && relay.tally.reported().is_some());
            return (String::from_utf8(out).expect("text"), Some(String::from_utf8_lossy(&event).into_owned()));
        }
    }
    (String::from_utf8(out).expect("text"), None)
}

#[test]
fn forwarded_as_it_came_but_for_the_end() {
    let done = "data: [DONE]\n\n";
    let before = STREAM.strip_suffix(done).expect("the end");
    assert_eq!(run(false, &[STREAM.as_bytes()]), (before.to_owned(), Some(done.to_owned())));
    for cut in 0..STREAM.len() {
        let (head, tail) = STREAM.as_bytes().split_at(cut);
        assert_eq!(run(false, &[head, tail]), (before.to_owned(), Some(done.to_owned())), "cut at {cut}");
    }
}

#[test]
fn usage_that_we_asked_for_is_taken_out_again() {
    let expected = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n\
        : note\n\n\
        data: { \"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    for cut in 0..STREAM.len() {
        let (head, tail) = STREAM.as_bytes().split_at(cut);
        assert_eq!(run(true, &[head, tail]).0, expected, "cut at {cut}");
    }
}

/// Members that a provider adds to the last chunk are the client's, though the usage in it is not.
#[test]
fn a_usage_chunk_with_more_in_it_is_kept_without_the_usage() {
    const USAGE: &str = "\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}";
    let standard = "\"id\":\"x\",\"object\":\"y\",\"created\":1,\"model\":\"m\",\"service_tier\":null,\
        \"system_fingerprint\":\"f\",\"obfuscation\":\"aa\",\"choices\":[]";
    for (event, expected) in [
        (format!("data: {{{standard},{USAGE}}}\n\n"), String::new()),
        (format!("data: {{{USAGE},{standard}}}\n\n"), String::new()),
        (format!("data: {{{standard},\"cost\":1.50,{USAGE}}}\n\n"), format!("data: {{{standard},\"cost\":1.50}}\n\n")),
        (
            format!("data: {{{USAGE},\"choices\":[],\"citations\":[\"u\"]}}\n\n"),
            "data: {\"choices\":[],\"citations\":[\"u\"]}\n\n".to_owned(),
        ),
    ] {
        let mut relay = StreamPassthrough::new(
            Format::Chat,
            UsageMeter::new(Format::Chat, 100, 0),
            true,
            StreamRoom::uncounted(1000),
        );
        assert_eq!(relay.take(event.as_bytes()).forward, expected.as_bytes(), "{event}");
        assert!(relay.tally.reported().is_some());
        let mut shown = StreamPassthrough::new(
            Format::Chat,
            UsageMeter::new(Format::Chat, 100, 0),
            false,
            StreamRoom::uncounted(1000),
        );
        assert_eq!(shown.take(event.as_bytes()).forward, event.as_bytes(), "the client asked for it");
    }
}

#[test]
fn garbage_is_no_beginning_and_no_end() {
    let garbage = "data: <html>\n\n";
    let mut relay =
        StreamPassthrough::new(Format::Chat, UsageMeter::new(Format::Chat, 100, 0), true, StreamRoom::uncounted(1000));
    assert_eq!(relay.take(garbage.as_bytes()).then, StreamState::Broken);
    assert!(!relay.begun() && !relay.tally.delivered());
    let mut relay =
        StreamPassthrough::new(Format::Chat, UsageMeter::new(Format::Chat, 100, 0), true, StreamRoom::uncounted(1000));
    let comment = ": wait\n\ndata:\n\n";
    assert_eq!(relay.take(comment.as_bytes()), StreamChunk { forward: comment.into(), then: StreamState::Goes });
    assert!(!relay.begun());
    relay.take(b"data: {\"choices\":[]}\n\n");
    assert!(relay.begun());
    assert_eq!(relay.take(garbage.as_bytes()), StreamChunk { forward: garbage.into(), then: StreamState::Goes });
    assert!(relay.tally.delivered(), "what came is paid for, in whatever shape");
}

#[test]
fn a_last_event_without_its_blank_line_counts_and_half_of_one_does_not() {
    const TEXT: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}";
    for (rest, forward, then, delivered) in [
        (TEXT, format!("{TEXT}\n\n"), StreamState::Goes, true),
        (&TEXT[..20], String::new(), StreamState::Broken, false),
        ("event: mess", String::new(), StreamState::Goes, false),
        (": half a com", String::new(), StreamState::Goes, false),
        ("data: [DONE]", String::new(), StreamState::Ends("data: [DONE]\n\n".into()), false),
        ("data: [DONE]\n", String::new(), StreamState::Ends("data: [DONE]\n\n".into()), false),
        ("data: [DO", String::new(), StreamState::Broken, false),
    ] {
        let mut relay = StreamPassthrough::new(
            Format::Chat,
            UsageMeter::new(Format::Chat, 100, 0),
            false,
            StreamRoom::uncounted(1000),
        );
        assert_eq!(relay.take(b"data: {\"choices\":[]}\n\n").then, StreamState::Goes);
        assert_eq!(relay.take(rest.as_bytes()), StreamChunk { forward: Bytes::new(), then: StreamState::Goes });
        assert_eq!(relay.end(), StreamChunk { forward: forward.into(), then }, "{rest}");
        assert_eq!(relay.tally.delivered(), delivered, "{rest}");
    }
}

#[test]
fn an_error_in_the_stream_ends_it() {
    let mut relay =
        StreamPassthrough::new(Format::Chat, UsageMeter::new(Format::Chat, 100, 0), true, StreamRoom::uncounted(1000));
    let error = "data: {\"error\":{\"message\":\"x\"}}\n\n";
    let taken = relay.take([error, "data: [DONE]\n\n"].concat().as_bytes());
    assert_eq!((taken.forward.as_ref(), taken.then), (&b""[..], StreamState::Failed(error.into())));
}

/// Joined lines lie elsewhere than the event: looking for the usage in the event must not reach outside it.
#[test]
fn usage_over_several_lines_is_left_alone() {
    let event = "data: {\"choices\":[{\"delta\":{}}],\ndata: \"usage\":null}\n\n";
    let mut relay =
        StreamPassthrough::new(Format::Chat, UsageMeter::new(Format::Chat, 100, 0), true, StreamRoom::uncounted(1000));
    assert_eq!(relay.take(event.as_bytes()).forward, event);
}

#[test]
fn an_event_without_end_is_bounded() {
    let mut relay =
        StreamPassthrough::new(Format::Chat, UsageMeter::new(Format::Chat, 100, 0), true, StreamRoom::uncounted(10));
    assert_eq!(relay.take(b"data: 1234").then, StreamState::Goes);
    assert_eq!(relay.take(b"5").then, StreamState::TooLarge);
}

const TALKS: &str = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#;
const FINISHES: &str =
    r#"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1}}"#;

fn list() -> StreamPassthrough {
    StreamPassthrough::new(
        Format::Generate,
        UsageMeter::new(Format::Generate, 100, 0),
        false,
        StreamRoom::uncounted(1000),
    )
    .listed()
}

#[test]
fn a_list_has_no_place_for_what_holds_no_data() {
    let mut relay = list();
    let read = format!(": wait\n\ndata: {TALKS}\n\n: wait\n\ndata:\n\nevent: x\n\ndata: {FINISHES}\n\n: wait\n\n");
    let begun = relay.take(read.as_bytes());
    assert_eq!(begun.then, StreamState::Goes);
    let end = relay.end();
    let StreamState::Ends(last) = end.then else { panic!("{end:?}") };
    let whole = [&begun.forward[..], &end.forward, &last].concat();
    let whole: Vec<serde_json::Value> = serde_json::from_slice(&whole).expect("one JSON list");
    assert_eq!(whole.len(), 2);
}

#[test]
fn what_would_break_a_list_ends_it() {
    for (after, then_broken) in [("<html>", true), (r#"{"error":{"code":500}}"#, false)] {
        for before in [TALKS, FINISHES] {
            let mut relay = list();
            let taken = relay.take(format!("data: {before}\n\ndata: {after}\n\n").as_bytes());
            let last = match taken.then {
                StreamState::Failed(last) => last,
                StreamState::Broken => relay.error_event(&ClientStreamError {
                    code: "c",
                    message: String::new(),
                    body: Bytes::from_static(b"{}"),
                    event: Bytes::new(),
                }),
                then => panic!("{then:?}"),
            };
            let whole = [&taken.forward[..], &last].concat();
            let whole: Vec<serde_json::Value> = serde_json::from_slice(&whole).expect("one JSON list");
            assert_eq!((whole.len(), whole[1].get("error").is_none()), (2, then_broken), "{before} {after}");
        }
    }
}

#[test]
fn nothing_overtakes_what_is_held_back() {
    let finishes = format!("data: {FINISHES}\n\n");
    for (after, shown) in [
        (": wait\n\n", Some(": wait\n\n")),
        ("data: [DONE]\n\n", Some("data: [DONE]\n\n")),
        ("data: [DONE]\n", Some("data: [DONE]\n\n")),
        ("data: {\"candidates\":7}\n\n", Some("data: {\"candidates\":7}\n\n")),
        (": wait", Some("")),
        ("data: {\"usageMetadata\":{\"prompt", None),
    ] {
        let mut relay = StreamPassthrough::new(
            Format::Generate,
            UsageMeter::new(Format::Generate, 100, 0),
            false,
            StreamRoom::uncounted(1000),
        );
        let stream = [&finishes, after].concat();
        let taken = relay.take(stream.as_bytes());
        assert_eq!(taken, StreamChunk { forward: Bytes::new(), then: StreamState::Goes }, "{after}");
        let end = relay.end();
        let expected = match shown {
            Some(shown) => {
                StreamChunk { forward: Bytes::new(), then: StreamState::Ends([&finishes, shown].concat().into()) }
            }
            None => StreamChunk { forward: finishes.clone().into(), then: StreamState::Broken },
        };
        assert_eq!(end, expected, "{after}");
    }
}

/// A provider that finishes and goes on for ever must not fill the memory.
#[test]
fn what_is_held_back_is_bounded() {
    let mut relay = StreamPassthrough::new(
        Format::Generate,
        UsageMeter::new(Format::Generate, 100, 0),
        false,
        StreamRoom::uncounted(200),
    );
    let events = [format!("data: {FINISHES}\n\n"), format!("data: {TALKS}\n\n")];
    assert_eq!(relay.take(events.concat().as_bytes()), StreamChunk { forward: Bytes::new(), then: StreamState::Goes });
    let overflow = relay.take(events[1].repeat(2).as_bytes());
    assert_eq!(overflow.then, StreamState::TooLarge);
    assert!(overflow.forward.starts_with(events.concat().as_bytes()), "what came before is the client's");
}
