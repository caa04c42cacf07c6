//! What providers ran in the turns before, as requests of its format bring it: carried as text to providers of other formats, as
//! it is to those of its own, and charged for at neither.

use serde_json::{Value, json};
use tollgate_tests::formats::answer;

use super::{FORMATS, ask, gateway};

/// 9 x 0.15 + 3 x 0.6 USD per million tokens.
const COST: &str = "0.00000315";

/// A conversation of format A in which the provider searched, fetched a page, ran code and asked a server.
fn of_a() -> Value {
    let found = json!({"type": "web_search_result", "title": "Tea is up", "url": "https://example.com/tea",
        "encrypted_content": "Y2xvc2Vk", "page_age": "1 day"});
    let page =
        json!({"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Pages of tea"}});
    let cited = json!({"type": "web_search_result_location", "url": "https://example.com/tea", "title": "Tea is up",
        "encrypted_index": "Y2xvc2Vk", "cited_text": "up"});
    json!([
        {"role": "user", "content": "What does tea cost?"},
        {"role": "assistant", "content": [
            {"type": "text", "text": "I look it up."},
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "price of tea"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [found]},
            {"type": "server_tool_use", "id": "srvtoolu_2", "name": "web_fetch", "input": {"url": "https://example.com/tea"}},
            {"type": "web_fetch_tool_result", "tool_use_id": "srvtoolu_2",
                "content": {"type": "web_fetch_result", "url": "https://example.com/tea", "content": page}},
            {"type": "server_tool_use", "id": "srvtoolu_3", "name": "bash_code_execution", "input": {"command": "bc tea"}},
            {"type": "bash_code_execution_tool_result", "tool_use_id": "srvtoolu_3", "content":
                {"type": "bash_code_execution_result", "stdout": "4 pounds", "stderr": "", "return_code": 0, "content": []}},
            {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "stock", "server_name": "shop", "input": {"of": "teapots"}},
            {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": false,
                "content": [{"type": "text", "text": "nine left"}]},
            {"type": "text", "text": "Four pounds.", "citations": [cited]},
        ]},
        {"role": "user", "content": "And now?"},
    ])
}

/// The same of format R.
fn of_r() -> Value {
    json!([
        {"role": "user", "content": "What does tea cost?"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "price of tea",
            "sources": [{"type": "url", "url": "https://example.com/tea"}]}},
        {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["bc tea"],
            "results": [{"file_id": "file-1", "filename": "a.txt", "text": "Pages of tea", "score": 0.5}]},
        {"type": "code_interpreter_call", "id": "ci_1", "status": "completed", "container_id": "cntr_1",
            "code": "print(\"Tea is up\")", "outputs": [{"type": "logs", "logs": "4 pounds"}]},
        {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "shop",
            "tools": [{"name": "stock", "input_schema": {"type": "object"}}]},
        {"type": "mcp_call", "id": "mcp_1", "status": "completed", "server_label": "shop", "name": "stock",
            "arguments": "{\"of\":\"teapots\"}", "output": "nine left"},
        {"type": "message", "role": "assistant", "status": "completed", "id": "msg_1",
            "content": [{"type": "output_text", "text": "Four pounds.", "annotations": []}]},
        {"role": "user", "content": "And now?"},
    ])
}

/// And of format G.
fn of_g() -> Value {
    json!([
        {"role": "user", "parts": [{"text": "What does tea cost?"}]},
        {"role": "model", "parts": [
            {"executableCode": {"language": "PYTHON", "code": "print('Tea is up', 'price of tea')"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "4 pounds"}},
            {"text": "Four pounds."},
        ]},
        {"role": "user", "parts": [{"text": "And now?"}]},
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_ran_before_reaches_every_provider() {
    const WORDS: [&str; 4] = ["price of tea", "Tea is up", "4 pounds", "Four pounds."];
    const MORE: [&str; 6] = ["https://example.com/tea", "Pages of tea", "bc tea", "stock", "teapots", "nine left"];
    let gateway = gateway().await;
    gateway.upstream.on(answer);
    for (from, member, turns, words) in [
        ("messages", "messages", of_a(), [&WORDS[..], &MORE[..]].concat()),
        ("responses", "input", of_r(), [&WORDS[..], &MORE[..]].concat()),
        ("generate", "contents", of_g(), WORDS.to_vec()),
    ] {
        for to in FORMATS {
            for stream in [false, true] {
                let answered = ask(&gateway, from, &format!("plain-{to}"), stream, &json!({member: turns})).await;
                let cell = format!("{from} to {to}, stream {stream}: {} {:?}", answered.text, answered.sent);
                assert_eq!(answered.status, 200, "{cell}");
                assert_eq!((answered.charged().as_str(), &answered.receipt["tool_uses"]), (COST, &json!([])), "{cell}");
                let sent = answered.sent();
                if from == to {
                    assert_eq!(sent[member], turns, "{cell}");
                }
                let text = sent.to_string();
                for word in &words {
                    assert!(text.contains(word), "no `{word}` in {cell}");
                }
                assert!(from == to || !text.contains("Y2xvc2Vk"), "what is closed is for its maker: {cell}");
            }
        }
    }
    gateway.assert_books().await;
}
