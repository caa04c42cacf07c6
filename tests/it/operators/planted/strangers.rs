//! Texts that others than operators write: clients in what they send, browsers in their names, payers in their payments.

use serde_json::{Value, json};
use tollgate_accounts::operators::OperatorRole;
use tollgate_tests::client;
use tollgate_topup::NewPayment;

use super::Planter;
use crate::accounts::console::{payment, set_aside_order};
use crate::planted::{PAYLOADS, Planting, ask_for_a_model};

/// The members of a payment that hold texts of its chain. The receipt of one that is set aside is made of its reference.
const PAYMENT_TEXTS: [&str; 4] = ["source", "reference", "asset", "payer"];

/// More than the time for which tries to sign in are counted.
const MINUTE_MS: i64 = 61_000;

impl Planter<'_> {
    pub(super) async fn plant_as_strangers(&mut self) {
        for payload in PAYLOADS {
            self.label_a_key(payload).await;
            self.ask_for_a_model(payload).await;
            self.sign_in_by(payload).await;
            self.create_on_the_machine(payload).await;
            for member in PAYMENT_TEXTS {
                self.pay(member, payload).await;
            }
        }
    }

    async fn label_a_key(&mut self, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        let gateway = self.gateway();
        let request = client().post(gateway.url("/api/user/self/keys")).bearer_auth(&gateway.key);
        let request = request.header("content-type", "application/json").body(json!({"label": text}).to_string());
        let made: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        if made["success"] == true {
            self.texts.taken("a client's label", serial, text);
        }
    }

    async fn ask_for_a_model(&mut self, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        if ask_for_a_model(&self.fixture.gateway, &self.admin, &text).await {
            self.texts.taken("a client's model", serial, text);
        }
    }

    /// A session has the name of its browser.
    async fn sign_in_by(&mut self, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        // Tries to sign in are counted by the minute.
        self.fixture.hand.advance_ms(MINUTE_MS);
        self.fixture.enrolled_by(&format!("person-{serial}"), OperatorRole::Reader, text.as_bytes()).await;
        // A header that is not ASCII is no name.
        if text.is_ascii() {
            self.texts.taken("a browser's name", serial, text);
        }
    }

    /// The command line has names of its own for who acts, and for accounts and operators.
    async fn create_on_the_machine(&mut self, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        let accounts = &self.gateway().service().accounts;
        let actor: &str = &text;
        accounts.create_account(&format!("made-{serial}"), actor).await.expect("an account");
        self.texts.taken("an actor's name", serial, text);
    }

    async fn pay(&mut self, member: &str, payload: &str) {
        let (serial, text) = self.texts.text(payload);
        let paid = payment(&format!("0xpaid{serial}"));
        let paid = match member {
            "source" => NewPayment { source: text.clone(), ..paid },
            "reference" => NewPayment { reference: text.clone(), ..paid },
            "asset" => NewPayment { asset: text.clone(), ..paid },
            "payer" => NewPayment { payer: Some(text.clone()), ..paid },
            _ => panic!("{member} is no member of a payment"),
        };
        set_aside_order(self.gateway(), paid).await;
        self.texts.taken(&format!("a payment's {member}"), serial, text);
    }
}
