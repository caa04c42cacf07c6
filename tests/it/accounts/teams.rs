//! Teams and the budgets that their keys spend together, over HTTP.

use reqwest::{Method, Response};
use serde_json::{Value, json};
use tollgate_base::Clock;
use tollgate_tests::gateway::{Options, hello};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{TestGateway, client};

const START_MS: i64 = 1_800_000_000_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const TEAMS: &str = "/api/user/self/teams";
const KEYS: &str = "/api/user/self/keys";

async fn ask(gateway: &TestGateway, key: &str, method: Method, path: &str, body: Option<Value>) -> Response {
    let request = client().request(method, gateway.url(path)).bearer_auth(key);
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_string()),
        None => request,
    };
    request.send().await.expect("an answer")
}

/// The data of an answer that is a success.
async fn data(answer: Response) -> Value {
    let status = answer.status();
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(status, 200, "{body}");
    body["data"].clone()
}

async fn team(gateway: &TestGateway, key: &str, body: Value) -> Value {
    data(ask(gateway, key, Method::POST, TEAMS, Some(body)).await).await
}

async fn key_of(gateway: &TestGateway, key: &str, team: &Value) -> (String, i64) {
    let body = json!({"label": "of a team", "team_id": team["team_id"]});
    let made = data(ask(gateway, key, Method::POST, KEYS, Some(body)).await).await;
    assert_eq!(made["key"]["team_id"], team["team_id"]);
    (made["api_key"].as_str().expect("a key").to_owned(), made["key"]["key_id"].as_i64().expect("a number"))
}

async fn chat(gateway: &TestGateway, key: &str) -> Response {
    ask(gateway, key, Method::POST, "/v1/chat/completions", Some(hello(false))).await
}

#[tokio::test]
async fn the_keys_of_a_team_spend_its_budget_together_and_a_refusal_tells_which_it_is() {
    let (clock, hand) = Clock::manual(START_MS);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 50)));
    let owner = gateway.new_key().await;
    let made = team(&gateway, &owner, json!({"name": "search", "budget_day_usd": 1})).await;
    let ((one, _), (other, other_id)) = (key_of(&gateway, &owner, &made).await, key_of(&gateway, &owner, &made).await);
    assert_eq!(chat(&gateway, &one).await.status(), 200);
    let path = format!("{TEAMS}/{}", made["team_id"]);
    let little = json!({"budget_day_usd": 0.000_05});
    data(ask(&gateway, &owner, Method::PATCH, &path, Some(little)).await).await;
    let refused = chat(&gateway, &other).await;
    assert_eq!((refused.status().as_u16(), refused.headers()["x-should-retry"].to_str().unwrap()), (402, "false"));
    let error: Value = refused.json().await.expect("JSON");
    let said = error["error"]["message"].as_str().expect("a text");
    for told in ["the daily budget of the team is 0.00005 USD", "are left", "begins anew: 2027-01-16T00:00:00Z"] {
        assert!(said.contains(told), "{said}");
    }
    let listed = data(ask(&gateway, &owner, Method::GET, TEAMS, None).await).await;
    let usage = &listed[0]["use"][0];
    assert_eq!((usage["period"].as_str(), listed[0]["keys"].as_i64()), (Some("day"), Some(2)));
    assert_eq!((usage["spent_usd"].to_string(), usage["held_usd"].to_string()), ("0.000045".into(), "0".into()));
    // Raised until the next morning, for the other key as well; and over by itself.
    let raise = json!({"raised_by_usd": 1, "raised_until": (START_MS + DAY_MS) / 1000});
    data(ask(&gateway, &owner, Method::PATCH, &path, Some(raise)).await).await;
    assert_eq!(chat(&gateway, &other).await.status(), 200);
    hand.advance_ms(DAY_MS);
    assert_eq!(chat(&gateway, &one).await.status(), 402, "the raise is over");
    // Out of the team, nothing of it bounds a key any more.
    let out = ask(&gateway, &owner, Method::PATCH, &format!("{KEYS}/{other_id}"), Some(json!({"team_id": null}))).await;
    assert_eq!(data(out).await.get("team_id"), None);
    assert_eq!(chat(&gateway, &other).await.status(), 200);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_budget_of_the_organisation_bounds_every_key_and_nobody_but_who_manages_it_changes_it() {
    let gateway = TestGateway::start().await;
    gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 50)));
    let owner = gateway.new_key().await;
    let made = team(&gateway, &owner, json!({"name": "search"})).await;
    let (one, _) = key_of(&gateway, &owner, &made).await;
    let path = "/api/user/self/organisation";
    let nothing = json!({"budget_week_usd": 0});
    for (method, path, body) in [
        (Method::PATCH, path, Some(nothing.clone())),
        (Method::GET, path, None),
        (Method::POST, TEAMS, Some(json!({"name": "mine"}))),
        (Method::GET, TEAMS, None),
        (Method::POST, KEYS, Some(json!({"label": "mine"}))),
    ] {
        assert_eq!(ask(&gateway, &one, method, path, body).await.status(), 403, "a key of a team manages nothing");
    }
    assert_eq!(chat(&gateway, &one).await.status(), 200);
    let changed = data(ask(&gateway, &owner, Method::PATCH, path, Some(nothing)).await).await;
    assert_eq!((changed["use"][0]["period"].as_str(), changed["use"][0]["left_usd"].as_i64()), (Some("week"), Some(0)));
    for key in [&one, &owner] {
        let refused = chat(&gateway, key).await;
        assert_eq!(refused.status(), 402);
        assert!(refused.text().await.expect("a text").contains("the weekly budget of the organisation is 0 USD"));
    }
    data(ask(&gateway, &owner, Method::PATCH, path, Some(json!({"budget_week_usd": null}))).await).await;
    assert_eq!(chat(&gateway, &one).await.status(), 200);
}

#[tokio::test]
async fn a_team_of_another_organisation_is_as_one_that_is_not_there() {
    let gateway = TestGateway::start().await;
    let (owner, stranger) = (gateway.new_key().await, gateway.key_of_another().await);
    let made = team(&gateway, &owner, json!({"name": "search"})).await;
    for missing in [json!(4_503_599_627_370_497_i64), made["team_id"].clone()] {
        let path = format!("{TEAMS}/{missing}");
        let key = Some(json!({"label": "x", "team_id": missing}));
        for (method, path, body) in [
            (Method::PATCH, &*path, Some(json!({"name": "mine"}))),
            (Method::DELETE, &*path, None),
            (Method::POST, KEYS, key),
        ] {
            let refused = ask(&gateway, &stranger, method.clone(), path, body).await;
            assert_eq!(refused.status(), 404, "{method} {path}");
            let said = refused.text().await.expect("a text").replace(&missing.to_string(), "N");
            assert!(said.contains("this organisation has no team N"), "{said}");
        }
    }
    let theirs = data(ask(&gateway, &stranger, Method::GET, TEAMS, None).await).await;
    assert_eq!(theirs, json!([]));
    let same_name = team(&gateway, &stranger, json!({"name": "search"})).await;
    assert_ne!(same_name["team_id"], made["team_id"], "names are an organisation's own");
}

#[tokio::test]
async fn a_team_is_closed_when_its_keys_are_gone_and_its_name_is_free_then() {
    let gateway = TestGateway::start().await;
    let owner = gateway.new_key().await;
    let made = team(&gateway, &owner, json!({"name": "search"})).await;
    let (_, key) = key_of(&gateway, &owner, &made).await;
    let path = format!("{TEAMS}/{}", made["team_id"]);
    let in_use = ask(&gateway, &owner, Method::DELETE, &path, None).await;
    assert_eq!(in_use.status(), 409);
    assert!(in_use.text().await.expect("a text").contains("1 keys that are not revoked"));
    data(ask(&gateway, &owner, Method::DELETE, &format!("{KEYS}/{key}"), None).await).await;
    for _ in 0..2 {
        assert_eq!(data(ask(&gateway, &owner, Method::DELETE, &path, None).await).await["status"], "closed");
    }
    let late = json!({"label": "late", "team_id": made["team_id"]});
    assert_eq!(ask(&gateway, &owner, Method::POST, KEYS, Some(late)).await.status(), 404);
    let again = team(&gateway, &owner, json!({"name": "search"})).await;
    assert_ne!(again["team_id"], made["team_id"]);
}
