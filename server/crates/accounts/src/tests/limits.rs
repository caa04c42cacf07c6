//! Keys that are limited are kept, changed and shown as they are, and manage none.

use super::*;
use tollgate_base::{KeyId, KeyScope, Usd};

fn limits() -> KeyLimits {
    let scope = KeyScope {
        models: Some(vec!["a \"quoted\" model".to_owned(), "b".to_owned()]),
        operations: Some(vec!["chat.create".to_owned()]),
        addresses: Some(vec!["10.0.0.0/8".parse().unwrap(), "2001:db8::1".parse().unwrap()]),
    };
    KeyLimits {
        scope,
        budget_day: Some(Usd::from_nanos(1)),
        budget_week: Some(Usd::from_nanos(6)),
        budget_month: Some(Usd::from_nanos(2)),
        budget_life: Some(Usd::from_nanos(1_000_000_000_000_000_000)),
        requests_per_minute: Some(3),
        tokens_per_minute: Some(4),
        in_flight: Some(5),
        team: None,
        member: None,
        include_cost: true,
    }
}

fn by_key(account: AccountId, key: KeyId) -> Caller {
    Caller { account, by: CallerCredential::Key(key), member: None }
}

async fn limits_are_kept_as_they_are_and_go_with_the_key(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await.id;
    let new = NewKey { account, label: "narrow".to_owned(), expires_at_ms: None };
    let created = house.accounts.create_limited_key(new, limits(), "test").await.unwrap();
    assert_eq!(house.accounts.keys(account).await.unwrap(), std::slice::from_ref(&created.key));
    assert_eq!(created.key.limits, limits());
    let principal = house.accounts.authenticate(created.secret.reveal()).await.unwrap();
    assert_eq!((principal.scope.as_deref(), principal.include_cost), (Some(&limits().scope), true));
    // A budget is the ledger's matter, and no reason to ask twice who may do what.
    let new = NewKey { account, label: String::new(), expires_at_ms: None };
    let budget = KeyLimits { budget_life: Some(Usd::ZERO), ..KeyLimits::default() };
    let poor = house.accounts.create_limited_key(new, budget, "test").await.unwrap();
    assert_eq!(house.accounts.authenticate(poor.secret.reveal()).await.unwrap().scope, None);
}

async fn a_change_holds_at_once_and_leaves_the_rest(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await.id;
    let (key, me) = (house.key(account, Some(2_000_000)).await, house.in_person(account).await);
    assert_eq!(house.outcome(&key.secret).await, "accepted");
    let models = || Some(Some(vec!["b".to_owned()]));
    let change = KeyChange { models: models(), budget_day: Some(Some(Usd::ZERO)), ..KeyChange::default() };
    let changed = house.accounts.change_own_key(&me, key.key.id, change).await.unwrap();
    let tells = KeyChange { include_cost: Some(true), ..KeyChange::default() };
    assert!(house.accounts.change_own_key(&me, key.key.id, tells).await.unwrap().limits.include_cost);
    assert!(house.accounts.authenticate(key.secret.reveal()).await.unwrap().include_cost, "not what was cached");
    let quiet = KeyChange { include_cost: Some(false), ..KeyChange::default() };
    assert_eq!(house.accounts.change_own_key(&me, key.key.id, quiet).await.unwrap(), changed);
    assert_eq!((changed.label.as_str(), changed.expires_at_ms), ("a label", Some(2_000_000)));
    let principal = house.accounts.authenticate(key.secret.reveal()).await.unwrap();
    assert_eq!(principal.scope.as_ref().unwrap().models, models().unwrap(), "not what was cached");
    let nothing = KeyChange::default();
    assert_eq!(house.accounts.change_own_key(&me, key.key.id, nothing).await.unwrap(), changed);
    let free =
        KeyChange { models: Some(None), budget_day: Some(None), label: Some("x".to_owned()), ..KeyChange::default() };
    let freed = house.accounts.change_own_key(&me, key.key.id, free).await.unwrap();
    assert!(freed.limits.is_none() && freed.label == "x");
    assert_eq!(house.accounts.authenticate(key.secret.reveal()).await.unwrap().scope, None);
    house.accounts.revoke_own_key(&me, key.key.id).await.unwrap();
    let late = house.accounts.change_own_key(&me, key.key.id, KeyChange::default()).await.unwrap_err();
    assert!(matches!(late, AccountError::KeyRevoked), "{late}");
}

async fn nobody_manages_what_is_another_s_or_more_than_their_own(on: On) {
    let house = house(on).await;
    let (mine, theirs) = (house.account("alice").await.id, house.account("bob").await.id);
    let their_key = house.key(theirs, None).await.key.id;
    let unlimited = by_key(mine, house.key(mine, None).await.key.id);
    for id in [their_key, KeyId(5)] {
        let change = house.accounts.change_own_key(&unlimited, id, KeyChange::default()).await.unwrap_err();
        let revoke = house.accounts.revoke_own_key(&unlimited, id).await.unwrap_err();
        assert!(matches!((change, revoke), (AccountError::NoSuchKey, AccountError::NoSuchKey)));
    }
    let each = |limits: KeyLimits| {
        let scope = limits.scope;
        let only = |scope: KeyScope| KeyLimits { scope, ..KeyLimits::default() };
        [
            only(KeyScope { models: scope.models, ..KeyScope::default() }),
            only(KeyScope { operations: scope.operations, ..KeyScope::default() }),
            only(KeyScope { addresses: scope.addresses, ..KeyScope::default() }),
            KeyLimits { budget_day: limits.budget_day, ..KeyLimits::default() },
            KeyLimits { budget_week: limits.budget_week, ..KeyLimits::default() },
            KeyLimits { budget_month: limits.budget_month, ..KeyLimits::default() },
            KeyLimits { budget_life: limits.budget_life, ..KeyLimits::default() },
            KeyLimits { requests_per_minute: limits.requests_per_minute, ..KeyLimits::default() },
            KeyLimits { tokens_per_minute: limits.tokens_per_minute, ..KeyLimits::default() },
            KeyLimits { in_flight: limits.in_flight, ..KeyLimits::default() },
        ]
    };
    for limits in each(limits()) {
        let new = NewKey { account: mine, label: String::new(), expires_at_ms: None };
        let key = house.accounts.create_limited_key(new, limits.clone(), "test").await.unwrap().key.id;
        let caller = by_key(mine, key);
        let refused = [
            house.accounts.create_own_key(&caller, String::new(), None, KeyLimits::default()).await.map(drop),
            house.accounts.own_keys(&caller).await.map(drop),
            house.accounts.change_own_key(&caller, key, KeyChange::default()).await.map(drop),
            house.accounts.revoke_own_key(&caller, key).await.map(drop),
        ];
        let all = refused.iter().all(|refused| matches!(refused, Err(AccountError::KeyLimited)));
        assert!(all, "{limits:?}: {refused:?}");
    }
}

async fn a_key_widens_none_that_outlives_it(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await;
    let brief = house.key(account.id, Some(1_000_500)).await;
    let narrow = NewKey { account: account.id, label: String::new(), expires_at_ms: None };
    let narrow = house.accounts.create_limited_key(narrow, limits(), "test").await.unwrap();
    let wide = || KeyChange { budget_life: Some(None), ..KeyChange::default() };
    let refused = house.accounts.change_own_key(&by_key(account.id, brief.key.id), narrow.key.id, wide()).await;
    assert!(matches!(refused, Err(AccountError::KeyLimited)), "{refused:?}");
    house.accounts.change_own_key(&house.in_person(account.id).await, narrow.key.id, wide()).await.unwrap();
}

async fn what_a_key_makes_ends_no_later_than_itself(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await.id;
    let maker = by_key(account, house.key(account, Some(1_000_500)).await.key.id);
    let make = async |expires_at_ms| {
        let made = house.accounts.create_own_key(&maker, String::new(), expires_at_ms, KeyLimits::default()).await;
        made.map(|made| made.key.expires_at_ms)
    };
    assert_eq!(make(None).await.unwrap(), Some(1_000_500));
    assert_eq!(make(Some(1_000_499)).await.unwrap(), Some(1_000_499));
    assert!(matches!(make(Some(1_000_501)).await, Err(AccountError::ExpiryBeyondMaker)));
    let me = house.in_person(account).await;
    let made = house.accounts.create_own_key(&me, String::new(), None, KeyLimits::default()).await.unwrap();
    assert_eq!(made.key.expires_at_ms, None);
}

/// Each way in which a session ends, for a request that was let in before.
async fn whoever_is_signed_out_meanwhile_manages_nothing(on: On) {
    let house = house(on).await;
    for (number, end) in ["out", "password", "frozen", "rest"].into_iter().enumerate() {
        let account = house.account(&format!("alice {number}")).await.id;
        let (me, key) = (house.in_person(account).await, house.key(account, None).await.key.id);
        let CallerCredential::Session(session) = me.by else { panic!("{me:?}") };
        house.accounts.change_own_key(&me, key, KeyChange::default()).await.unwrap();
        match end {
            "out" => house.accounts.end_session(session).await.unwrap(),
            "password" => {
                house.accounts.set_password(account, Secret::new("another one".to_owned()), "test").await.unwrap();
            }
            "frozen" => drop(house.accounts.set_account_state(account, AccountState::Frozen, "test").await.unwrap()),
            _ => house.hand.advance_ms(1_000_000_000),
        }
        let refused = [
            house.accounts.create_own_key(&me, String::new(), None, KeyLimits::default()).await.map(drop),
            house.accounts.change_own_key(&me, key, KeyChange::default()).await.map(drop),
            house.accounts.revoke_own_key(&me, key).await.map(drop),
        ];
        let all = refused.iter().all(|refused| matches!(refused, Err(AccountError::SignedOut)));
        assert!(all, "{end}: {refused:?}");
        // A key is let in by itself, and goes with its account.
        let made =
            house.accounts.create_own_key(&by_key(account, key), String::new(), None, KeyLimits::default()).await;
        let frozen = end == "frozen";
        assert!(matches!(made, Err(AccountError::Frozen)) == frozen && made.is_ok() != frozen, "{end}: {made:?}");
        assert_eq!(house.accounts.keys(account).await.unwrap().len(), if frozen { 1 } else { 2 }, "{end}");
    }
}

on_both!(
    whoever_is_signed_out_meanwhile_manages_nothing,
    a_key_widens_none_that_outlives_it,
    limits_are_kept_as_they_are_and_go_with_the_key,
    a_change_holds_at_once_and_leaves_the_rest,
    nobody_manages_what_is_another_s_or_more_than_their_own,
    what_a_key_makes_ends_no_later_than_itself,
);
