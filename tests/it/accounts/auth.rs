//! Who may call: every way to show a key, every way to be refused, in the shape of the path.

use serde_json::Value;
use tollgate_accounts::NewKey;
use tollgate_base::Clock;
use tollgate_tests::gateway::Options;
use tollgate_tests::wait::until;
use tollgate_tests::{TestGateway, client};

#[tokio::test]
async fn a_key_is_accepted_in_every_declared_place() {
    let gateway = TestGateway::start().await;
    for (name, value) in [
        ("authorization", format!("Bearer {}", gateway.key)),
        ("authorization", format!("bearer {}", gateway.key)),
        ("x-api-key", gateway.key.clone()),
        ("x-g-api-key", gateway.key.clone()),
        ("x-goog-api-key", gateway.key.clone()),
    ] {
        let reply = client().get(gateway.url("/v1/models")).header(name, value).send().await.expect("an answer");
        assert_eq!(reply.status(), 200, "{name}");
    }
    let reply = client().get(gateway.url(&format!("/v1/models?key={}", gateway.key))).send().await;
    assert_eq!(reply.expect("an answer").status(), 200);
}

#[tokio::test]
async fn a_bad_key_is_401_in_the_shape_of_the_path() {
    let gateway = TestGateway::start().await;
    for path in ["/v1/models", "/api/user/self/balance"] {
        for (key, code) in [(None, "KEY_MISSING"), (Some("sk-wrong"), "KEY_INVALID"), (Some(""), "KEY_MISSING")] {
            let mut request = client().get(gateway.url(path));
            if let Some(key) = key {
                request = request.bearer_auth(key);
            }
            let reply = request.send().await.expect("an answer");
            assert_eq!((reply.status().as_u16(), reply.headers()["x-should-retry"].as_bytes()), (401, &b"false"[..]));
            let body: Value = reply.json().await.expect("JSON");
            if path.starts_with("/api") {
                assert_eq!(
                    (body["success"].as_bool(), body["code"].as_str()),
                    (Some(false), Some(code)),
                    "{path} {key:?}"
                );
                assert_eq!(body["message"], code);
            } else {
                assert_eq!(body["error"]["code"], "invalid_api_key", "{path} {key:?}");
            }
        }
    }
    let g =
        client().get(gateway.url("/v1/models")).header("x-goog-api-key", "nothing").send().await.expect("an answer");
    assert_eq!(g.status(), 401);
    let body: Value = g.json().await.expect("JSON");
    assert_eq!(
        (body["error"]["code"].as_i64(), body["error"]["status"].as_str()),
        (Some(401), Some("UNAUTHENTICATED"))
    );
    assert_eq!(body["error"]["details"][0]["reason"], "API_KEY_INVALID");
    let a =
        client().get(gateway.url("/v1/models")).header("anthropic-version", "x").header("x-api-key", "no").send().await;
    let body: Value = a.expect("an answer").json().await.expect("JSON");
    assert_eq!((body["type"].as_str(), body["error"]["type"].as_str()), (Some("error"), Some("authentication_error")));
}

#[tokio::test]
async fn two_different_keys_are_refused_and_two_equal_ones_are_not() {
    let gateway = TestGateway::start().await;
    let other = gateway.new_key().await;
    let both = |second: &str| gateway.get("/v1/models").header("x-api-key", second).send();
    assert_eq!(both(&gateway.key).await.expect("an answer").status(), 200);
    let reply = both(&other).await.expect("an answer");
    assert_eq!(reply.status(), 400);
    let body: Value = reply.json().await.expect("JSON");
    assert_eq!(body["error"]["code"], "bad_parameter");
}

#[tokio::test]
async fn a_revoked_key_stops_working_by_itself() {
    let gateway = TestGateway::start().await;
    let key = gateway.new_key().await;
    let ask = || async {
        client().get(gateway.url("/api/user/self/balance")).bearer_auth(&key).send().await.expect("an answer")
    };
    assert_eq!(ask().await.status(), 200);
    let accounts = &gateway.service().accounts;
    let id = accounts
        .keys(gateway.account)
        .await
        .expect("keys")
        .into_iter()
        .max_by_key(|key| key.created_at_ms)
        .expect("a key")
        .id;
    let listed = accounts.keys(gateway.account).await.expect("keys");
    let shown = listed
        .iter()
        .find(|listed| key.starts_with(listed.shown.split('…').next().expect("a prefix")))
        .expect("it is listed");
    assert!(listed.iter().any(|key| key.id == id));
    accounts.revoke_key(&shown.id.to_string(), "test").await.expect("revoked");
    let body = until("the revocation to be seen", || async {
        let reply = ask().await;
        if reply.status() == 401 { reply.json::<Value>().await.ok() } else { None }
    })
    .await;
    assert_eq!(body["code"], "KEY_DISABLED");
}

#[tokio::test]
async fn a_key_expires_by_the_clock() {
    let (clock, hand) = Clock::manual(1_800_000_000_000);
    let gateway = TestGateway::with(Options { clock, ..Options::default() }).await;
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: Some(1_800_000_001_000) };
    let key = gateway.service().accounts.create_key(key, "test").await.expect("a key").secret;
    let ask =
        || async { client().get(gateway.url("/v1/models")).bearer_auth(key.reveal()).send().await.expect("an answer") };
    hand.advance_ms(999);
    assert_eq!(ask().await.status(), 200, "not a millisecond early");
    hand.advance_ms(1);
    assert_eq!(ask().await.status(), 401);
    let reply =
        client().get(gateway.url("/api/user/self/balance")).bearer_auth(key.reveal()).send().await.expect("an answer");
    assert_eq!(reply.json::<Value>().await.expect("JSON")["code"], "KEY_EXPIRED");
}

#[tokio::test]
async fn no_key_stands_in_the_ledger() {
    let gateway = TestGateway::start().await;
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200);
    let key = gateway.key.clone();
    let (folder, _upstream) = gateway.stop().await;
    let mut files = 0;
    for file in std::fs::read_dir(folder.path()).expect("a folder") {
        let bytes = std::fs::read(file.expect("an entry").path()).expect("a file");
        assert!(memchr::memmem::find(&bytes, key.as_bytes()).is_none());
        assert!(memchr::memmem::find(&bytes, b"upstream-secret-key").is_none());
        files += 1;
    }
    assert!(files >= 2, "the ledger and the configuration are there");
}

#[tokio::test]
async fn a_session_that_never_was_is_refused() {
    let gateway = TestGateway::start().await;
    let reply = client().get(gateway.url("/api/user/self/balance")).header("cookie", "session=nonsense").send().await;
    let reply = reply.expect("an answer");
    assert_eq!(reply.status(), 401);
    assert_eq!(reply.json::<Value>().await.expect("JSON")["code"], "SESSION_INVALID");
}

/// The answer comes before the body is read, and the client goes on sending: it must be able to read the answer all the same.
#[tokio::test]
async fn a_large_upload_with_a_wrong_key_reads_its_refusal() {
    let gateway = TestGateway::start().await;
    for _ in 0..20 {
        let request = client().post(gateway.url("/v1/images/edits")).bearer_auth("sk-nobody");
        let request = request.header("content-type", "multipart/form-data; boundary=b").body(vec![b'x'; 4 << 20]);
        let reply = request.send().await.expect("an answer and no broken connection");
        assert_eq!(reply.status(), 401);
        assert!(reply.text().await.expect("a body").contains("invalid_api_key"));
    }
}
