//! Keys of the own that admins have moved, and keys that stay when their member goes.

use super::*;

const TEAMS: &str = "/api/user/self/teams";

/// Whoever may not move a key may change everything else of it.
#[tokio::test]
async fn a_developer_changes_the_own_key_within_the_team_that_it_was_put_into() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, member) = house.joined(&owner, "dev@example.org", "developer").await;
    let (_, id) = house.key(&dev, json!({"label": "mine"})).await;
    let team = house.post(&owner, TEAMS, json!({"name": "search"})).await["team_id"].clone();
    let other = house.post(&owner, TEAMS, json!({"name": "other"})).await["team_id"].clone();
    let one = format!("{KEYS}/{id}");
    let change = async |by: &Person, body: Value| house.send(Some(by), Method::PATCH, &one, Some(body)).await;
    data(change(&owner, json!({"team_id": team})).await).await;
    for body in [
        json!({"label": "renamed"}),
        json!({"budget_day_usd": 1}),
        json!({"label": "named again", "team_id": team, "member_id": member}),
    ] {
        let changed = data(change(&dev, body.clone()).await).await;
        assert_eq!((&changed["team_id"], changed["member_id"].as_i64()), (&team, Some(member)), "{body}");
    }
    for body in [
        json!({"team_id": null}),
        json!({"team_id": other}),
        json!({"member_id": null}),
        json!({"member_id": member + 1}),
        json!({"label": "taken out", "team_id": null}),
    ] {
        assert_eq!(code(change(&dev, body.clone()).await).await, (403, "OWN_KEYS_ONLY".to_owned()), "{body}");
    }
    let listed = house.get(&dev, KEYS).await[0].clone();
    assert_eq!((listed["label"].as_str(), &listed["team_id"]), (Some("named again"), &team));
    data(change(&owner, json!({"team_id": null})).await).await;
    let refused = change(&dev, json!({"team_id": team})).await;
    assert_eq!(code(refused).await, (403, "OWN_KEYS_ONLY".to_owned()));
}

/// Who has gone may have the secret still, and spends no more by it than before.
#[tokio::test]
async fn keys_that_stay_keep_the_budgets_of_the_member() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, member) = house.joined(&owner, "dev@example.org", "developer").await;
    let path = format!("{MEMBERS}/{member}");
    let budgets = json!({"budget_day_usd": 0.000_05, "budget_week_usd": 2});
    data(house.send(Some(&owner), Method::PATCH, &path, Some(budgets)).await).await;
    let (plain, plain_id) = house.key(&dev, json!({"label": "plain"})).await;
    let wide = json!({"label": "wide", "budget_day_usd": 5, "budget_week_usd": 1, "budget_month_usd": 9});
    let (wide, wide_id) = house.key(&dev, wide).await;
    let (other, other_id) = house.key(&owner, json!({"label": "of the organisation"})).await;
    for (key, status) in [(&plain, 402), (&wide, 402), (&other, 200)] {
        assert_eq!(house.chat(key).await.status(), status);
    }
    data(house.send(Some(&owner), Method::DELETE, &format!("{path}?keys=keep"), None).await).await;
    for (key, status) in [(&plain, 402), (&wide, 402), (&other, 200)] {
        assert_eq!(house.chat(key).await.status(), status);
    }
    let listed = house.get(&owner, KEYS).await;
    let budgets = |id: i64| {
        let key = listed.as_array().expect("a list").iter().find(|key| key["key_id"] == id).expect("a key");
        assert!(key["member_id"].is_null(), "{key}");
        ["day", "week", "month"].map(|period| key[format!("budget_{period}_usd")].as_f64())
    };
    assert_eq!(budgets(plain_id), [Some(0.000_05), Some(2.0), None]);
    assert_eq!(budgets(wide_id), [Some(0.000_05), Some(1.0), Some(9.0)], "the lower of both");
    assert_eq!(budgets(other_id), [None; 3]);
    house.gateway.assert_books().await;
}
