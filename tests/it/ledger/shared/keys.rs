//! One key at two servers: its limits are one, whichever of them is asked, and so is what is carried out for it.

use std::time::{Duration, Instant};

use tollgate_tests::reply::{Step, chat_stream};
use tollgate_tests::wait::until_within;

use super::*;

/// In which a server that is killed is noticed and its holds are given back. That takes fifteen seconds of silence, which are
/// counted anew where the other server did not get to the ledger for three. Were its silence not noticed, they would be held
/// for more than ten minutes.
const NOTICED_WITHIN: Duration = Duration::from_secs(90);
/// In which a command is followed by servers that run. It takes a second, which is measured in the tests of `accounts`; a
/// server that did not look for changes would take the key for good.
const FOLLOWED_WITHIN: Duration = Duration::from_secs(20);
const ASKED: usize = 24;

impl Shared {
    /// A further key of the account, by the command of an operator: the key, and its number.
    fn key(&self, limits: &[&str]) -> (String, String) {
        let args = [&self.args(0)[..], &["key", "create", "--account", "one"], limits].concat();
        let (ok, told) = run_json(&args);
        assert!(ok, "{told}");
        (told["key"].as_str().expect("a key").to_owned(), told["id"].to_string())
    }

    /// Lets no request be answered before the gate opens.
    fn held_back(&self) -> ReplyGate {
        let gate = ReplyGate::default();
        let behind = gate.clone();
        self.upstream.on(move |_| Reply::json(200, &completion("ab", 9, 3)).after(behind.clone()));
        let _ = self.upstream.take_received();
        gate
    }
}

/// Asks both servers at once, in turn; what is told, in the order of its coming.
fn all_at_once(servers: &[Served; 2], key: &str) -> JoinSet<u16> {
    let mut asked = JoinSet::new();
    for turn in 0..ASKED {
        let (url, key) = (servers[turn % 2].url().to_owned(), key.to_owned());
        asked.spawn(async move { ask(&url, &key).await.0 });
    }
    asked
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_as_many_requests_of_a_key_go_through_two_servers_as_its_limits_let_in() {
    let shared = Shared::new().await;
    let free = shared.account("1");
    let servers = [Served::start(&shared.args(1)), Served::start(&shared.args(2))];

    // What one request is held for.
    let gate = shared.held_back();
    let (url, key) = (servers[0].url().to_owned(), free.clone());
    let first = tokio::spawn(async move { ask(&url, &key).await.0 });
    let hold = until("the hold", || async { Some(held(&servers[1], &free).await).filter(|held| held != "0") }).await;
    gate.open();
    assert_eq!(first.await.expect("no panic"), 200);

    let budget = format!("{}", tollgate_base::Usd::from_nanos(5 * nanos(&hold)));
    for (limit, lets_in) in
        [(["--budget-usd", &*budget], 5), (["--in-flight", "7"], 7), (["--requests-per-minute", "4"], 4)]
    {
        let (key, _) = shared.key(&limit);
        let gate = shared.held_back();
        let mut asked = all_at_once(&servers, &key);
        for _ in lets_in..ASKED {
            let status = asked.join_next().await.expect("it was asked").expect("no panic");
            assert!([402, 429].contains(&status), "{limit:?}: {status}");
        }
        gate.open();
        let answered = asked.join_all().await;
        assert_eq!(answered, vec![200; lets_in], "{limit:?}");
        assert_eq!(shared.upstream.take_received().len(), lets_in, "{limit:?}");
    }
    assert_eq!(shared.audited()["settled"], json!(1 + 5 + 7 + 4));
    let [first, second] = servers;
    assert!(first.terminate() && second.terminate());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_revoked_by_a_command_is_refused_by_every_server() {
    let shared = Shared::new().await;
    let _ = shared.account("1");
    let (key, id) = shared.key(&[]);
    let servers = [Served::start(&shared.args(1)), Served::start(&shared.args(2))];
    for served in &servers {
        assert_eq!(ask(served.url(), &key).await.0, 200);
    }
    let (ok, told) = run_json(&[&shared.args(0)[..], &["key", "revoke", &id]].concat());
    assert!(ok, "{told}");
    let revoked = Instant::now();
    // Nothing is held for it from that very moment on.
    for served in &servers {
        assert_eq!(ask(served.url(), &key).await.0, 401);
    }
    for served in &servers {
        let asked = || client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&key).send();
        until("the refusal", || async { (asked().await.ok()?.status() == 401).then_some(()) }).await;
    }
    assert!(revoked.elapsed() < FOLLOWED_WITHIN, "{:?}", revoked.elapsed());
    assert_eq!(shared.audited()["settled"], json!(2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idempotency_key_at_two_servers_at_once_is_carried_out_once() {
    let shared = Shared::new().await;
    let key = shared.account("1");
    let servers = [Served::start(&shared.args(1)), Served::start(&shared.args(2))];
    let gate = shared.held_back();
    let asked = |served: &Served| {
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&key);
        let request = request.header("content-type", "application/json").header("idempotency-key", "one");
        let request = request.body(hello(false).to_string());
        async move {
            let reply = request.send().await.expect("an answer");
            let again = reply.headers().contains_key("idempotent-replayed");
            (reply.status().as_u16(), again, reply.text().await.expect("a body"))
        }
    };
    let mut all = JoinSet::new();
    for turn in 0..ASKED {
        all.spawn(asked(&servers[turn % 2]));
    }
    for _ in 1..ASKED {
        let (status, ..) = all.join_next().await.expect("it was asked").expect("no panic");
        assert_eq!(status, 409, "it is under way, wherever");
    }
    gate.open();
    let (status, again, body) = all.join_next().await.expect("the first").expect("no panic");
    assert_eq!((status, again), (200, false));
    for served in &servers {
        assert_eq!(asked(served).await, (200, true, body.clone()), "byte for byte");
    }
    assert_eq!((shared.upstream.take_received().len(), &shared.audited()["settled"]), (1, &json!(1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_killed_server_held_for_a_stream_is_given_back_by_the_other() {
    let shared = Shared::new().await;
    let key = shared.account("1");
    let (first, second) = (Served::start(&shared.args(1)), Served::start(&shared.args(2)));
    let gate = ReplyGate::default();
    let stream = Reply::stream(chat_stream(&["a", "b"], 9, 3)).step_at(2, Step::Wait(gate.clone()));
    shared.upstream.answer(stream);
    let request = client().post(format!("{}/v1/chat/completions", first.url())).bearer_auth(&key);
    let request = request.header("content-type", "application/json").body(hello(true).to_string());
    let mut open = request.send().await.expect("an answer");
    assert!(open.chunk().await.expect("a beginning").is_some());
    assert_ne!(held(&second, &key).await, "0");
    first.kill();
    until_within(NOTICED_WITHIN, "the money", || async { (held(&second, &key).await == "0").then_some(()) }).await;
    while let Ok(Some(_)) = open.chunk().await {}
    gate.open();
    let report = shared.audited();
    assert_eq!((&report["holds_open"], &report["settled"]), (&json!(0), &json!(0)), "{report}");
    assert!(second.terminate());
}
