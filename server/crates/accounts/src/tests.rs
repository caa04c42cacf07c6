//! Keys are made, shown, refused and revoked.

mod limits;
mod people;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use tokio::time::Instant;

use super::testing::signed_in;
use super::*;
use tollgate_base::{AccountId, Caller, CallerCredential, ManualClock, Secret};
use tollgate_store::testing::{On, on_both, temporary_on};

struct House {
    accounts: AccountService,
    store: Store,
    hand: ManualClock,
    _folder: TempDir,
}

async fn house(on: On) -> House {
    let (clock, hand) = Clock::manual(1_000_000);
    let (folder, _, store) = temporary_on(on, &clock).await;
    House { accounts: AccountService::new(store.clone(), clock), store, hand, _folder: folder }
}

impl House {
    async fn in_person(&self, account: AccountId) -> Caller {
        signed_in(&self.store, account, self.accounts.clock.now_ms()).await
    }

    async fn account(&self, name: &str) -> Account {
        self.accounts.create_account(name, "test").await.unwrap()
    }

    async fn key(&self, account: AccountId, expires_at_ms: Option<i64>) -> CreatedKey {
        self.accounts.create_key(NewKey { account, label: "a label".to_owned(), expires_at_ms }, "test").await.unwrap()
    }

    async fn outcome(&self, secret: &Secret) -> &'static str {
        match self.accounts.authenticate(secret.reveal()).await {
            Ok(_) => "accepted",
            Err(KeyRejection::Malformed) => "malformed",
            Err(KeyRejection::Unknown) => "unknown",
            Err(KeyRejection::Revoked) => "revoked",
            Err(KeyRejection::Expired) => "expired",
            Err(KeyRejection::AccountFrozen) => "frozen",
            Err(KeyRejection::Unavailable(_)) => "unavailable",
        }
    }
}

#[tokio::test]
async fn a_key_names_its_account_and_its_secret_is_stored_nowhere() {
    let house = house(On::File).await;
    let account = house.account("alice").await;
    let created = house.key(account.id, None).await;
    let principal = house.accounts.authenticate(created.secret.reveal()).await.unwrap();
    assert_eq!((principal.account, principal.key), (account.id, created.key.id));
    assert_eq!(house.accounts.keys(account.id).await.unwrap(), [created.key]);
    house.store.close().await;
    for file in std::fs::read_dir(house.store.path().parent().unwrap()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let secret = created.secret.reveal().as_bytes();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}

#[tokio::test]
async fn an_account_has_a_bound_of_live_keys() {
    let house = house(On::File).await;
    let (full, other) = (house.account("full").await.id, house.account("other").await.id);
    let last = house.key(full, None).await;
    sql::keys::tests::fill(&house.store, full, 998).await;
    house.key(full, Some(1_000_001)).await;
    let ask = || NewKey { account: full, label: String::new(), expires_at_ms: None };
    let create = async || house.accounts.create_key(ask(), "test").await;
    let refused = create().await.unwrap_err();
    assert!(matches!(refused, AccountError::TooManyKeys(1_000)), "{refused}");
    assert_eq!(house.accounts.keys(full).await.unwrap().len(), 1_000, "nothing was made");
    house.key(other, None).await;
    // Neither one that has expired counts, nor one that was revoked.
    house.hand.advance_ms(1);
    create().await.unwrap();
    assert!(matches!(create().await, Err(AccountError::TooManyKeys(1_000))));
    house.accounts.revoke_key(&last.key.id.to_string(), "test").await.unwrap();
    let (one, two) = tokio::join!(create(), create());
    assert!(one.is_ok() != two.is_ok(), "one place, one key");
}

async fn live_keys_are_listed_and_any_is_found_however_many_have_ended(on: On) {
    let house = house(on).await;
    let (account, other) = (house.account("alice").await.id, house.account("other").await.id);
    let (live, revoked) = (house.key(account, None).await.key, house.key(account, None).await.key);
    house.accounts.revoke_key(&revoked.id.to_string(), "test").await.unwrap();
    // Each of them is newer.
    sql::keys::tests::fill_ending(&house.store, account, 2_000, (1_000_001, 1_000_002)).await;
    house.hand.advance_ms(2);
    let person = house.in_person(account).await;
    for listed in [house.accounts.keys(account).await.unwrap(), house.accounts.own_keys(&person).await.unwrap()] {
        assert_eq!((listed.len(), listed.last().map(|key| key.id)), (2_000, Some(live.id)));
        assert!(listed.iter().all(|key| key.id != revoked.id), "of those that are over, the newest");
    }
    for id in [live.id, revoked.id] {
        assert_eq!(house.accounts.find_own_key(&person, id).await.unwrap().id, id);
    }
    let stranger = house.in_person(other).await;
    assert!(matches!(house.accounts.find_own_key(&stranger, live.id).await, Err(AccountError::NoSuchKey)));
}

async fn a_typing_mistake_is_refused_without_a_look_up(on: On) {
    let house = house(on).await;
    let created = house.key(house.account("alice").await.id, None).await;
    let wrong = created.secret.reveal().replacen(&created.secret.reveal()[20..21], "_", 1);
    // Nobody can be asked any more, and nobody has to be.
    house.store.close().await;
    for secret in ["", "sk-", "Bearer sk-1", wrong.as_str(), &"x".repeat(10_000)] {
        assert_eq!(house.outcome(&Secret::new(secret.to_owned())).await, "malformed");
    }
    assert_eq!(house.outcome(&key::draw(key::ACCOUNT)).await, "unavailable");
}

async fn each_refusal_has_its_reason(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await;
    let created = house.key(account.id, Some(1_000_500)).await;
    assert_eq!(house.outcome(&key::draw(key::ACCOUNT)).await, "unknown");
    assert_eq!(house.outcome(&created.secret).await, "accepted");
    house.accounts.set_account_state(account.id, AccountState::Frozen, "test").await.unwrap();
    assert_eq!(house.outcome(&created.secret).await, "frozen");
    house.accounts.set_account_state(account.id, AccountState::Active, "test").await.unwrap();
    house.hand.advance_ms(499);
    assert_eq!(house.outcome(&created.secret).await, "accepted");
    house.hand.advance_ms(1);
    assert_eq!(house.outcome(&created.secret).await, "expired");
    house.accounts.revoke_key(&created.key.id.to_string(), "test").await.unwrap();
    assert_eq!(house.outcome(&created.secret).await, "revoked");
}

async fn a_revocation_by_another_process_is_seen_within_a_second(on: On) {
    let house = house(on).await;
    let created = house.key(house.account("alice").await.id, None).await;
    let beside = AccountService::new(house.store.clone(), Clock::system());
    let watched = async {
        for _ in 0..3 {
            assert_eq!(house.outcome(&created.secret).await, "accepted");
        }
        assert!(beside.revoke_key(&created.key.shown, "test").await.unwrap().was_active);
        let revoked = Instant::now();
        loop {
            let asked = Instant::now();
            match house.outcome(&created.secret).await {
                "accepted" => assert!(asked - revoked < cache::FRESH, "a second has passed"),
                outcome => return assert_eq!(outcome, "revoked"),
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::select! { () = house.accounts.watch() => unreachable!("it watches for ever"), () = watched => {} }
}

async fn a_cached_key_is_found_without_the_database_and_only_while_it_is_certain(on: On) {
    let house = house(on).await;
    let created = house.key(house.account("alice").await.id, None).await;
    assert_eq!(house.outcome(&created.secret).await, "accepted");
    house.store.close().await;
    assert_eq!(house.outcome(&created.secret).await, "accepted", "from the cache");
    // The database is closed, so nothing but this moves the time.
    tokio::time::pause();
    tokio::time::advance(cache::FRESH).await;
    assert_eq!(house.outcome(&created.secret).await, "unavailable", "nobody has watched meanwhile");
}

#[tokio::test]
async fn a_key_read_before_a_change_is_not_cached_after_it() {
    let found = |state| cache::FoundKey {
        principal: tollgate_base::Principal {
            account: AccountId(1),
            key: tollgate_base::KeyId(1),
            agent: None,
            group: tollgate_base::AccountGroup::DEFAULT,
            scope: None,
            include_cost: false,
        },
        state,
        account_state: AccountState::Active,
        expires_at_ms: None,
    };
    let (cache, hash, now) = (KeyCache::default(), [7; 32], Instant::now());
    cache.observe(2, now, None);
    cache.observe(1, now, Some((hash, found(KeyState::Active))));
    assert_eq!(cache.get(&hash), None);
    cache.observe(2, now, Some((hash, found(KeyState::Revoked))));
    assert_eq!(cache.get(&hash), Some(found(KeyState::Revoked)));
    cache.observe(3, now, None);
    assert_eq!(cache.get(&hash), None);
}

async fn keys_are_revoked_by_number_or_by_what_is_shown_and_twice_is_once(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await;
    let (one, two) = (house.key(account.id, None).await, house.key(account.id, None).await);
    let short: String = one.key.shown.chars().take(8).collect();
    assert!(house.accounts.revoke_key(&short, "test").await.unwrap().was_active);
    let again = house.accounts.revoke_key(&one.key.id.to_string(), "test").await.unwrap();
    assert_eq!((again.was_active, again.key.state), (false, KeyState::Revoked));
    assert_eq!(house.outcome(&two.secret).await, "accepted");
    for nobody in ["", "12", "sk-", "sk-00000"] {
        assert!(matches!(house.accounts.revoke_key(nobody, "test").await, Err(AccountError::NoSuchKey)), "{nobody}");
    }
}

async fn names_and_labels_have_bounds(on: On) {
    let house = house(on).await;
    let account = house.account("alice").await;
    assert!(matches!(house.accounts.create_account("alice", "test").await, Err(AccountError::NameTaken)));
    for name in ["", " alice", "a\nb", "12345", "-7", &"x".repeat(65)] {
        assert!(
            matches!(house.accounts.create_account(name, "test").await, Err(AccountError::NameInvalid)),
            "{name:?}"
        );
    }
    let new = |account, label: &str, expires_at_ms| NewKey { account, label: label.to_owned(), expires_at_ms };
    let long = "x".repeat(65);
    let refused = async |new| house.accounts.create_key(new, "test").await.unwrap_err();
    assert!(matches!(refused(new(account.id, &long, None)).await, AccountError::LabelInvalid));
    assert!(matches!(refused(new(account.id, "", Some(1_000_000))).await, AccountError::ExpiryPast));
    assert!(matches!(refused(new(AccountId(5), "", None)).await, AccountError::NoSuchAccount));
    assert_eq!(house.accounts.find_account("alice").await.unwrap(), account);
    assert_eq!(house.accounts.find_account(&account.id.to_string()).await.unwrap(), account);
    assert!(matches!(house.accounts.find_account("bob").await, Err(AccountError::NoSuchAccount)));
    assert_eq!(house.accounts.accounts().await.unwrap(), [account]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_revoked_in_a_storm_is_never_accepted_again() {
    let house = house(On::File).await;
    let created = house.key(house.account("alice").await.id, None).await;
    let (accepted, revoked) = (AtomicUsize::new(0), OnceLock::new());
    let storm = async {
        loop {
            let asked = Instant::now();
            match house.outcome(&created.secret).await {
                "accepted" => accepted.fetch_add(1, Ordering::SeqCst),
                outcome => return assert_eq!(outcome, "revoked"),
            };
            let late = |revoked: &Instant| asked.saturating_duration_since(*revoked) >= cache::FRESH;
            assert!(!revoked.get().is_some_and(late), "refused for a second already");
            tokio::task::yield_now().await;
        }
    };
    let revoke = async {
        // In the middle of it.
        while accepted.load(Ordering::SeqCst) < 1_000 {
            tokio::task::yield_now().await;
        }
        house.accounts.revoke_key(&created.key.shown, "test").await.unwrap();
        revoked.set(Instant::now()).unwrap();
    };
    tokio::select! {
        () = house.accounts.watch() => unreachable!("it watches for ever"),
        _ = async { tokio::join!(storm, revoke) } => {}
    }
}

on_both!(
    live_keys_are_listed_and_any_is_found_however_many_have_ended,
    a_typing_mistake_is_refused_without_a_look_up,
    each_refusal_has_its_reason,
    a_revocation_by_another_process_is_seen_within_a_second,
    a_cached_key_is_found_without_the_database_and_only_while_it_is_certain,
    keys_are_revoked_by_number_or_by_what_is_shown_and_twice_is_once,
    names_and_labels_have_bounds,
);
