//! People sign in by a certified provider of OpenID Connect, and what it should never have said is believed by nobody.

mod groups;
mod logout;
mod two_providers;

use serde_json::{Value, json};
use tollgate_accounts::NewSession;
use tollgate_api::generated::limits;
use tollgate_base::{AccountId, Clock, Secret};
use tollgate_tests::gateway::Options;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::{TestGateway, client};

const BEGIN: &str = "/api/user/login/oidc/begin";
const LOGIN: &str = "/api/user/login/oidc";
const OWN_BEGIN: &str = "/api/user/self/identities/oidc/begin";
const OWN: &str = "/api/user/self/identities/oidc";
const ORGANISATIONS: &str = "/api/user/self/organisations";
/// Whoever comes may register.
const REGISTRATION: &str = "[accounts]\nregistration = true\n";

/// A gateway whose people sign in by a provider of its own, where groups have these roles.
struct House {
    gateway: TestGateway,
    company: OidcProvider,
}

/// A refusal, or the data of an answer with the cookie that it sets.
type Told = Result<(Value, String), (u16, String, String)>;

impl House {
    async fn with(roles: impl FnOnce(AccountId) -> String) -> Self {
        Self::on(roles, REGISTRATION).await
    }

    async fn on(roles: impl FnOnce(AccountId) -> String, config: &str) -> Self {
        Self::at(roles, config, Clock::system()).await
    }

    async fn at(roles: impl FnOnce(AccountId) -> String, config: &str, clock: Clock) -> Self {
        let company = OidcProvider::start();
        let config = format!("{config}{}", company.config(true));
        let options = Options { config: config.clone(), clock: clock.clone(), ..Options::default() };
        let gateway = TestGateway::with(options).await;
        // The number of its account is drawn when it starts.
        let roles = roles(gateway.account);
        let gateway = match roles.as_str() {
            "" => gateway,
            roles => gateway.again(&format!("{config}{roles}"), clock).await,
        };
        Self { gateway, company }
    }

    async fn post(&self, path: &str, body: &Value, cookie: &str) -> Told {
        let request = client().post(self.gateway.url(path)).header("content-type", "application/json");
        let request = match cookie {
            "" => request,
            cookie => request
                .header("cookie", cookie)
                .header("origin", self.gateway.url("").trim_end_matches('/'))
                .header("x-tollgate-csrf", "1"),
        };
        told(request.body(body.to_string()).send().await.expect("an answer")).await
    }

    async fn get(&self, path: &str, cookie: &str) -> Value {
        let request = client().get(self.gateway.url(path)).header("cookie", cookie);
        told(request.send().await.expect("an answer")).await.expect("it is told").0
    }

    /// The account of the person itself.
    async fn own(&self, cookie: &str) -> Value {
        let told = self.get(ORGANISATIONS, cookie).await;
        told.as_array().expect("a list").iter().find(|each| each["own"] == true).expect("there is one").clone()
    }

    /// What a browser has when it comes back from the provider as this person.
    async fn answer(&self, subject: &str) -> Value {
        self.answer_to(BEGIN, subject, "").await
    }

    async fn answer_to(&self, begin: &str, subject: &str, cookie: &str) -> Value {
        let (begun, _) = self.post(begin, &json!({"provider": "company"}), cookie).await.expect("it begins");
        let text = |name: &str| begun[name].as_str().expect("a text").to_owned();
        self.company.visit(&text("url"), subject).await.answer(&text("secret"))
    }

    async fn sign_in(&self, subject: &str) -> Told {
        self.post(LOGIN, &self.answer(subject).await, "").await
    }

    /// A session of a person by a password of its own.
    async fn sign_in_by_password(&self, account: AccountId) -> NewSession {
        let accounts = &self.gateway.service().accounts;
        let password = || Secret::new("a long password".to_owned());
        accounts.set_password(account, password(), "test").await.expect("a password");
        let name = accounts.find_account(&account.to_string()).await.expect("an account").name;
        accounts.sign_in(&name, password(), None).await.expect("signed in")
    }

    /// Why nobody was signed in.
    async fn refused(&self, answer: &Value) -> String {
        let (status, code, detail) = self.post(LOGIN, answer, "").await.expect_err("it is refused");
        assert_eq!((status, code.as_str()), (403, "OIDC_REFUSED"), "{detail}");
        detail
    }
}

async fn told(reply: reqwest::Response) -> Told {
    let cookie = reply.headers().get("set-cookie").map_or("", |cookie| cookie.to_str().expect("text"));
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    let status = reply.status().as_u16();
    let told: Value = reply.json().await.expect("JSON");
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    if status == 200 { Ok((told["data"].clone(), cookie)) } else { Err((status, text("code"), text("detail"))) }
}

fn nothing(_: AccountId) -> String {
    String::new()
}

#[tokio::test]
async fn a_person_signs_in_by_each_algorithm_and_is_the_same_each_time() {
    let house = House::with(nothing).await;
    house.company.person("ann", json!({"email": "Ann@Example.com", "email_verified": true})).await;
    let mut accounts = Vec::new();
    for alg in ["RS256", "PS256", "ES256", "ES384", "EdDSA"] {
        house.company.set(json!({"alg": alg})).await;
        let (data, cookie) = house.sign_in("ann").await.unwrap_or_else(|refused| panic!("{alg}: {refused:?}"));
        accounts.push(data["user_id"].clone());
        assert_eq!(house.own(&cookie).await["name"], "ann@example.com");
    }
    // The secret goes in the body, too.
    house.company.set(json!({"method": "client_secret_post"})).await;
    accounts.push(house.sign_in("ann").await.expect("signed in").0["user_id"].clone());
    accounts.dedup();
    assert_eq!(accounts.len(), 1);
    house.gateway.assert_books().await;
}

#[tokio::test]
async fn an_address_that_the_provider_has_not_verified_or_another_has_names_nobody() {
    let house = House::with(nothing).await;
    let service = house.gateway.service();
    let taken = service.accounts.create_account("ann@example.com", "test").await.expect("an account").id;
    for (subject, verified) in [("ann", json!(true)), ("bob", json!(false)), ("eve", json!("true"))] {
        house.company.person(subject, json!({"email": "ann@example.com", "email_verified": verified})).await;
        let (data, cookie) = house.sign_in(subject).await.expect("signed in");
        assert_ne!(data["user_id"], taken.0, "{subject} came in by an address");
        assert_eq!(house.own(&cookie).await["name"], format!("company:{subject}"));
    }
    // What somebody has as a name already, and what is too long for one.
    service.accounts.create_account("company:dan", "test").await.expect("an account");
    for subject in ["dan", &"d".repeat(200)] {
        let (_, cookie) = house.sign_in(subject).await.expect("signed in");
        let name = house.own(&cookie).await["name"].as_str().expect("a name").to_owned();
        assert!(name.starts_with("company:") && name.len() == "company:".len() + 20, "{name}");
    }
}

#[tokio::test]
async fn tokens_that_a_provider_should_not_have_made_are_refused() {
    let house = House::with(nothing).await;
    let forged = [
        ("nonce", "another sign-in"),
        ("without-nonce", "another sign-in"),
        ("issuer", "another issuer"),
        ("audience", "another service"),
        ("party", "another service"),
        ("shared", "another service"),
        ("critical", "no key"),
        ("expired", "not of this time"),
        ("early", "not of this time"),
        ("ahead", "not of this time"),
        ("old", "not of this time"),
        ("without-end", "other claims"),
        ("nobody", "names nobody"),
        ("foreign-key", "no key"),
        ("foreign-kid", "no key"),
        ("own-key", "no key"),
        ("unsigned", "no key"),
        ("by-secret", "no key"),
        ("by-public-key", "no key"),
        ("changed", "no key"),
        ("truncated", "no key"),
        ("userinfo", "another person"),
    ];
    for (forge, reason) in forged {
        house.company.person("ann", json!({"test": {"forge": forge}})).await;
        let detail = house.refused(&house.answer("ann").await).await;
        assert!(detail.contains(reason), "{forge}: {detail}");
    }
    house.company.person("ann", json!({})).await;
    house.sign_in("ann").await.expect("what is its own counts");
}

#[tokio::test]
async fn an_answer_counts_once_in_its_browser_at_its_provider_and_for_its_purpose() {
    let house = House::with(nothing).await;
    // Once: the provider knows the code no more.
    let answer = house.answer("ann").await;
    let (_, ann) = house.post(LOGIN, &answer, "").await.expect("signed in");
    assert!(house.refused(&answer).await.contains("used before"));
    // In the browser that began it: a code that somebody else was given, and a secret that they made up.
    let (mine, other) = (house.answer("bob").await, house.answer("eve").await);
    let mixed = |name: &str| {
        let mut mixed = mine.clone();
        mixed[name] = other[name].clone();
        mixed
    };
    for name in ["secret", "state"] {
        assert!(house.refused(&mixed(name)).await.contains("another sign-in"), "{name}");
    }
    // PKCE: another's code is bound to another's verifier.
    assert!(house.refused(&mixed("code")).await.contains("used before, is too old, or is another's"));
    for secret in ["", "none", "1795230000.AAAA"] {
        let mut changed = mine.clone();
        changed["secret"] = json!(secret);
        let refused = house.post(LOGIN, &changed, "").await.expect_err("no secret");
        assert!(["OIDC_REFUSED", "BAD_FIELD"].contains(&refused.1.as_str()), "{refused:?}");
    }
    // RFC 9207: from this provider, and it says so.
    for issuer in [Some("https://another.example"), None] {
        let mut changed = house.answer("bob").await;
        match issuer {
            Some(issuer) => changed["issuer"] = json!(issuer),
            None => drop(changed.as_object_mut().expect("an object").remove("issuer")),
        }
        assert!(house.refused(&changed).await.contains("another provider"));
    }
    // What was begun to sign in links nobody, and the other way round; nor to another account.
    let link = house.answer_to(OWN_BEGIN, "linked", &ann).await;
    assert!(house.refused(&link).await.contains("another sign-in"));
    let (_, code, _) = house.post(OWN, &house.answer("linked").await, &ann).await.expect_err("no link");
    assert_eq!(code, "OIDC_REFUSED");
    let (_, bob) = house.sign_in("bob").await.expect("signed in");
    let (_, code, _) = house.post(OWN, &link, &bob).await.expect_err("of another");
    assert_eq!(code, "OIDC_REFUSED");
    let (linked, _) = house.post(OWN, &link, &ann).await.expect("linked");
    assert_eq!(
        (&linked["kind"], &linked["subject"], &linked["issuer"]),
        (&json!("oidc"), &json!("linked"), &json!(house.company.url))
    );
    let (_, again) = house.sign_in("linked").await.expect("signed in");
    assert_eq!(house.own(&again).await["account_id"], house.own(&ann).await["account_id"]);
}

#[tokio::test]
async fn keys_of_the_provider_are_those_that_it_publishes_now() {
    let house = House::with(nothing).await;
    house.sign_in("ann").await.expect("signed in");
    let before = house.answer("ann").await;
    house.company.rotate().await;
    // What was begun before is signed by the new key.
    house.post(LOGIN, &before, "").await.expect("signed in");
    house.sign_in("ann").await.expect("signed in");
    // A provider that is gone for a while is asked again.
    let waiting = house.answer("ann").await;
    house.company.set(json!({"down": true})).await;
    let (status, code, _) = house.post(LOGIN, &waiting, "").await.expect_err("it is gone");
    assert_eq!((status, code.as_str()), (502, "OIDC_UNAVAILABLE"));
    house.company.set(json!({"down": false})).await;
    house.post(LOGIN, &waiting, "").await.expect("signed in");
}

/// Codes that are made up cost the provider a question each, whatever it calls its refusal; what nobody was asked for costs nothing.
#[tokio::test]
async fn codes_that_the_provider_does_not_exchange_are_counted() {
    let house = House::with(nothing).await;
    let answer = house.answer("ann").await;
    let refused = async || {
        let (status, code, _) = house.post(LOGIN, &answer, "").await.expect_err("nobody is signed in");
        (status, code)
    };
    let unavailable = || (502, "OIDC_UNAVAILABLE".to_owned());
    house.company.set(json!({"down": true})).await;
    for _ in 0..=limits::LOGIN_ADDRESS_TRIES {
        assert_eq!(refused().await, unavailable());
    }
    house.company.set(json!({"down": false, "refuses": "invalid_request"})).await;
    for _ in 0..limits::LOGIN_ADDRESS_TRIES {
        assert_eq!(refused().await, unavailable());
    }
    assert_eq!(refused().await, (429, "RATE_LIMITED".to_owned()));
}

#[tokio::test]
async fn whoever_says_no_at_the_provider_comes_back_without_a_code() {
    let house = House::with(nothing).await;
    let (begun, _) = house.post(BEGIN, &json!({"provider": "company"}), "").await.expect("it begins");
    let returned = house.company.visit(begun["url"].as_str().expect("a text"), "denied").await;
    assert_eq!((returned.error.as_str(), returned.code.as_str()), ("access_denied", ""));
}

#[tokio::test]
async fn of_many_who_come_first_at_once_all_are_one_account() {
    let house = House::with(nothing).await;
    house.company.person("ann", json!({"email": "ann@example.com", "email_verified": true})).await;
    let came = futures_util::future::join_all((0..4).map(|_| house.sign_in("ann"))).await;
    let mut accounts: Vec<i64> =
        came.into_iter().map(|told| told.expect("signed in").0["user_id"].as_i64().expect("a number")).collect();
    accounts.dedup();
    assert_eq!(accounts.len(), 1);
}
