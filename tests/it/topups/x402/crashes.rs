//! A gateway that ends right before or right after each commit of a payment on an EVM chain, and beside its sending, and is
//! started again: the order ends right by itself, its payer is charged once and credited once, and the books are right. How long
//! that takes from the moment when the chain has its answer is told at the end.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions};
use tempfile::TempDir;
use tollgate_base::Clock;
use tollgate_chains::evm::{EvmToken, PaymentSignature, TransferAuthorization};
use tollgate_store::CommitSide;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::chain::{self, Anvil, CHAIN, NETWORK, PAY_TO, PAYER, RELAYER, STRANGER, account, word};
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::until;
use tollgate_topup::Step;

use super::Payment;
use super::permit2::Permit;
use super::reorgs::FINAL_BLOCKS;
use crate::ledger::commit_steps::{Way, armed, each_timed, ended, ends, named, way};
use crate::ledger::restartable::On;
use crate::topups::crypto;

/// Within which an order has to have ended after the chain's answer.
const IN_TIME: Duration = Duration::from_secs(60);
const X402: &str = "/api/user/topup/x402/orders";
const CRYPTO: &str = "/api/user/topup/crypto/orders";
const ALL: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";

/// How a payer signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pays {
    /// An agent, by EIP-3009.
    Authorization,
    /// An agent, by Permit2.
    Permit,
    /// A person in a wallet, who signs what the order says.
    Person,
}

/// A chain, and what a gateway on it is started with.
struct Mortal {
    pays: Pays,
    anvil: Anvil,
    token: EvmToken,
    args: Vec<String>,
    key: String,
    folder: TempDir,
}

/// An order, and what it is called.
struct Ordered {
    id: i64,
    trade_no: String,
    made: Value,
}

impl Mortal {
    async fn open(pays: Pays, depth: &str, on: On) -> Self {
        let anvil = Anvil::start().await;
        let token = match pays {
            Pays::Authorization | Pays::Person => anvil.token(),
            Pays::Permit => anvil.plain_token(1_000_000).await,
        };
        if pays == Pays::Permit {
            anvil.approve_permit2(PAYER, &token, ALL).await;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let relayer = folder.path().join("relayer");
        std::fs::write(&relayer, RELAYER).expect("a file of ours");
        let database = match on {
            On::File => String::new(),
            On::Server => {
                let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await;
                format!("[database]\nurl = {:?}\n", url.expect("PostgreSQL starts"))
            }
        };
        let chains = anvil.config_with(depth, std::slice::from_ref(&token));
        let chains = chains.replace("relayer_key_env = \"RELAYER_KEY\"", &format!("relayer_key_file = {relayer:?}"));
        let text = format!(
            "data_dir = {:?}\n{database}[sandbox]\nenabled = true\n[topup.crypto]\nenabled = true\n{chains}",
            folder.path()
        );
        let config = folder.path().join("tollgate.toml");
        std::fs::write(&config, text).expect("a file of ours");
        let args = vec!["--config".to_owned(), config.display().to_string()];
        let mut mortal = Self { pays, anvil, token, args, key: String::new(), folder };
        mortal.run(&["account", "create", "payer"]);
        mortal.key = mortal.run(&["key", "create", "--account", "payer"])["key"].as_str().expect("a key").to_owned();
        mortal
    }

    fn args(&self) -> Vec<&str> {
        self.args.iter().map(String::as_str).collect()
    }

    /// What another server on the same ledger is started with.
    fn beside(&self) -> Vec<String> {
        let folder = self.folder.path().join("beside");
        std::fs::create_dir(&folder).expect("a folder of ours");
        let text = std::fs::read_to_string(&self.args[1]).expect("a file of ours");
        let own =
            |line: &str| if line.starts_with("data_dir") { format!("data_dir = {folder:?}") } else { line.to_owned() };
        let config = folder.join("tollgate.toml");
        std::fs::write(&config, text.lines().map(own).collect::<Vec<_>>().join("\n")).expect("a file of ours");
        vec!["--config".to_owned(), config.display().to_string()]
    }

    fn run(&self, more: &[&str]) -> Value {
        let (done, told) = run_json(&[&self.args()[..], more].concat());
        assert!(done, "{more:?}: {told}");
        told
    }

    async fn get(&self, served: &Served, path: &str) -> Option<Value> {
        let request = client().get(format!("{}{path}", served.url())).bearer_auth(&self.key);
        Some(exact(&request.send().await.ok()?.text().await.ok()?))
    }

    /// An order over five dollars; nothing where the gateway ended before it answered.
    async fn order(&self, served: &Served) -> Option<Ordered> {
        let (path, body) = match self.pays {
            Pays::Authorization | Pays::Permit => (X402, json!({"amount_usd": 5})),
            Pays::Person => (CRYPTO, json!({"amount_usd": 5, "network": NETWORK, "payer": account(PAYER).address})),
        };
        let request = client().post(format!("{}{path}", served.url())).bearer_auth(&self.key);
        let made: Value = request.json(&body).send().await.ok()?.json().await.ok()?;
        let id = made["data"]["order_id"].as_i64().unwrap_or_else(|| panic!("{made}"));
        // An agent's order is told by its number alone.
        let trade_no = made["data"]["trade_no"].as_str().unwrap_or_default().to_owned();
        Some(Ordered { id, trade_no, made: made["data"].clone() })
    }

    fn signed(&self, order: &Ordered, number: u8) -> (TransferAuthorization, String) {
        let option = &order.made["challenge"]["accepts"][0];
        let signed = chain::authorization_for(option, [number; 32]);
        (signed, chain::sign(PAYER, &signed, &self.token, CHAIN))
    }

    /// A payment of an order; a number makes it one of its own.
    fn payment(&self, order: &Ordered, number: u8) -> Value {
        let accepted = order.made["challenge"]["accepts"][0].clone();
        let (signed, signature) = self.signed(order, number);
        match self.pays {
            Pays::Authorization => Payment { accepted, signed, signature }.body(),
            Pays::Permit => Permit { accepted, signed, signature }.body(&self.token),
            Pays::Person => crypto::sign(&order.made, PAYER),
        }
    }

    /// Submits a payment; nothing where the gateway ended before it answered.
    async fn pay(&self, served: &Served, order: &Ordered, payment: &Value) -> Option<Value> {
        let request = client().post(format!("{}/api/x402/pay/{}", served.url(), order.id)).json(payment);
        request.send().await.ok()?.json().await.ok()
    }

    async fn balance(&self, served: &Served) -> String {
        let told = self.get(served, "/api/user/self/balance").await.expect("an answer");
        amount(&told["data"]["quota_usd"])
    }

    /// What was paid to us, in cents.
    async fn received(&self) -> u128 {
        let unit = 10_u128.pow(u32::from(self.token.decimals) - 2);
        self.anvil.units_of(&self.token, &account(PAY_TO).address).await / unit
    }

    /// How many of our transactions are in blocks.
    async fn carried(&self) -> u64 {
        let count = self.anvil.ask("eth_getTransactionCount", json!([account(RELAYER).address, "latest"])).await;
        u64::from_str_radix(&count.as_str().expect("a number")[2..], 16).expect("a number")
    }

    /// Waits until the order waits for a payment again.
    async fn waits(&self, served: &Served, order: &Ordered) {
        until("the order to wait again", async || {
            if self.pays == Pays::Person {
                let told = self.get(served, &format!("{CRYPTO}/{}", order.trade_no)).await?;
                return (told["data"]["status"] == "pending").then_some(());
            }
            let listed = self.get(served, X402).await?;
            let of_id = |waiting: &&Value| waiting["order_id"] == order.id;
            listed["data"].as_array()?.iter().find(of_id).map(|_| ())
        })
        .await;
    }

    /// Waits for the credit; how long it took from a moment on.
    async fn credited(&self, served: &Served, since: Instant) -> Duration {
        until("the credit", async || (self.balance(served).await == "5").then_some(())).await;
        since.elapsed()
    }

    /// The payer was charged so often, and credited once.
    async fn assert_ended(&self, served: Served, paid: u128, when: &str) {
        assert_eq!(self.balance(&served).await, "5", "{when}");
        assert_eq!(self.received().await, 500 * paid, "{when}");
        assert!(served.terminate(), "{when}");
        self.run(&["audit"]);
    }

    /// Writes into the ledger of a file, beside whoever serves.
    async fn write(&self, sql: String) {
        let path = self.folder.path().join("sandbox.db");
        let mut ledger = SqliteConnectOptions::new().filename(path).connect().await.expect("the ledger");
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut ledger).await.expect("it is written");
    }

    async fn number(&self, sql: &'static str) -> i64 {
        let path = self.folder.path().join("sandbox.db");
        let mut ledger = SqliteConnectOptions::new().filename(path).connect().await.expect("the ledger");
        sqlx::query_scalar(sql).fetch_one(&mut ledger).await.expect("a number")
    }
}

/// Ends a gateway there, and sees what its successor makes of it; how long that took after the chain's answer.
async fn dies(pays: Pays, on: On, step: Step, side: CommitSide) -> (String, Duration) {
    let when = format!("{pays:?} on {on:?}, {}", named(step, side));
    let mortal = Mortal::open(pays, if way(step) == Way::Shallow { "3" } else { "0" }, on).await;
    let took = match way(step) {
        Way::Order => mortal.ordering(step, side, &when).await,
        Way::Payment => mortal.paying(step, side, &when).await,
        Way::Shallow => mortal.lying_shallow(step, side, &when).await,
        Way::GivenUp => mortal.giving_up(step, side, &when).await,
        Way::Twice => mortal.paying_twice(step, side, &when).await,
        Way::Stuck => mortal.getting_stuck(step, side, &when).await,
        Way::Afterwards => mortal.ending(step, side, &when).await,
        Way::Lapsed => mortal.lapsing(step, side, &when).await,
        Way::Page | Way::Notice | Way::Time | Way::Command | Way::Comparison => panic!("{when}: that is on no chain"),
    };
    assert!(took < IN_TIME, "{when}: {took:?}");
    (when, took)
}

impl Mortal {
    async fn ordering(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        assert!(self.order(&served).await.is_none(), "{when}");
        ended(served, when).await;
        let served = Served::start(&self.args());
        // Whoever was told of no order makes another one.
        let order = self.order(&served).await.expect("an order");
        let (payment, since) = (self.payment(&order, 1), Instant::now());
        assert_eq!(self.pay(&served, &order, &payment).await.expect("an answer")["success"], true, "{when}");
        let took = self.credited(&served, since).await;
        self.assert_ended(served, 1, when).await;
        took
    }

    async fn paying(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let payment = self.payment(&order, 1);
        assert_eq!(self.pay(&served, &order, &payment).await, None, "{when}");
        ended(served, when).await;
        let was_sent = !matches!((step, side), (Step::Claim, _) | (Step::Send, CommitSide::Before));
        assert_eq!(self.carried().await > 0, was_sent, "{when}: nothing is sent that was not kept before");
        let served = Served::start(&self.args());
        let since = Instant::now();
        if (step, side) == (Step::Claim, CommitSide::Before) {
            let paid = self.pay(&served, &order, &payment).await.expect("an answer");
            assert_eq!(paid["success"], true, "{when}: {paid}");
        }
        let took = self.credited(&served, since).await;
        assert_eq!(self.carried().await, 1, "{when}");
        let again = self.pay(&served, &order, &payment).await.expect("an answer");
        assert_eq!(again["message"], "ORDER_ALREADY_SETTLED", "{when}: {again}");
        self.assert_ended(served, 1, when).await;
        took
    }

    async fn lying_shallow(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        assert_eq!(self.pay(&served, &order, &self.payment(&order, 1)).await, None, "{when}");
        ended(served, when).await;
        let served = Served::start(&self.args());
        assert_eq!(self.balance(&served).await, "0", "{when}");
        self.anvil.mine(3).await;
        let took = self.credited(&served, Instant::now()).await;
        assert_eq!(self.carried().await, 1, "{when}");
        self.assert_ended(served, 1, when).await;
        took
    }

    /// The payer takes it back before a block has it.
    async fn giving_up(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        self.anvil.mine_at_once(false).await;
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let paid = self.pay(&served, &order, &self.payment(&order, 1)).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "credit_pending", "{when}: {paid}");
        match self.pays {
            Pays::Authorization | Pays::Person => self.anvil.cancel_first(&[1; 32]).await,
            Pays::Permit => self.anvil.invalidate_first(&[1; 32]).await,
        }
        self.anvil.mine(1).await;
        self.anvil.mine_at_once(true).await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let since = Instant::now();
        self.waits(&served, &order).await;
        let took = since.elapsed();
        assert_eq!((self.balance(&served).await.as_str(), self.received().await), ("0", 0), "{when}");
        let paid = self.pay(&served, &order, &self.payment(&order, 2)).await.expect("an answer");
        assert_eq!(paid["success"], true, "{when}: {paid}");
        self.assert_ended(served, 1, when).await;
        took
    }

    /// The chain carries the first payment out when nobody expects it any more, and its order is paid by a second.
    async fn paying_twice(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let (payer, stranger) = (account(PAYER).address, account(STRANGER).address);
        self.anvil.mine_at_once(false).await;
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let (signed, signature) = self.signed(&order, 1);
        let accepted = order.made["challenge"]["accepts"][0].clone();
        let first = Payment { accepted, signed, signature: signature.clone() }.body();
        let paid = self.pay(&served, &order, &first).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "credit_pending", "{when}: {paid}");
        // All that the payer has goes elsewhere before.
        let (coin, all) = (&self.anvil.coin, self.anvil.coins(&payer).await);
        let moves = json!({
            "from": payer, "to": coin, "data": format!("0xa9059cbb{}{all:064x}", word(&stranger)), "gas": "0x7a120",
            "maxFeePerGas": "0x2540be40000", "maxPriorityFeePerGas": "0x2540be400",
        });
        self.anvil.ask("eth_sendTransaction", json!([moves])).await;
        self.anvil.mine(1).await;
        self.anvil.mine_at_once(true).await;
        self.waits(&served, &order).await;
        self.anvil.call(STRANGER, coin, &format!("a9059cbb{}{all:064x}", word(&payer))).await;
        let paid = self.pay(&served, &order, &self.payment(&order, 2)).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "settled", "{when}: {paid}");
        // What was signed first is good still: somebody carries it there.
        let signature = signature.parse().map(PaymentSignature::Key).expect("a signature");
        let data = data_encoding::HEXLOWER.encode(&signed.call(&self.token, &signature));
        self.anvil.call(STRANGER, coin, &data).await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let since = Instant::now();
        until("it to be set aside", async || {
            (self.number("SELECT count(*) FROM payments WHERE state = 'surplus'").await == 1).then_some(())
        })
        .await;
        let took = since.elapsed();
        let again = self.pay(&served, &order, &first).await.expect("an answer");
        assert_eq!(again["message"], "ORDER_ALREADY_SETTLED", "{when}: {again}");
        assert_eq!(self.number("SELECT count(*) FROM audit_log WHERE action = 'topup.surplus'").await, 1, "{when}");
        self.assert_ended(served, 2, when).await;
        took
    }

    /// No block takes it for what is offered, so more is.
    async fn getting_stuck(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        self.anvil.mine_at_once(false).await;
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let paid = self.pay(&served, &order, &self.payment(&order, 1)).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "credit_pending", "{when}: {paid}");
        ended(served, when).await;
        // The chain has lost all that it had.
        self.anvil.forget_pending().await;
        let served = Served::start(&self.args());
        let sent = async || self.anvil.ask("txpool_status", json!([])).await["pending"] != "0x0";
        until("it to be sent again", async || sent().await.then_some(())).await;
        self.anvil.mine(1).await;
        let took = self.credited(&served, Instant::now()).await;
        assert_eq!(self.carried().await, 1, "{when}: of one number one is carried out");
        self.anvil.mine_at_once(true).await;
        self.assert_ended(served, 1, when).await;
        took
    }

    async fn ending(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let paid = self.pay(&served, &order, &self.payment(&order, 1)).await.expect("an answer");
        assert_eq!(paid["data"]["status"], "settled", "{when}: {paid}");
        // It cannot be taken back any more.
        self.anvil.mine(FINAL_BLOCKS).await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let took = self.credited(&served, Instant::now()).await;
        let done = "SELECT count(*) FROM chain_sends WHERE done = 1";
        until("the end of its sending", async || (self.number(done).await == 1).then_some(())).await;
        assert_eq!(self.carried().await, 1, "{when}");
        self.assert_ended(served, 1, when).await;
        took
    }

    async fn lapsing(&self, step: Step, side: CommitSide, when: &str) -> Duration {
        let served = armed(step, side, &self.args());
        let order = self.order(&served).await.expect("an order");
        let hour_ago_ms = Clock::system().now_ms() - 3_600_000;
        // An order of an hour ago.
        self.write(format!(
            "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at) \
             SELECT 77, 'tg-old', account_id, 'crypto', amount, 'pending', {hour_ago_ms}, {hour_ago_ms} + 600000 FROM topup_order"
        ))
        .await;
        ended(served, when).await;
        let served = Served::start(&self.args());
        let since = Instant::now();
        let old = async || self.get(&served, "/api/user/topup/order/tg-old").await.expect("an answer")["data"].clone();
        let expired = "SELECT count(*) FROM topup_order WHERE id = 77 AND status = 'expired'";
        until("the end of the old one", async || (self.number(expired).await == 1).then_some(())).await;
        let took = since.elapsed();
        assert_eq!(old().await["status"], "expired", "{when}");
        let paid = self.pay(&served, &order, &self.payment(&order, 1)).await.expect("an answer");
        assert_eq!(paid["success"], true, "{when}: {paid}");
        self.assert_ended(served, 1, when).await;
        took
    }
}

fn is_on_chain(way: Way) -> bool {
    !matches!(way, Way::Page | Way::Notice | Way::Time | Way::Command | Way::Comparison)
}

// suite: 50s
#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_may_end_beside_any_commit_of_a_payment_by_authorization() {
    each_timed(ends(is_on_chain), |step, side| dies(Pays::Authorization, On::File, step, side)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_may_end_beside_the_commits_of_a_payment_by_permit() {
    let ways = |way| matches!(way, Way::Payment | Way::Shallow | Way::GivenUp);
    each_timed(ends(ways), |step, side| dies(Pays::Permit, On::File, step, side)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_may_end_beside_the_commits_of_a_payment_by_a_person() {
    let ways = |way| matches!(way, Way::Order | Way::Payment | Way::Shallow);
    each_timed(ends(ways), |step, side| dies(Pays::Person, On::File, step, side)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_on_a_database_server_may_end_beside_the_commits_of_a_payment() {
    let ways = |way| matches!(way, Way::Order | Way::Payment | Way::Shallow | Way::GivenUp);
    each_timed(ends(ways), |step, side| dies(Pays::Authorization, On::Server, step, side)).await;
}

/// Both send by the same account, and look at each payment until it lies deep enough: it is carried out once and credited once.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_ledger_settle_each_payment_once() {
    const ORDERS: u8 = 6;
    let mortal = Mortal::open(Pays::Person, "3", On::Server).await;
    let beside = mortal.beside();
    let beside: Vec<&str> = beside.iter().map(String::as_str).collect();
    let servers = [Served::start(&mortal.args()), Served::start(&beside)];
    let mut made = Vec::new();
    for number in 0..ORDERS {
        let order = mortal.order(&servers[0]).await.expect("an order");
        let payment = mortal.payment(&order, number);
        made.push((order, payment));
    }
    let mortal = &mortal;
    mortal.anvil.mine_at_once(false).await;
    let at_both = made.iter().flat_map(|(order, payment)| servers.iter().map(move |it| mortal.pay(it, order, payment)));
    let told = futures_util::future::join_all(at_both).await;
    for told in told.chunks(2) {
        let (taken, other): (Vec<_>, Vec<_>) = told.iter().flatten().partition(|told| told["success"] == true);
        // A chain that is slow to show the transaction has the payer of the one that took it poll as well.
        assert!(taken.len() <= 1 && !other.is_empty(), "{told:?}");
        for told in other {
            let code = told["message"].as_str().unwrap_or_default();
            assert!(["SETTLING_IN_PROGRESS", "X402_SETTLE_PENDING"].contains(&code), "{told:?}");
        }
    }
    mortal.anvil.mine(1).await;
    let orders = u128::from(ORDERS);
    assert_eq!((mortal.received().await, u128::from(mortal.carried().await)), (500 * orders, orders));
    mortal.anvil.mine(3).await;
    let whole = (5 * orders).to_string();
    for served in &servers {
        until("the credit", async || (mortal.balance(served).await == whole).then_some(())).await;
    }
    for served in servers {
        for (order, payment) in &made {
            let again = mortal.pay(&served, order, payment).await.expect("an answer");
            assert_eq!(again["message"], "ORDER_ALREADY_SETTLED", "{again}");
        }
        assert!(served.terminate());
    }
    assert_eq!((mortal.received().await, u128::from(mortal.carried().await)), (500 * orders, orders));
    mortal.run(&["audit"]);
}
