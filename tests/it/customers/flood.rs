//! Crowds that open accounts, ask for texts to sign and begin sign-ins by a provider, each from an address of its own: requests of
//! others are answered as ever, and what the crowds leave behind is bounded.
//!
//! How long others wait meanwhile is measured by `cargo bench -- strangers`; nothing is timed here.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tollgate_api::generated::limits;
use tollgate_base::Clock;
use tollgate_store::{SqlText, Store, StoreConfig, query};
use tollgate_tests::gateway::Options;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::until_later;
use tollgate_tests::wallet::Wallet;
use tollgate_tests::{TestGateway, client};

/// Of each kind, so many ask at a time.
const ASKERS: usize = 4;
/// What each kind is answered at least, before it is enough.
const ANSWERS: u64 = 40;
/// Clients of the account whose requests are its own, and how often each asks.
const CLIENTS: usize = 4;
const REQUESTS: usize = 40;
/// Texts that wait already: almost as many as may.
const WAITING: u32 = limits::WALLET_CHALLENGES - 10;

/// Where the ledger is.
#[derive(Debug, Clone, Copy)]
enum On {
    File,
    Server,
}

/// What a crowd asks for.
#[derive(Debug, Clone, Copy)]
enum Crowd {
    Registers,
    AsksForTexts,
    BeginsSignIns,
}

impl Crowd {
    const ALL: [Self; 3] = [Self::Registers, Self::AsksForTexts, Self::BeginsSignIns];

    fn ask(self, number: u32, wallet: &Wallet) -> (&'static str, Value) {
        match self {
            Self::Registers => {
                let email = format!("person{number}@example.org");
                ("/api/user/register", json!({"email": email, "password": "correct horse battery"}))
            }
            Self::AsksForTexts => {
                let named = json!({"chain": wallet.chain(), "address": wallet.address()});
                ("/api/user/login/wallet/challenge", named)
            }
            Self::BeginsSignIns => ("/api/user/login/oidc/begin", json!({"provider": "company"})),
        }
    }
}

/// What a crowd was answered so far.
#[derive(Debug, Default)]
struct Answered {
    granted: AtomicU64,
    refused: AtomicU64,
}

/// One of a crowd, until it is told that it is enough.
async fn floods(url: String, crowd: Crowd, (next, answered): (Arc<AtomicU32>, Arc<Answered>), over: Arc<AtomicBool>) {
    let wallet = Wallet::evm();
    while !over.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (path, body) = crowd.ask(number, &wallet);
        // An address of its own, which the proxy in front tells.
        let [_, a, b, c] = number.to_be_bytes();
        let request = client().post(format!("{url}{path}")).header("x-forwarded-for", format!("10.{a}.{b}.{c}"));
        let request = request.header("content-type", "application/json").body(body.to_string());
        let reply = request.send().await.expect("an answer");
        let status = reply.status().as_u16();
        let told: Value = reply.json().await.expect("JSON");
        match status {
            200 => answered.granted.fetch_add(1, Ordering::Relaxed),
            // More wait for their password to be hashed than there are places.
            429 => answered.refused.fetch_add(1, Ordering::Relaxed),
            status => panic!("{crowd:?}: {status} {told}"),
        };
    }
}

/// The tables, as they are.
struct Tables(Store);

impl Tables {
    async fn open(gateway: &TestGateway, database: &str, folder: &Path) -> Self {
        let config = if database.is_empty() {
            StoreConfig::Sqlite { path: gateway.ledger() }
        } else {
            let address = Box::new(database.parse().expect("an address"));
            StoreConfig::Postgres { address, schema: "tollgate", folder: folder.to_owned() }
        };
        Self(Store::open(&config, &Clock::system()).await.expect("the ledger"))
    }

    async fn count(&self, rows: &'static str) -> u64 {
        let row = query(rows).fetch_one(self.0.readers()).await.expect("it is counted");
        u64::try_from(row.try_get::<i64>(0).expect("a number")).expect("a count")
    }

    /// Texts that wait for their signature already, so many.
    async fn wait(&self, count: u32) {
        let mut transaction = self.0.begin_unordered().await.expect("a transaction");
        let insert = query(WAIT).bind(i64::from(count)).bind(Clock::system().now_ms());
        insert.execute(&mut transaction).await.expect("they wait");
        transaction.commit().await.expect("they stay");
    }
}

/// The first letters of a number are told otherwise on a server.
const WAIT: SqlText = SqlText::of(
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1) \
     INSERT INTO wallet_challenges (nonce, kind, address, account_id, uri, chain, created_at, ends_at) \
     SELECT substr('00000000000000000000000000000000' || n, -32, 32), 'evm', '0x0000000000000000000000000000000000000007', NULL, \
         'http://gateway.example', '1', $2, $2 + 300000 FROM c",
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1) \
     INSERT INTO wallet_challenges (nonce, kind, address, account_id, uri, chain, created_at, ends_at) \
     SELECT lpad(n::text, 32, '0'), 'evm', '0x0000000000000000000000000000000000000007', NULL, 'http://gateway.example', '1', \
         $2, $2 + 300000 FROM c",
);

async fn others_are_answered_while_crowds_come(on: On) {
    let database = match on {
        On::File => String::new(),
        On::Server => tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts"),
    };
    let store = if database.is_empty() { String::new() } else { format!("[database]\nurl = {database:?}\n") };
    let config = format!(
        "public_url = \"http://gateway.example\"\n[listener]\ntrusted_proxies = [\"127.0.0.1\"]\n[accounts]\nregistration = true\n\
         {store}{}",
        OidcProvider::shared().config(false)
    );
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tables::open(&gateway, &database, folder.path()).await;
    tables.wait(WAITING).await;
    let accounts = tables.count("SELECT count(*) FROM accounts").await;

    let over = Arc::new(AtomicBool::new(false));
    let next = Arc::new(AtomicU32::new(0));
    let answered = Crowd::ALL.map(|_| Arc::new(Answered::default()));
    let mut crowds = JoinSet::new();
    for (crowd, answered) in Crowd::ALL.into_iter().zip(&answered) {
        for _ in 0..ASKERS {
            crowds.spawn(floods(gateway.url(""), crowd, (next.clone(), answered.clone()), over.clone()));
        }
    }
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let ask = gateway.hello();
        clients.spawn(async move {
            for _ in 0..REQUESTS {
                let reply = ask.try_clone().expect("bytes").send().await.expect("an answer");
                let status = reply.status().as_u16();
                let told = reply.text().await.expect("a body");
                assert_eq!(status, 200, "{told}");
            }
        });
    }
    clients.join_all().await;
    until_later("each crowd", || async {
        let granted = answered.iter().map(|answered| answered.granted.load(Ordering::Relaxed));
        granted.min().is_some_and(|least| least >= ANSWERS).then_some(())
    })
    .await;
    over.store(true, Ordering::Relaxed);
    crowds.join_all().await;

    // An account and a session for each that was let in, and nothing for who was not, or began to sign in elsewhere.
    let granted = |crowd: Crowd| answered[crowd as usize].granted.load(Ordering::Relaxed);
    let registered = granted(Crowd::Registers);
    assert_eq!(tables.count("SELECT count(*) FROM accounts").await, accounts + registered);
    assert_eq!(tables.count("SELECT count(*) FROM sessions").await, registered);
    assert_eq!(tables.count("SELECT count(*) FROM identities").await, 0);
    assert!(granted(Crowd::AsksForTexts) >= ANSWERS, "more than there was room for");
    texts_are_bounded(&gateway, &tables).await;
    let settled = tables.count("SELECT count(*) FROM receipts").await;
    assert_eq!(settled, u64::try_from(CLIENTS * REQUESTS).expect("a count"));
    gateway.assert_books().await;
}

/// On a server texts that are made at the same moment do not see each other; the next one forgets for them.
async fn texts_are_bounded(gateway: &TestGateway, tables: &Tables) {
    const TEXTS: &str = "SELECT count(*) FROM wallet_challenges";
    let most = u64::from(limits::WALLET_CHALLENGES);
    let texts = tables.count(TEXTS).await;
    assert!(texts <= most + u64::try_from(ASKERS).expect("a few"), "{texts}");
    let (path, body) = Crowd::AsksForTexts.ask(0, &Wallet::evm());
    let request = client().post(gateway.url(path)).header("x-forwarded-for", "192.0.2.1");
    let request = request.header("content-type", "application/json").body(body.to_string());
    assert_eq!(request.send().await.expect("an answer").status(), 200);
    let texts = tables.count(TEXTS).await;
    assert!(texts <= most, "{texts}");
}

on_both!(others_are_answered_while_crowds_come);
