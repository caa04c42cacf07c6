//! Agents are registered, once for each proof, and go with their keys.

mod proofs;
mod races;

use tempfile::TempDir;

use super::*;
use tollgate_accounts::testing::signed_in;
use tollgate_accounts::{AccountError, AccountState, KeyLimits, KeyRejection, NewKey};
use tollgate_base::{AccountId, AgentId, Caller, CallerCredential, ManualClock, Secret, Usd};
use tollgate_chains::OwnershipStatement;
use tollgate_chains::testing::Holder;
use tollgate_store::StoreConfig;
use tollgate_store::testing::{On, on_both, temporary_on};

const NOW: i64 = 1_795_230_000;
const AUDIENCE: &str = "https://gateway.example";

struct House {
    agents: AgentService,
    config: StoreConfig,
    clock: Clock,
    hand: ManualClock,
    _folder: TempDir,
}

fn handle(store: Store, clock: Clock, config: Config) -> AgentService {
    let accounts = AccountService::new(store.clone(), clock.clone());
    AgentService::new(store, clock, accounts, config, Some(AUDIENCE.to_owned()))
}

async fn house(on: On) -> House {
    let (clock, hand) = Clock::manual(NOW * 1000);
    let (folder, config, store) = temporary_on(on, &clock).await;
    House { agents: handle(store, clock.clone(), Config::default()), config, clock, hand, _folder: folder }
}

impl House {
    /// Somebody who is signed in to an account of this name.
    async fn person(&self, name: &str) -> Caller {
        let account = self.agents.accounts.create_account(name, "test").await.unwrap().id;
        signed_in(&self.agents.store, account, self.clock.now_ms()).await
    }

    async fn register(&self, caller: &Caller, holder: &Holder, nonce: &str) -> Result<RegisteredAgent, AgentError> {
        self.agents.register(caller, asked(holder, nonce)).await
    }

    async fn is_let_in(&self, secret: &Secret) -> bool {
        match self.agents.accounts.authenticate(secret.reveal()).await {
            Ok(_) => true,
            Err(KeyRejection::Revoked) => false,
            Err(other) => panic!("{other}"),
        }
    }
}

fn ownership<'a>(label: &'a str, nonce: &'a str) -> OwnershipStatement<'a> {
    OwnershipStatement { label, audience: AUDIENCE, nonce, issued_at: NOW, solana_network: MAINNET }
}

/// A registration by the holder of the wallet.
fn asked(holder: &Holder, nonce: &str) -> NewAgent {
    let wallet = holder.wallet();
    NewAgent {
        label: "bot-1".to_owned(),
        agent_addr: wallet.to_string(),
        ownership_sig: holder.sign(&ownership("bot-1", nonce), &wallet),
        nonce: nonce.to_owned(),
        issued_at: NOW,
    }
}

fn agent(registered: Result<RegisteredAgent, AgentError>) -> AgentId {
    registered.unwrap().agent.id
}

async fn an_agent_has_a_key_that_names_it_and_the_caps_of_the_house(on: On) {
    let house = house(on).await;
    let (alice, usd) = (house.person("alice").await, |text: &str| Some(text.parse::<Usd>().unwrap()));
    let config = Config {
        caps: AgentCaps { order: usd("5"), day: usd("10"), life: None },
        budgets: AgentBudgets { day: None, week: None, month: usd("7"), life: usd("100") },
        ..Config::default()
    };
    let agents = handle(house.agents.store.clone(), house.clock.clone(), config.clone());
    for (holder, chain) in [(Holder::evm(1), "evm"), (Holder::solana(1), "solana")] {
        let made = agents.register(&alice, asked(&holder, &format!("nonce-{chain}"))).await.unwrap();
        assert_eq!((made.agent.wallet, made.agent.wallet.chain().as_str()), (holder.wallet(), chain));
        assert_eq!((made.agent.caps, made.agent.budgets), (config.caps, config.budgets));
        let caller = agents.accounts.authenticate(made.secret.reveal()).await.unwrap();
        assert_eq!((caller.account, caller.agent, caller.key), (alice.account, Some(made.agent.id), made.agent.key));
        let key = agents.accounts.keys(alice.account).await.unwrap().into_iter().find(|key| key.id == caller.key);
        let key = key.expect("it is among the keys of the account");
        assert_eq!((key.agent, key.limits, key.expires_at_ms), (Some(made.agent.id), config.budgets.limits(), None));
        // What is told at the registration is what is kept.
        let listed = agents.of_account(alice.account).await.unwrap();
        assert!(listed.contains(&made.agent), "{listed:?}");
        assert_eq!(agents.own(&caller.into()).await.unwrap(), [made.agent], "it sees itself alone");
    }
}

async fn a_proof_registers_once(on: On) {
    let house = house(on).await;
    let (alice, bob) = (house.person("alice").await, house.person("bob").await);
    let first = agent(house.register(&alice, &Holder::evm(1), "nonce-01").await);
    for caller in [&alice, &bob] {
        let again = house.register(caller, &Holder::evm(1), "nonce-01").await.unwrap_err();
        assert!(matches!(again, AgentError::NonceUsed), "{again}");
        let other = house.register(caller, &Holder::evm(2), "nonce-01").await.unwrap_err();
        assert!(matches!(other, AgentError::NonceUsed), "{other}");
        let same = house.register(caller, &Holder::evm(1), "nonce-02").await.unwrap_err();
        assert!(matches!(same, AgentError::WalletTaken), "{same}");
    }
    // Whatever was refused has used nothing; a wallet whose agent is revoked is free again, its nonce is not.
    house.agents.revoke_own(&alice, first).await.unwrap();
    let again = house.register(&bob, &Holder::evm(1), "nonce-01").await.unwrap_err();
    assert!(matches!(again, AgentError::NonceUsed), "{again}");
    let second = agent(house.register(&bob, &Holder::evm(1), "nonce-02").await);
    assert_ne!(first, second);
    assert_eq!(house.agents.of_account(alice.account).await.unwrap().len(), 1, "what was revoked stays in the list");
}

async fn an_agent_and_its_key_are_revoked_together(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    let made = house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap();
    assert!(house.is_let_in(&made.secret).await);
    let revoked = house.agents.revoke_own(&alice, made.agent.id).await.unwrap();
    assert_eq!(revoked, Agent { state: AgentState::Revoked, ..made.agent });
    assert!(!house.is_let_in(&made.secret).await);
    assert_eq!(house.agents.revoke_own(&alice, revoked.id).await.unwrap(), revoked, "again is the same as once");
    let late = house.agents.change(&alice, revoked.id, AgentChange::default()).await.unwrap_err();
    assert!(matches!(late, AgentError::Revoked), "{late}");
    // The other way about, as the owner and as the operator.
    for (number, by_owner) in [(2, true), (3, false)] {
        let made = house.register(&alice, &Holder::evm(number), &format!("nonce-0{number}")).await.unwrap();
        let key = made.agent.key;
        if by_owner {
            house.agents.accounts.revoke_own_key(&alice, key).await.unwrap();
        } else {
            house.agents.accounts.revoke_key(&key.to_string(), "test").await.unwrap();
        }
        let listed = house.agents.of_account(alice.account).await.unwrap();
        let listed = listed.into_iter().find(|agent| agent.id == made.agent.id).unwrap();
        assert_eq!(listed.state, AgentState::Revoked);
        let told = house.agents.revoke(&made.agent.id.to_string(), "test").await.unwrap();
        assert!(!told.was_active);
    }
    let made = house.register(&alice, &Holder::evm(4), "nonce-04").await.unwrap();
    let told = house.agents.revoke(&made.agent.wallet.to_string().to_uppercase().replacen("0X", "0x", 1), "test").await;
    assert_eq!(told.unwrap().agent.id, made.agent.id);
    for nobody in ["", "7", "0x90f79bf6eb2c4f870365e785982e1f101e93b906"] {
        let missing = house.agents.revoke(nobody, "test").await.unwrap_err();
        assert!(matches!(missing, AgentError::NoSuchAgent), "{missing}");
    }
}

async fn a_change_holds_at_once_and_leaves_the_rest(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    let made = house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap().agent;
    let usd = |text: &str| Some(Some(text.parse::<Usd>().unwrap()));
    let change = AgentChange { cap_day: usd("5"), budget_life: usd("2.5"), ..AgentChange::default() };
    let changed = house.agents.change(&alice, made.id, change).await.unwrap();
    let expected = Agent {
        caps: AgentCaps { day: usd("5").unwrap(), ..AgentCaps::default() },
        budgets: AgentBudgets { life: usd("2.5").unwrap(), ..AgentBudgets::default() },
        ..made.clone()
    };
    assert_eq!(changed, expected);
    assert_eq!(house.agents.change(&alice, made.id, AgentChange::default()).await.unwrap(), expected);
    let renamed = AgentChange { label: Some("other".to_owned()), cap_day: Some(None), ..AgentChange::default() };
    let renamed = house.agents.change(&alice, made.id, renamed).await.unwrap();
    assert_eq!((renamed.label.as_str(), renamed.caps), ("other", AgentCaps::default()));
    assert_eq!(house.agents.of_account(alice.account).await.unwrap(), [renamed]);
    let key = house.agents.accounts.keys(alice.account).await.unwrap().remove(0);
    assert_eq!((key.label.as_str(), key.limits.budget_life), ("other", usd("2.5").unwrap()));
    for (change, field) in [
        (AgentChange { cap_order: usd("-1"), ..AgentChange::default() }, "cap_order_usd"),
        (AgentChange { cap_life: usd("1000000000.1"), ..AgentChange::default() }, "cap_usd"),
        (AgentChange { label: Some("a\nb".to_owned()), ..AgentChange::default() }, "label"),
    ] {
        let refused = house.agents.change(&alice, made.id, change).await.unwrap_err();
        assert!(matches!(&refused, AgentError::Unfit(bad) if bad.field == field), "{refused}");
    }
}

async fn nobody_manages_what_is_another_s_or_more_than_their_own(on: On) {
    let house = house(on).await;
    let (alice, bob) = (house.person("alice").await, house.person("bob").await);
    let made = house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap();
    let change = AgentChange::default;
    let theirs = house.agents.change(&bob, made.agent.id, change()).await.unwrap_err();
    assert!(matches!(theirs, AgentError::NoSuchAgent), "{theirs}");
    let theirs = house.agents.revoke_own(&bob, made.agent.id).await.unwrap_err();
    assert!(matches!(theirs, AgentError::NoSuchAgent), "{theirs}");
    assert!(house.agents.own(&bob).await.unwrap().is_empty());
    // The agent itself, a key with a budget, and one that ends.
    let key = |account: AccountId, expires_at_ms| NewKey { account, label: String::new(), expires_at_ms };
    let accounts = &house.agents.accounts;
    let poor = KeyLimits { budget_life: Some(Usd::ZERO), ..KeyLimits::default() };
    let poor = accounts.create_limited_key(key(alice.account, None), poor, "test").await.unwrap().key.id;
    let brief = accounts.create_key(key(alice.account, Some(NOW * 1000 + 1)), "test").await.unwrap().key.id;
    let itself: Caller = accounts.authenticate(made.secret.reveal()).await.unwrap().into();
    assert_eq!(itself.by, CallerCredential::Agent(made.agent.id, made.agent.key));
    let callers = [
        itself,
        Caller { by: CallerCredential::Key(poor), ..alice.clone() },
        Caller { by: CallerCredential::Key(brief), ..alice.clone() },
    ];
    for caller in &callers {
        let refusals = [
            house.register(caller, &Holder::evm(2), "nonce-02").await.map(drop),
            house.agents.change(caller, made.agent.id, change()).await.map(drop),
            house.agents.revoke_own(caller, made.agent.id).await.map(drop),
        ];
        for refused in refusals {
            assert!(matches!(refused, Err(AgentError::Key(AccountError::KeyLimited))), "{refused:?}");
        }
    }
    let managing = [
        accounts.own_keys(&callers[0]).await.map(drop),
        accounts.create_own_key(&callers[0], String::new(), None, KeyLimits::default()).await.map(drop),
        accounts.revoke_own_key(&callers[0], poor).await.map(drop),
    ];
    for refused in managing {
        assert!(matches!(refused, Err(AccountError::KeyLimited)), "{refused:?}");
    }
}

async fn whoever_is_signed_out_meanwhile_manages_no_agents(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    let made = house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap();
    let CallerCredential::Session(session) = alice.by else { panic!("{alice:?}") };
    house.agents.accounts.end_session(session).await.unwrap();
    let refused = [
        house.register(&alice, &Holder::evm(2), "nonce-02").await.map(drop),
        house.agents.change(&alice, made.agent.id, AgentChange::default()).await.map(drop),
        house.agents.revoke_own(&alice, made.agent.id).await.map(drop),
    ];
    for refused in refused {
        assert!(matches!(refused, Err(AgentError::Key(AccountError::SignedOut))), "{refused:?}");
    }
    assert_eq!(house.agents.of_account(alice.account).await.unwrap().len(), 1);
}

async fn a_frozen_account_registers_nothing(on: On) {
    let house = house(on).await;
    let alice = house.person("alice").await;
    let made = house.register(&alice, &Holder::evm(1), "nonce-01").await.unwrap();
    let key = NewKey { account: alice.account, label: String::new(), expires_at_ms: None };
    let key = house.agents.accounts.create_key(key, "test").await.unwrap().key.id;
    house.agents.accounts.set_account_state(alice.account, AccountState::Frozen, "test").await.unwrap();
    // Requests that were let in before.
    let late = house.register(&alice, &Holder::evm(2), "nonce-02").await.unwrap_err();
    assert!(matches!(late, AgentError::Key(AccountError::SignedOut)), "{late}");
    let alice = Caller { by: CallerCredential::Key(key), ..alice };
    let late = house.register(&alice, &Holder::evm(2), "nonce-02").await.unwrap_err();
    assert!(matches!(late, AgentError::Key(AccountError::Frozen)), "{late}");
    let refused = house.agents.accounts.authenticate(made.secret.reveal()).await.unwrap_err();
    assert!(matches!(refused, KeyRejection::AccountFrozen), "{refused}");
}

on_both!(
    an_agent_has_a_key_that_names_it_and_the_caps_of_the_house,
    a_proof_registers_once,
    an_agent_and_its_key_are_revoked_together,
    a_change_holds_at_once_and_leaves_the_rest,
    nobody_manages_what_is_another_s_or_more_than_their_own,
    whoever_is_signed_out_meanwhile_manages_no_agents,
    a_frozen_account_registers_nothing,
);
