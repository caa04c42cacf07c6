//! Each tool that a provider runs, but for searches of the web, which are in [`hosted_tools`](crate::charging::hosted_tools): held for,
//! charged by what the answer tells, and without a price taken out of the request or refused.

use serde_json::{Value, json};
use tollgate_base::Usd;
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::beside_tokens::{Answer, Asked, OUTPUT, PROMPT, ask, asked, usd, with};
use tollgate_tests::formats::{models, upstreams};
use tollgate_tests::gateway::{Options, amount};

const FORMATS: [&str; 4] = ["chat", "messages", "generate", "responses"];
/// Nano-USD of the tokens of an answer, at 0.15 and 0.6 USD for a million.
const TOKENS_NANOS: u64 = PROMPT * 150 + OUTPUT * 600;
/// Uses that a model is configured to hold for.
const USES_MAX: u64 = 5;
/// Nano-USD for each use of a tool, and as they are written.
const PRICES: [(&str, u64, &str); 7] = [
    ("web_fetch", 3_000_000, "0.003"),
    ("code_execution", 50_000_000, "0.05"),
    ("mcp", 700_001, "0.000700001"),
    ("code_interpreter", 30_000_000, "0.03"),
    ("image_generation", 40_000_000, "0.04"),
    ("shell", 11_000_000, "0.011"),
    ("google_maps", 25_000_000, "0.025"),
];

/// A tool, and a provider's answer that used it.
struct Sold {
    format: &'static str,
    /// The name that it is priced by.
    tool: &'static str,
    /// Members of the request that ask for it.
    more: Value,
    /// What else makes the provider use it, where the format has a word for it.
    forced: Value,
    /// How a refusal names it: where it stands, and what it is.
    named: [&'static str; 2],
    /// Uses that are held for.
    held: u64,
    /// Uses that the answer tells of.
    uses: u64,
    calls: Vec<Value>,
    usage: Value,
    told: Value,
}

/// A tool of format A, the blocks of its calls, and what the usage counts.
fn in_a(tool: &'static str, more: Value, named: [&'static str; 2], calls: Vec<Value>, counted: &Value) -> Sold {
    let name = more["tools"][0]["name"].clone();
    let forced = if name.is_null() { json!({"type": "any"}) } else { json!({"type": "tool", "name": name}) };
    let uses = u64::try_from(calls.iter().filter(|block| block["type"] != "tool_result").count()).expect("few");
    let held = more["tools"][0]["max_uses"].as_u64().unwrap_or(USES_MAX);
    let (usage, told) = (json!({"server_tool_use": counted}), json!({}));
    Sold {
        format: "messages",
        tool,
        more,
        forced: json!({"tool_choice": forced}),
        named,
        held,
        uses,
        calls,
        usage,
        told,
    }
}

fn of_format_a() -> [Sold; 4] {
    let call = |number: u64, name: &str| {
        let id = format!("srvtoolu_{number}");
        json!({"type": "server_tool_use", "id": id, "name": name, "input": {}})
    };
    let fetch = json!({"type": "web_fetch_20250910", "name": "web_fetch", "max_uses": 3});
    let code = json!({"tools": [{"type": "code_execution_20250825", "name": "code_execution"}]});
    let server = json!([{"type": "url", "url": "https://mcp.example.com/sse", "name": "files"}]);
    let toolset = json!({"mcp_servers": server, "tools": [{"type": "mcp_toolset", "mcp_server_name": "files"}]});
    let of_mcp = |number: u64| {
        json!({"type": "mcp_tool_use", "id": format!("mcptoolu_{number}"), "name": "read", "server_name": "files",
            "input": {}})
    };
    let codes = vec![call(1, "bash_code_execution"), call(2, "text_editor_code_execution")];
    [
        in_a(
            "web_fetch",
            json!({"tools": [fetch]}),
            ["tools[0]", "tool `web_fetch_20250910`"],
            vec![call(1, "web_fetch"), call(2, "web_fetch")],
            &json!({"web_search_requests": 0, "web_fetch_requests": 2}),
        ),
        // Its blocks alone tell of it, or its usage does.
        in_a(
            "code_execution",
            code.clone(),
            ["tools[0]", "tool `code_execution_20250825`"],
            codes.clone(),
            &json!({"web_search_requests": 0, "web_fetch_requests": 0}),
        ),
        in_a(
            "code_execution",
            code,
            ["tools[0]", "tool `code_execution_20250825`"],
            codes,
            &json!({"code_execution_requests": 2}),
        ),
        in_a("mcp", toolset, ["mcp_servers", "`mcp`"], vec![of_mcp(1), of_mcp(2), of_mcp(3)], &Value::Null),
    ]
}

/// A tool of format R by its kind, and the items of an answer, of which so many are calls.
fn in_r(kind: &'static str, tool: &Value, uses: u64, items: Vec<Value>) -> Sold {
    let forced = json!({"tool_choice": {"type": kind}});
    let named = match kind {
        "code_interpreter" => ["tools[0]", "tool `code_interpreter`"],
        "image_generation" => ["tools[0]", "tool `image_generation`"],
        "mcp" => ["tools[0]", "tool `mcp`"],
        _ => ["tools[0].environment", "tool `container_auto`"],
    };
    let tool = with(json!({"type": kind}), tool);
    let (more, usage, told) = (json!({"tools": [tool]}), json!({}), json!({}));
    Sold { format: "responses", tool: kind, more, forced, named, held: USES_MAX, uses, calls: items, usage, told }
}

fn of_format_r() -> [Sold; 4] {
    let item = |number: u64, kind: &str, more: Value| {
        with(json!({"type": kind, "id": format!("item_{number}"), "status": "completed"}), &more)
    };
    let code = |number| item(number, "code_interpreter_call", json!({"code": "1", "container_id": "c", "outputs": []}));
    let place = json!({"type": "container_reference", "container_id": "c"});
    let shell =
        json!({"call_id": "c1", "action": {"commands": ["ls"]}, "environment": place, "max_output_length": null});
    let output = json!({"call_id": "c1", "output": [], "max_output_length": null});
    let server = json!({"server_label": "files", "server_url": "https://mcp.example.com", "require_approval": "never"});
    let list = json!({"type": "mcp_list_tools", "id": "l", "server_label": "files", "tools": []});
    let of_mcp = |number: u64| {
        let more = json!({"server_label": "files", "name": "read", "arguments": "{}", "output": "x", "error": null});
        item(number, "mcp_call", more)
    };
    [
        in_r("code_interpreter", &json!({"container": {"type": "auto"}}), 3, vec![code(1), code(2), code(3)]),
        in_r("image_generation", &json!({}), 1, vec![item(1, "image_generation_call", json!({"result": "AAAA"}))]),
        // That the tools of a server are listed is no call of one.
        in_r("mcp", &server, 2, vec![list, of_mcp(1), of_mcp(2)]),
        in_r(
            "shell",
            &json!({"environment": {"type": "container_auto"}}),
            1,
            vec![item(1, "shell_call", shell), item(2, "shell_call_output", output)],
        ),
    ]
}

/// Format G says that it looked at maps, not how often.
fn of_format_g() -> Sold {
    let place = |id: &str| json!({"maps": {"uri": "https://maps.example.com", "title": "A place", "placeId": id}});
    let told = json!({"groundingMetadata": {"groundingChunks": [place("a"), place("b")]}});
    Sold {
        format: "generate",
        tool: "google_maps",
        more: json!({"tools": [{"googleMaps": {}}]}),
        forced: Value::Null,
        named: ["tools[0].googleMaps", "tool `googleMaps`"],
        held: USES_MAX,
        uses: 1,
        calls: Vec::new(),
        usage: json!({}),
        told,
    }
}

fn all() -> Vec<Sold> {
    of_format_a().into_iter().chain(of_format_r()).chain([of_format_g()]).collect()
}

impl Sold {
    /// Nano-USD for each use, and as they are written.
    fn price(&self) -> (u64, &'static str) {
        let (_, nanos, written) = PRICES.into_iter().find(|(tool, ..)| *tool == self.tool).expect("a price");
        (nanos, written)
    }

    /// From now on the provider's answers tell of uses.
    fn is_used(&self, gateway: &TestGateway) {
        let (calls, usage, told) = (self.calls.clone(), self.usage.clone(), self.told.clone());
        gateway.upstream.on(move |request| {
            Answer::to(request).calls(calls.clone()).usage(usage.clone()).more(told.clone()).reply()
        });
    }

    /// A request for it to a model of this name in its own format.
    fn ask(&self, model: &str, stream: bool, more: &Value) -> (String, Value) {
        self.ask_over(self.format, model, stream, more)
    }

    /// The same to a model that is reached over another format.
    fn ask_over(&self, provider: &str, model: &str, stream: bool, more: &Value) -> (String, Value) {
        ask(self.format, &format!("{model}-{provider}"), stream, &with(self.more.clone(), more))
    }

    /// Asserts that it is refused by its name, that of the model, and the key of its price.
    fn is_refused(&self, Asked { status, text, .. }: &Asked, provider: &str) {
        let what = format!("{}: {text}", self.tool);
        assert_eq!(*status, 400, "{what}");
        let [field, named] = self.named;
        let refused = format!("'{field}': {named} is not offered for model 'plain-{provider}'");
        assert!(text.contains(&refused), "not {refused}: {what}");
        assert!(text.contains(&format!("`price.tools.{}` of the model", self.tool)), "{what}");
    }
}

/// A model over each format that sells every tool, one that gives them for nothing, and one that has none; their names are of
/// one length, and so are requests to them.
fn config(more: &str) -> String {
    let uses = format!("tool_uses_max = {USES_MAX}");
    let priced = |price: &dyn Fn(&'static str) -> &'static str| {
        let tools: Vec<String> = PRICES.iter().map(|(tool, _, usd)| format!("{tool} = \"{}\"", price(usd))).collect();
        format!("tools = {{ {} }}", tools.join(", "))
    };
    [
        more.to_owned(),
        upstreams(),
        models("sells", "up", &uses, &priced(&|usd| usd)),
        models("gives", "up", &uses, &priced(&|_| "0")),
        models("plain", "up", "", ""),
    ]
    .concat()
}

async fn gateway(more: &str) -> TestGateway {
    TestGateway::with(Options { config: config(more), credit: "1000", ..Options::default() }).await
}

/// What was held, in nano-USD.
fn held(receipt: &Value) -> i64 {
    amount(&receipt["held_usd"]).parse::<Usd>().expect("an amount").nanos()
}

/// What is held beyond the tokens is the bound of uses at their price, and what is charged the uses that the answer tells of.
#[tokio::test(flavor = "multi_thread")]
async fn each_tool_is_held_for_and_charged_as_the_answer_tells() {
    let gateway = gateway("").await;
    for sold in all() {
        sold.is_used(&gateway);
        let (nanos, written) = sold.price();
        for stream in [false, true] {
            let request = sold.ask("sells", stream, &json!({}));
            let Asked { status, receipt, text, dropped } = asked(&gateway, &request).await;
            let what = format!("{} of {}, stream {stream}: {receipt} {text}", sold.tool, sold.format);
            assert_eq!((status, dropped), (200, None), "{what}");
            assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + sold.uses * nanos), "{what}");
            let line = json!([{"tool": sold.tool, "uses": sold.uses, "price_usd": written}]);
            assert_eq!((&receipt["tool_uses"], &receipt["rule"]), (&line, &json!("reported")), "{what}");
            let sent = gateway.upstream.take_received().pop().expect("a request");
            let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
            assert_eq!(sent["tools"], request.1["tools"], "{what}");
            let given = asked(&gateway, &sold.ask("gives", stream, &json!({}))).await.receipt;
            let line = json!([{"tool": sold.tool, "uses": sold.uses, "price_usd": "0"}]);
            assert_eq!((&given["tool_uses"], amount(&given["charged_usd"])), (&line, usd(TOKENS_NANOS)), "{what}");
            let most = i64::try_from(sold.held * nanos).expect("little");
            assert_eq!(held(&receipt) - held(&given), most, "{what}");
            drop(gateway.upstream.take_received());
        }
    }
    gateway.assert_books().await;
}

/// Towards providers of every format. Format A's servers are named beside the tools, and not taken out with them: the request
/// is refused.
#[tokio::test(flavor = "multi_thread")]
async fn each_tool_without_a_price_is_dropped_and_told() {
    let gateway = gateway("").await;
    gateway.upstream.on(|request| Answer::to(request).reply());
    for sold in all() {
        let cells = FORMATS.into_iter().flat_map(|provider| [(provider, false), (provider, true)]);
        for (provider, stream) in cells {
            let answer = asked(&gateway, &sold.ask_over(provider, "plain", stream, &json!({}))).await;
            if sold.named[0] == "mcp_servers" {
                sold.is_refused(&answer, provider);
                continue;
            }
            let Asked { status, receipt, text, dropped } = answer;
            let what = format!("{} to {provider}, stream {stream}: {dropped:?} {receipt} {text}", sold.tool);
            assert_eq!(status, 200, "{what}");
            assert!(dropped.as_deref().is_some_and(|dropped| dropped.starts_with("tools[0]")), "{what}");
            assert_eq!((&receipt["tool_uses"], amount(&receipt["charged_usd"])), (&json!([]), usd(TOKENS_NANOS)));
            let sent = gateway.upstream.take_received().pop().expect("a request");
            let sent: Value = serde_json::from_slice(&sent.body).expect("JSON");
            assert_eq!(sent["tools"], Value::Null, "{what}: {sent}");
        }
    }
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_tool_without_a_price_is_refused_where_it_is_forced() {
    let gateway = gateway("").await;
    for sold in all().iter().filter(|sold| sold.forced.is_object()) {
        sold.is_refused(&asked(&gateway, &sold.ask("plain", false, &sold.forced)).await, sold.format);
    }
    let refusing = self::gateway("hosted_tools = \"refuse\"\n").await;
    for sold in all() {
        sold.is_refused(&asked(&refusing, &sold.ask("plain", false, &json!({}))).await, sold.format);
    }
    for gateway in [gateway, refusing] {
        assert_eq!(gateway.upstream.take_received().len(), 0, "no provider is asked");
        assert_eq!(amount(&gateway.balance().await["quota_usd"]), "1000");
        gateway.assert_books().await;
    }
}

/// A use that nobody asked for is charged where it has a price. Where it has none, the tokens are charged and somebody is
/// woken.
#[tokio::test(flavor = "multi_thread")]
async fn uses_that_nobody_asked_for_are_charged_or_ring() {
    let gateway = gateway("").await;
    let mut rung = 0;
    for sold in all() {
        sold.is_used(&gateway);
        for stream in [false, true] {
            for (model, uses) in [("sells", sold.uses), ("plain", 0)] {
                let request = ask(sold.format, &format!("{model}-{}", sold.format), stream, &json!({}));
                let Asked { status, receipt, text, .. } = asked(&gateway, &request).await;
                let what = format!("{} of {model}, stream {stream}: {receipt} {text}", sold.tool);
                assert_eq!((status, &receipt["rule"]), (200, &json!("reported")), "{what}");
                assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS + uses * sold.price().0), "{what}");
                assert_eq!(receipt["tool_uses"].as_array().map(Vec::len), Some(usize::from(uses > 0)), "{what}");
            }
            rung += 1;
            let told = AlarmLog::of_this_test().ring("usage", rung).await.pop().expect("a line").to_string();
            assert!(told.contains(&format!("{}: {}", sold.tool, sold.uses)), "{told}");
        }
    }
    gateway.assert_books().await;
}

/// Format G runs code for tokens alone: no use of it is charged, and the steps that it takes are held for.
#[tokio::test(flavor = "multi_thread")]
async fn code_that_format_g_runs_costs_its_tokens() {
    let gateway = gateway("").await;
    gateway.upstream.on(|request| {
        let code = json!({"executableCode": {"language": "PYTHON", "code": "1"}});
        Answer::to(request).calls(vec![code, json!({"codeExecutionResult": {"outcome": "OUTCOME_OK"}})]).reply()
    });
    for stream in [false, true] {
        // As long as each other, for models with prices of tools and without.
        for model in ["sells", "plain"] {
            let model = format!("{model}-generate");
            let with_code = json!({"tools": [{"codeExecution": {}}]});
            let Asked { status, receipt, text, dropped } =
                asked(&gateway, &ask("generate", &model, stream, &with_code)).await;
            assert_eq!((status, dropped), (200, None), "{text}");
            assert_eq!((&receipt["tool_uses"], amount(&receipt["charged_usd"])), (&json!([]), usd(TOKENS_NANOS)));
            // One more context of 100,000 tokens read, and 1,000 written.
            let without = asked(&gateway, &ask("generate", &model, stream, &json!({}))).await.receipt;
            assert!(held(&receipt) - held(&without) >= 100_000 * 150 + 1000 * 600, "{receipt} {without}");
        }
    }
    gateway.assert_books().await;
}

/// A tool of one format is run by providers of that format: another's is not asked. One that is not used costs nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_a_provider_does_not_run_is_refused_and_one_that_is_not_used_is_free() {
    let gateway = gateway("").await;
    gateway.upstream.on(|request| Answer::to(request).reply());
    for sold in all() {
        for provider in FORMATS {
            let request = sold.ask_over(provider, "sells", false, &json!({}));
            let Asked { status, receipt, text, dropped } = asked(&gateway, &request).await;
            let what = format!("{} to {provider}: {receipt} {text}", sold.tool);
            let own = provider == sold.format;
            assert_eq!(gateway.upstream.take_received().len(), usize::from(own), "{what}");
            if own {
                assert_eq!((status, dropped, &receipt["tool_uses"]), (200, None, &json!([])), "{what}");
                assert_eq!(amount(&receipt["charged_usd"]), usd(TOKENS_NANOS), "{what}");
            } else {
                let refused = format!("cannot be carried to the provider of 'sells-{provider}'");
                assert!(status == 400 && text.contains("'tools[0]") && text.contains(&refused), "{what}");
            }
        }
    }
    gateway.assert_books().await;
}
