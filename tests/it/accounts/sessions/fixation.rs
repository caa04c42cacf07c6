//! However somebody comes in, the session is a fresh one: a token that a stranger has put into the browser before stays what it was.

use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::wallet::Wallet;

use super::*;

/// A way to come in.
#[derive(Debug, Clone, Copy)]
enum Way {
    Password,
    Registration,
    Wallet,
    Provider,
}

/// The path and the body by which somebody comes in that way, whom nobody else is.
async fn coming_in(house: &House, way: Way, number: usize) -> (&'static str, Value) {
    let asked = async |path: &str, body: Value| -> Value {
        house.post(path, &body).send().await.expect("an answer").json().await.expect("JSON")
    };
    match way {
        Way::Password => ("/api/user/login", json!({"email": "ann", "password": PASSWORD})),
        Way::Registration => {
            let email = format!("person{number}@example.org");
            ("/api/user/register", json!({"email": email, "password": PASSWORD}))
        }
        Way::Wallet => {
            let wallet = Wallet::evm();
            let named = json!({"chain": wallet.chain(), "address": wallet.address()});
            ("/api/user/login/wallet", wallet.proof(&asked("/api/user/login/wallet/challenge", named).await))
        }
        Way::Provider => {
            let begun = asked("/api/user/login/oidc/begin", json!({"provider": "company"})).await;
            let text = |name: &str| begun["data"][name].as_str().unwrap_or_else(|| panic!("{begun}"));
            let returned = OidcProvider::shared().visit(text("url"), &format!("person{number}")).await;
            ("/api/user/login/oidc", returned.answer(text("secret")))
        }
    }
}

#[tokio::test]
async fn a_token_that_was_there_before_is_nobodys_session_whatever_way_somebody_comes_in() {
    let provider = OidcProvider::shared();
    // The tokens of the provider tell the time of this machine.
    let config = format!("[accounts]\nregistration = true\n{}", provider.config(true));
    let house = House::at(Clock::manual(Clock::system().now_ms()), &config).await;
    let accounts = &house.gateway.service().accounts;
    let stranger = accounts.create_account("stranger", "test").await.expect("an account").id;
    accounts.set_password(stranger, Secret::new(PASSWORD.to_owned()), "test").await.expect("a password");
    let own_account = async |cookie: &str| {
        let request = client().get(house.gateway.url("/api/user/self/organisations")).header("cookie", cookie);
        let told: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        told["data"][0]["account_id"].as_i64()
    };
    // One that nobody has, and one of the stranger's, who waits for what it becomes.
    let theirs = cookie(&house.login("stranger", PASSWORD).await);
    let nobodys = format!("session={}", "A".repeat(43));
    let mut number = 0;
    for way in [Way::Provider, Way::Registration, Way::Password, Way::Wallet] {
        // Accounts are opened from an address a few a minute.
        if matches!(way, Way::Wallet) {
            house.hand.advance_ms(60_001);
        }
        for (planted, before) in [(&nobodys, None), (&theirs, Some(stranger.0))] {
            number += 1;
            let (path, body) = coming_in(&house, way, number).await;
            let reply = house.post(path, &body).header("cookie", planted).send().await.expect("an answer");
            assert_eq!(reply.status(), 200, "{way:?}");
            let fresh = cookie(&reply);
            let account = own_account(&fresh).await;
            assert!(fresh != *planted && account.is_some() && account != Some(stranger.0), "{way:?}: {account:?}");
            assert_eq!(own_account(planted).await, before, "{way:?}");
        }
    }
}
