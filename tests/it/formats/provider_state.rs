//! What a provider keeps is kept under the operator's name, where all accounts are one: no account reaches what another has
//! there, by whatever member of whatever format, at providers of every format.

use std::collections::BTreeSet;
use std::path::Path;

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::formats::{answer, models, upstreams};
use tollgate_tests::gateway::{Options, client};

const PROVIDERS: [&str; 4] = ["chat", "messages", "generate", "responses"];
const AT_ONCE: usize = 16;

/// A format, what the lists of requests class as kept at a provider, by its list and name, and the members that send it.
type Member = (&'static str, &'static str, Value);

/// Everything of the class.
fn members() -> Vec<Member> {
    [of_format_o(), of_format_g(), of_format_a(), of_format_r()].concat()
}

/// The same of format O.
fn of_format_o() -> Vec<Member> {
    let text = |part: Value| json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, part]}]});
    vec![
        ("chat", "chat.request.deferred", json!({"deferred": true})),
        ("chat", "chat.voice.id", json!({"audio": {"format": "mp3", "voice": {"id": "voice_1"}}})),
        ("chat", "chat.extra_google.cached_content", json!({"extra_body": {"google": {"cached_content": "c"}}})),
        (
            "chat",
            "chat.message.audio",
            json!({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "audio": {"id": "audio_1"}},
                {"role": "user", "content": "x"}]}),
        ),
        ("chat", "chat.file.file_id", text(json!({"type": "file", "file": {"file_id": "file-1"}}))),
        (
            "chat",
            "chat.cache_options.comparison_response_id",
            json!({"prompt_cache_options": {"comparison_response_id": "r"}}),
        ),
        ("completions", "completions.request.deferred", json!({"deferred": true})),
    ]
}

/// The same of format G.
fn of_format_g() -> Vec<Member> {
    let part = |part: Value| json!({"contents": [{"role": "user", "parts": [{"text": "x"}, part]}]});
    let file = |uri: &str| json!({"fileData": {"mimeType": "image/png", "fileUri": uri}});
    let tool = |tool: Value| json!({"tools": [tool]});
    vec![
        ("generate", "generate.request.cachedContent", json!({"cachedContent": "cachedContents/c"})),
        ("generate", "generate.request.cachedContent", json!({"cached_content": "cachedContents/c"})),
        ("generate", "generate.request.continuationToken", json!({"continuationToken": "t"})),
        ("generate", "generate.request.modelArmorConfig", json!({"modelArmorConfig": {"promptTemplateName": "t"}})),
        (
            "generate",
            "generate.config.generationOutputConfig",
            json!({"generationConfig": {"generationOutputConfig": {"gcs": "u"}}}),
        ),
        (
            "generate",
            "generate.response_format.video",
            json!({"generationConfig": {"responseFormat": {"video": {"gcs": "u"}}}}),
        ),
        ("generate", "generate.file.fileUri", part(file("files/abc"))),
        ("generate", "generate.file.fileUri", part(file("https://generativelanguage.googleapis.com/v1beta/files/abc"))),
        (
            "generate",
            "generate.file.fileUri",
            part(file("HTTPS://us-generativelanguage.googleapis.com.:443/v1beta/files/a")),
        ),
        ("generate", "generate.file.fileUri", part(file("gs://bucket/a.png"))),
        (
            "generate",
            "generate.file.fileUri",
            part(json!({"functionResponse": {"name": "f", "response": {}, "parts": [file("files/abc")]}})),
        ),
        ("generate", "generate.tool.retrieval", tool(json!({"retrieval": {"vertexAiSearch": {"datastore": "d"}}}))),
        ("generate", "generate.tool.fileSearch", tool(json!({"fileSearch": {"fileSearchStoreNames": ["s"]}}))),
    ]
}

/// The same of format A.
fn of_format_a() -> Vec<Member> {
    let text = |part: Value| json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, part]}]});
    vec![
        ("messages", "messages.request.thread", json!({"thread": {"type": "continue", "previous_message_id": "m"}})),
        ("messages", "messages.request.thread", json!({"thread": {"type": "create"}})),
        ("messages", "messages.request.container", json!({"container": "container_1"})),
        ("messages", "messages.request.container", json!({"container": {"id": "c", "skills": [{"skill_id": "s"}]}})),
        ("messages", "messages.request.billing_policy", json!({"billing_policy": {"type": "x"}})),
        ("messages", "messages.request.diagnostics", json!({"diagnostics": {"previous_message_id": "m"}})),
        ("messages", "messages.request.fallback_credit_token", json!({"fallback_credit_token": "t"})),
        ("messages", "messages.request.user_profile_id", json!({"user_profile_id": "u"})),
        ("messages", "messages.request.workspace_id", json!({"workspace_id": "w"})),
        ("messages", "messages.block.container_upload", text(json!({"type": "container_upload", "file_id": "file_1"}))),
        ("messages", "messages.block.file_id", text(json!({"type": "image", "file_id": "file_1"}))),
        (
            "messages",
            "messages.source.file",
            text(json!({"type": "image", "source": {"type": "file", "file_id": "file_1"}})),
        ),
        ("messages", "messages.source.file_id", text(json!({"type": "image", "source": {"file_id": "file_1"}}))),
    ]
}

/// The same of format R.
fn of_format_r() -> Vec<Member> {
    let input =
        |part: Value| json!({"input": [{"role": "user", "content": [{"type": "input_text", "text": "x"}, part]}]});
    let tool = |tool: Value| json!({"tools": [tool]});
    let shell = |environment: Value| json!({"tools": [{"type": "shell", "environment": environment}]});
    let runs = |container: Value| json!({"tools": [{"type": "code_interpreter", "container": container}]});
    vec![
        ("responses", "responses.request.access_programs", json!({"access_programs": [{"id": "a"}]})),
        ("responses", "responses.request.conversation", json!({"conversation": "conv_1"})),
        ("responses", "responses.request.conversation", json!({"conversation": {"id": "conv_1"}})),
        ("responses", "responses.request.prompt", json!({"prompt": {"id": "pmpt_1"}})),
        ("responses", "responses.part.file_id", input(json!({"type": "input_image", "file_id": "file-1"}))),
        ("responses", "responses.part.file_id", input(json!({"type": "input_file", "file_id": "file-1"}))),
        (
            "responses",
            "responses.tool.vector_store_ids",
            tool(json!({"type": "file_search", "vector_store_ids": ["vs_1"]})),
        ),
        (
            "responses",
            "responses.tool.connector_id",
            tool(json!({"type": "mcp", "server_label": "l", "connector_id": "c"})),
        ),
        ("responses", "responses.tool.tunnel_id", tool(json!({"type": "mcp", "server_label": "l", "tunnel_id": "t"}))),
        ("responses", "responses.container", runs(json!("cntr_1"))),
        ("responses", "responses.container.file_ids", runs(json!({"type": "auto", "file_ids": ["file-1"]}))),
        ("responses", "responses.container.skills", runs(json!({"type": "auto", "skills": [{"id": "s"}]}))),
        ("responses", "responses.environment.container_reference", shell(json!({"type": "container_reference"}))),
        (
            "responses",
            "responses.environment.container_id",
            shell(json!({"type": "container_auto", "container_id": "c"})),
        ),
        (
            "responses",
            "responses.environment.file_ids",
            shell(json!({"type": "container_auto", "file_ids": ["file-1"]})),
        ),
    ]
}

/// Models over each format at which every tool has a price, so that nothing is taken out.
fn config() -> String {
    const PRICES: &str =
        r#"tools = { web_search = "0", code_interpreter = "0", file_search = "0", mcp = "0", shell = "0" }"#;
    [upstreams(), models("via", "upstream-model", "", PRICES)].concat()
}

/// What the lists class so, by list and name.
fn classed() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dist/resolved.json");
    let resolved: Value = serde_json::from_slice(&std::fs::read(path).expect("the resolved spec")).expect("JSON");
    let mut classed = BTreeSet::new();
    for (list, object) in resolved["request_objects"].as_object().expect("lists") {
        for names in ["members", "kinds"].iter().filter_map(|names| object[*names].as_object()) {
            let state = names.iter().filter(|(_, class)| **class == "state" || class["address"].is_array());
            classed.extend(state.map(|(name, _)| format!("{list}.{name}")));
        }
        if object["text_is_state"] == true {
            classed.insert(list.clone());
        }
    }
    classed
}

fn ask(format: &str, model: &str, more: &Value) -> (String, Value) {
    let messages = json!([{"role": "user", "content": "x"}]);
    let (path, mut body) = match format {
        "chat" => ("/v1/chat/completions".to_owned(), json!({"model": model, "messages": messages})),
        "completions" => ("/v1/completions".to_owned(), json!({"model": model, "prompt": "x"})),
        "messages" => ("/v1/messages".to_owned(), json!({"model": model, "messages": messages, "max_tokens": 9})),
        "responses" => ("/v1/responses".to_owned(), json!({"model": model, "input": "x"})),
        _ => {
            let contents = json!([{"role": "user", "parts": [{"text": "x"}]}]);
            (format!("/v1beta/models/{model}:generateContent"), json!({"contents": contents}))
        }
    };
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    (path, body)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_provider_keeps_is_reached_by_no_account() {
    let members = members();
    let tried: BTreeSet<String> = members.iter().map(|(_, name, _)| (*name).to_owned()).collect();
    assert_eq!(tried, classed(), "each member and kind of the class is tried");
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(answer);
    let keys = [gateway.key.clone(), gateway.key_of_another().await];
    let cells = members.iter().flat_map(|member| PROVIDERS.map(|provider| (member, provider)));
    let cells = cells.flat_map(|cell| keys.iter().map(move |key| (cell, key)));
    let (gateway, asked) = (&gateway, cells.collect::<Vec<_>>());
    let wrong: Vec<String> = stream::iter(asked)
        .map(|(((format, name, more), provider), key)| async move {
            let (path, body) = ask(format, &format!("via-{provider}"), more);
            let request = client().post(gateway.url(&path)).bearer_auth(key).header("anthropic-version", "2023-06-01");
            let reply = request.json(&body).send().await.expect("an answer");
            let (status, text) = (reply.status(), reply.text().await.expect("text"));
            // Two of format R are refused with what takes their place here.
            let told = text.contains("where all accounts are one") || text.contains("must be absent");
            (status != 400 || !told).then(|| format!("{name} towards {provider}: {status} {text}\n{body}"))
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(|wrong| async { wrong })
        .collect()
        .await;
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(6)].join("\n\n"));
    assert_eq!(gateway.upstream.take_received().len(), 0);
    gateway.assert_books().await;
}

/// The client of format A goes on with its whole history where it is told so in these words.
#[tokio::test]
async fn a_thread_is_refused_in_the_words_that_its_client_goes_on_from() {
    let gateway = TestGateway::with(Options { config: config(), ..Options::default() }).await;
    let before = gateway.balance().await;
    for (provider, thread) in PROVIDERS.into_iter().flat_map(|provider| {
        let threads = [json!({"type": "create"}), json!({"type": "continue", "previous_message_id": "msg_1"})];
        threads.map(|thread| (provider, thread))
    }) {
        let (path, body) = ask("messages", &format!("via-{provider}"), &json!({"thread": thread}));
        let request =
            client().post(gateway.url(&path)).bearer_auth(&gateway.key).header("anthropic-version", "2023-06-01");
        let reply = request.json(&body).send().await.expect("an answer");
        assert_eq!(reply.status(), 400, "{provider}");
        let told: Value = reply.json().await.expect("JSON");
        assert_eq!(told["error"]["type"], "invalid_request_error", "{told}");
        assert_eq!(told["error"]["details"]["error_code"], "thread_unsupported_request", "{told}");
    }
    assert_eq!(gateway.upstream.take_received().len(), 0);
    assert_eq!(gateway.balance().await, before, "nothing is held or charged");
    gateway.assert_books().await;
}

/// Clients of other formats name files by addresses: the provider's own are no way to somebody's files.
#[tokio::test]
async fn an_address_of_a_provider_s_own_leads_to_no_file() {
    let gateway = TestGateway::with(Options { config: config(), credit: "1000", ..Options::default() }).await;
    gateway.upstream.on(answer);
    for (address, passes) in [
        ("https://example.com/a.png", true),
        ("https://storage.googleapis.com/bucket/a.png?X-Goog-Signature=1", true),
        ("https://generativelanguage.googleapis.com/v1beta/files/abc", false),
        ("https://GenerativeLanguage.googleapis.com./v1beta/files/abc", false),
        ("https://us-central1-aiplatform.googleapis.com/v1/files/abc", false),
    ] {
        let of_o = json!({"type": "image_url", "image_url": {"url": address}});
        let of_a = json!({"type": "image", "source": {"type": "url", "url": address}});
        let of_r = json!({"type": "input_image", "image_url": address});
        for (format, more) in [
            ("chat", json!({"messages": [{"role": "user", "content": [of_o]}]})),
            ("messages", json!({"messages": [{"role": "user", "content": [of_a]}]})),
            ("responses", json!({"input": [{"role": "user", "content": [of_r]}]})),
        ] {
            let (path, body) = ask(format, "via-generate", &more);
            let request = client().post(gateway.url(&path)).bearer_auth(&gateway.key);
            let reply = request.header("anthropic-version", "2023-06-01").json(&body).send().await.expect("an answer");
            let (status, text) = (reply.status(), reply.text().await.expect("text"));
            assert_eq!(status, if passes { 200 } else { 400 }, "{format} {address}: {text}");
            assert_eq!(gateway.upstream.take_received().len(), usize::from(passes), "{format} {address}");
        }
    }
    gateway.assert_books().await;
}
