//! People sign in, are limited in their tries, and are signed out by time, by freezing and by a new password.

use std::net::IpAddr;

use super::*;
use tollgate_store::query;

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

/// The result of a sign-in.
async fn tried(house: &House, name: &str, password: &str, from: Option<IpAddr>) -> &'static str {
    match house.accounts.sign_in(name, secret(password), from).await {
        Ok(_) => "in",
        Err(SignInRejection::Wrong) => "wrong",
        Err(SignInRejection::TooMany { .. }) => "too many",
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
        assert!(matches!(house.accounts.session(nobody).await, Err(SessionRejection::Unknown)), "{nobody}");
    }
    house.accounts.end_session(begun.session.id).await.unwrap();
    house.accounts.end_session(begun.session.id).await.unwrap();
    assert!(matches!(house.accounts.session(begun.token.reveal()).await, Err(SessionRejection::Unknown)));
    assert!(house.accounts.session(other.token.reveal()).await.is_ok());
}

async fn of_two_changes_of_a_password_by_the_one_before_it_one_counts(on: On) {
    let (house, ann) = with_ann(on).await;
    let change =
        |new: &'static str, last| house.accounts.change_password(ann, secret(PASSWORD), secret(new), from(last));
    let (first, second) = tokio::join!(change("another horse", 1), change("a third horse", 2));
    assert_ne!(first.is_ok(), second.is_ok());
    let refused = first.as_ref().err().or(second.as_ref().err()).unwrap();
    assert!(matches!(refused, SignInRejection::Wrong), "{refused}");
    let (new, old) =
        if first.is_ok() { ("another horse", "a third horse") } else { ("a third horse", "another horse") };
    assert_eq!(tried(&house, "Ann@Example.org", new, from(3)).await, "in");
    assert_eq!(tried(&house, "Ann@Example.org", old, from(4)).await, "wrong");
    // What was compared has to be what is there when the new one is written, and the account one that is signed in to.
    let replace = async |before: &str| {
        house.accounts.replace_password(ann, Some(before), secret("a fourth horse"), None, "test".into()).await.unwrap()
    };
    assert!(!replace("$argon2id$other").await);
    let hash = query("SELECT password FROM accounts WHERE id = $1").bind(ann.0).fetch_one(house.store.readers()).await;
    let hash: String = hash.unwrap().try_get(0).unwrap();
    house.accounts.set_account_state(ann, AccountState::Frozen, "test").await.unwrap();
    assert!(!replace(&hash).await);
}

/// As by a wallet or a provider.
async fn signed_in_otherwise(house: &House, account: AccountId) -> UserSession {
    let mut transaction = house.store.begin_of(account).await.unwrap();
    let wallet = "INSERT INTO identities (id, account_id, kind, issuer, subject, created_at, used_at) \
        VALUES ($1, $1, 'evm', '', $2, 1, 1) ON CONFLICT DO NOTHING";
    let address = format!("0x{:040x}", account.0);
    query(wallet).bind(account.0).bind(address.as_str()).execute(&mut transaction).await.unwrap();
    let begun = house.accounts.begin_session_within(&mut transaction, account, None).await.unwrap().unwrap();
    transaction.commit().await.unwrap();
    begun.session
}

async fn an_account_without_a_password_is_given_its_first_one_by_who_signed_in_lately(on: On) {
    let house = house(on).await;
    let ann = house.account("Ann@Example.org").await.id;
    let set = async |session: &UserSession, new: &str| {
        house.accounts.set_first_password(ann, session.id, secret(new), from(1)).await
    };
    let (old, other) = (signed_in_otherwise(&house, ann).await, house.account("bob").await.id);
    // A session of somebody else's is none of the account.
    let theirs = signed_in_otherwise(&house, other).await;
    assert!(matches!(set(&theirs, PASSWORD).await, Err(FirstPasswordRejection::SignedOut)));
    house.hand.advance_ms(15 * 60_000);
    let computed = house.accounts.passwords.computed();
    assert!(matches!(set(&old, PASSWORD).await, Err(FirstPasswordRejection::Stale)));
    assert_eq!(house.accounts.passwords.computed(), computed, "and no work");
    assert!(!house.accounts.signs_in_by_password(ann).await.unwrap());
    let [first, second] = [signed_in_otherwise(&house, ann).await, signed_in_otherwise(&house, ann).await];
    house.hand.advance_ms(15 * 60_000 - 1);
    // Of two at once one counts, and all sessions are over.
    let (one, two) = tokio::join!(set(&first, PASSWORD), set(&second, "another horse"));
    assert_ne!(one.is_ok(), two.is_ok());
    let refused = one.as_ref().err().or(two.as_ref().err()).unwrap();
    assert!(matches!(refused, FirstPasswordRejection::SignedOut | FirstPasswordRejection::HasOne), "{refused}");
    let (password, none) = if one.is_ok() { (PASSWORD, "another horse") } else { ("another horse", PASSWORD) };
    assert_eq!(tried(&house, "Ann@Example.org", password, from(2)).await, "in");
    assert_eq!(tried(&house, "Ann@Example.org", none, from(3)).await, "wrong");
    assert!(
        house
            .accounts
            .sessions(ann)
            .await
            .unwrap()
            .iter()
            .all(|left| ![old.id, first.id, second.id].contains(&left.id))
    );
    // Where there is one it takes the present one, however lately somebody signed in.
    let lately = house.accounts.sign_in("Ann@Example.org", secret(password), from(4)).await.unwrap().session;
    assert!(matches!(set(&lately, "a third horse").await, Err(FirstPasswordRejection::HasOne)));
    assert_eq!(tried(&house, "Ann@Example.org", password, from(5)).await, "in");
}

/// The account is frozen, or gets a password by an operator, while the first one is hashed.
async fn a_first_password_is_written_where_there_is_none_yet_alone(on: On) {
    let (house, ann) = with_ann(on).await;
    let write = async |account| {
        let mut transaction = house.store.begin_of(account).await.unwrap();
        sql::sessions::set_first_password(&mut transaction, account, "$argon2id$other").await.unwrap()
    };
    assert!(!write(ann).await);
    let bob = house.account("bob").await.id;
    house.accounts.set_account_state(bob, AccountState::Frozen, "test").await.unwrap();
    assert!(!write(bob).await);
    house.accounts.set_account_state(bob, AccountState::Active, "test").await.unwrap();
    assert!(write(bob).await);
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

async fn failures_are_counted_by_name_and_address_together(on: On) {
    let (house, _) = with_ann(on).await;
    for _ in 1..=4 {
        assert_eq!(tried(&house, "Ann@Example.org", "wrong", from(1)).await, "wrong");
        assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(1)).await, "in", "which does not count");
    }
    assert_eq!(tried(&house, "ann@example.ORG", "wrong", from(1)).await, "wrong", "the fifth");
    let before = house.accounts.passwords.computed();
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(1)).await, "too many");
    assert_eq!(house.accounts.passwords.computed(), before, "and no work");
    // Nobody else is locked out of the name, and nobody there out of another.
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(2)).await, "in");
    assert_eq!(tried(&house, "bob", "wrong", from(1)).await, "wrong");
    let wait = async || house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap_err();
    assert!(matches!(wait().await, SignInRejection::TooMany { wait_seconds: 60 }));
    house.hand.advance_ms(59_001);
    assert!(matches!(wait().await, SignInRejection::TooMany { wait_seconds: 1 }));
    house.hand.advance_ms(999);
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(1)).await, "in");
}

async fn the_people_of_one_office_sign_in_and_a_guesser_there_is_stopped(on: On) {
    let (house, _) = with_ann(on).await;
    for person in 0..40 {
        let name = format!("person {person}");
        let account = house.account(&name).await.id;
        house.accounts.set_password(account, secret(PASSWORD), "test").await.unwrap();
        assert_eq!(tried(&house, &name, PASSWORD, from(1)).await, "in", "{name}");
    }
    for guess in 0..30 {
        assert_eq!(tried(&house, &format!("guess {guess}"), "wrong", from(1)).await, "wrong", "{guess}");
    }
    assert_eq!(tried(&house, "guess 30", "wrong", from(1)).await, "too many");
    // All failures of a network share a bound, so a guesser stops his neighbours too: whoever is stopped is told when he may try
    // again, and signs in then. From elsewhere nobody waits, and who is signed in stays so.
    assert_eq!(tried(&house, "person 1", PASSWORD, from(2)).await, "in");
    house.hand.advance_ms(20_000);
    let stopped = house.accounts.sign_in("person 1", secret(PASSWORD), from(1)).await.unwrap_err();
    assert!(matches!(stopped, SignInRejection::TooMany { wait_seconds: 40 }), "{stopped}");
    house.hand.advance_ms(40_000);
    for guess in 0..29 {
        assert_eq!(tried(&house, &format!("guess {guess}"), "wrong", from(1)).await, "wrong", "{guess}");
        assert_eq!(tried(&house, "person 1", PASSWORD, from(1)).await, "in", "between two guesses");
    }
}

/// A failed sign-in costs the ledger nothing: not a row is written, with a known name or an unknown one.
async fn a_try_that_fails_writes_nothing(on: On) {
    let (house, _) = with_ann(on).await;
    // Nobody else can write meanwhile.
    let desk = house.store.begin().await.unwrap();
    for name in ["Ann@Example.org", "nobody"] {
        assert_eq!(tried(&house, name, "wrong", from(1)).await, "wrong", "{name}");
    }
    drop(desk);
}

/// A person who finds no place in the queue was not tried: nothing is read, and it does not count.
async fn who_finds_no_place_has_failed_at_nothing(on: On) {
    let (house, _) = with_ann(on).await;
    let places: Vec<_> = (0..8).map(|_| house.accounts.passwords.enqueue(from(1)).unwrap()).collect();
    for _ in 0..10 {
        let refused = house.accounts.sign_in("Ann@Example.org", secret("wrong"), from(1)).await.unwrap_err();
        assert!(matches!(refused, SignInRejection::Busy), "{refused}");
    }
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(2)).await, "in", "others find one");
    drop(places);
    assert_eq!(tried(&house, "Ann@Example.org", PASSWORD, from(1)).await, "in");
}

async fn tries_at_the_same_moment_are_no_more(on: On) {
    let (house, _) = with_ann(on).await;
    let all = (1..=12).map(|_| tried(&house, "Ann@Example.org", "wrong", from(1)));
    let outcomes = futures_util::future::join_all(all).await;
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == "wrong").count(), 5, "{outcomes:?}");
}

/// Sessions that are over go a few at a time, and nobody's that is not.
async fn sessions_that_are_over_are_cleared_in_parts(on: On) {
    let (house, ann) = with_ann(on).await;
    let begin = async || house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    let other = house.account("other").await.id;
    house.accounts.set_password(other, secret(PASSWORD), "test").await.unwrap();
    let mut transaction = house.store.begin().await.unwrap();
    for number in 0..150_i64 {
        let row =
            query("INSERT INTO sessions (hash, account_id, created_at, seen_at, ends_at) VALUES ($1, $2, 1, 1, $3)");
        let hash: [u8; 32] = std::array::from_fn(|at| number.to_be_bytes()[at % 8]);
        let row = row.bind(hash.as_slice()).bind(other.0).bind(2 + number);
        row.execute(&mut transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
    let count = async || -> i64 {
        let row = query("SELECT count(*) FROM sessions").fetch_one(house.store.readers()).await.unwrap();
        row.try_get(0).unwrap()
    };
    let first = begin().await;
    assert_eq!(count().await, 51, "a hundred are gone");
    let second = begin().await;
    assert_eq!(count().await, 2);
    for session in [first, second] {
        assert_eq!(house.accounts.session(session.token.reveal()).await.unwrap().account, ann);
    }
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
    assert!(matches!(house.accounts.session(begun.token.reveal()).await, Err(SessionRejection::Over)));
    let rested = house.accounts.sign_in("Ann@Example.org", secret(PASSWORD), from(1)).await.unwrap();
    house.hand.advance_ms(12 * HOUR_MS);
    assert!(matches!(house.accounts.session(rested.token.reveal()).await, Err(SessionRejection::Over)));
}

async fn a_frozen_account_and_a_new_password_end_all_sessions(on: On) {
    let (house, ann) = with_ann(on).await;
    let begin = async |password, last| house.accounts.sign_in("Ann@Example.org", secret(password), from(last)).await;
    let first = begin(PASSWORD, 1).await.unwrap();
    house.accounts.set_account_state(ann, AccountState::Frozen, "test").await.unwrap();
    assert!(matches!(house.accounts.session(first.token.reveal()).await, Err(SessionRejection::Unknown)));
    assert!(matches!(begin(PASSWORD, 2).await, Err(SignInRejection::Wrong)));
    house.accounts.set_account_state(ann, AccountState::Active, "test").await.unwrap();
    assert!(matches!(house.accounts.session(first.token.reveal()).await, Err(SessionRejection::Unknown)), "for good");
    let second = begin(PASSWORD, 3).await.unwrap();
    house.accounts.set_password(ann, secret("another password"), "test").await.unwrap();
    assert!(matches!(house.accounts.session(second.token.reveal()).await, Err(SessionRejection::Unknown)));
    assert!(begin("another password", 4).await.is_ok());
    for unfit in ["", "1234567", &"x".repeat(4097)] {
        let refused = house.accounts.set_password(ann, secret(unfit), "test").await.unwrap_err();
        assert!(matches!(refused, AccountError::PasswordUnfit), "{refused}");
    }
}

async fn registration_makes_one_account_of_a_name(on: On) {
    let house = house(on).await;
    let shut = house.accounts.register("eve@example.org", secret(PASSWORD), None, from(1)).await.unwrap_err();
    assert!(matches!(shut, SignInRejection::Closed), "{shut}");
    let open = house.accounts.clone().with_registration(true);
    let begun = open.register("Eve@Example.org", secret(PASSWORD), None, from(1)).await.unwrap();
    assert!(open.session(begun.token.reveal()).await.is_ok());
    assert_eq!(open.find_account("eve@example.org").await.unwrap().id, begun.session.account);
    let again = open.register("eve@EXAMPLE.org", secret(PASSWORD), None, from(2)).await.unwrap_err();
    assert!(matches!(again, SignInRejection::NameTaken), "{again}");
    assert_eq!(tried(&house, "EVE@example.org", PASSWORD, from(3)).await, "in");
}

async fn a_provider_ends_the_sessions_that_it_has_begun_up_to_a_time(on: On) {
    let (house, ann) = with_ann(on).await;
    let bob = house.account("bob@example.org").await.id;
    house.accounts.set_password(bob, secret(PASSWORD), "test").await.unwrap();
    let begin = async |account, issuer| {
        let mut transaction = house.store.begin_of(account).await.unwrap();
        let begun = house.accounts.begin_session_within(&mut transaction, account, issuer).await.unwrap().unwrap();
        transaction.commit().await.unwrap();
        begun.token
    };
    const COMPANY: &str = "https://login.example.com";
    let (company, other) = (Some(COMPANY), Some("https://other.example.com"));
    let first = begin(ann, company).await;
    let upto_ms = house.accounts.clock.now_ms();
    let others = [begin(ann, other).await, begin(ann, None).await, begin(bob, company).await];
    house.hand.advance_ms(1);
    let later = begin(ann, company).await;
    let is_there = async |token: &Secret| house.accounts.session(token.reveal()).await.is_ok();
    assert_eq!(house.accounts.end_sessions_by(ann, COMPANY, upto_ms - 1).await.unwrap(), 0);
    assert_eq!(house.accounts.end_sessions_by(ann, COMPANY, upto_ms).await.unwrap(), 1);
    assert!(!is_there(&first).await && is_there(&later).await);
    for token in &others {
        assert!(is_there(token).await);
    }
    assert_eq!(house.accounts.end_sessions_by(ann, COMPANY, i64::MAX).await.unwrap(), 1);
}

on_both!(
    a_provider_ends_the_sessions_that_it_has_begun_up_to_a_time,
    a_session_is_of_its_token_and_its_account_alone,
    of_two_changes_of_a_password_by_the_one_before_it_one_counts,
    an_account_without_a_password_is_given_its_first_one_by_who_signed_in_lately,
    a_first_password_is_written_where_there_is_none_yet_alone,
    an_unknown_name_is_as_much_work_and_told_the_same,
    failures_are_counted_by_name_and_address_together,
    the_people_of_one_office_sign_in_and_a_guesser_there_is_stopped,
    a_try_that_fails_writes_nothing,
    who_finds_no_place_has_failed_at_nothing,
    sessions_that_are_over_are_cleared_in_parts,
    tries_at_the_same_moment_are_no_more,
    a_session_ends_by_rest_and_by_age,
    a_frozen_account_and_a_new_password_end_all_sessions,
    registration_makes_one_account_of_a_name,
);
