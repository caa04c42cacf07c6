//! The sessions of an account are seen and ended by its owner, and a new password ends them all, a first one too.

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_base::Secret;
use tollgate_chains::ChainFamily;
use tollgate_identities::{NewWalletChallenge, WalletProof};
use tollgate_tests::gateway::Options;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

const PASSWORD: &str = "correct horse battery";

/// The cookie of the owner of the gateway's account.
pub(super) async fn signed_in(gateway: &TestGateway) -> String {
    let accounts = &gateway.service().accounts;
    accounts.set_password(gateway.account, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
    session(gateway, PASSWORD).await
}

/// The cookie of one more session.
pub(super) async fn session(gateway: &TestGateway, password: &str) -> String {
    let begun = gateway.service().accounts.sign_in("test", Secret::new(password.to_owned()), None).await;
    format!("session={}", begun.expect("signed in").token.reveal())
}

/// The status, the code and the data of an operation that is asked from a page of ours.
pub(super) async fn asked(
    gateway: &TestGateway,
    method: Method,
    path: &str,
    cookie: &str,
    body: Option<Value>,
) -> (u16, String, Value) {
    let request = client().request(method, gateway.url(path)).header("cookie", cookie);
    let request = request.header("origin", gateway.url("")).header("x-tollgate-csrf", "1");
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(body.to_string()),
        None => request,
    };
    let reply = request.send().await.expect("an answer");
    let status = reply.status().as_u16();
    let told: Value = reply.json().await.expect("JSON");
    (status, told["code"].as_str().unwrap_or_default().to_owned(), told["data"].clone())
}

const SESSIONS: &str = "/api/user/self/sessions";

#[tokio::test]
async fn sessions_are_listed_and_ended_and_the_one_that_asks_stays() {
    let gateway = TestGateway::start().await;
    let own = signed_in(&gateway).await;
    let others = [session(&gateway, PASSWORD).await, session(&gateway, PASSWORD).await];
    let list = async |cookie: &str| asked(&gateway, Method::GET, SESSIONS, cookie, None).await;
    let ended = async |query: &str| {
        let (status, code, data) = asked(&gateway, Method::DELETE, &format!("{SESSIONS}{query}"), &own, None).await;
        assert_eq!((status, code.as_str()), (200, ""));
        data["ended"].clone()
    };
    let (_, _, listed) = list(&own).await;
    let of = |is_current: bool| {
        let all = listed.as_array().expect("a list").iter();
        let ids = all.filter(|session| session["current"] == is_current).map(|session| &session["session_id"]);
        ids.map(|id| id.as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((of(true).len(), of(false).len()), (1, 2));
    // The cookie is not told.
    assert!(!listed.to_string().contains(own.trim_start_matches("session=")));
    assert_eq!(ended(&format!("?session={}", of(true)[0])).await, 0, "by signing out alone");
    assert_eq!(ended(&format!("?session={}", "0".repeat(64))).await, 0);
    assert_eq!(ended(&format!("?session={}", of(false)[0])).await, 1);
    let mut left = 0;
    for other in &others {
        left += usize::from(list(other).await.0 == 200);
    }
    assert_eq!(left, 1);
    assert_eq!(ended("").await, 1);
    assert_eq!(list(&own).await.2.as_array().map(Vec::len), Some(1));
    for other in &others {
        assert_eq!(list(other).await.1, "SESSION_INVALID");
    }
}

/// The session of one account ends none of another.
#[tokio::test]
async fn nobody_ends_a_session_of_another_account() {
    let gateway = TestGateway::start().await;
    let own = signed_in(&gateway).await;
    let id = asked(&gateway, Method::GET, SESSIONS, &own, None).await.2[0]["session_id"].clone();
    let stranger = crate::spec::answers::signed_in(&gateway).await;
    for query in [format!("?session={}", id.as_str().expect("text")), String::new()] {
        let told = asked(&gateway, Method::DELETE, &format!("{SESSIONS}{query}"), &stranger, None).await;
        assert_eq!((told.0, &told.2["ended"]), (200, &json!(0)));
    }
    assert_eq!(asked(&gateway, Method::GET, SESSIONS, &own, None).await.0, 200);
}

#[tokio::test]
async fn a_new_password_takes_the_present_one_and_ends_all_sessions() {
    let gateway = TestGateway::start().await;
    let own = signed_in(&gateway).await;
    let change = async |password: &str, new: &str| {
        let body = json!({"password": password, "new_password": new});
        asked(&gateway, Method::POST, "/api/user/self/password", &own, Some(body)).await
    };
    assert_eq!(change("not the password", "staple battery horse").await.1, "LOGIN_FAILED");
    assert_eq!(change(PASSWORD, "short").await.1, "BAD_FIELD");
    assert_eq!(asked(&gateway, Method::GET, SESSIONS, &own, None).await.0, 200, "what is refused changes nothing");
    assert_eq!(change(PASSWORD, "staple battery horse").await.0, 200);
    assert_eq!(asked(&gateway, Method::GET, SESSIONS, &own, None).await.1, "SESSION_INVALID");
    let accounts = &gateway.service().accounts;
    assert!(accounts.sign_in("test", Secret::new(PASSWORD.to_owned()), None).await.is_err());
    session(&gateway, "staple battery horse").await;
    // Who guesses is stopped as who guesses at the door.
    let own = session(&gateway, "staple battery horse").await;
    let mut codes = Vec::new();
    for _ in 0..=tollgate_api::generated::limits::LOGIN_TRIES {
        let body = json!({"password": "a guess", "new_password": "staple battery horse"});
        codes.push(asked(&gateway, Method::POST, "/api/user/self/password", &own, Some(body)).await.1);
    }
    assert_eq!(codes.last().map(String::as_str), Some("RATE_LIMITED"), "{codes:?}");
}

#[tokio::test]
async fn the_form_of_the_password_asks_for_the_present_one_where_there_is_one() {
    let config = "[accounts]\nregistration = true\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let with = signed_in(&gateway).await;
    let wallet = Wallet::evm();
    let identities = gateway.service().identities.clone().with_audience(Some("http://gateway.example".to_owned()));
    let sign_in = async || {
        let named = NewWalletChallenge { chain: ChainFamily::Evm, address: wallet.address() };
        let challenge = identities.challenge(&named, None).await.expect("a text");
        let signature = wallet.sign_text(&challenge.message);
        let proof = WalletProof { wallet: named, nonce: challenge.nonce, signature };
        let begun = identities.sign_in_by_wallet(&proof, None).await.expect("signed in");
        format!("session={}", begun.token.reveal())
    };
    let without = sign_in().await;
    let form = async |cookie: &str| {
        let settings = client().get(gateway.url("/console/settings")).header("cookie", cookie).send().await;
        let settings = settings.expect("an answer").text().await.expect("a page");
        (settings.contains(">Change the password<"), settings.contains("name=\"password\""))
    };
    assert_eq!(form(&with).await, (true, true));
    assert_eq!(form(&without).await, (false, false));
    let change = async |cookie: &str, body: Value| {
        let told = asked(&gateway, Method::POST, "/api/user/self/password", cookie, Some(body)).await;
        (told.0, told.1)
    };
    let refused = |status: u16, code: &str| (status, code.to_owned());
    // Who has one is asked for it, and who has none has none that would fit.
    assert_eq!(change(&with, json!({"new_password": "staple battery horse"})).await, refused(401, "LOGIN_FAILED"));
    let guess = json!({"password": "staple battery horse", "new_password": "staple battery horse"});
    assert_eq!(change(&without, guess).await, refused(401, "LOGIN_FAILED"));
    assert_eq!(change(&without, json!({"new_password": "short"})).await, refused(400, "BAD_FIELD"));
    let other = sign_in().await;
    assert_eq!(change(&without, json!({"new_password": "staple battery horse"})).await, refused(200, ""));
    for over in [&without, &other] {
        let told = asked(&gateway, Method::GET, "/api/user/self/sessions", over, None).await;
        assert_eq!(told.1, "SESSION_INVALID", "all sessions are over");
    }
    let accounts = &gateway.service().accounts;
    let begun = accounts.sign_in(&wallet.address(), Secret::new("staple battery horse".to_owned()), None).await;
    let by_password = format!("session={}", begun.expect("signed in").token.reveal());
    assert_eq!(form(&by_password).await, (true, true));
    // The wallet signs in as before, and asks for the present one from then on.
    let by_wallet = sign_in().await;
    assert_eq!(form(&by_wallet).await, (true, true));
    let again = json!({"new_password": "another staple horse"});
    assert_eq!(change(&by_wallet, again).await, refused(401, "LOGIN_FAILED"));
}
