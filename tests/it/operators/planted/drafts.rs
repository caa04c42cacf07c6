//! A request of each operation that would be answered, had nothing been planted in it. Each changes something, since a change
//! that changes nothing is not told in the log.

use serde_json::{Map, Value, json};
use tollgate_telemetry::{AlarmIdentity, AlarmRings};
use tollgate_tests::client;
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;
use tollgate_topup::{CreditAmount, ResolveRequest};

use super::Planter;
use crate::accounts::console::{payment, set_aside_order};
use crate::operators::admin_client::AdminClient;
use crate::planted::{Draft, Planting};

impl Planter<'_> {
    /// The request of an operation; whatever it is about is there. `serial` is in no other.
    pub(super) async fn drafted(&self, operation: &str, serial: usize) -> Draft {
        let account = self.gateway().account;
        let (path, body) = match operation {
            "admin_accounts.create" => ("accounts".to_owned(), json!({"name": format!("account-{serial}")})),
            "admin_accounts.change" => (format!("accounts/{account}"), json!({"note": format!("note {serial}")})),
            "admin_accounts.grant" => (format!("accounts/{account}/grants"), json!({"usd": 1})),
            "admin_accounts.take" => (format!("accounts/{account}/takings"), json!({"usd": 0.5, "reason": "too much"})),
            "admin_keys.create" => (format!("accounts/{account}/keys"), json!({"label": "a label"})),
            "admin_keys.change" => {
                let made = self.made(&format!("accounts/{account}/keys"), &json!({"label": "one"})).await;
                (format!("keys/{}", made["key"]["key_id"]), json!({"label": "a label"}))
            }
            "admin_agents.change" => (format!("agents/{}", self.agent().await), json!({"label": "a label"})),
            "admin_keys.revoke" | "admin_agents.revoke" => panic!("{operation} takes a text now"),
            "admin_payments.resolve" => self.resolution(serial).await,
            "admin_payments.reverse" => self.reversal(serial).await,
            "admin_session.login" => {
                ("session".to_owned(), json!({"name": "root", "password": "no", "code": "000000"}))
            }
            "admin_session.offer" => ("invitation".to_owned(), json!({"invitation": "nobody's"})),
            "admin_session.accept" => {
                let accepted =
                    json!({"invitation": "nobody's", "secret": "none", "code": "000000", "password": "twelve letters"});
                ("invitation/accept".to_owned(), accepted)
            }
            "admin_alarms.acknowledge" => self.alarm(serial).await,
            "admin_jobs.archive" => ("jobs/archive".to_owned(), json!({"month": "2026-10"})),
            _ if operation.starts_with("admin_jobs.") => self.job(operation).await,
            "admin_service.reload" => ("reload".to_owned(), json!({})),
            _ if operation.starts_with("admin_operators.") => self.operator(operation, serial).await,
            _ if operation.starts_with("admin_providers.") => self.provider(operation, serial).await,
            _ => self.offered(operation, serial).await,
        };
        let headers =
            vec![("idempotency-key".to_owned(), format!("key-{serial}")), ("if-match".to_owned(), "*".to_owned())];
        let path = format!("{}{path}", Self::BELOW);
        Draft { path, body: (!body.is_null()).then_some(body), query: Vec::new(), headers }
    }

    /// An alarm that nobody has acknowledged.
    async fn alarm(&self, serial: usize) -> (String, Value) {
        let alarms = &self.gateway().service().alarms;
        let subject = format!("entry={serial}");
        let identity = AlarmIdentity { alarm: "catalog".to_owned(), subject: subject.clone(), message: String::new() };
        alarms.feed().ring(identity, AlarmRings { count: 1, first_ms: 1, last_ms: 1, fields: Map::new() });
        let id = until("the alarm", async || {
            alarms.record().await.expect("written down");
            let open = AdminClient::data(self.admin.get("alarms?state=open").await);
            let alarm = open["alarms"].as_array()?.iter().find(|alarm| alarm["subject"] == *subject)?;
            Some(alarm["alarm_id"].clone())
        });
        (format!("alarms/{}/acknowledgement", id.await), json!({}))
    }

    /// The number of a new agent of the account.
    async fn agent(&self) -> Value {
        let gateway = self.gateway();
        let registration = Wallet::evm().registration(&gateway.url(""));
        let asked = client().post(gateway.url("/api/user/self/agents")).bearer_auth(&gateway.key).json(&registration);
        let reply: Value = asked.send().await.expect("an answer").json().await.expect("JSON");
        reply["data"]["agent"]["agent_id"].clone()
    }

    /// A job, once the one before has ended.
    async fn job(&self, operation: &str) -> (String, Value) {
        until("the end of a job", async || {
            let jobs = AdminClient::data(self.admin.get("jobs?limit=1").await);
            (jobs["jobs"].get(0).is_none_or(|job| job["state"] != "running")).then_some(())
        })
        .await;
        (operation.replace("admin_jobs.", "jobs/"), json!({}))
    }

    async fn operator(&self, operation: &str, serial: usize) -> (String, Value) {
        let new = json!({"name": format!("operator-{serial}"), "kind": "person", "role": "reader"});
        match operation {
            "admin_operators.create" => return ("operators".to_owned(), new),
            "admin_operators.change" | "admin_operators.end_sessions" | "admin_operators.invite" => {}
            _ => panic!("say here how {operation} is asked"),
        }
        let made = self.made("operators", &new).await;
        let path = format!("operators/{}", made["operator"]["operator_id"]);
        match operation {
            "admin_operators.change" => (path, json!({"role": "support"})),
            "admin_operators.invite" => (format!("{path}/invitation"), Value::Null),
            _ => (format!("{path}/sessions"), Value::Null),
        }
    }

    async fn provider(&self, operation: &str, serial: usize) -> (String, Value) {
        let settings = json!({"base_url": self.gateway().upstream.base_url(), "concurrency_max": serial});
        let name = format!("provider-{serial}");
        match operation {
            "admin_providers.create" => return ("providers".to_owned(), json!({"name": name, "settings": settings})),
            "admin_providers.change" => return ("providers/alpha".to_owned(), json!({"settings": settings})),
            "admin_providers.test" => return ("providers/alpha/tests".to_owned(), json!({"model": "upstream-model"})),
            "admin_providers.reseal" => return ("secrets/reseal".to_owned(), Value::Null),
            _ => {}
        }
        self.made("providers", &json!({"name": name, "settings": settings})).await;
        match operation {
            "admin_providers.remove" => (format!("providers/{name}"), Value::Null),
            "admin_providers.drain" => (format!("providers/{name}/drain"), Value::Null),
            "admin_providers.resume" => {
                self.made(&format!("providers/{name}/drain"), &Value::Null).await;
                (format!("providers/{name}/resume"), Value::Null)
            }
            _ => panic!("say here how {operation} is asked"),
        }
    }

    /// Models, prices and groups.
    async fn offered(&self, operation: &str, serial: usize) -> (String, Value) {
        let name = format!("entry-{serial}");
        let candidates = json!([{"upstream": "alpha", "model": "upstream-model"}]);
        let model = json!({
            "context_tokens": 1000 + serial, "max_output_tokens": 100, "listed_as": "swift", "candidates": candidates,
        });
        let tiers = json!([{"above": 1000, "prompt": "2", "completion": "3"}]);
        let price = json!({"prompt": format!("{serial}.5"), "completion": "2", "tiers": tiers, "cost": {"prompt": "1", "completion": "1"}});
        let list = format!("[prices.{name}]\nprompt = \"1\"\ncompletion = \"2\"\n");
        let group = json!({"name": name, "ratio": "1"});
        let named = |settings: Value| json!({"name": name, "settings": settings});
        match operation {
            "admin_groups.create" => ("groups".to_owned(), group),
            "admin_groups.change" => ("groups/partners".to_owned(), json!({"ratio": format!("0.{serial:05}1")})),
            "admin_groups.remove" => {
                self.made("groups", &group).await;
                (format!("groups/{name}"), Value::Null)
            }
            "admin_models.create" => ("models".to_owned(), named(model)),
            "admin_models.change" => ("models/quick".to_owned(), json!({"settings": model})),
            "admin_models.quote" => ("models/quick/quotes".to_owned(), json!({"prompt_tokens": 1})),
            "admin_models.remove" => {
                self.made("models", &named(model)).await;
                (format!("models/{name}"), Value::Null)
            }
            "admin_prices.create" => ("prices".to_owned(), named(price)),
            "admin_prices.replace" => ("prices/swift/versions".to_owned(), json!({"settings": price})),
            "admin_prices.compare" => ("price_list/comparison".to_owned(), json!({"list": list})),
            "admin_prices.take" => ("price_list".to_owned(), json!({"list": list})),
            "admin_prices.remove" => {
                self.made("prices", &named(price)).await;
                (format!("prices/{name}"), Value::Null)
            }
            _ => panic!("say here how {operation} is asked"),
        }
    }

    async fn resolution(&self, serial: usize) -> (String, Value) {
        let payment = self.set_aside(serial).await;
        (format!("payments/{payment}/resolution"), json!({"credit": true, "usd": 4, "reason": "it came"}))
    }

    async fn reversal(&self, serial: usize) -> (String, Value) {
        let payment = self.set_aside(serial).await;
        let credit = Some(CreditAmount::OfOrder);
        let decided = ResolveRequest { payment, credit, actor: "test".into(), reason: "a test" };
        self.gateway().service().topups.resolve(decided).await.expect("credited");
        (format!("payments/{payment}/reversals"), json!({"kind": "refund", "usd": 1, "reason": "asked for"}))
    }

    /// A payment that waits for a decision.
    async fn set_aside(&self, serial: usize) -> i64 {
        let order = set_aside_order(self.gateway(), payment(&format!("0x{serial}"))).await;
        let payments = self.gateway().service().topups.unresolved().await.expect("a ledger");
        payments.iter().find(|payment| payment.order == order).expect("it is set aside").id
    }
}
