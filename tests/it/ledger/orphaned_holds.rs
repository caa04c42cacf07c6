//! Hundreds of thousands of open holds of a server that was killed: whoever starts or is there serves at once, gives them back
//! meanwhile, and rings where that cannot go on.

// suite of this file: waiting

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection, Row};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tollgate_accounts::{AccountService, NewKey};
use tollgate_base::{AccountId, Clock};
use tollgate_store::{Store, StoreConfig};
use tollgate_tests::Upstream;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::hello;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until_within;

/// The accounts that have them, by their numbers.
const FIRST: i64 = 1 << 32;
const ACCOUNTS: i64 = 300;
const MANY: i64 = 20_000;
/// What five thousand streams a second leave after a minute.
const VERY_MANY: i64 = 300_000;
/// A start does not wait for holds to be given back: it takes what a process and its connections take.
const SERVES_WITHIN: Duration = Duration::from_secs(10);
/// No request to one of the accounts waits for longer than one part, which takes a tenth of a second where nobody else is at
/// work. The rest is for the turns that client, gateway and database wait for a processor.
const REQUEST_MAX: Duration = Duration::from_secs(3);
/// A bound for a hang. On two cores, which it shares with the database and the clients, 300,000 take about a minute once they are
/// noticed, and no request takes a second: what was measured is printed.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(300);
/// More than the minute after which it rings.
const RINGS_WITHIN: Duration = Duration::from_secs(100);
/// Each asks for another account at each turn, so that requests meet holds of all of them.
const CLIENTS: usize = 8;
const OPEN: &str = "SELECT count(*) FROM holds WHERE request_id LIKE 'many %'";
/// The same without reading all holds, as it is asked again and again while they are given back.
const IS_LEFT: &str = "SELECT EXISTS (SELECT 1 FROM holds WHERE kept = 0 AND epoch = $1)";
const EPOCH: &str = "SELECT max(epoch) FROM nodes";

/// Open holds of a start, and a key for each account that has them.
struct OpenHolds {
    epoch: i64,
    keys: Arc<[String]>,
}

/// A ledger on PostgreSQL, and as many servers on it as a test likes.
struct Ledger {
    url: String,
    upstream: Upstream,
    folder: TempDir,
}

impl Ledger {
    async fn open() -> Self {
        let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
        let (upstream, folder) = (Upstream::start().await, tempfile::tempdir().expect("a temporary folder"));
        upstream.on(|_| Reply::json(200, &completion("ab", 9, 3)));
        Self { url, upstream, folder }
    }

    /// A key for each account that has open holds.
    async fn keys(&self) -> Arc<[String]> {
        let address = Box::new(self.url.parse().expect("an address"));
        let config = StoreConfig::Postgres { address, schema: "tollgate", folder: self.folder.path().join("keys") };
        let store = Store::open(&config, &Clock::system()).await.expect("a ledger");
        let accounts = AccountService::new(store.clone(), Clock::system());
        let mut keys = Vec::new();
        for account in (FIRST + 1..=FIRST + ACCOUNTS).map(AccountId) {
            let key = NewKey { account, label: String::new(), expires_at_ms: None };
            keys.push(accounts.create_key(key, "test").await.expect("a key").secret.reveal().to_owned());
        }
        store.close().await;
        keys.into()
    }

    /// The arguments of server `number`, which has a folder of its own.
    fn args(&self, number: u8) -> Vec<&'static str> {
        let path = self.folder.path().join(format!("{number}.toml"));
        let text = format!(
            "data_dir = {:?}\n[log]\nformat = \"json\"\n[database]\nurl = {:?}\n[upstreams.fake]\nbase_url = {:?}\n\
             [models.small]\ncontext_tokens = 1000\nmax_output_tokens = 100\n\
             price = {{ prompt = \"0.15\", completion = \"0.6\" }}\ncandidates = [{{ upstream = \"fake\" }}]\n",
            self.folder.path().join(number.to_string()),
            self.url,
            self.upstream.base_url()
        );
        std::fs::write(&path, text).expect("a file of ours");
        vec!["--config", String::leak(path.display().to_string())]
    }

    /// A session of somebody else's.
    async fn session(&self) -> PgConnection {
        let options: PgConnectOptions = self.url.parse().expect("an address");
        options.options([("search_path", "tollgate")]).connect().await.expect("a connection")
    }

    /// Accounts with open holds of the last start.
    async fn with_holds(&self, count: i64) -> OpenHolds {
        let mut session = self.session().await;
        let epoch: i64 = sqlx::query(EPOCH).fetch_one(&mut session).await.expect("a start").get(0);
        let rows = format!(
            "INSERT INTO accounts (id, name, state, created_at) SELECT {FIRST} + n, 'many ' || n, 'active', 1 \
                FROM generate_series(1, {ACCOUNTS}) n; \
             INSERT INTO transfers (kind, debit, credit, amount, idem, actor, created_at) SELECT 'promo', 2, {FIRST} + n, \
                1000000000, 'many ' || n, 'test', 1 FROM generate_series(1, {ACCOUNTS}) n; \
             INSERT INTO prices VALUES (1, 'test', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1); \
             INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, \
                expires_at) \
             SELECT 1000000000 + n, a.id, 7, 'many ' || n, 1000, 'small', 0, 1, 1000000, \
                {epoch}, (extract(epoch FROM now()) * 1000)::bigint, \
                (extract(epoch FROM now()) * 1000)::bigint + 600000 \
             FROM generate_series(1, {count}) n JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM accounts) a \
                ON a.place = n % (SELECT count(*) FROM accounts)"
        );
        sqlx::raw_sql(AssertSqlSafe(rows)).execute(&mut session).await.expect("rows");
        OpenHolds { epoch, keys: self.keys().await }
    }

    async fn open_holds(&self, session: &mut PgConnection) -> i64 {
        sqlx::query(OPEN).fetch_one(session).await.expect("a count").get(0)
    }

    /// Clients of all accounts that have such holds ask until those are given back. Answers the slowest request.
    async fn given_back(&self, served: &Served, OpenHolds { epoch, keys }: OpenHolds) -> Duration {
        let (ended, mut clients) = (Arc::new(AtomicBool::new(false)), JoinSet::new());
        let began = Instant::now();
        for client in 0..CLIENTS {
            clients.spawn(ask_until(served.url().to_owned(), keys.clone(), client, ended.clone()));
        }
        let session = tokio::sync::Mutex::new(self.session().await);
        until_within(GIVEN_BACK_WITHIN, "the end of all holds", || async {
            let is_left =
                sqlx::query(IS_LEFT).bind(epoch).fetch_one(&mut *session.lock().await).await.expect("an answer");
            (!is_left.get::<bool, _>(0)).then_some(())
        })
        .await;
        let took = began.elapsed();
        ended.store(true, Ordering::Relaxed);
        let mut asked = clients.join_all().await.concat();
        asked.sort();
        let (slowest, p99) = (asked.last().copied().unwrap_or_default(), asked[asked.len() * 99 / 100]);
        let (requests, accounts) = (asked.len(), asked.len().min(keys.len()));
        eprintln!(
            "all given back after {took:?}; {requests} requests to {accounts} of their accounts meanwhile: p99 {p99:?}, slowest {slowest:?}"
        );
        slowest
    }

    /// The books, which have to be right; nothing is held.
    fn assert_books(&self) {
        let (clean, report) = run_json(&[&self.args(0)[..], &["audit"]].concat());
        assert!(clean && report["holds_open"] == json!(0), "{report}");
    }
}

/// Asks for one account after the other until it is told to end: how long each request took.
async fn ask_until(url: String, keys: Arc<[String]>, client: usize, ended: Arc<AtomicBool>) -> Vec<Duration> {
    let (url, mut took) = (format!("{url}/v1/chat/completions"), Vec::new());
    for key in keys.iter().cycle().skip(client).step_by(CLIENTS) {
        let asked = Instant::now();
        let reply = tollgate_tests::client().post(&url).bearer_auth(key).json(&hello(false)).send().await;
        let reply = reply.expect("an answer");
        let (status, body) = (reply.status(), reply.text().await.expect("a body"));
        assert_eq!(status, 200, "{body}");
        took.push(asked.elapsed());
        if ended.load(Ordering::Relaxed) {
            break;
        }
    }
    took
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_starts_again_before_its_holds_are_given_back() {
    killed_and_started_again(MANY).await;
}

// suite: long processor 90s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_killed_with_300_000_holds_starts_again() {
    killed_and_started_again(VERY_MANY).await;
}

// suite: long processor 120s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_server_gives_back_300_000_holds_of_one_that_was_killed() {
    let ledger = Ledger::open().await;
    let alive = Served::start(&ledger.args(1));
    let killed = Served::start(&ledger.args(2));
    let left = ledger.with_holds(VERY_MANY).await;
    killed.kill();
    let slowest = ledger.given_back(&alive, left).await;
    assert!(slowest < REQUEST_MAX, "{slowest:?}");
    assert!(alive.terminate());
    ledger.assert_books();
}

async fn killed_and_started_again(holds: i64) {
    let ledger = Ledger::open().await;
    let killed = Served::start(&ledger.args(1));
    let left = ledger.with_holds(holds).await;
    killed.kill();
    let began = Instant::now();
    let served = Served::start(&ledger.args(1));
    let serves_after = began.elapsed();
    let open = ledger.open_holds(&mut ledger.session().await).await;
    assert!(open > 0, "it serves before all is given back");
    eprintln!("serves after {serves_after:?}, with {open} of {holds} holds left");
    assert!(serves_after < SERVES_WITHIN, "{serves_after:?}");
    let slowest = ledger.given_back(&served, left).await;
    assert!(slowest < REQUEST_MAX, "{slowest:?}");
    assert!(served.terminate());
    ledger.assert_books();
}

// suite: long 75s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn holds_that_cannot_be_given_back_for_a_minute_ring() {
    let ledger = Ledger::open().await;
    let killed = Served::start(&ledger.args(1));
    let left = ledger.with_holds(MANY).await;
    killed.kill();
    let mut other = ledger.session().await;
    let lock = "BEGIN; SELECT 1 FROM balances WHERE account_id > 4294967296 FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut other).await.expect("the locks");
    let (served, log) = Served::start_logged(&ledger.args(1));
    // The log is read to its end: a server that cannot write it waits.
    let (rung, _log) = tokio::task::spawn_blocking(move || (rings(&log), log)).await.expect("no panic");
    assert_eq!(rung["holds"], json!(ledger.open_holds(&mut ledger.session().await).await), "{rung}");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.expect("the end of it");
    let _ = ledger.given_back(&served, left).await;
    assert!(served.terminate());
    ledger.assert_books();
}

/// The alarm's line, which comes in its time whatever else is logged.
fn rings(log: &Receiver<String>) -> Value {
    let end = Instant::now() + RINGS_WITHIN;
    while let Ok(line) = log.recv_timeout(end.saturating_duration_since(Instant::now())) {
        let fields = serde_json::from_str::<Value>(&line).expect("a line of JSON")["fields"].take();
        if fields["alarm"] == "orphaned_holds" {
            return fields;
        }
    }
    panic!("`orphaned_holds` does not ring")
}
