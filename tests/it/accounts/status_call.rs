//! Where a caller stands, in one call: as an agent sees it, and as its owner does.

use serde_json::{Value, json};
use tollgate_accounts::{KeyLimits, NewKey};
use tollgate_base::KeyScope;
use tollgate_tests::chain::{Anvil, PAYER};
use tollgate_tests::gateway::{Options, amount, exact};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

const PUBLIC_URL: &str = "https://gateway.example";

async fn get(gateway: &TestGateway, key: &str, path: &str) -> Value {
    let reply = client().get(gateway.url(path)).bearer_auth(key).send().await.expect("an answer");
    let reply = exact(&reply.text().await.expect("a body"));
    assert_eq!(reply["success"], true, "{reply}");
    reply["data"].clone()
}

async fn standing(gateway: &TestGateway, key: &str) -> Value {
    get(gateway, key, "/api/user/self/status").await
}

async fn post(gateway: &TestGateway, key: &str, path: &str, body: &Value) -> Value {
    let request = client().post(gateway.url(path)).bearer_auth(key).header("content-type", "application/json");
    let reply = exact(&request.body(body.to_string()).send().await.expect("an answer").text().await.expect("a body"));
    assert_eq!(reply["success"], true, "{reply}");
    reply["data"].clone()
}

/// An agent whose wallet is the payer's: its key and its number.
async fn agent(gateway: &TestGateway) -> (String, String) {
    let body = Wallet::of_key(PAYER).registration(PUBLIC_URL);
    let made = post(gateway, &gateway.key, "/api/user/self/agents", &body).await;
    (made["api_key"].as_str().expect("a key").to_owned(), made["agent"]["agent_id"].to_string())
}

/// The bound, and what is left of it.
fn cap(cap: &Value) -> (String, String) {
    (amount(&cap["cap_usd"]), amount(&cap["left_usd"]))
}

fn usd(cap: &str, left: &str) -> (String, String) {
    (cap.to_owned(), left.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_sees_what_it_may_and_what_it_has_in_one_call() {
    let anvil = Anvil::start().await;
    let agents = "[agents]\ncap_order_usd = \"20\"\ncap_day_usd = \"30\"\ncap_usd = \"100\"\nbudget_day_usd = \"4\"\n";
    let config = format!("public_url = \"{PUBLIC_URL}\"\n{}\n{agents}", anvil.config("0"));
    let gateway = TestGateway::with(Options { credit: "1", config, ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 50)));
    let (key, id) = agent(&gateway).await;

    let fresh = standing(&gateway, &key).await;
    assert_eq!(amount(&fresh["balance"]["quota_usd"]), "1");
    assert_eq!(fresh["agents"].as_array().map(Vec::len), Some(1), "{fresh}");
    let own = &fresh["agents"][0];
    assert_eq!((own["agent_id"].to_string(), amount(&own["cap_order_usd"])), (id.clone(), "20".to_owned()));
    assert_eq!((cap(&own["day"]), cap(&own["life"])), (usd("30", "30"), usd("100", "100")));
    assert_eq!((cap(&fresh["budgets"]["day"]), &fresh["budgets"]["month"]), (usd("4", "4"), &Value::Null));
    assert_eq!((&fresh["orders"], &fresh["topup"]["enabled"]), (&json!([]), &json!(true)));
    assert_eq!(
        (amount(&fresh["topup"]["min_usd"]), amount(&fresh["topup"]["max_usd"])),
        ("1".to_owned(), "1000".to_owned())
    );

    let made = post(&gateway, &key, "/api/user/topup/x402/orders", &json!({"amount_usd": 5})).await;
    let waits = standing(&gateway, &key).await;
    let order = &waits["orders"][0];
    assert_eq!(
        (&order["order_id"], &order["status"], &order["rail"]),
        (&made["order_id"], &json!("pending"), &json!("x402"))
    );
    assert_eq!((order["agent_id"].to_string(), &order["expires_at"]), (id.clone(), &made["expires_at"]));
    assert_eq!(cap(&waits["agents"][0]["day"]), usd("30", "30"), "an order counts from its payment on");

    let payment = anvil.payment(&made["challenge"], 1);
    let paid = client().post(gateway.url(&format!("/api/x402/pay/{}", made["order_id"]))).json(&payment).send().await;
    assert_eq!(paid.expect("an answer").json::<Value>().await.expect("JSON")["data"]["status"], "settled");
    let paid = standing(&gateway, &key).await;
    assert_eq!((amount(&paid["balance"]["quota_usd"]), &paid["orders"]), ("6".to_owned(), &json!([])));
    assert_eq!((cap(&paid["agents"][0]["day"]), cap(&paid["agents"][0]["life"])), (usd("30", "25"), usd("100", "95")));

    // What a request costs is what was told before it, and is missing from the budget after it.
    let price = paid["prices"]
        .as_array()
        .expect("prices")
        .iter()
        .find(|price| price["model"] == "small")
        .expect("a price")
        .clone();
    let body = json!({"model": "small", "messages": [{"role": "user", "content": "hello"}]}).to_string();
    let request = client().post(gateway.url("/v1/chat/completions")).bearer_auth(&key);
    let reply = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert_eq!((reply.status().as_u16(), paid["ratio"].as_str()), (200, Some("1")));
    let picos = |name: &str| price[name].to_string().parse::<i64>().expect("a number");
    let cost_nanos = (100 * picos("prompt_picousd") + 50 * picos("completion_picousd")).div_euclid(1000);
    assert!(cost_nanos > 0, "{price}");
    let spent = standing(&gateway, &key).await;
    let nanos = |text: &str| text.parse::<tollgate_base::Usd>().expect("an amount").nanos();
    assert_eq!(4_000_000_000 - nanos(&cap(&spent["budgets"]["day"]).1), cost_nanos, "{spent}");
    assert_eq!(6_000_000_000 - nanos(&amount(&spent["balance"]["quota_usd"])), cost_nanos);
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_sees_all_agents_that_act_and_a_limited_key_none() {
    let config = format!("public_url = \"{PUBLIC_URL}\"\n");
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    for _ in 0..2 {
        post(&gateway, &gateway.key, "/api/user/self/agents", &Wallet::evm().registration(PUBLIC_URL)).await;
    }
    let revoked = post(&gateway, &gateway.key, "/api/user/self/agents", &Wallet::evm().registration(PUBLIC_URL)).await;
    let path = gateway.url(&format!("/api/user/self/agents/{}", revoked["agent"]["agent_id"]));
    assert_eq!(client().delete(path).bearer_auth(&gateway.key).send().await.expect("an answer").status(), 200);
    let owner = standing(&gateway, &gateway.key).await;
    assert_eq!((owner["agents"].as_array().map(Vec::len), &owner["budgets"]), (Some(2), &json!({})), "{owner}");
    assert_eq!(owner["topup"]["enabled"], false);

    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let scope = KeyScope { models: Some(vec!["small".to_owned()]), ..KeyScope::default() };
    let usd_of = |text: &str| Some(text.parse().expect("an amount"));
    let limits = KeyLimits { scope, budget_week: usd_of("3"), budget_life: usd_of("2.5"), ..KeyLimits::default() };
    let limited = gateway.service().accounts.create_limited_key(key, limits, "test").await.expect("a key").secret;
    let told = standing(&gateway, limited.reveal()).await;
    assert_eq!((&told["agents"], cap(&told["budgets"]["life"])), (&json!([]), usd("2.5", "2.5")));
    assert_eq!(cap(&told["budgets"]["week"]), usd("3", "3"));
    let models: Vec<&Value> = told["prices"].as_array().expect("prices").iter().map(|price| &price["model"]).collect();
    assert_eq!(models, [&json!("small")], "what it may use, and nothing else");
    assert_eq!(told["balance"], owner["balance"]);
}
