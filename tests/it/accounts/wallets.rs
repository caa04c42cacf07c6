//! People sign in by a wallet, over HTTP.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tollgate_base::AccountId;
use tollgate_tests::gateway::Options;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

const CHALLENGE: &str = "/api/user/login/wallet/challenge";
const LOGIN: &str = "/api/user/login/wallet";
const IDENTITIES: &str = "/api/user/self/identities";

async fn gateway() -> TestGateway {
    let config = "[accounts]\nregistration = true\n".to_owned();
    TestGateway::with(Options { config, ..Options::default() }).await
}

fn post(gateway: &TestGateway, path: &str, body: &Value) -> RequestBuilder {
    client().post(gateway.url(path)).header("content-type", "application/json").body(body.to_string())
}

/// The status, the code and the data of an answer, and the cookie that it sets.
async fn told(request: RequestBuilder) -> (u16, String, Value, String) {
    let reply = request.send().await.expect("an answer");
    let cookie = reply.headers().get("set-cookie").map_or("", |cookie| cookie.to_str().expect("text"));
    let (status, cookie) = (reply.status().as_u16(), cookie.to_owned());
    let told: Value = reply.json().await.expect("JSON");
    (status, told["code"].as_str().unwrap_or_default().to_owned(), told["data"].clone(), cookie)
}

/// What the wallet has signed: a text that the service gives.
async fn proof(gateway: &TestGateway, wallet: &Wallet) -> Value {
    let named = json!({"chain": wallet.chain(), "address": wallet.address()});
    let reply = post(gateway, CHALLENGE, &named).send().await.expect("an answer");
    wallet.proof(&reply.json().await.expect("JSON"))
}

/// Signs in: the account, and the cookie as a browser sends it back.
async fn signed_in(gateway: &TestGateway, wallet: &Wallet) -> (AccountId, String) {
    let (status, code, data, cookie) = told(post(gateway, LOGIN, &proof(gateway, wallet).await)).await;
    assert_eq!((status, code.as_str()), (200, ""));
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();
    (AccountId(data["user_id"].as_i64().expect("a number")), cookie)
}

fn by(gateway: &TestGateway, cookie: &str, method: Method, path: &str) -> RequestBuilder {
    let request = client().request(method, gateway.url(path)).header("cookie", cookie);
    request.header("origin", gateway.url("")).header("x-tollgate-csrf", "1")
}

#[tokio::test]
async fn a_wallet_signs_in_and_its_account_is_as_any_other() {
    let gateway = gateway().await;
    for wallet in [Wallet::evm(), Wallet::solana(5)] {
        let (account, cookie) = signed_in(&gateway, &wallet).await;
        assert_eq!(signed_in(&gateway, &wallet).await.0, account);
        let (status, _, balance, _) = told(by(&gateway, &cookie, Method::GET, "/api/user/self/balance")).await;
        assert_eq!((status, &balance["available_usd"]), (200, &json!(0)));
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn of_fifty_requests_with_one_text_one_is_let_in() {
    let gateway = gateway().await;
    let wallet = Wallet::evm();
    let proof = proof(&gateway, &wallet).await;
    let asked = (0..50).map(|_| told(post(&gateway, LOGIN, &proof)));
    let answers = futures_util::future::join_all(asked).await;
    let let_in = answers.iter().filter(|(status, ..)| *status == 200).count();
    assert_eq!(let_in, 1);
    for (status, code, _, cookie) in answers.iter().filter(|(status, ..)| *status != 200) {
        // Those that came too late are failed tries, of which there may be so many a minute.
        let known = [(409, "CHALLENGE_INVALID"), (429, "RATE_LIMITED")].contains(&(*status, code.as_str()));
        assert!(known && cookie.is_empty(), "{status} {code} {cookie}");
    }
}

#[tokio::test]
async fn the_text_names_the_service_whatever_a_request_says_that_it_is() {
    let gateway = gateway().await;
    let wallet = Wallet::evm();
    let named = json!({"chain": "evm", "address": wallet.address()});
    for (name, value) in
        [("host", "evil.example"), ("x-forwarded-host", "evil.example"), ("origin", "https://evil.example")]
    {
        let (status, _, data, _) = told(post(&gateway, CHALLENGE, &named).header(name, value)).await;
        let message = data["message"].as_str().expect("a text");
        let host = gateway.url("").trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert!(status == 200 && message.starts_with(&format!("{host} wants you")), "{name}: {message}");
        assert!(!message.contains("evil"), "{name}: {message}");
    }
    let elsewhere = post(&gateway, LOGIN, &proof(&gateway, &wallet).await).header("origin", "https://evil.example");
    let (status, code, _, cookie) = told(elsewhere).await;
    assert_eq!((status, code.as_str(), cookie.as_str()), (403, "ORIGIN_REFUSED", ""));
}

#[tokio::test]
async fn an_identity_of_another_is_as_one_of_nobody() {
    let gateway = gateway().await;
    let (_, ann) = signed_in(&gateway, &Wallet::evm()).await;
    let (_, bob) = signed_in(&gateway, &Wallet::evm()).await;
    let (_, _, listed, _) = told(by(&gateway, &ann, Method::GET, IDENTITIES)).await;
    let theirs = &listed[0]["identity_id"];
    for id in [theirs.to_string(), "4503599627370497".to_owned()] {
        let (status, code, ..) = told(by(&gateway, &bob, Method::DELETE, &format!("{IDENTITIES}/{id}"))).await;
        assert_eq!((status, code.as_str()), (404, "IDENTITY_NOT_FOUND"));
    }
    let (_, _, after, _) = told(by(&gateway, &ann, Method::GET, IDENTITIES)).await;
    assert_eq!(after, listed);
    let (_, _, own, _) = told(by(&gateway, &bob, Method::GET, IDENTITIES)).await;
    assert!(own.as_array().expect("a list").iter().all(|it| it["identity_id"] != *theirs), "{own}");
}
