//! Many at once for one nonce, one wallet and the last place.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::*;
use tollgate_api::generated::limits;

/// The number that won, and the errors of the others.
async fn outcome(mut racers: JoinSet<Result<RegisteredAgent, AgentError>>) -> (usize, Vec<AgentError>) {
    let (mut won, mut lost) = (0, Vec::new());
    while let Some(ended) = racers.join_next().await {
        match ended.unwrap() {
            Ok(_) => won += 1,
            Err(refused) => lost.push(refused),
        }
    }
    (won, lost)
}

async fn of_twenty_with_one_nonce_one_gets_a_key(on: On) {
    let house = Arc::new(house(on).await);
    let (alice, bob) = (house.person("alice").await, house.person("bob").await);
    let mut racers = JoinSet::new();
    for racer in 1..=20 {
        let (house, caller) = (house.clone(), if racer % 2 == 0 { alice.clone() } else { bob.clone() });
        // Some for the same wallet, some for others.
        racers.spawn(async move { house.register(&caller, &Holder::evm(racer % 3 + 1), "the-one-nonce").await });
    }
    let (won, lost) = outcome(racers).await;
    assert_eq!((won, lost.len()), (1, 19));
    assert!(lost.iter().all(|refused| matches!(refused, AgentError::NonceUsed)), "{lost:?}");
    let keys = [alice, bob].map(|caller| caller.account);
    let keys = [house.agents.accounts.keys(keys[0]).await.unwrap(), house.agents.accounts.keys(keys[1]).await.unwrap()];
    assert_eq!(keys.concat().len(), 1);
}

async fn of_twenty_for_one_wallet_one_gets_a_key(on: On) {
    let house = Arc::new(house(on).await);
    let (alice, bob) = (house.person("alice").await, house.person("bob").await);
    let mut racers = JoinSet::new();
    for racer in 0..20 {
        let (house, caller) = (house.clone(), if racer % 2 == 0 { alice.clone() } else { bob.clone() });
        racers.spawn(async move { house.register(&caller, &Holder::solana(1), &format!("nonce-{racer:03}")).await });
    }
    let (won, lost) = outcome(racers).await;
    assert_eq!((won, lost.len()), (1, 19));
    assert!(lost.iter().all(|refused| matches!(refused, AgentError::WalletTaken)), "{lost:?}");
}

async fn an_account_has_fifty_and_a_place_that_was_left_is_taken_again(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    let mut made = Vec::new();
    for number in 1..=50 {
        made.push(agent(house.register(&alice, &Holder::evm(number), &format!("nonce-{number:03}")).await));
    }
    let refused = house.register(&alice, &Holder::evm(51), "nonce-051").await.unwrap_err();
    assert!(matches!(refused, AgentError::TooMany(50)), "{refused}");
    house.agents.revoke_own(&alice, made[17]).await.unwrap();
    // Nothing of it was used up.
    house.register(&alice, &Holder::evm(51), "nonce-051").await.unwrap();
    let refused = house.register(&alice, &Holder::evm(52), "nonce-052").await.unwrap_err();
    assert!(matches!(refused, AgentError::TooMany(50)), "{refused}");
    let bob = house.person("bob").await;
    house.register(&bob, &Holder::evm(52), "nonce-052").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_together_register_no_more_than_fifty() {
    let first = house(On::Server).await;
    let StoreConfig::Postgres { address, schema, .. } = first.config.clone() else { panic!("a server's house") };
    let folder = TempDir::new().unwrap();
    let beside = StoreConfig::Postgres { address, schema, folder: folder.path().to_owned() };
    let second = handle(Store::open(&beside, &first.clock).await.unwrap(), first.clock.clone(), Config::default());
    let alice = first.person("alice").await;
    for number in 1..=45 {
        agent(first.register(&alice, &Holder::evm(number), &format!("nonce-{number:03}")).await);
    }
    let mut racers = JoinSet::new();
    for number in 46..=65 {
        let agents = if number % 2 == 0 { first.agents.clone() } else { second.clone() };
        let alice = alice.clone();
        let asked = asked(&Holder::evm(number), &format!("nonce-{number:03}"));
        racers.spawn(async move { agents.register(&alice, asked).await });
    }
    let (won, lost) = outcome(racers).await;
    assert_eq!((won, lost.len()), (5, 15));
    assert!(lost.iter().all(|refused| matches!(refused, AgentError::TooMany(50))), "{lost:?}");
    let live = second.of_account(alice.account).await.unwrap();
    assert_eq!(live.len(), usize::try_from(limits::AGENTS_PER_ACCOUNT).unwrap());
    // Revoked on one, it is refused on the other as well, as soon as that has looked.
    let revoked = first.agents.revoke_own(&alice, live[0].id).await.unwrap();
    assert_eq!(second.of_account(alice.account).await.unwrap()[0], revoked);
}

on_both!(
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    of_twenty_with_one_nonce_one_gets_a_key,
    of_twenty_for_one_wallet_one_gets_a_key,
    an_account_has_fifty_and_a_place_that_was_left_is_taken_again,
);
