//! Answers that name another model than was asked for: charged as that one where it is on offer at the provider, and rung.

use serde_json::{Value, json};
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::gateway::{Options, amount};
use tollgate_tests::reply::{Reply, completion};

/// Tokens of the prompt and the answer.
const TOKENS: (u64, u64) = (1000, 100);

/// Models at one provider, and one at another: each with what it costs for a million tokens of either kind.
fn config() -> String {
    let upstreams = ["router", "elsewhere"].map(|name| format!("[upstreams.{name}]\nbase_url = \"{{upstream}}\"\n"));
    let model = |name: &str, price: &str, candidates: &str, more: &str| {
        format!(
            "[models.{name}]\ncontext_tokens = 100000\nmax_output_tokens = 1000\n\
             price = {{ prompt = \"{price}\", completion = \"{price}\"{more} }}\ncandidates = [{candidates}]\n"
        )
    };
    let at = |theirs: &str| format!("{{ upstream = \"router\", model = \"{theirs}\" }}");
    let deployed = "{ upstream = \"router\", model = \"deployment-7\", answers_as = \"named\" }";
    [
        upstreams.concat(),
        model("auto", "1", &at("house/auto"), ", tools = { web_search = \"0.01\" }"),
        model("trial", "0", &at("large"), ""),
        model("large", "10", &at("large"), ""),
        model("two-names", "2", &[at("x"), at("y")].join(", "), ""),
        model("one-name", "20", &at("y"), ""),
        model("deployed", "3", deployed, ""),
        model("named", "30", &at("named"), ""),
        model("draws", "0", &at("painter"), ", image = \"0.04\""),
        model("\"swift-*\"", "4", &at("org/swift-*"), ""),
        model("swift-away", "40", "{ upstream = \"elsewhere\", model = \"swift-away\" }", ""),
        model("of-a-maker", "5", &at("maker/m"), ""),
    ]
    .concat()
}

/// What is asked for, what the answer says, what it is charged as where that is another, USD for a million tokens, and whether
/// it rings.
const CASES: [(&str, &str, Option<&str>, u64, bool); 14] = [
    ("auto", "house/auto", None, 1, false),
    ("auto", "auto-2026-01-01", None, 1, false),
    // Of two that are called so the dearer.
    ("auto", "large", Some("large"), 10, true),
    ("auto", "large-2026-01-01", Some("large"), 10, true),
    // The model that was asked for is called so too.
    ("two-names", "y", None, 2, false),
    ("auto", "y", Some("one-name"), 20, true),
    ("deployed", "named-2026-01-01", None, 3, false),
    ("deployed", "deployment-7", None, 3, false),
    // Words of a model that sells none would be free.
    ("auto", "painter", None, 1, true),
    ("auto", "nobody-s", None, 1, true),
    ("auto", "org/swift-2", Some("swift-2"), 4, true),
    // The provider has none of that name but by the pattern, which another model of ours stands before.
    ("auto", "org/swift-away", None, 1, true),
    ("auto", "maker/m", Some("of-a-maker"), 5, true),
    ("auto", "another/m", None, 1, true),
];

async fn asked(gateway: &TestGateway, model: &str, more: &Value) -> Value {
    let mut body = json!({"model": model, "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 500});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let (status, told): (_, Value) = (reply.status(), reply.json().await.expect("JSON"));
    assert_eq!((status.as_u16(), &told["model"]), (200, &json!(model)), "{told}");
    gateway.receipt(&request_id).await
}

fn answering(model: &str, searches: u64) -> Reply {
    let mut answer = completion("Hello there", TOKENS.0, TOKENS.1);
    (answer["model"], answer["usage"]["num_search_queries"]) = (json!(model), json!(searches));
    Reply::json(200, &answer)
}

#[tokio::test]
async fn another_model_is_charged_as_what_it_is_on_offer_for() {
    let gateway = TestGateway::with(Options { config: config(), credit: "10", ..Options::default() }).await;
    for (model, answers, charged_as, price, _) in CASES {
        gateway.upstream.answer(answering(answers, 0));
        let receipt = asked(&gateway, model, &json!({})).await;
        let usd = tollgate_base::Usd::from_nanos(i64::try_from((TOKENS.0 + TOKENS.1) * price * 1000).expect("few"));
        assert_eq!(amount(&receipt["charged_usd"]), usd.to_string(), "{model} by {answers}: {receipt}");
        assert_eq!(receipt["fallback_model"], json!(charged_as), "{model} by {answers}: {receipt}");
        assert_eq!(receipt["model"], model);
    }
    let due = CASES.iter().filter(|(.., rings)| *rings).count();
    AlarmLog::of_this_test().ring("usage", due).await;
    gateway.assert_books().await;
}

/// A search that the model sells that was asked for costs what it was sold for, whoever has searched.
#[tokio::test]
async fn what_was_sold_beside_tokens_costs_what_it_was_sold_for() {
    let gateway = TestGateway::with(Options { config: config(), credit: "10", ..Options::default() }).await;
    gateway.upstream.answer(answering("large", 3));
    let receipt = asked(&gateway, "auto", &json!({"web_search_options": {}})).await;
    assert_eq!((amount(&receipt["charged_usd"]).as_str(), &receipt["fallback_model"]), ("0.041", &json!("large")));
    assert_eq!(receipt["tool_uses"], json!([{"tool": "web_search", "uses": 3, "price_usd": "0.01"}]), "{receipt}");
    AlarmLog::of_this_test().ring("usage", 1).await;
    gateway.assert_books().await;
}
