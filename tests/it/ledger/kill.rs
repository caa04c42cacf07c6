//! A process that dies: `kill -9` at random moments under 64 clients, again and again over one ledger. What the process had
//! handed to the operating system stays, so this says nothing of a power cut; that each commit is synced is looked at in
//! `store`.

// suite of this file: disk

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;
use tollgate_tests::binary::Served;
use tollgate_tests::random::Random;
use tollgate_tests::wait::until;

use crate::ledger::restartable::{Mortal, On};

const KILLS: u64 = 15;
/// With time for it.
const MANY_KILLS: u64 = 100;
const CLIENTS: usize = 64;
/// Between two kills.
const ANSWERS_MAX: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_gateway_loses_nothing_that_a_client_saw_complete() {
    killed_again_and_again(On::File, KILLS).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_gateway_on_a_database_server_loses_nothing_either() {
    killed_again_and_again(On::Server, KILLS).await;
}

// suite: long 60s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_that_is_killed_a_hundred_times_loses_nothing() {
    killed_again_and_again(On::File, MANY_KILLS).await;
}

// suite: long 75s
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gateway_on_a_database_server_that_is_killed_a_hundred_times_loses_nothing() {
    killed_again_and_again(On::Server, MANY_KILLS).await;
}

async fn killed_again_and_again(on: On, kills: u64) {
    let mortal = Mortal::open(on).await;
    let mut random = Random::new(7);
    let (mut complete, mut seen) = (Vec::new(), 0);
    let mut served = Served::start(&mortal.args);
    for kill in 0..kills {
        let when = format!("kill {kill}");
        let mut load = mortal.chats(&served, CLIENTS, "small");
        let enough = mortal.answered.load(Ordering::Relaxed) + random.below(ANSWERS_MAX);
        until("some answers", || async { (mortal.answered.load(Ordering::Relaxed) >= enough).then_some(()) }).await;
        // The moment of the kill is the thing under test, so it is a time and not a condition.
        sleep(Duration::from_millis(random.number() % 20)).await;
        served.kill();
        complete.clear();
        while let Some(asked) = load.join_next().await {
            complete.extend(asked.expect("no panic"));
        }
        seen += complete.len();
        mortal.audited(&when);
        served = Served::start(&mortal.args);
        // Whatever the last start left open was resolved before this one began to answer.
        assert_eq!(mortal.held(&served).await, "0", "{when}");
        mortal.assert_charged(&served, &complete, &when).await;
    }
    assert!(seen > usize::try_from(kills).expect("few") * 10, "the load was real: {seen}");
    assert!(served.terminate(), "told to stop, it ends well");
    let report = mortal.audited("at the end");
    assert_eq!(report["holds_open"], json!(0), "{report}");
    let settled = report["settled"].as_u64().expect("a count");
    eprintln!("{on:?}: {kills} kills, {seen} requests seen complete, none lost or doubled; {settled} settled");
}
