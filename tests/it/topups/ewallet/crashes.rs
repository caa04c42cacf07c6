//! A process that ends right before or right after each commit that a checkout has, and what is so afterwards: what was paid is
//! credited once, and an order that was told is there.

use tollgate_store::CommitSide;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::checkout::{NOTIFY, key};
use tollgate_topup::Step;
use tollgate_topup::ewallet::published;

use super::*;
use crate::ledger::commit_steps::{Way, armed, each, ended, ends, named, way};

/// A service of its own with an account, and its provider, which reports nothing by itself.
struct Mortal {
    provider: Provider,
    folder: tempfile::TempDir,
    key: String,
}

impl Mortal {
    async fn on(on: On) -> Self {
        Self::with(&database(on).await.as_deref().map(table).unwrap_or_default()).await
    }

    /// With these tables in its configuration.
    async fn with(tables: &str) -> Self {
        let provider = Provider::start(Clock::system(), 1_000_000);
        provider.faults(&json!({"drop": true})).await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        asks::written(&folder, &provider, tables);
        let mut mortal = Self { provider, folder, key: String::new() };
        mortal.tell(&["account", "create", "a"]);
        mortal.key = mortal.tell(&["key", "create", "--account", "a"])["key"].as_str().expect("a key").to_owned();
        mortal
    }

    fn config(&self) -> String {
        self.folder.path().join("tollgate.toml").display().to_string()
    }

    fn tell(&self, more: &[&str]) -> Value {
        let (ok, told) = run_json(&[&["--config", &*self.config()], more].concat());
        assert!(ok, "{more:?}: {told}");
        told
    }

    /// Makes an order; nothing where the server does not come to an answer.
    async fn order(&self, served: &Served) -> Option<Ordered> {
        let request = client().post(format!("{}{ORDERS}", served.url())).bearer_auth(&self.key);
        let made: Value =
            request.json(&json!({"amount_usd": 5, "wallet": "DANA"})).send().await.ok()?.json().await.ok()?;
        let text = |name: &str| made["data"][name].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        Some(Ordered { trade_no: text("trade_no"), page: text("checkout_url") })
    }

    async fn balance(&self, served: &Served) -> String {
        let asked = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&self.key);
        let told = asked.send().await.expect("an answer").text().await.expect("a body");
        amount(&exact(&told)["data"]["quota_usd"])
    }

    /// Ends a server beside a commit, and sees what its successor makes of it.
    async fn dies(&self, step: Step, side: CommitSide) {
        let when = named(step, side);
        let config = self.config();
        let args = ["--config", &*config];
        let served = armed(step, side, &args);
        let ordered = self.order(&served).await;
        assert_eq!(ordered.is_none(), matches!(way(step), Way::Order | Way::Page), "{when}");
        let notice = ordered.as_ref().map(|ordered| {
            let body = paid(&ordered.trade_no, "P-crash", "500").to_string();
            Posted::signed(body, Clock::system().now_ms())
        });
        match (way(step), &ordered, &notice) {
            (Way::Notice, _, Some(notice)) => {
                let answered = notice.to(served.url()).send().await;
                assert!(answered.is_err(), "{when}: nobody is told what did not last");
            }
            (Way::Time, Some(ordered), _) => drop(self.provider.press(&ordered.page, "pay").await),
            _ => {}
        }
        ended(served, &when).await;
        let served = Served::start(&args);
        let ordered = match ordered {
            Some(ordered) => ordered,
            // Whoever was told of no order makes another one.
            None => self.order(&served).await.expect("an order"),
        };
        match (way(step), notice) {
            (Way::Notice, Some(notice)) => {
                for _ in 0..2 {
                    let answered = notice.to(served.url()).send().await.expect("an answer");
                    assert_eq!(answered.status(), 200, "{when}: it is taken when it comes again");
                }
            }
            (Way::Order | Way::Page, _) => {
                let body = paid(&ordered.trade_no, "P-crash", "500").to_string();
                let notice = Posted::signed(body, Clock::system().now_ms());
                assert_eq!(notice.to(served.url()).send().await.expect("an answer").status(), 200, "{when}");
            }
            _ => {}
        }
        until("the credit", async || (self.balance(&served).await == "5").then_some(())).await;
        assert!(served.terminate(), "{when}");
        self.tell(&["audit"]);
    }
}

/// The steps that an order passes which is paid and reported, and one that is paid and not.
async fn fault_48_a_server_may_end_beside_each_commit_of_a_checkout(on: On) {
    let ways = |way| matches!(way, Way::Order | Way::Page | Way::Notice | Way::Time);
    each(ends(ways), move |step, side| async move { Mortal::on(on).await.dies(step, side).await }).await;
}

on_both!(fault_48_a_server_may_end_beside_each_commit_of_a_checkout);

/// At its most talkative: neither who signed it and how, nor who paid, nor what else stands in it.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_notice_is_in_the_log() {
    const BUYER: &str = "planted-buyer-4801";
    const FIELD: &str = "planted-field-4802";
    let mortal = Mortal::with("[log]\nfilter = \"trace\"\n").await;
    let config = mortal.config();
    let (served, log) = Served::start_logged(&["--config", &config]);
    let ordered = mortal.order(&served).await.expect("an order");
    let body = |payment: &str, cents: &str| {
        let mut body = paid(&ordered.trade_no, payment, cents);
        body["buyer"] = json!({"buyerId": BUYER, "buyerEmail": format!("{BUYER}@example.com")});
        body["extendInfo"] = json!(FIELD);
        body.to_string()
    };
    let now_ms = Clock::system().now_ms();
    let unfit = Posted::signed(body("P-unfit", "501"), now_ms);
    let forged = Posted::by(&key(published::MERCHANT_PRIVATE), NOTIFY, body("P-forged", "500"), now_ms);
    let good = Posted::signed(body("P-good", "500"), now_ms);
    let mut secrets = vec![BUYER.to_owned(), FIELD.to_owned()];
    for (posted, taken) in [(&unfit, false), (&forged, false), (&good, true)] {
        let answered = posted.to(served.url()).send().await.expect("an answer");
        assert_eq!(answered.status() == 200, taken);
        let signature = posted.headers["signature"].to_str().expect("text");
        secrets.push(signature.rsplit_once("signature=").expect("a signature").1.to_owned());
    }
    until("the credit", async || (mortal.balance(&served).await == "5").then_some(())).await;
    assert!(served.terminate());
    let text = log.into_iter().collect::<Vec<_>>().join("\n");
    assert!(text.contains("TRACE") || text.contains("\"trace\""), "it says all that it can");
    for secret in secrets {
        assert!(!text.contains(&secret), "{secret} is in the log");
    }
}
