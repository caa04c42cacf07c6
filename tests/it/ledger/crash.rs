//! A process that ends right before or right after each commit of the ledger, under load. The steps are those that the ledger
//! names itself, so a new one does not build here until it has a load that reaches it.
//!
//! Afterwards: what a client saw complete is charged once, nothing else is charged twice, nothing is held, and the books are
//! right to the last nano-USD.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tollgate_credit::{CommitSide, Step};
use tollgate_tests::binary::{Served, run_in, run_json, serve_in};

use crate::ledger::restartable::{CHAT, FILM, Mortal, On};

const ARMED_BY: &str = "TOLLGATE_CRASH_AT";
const CLIENTS: usize = 16;
/// How often a step is passed before it is the last.
const TIMES: u32 = 3;
const ABORTED: i32 = 6;
/// In which a server that went silent is taken for gone. That takes fifteen seconds, which are counted anew where the machine
/// is so busy that the other does not get to the ledger for three.
const BURIED_WITHIN: Duration = Duration::from_secs(120);
/// Of a dollar, and the key that it is made once by.
const GRANT: [&str; 7] = ["credit", "grant", "--account", "loaded", "--usd", "1", "--idempotency-key"];
const TAKE: [&str; 7] =
    ["credit", "take", "--account=loaded", "--usd=1", "--reason=a crash", "--debt", "--idempotency-key"];

/// What brings a server to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// Chats, half of them with an Idempotency-Key each.
    Chats(&'static str),
    /// Orders that nothing is held for, with an Idempotency-Key each.
    Orders,
    Films(&'static str),
    /// A hold whose owner is gone.
    Orphans,
    /// A command beside the server.
    Command(&'static [&'static str]),
    /// A debt of an account that has money.
    Debts,
    Start,
    /// Of servers that share a ledger, and of those alone.
    Time,
    End,
    Silence,
    /// Its tests are the ledger's own.
    Elsewhere,
}

fn reached(step: Step) -> Reached {
    match step {
        Step::Hold | Step::Settle => Reached::Chats("small"),
        Step::Release => Reached::Chats("sour"),
        Step::Sweep => Reached::Orphans,
        Step::Keep | Step::SettleKept => Reached::Films("a cat"),
        Step::ReleaseKept => Reached::Films("unlucky"),
        Step::Grant => Reached::Command(&GRANT),
        Step::Take => Reached::Command(&TAKE),
        Step::CollectDebts => Reached::Debts,
        // What the last server left is sealed at once.
        Step::Start | Step::GiveBack | Step::EndStart | Step::Seal | Step::TellSeal | Step::PurgeKeys => Reached::Start,
        Step::GiveKey => Reached::Orders,
        // Their answers are too large to be written down with their receipts.
        Step::EndKey => Reached::Chats("wordy"),
        Step::Beat => Reached::Time,
        Step::Resign => Reached::End,
        Step::Bury => Reached::Silence,
        Step::MakeMonth | Step::Archive => Reached::Elsewhere,
    }
}

// suite: 20s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_a_file_may_end_beside_any_commit() {
    every_step(On::File).await;
}

// suite: 35s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_shares_a_ledger_may_end_beside_any_commit() {
    every_step(On::Server).await;
}

async fn every_step(on: On) {
    let mortal = Mortal::open(on).await;
    for &step in Step::ALL {
        for side in CommitSide::ALL {
            let when = format!("{} {}", side.name(), step.name());
            let before = Books::of(&mortal, &when);
            let complete = match reached(step) {
                Reached::Time | Reached::End | Reached::Silence if on == On::File => continue,
                // It takes longer, and has a test of its own.
                Reached::Silence | Reached::Elsewhere => continue,
                Reached::Command(command) => done_once(&mortal, command, step, side, &when),
                Reached::Start => {
                    let served = Served::start(&mortal.args);
                    let load = mortal.chats(&served, CLIENTS, "small");
                    served.kill();
                    let complete = seen(load).await;
                    // Whenever it was killed, it held something.
                    orphans(&mortal, 1).await;
                    // Whatever that one came to, there is something that nobody has sealed.
                    let (granted, told) = run_json(&[&mortal.args[..], &GRANT, &[&when]].concat());
                    assert!(granted, "{when}: {told}");
                    assert_aborted(serve_in((ARMED_BY, &at(step, side, 1)), &mortal.args).signal(), &when);
                    complete
                }
                how => ended_at(&mortal, how, step, side, &when).await,
            };
            let served = Served::start(&mortal.args);
            match reached(step) {
                // A film that was under way is watched to its end.
                Reached::Films(_) => mortal.settled(&served).await,
                _ => mortal.released(&served, &when).await,
            }
            mortal.assert_charged(&served, &complete, &when).await;
            assert!(served.terminate(), "{when}");
            Books::of(&mortal, &when).assert_follow(&before, complete.len(), &when);
        }
    }
}

/// A server that ends at a step, and what its clients saw complete.
async fn ended_at(mortal: &Mortal, how: Reached, step: Step, side: CommitSide, when: &str) -> Vec<String> {
    let times = if matches!(how, Reached::End | Reached::Debts) { 1 } else { TIMES };
    let served = Served::start_in((ARMED_BY, &at(step, side, times)), &mortal.args);
    let load = match how {
        Reached::Chats(model) => both(mortal, &served, model),
        Reached::Orders => mortal.orders(&served, CLIENTS),
        Reached::Films(prompt) => mortal.films(&served, CLIENTS / 4, prompt),
        Reached::Orphans => {
            orphans(mortal, times).await;
            JoinSet::new()
        }
        Reached::Debts => {
            let debt = format!(
                "INSERT INTO reversals (kind, account_id, counter, amount, taken, debt, idem, actor, note, created_at) \
                    SELECT 'take', account_id, 2, 1, 0, 1, '{when}', 'x', '', 1 FROM balances"
            );
            mortal.plant(debt).await;
            JoinSet::new()
        }
        _ => JoinSet::new(),
    };
    if how == Reached::End {
        served.signal("TERM");
    }
    let ended = tokio::task::spawn_blocking(move || served.ended()).await.expect("it ends");
    assert_aborted(ended.signal(), when);
    seen(load).await
}

/// Others notice that a server is gone after fifteen seconds, if they have been there themselves for as long.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_end_while_it_takes_another_for_gone() {
    let both = CommitSide::ALL.map(|side| async move {
        let when = format!("{} bury", side.name());
        let mortal = Mortal::open(On::Server).await;
        let first = Served::start_in((ARMED_BY, &at(Step::Bury, side, 1)), &mortal.args);
        let beside = tempfile::tempdir().expect("a temporary folder");
        let data_dir = beside.path().display().to_string();
        let second = Served::start(&[&mortal.args[..], &["--data", &data_dir]].concat());
        let load = mortal.chats(&second, CLIENTS, "small");
        orphans(&mortal, 1).await;
        second.kill();
        let complete = seen(load).await;
        let ended = tokio::task::spawn_blocking(move || first.ended_within(BURIED_WITHIN)).await.expect("it ends");
        assert_aborted(ended.signal(), &when);
        let (first, second) =
            (Served::start(&mortal.args), Served::start(&[&mortal.args[..], &["--data", &data_dir]].concat()));
        mortal.settled(&first).await;
        mortal.assert_charged(&second, &complete, &when).await;
        assert!(first.terminate() && second.terminate(), "{when}");
        assert_eq!(mortal.audited(&when)["holds_open"], json!(0), "{when}");
    });
    let [before, after] = both;
    tokio::join!(before, after);
}

fn at(step: Step, side: CommitSide, times: u32) -> String {
    format!("{}.{}:{times}", step.name(), side.name())
}

fn assert_aborted(signal: Option<i32>, when: &str) {
    assert_eq!(signal, Some(ABORTED), "{when}: it was to end there");
}

/// Chats without keys and with them.
fn both(mortal: &Mortal, served: &Served, model: &'static str) -> JoinSet<Vec<String>> {
    let mut load = mortal.chats(served, CLIENTS / 2, model);
    load.spawn(seen(mortal.keyed(served, CLIENTS / 2, model)));
    load
}

async fn seen(mut load: JoinSet<Vec<String>>) -> Vec<String> {
    let mut complete = Vec::new();
    while let Some(asked) = load.join_next().await {
        complete.extend(asked.expect("no panic"));
    }
    complete
}

/// What a command does that ends at its commit is there or not, and is there once when it is asked for again.
fn done_once(mortal: &Mortal, command: &[&'static str], step: Step, side: CommitSide, when: &str) -> Vec<String> {
    let args = [&mortal.args[..], command, &[side.name()]].concat();
    assert_aborted(run_in((ARMED_BY, &at(step, side, 1)), &args).status.signal(), when);
    let (ok, again) = run_json(&args);
    assert!(ok && again["repeated"] == json!(side == CommitSide::After), "{when}: {again}");
    let (ok, once_more) = run_json(&args);
    assert!(ok && once_more["repeated"] == json!(true), "{when}: {once_more}");
    Vec::new()
}

/// Holds of the server that runs, which nobody has in hand and whose time is over.
async fn orphans(mortal: &Mortal, count: u32) {
    static MADE: AtomicU32 = AtomicU32::new(1);
    let hold = |number: u32| {
        // Behind all numbers that were given, those of holds that have ended included.
        format!(
            "INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, created_at, \
                expires_at) \
            SELECT (SELECT coalesce(max(id), 0) + 1000000 FROM (SELECT id FROM holds UNION ALL SELECT hold_id FROM receipts) given), \
                account_id, 1, 'orphan {number}', 1, 'small', 0, 1, 1000000, (SELECT max(epoch) FROM nodes), 1, 2 FROM balances"
        )
    };
    let prices = "INSERT INTO prices VALUES (1, 'v', 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1) ON CONFLICT (id) DO NOTHING";
    mortal.plant(prices.to_owned()).await;
    let first = MADE.fetch_add(count, Ordering::Relaxed);
    mortal.plant((first..first + count).map(hold).collect::<Vec<_>>().join("; ")).await;
}

/// What the books say, to be compared with what they said before.
struct Books {
    report: Value,
}

impl Books {
    fn of(mortal: &Mortal, when: &str) -> Self {
        let report = mortal.audited(when);
        assert_eq!(report["holds_open"], json!(0), "{when}: {report}");
        Self { report }
    }

    /// Each charge that came to it is what a chat or a film costs: none was posted twice, and none without its receipt, which
    /// the audit has seen to.
    fn assert_follow(&self, before: &Self, complete: usize, when: &str) {
        let count = |books: &Self| books.report["settled"].as_i64().expect("a count");
        let settled = count(self) - count(before);
        assert!(settled >= i64::try_from(complete).expect("few"), "{when}: {settled} of {complete}");
        let house = |books: &Self| -> BTreeMap<String, Value> {
            serde_json::from_value(books.report["house_usd"].clone()).expect("accounts of the house")
        };
        let revenue = |books: &Self| nanos(&house(books)["revenue"]);
        let earned = revenue(self) - revenue(before);
        let chats_and_films = (0..=settled).any(|films| films * FILM + (settled - films) * CHAT == earned);
        assert!(chats_and_films, "{when}: {earned} nano-USD for {settled} answers");
    }
}

/// An amount of a report.
fn nanos(value: &Value) -> i64 {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse::<tollgate_base::Usd>().expect("an amount").nanos()
}
