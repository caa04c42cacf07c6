//! Many at once for one text, one wallet and the last way to sign in.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;

/// The number that won, and the errors of the others.
async fn outcome<T: 'static>(mut racers: JoinSet<Result<T, IdentityError>>) -> (usize, Vec<IdentityError>) {
    let (mut won, mut lost) = (0, Vec::new());
    while let Some(ended) = racers.join_next().await {
        match ended.unwrap() {
            Ok(_) => won += 1,
            Err(refused) => lost.push(refused),
        }
    }
    (won, lost)
}

async fn of_fifty_with_one_text_one_is_signed_in(on: On) {
    let house = Arc::new(house(on).await);
    let known = Holder::evm(1);
    house.sign_in(&known).await.unwrap();
    for holder in [known, Holder::evm(2)] {
        let proof = proof(&holder, &house.challenge(&holder).await);
        let mut racers = JoinSet::new();
        for racer in 0..50_u8 {
            let (house, proof) = (house.clone(), proof.clone());
            racers.spawn(async move { house.identities.sign_in_by_wallet(&proof, from(racer)).await });
        }
        let (won, lost) = outcome(racers).await;
        assert_eq!((won, lost.len()), (1, 49));
        assert!(lost.iter().all(|refused| matches!(refused, IdentityError::Challenge)), "{lost:?}");
    }
}

async fn of_many_texts_for_a_new_wallet_all_lead_to_one_account(on: On) {
    let house = Arc::new(house(on).await);
    let mut proofs = Vec::new();
    for _ in 0..10 {
        proofs.push(proof(&Holder::solana(1), &house.challenge(&Holder::solana(1)).await));
    }
    let mut racers = JoinSet::new();
    for (racer, proof) in (0..).zip(proofs) {
        let house = house.clone();
        racers.spawn(async move { house.identities.sign_in_by_wallet(&proof, from(racer)).await });
    }
    let mut accounts: Vec<AccountId> = Vec::new();
    while let Some(ended) = racers.join_next().await {
        accounts.push(ended.unwrap().unwrap().session.account);
    }
    assert!(accounts.len() == 10 && accounts.iter().all(|account| *account == accounts[0]), "{accounts:?}");
}

async fn of_two_accounts_that_add_one_wallet_one_gets_it(on: On) {
    let house = Arc::new(house(on).await);
    let mut racers = JoinSet::new();
    for name in ["alice", "bob", "carol", "dave"] {
        let caller = house.person(name).await;
        let challenge = house.identities.challenge_own(&caller, &wallet(&Holder::evm(1)), from(1)).await.unwrap();
        let (house, proof) = (house.clone(), proof(&Holder::evm(1), &challenge));
        racers.spawn(async move { house.identities.link(&caller, &proof, from(2)).await });
    }
    let (won, lost) = outcome(racers).await;
    assert_eq!((won, lost.len()), (1, 3));
    assert!(lost.iter().all(|refused| matches!(refused, IdentityError::Exists)), "{lost:?}");
}

async fn of_two_that_are_taken_away_at_once_the_last_stays(on: On) {
    let house = Arc::new(house(on).await);
    let first = caller(&house.sign_in(&Holder::evm(1)).await.unwrap());
    house.link(&first, &Holder::evm(2)).await.unwrap();
    let second = caller(&house.sign_in(&Holder::evm(2)).await.unwrap());
    let own = house.identities.own(&first).await.unwrap();
    let mut racers = JoinSet::new();
    for (caller, id) in [(first, own[0].id), (second, own[1].id)] {
        let house = house.clone();
        racers.spawn(async move { house.identities.remove(&caller, id).await });
    }
    let (won, lost) = outcome(racers).await;
    // The sessions end with the first.
    assert_eq!(won, 1);
    assert!(matches!(lost[..], [IdentityError::SignedOut]), "{lost:?}");
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    of_fifty_with_one_text_one_is_signed_in,
    of_many_texts_for_a_new_wallet_all_lead_to_one_account,
    of_two_accounts_that_add_one_wallet_one_gets_it,
    of_two_that_are_taken_away_at_once_the_last_stays,
);
