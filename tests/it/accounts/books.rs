//! `GET /api/user/self/receipts` and `GET /api/user/self/usage`: what an account reads of its requests.

use serde_json::{Value, json};
use sqlx::{Connection, Executor};
use tollgate_accounts::NewKey;
use tollgate_base::Clock;
use tollgate_tests::gateway::{IN_FILE, Options, amount, exact, hello};
use tollgate_tests::{TestGateway, client};

/// 2027-01-15T08:00:00Z.
const START_MS: i64 = 1_800_000_000_000;

/// What `path` of the account says, in `data`.
async fn read(gateway: &TestGateway, path: &str) -> Value {
    let reply = gateway.get(path).send().await.expect("an answer");
    assert_eq!(reply.status(), 200, "{path}");
    exact(&reply.text().await.expect("a body"))["data"].clone()
}

async fn ask(gateway: &TestGateway, key: &str) -> String {
    let request = client().post(gateway.url("/v1/chat/completions")).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(hello(false).to_string());
    let reply = request.send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    request_id
}

fn ids(page: &Value) -> Vec<&str> {
    let receipts = page["receipts"].as_array().expect("a list");
    receipts.iter().map(|receipt| receipt["request_id"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn the_list_tells_the_same_receipts_as_they_are_told_alone() {
    let gateway = TestGateway::start().await;
    let second = gateway.new_key().await;
    let mut requests = Vec::new();
    for key in [&gateway.key, &second, &gateway.key] {
        requests.insert(0, ask(&gateway, key).await);
    }
    let page = read(&gateway, "/api/user/self/receipts").await;
    assert_eq!((ids(&page), &page["next"]), (requests.iter().map(String::as_str).collect(), &Value::Null));
    for (request, told) in requests.iter().zip(page["receipts"].as_array().expect("a list")) {
        assert_eq!(*told, gateway.receipt(request).await);
    }
    let first = read(&gateway, "/api/user/self/receipts?limit=2").await;
    assert_eq!(ids(&first), requests[..2]);
    let next = first["next"].as_str().expect("a next page");
    let rest = read(&gateway, &format!("/api/user/self/receipts?limit=2&after={next}")).await;
    assert_eq!((ids(&rest), &rest["next"]), (vec![requests[2].as_str()], &Value::Null));
    let key_id = &page["receipts"][1]["key_id"];
    let one = read(&gateway, &format!("/api/user/self/receipts?key_id={key_id}&status=settled&model=small")).await;
    assert_eq!(ids(&one), [requests[1].as_str()]);
}

#[tokio::test]
async fn an_account_sees_nothing_of_another() {
    let gateway = TestGateway::start().await;
    ask(&gateway, &gateway.key).await;
    let accounts = &gateway.service().accounts;
    let stranger = accounts.create_account("stranger", "test").await.expect("an account").id;
    let key = NewKey { account: stranger, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key").secret;
    for (path, empty) in [
        ("/api/user/self/receipts", json!({"receipts": [], "next": null})),
        (
            "/api/user/self/usage?from=2026-01-01&to=2026-01-02",
            json!({"from": "2026-01-01", "to": "2026-01-02", "rows": []}),
        ),
    ] {
        let reply = client().get(gateway.url(path)).bearer_auth(key.reveal()).send().await.expect("an answer");
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(body["data"], empty, "{path}");
    }
}

#[tokio::test]
async fn usage_is_summed_by_day_model_and_key() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let second = gateway.new_key().await;
    let mut charged = 0;
    for key in [&gateway.key, &gateway.key, &second] {
        let receipt = ask(&gateway, key).await;
        let paid = amount(&gateway.receipt(&receipt).await["charged_usd"]);
        charged += paid.parse::<tollgate_base::Usd>().expect("an amount").nanos();
    }
    hand.advance_ms(86_400_000);
    let one = ask(&gateway, &gateway.key).await;
    let one = gateway.receipt(&one).await;
    let first_days = "from=2027-01-15&to=2027-01-16";
    let whole = read(&gateway, &format!("/api/user/self/usage?{first_days}")).await;
    let [row] = whole["rows"].as_array().expect("rows").as_slice() else { panic!("{whole}") };
    assert_eq!((&row["day"], &row["key_id"], &row["model"]), (&Value::Null, &Value::Null, &Value::Null));
    assert_eq!((&row["requests"], &row["released_requests"]), (&json!(3), &json!(0)));
    let tokens = |receipt: &Value, times: i64| receipt.as_i64().expect("a number") * times;
    assert_eq!(row["prompt_tokens"], tokens(&one["usage"]["prompt_tokens"], 3));
    assert_eq!(row["completion_tokens"], tokens(&one["usage"]["completion_tokens"], 3));
    let paid: tollgate_base::Usd = amount(&row["charged_usd"]).parse().expect("an amount");
    assert_eq!(paid.nanos(), charged);

    // Without days, the last thirty of them, today among them.
    let by_all = read(&gateway, "/api/user/self/usage?group_by=key,day,model,day").await;
    let rows = by_all["rows"].as_array().expect("rows");
    let told: Vec<_> = rows.iter().map(|row| (row["day"].as_str(), row["model"].as_str(), &row["requests"])).collect();
    assert_eq!(told.len(), 3);
    assert_eq!(told[2], (Some("2027-01-16"), Some("small"), &json!(1)));
    let mut counts: Vec<i64> = rows[..2].iter().filter_map(|row| row["requests"].as_i64()).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2], "one row for each key of the first day");
    assert_ne!(rows[0]["key_id"], rows[1]["key_id"]);
    gateway.assert_books().await;
}

#[tokio::test]
async fn both_lists_are_told_as_csv_where_that_is_asked_for() {
    let (clock, _) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let mut requests = Vec::new();
    for _ in 0..3 {
        requests.insert(0, ask(&gateway, &gateway.key).await);
    }
    let file = async |path: &str, accept: Option<&'static str>| {
        let request = gateway.get(path);
        let request = if let Some(accept) = accept { request.header("accept", accept) } else { request };
        let reply = request.send().await.expect("an answer");
        let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
        let told = [header("content-type"), header("content-disposition"), header("x-tollgate-next"), header("vary")];
        (told, reply.text().await.expect("a body"))
    };
    let ([kind, name, next, vary], text) = file("/api/user/self/receipts?format=csv&limit=2", None).await;
    assert_eq!(kind.as_deref(), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!((name.as_deref(), vary.as_deref()), (Some("attachment; filename=\"receipts.csv\""), Some("accept")));
    assert_eq!(next.as_deref(), Some(requests[1].as_str()));
    let lines: Vec<&str> = text.split_terminator("\r\n").collect();
    assert_eq!(lines.len(), 3);
    let column = |name: &str| lines[0].split(',').position(|column| column == name).expect(name);
    let receipt = gateway.receipt(&requests[0]).await;
    let row: Vec<&str> = lines[1].split(',').collect();
    assert_eq!(row[column("request_id")], requests[0]);
    assert_eq!(row[column("charged_usd")], amount(&receipt["charged_usd"]));
    assert_eq!(row[column("usage.prompt_tokens")], receipt["usage"]["prompt_tokens"].to_string());
    assert_eq!(row[column("created_at")], "2027-01-15T08:00:00Z");
    assert_eq!((row[column("fallback_model")], row[column("stream")]), ("", "false"));
    let rest = format!("/api/user/self/receipts?after={}", next.expect("a next page"));
    let ([_, _, next, _], text) = file(&rest, Some("text/csv")).await;
    assert_eq!((next, text.lines().count()), (None, 2));

    let ([_, name, ..], text) = file("/api/user/self/usage?group_by=day,model&format=csv", None).await;
    assert_eq!(name.as_deref(), Some("attachment; filename=\"usage.csv\""));
    assert!(text.starts_with("day,key_id,model,requests,released_requests,prompt_tokens,"), "{text}");
    assert!(text.contains("\r\n2027-01-15,,small,3,0,"), "{text}");
    // What asks for both, and what overrules, is JSON.
    for (path, accept) in [
        ("/api/user/self/usage", Some("application/json, text/csv")),
        ("/api/user/self/usage?format=json", Some("text/csv")),
        ("/api/user/self/usage", Some("*/*")),
    ] {
        let ([kind, ..], text) = file(path, accept).await;
        assert_eq!(kind.as_deref(), Some("application/json"), "{path} {accept:?}: {text}");
    }
}

#[tokio::test]
async fn a_key_tells_its_budget_its_end_and_what_it_was_charged() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, config: IN_FILE.to_owned(), ..Options::default() }).await;
    let get = async |key: &str, path: &str| {
        let reply = client().get(gateway.url(path)).bearer_auth(key).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{path}");
        exact(&reply.text().await.expect("a body"))
    };
    let (subscription, usage) = ("/v1/dashboard/billing/subscription", "/v1/dashboard/billing/usage");
    let free = get(&gateway.key, subscription).await;
    assert_eq!(
        free,
        json!({
            "object": "billing_subscription", "hard_limit_usd": 100_000_000, "soft_limit_usd": 100_000_000,
            "system_hard_limit_usd": 100_000_000, "access_until": 0,
        })
    );
    assert_eq!(get(&gateway.key, usage).await, json!({"object": "list", "total_usage": 0}));

    let accounts = &gateway.service().accounts;
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: Some(START_MS + 90_000_500) };
    let key = accounts.create_key(key, "test").await.expect("a key");
    let secret = key.secret.reveal();
    let mut ledger =
        sqlx::SqliteConnection::connect(&gateway.ledger().display().to_string()).await.expect("the ledger");
    for (budgets, limit) in [
        ("budget_day = 1500000000", "1.5"),
        ("budget_week = 2500000000", "2.5"),
        ("budget_month = 20000000001", "20.000000001"),
        ("budget_life = 300000000000", "300"),
    ] {
        let set = format!("UPDATE api_keys SET {budgets} WHERE id = {}", key.key.id.0);
        ledger.execute(sqlx::AssertSqlSafe(set)).await.expect("a budget");
        let told = get(secret, subscription).await;
        assert_eq!((amount(&told["hard_limit_usd"]).as_str(), &told["access_until"]), (limit, &json!(1_800_090_001)));
    }

    let cents = |receipt: &Value| {
        let nanos = amount(&receipt["charged_usd"]).parse::<tollgate_base::Usd>().expect("an amount").nanos();
        // Nano-USD are ten millionths of a cent.
        format!("{}.{:07}", nanos / 10_000_000, nanos % 10_000_000).trim_end_matches('0').to_owned()
    };
    let first = ask(&gateway, secret).await;
    ask(&gateway, &gateway.key).await;
    let first = gateway.receipt(&first).await;
    assert_eq!(amount(&get(secret, usage).await["total_usage"]), cents(&first), "its own alone");
    hand.advance_ms(86_400_000);
    ask(&gateway, secret).await;
    let days = format!("{usage}?start_date=2027-01-15&end_date=2027-01-16");
    assert_eq!(amount(&get(secret, &days).await["total_usage"]), cents(&first), "the day after the last is not told");
    let none = format!("{usage}?start_date=2027-02-01&end_date=2027-01-01");
    assert_eq!(get(secret, &none).await["total_usage"], 0);
}
