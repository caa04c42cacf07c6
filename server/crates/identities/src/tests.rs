//! People sign in by wallets, add them and take them away.

mod attacks;
mod company;
mod kept_out;
mod races;
mod unseen;

use std::net::IpAddr;

use tempfile::TempDir;

use super::*;
use tollgate_accounts::testing::signed_in;
use tollgate_accounts::{AccountState, NewSession, SessionRejection};
use tollgate_base::{AccountId, Caller, ManualClock};
use tollgate_chains::testing::Holder;
use tollgate_store::testing::{On, on_both, temporary_on};

const NOW_MS: i64 = 1_795_230_000_500;
const AUDIENCE: &str = "https://gateway.example";
const MAINNET: &str = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

struct House {
    identities: IdentityService,
    hand: ManualClock,
    _folder: TempDir,
}

fn handle(store: Store, clock: Clock) -> IdentityService {
    let accounts = AccountService::new(store.clone(), clock.clone()).with_registration(true);
    IdentityService::new(store, clock, accounts, Some(AUDIENCE.to_owned()), MAINNET)
}

async fn house(on: On) -> House {
    let (clock, hand) = Clock::manual(NOW_MS);
    let (folder, _, store) = temporary_on(on, &clock).await;
    House { identities: handle(store, clock), hand, _folder: folder }
}

fn from(last: u8) -> Option<IpAddr> {
    Some([192, 0, 2, last].into())
}

fn wallet(holder: &Holder) -> NewWalletChallenge {
    let wallet = holder.wallet();
    NewWalletChallenge { chain: wallet.chain(), address: wallet.to_string() }
}

/// A proof by the holder, who has signed a text as it was given.
fn proof(holder: &Holder, challenge: &WalletChallenge) -> WalletProof {
    let signature = holder.sign_text(&challenge.message);
    WalletProof { wallet: wallet(holder), nonce: challenge.nonce.clone(), signature }
}

impl House {
    /// Somebody with a password who is signed in to an account of this name.
    async fn person(&self, name: &str) -> Caller {
        let account = self.identities.accounts.create_account(name, "test").await.unwrap().id;
        signed_in(&self.identities.store, account, self.identities.clock.now_ms()).await
    }

    async fn challenge(&self, holder: &Holder) -> WalletChallenge {
        self.identities.challenge(&wallet(holder), from(1)).await.unwrap()
    }

    async fn sign_in(&self, holder: &Holder) -> Result<NewSession, IdentityError> {
        let challenge = self.challenge(holder).await;
        self.identities.sign_in_by_wallet(&proof(holder, &challenge), from(2)).await
    }

    async fn link(&self, caller: &Caller, holder: &Holder) -> Result<Identity, IdentityError> {
        let challenge = self.identities.challenge_own(caller, &wallet(holder), from(1)).await?;
        self.identities.link(caller, &proof(holder, &challenge), from(2)).await
    }

    /// Nobody's registrations are counted any more.
    fn minute(&self) {
        self.hand.advance_ms(60_000);
    }
}

fn caller(session: &NewSession) -> Caller {
    session.session.caller()
}

async fn a_wallet_opens_an_account_and_is_signed_in_to_it_again(on: On) {
    let house = house(on).await;
    for holder in [Holder::evm(1), Holder::solana(1)] {
        let challenge = house.challenge(&holder).await;
        assert_eq!(challenge.expires_at_ms, NOW_MS - 500 + 300_000);
        assert!(challenge.message.starts_with("gateway.example wants you to sign in with your "), "{challenge:?}");
        let first = house.identities.sign_in_by_wallet(&proof(&holder, &challenge), from(9)).await.unwrap();
        let account = house.identities.accounts.find_account(&first.session.account.to_string()).await.unwrap();
        assert_eq!((account.name, account.state), (holder.wallet().to_string(), AccountState::Active));
        let second = house.sign_in(&holder).await.unwrap();
        assert_eq!(second.session.account, first.session.account);
        assert_eq!(house.identities.accounts.session(second.token.reveal()).await.unwrap(), second.session);
        let own = house.identities.own(&caller(&second)).await.unwrap();
        assert_eq!(
            own.iter().map(|it| (it.account, it.kind)).collect::<Vec<_>>(),
            [(first.session.account, identity::kind_of(&holder.wallet()))]
        );
    }
}

async fn a_wallet_is_taken_however_its_address_is_written(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    let account = house.sign_in(&holder).await.unwrap().session.account;
    let checksummed = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf".to_owned();
    let written = NewWalletChallenge { address: checksummed, ..wallet(&holder) };
    let challenge = house.identities.challenge(&written, from(1)).await.unwrap();
    let proof = WalletProof { wallet: written, ..proof(&holder, &challenge) };
    assert_eq!(house.identities.sign_in_by_wallet(&proof, from(1)).await.unwrap().session.account, account);
}

async fn a_wallet_that_nobody_has_opens_nothing_where_registration_is_off(on: On) {
    let house = house(on).await;
    let closed = house.identities.accounts.clone().with_registration(false);
    let closed = house.identities.clone().with_accounts(closed);
    let alice = house.person("alice").await;
    house.link(&alice, &Holder::evm(1)).await.unwrap();
    let challenge = closed.challenge(&wallet(&Holder::evm(2)), from(1)).await.unwrap();
    let refused = closed.sign_in_by_wallet(&proof(&Holder::evm(2), &challenge), from(1)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Closed), "{refused}");
    let challenge = closed.challenge(&wallet(&Holder::evm(1)), from(1)).await.unwrap();
    let begun = closed.sign_in_by_wallet(&proof(&Holder::evm(1), &challenge), from(1)).await.unwrap();
    assert_eq!(begun.session.account, alice.account);
}

async fn a_frozen_account_is_not_signed_in_to_and_its_text_is_not_used(on: On) {
    let house = house(on).await;
    let holder = Holder::solana(1);
    let first = house.sign_in(&holder).await.unwrap();
    let accounts = &house.identities.accounts;
    accounts.set_account_state(first.session.account, AccountState::Frozen, "test").await.unwrap();
    assert!(matches!(accounts.session(first.token.reveal()).await, Err(SessionRejection::Unknown)));
    let challenge = house.challenge(&holder).await;
    let proof = proof(&holder, &challenge);
    for _ in 0..2 {
        let refused = house.identities.sign_in_by_wallet(&proof, from(1)).await.unwrap_err();
        assert!(matches!(refused, IdentityError::Frozen), "{refused}");
    }
    accounts.set_account_state(first.session.account, AccountState::Active, "test").await.unwrap();
    house.identities.sign_in_by_wallet(&proof, from(1)).await.unwrap();
}

async fn a_name_that_somebody_has_opens_no_account(on: On) {
    let house = house(on).await;
    let holder = Holder::evm(1);
    house.identities.accounts.create_account(&holder.wallet().to_string(), "test").await.unwrap();
    let refused = house.sign_in(&holder).await.unwrap_err();
    assert!(matches!(refused, IdentityError::NameTaken), "{refused}");
}

async fn a_wallet_is_added_to_one_account_and_taken_away_again(on: On) {
    let house = house(on).await;
    let (alice, bob) = (house.person("alice").await, house.person("bob").await);
    let added = house.link(&alice, &Holder::evm(1)).await.unwrap();
    assert_eq!(house.identities.own(&alice).await.unwrap(), std::slice::from_ref(&added));
    assert_eq!(house.identities.own(&bob).await.unwrap(), []);
    for caller in [&alice, &bob] {
        let refused = house.link(caller, &Holder::evm(1)).await.unwrap_err();
        assert!(matches!(refused, IdentityError::Exists), "{refused}");
        let refused = house.identities.remove(caller, added.id + 1).await.unwrap_err();
        assert!(matches!(refused, IdentityError::NotFound), "{refused}");
    }
    let refused = house.identities.remove(&bob, added.id).await.unwrap_err();
    assert!(matches!(refused, IdentityError::NotFound), "{refused}");
    house.hand.advance_ms(7_000);
    let by_wallet = house.sign_in(&Holder::evm(1)).await.unwrap();
    assert_eq!(by_wallet.session.account, alice.account);
    let used = house.identities.own(&alice).await.unwrap();
    assert_eq!(used[0].used_at_ms, added.used_at_ms + 7_000);
    // Whoever came in by it is out, and so is everybody else.
    assert_eq!(house.identities.remove(&caller(&by_wallet), added.id).await.unwrap().id, added.id);
    let accounts = &house.identities.accounts;
    assert!(matches!(accounts.session(by_wallet.token.reveal()).await, Err(SessionRejection::Unknown)));
    let refused = house.identities.own(&alice).await.unwrap_err();
    assert!(matches!(refused, IdentityError::SignedOut), "{refused}");
    // The wallet is anybody's now.
    house.link(&bob, &Holder::evm(1)).await.unwrap();
}

async fn the_last_way_to_sign_in_stays(on: On) {
    let house = house(on).await;
    let first = caller(&house.sign_in(&Holder::evm(1)).await.unwrap());
    let [only] = house.identities.own(&first).await.unwrap().try_into().unwrap();
    let refused = house.identities.remove(&first, only.id).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Last), "{refused}");
    house.link(&first, &Holder::solana(2)).await.unwrap();
    house.identities.remove(&first, only.id).await.unwrap();
    let again = caller(&house.sign_in(&Holder::solana(2)).await.unwrap());
    assert_eq!(again.account, first.account);
    let [other] = house.identities.own(&again).await.unwrap().try_into().unwrap();
    let refused = house.identities.remove(&again, other.id).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Last), "{refused}");
    // A password is another way.
    let password = tollgate_base::Secret::new("correct horse battery".to_owned());
    house.identities.accounts.set_password(again.account, password, "test").await.unwrap();
    let third = caller(&house.sign_in(&Holder::solana(2)).await.unwrap());
    house.identities.remove(&third, other.id).await.unwrap();
}

async fn an_account_has_so_many_and_no_more(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    for number in 1..=20 {
        house.link(&alice, &Holder::evm(number)).await.unwrap();
        if number % 10 == 0 {
            house.minute();
        }
    }
    let refused = house.link(&alice, &Holder::evm(21)).await.unwrap_err();
    assert!(matches!(refused, IdentityError::Limit(20)), "{refused}");
}

async fn without_an_address_of_its_own_a_service_takes_no_wallets(on: On) {
    let house = house(on).await;
    let without = house.identities.clone().with_audience(None);
    let alice = house.person("alice").await;
    let new = wallet(&Holder::evm(1));
    assert!(!without.takes_wallets() && house.identities.takes_wallets());
    assert!(matches!(without.challenge(&new, from(1)).await, Err(IdentityError::Disabled)));
    assert!(matches!(without.challenge_own(&alice, &new, from(1)).await, Err(IdentityError::Disabled)));
}

on_both!(
    a_wallet_opens_an_account_and_is_signed_in_to_it_again,
    a_wallet_is_taken_however_its_address_is_written,
    a_wallet_that_nobody_has_opens_nothing_where_registration_is_off,
    a_frozen_account_is_not_signed_in_to_and_its_text_is_not_used,
    a_name_that_somebody_has_opens_no_account,
    a_wallet_is_added_to_one_account_and_taken_away_again,
    the_last_way_to_sign_in_stays,
    an_account_has_so_many_and_no_more,
    without_an_address_of_its_own_a_service_takes_no_wallets,
);
