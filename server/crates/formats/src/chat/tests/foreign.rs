//! Requests of clients that speak another format.

use serde_json::json;

use super::super::encode_request;
use super::{block, call, foreign, made_by, result, target, text, turn, written};
use crate::{
    BlockKind, ChatRequest, Format, LocatedValue, MediaContent, MediaSource, MessageRole, OutputShape, ReasoningEffort,
    ReasoningSettings, ToolChoice, ToolDefinition, ToolKind, UnknownMember, Unsupported,
};

#[test]
fn results_come_before_what_the_user_says() {
    let picture = || BlockKind::Image(media("image/png", MediaSource::Base64("AAAA".into())));
    let turns = vec![
        turn(MessageRole::Model, vec![text("a"), call("1", "f", None), text("b"), call("2", "g", None)]),
        turn(MessageRole::User, vec![text("c"), result("2", vec![text("r"), picture()], None)]),
        turn(MessageRole::System, vec![text("s")]),
        turn(MessageRole::User, vec![result("1", vec![picture()], Some(true)), text("d")]),
        turn(MessageRole::Model, vec![text("e")]),
    ];
    let arguments = r#"{"z":1.0,"a":12345678901234567890}"#;
    let url = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let (body, dropped) = written(&foreign(Format::Messages, turns));
    assert_eq!(
        body["messages"],
        json!([
            {"role": "assistant", "content": "ab", "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": arguments}},
                {"id": "2", "type": "function", "function": {"name": "g", "arguments": arguments}},
            ]},
            {"role": "tool", "tool_call_id": "2", "content": "r"},
            {"role": "tool", "tool_call_id": "1", "content": "Error: The result is in the next message."},
            {"role": "user", "content": [url, url, {"type": "text", "text": "c"}]},
            {"role": "system", "content": "s"},
            {"role": "user", "content": "d"},
            {"role": "assistant", "content": "e"},
        ])
    );
    assert_eq!(dropped, Vec::<String>::new());
}

#[test]
fn instructions_before_the_conversation_are_one_message() {
    let turns = vec![turn(MessageRole::Developer, vec![text("b")]), turn(MessageRole::User, vec![text("c")])];
    let mut ask = foreign(Format::Responses, turns);
    ask.system = vec![block(text("a"))];
    assert_eq!(
        written(&ask).0["messages"],
        json!([
            {"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            {"role": "user", "content": "c"},
        ])
    );
}

#[test]
fn several_texts_of_a_result_stay_apart() {
    let turns = vec![turn(
        MessageRole::User,
        vec![result("1", vec![text("a"), text("b")], Some(true)), result("2", vec![], None)],
    )];
    let (body, _) = written(&foreign(Format::Messages, turns));
    assert_eq!(
        body["messages"],
        json!([
            {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "Error: a"}, {"type": "text", "text": "b"}]},
            {"role": "tool", "tool_call_id": "2", "content": ""},
        ])
    );
}

#[test]
fn calls_without_ids_and_with_long_ones_get_ids_that_pair() {
    let long = "x".repeat(64);
    let named = |name: &str| BlockKind::CallResult {
        id: String::new(),
        name: Some(name.into()),
        content: Vec::new(),
        failed: None,
    };
    let turns = vec![
        turn(MessageRole::Model, vec![call("", "f", None), call("", "g", None), call(&long, "h", None)]),
        turn(MessageRole::User, vec![named("g"), named("f"), result(&long, vec![], None)]),
    ];
    let (body, _) = written(&foreign(Format::Generate, turns));
    let asked: Vec<_> =
        body["messages"][0]["tool_calls"].as_array().expect("calls").iter().map(|call| &call["id"]).collect();
    let answered: Vec<_> = (1..4).map(|index| &body["messages"][index]["tool_call_id"]).collect();
    assert_eq!(answered, [asked[1], asked[0], asked[2]]);
    assert!(asked.iter().all(|id| id.as_str().is_some_and(|id| (1..=40).contains(&id.len()))));
    assert!(asked[0] != asked[1] && asked[1] != asked[2]);
}

#[test]
fn thoughts_go_back_to_their_maker_only() {
    let thought = |text: &str, signature| BlockKind::Thinking { text: text.into(), id: None, signature };
    let turns = vec![
        turn(
            MessageRole::Model,
            vec![
                thought("own", Some(made_by(Format::Chat, ""))),
                thought("signed", Some(made_by(Format::Chat, "sig"))),
                thought("foreign", Some(made_by(Format::Messages, "sig"))),
                thought("nobody's", None),
                BlockKind::ClosedThinking(made_by(Format::Messages, "sig")),
                call("1", "f", Some(made_by(Format::Chat, "of the call"))),
                call("2", "f", Some(made_by(Format::Generate, "of another"))),
            ],
        ),
        turn(MessageRole::User, vec![text("x")]),
        turn(MessageRole::Model, vec![thought("nothing else", None)]),
    ];
    let (body, dropped) = written(&foreign(Format::Messages, turns));
    let message = &body["messages"][0];
    assert_eq!(message["reasoning_content"], "own");
    assert_eq!(message["reasoning_details"], json!([{"type": "reasoning.text", "text": "signed", "signature": "sig"}]));
    assert_eq!(message["content"], json!(null));
    assert_eq!(message["tool_calls"][0]["extra_content"], json!({"google": {"thought_signature": "of the call"}}));
    assert_eq!(message["tool_calls"][1].get("extra_content"), None);
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(2));
    assert_eq!(dropped, ["messages[0].content[0]"]);
}

#[test]
fn documents_of_text_become_text_and_others_files() {
    let kinds = vec![
        BlockKind::Document(media("text/plain", MediaSource::Text("plain".into()))),
        BlockKind::Document(media("text/csv", MediaSource::Base64("YSxi".into()))),
        BlockKind::Document(media("application/pdf", MediaSource::Base64("AAAA".into()))),
        BlockKind::Audio(media("audio/mpeg", MediaSource::Base64("AAAA".into()))),
    ];
    let (body, _) = written(&foreign(Format::Generate, vec![turn(MessageRole::User, kinds)]));
    assert_eq!(
        body["messages"][0]["content"],
        json!([
            {"type": "text", "text": "plain"},
            {"type": "text", "text": "a,b"},
            {"type": "file", "file": {"filename": "document.pdf", "file_data": "data:application/pdf;base64,AAAA"}},
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "mp3"}},
        ])
    );
}

#[test]
fn settings_find_their_names() {
    let mut ask = foreign(Format::Messages, vec![turn(MessageRole::User, vec![text("x")])]);
    ask.stream = true;
    ask.system = vec![block(text("a")), block(text("b"))];
    ask.system[0].extra = vec![extra("system[0].cache_control", "cache_control")];
    ask.output_max = at("max_tokens", 9);
    ask.stop = at("stop_sequences", vec!["s".to_owned()]);
    ask.top_k = at("top_k", raw("3"));
    ask.user = at("metadata.user_id", "u".to_owned());
    ask.service_tier = at("service_tier", "standard_only".to_owned());
    ask.reasoning = at("thinking", ReasoningSettings { budget: Some(9000), ..ReasoningSettings::default() });
    ask.shape = at("output_config.format", schema());
    ask.tools = vec![
        function("f"),
        ToolDefinition {
            at: "tools[1]".into(),
            kind: ToolKind::WebSearch,
            extra: vec![extra("tools[1].max_uses", "max_uses")],
        },
    ];
    ask.tool_choice = at("tool_choice", ToolChoice::Named("f".into()));
    ask.parallel_calls = at("tool_choice.disable_parallel_tool_use", false);
    ask.extra = vec![extra("container", "container")];
    let (body, dropped) = written(&ask);
    assert_eq!(
        body,
        json!({
            "model": "there", "stream": true, "stream_options": {"include_usage": true},
            "messages": [
                {"role": "system", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
                {"role": "user", "content": "x"},
            ],
            "max_completion_tokens": 9, "stop": ["s"], "user": "u", "reasoning_effort": "medium",
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}},
            "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
            "web_search_options": {},
            "tool_choice": {"type": "function", "function": {"name": "f"}}, "parallel_tool_calls": false,
        })
    );
    assert_eq!(dropped, ["container", "system[0].cache_control", "service_tier", "top_k", "tools[1].max_uses"]);
}

#[test]
fn what_chooses_among_no_tools_is_left_out() {
    let mut ask = foreign(Format::Responses, vec![turn(MessageRole::User, vec![text("x")])]);
    ask.tool_choice = at("tool_choice", ToolChoice::Auto);
    ask.parallel_calls = at("parallel_tool_calls", true);
    ask.reasoning =
        at("reasoning", ReasoningSettings { effort: Some(ReasoningEffort::None), ..ReasoningSettings::default() });
    let (body, dropped) = written(&ask);
    let messages = json!([{"role": "user", "content": "x"}]);
    assert_eq!(body, json!({"model": "there", "messages": messages, "reasoning_effort": "none"}));
    assert_eq!(dropped, ["tool_choice", "parallel_tool_calls"]);
}

#[test]
fn a_custom_tool_of_the_responses_format_is_carried() {
    let custom = r#"{"type":"custom","name":"c","description":"d","format":{"type":"grammar","syntax":"lark","definition":"s"}}"#;
    let kind = ToolKind::Custom { name: "c".into(), raw: raw(custom) };
    let mut ask = foreign(Format::Responses, vec![turn(MessageRole::User, vec![text("x")])]);
    ask.tools = vec![ToolDefinition { at: "tools[0]".into(), kind, extra: Vec::new() }];
    ask.tool_choice = at("tool_choice", ToolChoice::Named("c".into()));
    let (body, _) = written(&ask);
    let format = json!({"type": "grammar", "grammar": {"syntax": "lark", "definition": "s"}});
    let custom = json!({"name": "c", "description": "d", "format": format});
    assert_eq!(body["tools"], json!([{"type": "custom", "custom": custom}]));
    assert_eq!(body["tool_choice"], json!({"type": "custom", "custom": {"name": "c"}}));
}

#[test]
fn what_would_change_the_answer_is_refused_by_name() {
    let elsewhere = MediaSource::FileId("file-1".into());
    let url = MediaSource::Url("https://h/x".into());
    for (name, kind) in [
        ("film", BlockKind::Video(media("video/mp4", MediaSource::Base64("AAAA".into())))),
        ("sound in another coding", BlockKind::Audio(media("audio/aiff", MediaSource::Base64("AAAA".into())))),
        ("sound elsewhere", BlockKind::Audio(media("audio/wav", url.clone()))),
        ("a picture elsewhere", BlockKind::Image(media("image/png", elsewhere.clone()))),
        ("a document elsewhere", BlockKind::Document(media("application/pdf", url))),
        ("a file at another provider", BlockKind::Document(media("application/pdf", elsewhere))),
        ("a foreign block", BlockKind::Other { name: "x".into(), raw: raw("{}") }),
        ("a compaction", BlockKind::Compaction { id: None, closed: "x".into() }),
    ] {
        let refused = refusal(&foreign(Format::Messages, vec![turn(MessageRole::User, vec![kind])]));
        assert_eq!(refused.at, "messages[0].content[0]", "{name}");
    }
    let picture = BlockKind::Image(media("image/png", MediaSource::Base64("AAAA".into())));
    assert_eq!(
        refusal(&foreign(Format::Generate, vec![turn(MessageRole::Model, vec![picture])])).at,
        "messages[0].content[0]"
    );
}

#[test]
fn settings_that_would_change_the_answer_are_refused_by_name() {
    type Change = fn(&mut ChatRequest);
    let cases: [(&str, Change); 11] = [
        ("n", |ask| ask.choices = at("n", 2)),
        ("lp", |ask| ask.logprobs = at("lp", true)),
        ("tlp", |ask| ask.top_logprobs = at("tlp", 1)),
        ("lb", |ask| ask.logit_bias = at("lb", raw("{}"))),
        ("st", |ask| ask.stop = at("st", vec![String::new(); 5])),
        ("sh", |ask| ask.shape = at("sh", OutputShape::Other(raw("{}")))),
        ("tc", |ask| {
            ask.tools = vec![function("f")];
            ask.tool_choice = at("tc", ToolChoice::Other(raw("{}")));
        }),
        ("tools[0]", |ask| ask.tools = vec![function("a.b")]),
        ("tools[0]", |ask| ask.tools = vec![function(&"a".repeat(65))]),
        ("tools[0]", |ask| ask.tools = vec![tool(ToolKind::Hosted { name: "x".into(), raw: raw("{}") })]),
        ("tools[0]", |ask| ask.tools = vec![tool(ToolKind::Custom { name: "x".into(), raw: raw("{}") })]),
    ];
    for (place, change) in cases {
        let mut ask = foreign(Format::Generate, vec![turn(MessageRole::User, vec![text("x")])]);
        change(&mut ask);
        assert_eq!(refusal(&ask).at, place);
    }
}

fn refusal(ask: &ChatRequest) -> Unsupported {
    encode_request::write(ask, &target()).expect_err("refused")
}

fn media(mime: &str, source: MediaSource) -> MediaContent {
    MediaContent { mime: Some(mime.into()), source, name: None, detail: None }
}

fn function(name: &str) -> ToolDefinition {
    tool(ToolKind::Function {
        name: name.into(),
        description: None,
        parameters: Some(raw(r#"{"type":"object"}"#)),
        strict: None,
    })
}

fn tool(kind: ToolKind) -> ToolDefinition {
    ToolDefinition { at: "tools[0]".into(), kind, extra: Vec::new() }
}

fn schema() -> OutputShape {
    OutputShape::JsonSchema { name: None, description: None, schema: raw(r#"{"type":"object"}"#), strict: None }
}

fn at<T>(at: &str, value: T) -> Option<LocatedValue<T>> {
    Some(LocatedValue { at: at.into(), value })
}

fn extra(at: &str, name: &str) -> UnknownMember {
    UnknownMember { at: at.into(), name: name.into(), value: raw("1") }
}

fn raw(json: &str) -> Box<serde_json::value::RawValue> {
    serde_json::value::RawValue::from_string(json.into()).expect("JSON")
}
