//! Months that are archived by the command of an operator, while a server answers its clients.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tokio::task::{JoinSet, spawn_blocking};
use tollgate_base::{Clock, YearMonth};
use tollgate_store::testing::unpacked;
use tollgate_tests::binary::{Served, run_json_by};
use tollgate_tests::set_clock::SetClock;
use tollgate_tests::wait::{until, until_later};

use crate::ledger::restartable::{CHAT, Mortal, On};

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;
/// Of each way to ask.
const CLIENTS: usize = 4;
/// Answers that are waited for before the month ends, beside the command, and after it.
const ANSWERS: usize = 300;

impl Mortal {
    /// Clients with an Idempotency-Key on each request and without.
    fn all_clients(&self, served: &Served) -> [JoinSet<Vec<String>>; 2] {
        [self.chats(served, CLIENTS, "small"), self.keyed(served, CLIENTS, "small")]
    }

    /// So many more answers.
    async fn answers(&self, more: usize) {
        let enough = self.answered.load(Ordering::Relaxed) + more;
        until_later("answers", async || (self.answered.load(Ordering::Relaxed) >= enough).then_some(())).await;
    }
}

/// The requests of clients whose server has been told to stop, all of which were answered.
async fn complete(clients: [JoinSet<Vec<String>>; 2]) -> Vec<String> {
    let mut complete = Vec::new();
    for clients in clients {
        complete.extend(clients.join_all().await.concat());
    }
    complete
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_is_archived_while_every_request_is_answered() {
    let mortal = Mortal::open(On::Server).await;
    let month = YearMonth::of_ms(Clock::system().now_ms());
    let clock = SetClock::at(month.ends_at_ms() - MINUTE_MS);
    let served = Served::start_by(&clock, &mortal.args);
    let clients = mortal.all_clients(&served);
    mortal.answers(ANSWERS).await;
    assert!(served.terminate());
    let old = complete(clients).await;
    let before = mortal.audited("before the month ends");

    clock.set(month.ends_at_ms() + DAY_MS + MINUTE_MS);
    let served = Served::start_by(&clock, &mortal.args);
    let clients = mortal.all_clients(&served);
    mortal.answers(CLIENTS).await;
    let file = tempfile::tempdir().expect("a temporary folder").keep().join("receipts.csv.gz");
    let answered = mortal.answered.load(Ordering::Relaxed);
    let (args, path) = (mortal.args.clone(), file.display().to_string());
    // The server goes by the clock on.
    let archived = spawn_blocking(move || {
        let archive = ["ledger", "archive", &month.to_string(), "--file", &path];
        (run_json_by(&clock, &[&args[..], &archive].concat()), clock)
    });
    let ((done, archived), _clock) = archived.await.expect("no panic");
    assert!(done, "{archived}");
    let beside = mortal.answered.load(Ordering::Relaxed) - answered;
    mortal.answers(ANSWERS).await;
    assert!(served.terminate());
    let new = complete(clients).await;
    assert!(beside > 0, "the load was real");
    eprintln!("{} receipts archived, {beside} requests answered meanwhile, {} in all", archived["receipts"], new.len());
    assert_receipts(&mortal, &archived, &before, (&old, &new)).await;
    assert_eq!(unpacked(&file).1.lines().count(), 1 + old.len(), "a head and a receipt for each");
    std::fs::remove_dir_all(file.parent().expect("a folder")).expect("ours");
}

/// All requests of before are in the file, all others in the ledger, each was charged once, and the books are exact.
async fn assert_receipts(mortal: &Mortal, archived: &Value, before: &Value, (old, new): (&[String], &[String])) {
    assert_eq!((&archived["receipts"], &before["settled"]), (&json!(old.len()), &json!(old.len())), "{archived}");
    let after = mortal.audited("after the month is archived");
    let counts = (&after["settled"], &after["holds_open"]);
    assert_eq!(counts, (&json!(old.len() + new.len()), &json!(0)), "{after}");
    let served = Served::start(&mortal.args);
    mortal.assert_charged(&served, new, "after the month is archived").await;
    let balance = &mortal.get(&served, "/api/user/self/balance").await["data"]["quota_usd"];
    let charged = i64::try_from(old.len() + new.len()).expect("few") * CHAT;
    let left = tollgate_base::Usd::from_nanos(100_000_000_000_000 - charged);
    assert_eq!(tollgate_tests::gateway::amount(balance), left.to_string());
    until("nothing to be held", async || (mortal.held(&served).await == "0").then_some(())).await;
    assert!(served.terminate());
}
