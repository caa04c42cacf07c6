//! An operator is invited on the machine, binds a second factor, signs in, and is seen and ended by others.

use reqwest::header::HeaderValue;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_base::{Clock, ManualClock};
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client, totp};

const PASSWORD: &str = "correct horse battery";

/// A gateway where operators sign in, and the time there.
pub(super) struct Fixture {
    pub(super) gateway: TestGateway,
    pub(super) clock: Clock,
    pub(super) hand: ManualClock,
}

impl Fixture {
    pub(super) async fn start() -> Self {
        Self::with(Options::default()).await
    }

    /// One with other options, but for the clock.
    pub(super) async fn with(options: Options) -> Self {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        let gateway = TestGateway::with(Options { clock: clock.clone(), ..options }).await;
        Self { gateway, clock, hand }
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = client().post(self.gateway.url(path)).header("x-tollgate-csrf", "1");
        request.header("content-type", "application/json").body(body.to_string())
    }

    async fn invitation(&self, name: &str, role: OperatorRole) -> String {
        let operators = &self.gateway.service().operators;
        let invited = operators.create_person(name, role, "test").await.expect("a person");
        invited.invitation.reveal().to_owned()
    }

    /// The secret of the second factor, and the session.
    pub(super) async fn enrolled(&self, name: &str, role: OperatorRole) -> (String, String) {
        self.enrolled_by(name, role, "test".as_bytes()).await
    }

    /// The same in a browser that names itself so.
    pub(super) async fn enrolled_by(&self, name: &str, role: OperatorRole, browser: &[u8]) -> (String, String) {
        let invitation = self.invitation(name, role).await;
        let offered = data(self.post("/api/admin/invitation", &json!({"invitation": invitation}))).await;
        assert_eq!(offered["name"], name);
        let secret = offered["secret"].as_str().expect("a secret").to_owned();
        assert!(offered["uri"].as_str().expect("a URI").contains(&secret));
        let code = totp::code(&secret, self.clock.now_ms());
        let body = json!({"invitation": invitation, "secret": secret, "code": code, "password": PASSWORD});
        let browser = HeaderValue::from_bytes(browser).expect("a header");
        let accepting = self.post("/api/admin/invitation/accept", &body).header("user-agent", browser);
        let reply = accepting.send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
        (secret, cookie(&reply))
    }

    async fn asked(&self, path: &str, cookie: &str) -> (u16, Value) {
        let request = client().get(self.gateway.url(path)).header("cookie", format!("operator_session={cookie}"));
        let reply = request.send().await.expect("an answer");
        (reply.status().as_u16(), reply.json().await.expect("JSON"))
    }
}

fn cookie(reply: &Response) -> String {
    let cookie = reply.headers()["set-cookie"].to_str().expect("text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let value = cookie.strip_prefix("operator_session=").expect("a cookie of its own");
    value.split(';').next().expect("a value").to_owned()
}

async fn data(request: RequestBuilder) -> Value {
    let reply: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(reply["success"], true, "{reply}");
    reply["data"].clone()
}

#[tokio::test]
async fn a_person_is_invited_signs_in_and_is_ended_by_another() {
    let fixture = Fixture::start().await;
    let (secret, first) = fixture.enrolled("ada", OperatorRole::Support).await;
    let (status, own) = fixture.asked("/api/admin/session", &first).await;
    assert_eq!((status, &own["data"]["name"], &own["data"]["signed_in"]), (200, &json!("ada"), &json!(true)));
    fixture.hand.advance_ms(30_000);
    let ask = |code: String| json!({"name": "ada", "password": PASSWORD, "code": code});
    let code = totp::code(&secret, fixture.clock.now_ms());
    let reply = fixture.post("/api/admin/session", &ask(code.clone())).send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let second = cookie(&reply);
    let again = fixture.post("/api/admin/session", &ask(code)).send().await.expect("an answer");
    assert_eq!(again.status(), 401, "each code once");
    // A session of an operator is none of an account, nor the other way round.
    let elsewhere = client().get(fixture.gateway.url("/api/user/self/balance"));
    let elsewhere = elsewhere.header("cookie", format!("session={second}")).send().await.expect("an answer");
    assert_eq!(elsewhere.status(), 401);
    // Somebody else sees both sessions and ends one.
    let (_, owner) = fixture.enrolled("root", OperatorRole::Owner).await;
    let id = own["data"]["operator_id"].as_i64().expect("a number");
    let path = format!("/api/admin/operators/{id}/sessions");
    let (_, seen) = fixture.asked(&path, &owner).await;
    let sessions = seen["data"].as_array().expect("a list");
    assert_eq!(sessions.len(), 2, "{seen}");
    let newest = sessions[0]["session_id"].as_str().expect("an id");
    let end = client().delete(fixture.gateway.url(&format!("{path}?session={newest}")));
    let end = end.header("cookie", format!("operator_session={owner}")).header("x-tollgate-csrf", "1");
    let end = end.header("origin", fixture.gateway.url(""));
    assert_eq!(data(end).await["ended"], 1);
    assert_eq!(fixture.asked("/api/admin/session", &second).await.0, 401);
    assert_eq!(fixture.asked("/api/admin/session", &first).await.0, 200);
}

#[tokio::test]
async fn a_session_changes_nothing_without_its_own_page() {
    let fixture = Fixture::start().await;
    let (_, owner) = fixture.enrolled("root", OperatorRole::Owner).await;
    let own = fixture.gateway.url("");
    let foreign = [None, Some(("origin", "https://evil.example")), Some(("sec-fetch-site", "cross-site"))];
    for (origin, csrf) in [(foreign[0], None), (foreign[1], Some("1")), (foreign[2], Some("1"))] {
        let mut request = client().post(format!("{own}/api/admin/accounts"));
        request = request.header("cookie", format!("operator_session={owner}"));
        if let Some((name, value)) = origin {
            request = request.header(name, value);
        }
        if let Some(csrf) = csrf {
            request = request.header("x-tollgate-csrf", csrf);
        }
        let request = request.header("content-type", "application/json").body(r#"{"name": "acme"}"#);
        let reply = request.send().await.expect("an answer");
        let (status, body) = (reply.status(), reply.json::<Value>().await.expect("JSON"));
        assert_eq!((status.as_u16(), &body["code"]), (403, &json!("ORIGIN_REFUSED")), "{origin:?} {csrf:?}");
    }
    let found = async || fixture.asked("/api/admin/accounts?search=acme", &owner).await.1["data"]["accounts"].clone();
    assert_eq!(found().await, json!([]));
    let request = fixture.post("/api/admin/accounts", &json!({"name": "acme"})).header("origin", own);
    let made = data(request.header("cookie", format!("operator_session={owner}"))).await;
    assert_eq!(found().await, json!([made]));
}

/// Neither password nor second factor, key, invitation or token is in the ledger's files.
#[tokio::test]
async fn secrets_of_operators_are_in_no_file() {
    let fixture = Fixture::start().await;
    let invitation = fixture.invitation("bob", OperatorRole::Reader).await;
    let (secret, session) = fixture.enrolled("ada", OperatorRole::Owner).await;
    let operators = &fixture.gateway.service().operators;
    let key = operators.create_key("ci", OperatorRole::Reader, None, "test").await.expect("a key").secret;
    let raw = data_encoding::BASE32_NOPAD.decode(secret.as_bytes()).expect("base 32");
    let (folder, _) = fixture.gateway.stop().await;
    let planted = [
        invitation.as_bytes(),
        secret.as_bytes(),
        &raw,
        session.as_bytes(),
        key.reveal().as_bytes(),
        PASSWORD.as_bytes(),
    ];
    for file in std::fs::read_dir(folder.path()).expect("the folder") {
        let bytes = std::fs::read(file.expect("a file").path()).unwrap_or_default();
        for text in planted {
            assert!(!bytes.windows(text.len()).any(|window| window == text), "{}", String::from_utf8_lossy(text));
        }
    }
}
