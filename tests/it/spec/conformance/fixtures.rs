//! What the fixtures of the spec are here: who calls, and what is there before a request is sent.

mod callers;
mod catalog;
mod identities;
mod oidc;
mod operators;
mod orders;
mod organisation;
mod oversight;
mod payments;
mod providers;
mod state;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use reqwest::RequestBuilder;
use serde_json::Value;
use tokio::task::JoinHandle;
use tollgate_accounts::NewKey;
use tollgate_base::{AccountId, Usd};
use tollgate_credit::GrantRequest;
use tollgate_spec_generator::client_model::{ApiDocument, ExampleCase, FixtureValues, samples};
use tollgate_tests::formats::answer;
use tollgate_tests::reply::Step;
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway};

use super::answers::{Reply, Voice, sent};
use super::houses::{Before, House, Place};

/// The account of one example, and all that it is given.
pub(super) struct Scene<'h> {
    pub(super) house: &'h mut House,
    pub(super) document: &'h ApiDocument,
    pub(super) case: ExampleCase<'h>,
    pub(super) account: AccountId,
    /// The account's first key.
    pub(super) key: String,
    pub(super) values: FixtureValues,
    /// Who sends what is sent in the example's words, so that it is the same request that is sent again.
    pub(super) voice: &'h dyn Voice,
    /// What is held up while the example's request is answered.
    held: Option<(ReplyGate, JoinHandle<()>)>,
}

impl<'h> Scene<'h> {
    pub(super) async fn set(
        house: &'h mut House,
        case: &ExampleCase<'h>,
        document: &'h ApiDocument,
        voice: &'h dyn Voice,
    ) -> Self {
        let (account, key) = match (&house.gateway, &house.before) {
            (Some(gateway), _) => account(gateway, "10").await,
            (None, Some(before)) => (AccountId(0), before.key.clone()),
            (None, None) => panic!("a closed house has a key from before"),
        };
        let (values, case) = (samples(document), case.clone());
        if let Some(gateway) = &house.gateway {
            gateway.upstream.on(answer);
        }
        let mut scene = Self { house, document, case, account, key, values, voice, held: None };
        for fixture in scene.case.caller.into_iter().chain(scene.case.given.clone()) {
            scene.give(fixture).await;
        }
        scene
    }

    /// Sees that something is there. What is no name here is there already, as the spec describes it.
    async fn give(&mut self, fixture: &str) {
        if self.house.place == Place::Closed {
            return self.give_closed(fixture).await;
        }
        let known = self.give_caller(fixture).await
            || self.give_operator_caller(fixture).await
            || self.give_operated(fixture).await
            || self.give_offered(fixture).await
            || self.give_oversight(fixture).await
            || self.give_organised(fixture).await
            || self.give_payment(fixture).await
            || self.give_state(fixture).await
            || self.give_order(fixture).await
            || self.give_provider(fixture).await;
        assert!(known, "say here what the fixture `{fixture}` is");
    }

    /// Before the ledger was closed there were a key and a session; nothing else can be made any more.
    async fn give_closed(&mut self, fixture: &str) {
        let Before { key, session, operator } = self.house.before.clone().expect("it is closed");
        match fixture {
            "key" => self.put("key", "secret", key),
            "signed_in" | "signed_in_member" | "signed_in_anew" => {
                self.put(fixture, "secret", session);
                self.put(fixture, "origin", self.house.door.url.clone());
            }
            "operator" => self.put("operator", "secret", operator),
            "notice" => self.notice("tg0"),
            "oidc_answer" => self.oidc_answer(fixture).await,
            "oidc_logout" => self.oidc_logout().await,
            _ => {}
        }
    }

    pub(super) fn put(&mut self, fixture: &str, name: &str, value: impl Into<Value>) {
        self.values.entry(fixture.to_owned()).or_default().insert(name.to_owned(), value.into());
    }

    pub(super) fn gateway(&self) -> &TestGateway {
        self.house.gateway.as_ref().expect("it is open")
    }

    /// The example's own request, to be sent.
    pub(super) fn said(&self) -> RequestBuilder {
        self.voice.said(&self.house.door.url, &self.case, &self.values)
    }

    /// What the example's request is answered.
    pub(super) async fn answered(&self) -> Reply {
        sent(&self.house.door, self.said()).await
    }

    /// Sends a request that the provider answers only when the example is over.
    pub(super) async fn hold(&mut self, first: RequestBuilder) {
        let gate = ReplyGate::default();
        // The first alone is held up.
        let held = Mutex::new(Some(gate.clone()));
        let upstream = &self.gateway().upstream;
        drop(upstream.take_received());
        upstream.on(move |request| match held.lock().expect("no script panicked").take() {
            Some(gate) => answer(request).step_at(0, Step::Wait(gate)),
            None => answer(request),
        });
        let sent = tokio::spawn(async move { drop(first.send().await.expect("an answer").bytes().await) });
        let upstream = &self.gateway().upstream;
        until("the first to be sent", || async { (!upstream.take_received().is_empty()).then_some(()) }).await;
        self.held = Some((gate, sent));
    }

    /// Leaves the house as it was.
    pub(super) async fn end(self) {
        if let Some((gate, sent)) = self.held {
            gate.open();
            sent.await.expect("no panic");
        }
        if let Some(gateway) = &self.house.gateway {
            drop(gateway.upstream.take_received());
        }
    }
}

/// An account of its own, with so much credit and a key.
pub(super) async fn account(gateway: &TestGateway, credit: &str) -> (AccountId, String) {
    let service = gateway.service();
    let name = unique("account");
    let account = service.accounts.create_account(&name, "test").await.expect("an account").id;
    let amount: Usd = credit.parse().expect("an amount");
    if amount > Usd::ZERO {
        let ask = GrantRequest { account, amount, idem: &name, actor: "test".into(), note: "" };
        service.credit.grant(ask).await.expect("a grant");
    }
    (account, key(gateway, account, None).await)
}

/// A key of an account.
pub(super) async fn key(gateway: &TestGateway, account: AccountId, expires_at_ms: Option<i64>) -> String {
    let key = NewKey { account, label: "first".to_owned(), expires_at_ms };
    gateway.service().accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned()
}

/// A name that was not used.
pub(super) fn unique(what: &str) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{what}-{}", COUNT.fetch_add(1, Ordering::Relaxed))
}
