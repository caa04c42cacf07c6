//! Members of organisations: invitations, roles, what each sees, and how a membership ends.

mod ended_keys;
mod kept_keys;
mod makers;
mod receipts;
mod windows;

use futures_util::future::join_all;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tollgate_accounts::AccountState;
use tollgate_base::{AccountId, Clock, ManualClock, Secret};
use tollgate_credit::GrantRequest;
use tollgate_tests::gateway::{Options, hello};
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{TestGateway, client};

const START_MS: i64 = 1_800_000_000_000;
const WEEK_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
const PASSWORD: &str = "correct horse battery";
const MEMBERS: &str = "/api/user/self/members";
const INVITATIONS: &str = "/api/user/self/invitations";
const KEYS: &str = "/api/user/self/keys";

struct House {
    gateway: TestGateway,
    hand: ManualClock,
}

/// A person with a browser.
#[derive(Clone)]
struct Person {
    cookie: String,
}

impl House {
    async fn new(config: &str) -> Self {
        let (clock, hand) = Clock::manual(START_MS);
        let gateway = TestGateway::with(Options { clock, config: config.to_owned(), ..Options::default() }).await;
        gateway.upstream.answer(Reply::json(200, &completion("hi", 100, 50)));
        Self { gateway, hand }
    }

    /// With the registration of people open.
    async fn open() -> Self {
        Self::new("[accounts]\nregistration = true\n").await
    }

    async fn send(&self, person: Option<&Person>, method: Method, path: &str, body: Option<Value>) -> Response {
        let mut request = client().request(method, self.gateway.url(path)).header("x-tollgate-csrf", "1");
        if let Some(person) = person {
            request = request.header("cookie", &person.cookie).header("origin", self.gateway.url(""));
        }
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(body.to_string()),
            None => request,
        };
        request.send().await.expect("an answer")
    }

    async fn get(&self, person: &Person, path: &str) -> Value {
        data(self.send(Some(person), Method::GET, path, None).await).await
    }

    async fn post(&self, person: &Person, path: &str, body: Value) -> Value {
        data(self.send(Some(person), Method::POST, path, Some(body)).await).await
    }

    /// The code with which something is refused.
    async fn refused(&self, person: &Person, method: Method, path: &str, body: Option<Value>) -> (u16, String) {
        code(self.send(Some(person), method, path, body).await).await
    }

    /// Accounts are opened from an address a few a minute.
    async fn register(&self, email: &str) -> Person {
        self.hand.advance_ms(60_001);
        let body = json!({"email": email, "password": PASSWORD});
        let reply = self.send(None, Method::POST, "/api/user/register", Some(body)).await;
        assert_eq!(reply.status(), 200);
        Person { cookie: cookie(&reply) }
    }

    async fn login(&self, email: &str) -> Person {
        let body = json!({"email": email, "password": PASSWORD});
        let reply = self.send(None, Method::POST, "/api/user/login", Some(body)).await;
        assert_eq!(reply.status(), 200);
        Person { cookie: cookie(&reply) }
    }

    async fn invite(&self, person: &Person, role: &str) -> Value {
        self.post(person, INVITATIONS, json!({"invited": format!("a {role}"), "role": role})).await
    }

    /// Somebody new who has become a member, with the member's number.
    async fn joined(&self, by: &Person, email: &str, role: &str) -> (Person, i64) {
        let token = self.invite(by, role).await["token"].clone();
        let person = self.register(email).await;
        let member = self.post(&person, "/api/user/invitations/accept", json!({"token": token})).await;
        assert_eq!((member["role"].as_str(), member["name"].as_str()), (Some(role), Some(email)));
        (person, member["member_id"].as_i64().expect("a number"))
    }

    /// An organisation of its own with an owner, and credit.
    async fn organisation(&self, name: &str) -> (Person, i64) {
        let owner = self.register(&format!("owner@{name}")).await;
        let made = self.post(&owner, "/api/user/self/organisations", json!({"name": name})).await;
        let account = made["account_id"].as_i64().expect("a number");
        let amount = "10".parse().expect("an amount");
        let ask = GrantRequest { account: AccountId(account), amount, idem: name, actor: "test".into(), note: "" };
        self.gateway.service().credit.grant(ask).await.expect("a grant");
        (owner, account)
    }

    /// A key that a person makes.
    async fn key(&self, person: &Person, body: Value) -> (String, i64) {
        let made = self.post(person, KEYS, body).await;
        let key = made["api_key"].as_str().expect("a key").to_owned();
        (key, made["key"]["key_id"].as_i64().expect("a number"))
    }

    async fn chat(&self, key: &str) -> Response {
        let request = client().post(self.gateway.url("/v1/chat/completions")).bearer_auth(key);
        let request = request.header("content-type", "application/json").body(hello(false).to_string());
        request.send().await.expect("an answer")
    }
}

fn cookie(reply: &Response) -> String {
    let line = reply.headers()["set-cookie"].to_str().expect("text");
    line.split(';').next().expect("a pair").to_owned()
}

async fn data(answer: Response) -> Value {
    let status = answer.status();
    let body: Value = answer.json().await.expect("JSON");
    assert_eq!(status, 200, "{body}");
    body["data"].clone()
}

async fn code(answer: Response) -> (u16, String) {
    let status = answer.status().as_u16();
    let body: Value = answer.json().await.expect("JSON");
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_person_who_is_invited_opens_an_account_and_acts_for_the_organisation() {
    let house = House::new("").await;
    let (owner, account) = {
        // The owner's account was made by an operator; nobody registers by themselves here.
        let accounts = &house.gateway.service().accounts;
        let account = accounts.create_account("acme", "test").await.expect("an account").id;
        let password = Secret::new(PASSWORD.to_owned());
        accounts.set_password(account, password, "test").await.expect("a password");
        (house.login("acme").await, account)
    };
    let made = house.invite(&owner, "admin").await;
    let token = made["token"].clone();
    assert_eq!(made["link"].as_str().expect("a link").split_once('#'), Some(("/invitation", token.as_str().unwrap())));
    let shown = house.send(None, Method::POST, "/api/user/invitations/show", Some(json!({"token": token}))).await;
    let shown = data(shown).await;
    assert_eq!((shown["organisation"].as_str(), shown["role"].as_str()), (Some("acme"), Some("admin")));
    let alone = json!({"email": "ann@example.org", "password": PASSWORD});
    let shut = house.send(None, Method::POST, "/api/user/register", Some(alone.clone())).await;
    assert_eq!(code(shut).await, (403, "REGISTRATION_DISABLED".to_owned()));
    let mut invited = alone;
    invited["invitation"] = token.clone();
    let reply = house.send(None, Method::POST, "/api/user/register", Some(invited.clone())).await;
    assert_eq!(reply.status(), 200);
    let ann = Person { cookie: cookie(&reply) };
    let member = house.post(&ann, "/api/user/invitations/accept", json!({"token": token})).await;
    assert_eq!(member["status"], "active");
    assert_eq!(house.get(&ann, "/api/user/self/organisation").await["name"], "acme");
    // It works once, and lets nobody else open an account.
    invited["email"] = json!("eve@example.org");
    let again = house.send(None, Method::POST, "/api/user/register", Some(invited)).await;
    assert_eq!(code(again).await, (403, "REGISTRATION_DISABLED".to_owned()));
    // The next session begins where the last one was, and the own account is entered when asked for.
    let later = house.login("ann@example.org").await;
    let organisations = house.get(&later, "/api/user/self/organisations").await;
    let own = organisations[0]["account_id"].as_i64().expect("a number");
    assert_eq!((organisations[0]["own"].as_bool(), organisations[0]["current"].as_bool()), (Some(true), Some(false)));
    assert_eq!(
        (organisations[1]["account_id"].as_i64(), organisations[1]["current"].as_bool()),
        (Some(account.0), Some(true))
    );
    house.post(&later, &format!("/api/user/self/organisations/{own}/enter"), json!({})).await;
    assert_eq!(house.get(&later, "/api/user/self/organisation").await["name"], "ann@example.org");
    assert_eq!(house.get(&ann, "/api/user/self/organisation").await["name"], "acme", "the other session goes on");
}

#[tokio::test]
async fn an_invitation_is_accepted_once_within_its_time_and_by_nobody_who_is_there_already() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let accept = |token: &Value| Some(json!({"token": token}));
    let path = "/api/user/invitations/accept";
    let token = house.invite(&owner, "viewer").await["token"].clone();
    let many: Vec<Person> = join_all((0..4).map(|n| {
        let house = &house;
        async move { house.register(&format!("p{n}@example.org")).await }
    }))
    .await;
    let tries = many.iter().map(|person| house.send(Some(person), Method::POST, path, accept(&token)));
    let codes = join_all(join_all(tries).await.into_iter().map(code)).await;
    assert_eq!(codes.iter().filter(|(status, _)| *status == 200).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|(_, code)| code == "INVITATION_NOT_OPEN").count(), 3, "{codes:?}");
    assert_eq!(house.get(&owner, MEMBERS).await.as_array().expect("a list").len(), 2);
    // Withdrawn, accepted, and too late.
    let made = house.invite(&owner, "viewer").await;
    let one = format!("{INVITATIONS}/{}", made["invitation"]["invitation_id"]);
    for _ in 0..2 {
        let withdrawn = data(house.send(Some(&owner), Method::DELETE, &one, None).await).await;
        assert_eq!(withdrawn["status"], "withdrawn");
    }
    let late = house.invite(&owner, "viewer").await["token"].clone();
    let stranger = house.register("late@example.org").await;
    let refused = house.refused(&stranger, Method::POST, path, accept(&made["token"])).await;
    assert_eq!(refused, (404, "INVITATION_NOT_OPEN".to_owned()));
    house.hand.advance_ms(WEEK_MS);
    let (stranger, owner) = (house.login("late@example.org").await, house.login("owner@acme").await);
    let refused = house.refused(&stranger, Method::POST, path, accept(&late)).await;
    assert_eq!(refused, (404, "INVITATION_NOT_OPEN".to_owned()));
    let states: Vec<Value> = house.get(&owner, INVITATIONS).await.as_array().expect("a list").clone();
    let states: Vec<&str> = states.iter().map(|each| each["status"].as_str().expect("a word")).collect();
    assert_eq!(states.iter().filter(|state| **state == "ended").count(), 1, "{states:?}");
    let accepted = house.get(&owner, INVITATIONS).await;
    let accepted = accepted.as_array().expect("a list").iter().find(|each| each["status"] == "accepted").expect("one");
    let taken_back = format!("{INVITATIONS}/{}", accepted["invitation_id"]);
    let refused = house.refused(&owner, Method::DELETE, &taken_back, None).await;
    assert_eq!(refused, (409, "INVITATION_ACCEPTED".to_owned()));
    let again = house.invite(&owner, "viewer").await["token"].clone();
    let refused = house.refused(&owner, Method::POST, path, accept(&again)).await;
    assert_eq!(refused, (409, "ALREADY_A_MEMBER".to_owned()));
}

#[tokio::test]
async fn a_developer_sees_and_makes_own_keys_alone_and_spends_the_own_budget() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, member) = house.joined(&owner, "dev@example.org", "developer").await;
    let (other, _) = house.joined(&owner, "other@example.org", "developer").await;
    let (own, own_id) = house.key(&dev, json!({"label": "mine"})).await;
    let (theirs, theirs_id) = house.key(&other, json!({"label": "theirs"})).await;
    let team = house.post(&owner, "/api/user/self/teams", json!({"name": "search"})).await;
    for key in [&own, &theirs] {
        assert_eq!(house.chat(key).await.status(), 200);
    }
    // Lists, receipts, usage and CSV have what the own keys did.
    let keys = house.get(&dev, KEYS).await;
    assert_eq!(keys.as_array().expect("a list").len(), 1);
    assert_eq!((keys[0]["key_id"].as_i64(), keys[0]["member_id"].as_i64()), (Some(own_id), Some(member)));
    let receipts = house.get(&dev, "/api/user/self/receipts").await["receipts"].clone();
    assert_eq!(receipts.as_array().expect("a list").len(), 1);
    let all = house.get(&owner, "/api/user/self/receipts").await["receipts"].clone();
    let foreign = all.as_array().expect("a list").iter().find(|each| each["key_id"] == theirs_id).expect("a receipt");
    let one = format!("/api/user/self/receipts/{}", foreign["request_id"].as_str().expect("an id"));
    assert_eq!(house.refused(&dev, Method::GET, &one, None).await, (404, "RECEIPT_NOT_FOUND".to_owned()));
    assert_eq!(house.get(&owner, &one).await["key_id"].as_i64(), Some(theirs_id));
    for usage in ["/api/user/self/usage?group_by=member", "/api/user/self/usage?group_by=key"] {
        assert_eq!(house.get(&dev, usage).await["rows"].as_array().expect("rows").len(), 1, "{usage}");
        assert_eq!(house.get(&owner, usage).await["rows"].as_array().expect("rows").len(), 2, "{usage}");
    }
    let narrowed = format!("/api/user/self/usage?member_id={member}");
    assert_eq!(house.get(&owner, &narrowed).await["rows"][0]["requests"], 1);
    assert_eq!(house.get(&other, &narrowed).await["rows"], json!([]), "another's");
    let csv = client().get(house.gateway.url("/api/user/self/receipts")).header("cookie", &dev.cookie);
    let csv = csv.header("accept", "text/csv").send().await.expect("an answer").text().await.expect("text");
    assert_eq!(csv.lines().count(), 2, "{csv}");
    // Another's key is like one that is not there; a team and another's name are for admins.
    for (method, body) in [(Method::PATCH, Some(json!({"label": "x"}))), (Method::DELETE, None)] {
        let refused = house.refused(&dev, method, &format!("{KEYS}/{theirs_id}"), body).await;
        assert_eq!(refused, (404, "KEY_NOT_FOUND".to_owned()));
    }
    for body in [json!({"label": "x", "team_id": team["team_id"]}), json!({"label": "x", "member_id": member + 1})] {
        let refused = house.refused(&dev, Method::POST, KEYS, Some(body)).await;
        assert_eq!(refused, (403, "OWN_KEYS_ONLY".to_owned()));
    }
    let out = Some(json!({"member_id": null, "team_id": team["team_id"]}));
    let refused = house.refused(&dev, Method::PATCH, &format!("{KEYS}/{own_id}"), out).await;
    assert_eq!(refused, (403, "OWN_KEYS_ONLY".to_owned()));
    // The budget of the member holds for all of its keys, and a refusal names it.
    let path = format!("{MEMBERS}/{member}");
    let little = Some(json!({"budget_day_usd": 0.000_05}));
    data(house.send(Some(&owner), Method::PATCH, &path, little).await).await;
    let (second, _) = house.key(&dev, json!({"label": "second"})).await;
    assert_eq!(house.chat(&second).await.status(), 402);
    assert_eq!(house.chat(&theirs).await.status(), 200);
    // Such a key manages nothing, like any that is limited.
    let by_key = client().get(house.gateway.url(MEMBERS)).bearer_auth(&second).send().await.expect("an answer");
    assert_eq!(code(by_key).await, (403, "KEY_LIMITED".to_owned()));
    house.gateway.assert_books().await;
}

#[tokio::test]
async fn a_developer_sees_the_tags_of_the_own_keys_alone() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let (other, _) = house.joined(&owner, "other@example.org", "developer").await;
    for (person, tags) in [(&dev, "shared,mine"), (&other, "shared,theirs")] {
        let (key, _) = house.key(person, json!({"label": "a key"})).await;
        let request = client().post(house.gateway.url("/v1/chat/completions")).bearer_auth(key);
        let reply = request.header("x-tollgate-tags", tags).json(&hello(false)).send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        reply.bytes().await.expect("a body");
    }
    let told = async |person: &Person, path: &str| {
        let usage = house.get(person, &format!("/api/user/self/usage?{path}")).await;
        let rows = usage["rows"].as_array().expect("rows").iter();
        rows.map(|row| (row["tag"].as_str().unwrap_or("-").to_owned(), row["requests"].as_i64())).collect::<Vec<_>>()
    };
    let row = |tag: &str, requests| (tag.to_owned(), Some(requests));
    assert_eq!(told(&owner, "group_by=tag").await, [row("mine", 1), row("shared", 2), row("theirs", 1)]);
    assert_eq!(told(&dev, "group_by=tag").await, [row("mine", 1), row("shared", 1)]);
    assert_eq!((told(&dev, "tag=shared").await, told(&dev, "tag=theirs").await), (vec![row("-", 1)], Vec::new()));
    for (person, found) in [(&owner, 2), (&dev, 1)] {
        let page = house.get(person, "/api/user/self/receipts?tag=shared").await;
        assert_eq!(page["receipts"].as_array().map(Vec::len), Some(found));
    }
}

#[tokio::test]
async fn who_leaves_is_out_at_once_and_the_keys_go_or_stay() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    for (keys, status) in [("revoke", 401), ("keep", 200)] {
        let (dev, member) = house.joined(&owner, &format!("{keys}@example.org"), "developer").await;
        let (key, id) = house.key(&dev, json!({"label": "mine"})).await;
        let path = format!("{MEMBERS}/{member}?keys={keys}");
        for _ in 0..2 {
            assert_eq!(data(house.send(Some(&owner), Method::DELETE, &path, None).await).await["status"], "left");
        }
        let over = house.refused(&dev, Method::GET, KEYS, None).await;
        assert_eq!(over, (401, "SESSION_INVALID".to_owned()));
        assert_eq!(house.chat(&key).await.status().as_u16(), status, "{keys}");
        let left = house.get(&owner, KEYS).await;
        let left = left.as_array().expect("a list").iter().find(|each| each["key_id"] == id).expect("the key").clone();
        assert_eq!(left["member_id"].is_null(), keys == "keep");
        // It pays as before, and manages nothing for who has its secret still.
        let by_key = client().get(house.gateway.url(MEMBERS)).bearer_auth(&key).send().await.expect("an answer");
        assert_eq!(by_key.status().as_u16(), if keys == "keep" { 403 } else { status });
        // The person is a person still, and comes back by another invitation as another member.
        let person = house.login(&format!("{keys}@example.org")).await;
        assert_eq!(house.get(&person, "/api/user/self/organisations").await.as_array().expect("a list").len(), 1);
        let token = house.invite(&owner, "viewer").await["token"].clone();
        let again = house.post(&person, "/api/user/invitations/accept", json!({"token": token})).await;
        assert_ne!(again["member_id"].as_i64(), Some(member));
        let change = Some(json!({"role": "admin"}));
        let refused = house.refused(&owner, Method::PATCH, &format!("{MEMBERS}/{member}"), change).await;
        assert_eq!(refused, (409, "MEMBER_LEFT".to_owned()));
        // By the own will.
        assert_eq!(house.post(&person, "/api/user/self/organisation/leave", json!({})).await["status"], "left");
        let alone = house.login(&format!("{keys}@example.org")).await;
        let refused = house.refused(&alone, Method::POST, "/api/user/self/organisation/leave", None).await;
        assert_eq!(refused, (409, "NOT_A_MEMBER".to_owned()));
    }
}

#[tokio::test]
async fn owners_are_made_by_owners_and_one_stays_in_any_case() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let first = house.get(&owner, MEMBERS).await[0]["member_id"].as_i64().expect("a number");
    let (admin, admin_id) = house.joined(&owner, "admin@example.org", "admin").await;
    let only = (403, "OWNERS_ONLY".to_owned());
    let invite = Some(json!({"invited": "x", "role": "owner"}));
    assert_eq!(house.refused(&admin, Method::POST, INVITATIONS, invite).await, only);
    for (id, body) in [(admin_id, json!({"role": "owner"})), (first, json!({"role": "viewer"}))] {
        assert_eq!(house.refused(&admin, Method::PATCH, &format!("{MEMBERS}/{id}"), Some(body)).await, only);
    }
    assert_eq!(house.refused(&admin, Method::DELETE, &format!("{MEMBERS}/{first}"), None).await, only);
    let last = (409, "LAST_OWNER".to_owned());
    let down = || Some(json!({"role": "admin"}));
    let own = format!("{MEMBERS}/{first}");
    assert_eq!(house.refused(&owner, Method::PATCH, &own, down()).await, last);
    assert_eq!(house.refused(&owner, Method::DELETE, &own, None).await, last);
    assert_eq!(house.refused(&owner, Method::POST, "/api/user/self/organisation/leave", None).await, last);
    // With a second one, two who leave at the same time do not leave nobody.
    let up = Some(json!({"role": "owner"}));
    data(house.send(Some(&owner), Method::PATCH, &format!("{MEMBERS}/{admin_id}"), up).await).await;
    let leave = "/api/user/self/organisation/leave";
    let both = join_all([&owner, &admin].map(|one| house.send(Some(one), Method::POST, leave, None))).await;
    let codes = join_all(both.into_iter().map(code)).await;
    assert_eq!(codes.iter().filter(|(status, _)| *status == 200).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|told| **told == last).count(), 1, "{codes:?}");
}

#[tokio::test]
async fn what_is_another_organisations_is_not_there() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (stranger, foreign) = house.organisation("other").await;
    let (_, member) = house.joined(&stranger, "dev@example.org", "developer").await;
    let invitation = house.invite(&stranger, "viewer").await["invitation"]["invitation_id"].clone();
    let team = house.post(&stranger, "/api/user/self/teams", json!({"name": "search"})).await["team_id"].clone();
    let nothing = 4_503_599_627_370_497_i64;
    let pairs = [
        (Method::PATCH, MEMBERS, json!(member), Some(json!({"role": "viewer"})), "MEMBER_NOT_FOUND"),
        (Method::DELETE, MEMBERS, json!(member), None, "MEMBER_NOT_FOUND"),
        (Method::DELETE, INVITATIONS, invitation, None, "INVITATION_NOT_FOUND"),
        (Method::PATCH, "/api/user/self/teams", team, Some(json!({"name": "x"})), "TEAM_NOT_FOUND"),
    ];
    for (method, path, id, body, code) in pairs {
        for id in [id.to_string(), nothing.to_string()] {
            let told = house.send(Some(&owner), method.clone(), &format!("{path}/{id}"), body.clone()).await;
            let status = told.status().as_u16();
            let text = told.text().await.expect("text").replace(&id, "ID");
            assert!(status == 404 && text.contains(code), "{status} {text}");
        }
    }
    let enter = format!("/api/user/self/organisations/{foreign}/enter");
    let refused = house.refused(&owner, Method::POST, &enter, None).await;
    assert_eq!(refused, (404, "ORGANISATION_NOT_FOUND".to_owned()));
    let body = Some(json!({"label": "x", "member_id": member}));
    assert_eq!(house.refused(&owner, Method::POST, KEYS, body).await, (404, "MEMBER_NOT_FOUND".to_owned()));
}

/// A role that is taken away counts from the next request on, also within a session that had it.
#[tokio::test]
async fn a_role_is_what_it_is_now() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (admin, id) = house.joined(&owner, "admin@example.org", "admin").await;
    house.post(&admin, "/api/user/self/teams", json!({"name": "search"})).await;
    let down = Some(json!({"role": "viewer"}));
    data(house.send(Some(&owner), Method::PATCH, &format!("{MEMBERS}/{id}"), down).await).await;
    let refused = house.refused(&admin, Method::POST, "/api/user/self/teams", Some(json!({"name": "ads"}))).await;
    assert_eq!(refused, (403, "MEMBER_ROLE".to_owned()));
    assert_eq!(house.get(&admin, "/api/user/self/teams").await[0]["name"], "search");
}

/// What an admin makes does not outrank an admin, and what an admin has begun ends with the role.
#[tokio::test]
async fn an_admin_becomes_no_owner_by_a_key_or_an_invitation() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (admin, id) = house.joined(&owner, "admin@example.org", "admin").await;
    let (key, _) = house.key(&admin, json!({"label": "no limits"})).await;
    assert_eq!(house.chat(&key).await.status(), 200);
    let (own, invited) = (json!({"role": "owner"}), json!({"role": "owner", "invited": "me"}));
    for (method, path, body) in
        [(Method::PATCH, format!("{MEMBERS}/{id}"), own), (Method::POST, INVITATIONS.to_owned(), invited)]
    {
        let request = client().request(method, house.gateway.url(&path)).bearer_auth(&key);
        let request = request.header("content-type", "application/json").body(body.to_string());
        assert_eq!(code(request.send().await.expect("an answer")).await, (403, "KEY_LIMITED".to_owned()));
    }
    let (of_owner, _) = house.key(&owner, json!({"label": "of the owner"})).await;
    let listed = client().get(house.gateway.url(MEMBERS)).bearer_auth(&of_owner).send().await.expect("an answer");
    assert_eq!(listed.status(), 200);
    let token = house.invite(&admin, "admin").await["token"].clone();
    data(house.send(Some(&owner), Method::DELETE, &format!("{MEMBERS}/{id}"), None).await).await;
    let person = house.login("admin@example.org").await;
    let path = "/api/user/invitations/accept";
    let refused = house.refused(&person, Method::POST, path, Some(json!({"token": token}))).await;
    assert_eq!(refused, (404, "INVITATION_NOT_OPEN".to_owned()));
}

/// A frozen organisation shuts nobody out of the own account, and lets nobody in.
#[tokio::test]
async fn nobody_acts_for_a_frozen_organisation() {
    let house = House::open().await;
    let (owner, account) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let token = house.invite(&owner, "viewer").await["token"].clone();
    let accounts = &house.gateway.service().accounts;
    accounts.set_account_state(AccountId(account), AccountState::Frozen, "test").await.expect("frozen");
    assert_eq!(house.refused(&dev, Method::GET, KEYS, None).await, (401, "SESSION_INVALID".to_owned()));
    let dev = house.login("dev@example.org").await;
    assert_eq!(house.get(&dev, "/api/user/self/organisation").await["name"], "dev@example.org");
    let enter = format!("/api/user/self/organisations/{account}/enter");
    assert_eq!(house.refused(&dev, Method::POST, &enter, None).await, (404, "ORGANISATION_NOT_FOUND".to_owned()));
    let guest = house.register("guest@example.org").await;
    let path = "/api/user/invitations/accept";
    let refused = house.refused(&guest, Method::POST, path, Some(json!({"token": token}))).await;
    assert_eq!(refused, (404, "INVITATION_NOT_OPEN".to_owned()));
}
