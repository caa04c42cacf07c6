//! Over a provider of the client's format: what the client runs passes as it is, calls of it are no uses of a tool.

use serde_json::{Value, json};
use tollgate_tests::AlarmLog;
use tollgate_tests::reply::{Reply, generated, message, response};
use tollgate_tests::upstream::Received;

use super::{FORMATS, ask, format_of, gateway, streams};

/// 9 x 0.15 + 3 x 0.6 USD per million tokens.
const COST: &str = "0.00000315";

fn of_r() -> Vec<Value> {
    let grammar = json!({"type": "grammar", "syntax": "lark", "definition": "start: /.+/"});
    let object = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let function = json!({"type": "function", "name": "look", "parameters": object, "strict": false});
    let custom = json!({"type": "custom", "name": "patch", "description": "Edits.", "format": grammar});
    let inner = json!({"type": "namespace", "name": "deep", "description": "Deeper.", "tools": [custom, function]});
    vec![
        function.clone(),
        custom.clone(),
        json!({"type": "namespace", "name": "files", "description": "Files.", "tools": [function, custom, inner]}),
        json!({"type": "local_shell"}),
        json!({"type": "shell", "environment": {"type": "local"}}),
        json!({"type": "shell"}),
        json!({"type": "apply_patch"}),
        json!({"type": "computer"}),
        json!({"type": "computer_use_preview", "display_width": 1024, "display_height": 768, "environment": "browser"}),
        json!({"type": "tool_search", "execution": "client", "description": "Finds tools.", "parameters": object}),
        json!({"type": "tool_search"}),
        json!({"type": "programmatic_tool_calling"}),
    ]
}

fn of_a() -> Vec<Value> {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    vec![
        json!({"type": "custom", "name": "look", "description": "Looks.", "input_schema": schema}),
        json!({"name": "look", "input_schema": schema, "defer_loading": true}),
        json!({"type": "bash_20250124", "name": "bash"}),
        json!({"type": "text_editor_20250728", "name": "str_replace_based_edit_tool", "max_characters": 10_000}),
        json!({"type": "memory_20250818", "name": "memory", "cache_control": {"type": "ephemeral"}}),
        json!({"type": "computer_20250124", "name": "computer", "display_width_px": 1024, "display_height_px": 768,
            "display_number": 1}),
        json!({"type": "browser_toolset_20260801", "configs": {"navigate": {"enabled": false}}}),
        json!({"type": "computer_toolset_20260801", "display_width_px": 1024, "display_height_px": 768}),
        json!({"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}),
    ]
}

fn of_g() -> Vec<Value> {
    let schema = json!({"type": "OBJECT", "properties": {"path": {"type": "STRING"}}});
    vec![
        json!({"functionDeclarations": [{"name": "look", "description": "Looks.", "parameters": schema}]}),
        json!({"function_declarations": [{"name": "look", "parametersJsonSchema": {"type": "object"}}]}),
        json!({"urlContext": {}}),
        json!({"codeExecution": {}}),
        json!({"computerUse": {"environment": "ENVIRONMENT_BROWSER", "excludedPredefinedFunctions": ["drag_and_drop"]}}),
    ]
}

fn of_o() -> Vec<Value> {
    let grammar = json!({"type": "grammar", "grammar": {"syntax": "regex", "definition": "a+"}});
    vec![
        json!({"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}),
        json!({"type": "custom", "custom": {"name": "patch", "format": grammar}}),
    ]
}

/// What the model says beside `Found`: it calls what the client runs, and what a provider runs for tokens alone.
fn calls(format: &str) -> Vec<Value> {
    match format {
        "responses" => vec![
            json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "look", "namespace": "files",
                "arguments": "{}", "status": "completed"}),
            json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "c2", "name": "patch", "input": "*"}),
            json!({"type": "local_shell_call", "id": "ls_1", "call_id": "c3", "status": "completed",
                "action": {"type": "exec", "command": ["ls"], "env": {}}}),
            json!({"type": "shell_call", "id": "sh_1", "call_id": "c4", "status": "completed",
                "environment": {"type": "local"}, "action": {"commands": ["ls"]}}),
            json!({"type": "shell_call", "id": "sh_2", "call_id": "c5", "status": "completed", "environment": null,
                "action": {"commands": ["ls"]}}),
            json!({"type": "apply_patch_call", "id": "ap_1", "call_id": "c6", "status": "completed",
                "operation": {"type": "delete_file", "path": "a"}}),
            json!({"type": "computer_call", "id": "cc_1", "call_id": "c7", "status": "completed",
                "pending_safety_checks": [], "actions": [{"type": "screenshot"}]}),
            json!({"type": "tool_search_call", "id": "ts_1", "call_id": "c8", "status": "completed",
                "execution": "client", "arguments": {"query": "files"}}),
            json!({"type": "program", "id": "pr_1", "call_id": "c9", "code": "look()", "fingerprint": "f"}),
        ],
        "messages" => vec![
            json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_regex", "input": {"pattern": "l"}}),
            json!({"type": "tool_search_tool_result", "tool_use_id": "srvtoolu_1", "content":
                {"type": "tool_search_tool_search_result", "tool_references": [{"type": "tool_reference", "tool_name": "look"}]}}),
            json!({"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls"}}),
            json!({"type": "tool_use", "id": "toolu_2", "name": "navigate", "toolset_name": "browser", "input": {}}),
        ],
        "generate" => vec![
            json!({"executableCode": {"language": "PYTHON", "code": "print(1)"}}),
            json!({"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}),
            json!({"functionCall": {"id": "c1", "name": "look", "args": {}}}),
        ],
        _ => Vec::new(),
    }
}

/// An answer of 9 and 3 tokens with all those calls.
fn answer(request: &Received) -> Reply {
    let (format, stream) = (format_of(request), streams(request));
    let calls = calls(format);
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"));
    match format {
        "chat" => return tollgate_tests::formats::answer(request),
        "generate" => {
            let mut whole = generated(&json!(calls), 9, 3);
            let looked =
                json!([{"retrievedUrl": "https://example.com", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}]);
            whole["candidates"][0]["urlContextMetadata"] = json!({"urlMetadata": looked});
            return if stream { Reply::stream([format!("data: {whole}\n\n")]) } else { Reply::json(200, &whole) };
        }
        _ => {}
    }
    let whole = match format {
        "messages" => message(&json!(calls), 9, 3),
        _ => response("resp_up", &json!(calls), 9, 3),
    };
    if !stream {
        return Reply::json(200, &whole);
    }
    let mut events = Vec::new();
    if format == "messages" {
        let mut begun = message(&json!([]), 9, 0);
        begun["stop_reason"] = Value::Null;
        events.push(json!({"type": "message_start", "message": begun}));
        for (index, block) in calls.iter().enumerate() {
            events.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
            events.push(json!({"type": "content_block_stop", "index": index}));
        }
        let ended = json!({"stop_reason": "tool_use", "stop_sequence": null});
        events.push(json!({"type": "message_delta", "delta": ended, "usage": {"output_tokens": 3}}));
        events.push(json!({"type": "message_stop"}));
    } else {
        let mut begun = response("resp_up", &json!([]), 0, 0);
        (begun["status"], begun["usage"]) = (json!("in_progress"), Value::Null);
        events.push(json!({"type": "response.created", "response": begun}));
        for (index, item) in calls.iter().enumerate() {
            events.push(json!({"type": "response.output_item.added", "output_index": index, "item": item}));
            events.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
        }
        events.push(json!({"type": "response.completed", "response": whole}));
    }
    Reply::stream(events.iter().map(event))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_passes_as_it_is_and_costs_tokens_alone() {
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    for format in FORMATS {
        let tools = match format {
            "chat" => of_o(),
            "messages" => of_a(),
            "generate" => of_g(),
            _ => of_r(),
        };
        // One by one, as a fault of one would hide that of another, and all at once.
        for offered in tools.iter().map(|tool| json!([tool])).chain([json!(tools)]) {
            for stream in [false, true] {
                let answered =
                    ask(&gateway, format, &format!("plain-{format}"), stream, &json!({"tools": offered})).await;
                let cell = format!("{format}, stream {stream}: {offered}: {} {}", answered.text, answered.receipt);
                assert_eq!((answered.status, &answered.dropped), (200, &None), "{cell}");
                assert_eq!(answered.sent()["tools"], offered, "{cell}");
                assert_eq!((answered.charged().as_str(), &answered.receipt["tool_uses"]), (COST, &json!([])), "{cell}");
                assert_eq!(answered.receipt["rule"], "reported", "{cell}");
                for call in calls(format) {
                    let name = call["name"].as_str().or(call["call_id"].as_str()).unwrap_or_default();
                    assert!(answered.text.contains(name), "{cell}: no {call}");
                }
            }
        }
    }
    assert_eq!(AlarmLog::of_this_test().rung(), Vec::<Value>::new(), "no call was taken for what has no price");
    gateway.assert_books().await;
}

/// Nor is what they gave: calls and results of the turns before are no tools.
#[tokio::test(flavor = "multi_thread")]
async fn calls_and_results_of_turns_before_pass_as_they_are() {
    let gateway = gateway().await;
    gateway.upstream.on(tollgate_tests::formats::answer);
    let of_r: Vec<Value> =
        [json!({"role": "user", "content": "Hello"})].into_iter().chain(calls("responses")).collect();
    let turn = json!({"role": "user", "content": "Hello"});
    let of_a = json!([turn, {"role": "assistant", "content": calls("messages")}, {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a"},
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": [{"type": "browser_state", "tabs": []}]}]}]);
    let of_g = json!([{"role": "user", "parts": [{"text": "Hello"}]}, {"role": "model", "parts": calls("generate")},
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "look", "response": {"output": "a"}}}]}]);
    for (format, member, turns) in
        [("responses", "input", json!(of_r)), ("messages", "messages", of_a), ("generate", "contents", of_g)]
    {
        let answered = ask(&gateway, format, &format!("plain-{format}"), false, &json!({member: turns})).await;
        assert_eq!((answered.status, &answered.dropped), (200, &None), "{format}: {}", answered.text);
        assert_eq!(answered.sent()[member], turns, "{format}");
        assert_eq!(answered.charged(), COST, "{format}");
    }
    gateway.assert_books().await;
}
