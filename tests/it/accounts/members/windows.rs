//! All windows of a browser have one session, and a page acts for no other account than the one that it was made for.

use super::*;

const ACCOUNT: &str = "x-tollgate-account";
const ORGANISATIONS: &str = "/api/user/self/organisations";

impl House {
    /// Sends what a page that was made for an account does.
    async fn send_from_page(
        &self,
        page: i64,
        person: &Person,
        method: Method,
        path: &str,
        body: Value,
    ) -> (u16, String) {
        let has_body = [Method::POST, Method::PATCH].contains(&method);
        let request = client().request(method, self.gateway.url(path)).header("x-tollgate-csrf", "1");
        let request = request.header("cookie", &person.cookie).header("origin", self.gateway.url(""));
        let request = request.header(ACCOUNT, page);
        let request = if has_body { request.json(&body) } else { request };
        code(request.send().await.expect("an answer")).await
    }

    async fn enter(&self, person: &Person, account: i64) {
        self.post(person, &format!("{ORGANISATIONS}/{account}/enter"), json!({})).await;
    }
}

#[tokio::test]
async fn a_page_acts_for_the_organisation_that_it_shows_or_for_none() {
    let house = House::open().await;
    let (owner, shown) = house.organisation("acme").await;
    let made = house.post(&owner, ORGANISATIONS, json!({"name": "other"})).await;
    let entered = made["account_id"].as_i64().expect("a number");
    let (_, member) = house.joined(&owner, "dev@example.org", "developer").await;
    let conflict = (401, "CALLER_CONFLICT".to_owned());
    let acts = [
        (Method::POST, KEYS.to_owned(), json!({"label": "of the page"})),
        (Method::POST, "/api/user/self/teams".to_owned(), json!({"name": "of the page"})),
        (Method::PATCH, "/api/user/self/organisation".to_owned(), json!({"budget_day_usd": 1})),
        (Method::POST, INVITATIONS.to_owned(), json!({"invited": "of the page", "role": "viewer"})),
        (Method::PATCH, format!("{MEMBERS}/{member}"), json!({"role": "viewer"})),
        (Method::DELETE, format!("{MEMBERS}/{member}"), json!({})),
        (Method::POST, "/api/user/self/organisation/leave".to_owned(), json!({})),
    ];
    for (method, path, body) in &acts {
        let told = house.send_from_page(shown, &owner, method.clone(), path, body.clone()).await;
        assert_eq!(told, conflict, "{method} {path}");
    }
    // Nothing was done to either.
    for account in [shown, entered] {
        house.enter(&owner, account).await;
        let [keys, teams, invited] = [
            house.get(&owner, KEYS).await,
            house.get(&owner, "/api/user/self/teams").await,
            house.get(&owner, INVITATIONS).await,
        ]
        .map(|list| list.to_string().contains("of the page"));
        assert_eq!((keys, teams, invited), (false, false, false), "{account}");
        assert!(house.get(&owner, "/api/user/self/organisation").await["budget_day_usd"].is_null(), "{account}");
    }
    assert_eq!(house.get(&owner, MEMBERS).await.as_array().map(Vec::len), Some(2), "both are there");
    // The page of the organisation that the session acts for does it, and a program that names none does too.
    for (method, path, body) in acts.iter().take(3) {
        let told = house.send_from_page(entered, &owner, method.clone(), path, body.clone()).await;
        assert_eq!(told.0, 200, "{method} {path}: {}", told.1);
    }
    house.post(&owner, KEYS, json!({"label": "of a program"})).await;
    // A member whose role may not is told of the page first.
    let (viewer, _) = house.joined(&owner, "viewer@example.org", "viewer").await;
    let told = house.send_from_page(shown, &viewer, Method::POST, KEYS, json!({"label": "x"})).await;
    assert_eq!(told, conflict);
    let told = house.send_from_page(entered, &viewer, Method::POST, KEYS, json!({"label": "x"})).await;
    assert_eq!(told, (403, "MEMBER_ROLE".to_owned()));
    // What is no number of an account is none.
    for page in ["", "x", "+1"] {
        let request = client().get(house.gateway.url(KEYS)).header("cookie", &owner.cookie).header(ACCOUNT, page);
        assert_eq!(code(request.send().await.expect("an answer")).await, conflict, "{page}");
    }
}

/// Pages that are for the person ask the same of any account.
#[tokio::test]
async fn what_is_for_the_person_is_done_from_any_page() {
    let house = House::open().await;
    let (owner, shown) = house.organisation("acme").await;
    let made = house.post(&owner, ORGANISATIONS, json!({"name": "other"})).await;
    let entered = made["account_id"].as_i64().expect("a number");
    let enter = |account: i64| format!("{ORGANISATIONS}/{account}/enter");
    for (method, path) in [
        (Method::GET, "/api/user/self/sessions".to_owned()),
        (Method::GET, "/api/user/self/identities".to_owned()),
        (Method::GET, ORGANISATIONS.to_owned()),
        (Method::DELETE, "/api/user/self/sessions".to_owned()),
        (Method::POST, enter(shown)),
        (Method::POST, enter(entered)),
    ] {
        let told = house.send_from_page(shown, &owner, method.clone(), &path, json!({})).await;
        assert_eq!(told.0, 200, "{method} {path}: {}", told.1);
    }
    let wrong = json!({"password": "not the password", "new_password": PASSWORD});
    let told = house.send_from_page(shown, &owner, Method::POST, "/api/user/self/password", wrong).await;
    assert_eq!(told, (401, "LOGIN_FAILED".to_owned()), "it was looked at");
    assert_eq!(house.send_from_page(shown, &owner, Method::POST, "/api/user/logout", json!({})).await.0, 200);
    assert_eq!(house.refused(&owner, Method::GET, KEYS, None).await, (401, "SESSION_INVALID".to_owned()));
}
