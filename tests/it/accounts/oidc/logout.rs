//! A provider signs a person out (OpenID Connect Back-Channel Logout 1.0), and nobody else does.

use tollgate_base::ManualClock;

use super::*;

/// The operation that the provider of these tests calls.
const LOGOUT: &str = "/api/user/login/oidc/company/logout";

impl House {
    /// True if a session is there still.
    async fn is_signed_in(&self, cookie: &str) -> bool {
        let request = client().get(self.gateway.url(ORGANISATIONS)).header("cookie", cookie);
        request.send().await.expect("an answer").status() == 200
    }

    /// The answer of the gateway to a request of the provider's.
    async fn logout(&self, kind: &str, body: String) -> Told {
        let request = client().post(self.gateway.url(LOGOUT)).header("content-type", kind);
        told(request.body(body).send().await.expect("an answer")).await
    }
}

/// A form of one field.
fn form(token: &str) -> (&'static str, String) {
    ("application/x-www-form-urlencoded", format!("logout_token={token}"))
}

#[tokio::test]
async fn whom_the_provider_signs_out_is_signed_out_here_and_nobody_else() {
    let house = House::with(nothing).await;
    house.company.set(json!({"logout": house.gateway.url(LOGOUT)})).await;
    let (data, _) = house.sign_in("ann").await.expect("signed in");
    // A session by a password is not the provider's.
    let own = house.sign_in_by_password(AccountId(data["user_id"].as_i64().expect("a number"))).await;
    let own = format!("session={}", own.token.reveal());
    let (_, bob) = house.sign_in("bob").await.expect("signed in");
    for alg in ["RS256", "ES256", "EdDSA"] {
        house.company.set(json!({"alg": alg})).await;
        let (_, one) = house.sign_in("ann").await.expect("signed in");
        let (_, other) = house.sign_in("ann").await.expect("signed in");
        house.company.sign_out("ann").await;
        assert!(!house.is_signed_in(&one).await && !house.is_signed_in(&other).await, "{alg}");
        assert!(house.is_signed_in(&own).await && house.is_signed_in(&bob).await, "{alg}");
    }
    // Of whom nobody knows there are no sessions.
    house.company.sign_out("a stranger").await;
    assert!(house.is_signed_in(&bob).await);
}

/// A gateway whose time is a test's, and the provider's with it.
struct Timed {
    house: House,
    clock: Clock,
    hand: ManualClock,
}

impl Timed {
    async fn start() -> Self {
        let (clock, hand) = Clock::manual(Clock::system().now_ms());
        Self { house: House::at(nothing, REGISTRATION, clock.clone()).await, clock, hand }
    }

    /// Has the tokens of Ann tell the gateway's time, forged in this way.
    async fn forge(&self, forge: &str) {
        let shift = (self.clock.now_ms() - Clock::system().now_ms()).div_euclid(1000);
        self.house.company.person("ann", json!({"test": {"forge": forge, "shift": shift}})).await;
    }

    /// Her logout token, forged in this way.
    async fn token(&self, forge: &str) -> String {
        self.forge(forge).await;
        self.house.company.logout_token("ann", true).await
    }

    async fn sign_in(&self) -> String {
        self.forge("").await;
        self.house.sign_in("ann").await.expect("signed in").1
    }

    async fn refused(&self, (kind, body): (&str, String), reason: &str) {
        let (status, code, detail) = self.house.logout(kind, body).await.expect_err("it is refused");
        assert_eq!((status, code.as_str()), (400, "OIDC_LOGOUT_REFUSED"), "{detail}");
        assert!(detail.contains(reason), "{reason}: {detail}");
    }
}

#[tokio::test]
async fn logout_tokens_that_a_provider_should_not_have_made_sign_nobody_out() {
    let timed = Timed::start().await;
    let house = &timed.house;
    let cookie = timed.sign_in().await;
    for (forge, reason) in [
        ("issuer", "another issuer"),
        ("audience", "another service"),
        ("critical", "no key"),
        ("expired", "not of this time"),
        ("ahead", "not of this time"),
        ("without-end", "other claims"),
        ("nonce", "no logout token"),
        ("without-event", "no logout token"),
        ("other-event", "no logout token"),
        ("other-type", "no logout token"),
        ("nobody", "names nobody"),
        ("without-subject", "names nobody"),
        ("foreign-key", "no key"),
        ("foreign-kid", "no key"),
        ("own-key", "no key"),
        ("unsigned", "no key"),
        ("by-secret", "no key"),
        ("by-public-key", "no key"),
        ("changed", "no key"),
        ("truncated", "no key"),
    ] {
        timed.refused(form(&timed.token(forge).await), reason).await;
    }
    let token = timed.token("").await;
    for body in [String::new(), format!("logout_token={token}&logout_token={token}"), format!("token={token}")] {
        timed.refused(("application/x-www-form-urlencoded", body), "no logout token, or more").await;
    }
    timed.refused(("application/json", json!({"logout_token": [token]}).to_string()), "no logout token, or more").await;
    timed.refused(form(&"x".repeat(20_000)), "no logout token, or more").await;
    // Another provider's token, and another provider's name in the path.
    let other = OidcProvider::start();
    timed.refused(form(&other.logout_token("ann", true).await), "no key").await;
    let request = client().post(house.gateway.url("/api/user/login/oidc/other/logout")).body(form(&token).1);
    let (status, code, _) = told(request.send().await.expect("an answer")).await.expect_err("none of this name");
    assert_eq!((status, code.as_str()), (404, "OIDC_PROVIDER_NOT_FOUND"));
    assert!(house.is_signed_in(&cookie).await);
    // What is its own counts, with whatever other fields, or as JSON.
    let (ended, _) = house.logout("text/plain", format!("state=1&logout_token={token}&x=")).await.expect("it counts");
    assert_eq!((ended, house.is_signed_in(&cookie).await), (json!({"ended": 1}), false));
    let body = json!({"logout_token": token, "state": 1}).to_string();
    let (ended, _) = house.logout("application/json", body).await.expect("it counts");
    assert_eq!(ended, json!({"ended": 0}));
}

#[tokio::test]
async fn a_logout_token_that_comes_again_ends_no_later_session() {
    let timed = Timed::start().await;
    let before = timed.sign_in().await;
    let token = timed.token("").await;
    let house = &timed.house;
    let ended = async || house.logout(form(&token).0, form(&token).1).await.expect("it counts").0;
    assert_eq!((ended().await, house.is_signed_in(&before).await), (json!({"ended": 1}), false));
    // Clocks may be a minute apart.
    timed.hand.advance_ms(65_000);
    let after = timed.sign_in().await;
    assert_eq!((ended().await, house.is_signed_in(&after).await), (json!({"ended": 0}), true));
    // Nor does it count for ever.
    timed.hand.advance_ms(200_000);
    timed.refused(form(&token), "not of this time").await;
    assert!(house.is_signed_in(&after).await);
}

#[tokio::test]
async fn new_keys_of_the_provider_are_asked_for_once_in_some_seconds() {
    let timed = Timed::start().await;
    let house = &timed.house;
    let (_, first) = (timed.sign_in().await, timed.token("").await);
    house.logout(form(&first).0, form(&first).1).await.expect("it counts");
    house.company.rotate().await;
    let (cookie, token) = (timed.sign_in().await, timed.token("").await);
    timed.refused(form(&token), "no key").await;
    timed.hand.advance_ms(5_000);
    let (ended, _) = house.logout(form(&token).0, form(&token).1).await.expect("it counts");
    assert_eq!((ended, house.is_signed_in(&cookie).await), (json!({"ended": 1}), false));
}

#[tokio::test]
async fn a_provider_that_is_gone_signs_nobody_out_until_it_is_back() {
    let timed = Timed::start().await;
    let house = &timed.house;
    let (cookie, token) = (timed.sign_in().await, timed.token("").await);
    house.company.set(json!({"down": true})).await;
    // Not once for each that comes, so that nobody makes the gateway a burden to it.
    for _ in 0..3 {
        let (status, code, _) = house.logout(form(&token).0, form(&token).1).await.expect_err("it is gone");
        assert_eq!((status, code.as_str()), (502, "OIDC_UNAVAILABLE"));
    }
    house.company.set(json!({"down": false})).await;
    let (_, code, _) = house.logout(form(&token).0, form(&token).1).await.expect_err("it was gone a moment ago");
    assert_eq!(code, "OIDC_UNAVAILABLE");
    timed.hand.advance_ms(5_000);
    let (ended, _) = house.logout(form(&token).0, form(&token).1).await.expect("it counts");
    assert_eq!((ended, house.is_signed_in(&cookie).await), (json!({"ended": 1}), false));
}
