//! Groups at a provider give roles in an organisation, and take them.

use std::time::Duration;

use tollgate_api::generated::types::{MemberKeys, MemberStatus};
use tollgate_organisations::{BudgetsChange, Member, MemberChange};
use tollgate_store::{DatabaseRow, query};
use tollgate_tests::wait::until_within;

use super::*;

/// The roles of the groups of these tests in an organisation.
fn groups(organisation: AccountId) -> String {
    let role = |group: &str, role: &str| {
        format!("[[oidc.roles]]\ngroup = \"{group}\"\norganisation = {organisation}\nrole = \"{role}\"\n")
    };
    [role("staff", "viewer"), role("engineers", "developer"), role("leads", "admin")].concat()
}

/// The roles of a person in organisations beside the own account, and the account that the session acts for.
async fn roles(house: &House, cookie: &str) -> Vec<(i64, String)> {
    let told = house.get(ORGANISATIONS, cookie).await;
    let told = told.as_array().expect("a list").iter();
    let role = |each: &Value| {
        (each["account_id"].as_i64().expect("a number"), each["role"].as_str().expect("a text").to_owned())
    };
    told.filter(|each| each["own"] == false).map(role).collect()
}

/// It is the last that the provider has said of the account, as where somebody signs in by it.
#[tokio::test]
async fn a_person_without_the_group_who_is_linked_ends_what_the_group_gave() {
    let house = House::on(groups, "").await;
    house.company.person("ann", json!({"groups": ["engineers"]})).await;
    let (_, cookie) = house.sign_in("ann").await.expect("signed in");
    let made = house.post("/api/user/self/keys", &json!({"label": "mine"}), &cookie).await.expect("a key").0;
    let key = made["api_key"].as_str().expect("a secret").to_owned();
    let models = async || {
        let request = client().get(house.gateway.url("/v1/models")).bearer_auth(&key);
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(models().await, 200);
    let answer = house.answer_to(OWN_BEGIN, "a guest", &cookie).await;
    house.post(OWN, &answer, &cookie).await.expect("linked");
    assert_eq!(models().await, 401);
}

/// Whoever the provider does not know any more never signs in again.
#[tokio::test]
async fn who_does_not_sign_in_within_the_time_loses_what_groups_gave() {
    const BOUND: &str = "sign_in_within_days = 30\n";
    let house = House::on(|organisation| format!("{BOUND}{}", groups(organisation)), "").await;
    house.company.person("ann", json!({"groups": ["engineers"]})).await;
    let (_, cookie) = house.sign_in("ann").await.expect("signed in");
    let made = house.post("/api/user/self/keys", &json!({"label": "mine"}), &cookie).await.expect("a key").0;
    let key = made["api_key"].as_str().expect("a secret").to_owned();
    let House { gateway, company } = house;
    let config = format!("{}{BOUND}{}", company.config(true), groups(gateway.account));
    let models = async |gateway: &TestGateway| {
        let request = client().get(gateway.url("/v1/models")).bearer_auth(&key);
        request.send().await.expect("an answer").status().as_u16()
    };
    let later = |days: i64| Clock::manual(Clock::system().now_ms() + days * 24 * 60 * 60 * 1_000).0;
    let gateway = gateway.again(&config, later(29)).await;
    gateway.service().identities.end_unseen().await.expect("it is looked for");
    assert_eq!(models(&gateway).await, 200);
    // The server itself looks for them.
    let gateway = gateway.again(&config, later(31)).await;
    until_within(Duration::from_secs(180), "the end of the key", || async {
        (models(&gateway).await == 401).then_some(())
    })
    .await;
    let house = House { gateway: gateway.again(&config, Clock::system()).await, company };
    let organisation = house.gateway.account.0;
    let (_, cookie) = house.sign_in("ann").await.expect("signed in");
    assert_eq!(roles(&house, &cookie).await, [(organisation, "developer".to_owned())], "the group counts again");
    assert_eq!(models(&house.gateway).await, 401, "a key that was revoked stays so");
}

#[tokio::test]
async fn groups_give_roles_and_a_lost_group_takes_them() {
    let house = House::on(groups, "").await;
    let organisation = house.gateway.account.0;
    // Nobody may open an account here but who is in a group.
    let (_, code, _) = house.sign_in("stranger").await.expect_err("registration is off");
    assert_eq!(code, "REGISTRATION_DISABLED");
    let mut before = String::new();
    for (groups, role) in [
        (json!(["staff"]), "viewer"),
        (json!(["staff", "leads"]), "admin"),
        (json!(["leads", "staff", "engineers", "others"]), "admin"),
        (json!("engineers"), "developer"),
    ] {
        house.company.person("ann", json!({"groups": groups})).await;
        let (_, cookie) = house.sign_in("ann").await.expect("signed in");
        assert_eq!(roles(&house, &cookie).await, [(organisation, role.to_owned())]);
        before = cookie;
    }
    // The session acts for the organisation, and so does a key that it makes there.
    let made = house.post("/api/user/self/keys", &json!({"label": "mine"}), &before).await.expect("a key").0;
    let key = made["api_key"].as_str().expect("a secret").to_owned();
    let balance = async |key: &str| {
        let request = client().get(house.gateway.url("/api/user/self/balance")).bearer_auth(key);
        request.send().await.expect("an answer").status().as_u16()
    };
    assert_eq!(balance(&key).await, 200);
    // The last group is lost: at the next sign-in the membership, its sessions and its keys end.
    house.company.person("ann", json!({"groups": []})).await;
    let (_, after) = house.sign_in("ann").await.expect("the account is there still");
    assert_eq!(roles(&house, &after).await, []);
    assert_eq!(balance(&key).await, 401);
    let gone =
        client().get(house.gateway.url(ORGANISATIONS)).header("cookie", &before).send().await.expect("an answer");
    assert_eq!(gone.status(), 401, "the sessions of the member have ended");
    // A claim that is there no more is no group.
    house.company.person("ann", json!({"groups": ["staff"]})).await;
    let (_, cookie) = house.sign_in("ann").await.expect("signed in");
    assert_eq!(roles(&house, &cookie).await, [(organisation, "viewer".to_owned())]);
    house.company.person("ann", json!({})).await;
    let (_, cookie) = house.sign_in("ann").await.expect("signed in");
    assert_eq!(roles(&house, &cookie).await, []);
    house.gateway.assert_books().await;
}

#[tokio::test]
async fn what_groups_gave_goes_with_them_and_what_people_took_stays_away() {
    let house = House::on(groups, "").await;
    let organisation = house.gateway.account;
    let key_of = async |cookie: &str| {
        let made = house.post("/api/user/self/keys", &json!({"label": "mine"}), cookie).await.expect("a key").0;
        made["api_key"].as_str().expect("a secret").to_owned()
    };
    let status = async |key: &str, path: &str| {
        client().get(house.gateway.url(path)).bearer_auth(key).send().await.expect("an answer").status().as_u16()
    };
    let (balance, members) = ("/api/user/self/balance", "/api/user/self/members");
    // The key of an admin is the member's own, and manages nothing.
    house.company.person("ann", json!({"groups": ["leads"]})).await;
    let (_, ann) = house.sign_in("ann").await.expect("signed in");
    let key = key_of(&ann).await;
    assert_eq!((status(&key, balance).await, status(&key, members).await), (200, 403));
    // A role that makes no keys has none.
    house.company.person("ann", json!({"groups": ["staff"]})).await;
    house.sign_in("ann").await.expect("signed in");
    assert_eq!(status(&key, balance).await, 401);
    // A group that comes back brings the member of before, with its budgets.
    house.company.person("ann", json!({"groups": ["engineers"]})).await;
    house.sign_in("ann").await.expect("signed in");
    let service = house.gateway.service();
    let owner = service.accounts.authenticate(&house.gateway.key).await.expect("a key").into();
    let listed = async || service.organisations.members(&owner).await.expect("members");
    let active = async || listed().await.into_iter().find(|member| member.left_at_ms.is_none());
    let day = Some(Some("3".parse().expect("an amount")));
    let change = MemberChange { budgets: BudgetsChange { day, ..BudgetsChange::default() }, ..MemberChange::default() };
    let member = active().await.expect("she is a member");
    service.organisations.change_member(&owner, member.id, change).await.expect("changed");
    house.company.person("ann", json!({"groups": []})).await;
    house.sign_in("ann").await.expect("signed in");
    assert!(active().await.is_none());
    house.company.person("ann", json!({"groups": ["engineers"]})).await;
    let (_, ann) = house.sign_in("ann").await.expect("signed in");
    let back = active().await.expect("she is back");
    assert_eq!((back.id, back.budgets.day), (member.id, day.flatten()));
    // Another way to sign in that is not the provider's any more ends what its groups have made.
    let key = key_of(&ann).await;
    let unlink = async |person| {
        let accounts = &service.accounts;
        accounts.set_password(person, Secret::new("a long password".to_owned()), "test").await.expect("set");
        let (_, ann) = house.sign_in("ann").await.expect("signed in");
        let own = house.get("/api/user/self/identities", &ann).await[0]["identity_id"].clone();
        let remove = client().delete(house.gateway.url(&format!("/api/user/self/identities/{own}")));
        let remove = remove.header("cookie", &ann).header("origin", house.gateway.url("").trim_end_matches('/'));
        assert_eq!(remove.header("x-tollgate-csrf", "1").send().await.expect("an answer").status(), 200);
    };
    unlink(back.person).await;
    assert_eq!((status(&key, balance).await, active().await.is_none()), (401, true));
    // By another account the same person of the provider is the same member, and taken out by none.
    house.sign_in("ann").await.expect("signed in");
    let again = active().await.expect("she is back");
    assert_eq!((again.id, again.budgets.day, again.person == back.person), (member.id, day.flatten(), false));
    service.organisations.remove_member(&owner, again.id, MemberKeys::Revoke).await.expect("taken out");
    unlink(again.person).await;
    house.sign_in("ann").await.expect("signed in");
    assert!(active().await.is_none(), "a third account brings nobody back");
    // Who leaves is not brought back by a sign-in, whose budgets would be new.
    let (_, bob) = {
        house.company.person("bob", json!({"groups": ["engineers"]})).await;
        house.sign_in("bob").await.expect("signed in")
    };
    house.post("/api/user/self/organisation/leave", &json!({}), &bob).await.expect("left");
    let (_, bob) = house.sign_in("bob").await.expect("signed in");
    assert_eq!(roles(&house, &bob).await, []);
    assert!(listed().await.iter().all(|member| member.left_at_ms.is_some()), "{organisation}");
}

#[tokio::test]
async fn whom_groups_would_bring_back_is_kept_out_by_people() {
    let house = House::on(groups, "").await;
    let member = |member: &Member| (member.state, member.may_return);
    let service = house.gateway.service();
    let owner = service.accounts.authenticate(&house.gateway.key).await.expect("a key").into();
    let members = async || service.organisations.members(&owner).await.expect("members");
    let comes = async |groups: Value| {
        house.company.person("ann", json!({"groups": groups})).await;
        house.sign_in("ann").await.expect("signed in").1
    };
    comes(json!(["leads"])).await;
    assert_eq!(members().await.iter().map(member).collect::<Vec<_>>(), [(MemberStatus::Active, false)]);
    comes(json!([])).await;
    assert_eq!(members().await.iter().map(member).collect::<Vec<_>>(), [(MemberStatus::Left, true)]);
    // Who comes back is the same member.
    comes(json!(["leads"])).await;
    let back = members().await;
    assert_eq!(back.iter().map(member).collect::<Vec<_>>(), [(MemberStatus::Active, false)]);
    comes(json!([])).await;
    let id = back[0].id;
    let take_out = async || {
        let path = format!("/api/user/self/members/{id}");
        let asked = client().delete(house.gateway.url(&path)).bearer_auth(&house.gateway.key).send().await;
        let answer: Value = asked.expect("an answer").json().await.expect("JSON");
        ["status", "may_return", "left_at"].map(|name| answer["data"][name].clone())
    };
    let left = members().await.into_iter().find(|member| member.id == id).expect("it stays").left_at_ms;
    let told = [json!("left"), json!(false), json!(left.expect("it has left") / 1_000)];
    assert_eq!(take_out().await, told, "it has left when the group was lost");
    assert_eq!(take_out().await, told, "a second time changes nothing");
    let cookie = comes(json!(["leads"])).await;
    assert_eq!(roles(&house, &cookie).await, []);
    let told = query("SELECT value_before, value_after FROM audit_log WHERE action = 'member.keep_out'");
    let told = told.fetch_all(service.admin.store.readers()).await.expect("it is read");
    let may_return = |row: &DatabaseRow, column| {
        let member: Value = serde_json::from_str(row.try_get(column).expect("a text")).expect("JSON");
        member["may_return"].clone()
    };
    let told: Vec<_> = told.iter().map(|row| [may_return(row, 0), may_return(row, 1)]).collect();
    assert_eq!(told, [[json!(true), json!(false)]]);
}

#[tokio::test]
async fn whoever_came_by_groups_acts_in_sessions_of_the_provider_alone() {
    let house = House::on(groups, "").await;
    let organisation = house.gateway.account;
    house.company.person("ann", json!({"groups": ["leads"]})).await;
    let (data, by_provider) = house.sign_in("ann").await.expect("signed in");
    let account = AccountId(data["user_id"].as_i64().expect("a number"));
    let begun = house.sign_in_by_password(account).await;
    assert_eq!(begun.session.caller().account, account, "not the organisation that was entered last");
    let by_password = format!("session={}", begun.token.reveal());
    assert_eq!(roles(&house, &by_password).await, []);
    let enter = format!("{ORGANISATIONS}/{organisation}/enter");
    let (status, code, _) = house.post(&enter, &json!({}), &by_password).await.expect_err("not in this session");
    assert_eq!((status, code.as_str()), (404, "ORGANISATION_NOT_FOUND"));
    // A new password has ended the session of the provider; by a new one the organisation is there again.
    let gone = client().get(house.gateway.url(ORGANISATIONS)).header("cookie", &by_provider).send().await;
    assert_eq!(gone.expect("an answer").status(), 401);
    let (_, again) = house.sign_in("ann").await.expect("signed in");
    assert_eq!(roles(&house, &again).await, [(organisation.0, "admin".to_owned())]);
}
