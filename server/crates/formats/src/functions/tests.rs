//! Tools that only one format knows, there and back.

mod renamed;

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use serde_json::{Value, json};

use super::super::{
    ChatRequest, ConversionTarget, Format, ModelCapabilities, ResponseContext, ToolChoice, convert_response,
    decode_request, encode_request, stream_decoder, stream_encoder,
};
use super::{FunctionNames, history, lower_tools};

const FORMATS: [Format; 3] = [Format::Chat, Format::Messages, Format::Generate];

/// A request of format R as a provider of another format is sent it, and the names in it.
fn sent(request: &Value, to: Format) -> (Value, FunctionNames) {
    let ask = decode_request(Format::Responses, request.to_string().as_bytes(), "m", false).expect("a request");
    lowered(&ask, to)
}

/// The body that the provider of a format is sent, and the names in it.
fn lowered(ask: &ChatRequest, to: Format) -> (Value, FunctionNames) {
    let (ask, names) = lower_tools(ask, to).expect("readable").expect("there is something to lower");
    let target = ConversionTarget {
        upstream: "up",
        model: "m",
        output_max: 1000,
        output_bought: None,
        older_bound_name: false,
        asks_for_cache: false,
        capabilities: ModelCapabilities::UNKNOWN,
    };
    let body = encode_request(to, &ask, &target).expect("it is carried").body;
    (serde_json::from_slice(&body).expect("JSON"), names)
}

/// The names of the functions that a body declares.
fn declared(body: &Value, format: Format) -> Vec<String> {
    let names: Vec<&Value> = match format {
        Format::Chat => body["tools"].as_array().expect("tools").iter().map(|tool| &tool["function"]["name"]).collect(),
        Format::Messages => body["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect(),
        _ => {
            let tools = body["tools"].as_array().expect("tools").iter();
            let functions = tools.flat_map(|tool| tool["functionDeclarations"].as_array().into_iter().flatten());
            functions.map(|function| &function["name"]).collect()
        }
    };
    names.into_iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

/// An answer that calls a function, as a provider of a format gives it.
fn call(format: Format, name: &str, arguments: &Value) -> Value {
    match format {
        Format::Chat => json!({"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{
            "index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments.to_string()}}]}}]}),
        Format::Messages => json!({"id": "1", "type": "message", "role": "assistant", "model": "m",
            "stop_reason": "tool_use", "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1},
            "content": [{"type": "tool_use", "id": "call_1", "name": name, "input": arguments}]}),
        _ => json!({"candidates": [{"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [
            {"functionCall": {"id": "call_1", "name": name, "args": arguments}}]}}]}),
    }
}

fn echo(names: FunctionNames) -> ResponseContext {
    ResponseContext {
        id: "0123".into(),
        model: "m".into(),
        created: 1,
        include_usage: false,
        request: Bytes::from_static(b"{}"),
        functions: Arc::new(names),
        stop: Arc::default(),
        thinks: false,
        counted: None,
    }
}

/// The first item of the answer that a client of format R gets.
fn answered(format: Format, names: &FunctionNames, name: &str, arguments: &Value) -> Value {
    let body = call(format, name, arguments).to_string();
    let reply =
        convert_response(format, Format::Responses, body.as_bytes(), "up", &echo(names.clone())).expect("an answer");
    serde_json::from_slice::<Value>(&reply.body).expect("JSON")["output"][0].clone()
}

fn namespace() -> Value {
    json!({"type": "namespace", "name": "multi_agent_v1", "description": "Agents.", "tools": [
        {"type": "function", "name": "spawn_agent", "description": "Starts one.", "strict": false,
         "parameters": {"type": "object", "properties": {"task": {"type": "string"}}}},
        {"type": "custom", "name": "note"}]})
}

fn patch() -> Value {
    json!({"type": "custom", "name": "apply_patch", "description": "Edits files.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: \"x\""}})
}

#[test]
fn a_namespace_is_flattened_and_comes_back() {
    let request = json!({"model": "m", "input": "hi", "tools": [namespace()]});
    for format in FORMATS {
        let (body, names) = sent(&request, format);
        assert_eq!(declared(&body, format), ["multi_agent_v1__spawn_agent", "multi_agent_v1__note"], "{format:?}");
        let item = answered(format, &names, "multi_agent_v1__spawn_agent", &json!({"task": "t"}));
        assert_eq!(
            [&item["type"], &item["namespace"], &item["name"], &item["arguments"]],
            [&json!("function_call"), &json!("multi_agent_v1"), &json!("spawn_agent"), &json!(r#"{"task":"t"}"#)]
        );
        let item = answered(format, &names, "multi_agent_v1__note", &json!({"input": "a\nb"}));
        assert_eq!(
            [&item["type"], &item["namespace"], &item["name"], &item["input"]],
            [&json!("custom_tool_call"), &json!("multi_agent_v1"), &json!("note"), &json!("a\nb")]
        );
    }
}

#[test]
fn free_text_is_an_argument_and_its_grammar_is_described() {
    let request = json!({"model": "m", "tools": [patch()], "tool_choice": {"type": "custom", "name": "apply_patch"},
        "input": [
            {"type": "message", "role": "user", "content": "hi"},
            {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "*** \"x\""},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "done"}]});
    for format in FORMATS {
        let (body, names) = sent(&request, format);
        assert_eq!(declared(&body, format), ["apply_patch"]);
        let text = body.to_string();
        assert!(text.contains("a text of this lark grammar") && text.contains("start:"), "{text}");
        assert!(text.contains(r#"*** \"x\""#) || text.contains(r#"*** \\\"x\\\""#), "{text}");
        let item = answered(format, &names, "apply_patch", &json!({"input": "*** End"}));
        assert_eq!(
            [&item["type"], &item["name"], &item["input"]],
            [&json!("custom_tool_call"), &json!("apply_patch"), &json!("*** End")]
        );
        // A model that errs is heard all the same.
        assert_eq!(answered(format, &names, "apply_patch", &json!({"patch": 1}))["input"], json!(r#"{"patch":1}"#));
    }
}

#[test]
fn tools_that_stand_in_the_input_are_declared() {
    let request = json!({"model": "m", "input": [
        {"type": "additional_tools", "role": "developer", "tools": [
            namespace(), {"type": "tool_search", "execution": "client", "description": "Finds tools.",
                          "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}]},
        {"type": "message", "role": "user", "content": "hi"},
        {"type": "tool_search_call", "call_id": "s1", "execution": "client", "arguments": {"query": "patch"}},
        {"type": "tool_search_output", "call_id": "s1", "execution": "client", "tools": [patch(), namespace()]},
        {"type": "function_call", "call_id": "c1", "namespace": "multi_agent_v1", "name": "spawn_agent", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "namespace": "multi_agent_v1", "output": "ok"}]});
    for format in FORMATS {
        let (body, names) = sent(&request, format);
        let expected = ["multi_agent_v1__spawn_agent", "multi_agent_v1__note", "tool_search", "apply_patch"];
        assert_eq!(declared(&body, format), expected, "{format:?}");
        let text = body.to_string();
        assert!(text.contains("Found: apply_patch"), "{text}");
        // Declared, found and called once; format G names a function in its result too.
        let named = if format == Format::Generate { 4 } else { 3 };
        assert_eq!(text.matches("multi_agent_v1__spawn_agent").count(), named, "{text}");
        let item = answered(format, &names, "tool_search", &json!({"query": "q"}));
        assert_eq!(
            [&item["type"], &item["execution"], &item["call_id"], &item["arguments"]],
            [&json!("tool_search_call"), &json!("client"), &json!("call_1"), &json!({"query": "q"})]
        );
    }
}

#[test]
fn what_a_provider_ran_before_is_text() {
    let request = json!({"model": "m", "input": [
        {"type": "message", "role": "user", "content": "hi"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "tolls"}},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "found"}]},
        {"type": "message", "role": "user", "content": "more"}]});
    for format in FORMATS {
        let (body, _) = sent(&request, format);
        assert!(body.to_string().contains("[web_search_call]"), "{body}");
    }
}

#[test]
fn no_flattened_name_is_that_of_a_function_anywhere() {
    let function = |name: &str| json!({"type": "function", "name": name, "parameters": {"type": "object"}});
    let spawn = "multi_agent_v1__spawn_agent";
    let before = json!({"type": "message", "role": "user", "content": "hi"});
    let places = [
        vec![before.clone(), json!({"type": "additional_tools", "role": "developer", "tools": [function(spawn)]})],
        vec![
            before.clone(),
            json!({"type": "tool_search_call", "call_id": "s1", "execution": "client", "arguments": {}}),
            json!({"type": "tool_search_output", "call_id": "s1", "execution": "client", "tools": [function(spawn)]}),
        ],
        vec![
            before,
            json!({"type": "function_call", "call_id": "c1", "name": spawn, "arguments": "{}"}),
            json!({"type": "function_call_output", "call_id": "c1", "output": "ok"}),
        ],
    ];
    for input in places {
        let request = json!({"model": "m", "tools": [namespace()], "input": input});
        let (body, names) = sent(&request, Format::Chat);
        let declared = declared(&body, Format::Chat);
        assert!(declared[0].starts_with("multi_agent_v1__spawn_agent_"), "{declared:?}");
        // The function is itself, and the tool in the namespace is found by its other name.
        let plain = answered(Format::Chat, &names, spawn, &json!({}));
        assert_eq!([&plain["namespace"], &plain["name"]], [&Value::Null, &json!(spawn)]);
        let flattened = answered(Format::Chat, &names, &declared[0], &json!({}));
        assert_eq!([&flattened["namespace"], &flattened["name"]], [&json!("multi_agent_v1"), &json!("spawn_agent")]);
    }
}

#[test]
fn many_tools_and_a_long_history_are_read_once() {
    // Were each tool compared with each other, or the names copied for each search, this would be 400 million steps.
    const MANY: usize = 20_000;
    let function = |at: usize| json!({"type": "function", "name": format!("f{at}"), "parameters": {"type": "object"}});
    let tools: Vec<Value> = (0..MANY).map(function).collect();
    let namespace = json!({"type": "namespace", "name": "n", "tools": tools});
    let searches = (0..MANY).flat_map(|at| {
        let id = format!("s{at}");
        [
            json!({"type": "tool_search_call", "call_id": id, "execution": "client", "arguments": {}}),
            json!({"type": "tool_search_output", "call_id": id, "execution": "client", "tools": [function(at)]}),
        ]
    });
    let chosen: Vec<Value> = (MANY..2 * MANY).map(|at| json!({"type": "function", "name": format!("f{at}")})).collect();
    let more: Vec<Value> = (MANY..2 * MANY).map(function).collect();
    let request = json!({"model": "m", "tools": [namespace, {"type": "namespace", "name": "o", "tools": more}],
        "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": chosen},
        "input": searches.collect::<Vec<_>>()});
    let ask = decode_request(Format::Responses, request.to_string().as_bytes(), "m", false).expect("a request");
    let (ask, _) = lower_tools(&ask, Format::Messages).expect("readable").expect("there is something to lower");
    assert_eq!((ask.tools.len(), ask.turns.len()), (3 * MANY, 2 * MANY));
    let choice = ask.tool_choice.expect("a choice").value;
    let ToolChoice::Among { names, .. } = choice else { panic!("{choice:?}") };
    assert_eq!((names.len(), names[0].as_str()), (MANY, "o__f20000"));
}

#[test]
fn namespaces_neither_grow_nor_nest_without_end() {
    let tool = json!({"type": "function", "name": "f"});
    let nested = |deep: usize| {
        (0..deep).fold(tool.clone(), |inner, _| json!({"type": "namespace", "name": "n", "tools": [inner]}))
    };
    let long = |bytes: usize| json!({"type": "namespace", "name": "n".repeat(bytes), "tools": [tool]});
    for (namespace, fits) in [(nested(8), true), (nested(9), false), (long(256), true), (long(257), false)] {
        let request = json!({"model": "m", "input": "hi", "tools": [namespace]}).to_string();
        let ask = decode_request(Format::Responses, request.as_bytes(), "m", false).expect("a request");
        let read = lower_tools(&ask, Format::Chat);
        assert_eq!(read.is_ok(), fits, "{read:?}");
        assert!(read.is_ok() || read.is_err_and(|fault| fault.at.starts_with("tools[0]")));
    }
}

#[test]
fn what_a_provider_ran_before_comes_without_bytes_and_with_its_arguments() {
    let bytes = "iVBORw0KGgo".repeat(40_000);
    let told = |format: Format, kind: &str, block: &Value| {
        let raw = serde_json::value::to_raw_value(block).expect("JSON");
        let told = history::text(format, kind, &raw).expect("it is told");
        assert!(told.len() < 500, "{} bytes", told.len());
        told
    };
    let picture = json!({"type": "mcp_tool_result", "tool_use_id": "t", "content": [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": bytes}}]});
    assert!(told(Format::Messages, "mcp_tool_result", &picture).contains("[image/png, 330000 bytes]"));
    let made = json!({"type": "image_generation_call", "output_format": "webp", "result": bytes});
    assert!(told(Format::Responses, "image_generation_call", &made).contains("[webp, 330000 bytes]"));
    let address = format!("see data:image/png;base64,{bytes} here");
    let ran = json!({"type": "mcp_call", "output": address});
    let text = told(Format::Responses, "mcp_call", &ran);
    assert!(text.contains("see data:image/png;base64,[330000 bytes] here"), "{text}");
    let arguments = json!({"id": 7, "type": "bug", "status": "open", "data": "short"});
    let used = json!({"type": "mcp_tool_use", "id": "u", "name": "file", "server_name": "s", "input": arguments});
    let text = told(Format::Messages, "mcp_tool_use", &used);
    let left: Value = serde_json::from_str(text.strip_prefix("[mcp_tool_use] ").expect("its kind")).expect("JSON");
    assert_eq!(left, json!({"name": "file", "server_name": "s", "input": arguments}));
}

#[test]
fn streams_bring_the_tools_back() {
    let request = json!({"model": "m", "input": "hi", "tools": [namespace(), patch(), {"type": "tool_search",
        "execution": "client", "description": "d", "parameters": {"type": "object"}}]});
    let (_, names) = sent(&request, Format::Chat);
    let delta = |index: usize, id: Option<&str>, name: &str, arguments: &str| {
        json!({"choices": [{"index": 0, "delta": {"tool_calls": [{"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": arguments}}]}}]})
    };
    let chunks = [
        delta(0, Some("c0"), "multi_agent_v1__spawn_agent", "{\"ta"),
        delta(0, None, "", "sk\":1}"),
        delta(1, Some("c1"), "apply_patch", "{\"input\":\"*** B"),
        delta(1, None, "", "egin\\n\"}"),
        delta(2, Some("c2"), "tool_search", "{\"query\":\"x\"}"),
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    let mut reader = stream_decoder(Format::Chat, "up");
    let mut writer = stream_encoder(Format::Responses, echo(names), false);
    let (mut out, mut events) = (BytesMut::new(), Vec::new());
    for chunk in chunks {
        reader.read(None, chunk.to_string().as_bytes(), &mut events).expect("a chunk");
    }
    reader.read(None, b"[DONE]", &mut events).expect("the end");
    reader.finish(&mut events);
    events.into_iter().for_each(|event| writer.write(event, &mut out));
    let response: Value = serde_json::from_slice(&writer.response().expect("it has ended")).expect("JSON");
    let output = response["output"].as_array().expect("items");
    let told: Vec<String> = output.iter().map(|item| format!("{} {}", item["type"], item["name"])).collect();
    assert_eq!(
        told,
        [r#""function_call" "spawn_agent""#, r#""custom_tool_call" "apply_patch""#, r#""tool_search_call" null"#]
    );
    assert_eq!(output[0]["namespace"], "multi_agent_v1");
    assert_eq!(output[1]["input"], "*** Begin\n");
    assert_eq!(output[2]["arguments"], json!({"query": "x"}));
    let text = String::from_utf8(out.to_vec()).expect("text");
    assert!(text.contains("response.custom_tool_call_input.delta") && !text.contains("multi_agent_v1__"), "{text}");
    assert_eq!(text.matches("event: response.output_item.done").count(), 3);
}
