//! Tools of format A whose schema every client and model knows, towards other formats: functions of the same name. Others are
//! refused by name.

use serde_json::{Value, json};
use tollgate_tests::gateway::amount;
use tollgate_tests::tool_model::calling;

use super::{ask, calls, declared, gateway, schema};

const OTHERS: [&str; 3] = ["chat", "generate", "responses"];
/// 1,000 x 0.15 + 40 x 0.6 USD per million tokens.
const COST: &str = "0.000174";

/// Tools, and a call of each.
fn tools() -> [(Value, &'static str, Value); 5] {
    const EDITOR: &str = "str_replace_based_edit_tool";
    [
        (json!({"type": "bash_20241022", "name": "bash"}), "bash", json!({"restart": true})),
        (json!({"type": "bash_20250124", "name": "bash"}), "bash", json!({"command": "ls -l \"a b\""})),
        (
            json!({"type": "text_editor_20250728", "name": EDITOR, "cache_control": {"type": "ephemeral"}}),
            EDITOR,
            json!({"command": "view", "path": "/a", "view_range": [1, -1]}),
        ),
        (
            json!({"type": "text_editor_20250728", "name": EDITOR, "max_characters": 10_000}),
            EDITOR,
            json!({"command": "insert", "path": "/a", "insert_line": 2, "insert_text": "x\n"}),
        ),
        (
            json!({"type": "memory_20250818", "name": "memory"}),
            "memory",
            json!({"command": "rename", "old_path": "/memories/a", "new_path": "/memories/b"}),
        ),
    ]
}

/// Each name is one tool's: of two with the same one would vanish without a word.
#[tokio::test]
async fn two_tools_of_one_name_are_refused() {
    let gateway = gateway().await;
    let own = json!({"name": "bash", "input_schema": {"type": "object"}});
    let kind = json!({"type": "bash_20250124", "name": "bash"});
    for tools in [json!([own, kind]), json!([kind, own]), json!([kind, kind])] {
        for to in OTHERS {
            let answered = ask(&gateway, "messages", &format!("plain-{to}"), false, &json!({"tools": tools})).await;
            let message = answered.json()["error"]["message"].clone();
            assert_eq!((answered.status, &answered.sent), (400, &None), "{tools} to {to}: {message}");
            assert!(message.as_str().expect("words").contains("'tools[1].name'"), "{tools} to {to}: {message}");
        }
    }
    gateway.assert_books().await;
}

/// The one call in the content of a message.
fn call(content: &Value) -> Value {
    let is_call = |block: &&Value| block["type"] == "tool_use";
    let calls: Vec<&Value> = content.as_array().expect("blocks").iter().filter(is_call).collect();
    assert_eq!(calls.len(), 1, "{content}");
    calls[0].clone()
}

/// The content that the events of a stream make.
fn content(events: &[Value]) -> Value {
    let of = |kind: &str| events.iter().filter(move |event| event["type"] == kind).collect::<Vec<_>>();
    let mut blocks: Vec<Value> = of("content_block_start").iter().map(|event| event["content_block"].clone()).collect();
    let mut inputs = vec![String::new(); blocks.len()];
    for event in of("content_block_delta") {
        let index = usize::try_from(event["index"].as_u64().expect("an index")).expect("a small one");
        inputs[index].push_str(event["delta"]["partial_json"].as_str().unwrap_or_default());
    }
    for (block, input) in blocks.iter_mut().zip(&inputs).filter(|(_, input)| !input.is_empty()) {
        block["input"] = serde_json::from_str(input).expect("JSON");
    }
    json!(blocks)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_with_a_known_schema_is_a_function_and_its_call_comes_back() {
    let gateway = gateway().await;
    for (tool, name, input) in tools() {
        gateway.upstream.on(calling(name, input.clone()));
        for to in OTHERS {
            for stream in [false, true] {
                let model = format!("plain-{to}");
                let more = json!({"tools": [tool], "tool_choice": {"type": "tool", "name": name}});
                let answered = ask(&gateway, "messages", &model, stream, &more).await;
                let cell = format!("{tool} to {to}, stream {stream}: {}", answered.text);
                let members = tool.as_object().expect("an object").keys();
                let left: Vec<String> = members
                    .filter(|name| !["type", "name"].contains(&name.as_str()))
                    .map(|name| format!("tools[0].{name}"))
                    .collect();
                assert_eq!(
                    (answered.status, answered.dropped.as_deref().unwrap_or_default()),
                    (200, left.join(", ").as_str()),
                    "{cell}"
                );
                let functions = declared(to, answered.sent());
                let [(declared, function)] = &functions[..] else { panic!("{cell}: {functions:?}") };
                assert_eq!(declared, name, "{cell}");
                let known = schema(to, function);
                for argument in input.as_object().expect("an object").keys() {
                    assert!(known["properties"][argument].is_object(), "{cell}: no {argument} in {known}");
                }
                let chosen = answered.sent()[if to == "generate" { "toolConfig" } else { "tool_choice" }].to_string();
                assert!(chosen.contains(name), "{cell}: {chosen}");
                let blocks = if stream { content(&answered.events()) } else { answered.json()["content"].clone() };
                let called = call(&blocks);
                assert_eq!((&called["name"], &called["input"]), (&json!(name), &input), "{cell}");
                assert!(answered.text.contains("\"stop_reason\":\"tool_use\""), "{cell}");
                assert_eq!(answered.charged(), COST, "{cell}");
                let result = json!({"type": "tool_result", "tool_use_id": called["id"], "content": "two cats"});
                let turns = json!([{"role": "user", "content": "Hello"}, {"role": "assistant", "content": blocks},
                    {"role": "user", "content": [result]}]);
                let next =
                    ask(&gateway, "messages", &model, stream, &json!({"tools": [tool], "messages": turns})).await;
                let sent = next.sent().to_string();
                assert!(next.status == 200 && sent.contains("two cats"), "{cell}: {} {sent}", next.text);
                assert_eq!(calls(to, next.sent()), [(name.to_owned(), input.clone())], "{cell}: {sent}");
                assert_eq!(next.charged(), COST, "{cell}");
            }
        }
    }
    gateway.assert_books().await;
}

/// What a computer shows is no text, and what only some models know has no words in another format.
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_no_other_format_has_is_refused_by_name() {
    let gateway = gateway().await;
    let screen = |kind: &str| json!({"type": kind, "name": "computer", "display_width_px": 9, "display_height_px": 9});
    for tool in [
        screen("computer_20250124"),
        screen("computer_20251124"),
        json!({"type": "computer_toolset_20260801", "display_width_px": 9, "display_height_px": 9}),
        json!({"type": "browser_toolset_20260801"}),
        // Its model can take edits back, and its parameters have other names.
        json!({"type": "text_editor_20250124", "name": "str_replace_editor"}),
        json!({"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}),
    ] {
        let custom = json!({"name": "look", "input_schema": {"type": "object"}});
        let kind = tool["type"].as_str().expect("a kind");
        for to in OTHERS {
            for stream in [false, true] {
                let more = json!({"tools": [custom, tool]});
                let refused = ask(&gateway, "messages", &format!("plain-{to}"), stream, &more).await;
                let error = refused.json();
                let told = error["error"]["message"].as_str().expect("a message");
                assert_eq!((refused.status, &error["type"]), (400, &json!("error")), "{kind} to {to}: {error}");
                assert_eq!(error["error"]["type"], "invalid_request_error", "{kind} to {to}: {error}");
                assert!(told.contains("tools[1]") && told.contains(kind), "{kind} to {to}: {told}");
                assert_eq!(refused.sent, None, "{kind} to {to}");
            }
        }
    }
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), "1000");
    gateway.assert_books().await;
}
