//! Namespaces, free text and the search for tools of format R, towards providers of other formats: functions there, and what
//! they were in whole answers, in every event of a stream, and in the turns after.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::tool_model::calling;

use super::{Answered, ask, called, declared, gateway, schema};

const OTHERS: [&str; 3] = ["chat", "messages", "generate"];
const GRAMMAR: &str = "start: /.+/";

/// A tool as the provider has it, what it is called with, and the call as the client gets it.
struct Tool {
    flat: &'static str,
    input: Value,
    call: Value,
}

fn offered() -> Value {
    let object = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let function =
        json!({"type": "function", "name": "look", "description": "Looks.", "parameters": object, "strict": false});
    let grammar = json!({"type": "grammar", "syntax": "lark", "definition": GRAMMAR});
    let custom = |name: &str| json!({"type": "custom", "name": name, "description": "Edits.", "format": grammar});
    let namespace =
        |name: &str, tools: Value| json!({"type": "namespace", "name": name, "description": "Files.", "tools": tools});
    json!([
        namespace("files", json!([function, custom("edit"), namespace("deep", json!([function]))])),
        // Of the same own name as one of the namespace.
        function,
        custom("patch"),
        {"type": "tool_search", "execution": "client", "description": "Finds tools.", "parameters": object},
    ])
}

fn tools() -> [Tool; 6] {
    const TEXT: &str = "*** Begin\n\"é\" \\ end\n";
    let path = json!({"path": "a \"b\".txt"});
    let function = |namespace: Value| json!({"type": "function_call", "namespace": namespace, "name": "look", "arguments": path.to_string()});
    let custom = |namespace: Value, name: &str| json!({"type": "custom_tool_call", "namespace": namespace, "name": name, "input": TEXT});
    let search = json!({"type": "tool_search_call", "execution": "client", "arguments": path});
    [
        Tool { flat: "files__look", input: path.clone(), call: function(json!("files")) },
        Tool { flat: "files__deep__look", input: path.clone(), call: function(json!("files__deep")) },
        Tool { flat: "look", input: path.clone(), call: function(Value::Null) },
        Tool { flat: "files__edit", input: json!(TEXT), call: custom(json!("files"), "edit") },
        Tool { flat: "patch", input: json!(TEXT), call: custom(Value::Null, "patch") },
        Tool { flat: "tool_search", input: path, call: search },
    ]
}

/// Those members of an item that tell which tool is called, and with what.
fn told(item: &Value, tool: &Tool) -> Value {
    let members = tool.call.as_object().expect("an object").keys();
    members.map(|name| (name.clone(), item[name].clone())).collect()
}

/// What a stream tells of its one item, in each of the events that tell of it; the item.
fn streamed(answered: &Answered, tool: &Tool, cell: &str) -> Value {
    let events = answered.events();
    let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).cloned().collect::<Vec<_>>();
    let [done] = &of("response.output_item.done")[..] else { panic!("{cell}") };
    let [added] = &of("response.output_item.added")[..] else { panic!("{cell}") };
    let [ended] = &of("response.completed")[..] else { panic!("{cell}") };
    assert_eq!(ended["response"]["output"], json!([done["item"]]), "{cell}");
    let (pieces, member) = match tool.call["type"].as_str() {
        Some("function_call") => ("response.function_call_arguments", "arguments"),
        Some("custom_tool_call") => ("response.custom_tool_call_input", "input"),
        _ => {
            assert_eq!(told(&added["item"], tool), tool.call, "{cell}");
            return done["item"].clone();
        }
    };
    let mut begun = told(&added["item"], tool);
    assert_eq!(begun[member], "", "{cell}");
    begun[member] = tool.call[member].clone();
    assert_eq!(begun, tool.call, "{cell}");
    let deltas = of(&format!("{pieces}.delta"));
    let text: String = deltas.iter().map(|event| event["delta"].as_str().expect("a text")).collect();
    let [whole] = &of(&format!("{pieces}.done"))[..] else { panic!("{cell}") };
    // Arguments are as the provider spells them.
    let same = |text: &Value| {
        told(
            &json!({"type": tool.call["type"], "name": tool.call["name"],
        "namespace": tool.call["namespace"], member: text}),
            tool,
        ) == tool.call
    };
    assert!(same(&json!(text)) && same(&whole[member]), "{cell}");
    for event in deltas.iter().chain([whole]) {
        assert_eq!((&event["item_id"], &event["output_index"]), (&done["item"]["id"], &json!(0)), "{cell}");
    }
    assert!(whole.get("name").is_none_or(|name| *name == tool.call["name"]), "{cell}");
    let kinds = events.iter().filter_map(|event| event["type"].as_str());
    let other = if member == "input" { "function_call_arguments" } else { "custom_tool_call_input" };
    assert!(!kinds.into_iter().any(|kind| kind.contains(other)), "{cell}");
    done["item"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_are_functions_there_and_themselves_in_answers_and_events() {
    let gateway = gateway().await;
    for tool in tools() {
        gateway.upstream.on(calling(tool.flat, tool.input.clone()));
        for to in OTHERS {
            for stream in [false, true] {
                let more = json!({"tools": offered()});
                let answered = ask(&gateway, "responses", &format!("plain-{to}"), stream, &more).await;
                let cell = format!("{} to {to}, stream {stream}: {}", tool.flat, answered.text);
                assert_eq!((answered.status, &answered.dropped), (200, &None), "{cell}");
                let functions = declared(to, answered.sent());
                let mut names: Vec<&str> = functions.iter().map(|(name, _)| name.as_str()).collect();
                names.sort_unstable();
                let expected = ["files__deep__look", "files__edit", "files__look", "look", "patch", "tool_search"];
                assert_eq!(names, expected, "{cell}");
                for (name, function) in
                    functions.iter().filter(|(name, _)| ["files__edit", "patch"].contains(&name.as_str()))
                {
                    assert_eq!(schema(to, function)["required"], json!(["input"]), "{name}: {cell}");
                    assert!(function["description"].as_str().expect("a text").contains(GRAMMAR), "{name}: {cell}");
                }
                let item =
                    if stream { streamed(&answered, &tool, &cell) } else { answered.json()["output"][0].clone() };
                assert_eq!(told(&item, &tool), tool.call, "{cell}");
                // The answer repeats the tools that were asked for, which have no such name.
                assert!(tool.flat != "files__look" || !answered.text.contains(tool.flat), "{cell}");
                goes_on(&gateway, to, stream, &tool, &item).await;
            }
        }
    }
    gateway.assert_books().await;
}

/// The turn after a call: the provider is told of the call by the name that the function has there.
async fn goes_on(gateway: &TestGateway, to: &str, stream: bool, tool: &Tool, item: &Value) {
    let kind = tool.call["type"].as_str().expect("a kind");
    let mut result = json!({"type": format!("{}_output", kind.trim_end_matches("_call")), "call_id": item["call_id"]});
    match kind {
        "tool_search_call" => {
            let found = json!({"type": "function", "name": "cats", "parameters": {"type": "object"}});
            (result["execution"], result["tools"]) = (json!("client"), json!([found]));
        }
        kind => {
            result["type"] = json!(format!("{kind}_output"));
            result["output"] = json!("two cats");
        }
    }
    let input = json!([{"role": "user", "content": "Hello"}, item, result]);
    let more = json!({"tools": offered(), "input": input});
    let answered = ask(gateway, "responses", &format!("plain-{to}"), stream, &more).await;
    let cell = format!("after {} to {to}: {} {:?}", tool.flat, answered.text, answered.sent);
    assert_eq!(answered.status, 200, "{cell}");
    assert_eq!(called(to, answered.sent()), [tool.flat], "{cell}");
    assert!(answered.sent().to_string().contains("cats"), "{cell}");
    assert!(answered.text.contains("Hello there, friend."), "{cell}");
}

/// The same where the gateway keeps the turn before, and the client sends the result alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_kept_goes_on_with_the_same_names() {
    let gateway = gateway().await;
    for tool in tools().into_iter().filter(|tool| tool.flat != "tool_search") {
        gateway.upstream.on(calling(tool.flat, tool.input.clone()));
        for to in OTHERS {
            for stream in [false, true] {
                let model = format!("plain-{to}");
                let first =
                    ask(&gateway, "responses", &model, stream, &json!({"tools": offered(), "store": true})).await;
                // Who keeps an answer is nothing that the provider would have been told.
                assert_eq!((first.status, &first.dropped), (200, &None), "{} to {to}: {}", tool.flat, first.text);
                let response = match stream {
                    true => first.events().pop().expect("an event")["response"].clone(),
                    false => first.json(),
                };
                let item = &response["output"][0];
                assert_eq!(told(item, &tool), tool.call, "{} to {to}", tool.flat);
                let kind = format!("{}_output", item["type"].as_str().expect("a kind"));
                let result = json!({"type": kind, "call_id": item["call_id"], "output": "two cats"});
                let more = json!({"tools": offered(), "previous_response_id": response["id"], "input": [result]});
                let next = ask(&gateway, "responses", &model, stream, &more).await;
                assert_eq!(next.status, 200, "{} to {to}: {}", tool.flat, next.text);
                assert_eq!(called(to, next.sent()), [tool.flat], "{to}: {}", next.sent());
                assert!(next.sent().to_string().contains("two cats"), "{to}: {}", next.sent());
            }
        }
    }
    gateway.assert_books().await;
}
