//! Tools that stand in the conversation and not in the list of tools are looked at like those in the list.

use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::formats::answer;
use tollgate_tests::gateway::amount;
use tollgate_tests::reply::{Reply, message, response};

use super::{FORMATS, ask, declared, format_of, gateway, gateway_with};

/// Nano-USD of 9 x 0.15 + 3 x 0.6 USD per million tokens.
const TOKENS_NANOS: i64 = 3_150;
/// How often the provider used what it was given.
const USES: i64 = 2;

/// A conversation with a tool in it, and where the tool stands.
type Hidden = (Value, &'static str);

/// All places of a format that take a tool.
fn places(format: &str, tool: &Value) -> Vec<Hidden> {
    let user = json!({"role": "user", "content": "Hello"});
    if format == "messages" {
        let added = json!({"type": "tool_addition", "tool": {"type": "tool_definition", "definition": tool}});
        let compacted = json!({"type": "compaction", "content": "So far.", "tool_changes": [added]});
        return vec![
            (
                json!({"messages": [user, {"role": "system", "content": [added]}]}),
                "messages[1].content[0].tool.definition",
            ),
            (
                json!({"messages": [user, {"role": "assistant", "content": [compacted]}, user]}),
                "messages[1].content[0].tool_changes[0].tool.definition",
            ),
        ];
    }
    let group = json!({"type": "namespace", "name": "files", "description": "Files.", "tools": [tool]});
    let developer = |tools: Value| json!({"type": "additional_tools", "role": "developer", "tools": tools});
    let search = json!({"type": "tool_search_call", "call_id": "s1", "execution": "client", "arguments": {}, "status": "completed"});
    let found = json!({"type": "tool_search_output", "call_id": "s1", "execution": "client", "status": "completed", "tools": [tool]});
    vec![
        (json!({"input": [user, developer(json!([tool]))]}), "input[1].tools[0]"),
        (json!({"input": [user, developer(json!([group]))]}), "input[1].tools[0].tools[0]"),
        (json!({"input": [user, search, found]}), "input[2].tools[0]"),
    ]
}

/// The member that holds the conversation.
fn member(format: &str) -> &'static str {
    if format == "messages" { "messages" } else { "input" }
}

fn of_client(format: &str) -> Vec<Value> {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    match format {
        "messages" => vec![
            json!({"name": "look", "input_schema": schema}),
            json!({"type": "bash_20250124", "name": "bash"}),
            json!({"type": "browser_toolset_20260801"}),
        ],
        _ => vec![
            json!({"type": "function", "name": "look", "parameters": schema, "strict": false}),
            json!({"type": "custom", "name": "patch"}),
        ],
    }
}

/// What a provider runs, the name of its price, and its price in nano-USD.
fn sold(format: &str) -> Vec<(Value, &'static str, i64)> {
    match format {
        "messages" => vec![
            (json!({"type": "web_search_20250305", "name": "web_search"}), "web_search", 10_000_000),
            (json!({"type": "mcp_toolset", "mcp_server_name": "shop"}), "mcp", 2_000_000),
        ],
        _ => vec![
            (json!({"type": "web_search"}), "web_search", 10_000_000),
            (json!({"type": "mcp", "server_label": "shop", "server_url": "https://example.com/mcp"}), "mcp", 2_000_000),
        ],
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_client_runs_passes_wherever_it_stands() {
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    for format in ["messages", "responses"] {
        for tool in of_client(format) {
            for (turns, at) in places(format, &tool) {
                let answered = ask(&gateway, format, &format!("plain-{format}"), false, &turns).await;
                assert_eq!((answered.status, &answered.dropped), (200, &None), "{tool} at {at}: {}", answered.text);
                assert_eq!(answered.sent()[member(format)], turns[member(format)], "{tool} at {at}");
                assert_eq!(answered.charged(), usd(TOKENS_NANOS), "{tool} at {at}");
            }
        }
    }
    for tool in of_client("responses") {
        for (turns, at) in places("responses", &tool) {
            for to in ["chat", "messages", "generate"] {
                let answered = ask(&gateway, "responses", &format!("plain-{to}"), false, &turns).await;
                assert_eq!((answered.status, &answered.dropped), (200, &None), "{tool} at {at}: {}", answered.text);
                let names: Vec<String> = declared(to, answered.sent()).into_iter().map(|(name, _)| name).collect();
                let name = tool["name"].as_str().expect("a name");
                assert!(names.iter().any(|declared| declared.ends_with(name)), "{tool} at {at} to {to}: {names:?}");
                assert_eq!(answered.charged(), usd(TOKENS_NANOS), "{tool} at {at}");
            }
        }
    }
    gateway.assert_books().await;
}

/// Other formats have no word for a tool that a conversation of format A adds, whoever runs it.
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_a_conversation_of_format_a_adds_is_refused_by_name_elsewhere() {
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    let tools = of_client("messages").into_iter().chain(sold("messages").into_iter().map(|(tool, ..)| tool));
    for tool in tools {
        for (turns, at) in places("messages", &tool) {
            for to in ["chat", "generate", "responses"] {
                let refused = ask(&gateway, "messages", &format!("sells-{to}"), false, &turns).await;
                assert_eq!((refused.status, &refused.sent), (400, &None), "{tool} at {at} to {to}: {}", refused.text);
                let error = refused.json();
                let told = error["error"]["message"].as_str().expect("a message");
                assert!(error["type"] == "error" && told.contains("'messages[1].content[0]"), "{tool} at {at}: {told}");
            }
        }
    }
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), "1000");
    gateway.assert_books().await;
}

/// In a list it is taken out and told, as anywhere; where it is no element of a list of tools, the request is refused.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_runs_is_never_passed_on_without_a_price() {
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    let before = amount(&gateway.balance().await["quota_usd"]);
    for (tool, price, _) in sold("messages") {
        for (turns, at) in places("messages", &tool) {
            for to in FORMATS {
                let refused = ask(&gateway, "messages", &format!("plain-{to}"), false, &turns).await;
                assert_eq!((refused.status, &refused.sent), (400, &None), "{tool} at {at} to {to}: {}", refused.text);
                let told = refused.json()["error"]["message"].to_string();
                assert!(told.contains(at) && told.contains(&format!("`price.tools.{price}`")), "{told}");
            }
        }
    }
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), before);
    for (tool, price, _) in sold("responses") {
        let kind = tool["type"].as_str().expect("a kind");
        for (turns, at) in places("responses", &tool) {
            for to in FORMATS {
                let model = format!("plain-{to}");
                let answered = ask(&gateway, "responses", &model, false, &turns).await;
                assert_eq!(answered.status, 200, "{tool} at {at} to {to}: {}", answered.text);
                assert_eq!(answered.dropped.as_deref(), Some(at), "{tool} to {to}");
                let sent = answered.sent().to_string();
                assert!(
                    !sent.contains(&format!("\"{kind}\"")) && !sent.contains("example.com"),
                    "{tool} at {at}: {sent}"
                );
                assert_eq!(declared(to, answered.sent()), [], "{tool} at {at} to {to}");
                assert_eq!((answered.charged(), &answered.receipt["tool_uses"]), (usd(TOKENS_NANOS), &json!([])));
                let mut forced = turns.clone();
                forced["tool_choice"] = json!({"type": kind});
                let refused = ask(&gateway, "responses", &model, false, &forced).await;
                assert_eq!((refused.status, &refused.sent), (400, &None), "{tool} at {at} to {to}: {}", refused.text);
                assert!(refused.text.contains(&format!("`price.tools.{price}`")), "{}", refused.text);
            }
        }
    }
    gateway.assert_books().await;
}

/// Where the operator wants no request to be changed, it is refused wherever it stands.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_runs_is_refused_by_name_where_nothing_is_taken_out() {
    let gateway = gateway_with("hosted_tools = \"refuse\"\n").await;
    gateway.upstream.on(answer);
    for format in ["messages", "responses"] {
        for (tool, price, _) in sold(format) {
            for (turns, at) in places(format, &tool) {
                for to in FORMATS {
                    let refused = ask(&gateway, format, &format!("plain-{to}"), false, &turns).await;
                    assert_eq!((refused.status, &refused.sent), (400, &None), "{tool} at {at}: {}", refused.text);
                    let told = refused.json()["error"]["message"].to_string();
                    assert!(told.contains(at) && told.contains(&format!("`price.tools.{price}`")), "{told}");
                }
            }
        }
    }
    assert_eq!(amount(&gateway.balance().await["quota_usd"]), "1000");
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_runs_is_charged_for_wherever_it_stands() {
    let gateway = gateway().await;
    for format in ["messages", "responses"] {
        for (tool, price, nanos) in sold(format) {
            gateway.upstream.on(move |request| used(format_of(request), price));
            for (turns, at) in places(format, &tool) {
                let answered = ask(&gateway, format, &format!("sells-{format}"), false, &turns).await;
                let cell = format!("{tool} at {at}: {} {}", answered.text, answered.receipt);
                assert_eq!((answered.status, &answered.dropped), (200, &None), "{cell}");
                let mut sent = answered.sent().clone();
                // The bound that is held for is the provider's too, where it takes one.
                match (format, price) {
                    ("responses", _) => assert_eq!(sent["max_tool_calls"], 5, "{cell}"),
                    (_, "web_search") => {
                        let pointer = format!("/{}", at.replace(['[', '.'], "/").replace(']', ""));
                        let tool = sent.pointer_mut(&pointer).and_then(Value::as_object_mut).expect("the tool");
                        assert_eq!(tool.remove("max_uses"), Some(json!(5)), "{cell}");
                    }
                    _ => {}
                }
                assert_eq!(sent[member(format)], turns[member(format)], "{cell}");
                assert_eq!(answered.charged(), usd(TOKENS_NANOS + USES * nanos), "{cell}");
                let line = &answered.receipt["tool_uses"];
                assert_eq!((&line[0]["tool"], &line[0]["uses"], &line[1]), (&json!(price), &json!(USES), &Value::Null));
                let held: Usd = amount(&answered.receipt["held_usd"]).parse().expect("an amount");
                assert!(held >= Usd::from_nanos(5 * nanos), "{cell}");
            }
        }
    }
    gateway.assert_books().await;
}

/// A search goes to a provider of another format as that one's own.
#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_sold_from_the_input_over_every_format() {
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    for (turns, at) in places("responses", &json!({"type": "web_search"})) {
        for to in FORMATS {
            let answered = ask(&gateway, "responses", &format!("sells-{to}"), false, &turns).await;
            assert_eq!((answered.status, &answered.dropped), (200, &None), "{at} to {to}: {}", answered.text);
            let sent = answered.sent().to_string();
            let word = match to {
                "chat" => "\"web_search_options\"",
                "messages" => "\"web_search_20250305\"",
                "generate" => "\"googleSearch\"",
                _ => "\"web_search\"",
            };
            assert!(sent.contains(word), "{at} to {to}: {sent}");
            // Format O's answers need not tell of a search.
            let uses = i64::from(to == "chat");
            assert_eq!(answered.charged(), usd(TOKENS_NANOS + uses * 10_000_000), "{at} to {to}");
        }
    }
    gateway.assert_books().await;
}

/// An answer that tells of the uses of a tool.
fn used(format: &str, tool: &str) -> Reply {
    let call = |number: i64| match (format, tool) {
        ("messages", "web_search") => {
            json!({"type": "server_tool_use", "id": format!("srvtoolu_{number}"), "name": "web_search", "input": {"query": "q"}})
        }
        ("messages", _) => {
            json!({"type": "mcp_tool_use", "id": format!("mcptoolu_{number}"), "name": "stock", "server_name": "shop", "input": {}})
        }
        (_, "web_search") => json!({"type": "web_search_call", "id": format!("ws_{number}"), "status": "completed",
            "action": {"type": "search", "query": "q"}}),
        _ => json!({"type": "mcp_call", "id": format!("mcp_{number}"), "status": "completed", "server_label": "shop",
            "name": "stock", "arguments": "{}", "output": "nine"}),
    };
    let calls = json!((0..USES).map(call).collect::<Vec<_>>());
    match format {
        "messages" => {
            let mut whole = message(&calls, 9, 3);
            if tool == "web_search" {
                whole["usage"]["server_tool_use"] = json!({"web_search_requests": USES});
            }
            Reply::json(200, &whole)
        }
        _ => Reply::json(200, &response("resp_up", &calls, 9, 3)),
    }
}

fn usd(nanos: i64) -> String {
    Usd::from_nanos(nanos).to_string()
}
