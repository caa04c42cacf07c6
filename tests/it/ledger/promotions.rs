//! The synchronous standby of the database takes over while clients ask: no charge that a client was told of is lost or made twice,
//! and the gateways serve again by themselves.

// suite of this file: processor

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Row};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tollgate_base::Usd;
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::gateway::hello;
use tollgate_tests::patroni::{By, Cluster};
use tollgate_tests::reply::{DONE, Reply, chat_stream, completion};
use tollgate_tests::wait::until_within;
use tollgate_tests::{Upstream, client};

use crate::ledger::restartable::CHAT;

const CLIENTS: usize = 64;
const FEW_CLIENTS: usize = 16;
const PROMOTIONS: usize = 20;
/// The ways of a promotion, which take turns.
const WAYS: [By; 3] = [By::Switchover, By::Kill, By::Freeze];
/// From the first write of the new primary.
const SERVES_WITHIN: Duration = Duration::from_secs(15);
/// Longer than the gateway leaves a client without an answer, even while nobody has the ledger.
const ANSWERED_WITHIN: Duration = Duration::from_secs(60);
/// What was held when the clients went is charged or given back.
const RESOLVED_WITHIN: Duration = Duration::from_secs(60);
/// Before a client that was refused asks again. It is told to wait for a second; this is to find out sooner.
const COMES_BACK_AFTER: Duration = Duration::from_millis(100);
/// In USD.
const CREDIT: &str = "100000";

/// What clients were told so far.
#[derive(Debug, Default)]
struct Tally {
    acknowledged: AtomicUsize,
    refused: AtomicUsize,
    over: AtomicBool,
}

impl Tally {
    fn told(&self) -> [usize; 2] {
        [&self.acknowledged, &self.refused].map(|count| count.load(Ordering::Relaxed))
    }
}

/// A gateway as a client sees it.
#[derive(Debug, Clone)]
struct Door {
    url: String,
    key: String,
}

impl Door {
    /// Asks for a chat; its request, where the answer is whole.
    async fn ask(&self, stream: bool) -> Option<String> {
        let request = client().post(&self.url).bearer_auth(&self.key).timeout(ANSWERED_WITHIN);
        let reply = request.json(&hello(stream)).send().await.expect("an answer");
        let status = reply.status().as_u16();
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        match (status, reply.text().await) {
            (200, body) => body.is_ok_and(|body| !stream || body.ends_with(DONE)).then_some(request_id),
            (503, _) => None,
            (other, body) => panic!("{other}: {body:?}"),
        }
    }

    /// Asks again and again until all is over; the requests whose answers were whole.
    async fn ask_on(self, stream: bool, tally: Arc<Tally>) -> Vec<String> {
        let mut acknowledged = Vec::new();
        while !tally.over.load(Ordering::Relaxed) {
            let Some(request_id) = self.ask(stream).await else {
                tally.refused.fetch_add(1, Ordering::Relaxed);
                sleep(COMES_BACK_AFTER).await;
                continue;
            };
            acknowledged.push(request_id);
            tally.acknowledged.fetch_add(1, Ordering::Relaxed);
        }
        acknowledged
    }

    /// How long after that moment it serves, and the request that shows it.
    async fn serves_again(&self, since: Instant) -> (Duration, String) {
        let shown = until_within(SERVES_WITHIN, "the gateway to serve again", || self.ask(false)).await;
        (since.elapsed(), shown)
    }
}

/// Two gateways on a ledger that is replicated.
struct House {
    gateways: [Served; 2],
    logs: [mpsc::Receiver<String>; 2],
    doors: [Door; 2],
    upstream: Upstream,
    /// How many requests have reached the provider.
    carried_out: usize,
    folder: TempDir,
    cluster: Cluster,
}

impl House {
    async fn open() -> Self {
        let (cluster, upstream) = (Cluster::start().await, Upstream::start().await);
        upstream.on(|request| {
            if String::from_utf8_lossy(&request.body).contains("\"stream\":true") {
                Reply::stream(chat_stream(&["a", "b"], 9, 3))
            } else {
                Reply::json(200, &completion("ab", 9, 3))
            }
        });
        let folder = tempfile::tempdir().expect("a temporary folder");
        let args = |number| args(&folder, number, &cluster.url(), &upstream.base_url());
        let run = |more: &[&str]| {
            let (good, told) = run_json(&[&args(0)[..], more].concat());
            assert!(good, "{told}");
            told
        };
        run(&["account", "create", "asks"]);
        run(&["credit", "grant", "--account", "asks", "--usd", CREDIT]);
        let key = run(&["key", "create", "--account", "asks"])["key"].as_str().expect("a key").to_owned();
        // Of such a standby, nothing is to be said in production.
        let checked = run(&["check"]);
        assert_eq!((&checked["mode"], &checked["standbys"]), (&json!("production"), &Value::Null), "{checked}");
        let [(first, first_log), (second, second_log)] = [1, 2].map(|number| Served::start_logged(&args(number)));
        let (gateways, logs) = ([first, second], [first_log, second_log]);
        let doors = gateways
            .each_ref()
            .map(|served| Door { url: format!("{}/v1/chat/completions", served.url()), key: key.clone() });
        Self { gateways, logs, doors, upstream, carried_out: 0, folder, cluster }
    }

    /// Has the standby promoted under as many clients as often as there are ways, and looks at the books.
    async fn survives(mut self, clients: usize, ways: impl Iterator<Item = By>) {
        let (tally, mut asking) = (Arc::new(Tally::default()), JoinSet::new());
        for number in 0..clients {
            // Half of them by each gateway, and half of those as streams.
            asking.spawn(self.doors[number % 2].clone().ask_on(number / 2 % 2 == 0, tally.clone()));
        }
        let (mut acknowledged, mut slowest) = (Vec::new(), Duration::ZERO);
        eprintln!("by         promoted writes    serve again        healthy   acknowledged  refused");
        for by in ways {
            let (serves_after, shown) = self.survives_one(by, &tally).await;
            assert!(serves_after < SERVES_WITHIN, "{}: it serves again after {serves_after:?}", by.name());
            slowest = slowest.max(serves_after);
            acknowledged.extend(shown);
        }
        tally.over.store(true, Ordering::Relaxed);
        acknowledged.extend(asking.join_all().await.into_iter().flatten());
        eprintln!("{} answers were whole; after a promotion it took {slowest:.1?} at the most", acknowledged.len());
        self.close(&acknowledged).await;
    }

    /// One promotion: how long after it the slower gateway served again, and the requests that show it.
    async fn survives_one(&mut self, by: By, tally: &Tally) -> (Duration, [String; 2]) {
        let before = tally.told();
        let promotion = self.cluster.promote(by).await;
        let [one, two] = &self.doors;
        let ((first, of_one), (second, of_two)) =
            tokio::join!(one.serves_again(promotion.wrote), two.serves_again(promotion.wrote));
        let revived = Instant::now();
        self.cluster.revive();
        self.cluster.healthy().await;
        let healthy_after = revived.elapsed();
        self.carried_out += self.upstream.take_received().len();
        let now = tally.told();
        eprintln!(
            "{:10} {:8} {:8}  {:8} {:8}  {:8}  {:12}  {:7}",
            by.name(),
            shown(promotion.promoted_after),
            shown(promotion.wrote_after),
            shown(first),
            shown(second),
            shown(healthy_after),
            now[0] - before[0],
            now[1] - before[1],
        );
        (first.max(second), [of_one, of_two])
    }

    /// Waits until nothing is held. What still is, and what the gateways have said of it, is shown.
    async fn resolved(&self, session: &mut PgConnection) {
        let end = Instant::now() + RESOLVED_WITHIN;
        loop {
            let rows = sqlx::query("SELECT request_id, epoch, created_at FROM holds").fetch_all(&mut *session).await;
            let held = rows.expect("an answer");
            let held: Vec<(String, i64, i64)> = held.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect();
            if held.is_empty() {
                return;
            }
            if Instant::now() > end {
                let lines: Vec<String> = self.logs.iter().flat_map(mpsc::Receiver::try_iter).collect();
                let of_them = lines.iter().filter(|line| held.iter().any(|(request, ..)| line.contains(request)));
                of_them.for_each(|line| eprintln!("{line}"));
                panic!("{} holds are still open (request, start, time): {held:?}", held.len());
            }
            // The pause between two questions; the wait itself is for the condition.
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Both gateways are those that were started, and end in order; each acknowledged request is charged once, and nothing twice.
    async fn close(mut self, acknowledged: &[String]) {
        let options: PgConnectOptions = self.cluster.url().parse().expect("an address");
        let mut session = options.options([("search_path", "tollgate")]).connect().await.expect("a connection");
        self.resolved(&mut session).await;
        let args = args(&self.folder, 0, &self.cluster.url(), &self.upstream.base_url());
        for served in self.gateways {
            assert!(served.terminate(), "the process that was started ends in order");
        }
        self.carried_out += self.upstream.take_received().len();
        let settled = assert_charged(&mut session, acknowledged).await;
        assert!(settled <= self.carried_out, "{settled} charges for {} answers of the provider", self.carried_out);
        let (clean, report) = run_json(&[&args[..], &["audit"]].concat());
        assert!(clean && report["holds_open"] == json!(0) && report["settled"] == json!(settled), "{report}");
    }
}

/// The arguments of server `number`, which has a folder of its own.
fn args(folder: &TempDir, number: u8, database: &str, provider: &str) -> Vec<&'static str> {
    let path = folder.path().join(format!("{number}.toml"));
    let text = format!(
        "mode = \"production\"\ndata_dir = {:?}\n[database]\nurl = {database:?}\n[upstreams.fake]\nbase_url = {provider:?}\n\
         [models.small]\ncontext_tokens = 1000\nmax_output_tokens = 100\n\
         price = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
         candidates = [{{ upstream = \"fake\", model = \"upstream-model\" }}]\n",
        folder.path().join(number.to_string()),
    );
    std::fs::write(&path, text).expect("a file of ours");
    vec!["--config", String::leak(path.display().to_string())]
}

/// Looks through all receipts, and at what is left of the credit; how many are of charges.
async fn assert_charged(session: &mut PgConnection, acknowledged: &[String]) -> usize {
    let rows = sqlx::query("SELECT request_id, state, cost FROM receipts").fetch_all(&mut *session).await;
    let (mut receipts, mut charged, mut settled) = (BTreeMap::new(), 0, 0);
    for row in rows.expect("receipts") {
        let (request_id, state, cost): (String, String, i64) = (row.get(0), row.get(1), row.get(2));
        charged += cost;
        settled += usize::from(state == "settled");
        let earlier = receipts.insert(request_id.clone(), (state, cost));
        assert_eq!(earlier, None, "{request_id} has a second receipt");
    }
    let distinct: BTreeSet<&String> = acknowledged.iter().collect();
    assert_eq!(distinct.len(), acknowledged.len(), "a request id was given twice");
    let expected = Some(("settled".to_owned(), CHAT));
    let lost: Vec<_> = distinct.into_iter().filter(|id| receipts.get(*id) != expected.as_ref()).collect();
    let shown: Vec<_> = lost.iter().take(5).map(|id| (id, receipts.get(*id))).collect();
    assert!(lost.is_empty(), "{} of {} are lost: {shown:?}", lost.len(), acknowledged.len());
    let balance = sqlx::query("SELECT posted, held FROM balances").fetch_one(session).await.expect("one account");
    let credit = CREDIT.parse::<Usd>().expect("an amount").nanos();
    assert_eq!((balance.get::<i64, _>(0), balance.get::<i64, _>(1)), (credit - charged, 0));
    settled
}

fn shown(time: Duration) -> String {
    format!("{time:.1?}")
}

// suite: 30s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_an_operator_promotes_has_every_charge() {
    House::open().await.survives(FEW_CLIENTS, [By::Switchover].into_iter()).await;
}

// suite: long 480s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_takes_over_in_any_way_has_every_charge() {
    House::open().await.survives(CLIENTS, WAYS.into_iter().cycle().take(PROMOTIONS)).await;
}
