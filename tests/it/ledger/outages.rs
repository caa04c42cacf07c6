//! A ledger that cannot be reached, or not be believed, while a gateway runs on it: it fails closed with 503 and the time to
//! come back, within five seconds, serves again by itself within five seconds of the end of the trouble, and the books are
//! exact.

// suite of this file: waiting

use std::time::Duration;

use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tollgate_base::Usd;
use tollgate_tests::binary::Served;
use tollgate_tests::gateway::{Options, exact, hello};
use tollgate_tests::pg_proxy::{Cut, Way};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, client};

use crate::ledger::restartable::{CHAT, Mortal, On};

/// Within which a client is told that nothing can be had, and within which it is served again. Five seconds are promised, and
/// the gateway waits for four of them at the most, or for three where it waits for a connection; the rest is for the turns
/// that client, gateway and database wait for a processor. Such a wait after one of four seconds would make seven or eight.
const IN_TIME: Duration = Duration::from_secs(7);
/// Longer than anything in the server waits for anything.
const AN_AGE: Duration = Duration::from_secs(22);
/// What the account has at first.
const CREDIT: i64 = 10_000_000_000;

/// A gateway, and how many answers it was paid for.
struct Outage {
    gateway: TestGateway,
    paid: i64,
}

impl Outage {
    async fn on(database: &str) -> Self {
        let config = if database.is_empty() { String::new() } else { format!("[database]\nurl = {database:?}\n") };
        let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
        gateway.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
        let mut outage = Self { gateway, paid: 0 };
        assert_eq!(outage.ask().await, 200);
        outage
    }

    /// What a client is told, in time.
    async fn ask(&mut self) -> u16 {
        let asked = Instant::now();
        let reply = self.gateway.hello().send().await.expect("an answer");
        assert!(asked.elapsed() < IN_TIME, "told after {:?}", asked.elapsed());
        self.told(&reply)
    }

    fn told(&mut self, reply: &reqwest::Response) -> u16 {
        let status = reply.status().as_u16();
        match status {
            200 => self.paid += 1,
            503 => assert!(reply.headers().contains_key("retry-after"), "{:?}", reply.headers()),
            other => panic!("{other}"),
        }
        status
    }

    /// A request that is with the provider until the gate is open.
    async fn under_way(&self) -> (ReplyGate, JoinHandle<reqwest::Response>) {
        let gate = ReplyGate::default();
        self.gateway.upstream.answer(Reply::json(200, &completion("ab", 9, 3)).after(gate.clone()));
        drop(self.gateway.upstream.take_received());
        let request = self.gateway.hello();
        let asking = tokio::spawn(async move { request.send().await.expect("an answer") });
        until("the request to be with the provider", || async {
            (!self.gateway.upstream.take_received().is_empty()).then_some(())
        })
        .await;
        self.gateway.upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
        (gate, asking)
    }

    /// The trouble has ended, and it serves again.
    async fn serves_again(&mut self) {
        let ended = Instant::now();
        while self.ask().await != 200 {}
        assert!(ended.elapsed() < IN_TIME, "it serves again after {:?}", ended.elapsed());
    }

    /// What was answered while nobody could write that down, and within the promised time of its end.
    async fn answered(&mut self, asking: JoinHandle<reqwest::Response>) -> String {
        let reply = timeout(IN_TIME, asking).await.expect("in time").expect("no panic");
        assert_eq!(self.told(&reply), 200, "a whole answer is its client's");
        reply.headers()["x-request-id"].to_str().expect("text").to_owned()
    }

    /// It serves again, and what was paid is what was answered.
    async fn over(mut self) {
        self.serves_again().await;
        let credit = &self.gateway.service().credit;
        until("nothing to be held", || async {
            let balance = credit.balance(self.gateway.account).await.ok()?;
            (balance.held == Usd::ZERO).then_some(())
        })
        .await;
        let balance = credit.balance(self.gateway.account).await.expect("a balance");
        assert_eq!(balance.posted.nanos(), CREDIT - self.paid * paid_for_one(), "{} answers", self.paid);
        self.gateway.assert_books().await;
    }
}

/// What an answer costs in the harness.
fn paid_for_one() -> i64 {
    CHAT
}

async fn database() -> String {
    tokio::task::spawn_blocking(|| Postgres::shared().empty_database()).await.expect("PostgreSQL starts")
}

/// Another session of that database.
async fn beside(url: &str) -> PgConnection {
    let options: PgConnectOptions = url.parse().expect("an address");
    options.options([("search_path", "tollgate")]).connect().await.expect("a connection")
}

async fn run(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.expect("it runs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_server_that_dies_and_comes_back_is_used_again() {
    let server = tokio::task::spawn_blocking(|| Postgres::with(&["fsync=off"])).await.expect("PostgreSQL starts");
    let mut outage = Outage::on(&server.database()).await;
    let (gate, asking) = outage.under_way().await;
    server.stop_at_once();
    assert_eq!(outage.ask().await, 503);
    // It ends while nobody can write that down; what it is told depends on when that is possible again.
    gate.open();
    let server = tokio::task::spawn_blocking(move || {
        server.start_again();
        server
    });
    let server = server.await.expect("PostgreSQL starts");
    outage.told(&asking.await.expect("no panic"));
    outage.over().await;
    drop(server);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_cut_are_made_again() {
    let url = database().await;
    let way = Way::to(Postgres::shared().socket()).await;
    let mut outage = Outage::on(&way.address(&url)).await;
    let (gate, asking) = outage.under_way().await;
    way.cut_all();
    gate.open();
    assert_eq!(outage.told(&asking.await.expect("no panic")), 200, "an end is tried again");
    way.cut_all();
    outage.ask().await;
    outage.over().await;
}

/// The hold's own commit, and that of the settlement; each before it is heard of, and after.
async fn cut_at(cut: Cut, hold: &[u16], settlement: &[u16]) {
    let url = database().await;
    let way = Way::to(Postgres::shared().socket()).await;
    let mut outage = Outage::on(&way.address(&url)).await;
    way.next(cut);
    let told = outage.ask().await;
    assert!(way.is_cut() && hold.contains(&told), "{cut:?}: {told}");
    outage.serves_again().await;
    let (gate, asking) = outage.under_way().await;
    way.next(cut);
    gate.open();
    let told = outage.told(&asking.await.expect("no panic"));
    assert!(way.is_cut() && settlement.contains(&told), "{cut:?}: {told}");
    outage.over().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_the_server_did_not_hear_of_is_not_taken_for_made() {
    cut_at(Cut::Before, &[503], &[200]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_was_cut_off_is_looked_up() {
    cut_at(Cut::After, &[200], &[200]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_hangs_at_a_commit_is_given_up() {
    tokio::join!(cut_at(Cut::HangsBefore, &[503], &[200]), cut_at(Cut::HangsAfter, &[200, 503], &[200]));
}

/// The worst of both: nobody knows what became of a commit, and nobody hears anything for so long that all who wait give up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_way_that_swallows_everything_for_an_age_is_used_again() {
    let url = database().await;
    let way = Way::to(Postgres::shared().socket()).await;
    let mut outage = Outage::on(&way.address(&url)).await;
    let unseen = outage.gateway.new_key().await;
    let (gate, asking) = outage.under_way().await;
    way.next(Cut::HangsBefore);
    gate.open();
    until("the commit to hang", || async { way.is_cut().then_some(()) }).await;
    way.go_silent();
    let began = Instant::now();
    outage.answered(asking).await;
    while began.elapsed() < AN_AGE {
        assert_eq!(outage.ask().await, 503);
        // What looks its key up, and what writes down its own key before it is carried out, is told as soon.
        let of_unseen = client().post(outage.gateway.url("/v1/chat/completions")).bearer_auth(&unseen);
        let of_unseen = of_unseen.header("content-type", "application/json").body(hello(false).to_string());
        let once = outage.gateway.hello().header("idempotency-key", "k");
        for request in [of_unseen, once] {
            let reply = timeout(IN_TIME, request.send()).await.expect("in time").expect("an answer");
            assert_eq!(outage.told(&reply), 503);
        }
    }
    way.speak_again();
    outage.over().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_takes_no_more_connections_is_asked_again() {
    let url = database().await;
    let mut operator = beside(&url).await;
    let (_, name) = url.rsplit_once('/').expect("a name");
    run(&mut operator, &format!("CREATE ROLE of_{name} LOGIN; ALTER DATABASE {name} OWNER TO of_{name}")).await;
    let mut outage = Outage::on(&url.replace("//test@", &format!("//of_{name}@"))).await;
    let cut = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'of_{name}'");
    run(&mut operator, &format!("ALTER ROLE of_{name} CONNECTION LIMIT 0; {cut}")).await;
    assert_eq!(outage.ask().await, 503);
    run(&mut operator, &format!("ALTER ROLE of_{name} CONNECTION LIMIT -1")).await;
    outage.over().await;
}

/// What a server says whose disk is full, and one that is slow: the database itself is made to, at each write of the ledger.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_room_and_one_with_a_slow_disk_are_asked_again() {
    let url = database().await;
    let mut outage = Outage::on(&url).await;
    let mut operator = beside(&url).await;
    for trouble in ["RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'", "PERFORM pg_sleep(60)"] {
        let (gate, asking) = outage.under_way().await;
        let function = format!(
            "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {trouble}; RETURN NULL; END $$; \
             CREATE TRIGGER trouble BEFORE INSERT ON holds FOR EACH STATEMENT EXECUTE FUNCTION trouble(); \
             CREATE TRIGGER trouble BEFORE INSERT ON receipts FOR EACH STATEMENT EXECUTE FUNCTION trouble()"
        );
        run(&mut operator, &function).await;
        assert_eq!(outage.ask().await, 503, "{trouble}");
        gate.open();
        outage.answered(asking).await;
        assert_eq!(outage.ask().await, 503, "{trouble}");
        run(&mut operator, "DROP FUNCTION trouble() CASCADE").await;
        outage.serves_again().await;
    }
    outage.over().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_that_another_session_keeps_locked_is_not_waited_for() {
    let url = database().await;
    let mut outage = Outage::on(&url).await;
    let mut other = beside(&url).await;
    let (gate, asking) = outage.under_way().await;
    run(&mut other, "BEGIN; SELECT 1 FROM balances FOR UPDATE").await;
    assert_eq!(outage.ask().await, 503);
    gate.open();
    outage.answered(asking).await;
    run(&mut other, "ROLLBACK").await;
    outage.over().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_another_process_keeps_locked_is_not_waited_for_without_end() {
    let mut outage = Outage::on("").await;
    let mut other =
        SqliteConnectOptions::new().filename(outage.gateway.ledger()).connect().await.expect("a connection");
    let (gate, asking) = outage.under_way().await;
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut other).await.expect("the lock");
    assert_eq!(outage.ask().await, 503);
    // A whole answer is not kept from its client, and its charge is queued until it can be written.
    gate.open();
    let request_id = outage.answered(asking).await;
    let receipt = async |outage: &Outage| {
        let reply = outage.gateway.get(&format!("/api/user/self/receipts/{request_id}")).send().await;
        exact(&reply.expect("an answer").text().await.expect("a body"))["data"]["status"].clone()
    };
    assert_eq!(receipt(&outage).await, "held");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.expect("the end of it");
    assert_eq!(outage.gateway.receipt(&request_id).await["rule"], "reported");
    outage.over().await;
}

/// A write that fails leaves nobody knowing what is on the disk: the process ends, and the next start reads what is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_whose_writes_fail_ends_and_the_next_start_finds_the_books_right() {
    let mortal = Mortal::open(On::File).await;
    let served = Served::start_short_of_room(2048, &mortal.args);
    let (url, key) = (format!("{}/v1/chat/completions", served.url()), mortal.key.clone());
    let mut complete = Vec::new();
    let refused = loop {
        let request = client().post(&url).bearer_auth(&key).header("content-type", "application/json");
        let Ok(reply) = request.body(hello(false).to_string()).send().await else { break None };
        let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        match reply.status().as_u16() {
            200 => complete.push(id),
            status => break Some((status, reply.headers().contains_key("retry-after"))),
        }
    };
    assert!(refused.is_none_or(|refused| refused == (503, true)), "{refused:?}");
    let status = tokio::task::spawn_blocking(move || served.ended()).await.expect("it ends");
    assert!(!status.success() && status.code().is_some(), "by itself, and says that something is wrong: {status}");
    let served = Served::start(&mortal.args);
    assert_eq!(mortal.held(&served).await, "0");
    assert!(complete.len() > 10, "{}", complete.len());
    mortal.assert_charged(&served, &complete, "after writes that failed").await;
    assert!(served.terminate());
    assert_eq!(mortal.audited("after writes that failed")["holds_open"], json!(0));
}
