//! The margin that operators are told: charges less what providers ask.

use serde_json::{Value, json};
use tollgate_tests::gateway::{Options, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{TestGateway, Upstream, client};

use super::admin_client::AdminClient;

/// Charges 15 millionths of a dollar for a request, and costs 9 at first.
const SETTINGS: &str = r#"{"prompt": "1", "completion": "2", "cost": {"prompt": "0.5", "completion": "1.5"}}"#;

/// A request for a model, once its charge is booked.
async fn charged(gateway: &TestGateway, model: &str) -> Value {
    let body = json!({"model": model, "messages": [{"role": "user", "content": "hello"}]});
    let reply = gateway.chat(body.to_string()).send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    let (status, told) = (reply.status(), reply.text().await.expect("a body"));
    assert_eq!(status, 200, "{told}");
    gateway.receipt(&id).await
}

#[tokio::test]
async fn a_margin_is_told_by_the_costs_of_today_and_of_known_costs_alone() {
    tells_margins("").await;
}

#[tokio::test]
async fn a_margin_is_told_by_a_ledger_on_a_database_server_too() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    tells_margins(&format!("[database]\nurl = {url:?}\n")).await;
}

async fn tells_margins(config: &str) {
    let config = format!("{config}[admin]\nprovider_networks = [\"127.0.0.0/8\"]\nsecrets_key_env = \"SECRETS_KEY\"\n");
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let (admin, upstream) = (AdminClient::of(&gateway).await, Upstream::start().await);
    upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
    let settings: Value = serde_json::from_str(SETTINGS).expect("JSON");
    for (path, body) in [
        ("providers", json!({"name": "alpha", "settings": {"base_url": upstream.base_url()}})),
        ("prices", json!({"name": "quick", "settings": settings})),
        (
            "models",
            json!({"name": "quick", "settings": {"context_tokens": 1000, "max_output_tokens": 100, "aliases": ["fast"],
                "candidates": [{"upstream": "alpha"}]}}),
        ),
    ] {
        AdminClient::data(admin.post(path, &body).await);
    }
    // Two names of one model, and a model of the configuration whose cost nobody has told.
    let receipts =
        [charged(&gateway, "quick").await, charged(&gateway, "fast").await, charged(&gateway, "small").await];
    assert_eq!(
        receipts.each_ref().map(|receipt| receipt["charged_usd"].clone()),
        [exact("0.000015"), exact("0.000015"), exact("0.00000315")]
    );
    let margin = async |query: &str| AdminClient::data(admin.get(&format!("margin{query}")).await);
    let row = |model: Option<&str>, requests: i64, charged: &str, reckoned: [&str; 3]| {
        let [of, cost, margin] = reckoned.map(exact);
        json!({"day": null, "model": model, "requests": requests, "charged_usd": exact(charged), "reckoned_usd": of,
            "cost_usd": cost, "margin_usd": margin})
    };
    let by_model = margin("?group_by=model").await;
    let known = ["0.000015", "0.000009", "0.000006"];
    let rows = [
        row(Some("fast"), 1, "0.000015", known),
        row(Some("quick"), 1, "0.000015", known),
        row(Some("small"), 1, "0.00000315", ["0", "null", "null"]),
    ];
    assert_eq!((&by_model["rows"], &by_model["models_without_cost"]), (&json!(rows), &json!(["small"])));
    let all = margin("").await;
    assert_eq!(all["rows"], json!([row(None, 3, "0.00003315", ["0.00003", "0.000018", "0.000012"])]));
    assert_eq!(
        margin("?group_by=day").await["rows"][0]["day"],
        receipts[0]["created_at"].as_str().expect("a time")[..10]
    );
    shown_to_operators_alone(&gateway, &admin).await;
    // The provider asks for more than is charged: what was charged before is reckoned by the cost of today, too.
    let dearer = json!({"settings": {"prompt": "1", "completion": "2", "cost": {"prompt": "2", "completion": "1.5"}}});
    AdminClient::data(admin.post("prices/quick/versions", &dearer).await);
    assert_eq!(margin("").await["rows"], json!([row(None, 3, "0.00003315", ["0.00003", "0.000045", "-0.000015"])]));
    // Without a cost there is no margin: it is not free.
    let unknown = json!({"settings": {"prompt": "1", "completion": "2"}});
    AdminClient::data(admin.post("prices/quick/versions", &unknown).await);
    let none = margin("").await;
    assert_eq!(none["rows"], json!([row(None, 3, "0.00003315", ["0", "null", "null"])]));
    assert_eq!(none["models_without_cost"], json!(["fast", "quick", "small"]));
    gateway.assert_books().await;
}

/// The console shows costs, and nothing that customers ask for does.
async fn shown_to_operators_alone(gateway: &TestGateway, admin: &AdminClient) {
    for (page, shown) in [
        ("overview", &["Margin a day (USD)", ">0.000012<", "since their price tells no cost: small"][..]),
        ("models", &[">0.000009<", ">0.000006<", "Cost not known"]),
        ("prices/quick", &["Cost at the provider Prompt 0.5, Output 1.5"]),
    ] {
        let told = admin.page(page).await;
        assert!(shown.iter().all(|text| told.contains(text)), "{page}: {told}");
    }
    for path in
        ["/v1/models", "/v1/models/quick", "/api/user/self/status", "/api/user/self/receipts", "/api/user/self/usage"]
    {
        let reply = gateway.get(path).send().await.expect("an answer");
        let (status, told) = (reply.status(), reply.text().await.expect("a body"));
        assert_eq!(status, 200, "{path}: {told}");
        assert!(!told.contains("cost") && !told.contains("1500000") && !told.contains("margin"), "{path}: {told}");
    }
    let reply = client().get(gateway.url("/api/admin/margin")).bearer_auth(gateway.new_key().await).send().await;
    assert_ne!(reply.expect("an answer").status(), 200, "a customer's key");
}
