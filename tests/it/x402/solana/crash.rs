//! A gateway that is killed while it takes a payment, and started again: it ends as if nothing had been, and nobody has to do
//! anything for it.

use serde_json::{Value, json};
use tempfile::TempDir;
use tollgate_server::store::Side;
use tollgate_server::topup::Step;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::svm::{LAPSED_BLOCKS, Svm, fee_payer_key};
use tollgate_tests::wait::until;

const ARMED_BY: &str = "TOLLGATE_CRASH_AT";

/// A network, and what a gateway on it is started with.
struct Mortal {
    svm: Svm,
    args: Vec<String>,
    key: String,
    _folder: TempDir,
}

impl Mortal {
    fn open() -> Self {
        let (svm, folder) = (Svm::start(), tempfile::tempdir().expect("a temporary folder"));
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file of ours");
            path.display().to_string()
        };
        let key = write("fee-payer", &fee_payer_key());
        let config = svm.config_with("0", &format!("relayer_key_file = {key:?}"));
        let config =
            write("tollgate.toml", &format!("data_dir = {:?}\n[sandbox]\nenabled = true\n{config}", folder.path()));
        let args = vec!["--config".to_owned(), config];
        let mut mortal = Self { svm, args, key: String::new(), _folder: folder };
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
    async fn assert_credited_once(&self, served: Served, when: &str) {
        until("the credit", async || (self.balance(&served).await == "5").then_some(())).await;
        assert_eq!(self.svm.units("coinAccount").await, 5_000_000, "{when}");
        assert_eq!(self.svm.carried_out().await, 1, "{when}");
        assert!(served.terminate(), "{when}");
        self.run(&["audit"]);
    }
}

/// Each end beside the commits of a payment: before its claim nothing was sent and the order waits; after it the bytes are there,
/// and whoever starts next sends them.
#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_may_end_beside_any_commit_of_a_payment() {
    for (step, side) in [
        (Step::Claim, Side::Before),
        (Step::Claim, Side::After),
        (Step::Credit, Side::Before),
        (Step::Credit, Side::After),
        (Step::Close, Side::Before),
    ] {
        let when = format!("{} {}", side.name(), step.name());
        let mortal = Mortal::open();
        let at = format!("{}.{}:1", step.name(), side.name());
        let served = Served::start_in((ARMED_BY, &at), &mortal.args());
        let (order, payment) = mortal.order(&served).await;
        assert_eq!(mortal.pay(&served, order, &payment).await, None, "{when}");
        let ended = tokio::task::spawn_blocking(move || served.ended()).await.expect("it ends");
        assert!(!ended.success(), "{when}");
        let was_sent = mortal.svm.given().await > 0;
        assert_eq!(was_sent, step != Step::Claim, "{when}: nothing is sent that was not kept before");
        let served = Served::start(&mortal.args());
        if (step, side) == (Step::Claim, Side::Before) {
            let paid = mortal.pay(&served, order, &payment).await.expect("an answer");
            assert_eq!(paid["success"], true, "{when}: {paid}");
        }
        mortal.assert_credited_once(served, &when).await;
    }
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
    mortal.assert_credited_once(Served::start(&mortal.args()), "killed after it was sent").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_killed_and_away_for_too_long_gives_the_order_back() {
    let mortal = Mortal::open();
    let at = format!("{}.{}:1", Step::Claim.name(), Side::After.name());
    let served = Served::start_in((ARMED_BY, &at), &mortal.args());
    let (order, payment) = mortal.order(&served).await;
    assert_eq!(mortal.pay(&served, order, &payment).await, None);
    assert!(!tokio::task::spawn_blocking(move || served.ended()).await.expect("it ends").success());
    mortal.svm.mine(LAPSED_BLOCKS).await;
    let served = Served::start(&mortal.args());
    // The order's own challenge is as it was: the same memo, a newer block.
    let fresh = until("the order to wait again", async || {
        let request = client().get(format!("{}/api/user/topup/x402/orders", served.url())).bearer_auth(&mortal.key);
        let listed: Value = request.send().await.ok()?.json().await.ok()?;
        listed["data"].as_array()?.iter().find(|waiting| waiting["order_id"] == order).cloned()
    });
    let fresh = mortal.svm.payment(&fresh.await["challenge"], "official").await;
    assert_ne!(fresh["payload"], payment["payload"]);
    let paid = mortal.pay(&served, order, &fresh).await.expect("an answer");
    assert_eq!(paid["success"], true, "{paid}");
    mortal.assert_credited_once(served, "away for too long").await;
}
