//! A gateway whose ledger is a file, on a disk that is full, slow, broken or without power: it fails closed with 503 and the
//! time to come back, serves again by itself where it can know what is on the disk and ends where it cannot, and what a client
//! saw complete is in the books, once.

// suite of this file: disk

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::json;
use tokio::task::{JoinHandle, JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep, timeout};
use tollgate_tests::binary::Served;
use tollgate_tests::disk::{Disk, Trouble};
use tollgate_tests::gateway::{exact, hello};
use tollgate_tests::random::Random;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, client};

use crate::ledger::restartable::{Mortal, On};

/// Within which a client is told, and within which it is served again when the trouble is over. Five seconds are promised, and
/// the gateway waits for four of them at the most; the rest is for the turns that client and gateway wait for a processor.
/// Two such waits, one after the other, would make eight.
const IN_TIME: Duration = Duration::from_millis(7_500);
const CLIENTS: usize = 16;
const KEYED: usize = 20;
const CUTS: u64 = 30;
/// Between two cuts.
const ANSWERS_MAX: usize = 100;

struct House {
    mortal: Mortal,
    disk: Disk,
    /// The requests that were seen complete.
    complete: Vec<String>,
}

impl House {
    async fn open() -> Self {
        let mortal = Mortal::open(On::File).await;
        let disk = Disk::below(&mortal.place);
        Self { mortal, disk, complete: Vec::new() }
    }

    /// A server on the disk. Commands, an audit say, are not on it, and put the log into the ledger when they end.
    fn served(&self) -> Served {
        self.disk.holds_what_is_there();
        Served::start_on(&self.disk, &self.mortal.args)
    }

    fn request(&self, served: &Served) -> reqwest::RequestBuilder {
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&self.mortal.key);
        request.header("content-type", "application/json").body(hello(false).to_string())
    }

    /// The status that a client is told in time; none where the connection is cut.
    async fn ask(&mut self, served: &Served) -> Option<u16> {
        let reply = timeout(IN_TIME, self.request(served).send()).await.expect("in time").ok()?;
        self.told(&reply)
    }

    fn told(&mut self, reply: &reqwest::Response) -> Option<u16> {
        let status = reply.status().as_u16();
        match status {
            200 => self.complete.push(reply.headers()["x-request-id"].to_str().expect("text").to_owned()),
            503 => assert!(reply.headers().contains_key("retry-after"), "{:?}", reply.headers()),
            other => panic!("{other}"),
        }
        Some(status)
    }

    /// A request that is with the provider until the gate is open.
    async fn under_way(&self, served: &Served) -> (ReplyGate, JoinHandle<reqwest::Result<reqwest::Response>>) {
        let (gate, upstream) = (ReplyGate::default(), &self.mortal.upstream);
        upstream.answer(Reply::json(200, &completion("ab", 9, 3)).after(gate.clone()));
        drop(upstream.take_received());
        let asking = tokio::spawn(self.request(served).send());
        until("the request to be with the provider", || async { (!upstream.take_received().is_empty()).then_some(()) })
            .await;
        upstream.answer(Reply::json(200, &completion("ab", 9, 3)));
        (gate, asking)
    }

    async fn serves_again(&mut self, served: &Served) {
        let ended = Instant::now();
        while self.ask(served).await != Some(200) {}
        assert!(ended.elapsed() < IN_TIME, "it serves again after {:?}", ended.elapsed());
    }

    /// Everything that was seen complete is charged, nothing is held, and the books are right.
    async fn over(self, served: Served, when: &str) {
        self.mortal.settled(&served).await;
        self.mortal.assert_charged(&served, &self.complete, when).await;
        assert!(served.terminate(), "{when}: told to stop, it ends well");
        let report = self.mortal.audited(when);
        assert_eq!(report["holds_open"], json!(0), "{when}: {report}");
    }
}

/// A disk that is full, and one that hangs: in both nobody knows less than before, so it is waited for and asked again.
async fn passes(trouble: Trouble) {
    let mut house = House::open().await;
    let served = house.served();
    assert_eq!(house.ask(&served).await, Some(200));
    let (gate, asking) = house.under_way(&served).await;
    house.disk.is(trouble);
    for _ in 0..3 {
        assert_eq!(house.ask(&served).await, Some(503), "{trouble:?}");
    }
    // A whole answer is not kept from its client, and its charge is queued until it can be written.
    gate.open();
    let reply = timeout(IN_TIME, asking).await.expect("in time").expect("no panic").expect("an answer");
    assert_eq!(house.told(&reply), Some(200), "{trouble:?}");
    assert_eq!(house.ask(&served).await, Some(503), "{trouble:?}");
    house.disk.is(Trouble::None);
    house.serves_again(&served).await;
    house.over(served, &format!("{trouble:?}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_in_time_and_written_to_again() {
    passes(Trouble::Full).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_hangs_is_told_in_time_and_written_to_again() {
    passes(Trouble::Hangs).await;
}

/// What waits for a slow disk is written together, so that nobody is refused for it; and a key, which is written down on its own
/// before its request and after it, has its turn between two batches.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_disk_refuses_nobody() {
    let mut house = House::open().await;
    house.disk.is(Trouble::Slow);
    let served = house.served();
    // Each of these panics where it is told anything but an answer.
    let mut load = house.mortal.chats(&served, CLIENTS, "small");
    until("some answers", || async { (house.mortal.answered.load(Ordering::Relaxed) >= 200).then_some(()) }).await;
    for number in 0..KEYED {
        let keyed = house.request(&served).header("idempotency-key", format!("slow {number}"));
        let reply = keyed.send().await.expect("an answer");
        assert_eq!(house.told(&reply), Some(200), "{number}");
    }
    served.kill();
    house.complete.extend(seen(&mut load).await);
    let served = house.served();
    house.over(served, "a slow disk").await;
}

/// Nobody knows what is on the disk: the process ends, and the next start reads what is.
async fn ends(trouble: Trouble) {
    let mut house = House::open().await;
    let served = house.served();
    for _ in 0..5 {
        assert_eq!(house.ask(&served).await, Some(200));
    }
    house.disk.is(trouble);
    let told = house.ask(&served).await;
    assert!(told.is_none_or(|told| told == 503), "{trouble:?}: {told:?}");
    let status = spawn_blocking(move || served.ended()).await.expect("it ends");
    assert!(
        !status.success() && status.code().is_some(),
        "{trouble:?}: by itself, and says that something is wrong: {status}"
    );
    house.disk.is(Trouble::None);
    let served = house.served();
    assert_eq!(house.ask(&served).await, Some(200), "{trouble:?}");
    house.over(served, &format!("{trouble:?}")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_fails_ends_the_process() {
    ends(Trouble::Broken).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sync_that_fails_ends_the_process() {
    ends(Trouble::Unsynced).await;
}

/// The power is cut at random moments, again and again over one ledger: what was not synced is gone, or there in part.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_power_cut_loses_nothing_that_a_client_saw_complete() {
    let house = House::open().await;
    let mut random = Random::new(11);
    let (mut lost, mut complete) = (0, 0);
    let mut served = house.served();
    for cut in 0..CUTS {
        let when = format!("cut {cut}");
        let seen = cut_power(&house, served, &mut random, &mut lost).await;
        complete += seen.len();
        house.mortal.audited(&when);
        served = house.served();
        assert_eq!(house.mortal.held(&served).await, "0", "{when}");
        house.mortal.assert_charged(&served, &seen, &when).await;
    }
    house.over(served, "at the end").await;
    assert!(
        lost > 0 && complete > 300,
        "the cuts were real: {lost} of {CUTS} lost something, {complete} seen complete"
    );
    eprintln!(
        "{CUTS} cuts, {lost} of them lost something unsynced; {complete} requests seen complete, none lost or doubled"
    );
}

/// That the test above would see a ledger that is not synced: on a disk that only says that it synced, answers are lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_lies_loses_what_it_said_was_there() {
    let house = House::open().await;
    house.disk.is(Trouble::Lies);
    let (mut random, mut lost) = (Random::new(11), 0);
    let complete = cut_power(&house, house.served(), &mut random, &mut lost).await;
    let (asked, complete) = (complete.len(), complete.into_iter());
    assert!(lost == 1 && asked > 0, "{asked}");
    house.disk.is(Trouble::None);
    let served = house.served();
    let mut gone = 0;
    for id in complete {
        let url = format!("{}/api/user/self/receipts/{id}", served.url());
        let reply = client().get(url).bearer_auth(&house.mortal.key).send().await.expect("an answer");
        let receipt = exact(&reply.text().await.expect("a body"));
        gone += usize::from(receipt["data"]["status"] != json!("settled"));
    }
    assert!(gone > 0, "of {asked}");
}

/// Under some clients, after some answers; what they saw complete.
async fn cut_power(house: &House, served: Served, random: &mut Random, lost: &mut u64) -> Vec<String> {
    let mut load = house.mortal.chats(&served, CLIENTS, "small");
    let answered = &house.mortal.answered;
    let enough = answered.load(Ordering::Relaxed) + 1 + random.below(ANSWERS_MAX);
    until("some answers", || async { (answered.load(Ordering::Relaxed) >= enough).then_some(()) }).await;
    // The moment of the cut is the thing under test, so it is a time and not a condition.
    sleep(Duration::from_millis(random.number() % 20)).await;
    served.kill();
    let seen = seen(&mut load).await;
    *lost += u64::from(house.disk.lost_power());
    seen
}

async fn seen(load: &mut JoinSet<Vec<String>>) -> Vec<String> {
    let mut complete = Vec::new();
    while let Some(asked) = load.join_next().await {
        complete.extend(asked.expect("no panic"));
    }
    complete
}
