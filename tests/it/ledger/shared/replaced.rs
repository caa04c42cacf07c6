//! Two servers that are replaced one after the other while clients go on, as an operator does with a new build.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use tokio::task::spawn_blocking;

use super::*;

const CLIENTS: usize = 8;
/// How many answers come between two steps.
const ANSWERS: usize = 100;

/// What a balancer in front of the servers knows: their addresses, of those that it sends requests to.
type Known = Arc<RwLock<[Option<String>; 2]>>;

/// Asks again and again, each request with a key of its own until it is answered: at the other server where one is gone.
async fn client_of(known: Known, key: String, number: usize, answered: Arc<AtomicUsize>, stop: Arc<AtomicBool>) {
    let mut turn = number;
    for request in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        loop {
            turn += 1;
            let Some(url) = known.read().expect("no panic")[turn % 2].clone() else { continue };
            let asked = client().post(format!("{url}/v1/chat/completions")).bearer_auth(&key);
            let asked = asked.header("content-type", "application/json").body(hello(false).to_string());
            let Ok(reply) = asked.header("idempotency-key", format!("{number}-{request}")).send().await else {
                continue;
            };
            let status = reply.status().as_u16();
            let Ok(told) = reply.text().await else { continue };
            // Its first try may be under way still, where the connection was lost; a machine may be too busy for an answer in time.
            if status == 503 || (status == 409 && told.contains("idempotency_in_flight")) {
                continue;
            }
            assert_eq!(status, 200, "{told}");
            break;
        }
        answered.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_are_replaced_one_after_the_other_and_no_client_notices() {
    let shared = Arc::new(Shared::new().await);
    let key = shared.account("1000");
    let start = async |number: u8| {
        let shared = shared.clone();
        spawn_blocking(move || Served::start(&shared.args(number))).await.expect("a server")
    };
    let mut servers = [Some(start(1).await), Some(start(2).await)];
    let known: Known = Arc::new(RwLock::new(servers.each_ref().map(|served| Some(served.as_ref()?.url().to_owned()))));
    let (answered, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        clients.spawn(client_of(known.clone(), key.clone(), number, answered.clone(), stop.clone()));
    }
    let more = async || {
        let before = answered.load(Ordering::Relaxed);
        until_later("answers", || async { (answered.load(Ordering::Relaxed) >= before + ANSWERS).then_some(()) }).await;
    };
    more().await;
    for (place, number) in [(0, 1), (1, 2)] {
        let old = servers[place].take().expect("it was started");
        // With requests on their way to it and in it.
        assert!(spawn_blocking(move || old.terminate()).await.expect("no panic"), "told to stop, it ends well");
        known.write().expect("no panic")[place] = None;
        more().await;
        let new = start(number).await;
        known.write().expect("no panic")[place] = Some(new.url().to_owned());
        servers[place] = Some(new);
        more().await;
    }
    stop.store(true, Ordering::Relaxed);
    clients.join_all().await;
    let answers = answered.load(Ordering::Relaxed);
    for server in servers.into_iter().flatten() {
        assert!(server.terminate(), "told to stop, it ends well");
    }
    let report = shared.audited();
    assert_eq!((&report["settled"], &report["holds_open"]), (&json!(answers), &json!(0)), "each was charged once");
    assert_eq!(shared.upstream.take_received().len(), answers, "each was sent once");
}
