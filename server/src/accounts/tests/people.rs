//! People sign in, are limited in their tries, and are signed out by time, by freezing and by a new password.

use std::net::IpAddr;

use super::*;

const PASSWORD: &str = "correct horse";
const HOUR_MS: i64 = 3_600_000;

fn secret(text: &str) -> Secret {
    Secret::new(text.to_owned())
}

fn from(last: u8) -> Option<IpAddr> {
    Some([192, 0, 2, last].into())
}

async fn with_ann(on: On) -> (House, AccountId) {
    let house = house(on).await;
    let ann = house.account("Ann@Example.org").await.id;
    house.accounts.set_password(ann, secret(PASSWORD), "test").await.unwrap();
    (house, ann)
}

/// How a sign-in went.
async fn tried(house: &House, name: &str, password: &str, from: Option<IpAddr>) -> &'static str {
    match house.accounts.sign_in(name, secret(password), from).await {
        Ok(_) => "in",
        Err(SignInRefused::Wrong) => "wrong",
        Err(SignInRefused::TooMany { .. }) => "too many",
        Err(error) => panic!("{error}"),
    }
}

async fn a_session_is_of_its_token_and_its_account_alone(on: On) {
    let (house, ann) = with_ann(on).await;
    let begun = house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    let other = house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(2)).await.unwrap();
    assert_ne!(begun.token, other.token);
    let found = house.accounts.session(begun.token.reveal()).await.unwrap();
    assert_eq!((found, begun.session.account), (begun.session.clone(), ann));
    for nobody in ["", "x", &"A".repeat(43)] {
        assert!(matches!(house.accounts.session(nobody).await, Err(SessionRefused::Unknown)), "{nobody}");
    }
    house.accounts.end_session(begun.session.id).await.unwrap();
    house.accounts.end_session(begun.session.id).await.unwrap();
    assert!(matches!(house.accounts.session(begun.token.reveal()).await, Err(SessionRefused::Unknown)));
    assert!(house.accounts.session(other.token.reveal()).await.is_ok());
}

async fn an_unknown_name_is_as_much_work_and_told_the_same(on: On) {
    let (house, _) = with_ann(on).await;
    house.account("without").await;
    let computed = || house.accounts.passwords.computed();
    for (number, name) in (1..).zip(["Ann@Example.org", "nobody", "without"]) {
        let before = computed();
        assert_eq!(tried(&house, name, "wrong", from(number)).await, "wrong", "{name}");
        assert_eq!(computed(), before + 1, "{name}");
    }
    // A name in other letters is found, and the password is no less asked for.
    house.account("bob@example.org").await;
    assert_eq!(tried(&house, "BOB@example.org", "", from(9)).await, "wrong", "without a password nobody is in");
}

async fn tries_are_counted_by_address_and_by_name(on: On) {
    let (house, _) = with_ann(on).await;
    for number in 1..=4 {
        assert_eq!(tried(&house, "Ann@Example.org", "wrong", from(number)).await, "wrong");
    }
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(5)).await, "in", "the fifth");
    let before = house.accounts.passwords.computed();
    assert_eq!(tried(&house, "ann@example.ORG", PASSWORD, from(6)).await, "too many");
    assert_eq!(house.accounts.passwords.computed(), before, "and no work");
    for name in ["a", "b", "c", "d", "e"] {
        assert_eq!(tried(&house, name, "wrong", from(7)).await, "wrong", "one refused cost the address nothing");
    }
    assert_eq!(tried(&house, "f", "wrong", from(7)).await, "too many");
    // Another node counts the same.
    let beside = Accounts::new(house.store.clone(), house.accounts.clock.clone());
    let there = beside.sign_in("Ann@Example.org", secret(PASSWORD), from(8)).await.unwrap_err();
    assert!(matches!(there, SignInRefused::TooMany { wait_seconds: 60 }), "{there}");
    house.hand.advance_ms(59_001);
    let there = beside.sign_in("Ann@Example.org", secret(PASSWORD), from(8)).await.unwrap_err();
    assert!(matches!(there, SignInRefused::TooMany { wait_seconds: 1 }), "{there}");
    house.hand.advance_ms(999);
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(6)).await, "in");
}

async fn tries_at_the_same_moment_are_no_more(on: On) {
    let (house, _) = with_ann(on).await;
    let all = (1..=12).map(|number| tried(&house, "Ann@Example.org", "wrong", from(number)));
    let outcomes = futures_util::future::join_all(all).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == "wrong").count(), 5, "{outcomes:?}");
}

async fn a_session_ends_by_rest_and_by_age(on: On) {
    let (house, _) = with_ann(on).await;
    let begun = house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    let alive = async || house.accounts.session(begun.token.reveal()).await.is_ok();
    for _ in 0..13 {
        house.hand.advance_ms(12 * HOUR_MS - 1);
        assert!(alive().await);
    }
    house.hand.advance_ms(6 * HOUR_MS);
    assert!(alive().await);
    house.hand.advance_ms(7 * 24 * HOUR_MS - 13 * (12 * HOUR_MS - 1) - 6 * HOUR_MS - 1);
    assert!(alive().await, "a millisecond before its end");
    house.hand.advance_ms(1);
    assert!(matches!(house.accounts.session(begun.token.reveal()).await, Err(SessionRefused::Over)));
    let rested = house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    house.hand.advance_ms(12 * HOUR_MS);
    assert!(matches!(house.accounts.session(rested.token.reveal()).await, Err(SessionRefused::Over)));
}

async fn a_frozen_account_and_a_new_password_end_all_sessions(on: On) {
    let (house, ann) = with_ann(on).await;
    let begin = async |password, last| house.accounts.sign_in("Ann@Example.org", secret(password), from(last)).await;
    let first = begin(PASSWORD, 1).await.unwrap();
    house.accounts.set_account_state(ann, AccountState::Frozen, "test").await.unwrap();
    assert!(matches!(house.accounts.session(first.token.reveal()).await, Err(SessionRefused::Unknown)));
    assert!(matches!(begin(PASSWORD, 2).await, Err(SignInRefused::Wrong)));
    house.accounts.set_account_state(ann, AccountState::Active, "test").await.unwrap();
    assert!(matches!(house.accounts.session(first.token.reveal()).await, Err(SessionRefused::Unknown)), "for good");
    let second = begin(PASSWORD, 3).await.unwrap();
    house.accounts.set_password(ann, secret("another password"), "test").await.unwrap();
    assert!(matches!(house.accounts.session(second.token.reveal()).await, Err(SessionRefused::Unknown)));
    assert!(begin("another password", 4).await.is_ok());
    for unfit in ["", "1234567", &"x".repeat(4097)] {
        let refused = house.accounts.set_password(ann, secret(unfit), "test").await.unwrap_err();
        assert!(matches!(refused, AccountError::PasswordUnfit), "{refused}");
    }
}

async fn registration_makes_one_account_of_a_name(on: On) {
    let house = house(on).await;
    let shut = house.accounts.register("eve@example.org", secret(PASSWORD), from(1)).await.unwrap_err();
    assert!(matches!(shut, SignInRefused::Closed), "{shut}");
    let open = house.accounts.clone().with_registration(true);
    let begun = open.register("Eve@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    assert!(open.session(begun.token.reveal()).await.is_ok());
    assert_eq!(open.find_account("eve@example.org").await.unwrap().id, begun.session.account);
    let again = open.register("eve@EXAMPLE.org", secret(PASSWORD), from(2)).await.unwrap_err();
    assert!(matches!(again, SignInRefused::NameTaken), "{again}");
    assert_eq!(tried(&house, "EVE@example.org", PASSWORD, from(3)).await, "in");
}

on_both!(
    a_session_is_of_its_token_and_its_account_alone,
    an_unknown_name_is_as_much_work_and_told_the_same,
    tries_are_counted_by_address_and_by_name,
    tries_at_the_same_moment_are_no_more,
    a_session_ends_by_rest_and_by_age,
    a_frozen_account_and_a_new_password_end_all_sessions,
    registration_makes_one_account_of_a_name,
);
