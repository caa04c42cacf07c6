//! With two providers, what one of them says counts at its own name alone, and nobody is the same person at both.

use std::collections::BTreeMap;

use reqwest::Url;
use tollgate_tests::oidc::{NAME, OTHER, Returned};

use super::*;

/// A gateway with two providers.
struct Two {
    house: House,
    other: OidcProvider,
}

impl Two {
    async fn start() -> Self {
        let other = OidcProvider::start();
        let house = House::on(nothing, &format!("{REGISTRATION}{}", other.config_of_other())).await;
        Self { house, other }
    }

    fn provider(&self, name: &str) -> &OidcProvider {
        if name == OTHER { &self.other } else { &self.house.company }
    }

    /// The address to which a sign-in sends a browser, and the secret.
    async fn begun(&self, name: &str) -> (Url, String) {
        let (begun, _) = self.house.post(BEGIN, &json!({"provider": name}), "").await.expect("it begins");
        let text = |name: &str| begun[name].as_str().expect("a text").to_owned();
        (text("url").parse().expect("an address"), text("secret"))
    }

    /// The answer that a browser brings back from a provider, and the secret of the sign-in.
    async fn returned(&self, name: &str, subject: &str) -> (Returned, String) {
        let (url, secret) = self.begun(name).await;
        (self.provider(name).visit(url.as_str(), subject).await, secret)
    }

    async fn sign_in(&self, name: &str, subject: &str) -> (Value, String) {
        let (returned, secret) = self.returned(name, subject).await;
        self.house.post(LOGIN, &returned.answer_of(name, &secret), "").await.expect("signed in")
    }
}

#[tokio::test]
async fn one_subject_of_two_providers_is_two_people() {
    let two = Two::start().await;
    let mut people = Vec::new();
    for name in [NAME, OTHER] {
        let (data, cookie) = two.sign_in(name, "ann").await;
        assert_eq!(two.house.own(&cookie).await["name"], format!("{name}:ann"));
        let identities = two.house.get(OWN.trim_end_matches("/oidc"), &cookie).await;
        let issuers: Vec<&Value> = identities.as_array().expect("a list").iter().map(|each| &each["issuer"]).collect();
        assert_eq!(issuers, [&json!(two.provider(name).url)]);
        people.push((name, data["user_id"].clone(), cookie));
    }
    assert_ne!(people[0].1, people[1].1);
    for (name, account, _) in &people {
        assert_eq!(two.sign_in(name, "ann").await.0["user_id"], *account, "{name}");
    }
    // The one of them signs out its own person alone, and by its own name.
    let token = two.other.logout_token("ann", true).await;
    let sign_out = async |name: &str| {
        let request = client().post(two.house.gateway.url(&format!("{LOGIN}/{name}/logout")));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.body(format!("logout_token={token}")).send().await.expect("an answer").status().as_u16()
    };
    let left = async || {
        let mut left = Vec::new();
        for (.., cookie) in &people {
            let request = client().get(two.house.gateway.url(ORGANISATIONS)).header("cookie", cookie);
            left.push(request.send().await.expect("an answer").status().as_u16());
        }
        left
    };
    assert_eq!((sign_out(NAME).await, left().await), (400, vec![200, 200]));
    assert_eq!((sign_out(OTHER).await, left().await), (200, vec![200, 401]));
    two.house.gateway.assert_books().await;
}

/// The mix-up of RFC 9207: whoever has one of two providers wants the codes and the people of the other one.
#[tokio::test]
async fn what_one_provider_answers_is_taken_to_no_other() {
    let two = Two::start().await;
    for (own, other) in [(NAME, OTHER), (OTHER, NAME)] {
        // An answer of one that is brought to the return address of the other, also where it says that it is from there.
        let (returned, secret) = two.returned(own, "ann").await;
        let renamed = Returned { issuer: two.provider(other).url.clone(), ..returned.clone() };
        for brought in [&returned, &renamed] {
            let detail = two.house.refused(&brought.answer_of(other, &secret)).await;
            assert!(detail.contains("another sign-in"), "{own}: {detail}");
        }
        // Among what belongs to a sign-in at the other.
        let (theirs, theirs_secret) = two.returned(other, "eve").await;
        let mixed = |issuer: &Returned| Returned {
            code: returned.code.clone(),
            issuer: issuer.issuer.clone(),
            ..theirs.clone()
        };
        let detail = two.house.refused(&mixed(&returned).answer_of(other, &theirs_secret)).await;
        assert!(detail.contains("another provider"), "{own}: {detail}");
        let detail = two.house.refused(&mixed(&theirs).answer_of(other, &theirs_secret)).await;
        assert!(detail.contains("used before, is too old, or is another's"), "{own}: {detail}");
        // It is as good as before where it is from.
        let (data, _) = two.house.post(LOGIN, &returned.answer_of(own, &secret), "").await.expect("signed in");
        assert_eq!(data["user_id"], two.sign_in(own, "ann").await.0["user_id"], "{own}");
    }
}

/// The provider at which a sign-in began sends the browser on to the other one, with its own state, nonce and challenge.
#[tokio::test]
async fn a_browser_that_was_sent_on_to_another_provider_signs_in_nobody() {
    let two = Two::start().await;
    for (honest, evil) in [(NAME, OTHER), (OTHER, NAME)] {
        let ((asked, secret), (mut sent_on, _)) = (two.begun(evil).await, two.begun(honest).await);
        let given: BTreeMap<String, String> = asked.query_pairs().into_owned().collect();
        let own: BTreeMap<String, String> = sent_on.query_pairs().into_owned().collect();
        let sent = own.iter().map(|(name, value)| match name.as_str() {
            "state" | "nonce" | "code_challenge" => (name, &given[name]),
            _ => (name, value),
        });
        sent_on.query_pairs_mut().clear().extend_pairs(sent);
        let returned = two.provider(honest).visit(sent_on.as_str(), "ann").await;
        assert_eq!((&returned.state, &returned.issuer), (&given["state"], &two.provider(honest).url));
        let at_evil = two.house.refused(&returned.answer_of(evil, &secret)).await;
        assert!(at_evil.contains("another provider"), "{honest}: {at_evil}");
        let at_honest = two.house.refused(&returned.answer_of(honest, &secret)).await;
        assert!(at_honest.contains("another sign-in"), "{honest}: {at_honest}");
    }
}
