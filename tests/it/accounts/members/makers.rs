//! Keys and invitations go with the member who made them, and a key sees the requests of its member or team.

mod videos;

use super::*;

const TEAMS: &str = "/api/user/self/teams";

impl House {
    async fn by_key(&self, key: &str, method: Method, path: &str, body: Option<Value>) -> Response {
        let request = client().request(method, self.gateway.url(path)).bearer_auth(key);
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        request.send().await.expect("an answer")
    }

    async fn member(&self, by: &Person, id: i64) -> Value {
        let listed = self.get(by, MEMBERS).await;
        listed.as_array().expect("a list").iter().find(|member| member["member_id"] == id).expect("a member").clone()
    }
}

/// The keys of an owner: one that manages, another that this one has made, one of the organisation with a budget, and one of a team.
async fn keys_of_an_owner(house: &House, boss: &Person, name: &str) -> [String; 4] {
    let (managing, _) = house.key(boss, json!({"label": "automation"})).await;
    let made = data(house.by_key(&managing, Method::POST, KEYS, Some(json!({"label": "by automation"}))).await).await;
    let (limited, _) = house.key(boss, json!({"label": "site", "budget_day_usd": 1})).await;
    let team = data(house.by_key(&managing, Method::POST, TEAMS, Some(json!({"name": name}))).await).await;
    let (teams, _) = house.key(boss, json!({"label": "team", "team_id": team["team_id"]})).await;
    [managing, made["api_key"].as_str().expect("a key").to_owned(), limited, teams]
}

#[tokio::test]
async fn an_owner_who_goes_leaves_no_key_that_manages_and_no_invitation() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let ends = [
        ("revoke", Method::DELETE, "?keys=revoke", None, [401, 401, 401, 200]),
        ("keep", Method::DELETE, "?keys=keep", None, [401, 401, 200, 200]),
        ("admin", Method::PATCH, "", Some(json!({"role": "admin"})), [401, 401, 200, 200]),
        ("developer", Method::PATCH, "", Some(json!({"role": "developer"})), [401, 401, 200, 200]),
        ("viewer", Method::PATCH, "", Some(json!({"role": "viewer"})), [401, 401, 401, 200]),
    ];
    for (name, method, query, body, expected) in ends {
        let (boss, id) = house.joined(&owner, &format!("{name}@example.org"), "owner").await;
        let keys = keys_of_an_owner(&house, &boss, name).await;
        let invited = json!({"invited": "a friend", "role": "owner"});
        let invited = data(house.by_key(&keys[1], Method::POST, INVITATIONS, Some(invited)).await).await;
        assert_eq!(house.member(&owner, id).await["keys"], 3, "{name}: what is decided about is told");
        data(house.send(Some(&owner), method, &format!("{MEMBERS}/{id}{query}"), body).await).await;
        let mut answered = Vec::new();
        for key in &keys {
            answered.push(house.chat(key).await.status().as_u16());
        }
        assert_eq!(answered, expected, "{name}");
        let listed = house.get(&owner, KEYS).await;
        let sites = listed.as_array().expect("a list").iter().filter(|key| key["label"] == "site");
        let theirs = sites.filter(|key| key["member_id"] == id).count();
        assert_eq!(theirs, usize::from(name == "developer"), "what a developer has is the own, {name}");
        let accept = Some(json!({"token": invited["token"]}));
        let friend = house.register(&format!("friend-of-{name}@example.org")).await;
        let refused = house.refused(&friend, Method::POST, "/api/user/invitations/accept", accept).await;
        assert_eq!(refused, (404, "INVITATION_NOT_OPEN".to_owned()), "{name}");
    }
    house.gateway.assert_books().await;
}

#[tokio::test]
async fn what_was_limited_manages_nothing_whoever_takes_the_limit_away() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (admin, _) = house.joined(&owner, "admin@example.org", "admin").await;
    let (limited, limited_id) = house.key(&owner, json!({"label": "site", "budget_day_usd": 1})).await;
    let (managing, managing_id) = house.key(&owner, json!({"label": "automation"})).await;
    data(house.by_key(&managing, Method::GET, MEMBERS, None).await).await;
    let change = async |by: &Person, id: i64, budget: Value| {
        let body = Some(json!({"budget_day_usd": budget}));
        data(house.send(Some(by), Method::PATCH, &format!("{KEYS}/{id}"), body).await).await
    };
    change(&owner, managing_id, json!(1)).await;
    for (key, id) in [(&limited, limited_id), (&managing, managing_id)] {
        change(&admin, id, Value::Null).await;
        assert_eq!(house.chat(key).await.status(), 200);
        let invite = Some(json!({"invited": "me again", "role": "owner"}));
        let refused = code(house.by_key(key, Method::POST, INVITATIONS, invite).await).await;
        assert_eq!(refused, (403, "KEY_LIMITED".to_owned()));
    }
}

#[tokio::test]
async fn a_key_of_a_member_or_of_a_team_sees_what_these_used() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let team = house.post(&owner, TEAMS, json!({"name": "search"})).await;
    let (of_member, member_key) = house.key(&dev, json!({"label": "mine"})).await;
    let (of_team, team_key) = house.key(&owner, json!({"label": "team", "team_id": team["team_id"]})).await;
    let (of_all, _) = house.key(&owner, json!({"label": "all"})).await;
    for key in [&of_member, &of_team, &of_all] {
        assert_eq!(house.chat(key).await.status(), 200);
    }
    let told = async |key: &str, path: &str| data(house.by_key(key, Method::GET, path, None).await).await;
    let receipts = told(&of_all, "/api/user/self/receipts").await["receipts"].clone();
    let receipts = receipts.as_array().expect("a list");
    assert_eq!(receipts.len(), 3, "a key of the account itself sees all of it");
    for (key, own) in [(&of_member, member_key), (&of_team, team_key)] {
        let seen = told(key, "/api/user/self/receipts").await["receipts"].clone();
        let seen: Vec<i64> =
            seen.as_array().expect("a list").iter().filter_map(|each| each["key_id"].as_i64()).collect();
        assert_eq!(seen, [own]);
        for group in ["member", "team", "key", "model"] {
            let rows = told(key, &format!("/api/user/self/usage?group_by={group}")).await["rows"].clone();
            assert_eq!((rows.as_array().map(Vec::len), rows[0]["requests"].as_i64()), (Some(1), Some(1)), "{group}");
        }
        for receipt in receipts {
            let path = format!("/api/user/self/receipts/{}", receipt["request_id"].as_str().expect("an id"));
            let status = house.by_key(key, Method::GET, &path, None).await.status();
            assert_eq!(status, if receipt["key_id"] == own { 200 } else { 404 });
        }
    }
}
