//! People sign in: cookies, pages of other origins, keys beside sessions, and how long it lasts.

mod fixation;

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};
use tollgate_accounts::AccountState;
use tollgate_base::{Clock, ManualClock, Secret};
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, client};

const PASSWORD: &str = "correct horse battery";
const HOUR_MS: i64 = 3_600_000;

struct House {
    gateway: TestGateway,
    hand: ManualClock,
}

impl House {
    /// With an account `ann` that has a password, and keys before all tables.
    async fn new(config: &str) -> Self {
        Self::at(Clock::manual(1_800_000_000_000), config).await
    }

    async fn at((clock, hand): (Clock, ManualClock), config: &str) -> Self {
        let gateway = TestGateway::with(Options { clock, config: config.to_owned(), ..Options::default() }).await;
        let accounts = &gateway.service().accounts;
        let ann = accounts.create_account("ann", "test").await.expect("an account").id;
        accounts.set_password(ann, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
        Self { gateway, hand }
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        client().post(self.gateway.url(path)).header("content-type", "application/json").body(body.to_string())
    }

    async fn login(&self, name: &str, password: &str) -> Response {
        let body = json!({"email": name, "password": password});
        self.post("/api/user/login", &body).send().await.expect("an answer")
    }

    /// The cookie of somebody who has signed in.
    async fn cookie(&self) -> String {
        let reply = self.login("ann", PASSWORD).await;
        assert_eq!(reply.status(), 200);
        cookie(&reply)
    }

    /// The status of the balance operation, which a session may read.
    async fn balance(&self, cookie: &str) -> u16 {
        let request = client().get(self.gateway.url("/api/user/self/balance")).header("cookie", cookie);
        request.send().await.expect("an answer").status().as_u16()
    }
}

/// What a browser sends back of the cookie that an answer sets.
fn cookie(reply: &Response) -> String {
    let line = reply.headers()["set-cookie"].to_str().expect("text");
    line.split(';').next().expect("a pair").to_owned()
}

async fn code(reply: Response) -> (u16, String) {
    let status = reply.status().as_u16();
    let body: Value = reply.json().await.expect("JSON");
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_session_begins_with_a_fresh_token_and_ends_when_told() {
    let house = House::new("").await;
    let reply = house.login("ann", PASSWORD).await;
    let line = reply.headers()["set-cookie"].to_str().expect("text").to_owned();
    let (pair, rest) = line.split_once(';').expect("attributes");
    assert_eq!(rest, " Path=/; HttpOnly; SameSite=Lax; Max-Age=604800");
    let token = pair.strip_prefix("session=").expect("the cookie's name");
    assert_eq!((token.len(), &reply.headers()["cache-control"]), (43, &"no-store".parse().expect("a value")));
    let told: Value = reply.json().await.expect("JSON");
    assert!(told["data"]["expires_at"] == 1_800_604_800 && !told.to_string().contains(token), "{told}");
    assert_eq!(house.balance(pair).await, 200);
    // One that was planted before the sign-in is worth nothing, and the next sign-in has another.
    let planted = format!("session={}", "A".repeat(43));
    let request = house.post("/api/user/login", &json!({"email": "ann", "password": PASSWORD}));
    let next = request.header("cookie", &planted).send().await.expect("an answer");
    let next = cookie(&next);
    assert!(next != pair && next != planted);
    assert_eq!((house.balance(&planted).await, house.balance(&next).await), (401, 200));
    // Signing out ends the one and leaves the other.
    let out = || house.post("/api/user/logout", &json!({})).header("cookie", pair).header("x-tollgate-csrf", "1");
    let reply = out().header("sec-fetch-site", "same-origin").send().await.expect("an answer");
    assert!(reply.headers()["set-cookie"].to_str().expect("text").starts_with("session=; ") && reply.status() == 200);
    assert_eq!((house.balance(pair).await, house.balance(&next).await), (401, 200));
    let again = out().header("sec-fetch-site", "same-origin").send().await.expect("an answer");
    assert_eq!(code(again).await, (401, "SESSION_INVALID".to_owned()));
}

#[tokio::test]
async fn over_tls_the_cookie_is_secure_and_bound_to_the_host() {
    let house = House::new("public_url = \"https://api.example.com\"\n").await;
    let reply = house.login("ann", PASSWORD).await;
    let line = reply.headers()["set-cookie"].to_str().expect("text").to_owned();
    assert!(
        line.starts_with("__Host-session=")
            && line.ends_with("; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure"),
        "{line}"
    );
    let pair = cookie(&reply);
    assert_eq!(house.balance(&pair).await, 200);
    assert_eq!(house.balance(pair.trim_start_matches("__Host-")).await, 401, "a neighbour could have set that one");
    let make = |origin: &str| {
        let request = house.post("/api/user/self/keys", &json!({"label": "x"})).header("cookie", &pair);
        request.header("origin", origin).header("x-tollgate-csrf", "1").send()
    };
    assert_eq!(make("https://api.example.com").await.expect("an answer").status(), 200);
    assert_eq!(make("http://api.example.com").await.expect("an answer").status(), 403);
}

#[tokio::test]
async fn a_change_by_a_session_comes_from_a_page_of_ours() {
    let house = House::new("").await;
    let (pair, own) = (house.cookie().await, house.gateway.url(""));
    let own = own.trim_end_matches('/');
    for (what, headers, want) in [
        ("a fetch of ours", vec![("origin", own), ("x-tollgate-csrf", "1")], 200),
        ("one whose browser tells the site", vec![("sec-fetch-site", "same-origin"), ("x-tollgate-csrf", "1")], 200),
        ("a form of another page", vec![("origin", "https://evil.example")], 403),
        ("a fetch of another page", vec![("origin", "https://evil.example"), ("x-tollgate-csrf", "1")], 403),
        ("a page of a neighbour", vec![("sec-fetch-site", "same-site"), ("x-tollgate-csrf", "1")], 403),
        ("a page without an origin", vec![("origin", "null"), ("x-tollgate-csrf", "1")], 403),
        ("a form of ours", vec![("origin", own)], 403),
        ("a program", vec![("x-tollgate-csrf", "1")], 403),
    ] {
        let request = house.post("/api/user/self/keys", &json!({"label": "x"})).header("cookie", &pair);
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        let (status, told) = code(request.send().await.expect("an answer")).await;
        assert_eq!(status, want, "{what}: {told}");
        assert!(status == 200 || told == "ORIGIN_REFUSED", "{what}: {told}");
    }
    // A form sends no JSON, and nobody is signed in as somebody else by it.
    let form = client().post(house.gateway.url("/api/user/login")).header("content-type", "text/plain");
    let form = form.header("origin", own).body(json!({"email": "ann", "password": PASSWORD}).to_string());
    assert_eq!(form.send().await.expect("an answer").status(), 415);
    let theirs = house.post("/api/user/login", &json!({"email": "ann", "password": PASSWORD}));
    let theirs = theirs.header("origin", "https://evil.example").send().await.expect("an answer");
    assert_eq!(code(theirs).await, (403, "ORIGIN_REFUSED".to_owned()));
}

#[tokio::test]
async fn a_key_counts_before_a_session_and_two_accounts_are_one_too_many() {
    let house = House::new("").await;
    let pair = house.cookie().await;
    let with = async |key: &str, cookie: &str| {
        let request = client().get(house.gateway.url("/api/user/self/balance")).bearer_auth(key);
        code(request.header("cookie", cookie).send().await.expect("an answer")).await
    };
    assert_eq!(with(&house.gateway.key, &pair).await, (401, "CALLER_CONFLICT".to_owned()));
    assert_eq!(with(&house.gateway.key, "session=nonsense").await.0, 200, "one that is nobody's is nobody's");
    assert_eq!(with("sk-wrong", &pair).await, (401, "KEY_INVALID".to_owned()));
    // The same account's may stand together, and then no page is asked for.
    let accounts = &house.gateway.service().accounts;
    let ann = accounts.find_account("ann").await.expect("an account").id;
    let new = tollgate_accounts::NewKey { account: ann, label: String::new(), expires_at_ms: None };
    let key = accounts.create_key(new, "test").await.expect("a key").secret;
    assert_eq!(with(key.reveal(), &pair).await.0, 200);
    let made = house.post("/api/user/self/keys", &json!({"label": "x"})).bearer_auth(key.reveal());
    assert_eq!(made.header("cookie", &pair).send().await.expect("an answer").status(), 200);
    // A model is never asked by a session.
    let chat = client().get(house.gateway.url("/v1/models")).header("cookie", &pair).send().await;
    assert_eq!(code(chat.expect("an answer")).await.0, 401);
}

#[tokio::test]
async fn a_session_ends_by_rest_by_age_and_with_its_account() {
    let house = House::new("").await;
    let idle = house.cookie().await;
    house.hand.advance_ms(12 * HOUR_MS - 1);
    assert_eq!(house.balance(&idle).await, 200);
    house.hand.advance_ms(12 * HOUR_MS);
    assert_eq!(house.balance(&idle).await, 401, "twelve hours of rest");
    let used = house.cookie().await;
    for _ in 0..16 {
        house.hand.advance_ms(10 * HOUR_MS);
        assert_eq!(house.balance(&used).await, 200);
    }
    house.hand.advance_ms(8 * HOUR_MS);
    assert_eq!(house.balance(&used).await, 401, "seven days");
    let accounts = &house.gateway.service().accounts;
    let ann = accounts.find_account("ann").await.expect("an account").id;
    let frozen = house.cookie().await;
    accounts.set_account_state(ann, AccountState::Frozen, "test").await.expect("frozen");
    assert_eq!(house.balance(&frozen).await, 401);
    assert_eq!(code(house.login("ann", PASSWORD).await).await, (401, "LOGIN_FAILED".to_owned()));
    accounts.set_account_state(ann, AccountState::Active, "test").await.expect("thawed");
    assert_eq!(house.balance(&frozen).await, 401, "it does not come to life again");
    let before = house.cookie().await;
    accounts.set_password(ann, Secret::new("another password".to_owned()), "test").await.expect("a password");
    assert_eq!(house.balance(&before).await, 401, "whoever knew the old one");
}

#[tokio::test]
async fn five_failures_a_minute_and_the_same_words_for_an_unknown_name() {
    let trusting = "[listener]\ntrusted_proxies = [\"127.0.0.1\"]\n";
    let house = House::new(trusting).await;
    let from = async |address: &str, name: &str, password: &str| {
        let body = json!({"email": name, "password": password});
        let request = house.post("/api/user/login", &body).header("x-forwarded-for", address);
        request.send().await.expect("an answer")
    };
    let words = async |reply: Response| {
        let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        (reply.status().as_u16(), reply.text().await.expect("a body").replace(&id, ""))
    };
    assert_eq!(
        words(from("192.0.2.1", "ann", "wrong").await).await,
        words(from("192.0.2.1", "bob", "wrong").await).await
    );
    // One of the name from there is used up.
    for _ in 0..4 {
        assert_eq!(from("192.0.2.1", "ANN", "wrong").await.status(), 401);
    }
    let limited = from("192.0.2.1", "ann", PASSWORD).await;
    assert_eq!((limited.status().as_u16(), &limited.headers()["retry-after"]), (429, &"60".parse().expect("a value")));
    assert_eq!(code(limited).await.1, "RATE_LIMITED");
    for _ in 0..6 {
        assert_eq!(
            from("192.0.2.2", "ann", PASSWORD).await.status(),
            200,
            "from elsewhere, and as often as it succeeds"
        );
    }
    assert_eq!(from("192.0.2.1", "bob", "wrong").await.status(), 401, "which is no reason against the address");
    house.hand.advance_ms(59_999);
    assert_eq!(from("192.0.2.1", "ann", PASSWORD).await.status(), 429);
    house.hand.advance_ms(1);
    assert_eq!(from("192.0.2.1", "ann", PASSWORD).await.status(), 200);
    // One provider's customer has 64 bits of addresses.
    for last in 1..=5 {
        assert_eq!(from(&format!("2001:db8::{last}"), "carl", "wrong").await.status(), 401);
    }
    assert_eq!(from("2001:db8::ffff", "carl", "wrong").await.status(), 429);
}

#[tokio::test]
async fn people_register_where_they_may() {
    let closed = House::new("").await;
    let body = json!({"email": "Eve@Example.org", "password": PASSWORD});
    let refused = closed.post("/api/user/register", &body).send().await.expect("an answer");
    assert_eq!(code(refused).await, (403, "REGISTRATION_DISABLED".to_owned()));
    let open = House::new("[accounts]\nregistration = true\n").await;
    let reply = open.post("/api/user/register", &body).send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    assert_eq!(open.balance(&cookie(&reply)).await, 200);
    assert_eq!(open.login("eve@example.org", PASSWORD).await.status(), 200);
    assert_eq!(open.login("EVE@example.org", PASSWORD).await.status(), 200);
    let again = open.post("/api/user/register", &body).send().await.expect("an answer");
    assert_eq!(code(again).await, (409, "ACCOUNT_EXISTS".to_owned()));
    for (email, password) in [("no address", PASSWORD), ("a@b c", PASSWORD), ("a@b", "short")] {
        let body = json!({"email": email, "password": password});
        let refused = open.post("/api/user/register", &body).send().await.expect("an answer");
        let told = refused.text().await.expect("a body");
        assert!(told.contains("BAD_FIELD") && !told.contains(password), "{told}");
    }
}
