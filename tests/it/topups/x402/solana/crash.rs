//! A gateway that is killed while it takes a payment, and started again: it ends as if nothing had been, and nobody has to do
//! anything for it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;
use tollgate_store::CommitSide;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::svm::{LAPSED_BLOCKS, Svm, fee_payer_key};
use tollgate_tests::wait::until;
use tollgate_topup::Step;

use crate::ledger::commit_steps::{Way, armed, each_timed, ended, ends, named, way};

/// Within which an order has to have ended after the network's answer.
const IN_TIME: Duration = Duration::from_secs(60);

/// A network, and what a gateway on it is started with.
struct Mortal {
    svm: Svm,
    args: Vec<String>,
    key: String,
    folder: TempDir,
}

impl Mortal {
    fn open() -> Self {
        Self::open_at("0")
    }

    /// One that credits what lies so deep.
    fn open_at(depth: &str) -> Self {
        let (svm, folder) = (Svm::start(), tempfile::tempdir().expect("a temporary folder"));
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            path.display().to_string()
        };
        let key = write("fee-payer", &fee_payer_key());
        let config = svm.config_with(depth, &format!("relayer_key_file = {key:?}"));
        let config =
            write("tollgate.toml", &format!("data_dir = {:?}\n[sandbox]\nenabled = true\n{config}", folder.path()));
        let args = vec!["--config".to_owned(), config];
        let mut mortal = Self { svm, args, key: String::new(), folder };
        mortal.run(&["account", "create", "payer"]);
        mortal.key = mortal.run(&["key", "create", "--account", "payer"])["key"].as_str().expect("a key").to_owned();
        mortal
    }

    fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).collect()
    }

    fn run(&self, more: &[&str]) -> Value {
        let (done, told) = run_json(&[&self.args()[..], more].concat());
        assert!(done, "{more:?}: {told}");
        told
    }

    /// An order over five dollars and a payment of it.
    async fn order(&self, served: &Served) -> (i64, Value) {
        let request = client().post(format!("{}/api/user/topup/x402/orders", served.url())).bearer_auth(&self.key);
        let reply = request.json(&json!({"amount_usd": 5})).send().await.expect("an answer");
        let made: Value = reply.json().await.expect("JSON");
        let payment = self.svm.payment(&made["data"]["challenge"], "official").await;
        (made["data"]["order_id"].as_i64().expect("a number"), payment)
    }

    /// Submits a payment; nothing where the gateway ended before it answered.
    async fn pay(&self, served: &Served, order: i64, payment: &Value) -> Option<Value> {
        let request = client().post(format!("{}/api/x402/pay/{order}", served.url())).json(payment);
        request.send().await.ok()?.json().await.ok()
    }

    async fn balance(&self, served: &Served) -> String {
        let request = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&self.key);
        let reply = request.send().await.expect("an answer").text().await.expect("a body");
        amount(&exact(&reply)["data"]["quota_usd"])
    }

    /// Waits until the order is credited: once, by one transaction, and the books are right.
    async fn assert_credited_once(&self, served: Served, when: &str, since: Instant) -> Duration {
        until("the credit", async || (self.balance(&served).await == "5").then_some(())).await;
        let took = since.elapsed();
        assert_eq!(self.svm.units("coinAccount").await, 5_000_000, "{when}");
        assert_eq!(self.svm.carried_out().await, 1, "{when}");
        assert!(served.terminate(), "{when}");
        self.run(&["audit"]);
        took
    }
}

/// Ends a gateway there, and sees what its successor makes of it; how long that took after the network's answer.
async fn dies(step: Step, side: CommitSide) -> (String, Duration) {
    let when = format!("Solana, {}", named(step, side));
    let mortal = Mortal::open_at(if way(step) == Way::Shallow { "2" } else { "0" });
    let took = match way(step) {
        Way::Payment => mortal.paying(step, side, &when).await,
        Way::Shallow => mortal.lying_shallow(step, side, &when).await,
        Way::GivenUp => mortal.giving_up(step, side, &when).await,
        Way::Twice => mortal.paying_twice(step, side, &when).await,
        // Each of these is the same on every chain, or there is no such thing on this one.
        Way::Order
        | Way::Stuck
        | Way::Afterwards
        | Way::Lapsed
        | Way::Page
        | Way::Notice
        | Way::Time
        | Way::Command
        | Way::Comparison => panic!("{when}: not on this way"),
    };
    assert!(took < IN_TIME, "{when}: {took:?}");
    (when, took)
}

impl Mortal {
    /// Before its claim nothing was sent and the order waits; after it the bytes are there, and whoever starts next sends them.
    async fn paying(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let (order, payment) = self.order(&served).await;
        assert_eq!(self.pay(&served, order, &payment).await, None, "{when}");
        ended(served, when).await;
        let was_sent = !matches!((step, side), (Step::Claim, _) | (Step::Send, CommitSide::Before));
        assert_eq!(self.svm.given().await > 0, was_sent, "{when}: nothing is sent that was not kept before");
        let served = Served::start(&self.args());
        let since = Instant::now();
        if (step, side) == (Step::Claim, CommitSide::Before) {
            let paid = self.pay(&served, order, &payment).await.expect("an answer");
            assert_eq!(paid["success"], true, "{when}: {paid}");
        }
        self.assert_credited_once(served, when, since).await
    }

    async fn lying_shallow(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let (order, payment) = self.order(&served).await;
        assert_eq!(self.pay(&served, order, &payment).await, None, "{when}");
        ended(served, when).await;
        let served = Served::start(&self.args());
        assert_eq!(self.balance(&served).await, "0", "{when}");
        self.svm.mine(3).await;
        self.assert_credited_once(served, when, Instant::now()).await
    }

    /// The network takes it into no block while it is good.
    async fn giving_up(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        self.svm.set(json!({"deaf": true})).await;
        let served = armed(step, side, &self.args());
        let (order, payment) = self.order(&served).await;
        let paid = self.pay(&served, order, &payment).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "credit_pending", "{when}: {paid}");
        self.svm.mine(LAPSED_BLOCKS).await;
        self.svm.set(json!({"deaf": false})).await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let since = Instant::now();
        let challenge = self.waits(&served, order).await;
        let took = since.elapsed();
        let fresh = self.svm.payment(&challenge, "official").await;
        let paid = self.pay(&served, order, &fresh).await.expect("an answer");
        assert_eq!(paid["success"], true, "{when}: {paid}");
        self.assert_credited_once(served, when, Instant::now()).await;
        took
    }

    /// The nodes have hidden the first payment for so long that its order was paid by a second.
    async fn paying_twice(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        self.svm.set(json!({"hidden": true})).await;
        let served = armed(step, side, &self.args());
        let (order, payment) = self.order(&served).await;
        let paid = self.pay(&served, order, &payment).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "credit_pending", "{when}: {paid}");
        self.svm.mine(LAPSED_BLOCKS).await;
        let challenge = self.waits(&served, order).await;
        self.svm.set(json!({"hidden": "earlier"})).await;
        let fresh = self.svm.payment(&challenge, "official").await;
        let paid = self.pay(&served, order, &fresh).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "settled", "{when}: {paid}");
        self.svm.set(json!({"hidden": false})).await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let since = Instant::now();
        let ledger = SqliteConnectOptions::new().filename(self.folder.path().join("sandbox.db"));
        until("it to be set aside", async || {
            let mut ledger = ledger.clone().connect().await.ok()?;
            let aside = sqlx::query_scalar("SELECT count(*) FROM payments WHERE state = 'surplus'");
            let aside: i64 = aside.fetch_one(&mut ledger).await.ok()?;
            (aside == 1).then_some(())
        })
        .await;
        let took = since.elapsed();
        assert_eq!((self.balance(&served).await.as_str(), self.svm.carried_out().await), ("5", 2), "{when}");
        assert!(served.terminate(), "{when}");
        self.run(&["audit"]);
        took
    }

    /// Waits until the order waits again; its challenge, which is as it was: the same memo, a newer block.
    async fn waits(&self, served: &Served, order: i64) -> Value {
        let waiting = until("the order to wait again", async || {
            let request = client().get(format!("{}/api/user/topup/x402/orders", served.url())).bearer_auth(&self.key);
            let listed: Value = request.send().await.ok()?.json().await.ok()?;
            listed["data"].as_array()?.iter().find(|waiting| waiting["order_id"] == order).cloned()
        });
        waiting.await["challenge"].clone()
    }
}

// suite: 20s
#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_may_end_beside_any_commit_of_a_payment() {
    let ways = |way| matches!(way, Way::Payment | Way::Shallow | Way::GivenUp | Way::Twice);
    each_timed(ends(ways), dies).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_killed_after_it_sent_a_payment_credits_it() {
    let mortal = Mortal::open();
    mortal.svm.set(json!({"mineAtOnce": false})).await;
    let served = Served::start(&mortal.args());
    let (order, payment) = mortal.order(&served).await;
    let paid = mortal.pay(&served, order, &payment).await.expect("an answer");
    assert_eq!(paid["data"]["status"], "credit_pending", "{paid}");
    served.kill();
    // It is carried out while nobody looks.
    mortal.svm.mine(1).await;
    let (served, since) = (Served::start(&mortal.args()), Instant::now());
    mortal.assert_credited_once(served, "killed after it was sent", since).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_killed_and_away_for_too_long_gives_the_order_back() {
    let mortal = Mortal::open();
    let when = "away for too long";
    let served = armed(Step::Claim, CommitSide::After, &mortal.args());
    let (order, payment) = mortal.order(&served).await;
    assert_eq!(mortal.pay(&served, order, &payment).await, None);
    ended(served, when).await;
    mortal.svm.mine(LAPSED_BLOCKS).await;
    let served = Served::start(&mortal.args());
    let challenge = mortal.waits(&served, order).await;
    let fresh = mortal.svm.payment(&challenge, "official").await;
    assert_ne!(fresh["payload"], payment["payload"]);
    let paid = mortal.pay(&served, order, &fresh).await.expect("an answer");
    assert_eq!(paid["success"], true, "{paid}");
    mortal.assert_credited_once(served, when, Instant::now()).await;
}
