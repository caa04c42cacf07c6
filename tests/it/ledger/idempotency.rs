//! The header `idempotency-key`: a request that comes twice is carried out once and charged once, whatever happens between.

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, SqliteConnection};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tollgate_credit::{GrantRequest, TakeBackRequest};
use tollgate_tests::binary::{Served, run_json};
use tollgate_tests::chain::Anvil;
use tollgate_tests::checkout::Provider;
use tollgate_tests::gateway::{Options, amount, exact, hello};
use tollgate_tests::reply::{Reply, Step, chat_stream, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, Upstream, client};
use tollgate_topup::RailConfig;

use crate::ledger::restartable::{Mortal, On};

/// What a client sees of an answer.
#[derive(Debug)]
struct Seen {
    status: u16,
    request: String,
    first: Option<String>,
    replayed: bool,
    should_retry: Option<String>,
    waits: bool,
    body: String,
}

impl Seen {
    async fn of(reply: reqwest::Response) -> Self {
        let header = |name: &str| reply.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
        Self {
            status: reply.status().as_u16(),
            request: header("x-request-id").expect("an id"),
            first: header("x-tollgate-first-request-id"),
            replayed: header("idempotent-replayed").as_deref() == Some("true"),
            should_retry: header("x-should-retry"),
            waits: reply.headers().contains_key("retry-after"),
            body: reply.text().await.expect("a body"),
        }
    }

    fn code(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).expect("JSON");
        body["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The first request, as an error names it.
    fn named(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).expect("JSON");
        body["error"]["details"]["first_request_id"].as_str().unwrap_or_default().to_owned()
    }
}

async fn hello_with(gateway: &TestGateway, key: &str) -> Seen {
    Seen::of(gateway.hello().header("idempotency-key", key).send().await.expect("an answer")).await
}

async fn charges(gateway: &TestGateway) -> usize {
    let page = gateway.get("/api/user/self/receipts?status=settled&limit=100").send().await.expect("an answer");
    let page: Value = page.json().await.expect("JSON");
    page["data"]["receipts"].as_array().expect("a list").len()
}

#[tokio::test]
async fn of_twenty_at_once_one_is_carried_out_and_all_get_its_answer() {
    let gateway = Arc::new(TestGateway::start().await);
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("x", 9, 3)).step_at(0, Step::Wait(gate.clone())));
    let mut asked = JoinSet::new();
    for _ in 0..20 {
        let gateway = gateway.clone();
        asked.spawn(async move { hello_with(&gateway, "one key").await });
    }
    let mut told_to_wait = Vec::new();
    while told_to_wait.len() < 19 {
        told_to_wait.push(asked.join_next().await.expect("nineteen").expect("no panic"));
    }
    gate.open();
    let first = asked.join_next().await.expect("the first").expect("no panic");
    assert_eq!((first.status, first.replayed, first.first.as_deref()), (200, false, None));
    for seen in &told_to_wait {
        assert_eq!((seen.status, seen.code().as_str(), seen.waits), (409, "idempotency_in_flight", true));
        assert_eq!((seen.named(), seen.should_retry.as_deref()), (first.request.clone(), Some("true")));
    }
    let again = hello_with(&gateway, "one key").await;
    assert_eq!((again.status, again.replayed, again.first.as_deref()), (200, true, Some(first.request.as_str())));
    assert_eq!(again.body, first.body, "byte for byte");
    assert_ne!(again.request, first.request);
    assert_eq!((gateway.upstream.take_received().len(), charges(&gateway).await), (1, 1));
    // Without the header, or with another key, it is another request.
    assert!(!Seen::of(gateway.hello().send().await.expect("an answer")).await.replayed);
    assert!(!hello_with(&gateway, "two keys").await.replayed);
    gateway.assert_books().await;
}

#[tokio::test]
async fn a_key_is_its_accounts_and_its_requests_alone() {
    let gateway = TestGateway::start().await;
    let first = hello_with(&gateway, "k").await;
    let mut other = hello(false);
    other["max_tokens"] = json!(99);
    let other = gateway.chat(other.to_string()).header("idempotency-key", "k").send().await.expect("an answer");
    let other = Seen::of(other).await;
    assert_eq!((other.status, other.code().as_str(), other.named()), (422, "idempotency_mismatch", first.request));
    // The same body with another query is another request too.
    let query = client().post(gateway.url("/v1/chat/completions?more=1")).bearer_auth(&gateway.key).json(&hello(false));
    let query = Seen::of(query.header("idempotency-key", "k").send().await.expect("an answer")).await;
    assert_eq!(query.status, 422, "{}", query.body);
    for wrong in ["", &"k".repeat(256), "k\u{e9}"] {
        let reply = gateway.hello().header("idempotency-key", wrong.as_bytes()).send().await.expect("an answer");
        assert_eq!(Seen::of(reply).await.code(), "bad_parameter", "{wrong}");
    }
    let twice = gateway.hello().header("idempotency-key", "a").header("idempotency-key", "b");
    assert_eq!(twice.send().await.expect("an answer").status(), 400);
    assert_eq!(hello_with(&gateway, &"k".repeat(255)).await.status, 200);
    assert_eq!(charges(&gateway).await, 2);
}

/// Nothing was charged for it, so that nothing is lost by carrying out the next one, which may go well.
#[tokio::test]
async fn what_was_refused_is_carried_out_when_it_comes_again() {
    let gateway = TestGateway::start().await;
    let refusal = json!({"error": {"message": "no", "type": "invalid_request_error", "code": "bad"}});
    for status in [400, 500, 503, 429] {
        let key = format!("refused {status}");
        gateway.upstream.answer(Reply::json(status, &refusal));
        let first = hello_with(&gateway, &key).await;
        assert_ne!(first.status, 200);
        gateway.upstream.answer(Reply::json(200, &completion("x", 9, 3)));
        let second = hello_with(&gateway, &key).await;
        assert_eq!((second.status, second.replayed), (200, false), "after {status}");
        assert!(hello_with(&gateway, &key).await.replayed);
    }
    gateway.assert_books().await;
}

#[tokio::test]
async fn what_was_refused_for_want_of_money_is_carried_out_once_it_is_there() {
    let gateway = TestGateway::with(Options { credit: "0", ..Options::default() }).await;
    gateway.upstream.answer(Reply::json(200, &completion("x", 9, 3)));
    let poor = hello_with(&gateway, "k").await;
    assert_eq!((poor.status, poor.code().as_str()), (402, "insufficient_credit"));
    let ask = GrantRequest {
        account: gateway.account,
        amount: "1".parse().expect("an amount"),
        idem: "now",
        actor: "test".into(),
        note: "",
    };
    gateway.service().credit.grant(ask).await.expect("a grant");
    assert_eq!(hello_with(&gateway, "k").await.status, 200);
    // What was paid for is told again to whoever has nothing left.
    let rest = TakeBackRequest {
        account: gateway.account,
        amount: "1".parse().expect("an amount"),
        debt: false,
        idem: "all",
        actor: "test".into(),
        reason: "the rest",
    };
    gateway.service().credit.take(rest).await.expect("all that is left is taken");
    assert_eq!(hello_with(&gateway, "other").await.status, 402);
    let again = hello_with(&gateway, "k").await;
    assert_eq!((again.status, again.replayed), (200, true));
    // Another key of the account is another caller: it may be for less.
    let other =
        client().post(gateway.url("/v1/chat/completions")).bearer_auth(gateway.new_key().await).json(&hello(false));
    let other = Seen::of(other.header("idempotency-key", "k").send().await.expect("an answer")).await;
    assert_eq!((other.status, other.code().as_str()), (422, "idempotency_mismatch"));
}

#[tokio::test]
async fn a_stream_is_not_given_again_but_named() {
    let gateway = TestGateway::start().await;
    gateway.upstream.answer(Reply::stream(chat_stream(&["a", "b"], 9, 3)));
    let stream = async || {
        let reply = gateway.hello_stream().header("idempotency-key", "s").send().await.expect("an answer");
        Seen::of(reply).await
    };
    let first = stream().await;
    assert!(first.body.ends_with("[DONE]\n\n"), "{}", first.body);
    let again = stream().await;
    assert_eq!((again.status, again.code().as_str(), again.named()), (409, "idempotency_done", first.request.clone()));
    assert_eq!((again.should_retry.as_deref(), charges(&gateway).await), (Some("false"), 1));
    gateway.receipt(&first.request).await;
}

#[tokio::test]
async fn a_client_that_left_gets_the_answer_when_it_asks_again() {
    let gateway = TestGateway::start().await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("paid for", 9, 3)).step_at(0, Step::Wait(gate.clone())));
    let left = tokio::spawn(gateway.hello().header("idempotency-key", "left").send());
    until("the request to be sent", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
    left.abort();
    assert!(left.await.expect_err("it was given up").is_cancelled());
    gate.open();
    let answer = until("the answer", || async {
        let seen = hello_with(&gateway, "left").await;
        (seen.status != 409).then_some(seen)
    })
    .await;
    assert_eq!((answer.status, answer.replayed), (200, true));
    assert!(answer.body.contains("paid for"), "{}", answer.body);
    assert!(gateway.upstream.take_received().is_empty(), "it is not asked a second time");
    assert_eq!(charges(&gateway).await, 1);
}

#[tokio::test]
async fn a_form_is_known_again_whatever_its_boundary() {
    let gateway = TestGateway::with(Options {
        config: "[models.film]\ncontext_tokens = 1\nmax_output_tokens = 1\nvideo_seconds = [4]\n\
            price = { prompt = \"1\", completion = \"1\", video_second = \"0.00005\" }\ncandidates = [{ upstream = \"fake\" }]\n"
            .to_owned(),
        ..Options::default()
    })
    .await;
    let queued = json!({"id": "film", "object": "video", "status": "queued", "seconds": "4"});
    gateway.upstream.answer(Reply::json(200, &queued));
    let order = async |prompt: &str, boundary: &str| {
        let part = |name: &str, value: &str| {
            format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let form = format!("{}{}--{boundary}--\r\n", part("model", "film"), part("prompt", prompt));
        let request = client().post(gateway.url("/v1/videos")).bearer_auth(&gateway.key).body(form);
        let request = request.header("content-type", format!("multipart/form-data; boundary={boundary}"));
        Seen::of(request.header("idempotency-key", "film").send().await.expect("an answer")).await
    };
    let first = order("a cat", "first-boundary").await;
    assert_eq!(first.status, 200, "{}", first.body);
    let again = order("a cat", "another").await;
    assert_eq!((again.status, again.replayed, &again.body), (200, true, &first.body));
    assert_eq!(order("a dog", "first-boundary").await.status, 422);
}

/// A process of its own, with one account that has a key.
struct House {
    args: Vec<&'static str>,
    key: String,
    upstream: Upstream,
    folder: TempDir,
}

impl House {
    async fn new() -> Self {
        let upstream = Upstream::start().await;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("tollgate.toml");
        let text = format!(
            "data_dir = {:?}\n[upstreams.fake]\nbase_url = {:?}\n[models.small]\ncontext_tokens = 1000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"0.15\", completion = \"0.6\" }}\n\
             candidates = [{{ upstream = \"fake\" }}]\n",
            folder.path(),
            upstream.base_url()
        );
        std::fs::write(&path, text).expect("a file of ours");
        let args = vec!["--config", &*String::leak(path.display().to_string())];
        let _ = run_json(&[&args[..], &["account", "create", "one"]].concat());
        let _ = run_json(&[&args[..], &["credit", "grant", "--account", "one", "--usd", "1"]].concat());
        let (_, key) = run_json(&[&args[..], &["key", "create", "--account", "one"]].concat());
        Self { args, key: key["key"].as_str().expect("a key").to_owned(), upstream, folder }
    }

    fn hello(&self, served: &Served, key: &str) -> reqwest::RequestBuilder {
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&self.key);
        request.header("content-type", "application/json").header("idempotency-key", key).body(hello(false).to_string())
    }

    async fn ask(&self, served: &Served, key: &str) -> Seen {
        Seen::of(self.hello(served, key).send().await.expect("an answer")).await
    }

    async fn ledger(&self) -> SqliteConnection {
        let path = self.folder.path().join("tollgate.db").display().to_string();
        SqliteConnection::connect(&path).await.expect("the ledger")
    }

    /// What was charged so far, and whether the books are right.
    async fn charged(&self) -> i64 {
        let charged = sqlx::query_scalar("SELECT count(*) FROM receipts WHERE cost > 0");
        charged.fetch_one(&mut self.ledger().await).await.expect("a number")
    }
}

#[tokio::test]
async fn killed_while_it_holds_the_next_one_is_carried_out() {
    let house = House::new().await;
    let gate = ReplyGate::default();
    house.upstream.answer(Reply::json(200, &completion("x", 9, 3)).step_at(0, Step::Wait(gate.clone())));
    let served = Served::start(&house.args);
    let cut = tokio::spawn(house.hello(&served, "k").send());
    until("the request to be sent", || async { (!house.upstream.take_received().is_empty()).then_some(()) }).await;
    served.kill();
    assert!(cut.await.expect("no panic").is_err());
    gate.open();
    assert_eq!(house.charged().await, 0);
    let served = Served::start(&house.args);
    let second = house.ask(&served, "k").await;
    assert_eq!((second.status, second.replayed), (200, false), "{}", second.body);
    assert!(house.ask(&served, "k").await.replayed);
    assert_eq!(house.charged().await, 1);
    assert!(served.terminate());
    let (clean, report) = run_json(&[&house.args[..], &["audit"]].concat());
    assert!(clean, "{report}");
}

/// Beside each commit of what is paid for: nothing comes of the request, or it is charged and has its answer.
#[tokio::test(flavor = "multi_thread")]
async fn ended_beside_any_commit_the_next_one_finds_both_or_neither() {
    for on in [On::File, On::Server] {
        let mortal = Mortal::open(on).await;
        let ask = async |served: &Served, key: &str| {
            let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&mortal.key);
            request.header("idempotency-key", key).json(&hello(false)).send().await
        };
        let points = [("hold.before", 0), ("hold.after", 0), ("settle.before", 1), ("settle.after", 1)];
        for (number, (point, asked)) in (1..).zip(points) {
            let key = format!("{on:?} {point}");
            let served = Served::start_in(("TOLLGATE_CRASH_AT", &format!("{point}:1")), &mortal.args);
            assert!(ask(&served, &key).await.is_err(), "{key}: cut off");
            served.kill();
            assert_eq!(mortal.upstream.take_received().len(), asked, "{key}");
            let served = Served::start(&mortal.args);
            mortal.released(&served, &key).await;
            let again = Seen::of(ask(&served, &key).await.expect("an answer")).await;
            let charged = point == "settle.after";
            assert_eq!((again.status, again.replayed, again.first.is_some()), (200, charged, charged), "{key}");
            assert_eq!(mortal.upstream.take_received().len(), usize::from(!charged), "{key}");
            let last = Seen::of(ask(&served, &key).await.expect("an answer")).await;
            assert_eq!((last.status, last.replayed, last.body), (200, true, again.body), "{key}");
            assert!(served.terminate(), "{key}");
            assert_eq!(mortal.audited(&key)["settled"], json!(number), "{key}: charged once");
        }
    }
}

/// An answer that is too large to be written down with its charge is written down after it.
#[tokio::test]
async fn killed_between_its_charge_and_a_large_answer_the_next_one_is_told_so() {
    let house = House::new().await;
    house.upstream.answer(Reply::json(200, &completion(&"word ".repeat(20_000), 9, 3)));
    let served = Served::start(&house.args);
    assert_eq!(house.ask(&served, "kept").await.status, 200);
    assert!(house.ask(&served, "kept").await.replayed);
    // The row stays as it was before the answer was written down: as if the process had died on the way there.
    let mut ledger = house.ledger().await;
    let keep = "CREATE TRIGGER keeps BEFORE UPDATE ON idempotency BEGIN SELECT RAISE(ABORT, 'not now'); END";
    ledger.execute(keep).await.expect("a rule of the test");
    let first = house.ask(&served, "k").await;
    assert_eq!(first.status, 200, "who was served is not told otherwise");
    served.kill();
    ledger.execute("DROP TRIGGER keeps").await.expect("the rule is gone");
    let served = Served::start(&house.args);
    for _ in 0..2 {
        let again = house.ask(&served, "k").await;
        assert_eq!(
            (again.status, again.code().as_str(), again.named()),
            (409, "idempotency_done", first.request.clone())
        );
        assert_eq!((again.should_retry.as_deref(), again.waits), (Some("false"), false));
    }
    assert_eq!((house.charged().await, house.upstream.take_received().len()), (2, 2));
    assert!(served.terminate());
}

#[tokio::test]
async fn killed_after_the_answer_was_written_down_the_next_one_gets_it() {
    let house = House::new().await;
    house.upstream.answer(Reply::json(200, &completion("x", 9, 3)));
    let served = Served::start(&house.args);
    let first = house.ask(&served, "k").await;
    served.kill();
    let served = Served::start(&house.args);
    let again = house.ask(&served, "k").await;
    assert_eq!((again.status, again.replayed, again.body), (200, true, first.body));
    assert_eq!((house.charged().await, house.upstream.take_received().len()), (1, 1));
    let reply = client().get(format!("{}/api/user/self/balance", served.url())).bearer_auth(&house.key).send().await;
    let balance = exact(&reply.expect("an answer").text().await.expect("a body"));
    assert_eq!(amount(&balance["data"]["held_usd"]), "0");
    assert!(served.terminate());
}

/// Orders for credit: opened once for each key, by whoever asks, and a refusal is no answer that is kept.
#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_opened_once() {
    let on = RailConfig { enabled: true, ..RailConfig::default() };
    let chains = Anvil::shared().await.chains(0).await;
    let checkout = Some(Provider::shared().config());
    let topup = tollgate_topup::Config { crypto: on, x402: on, ewallet: on, chains, checkout };
    let gateway = Arc::new(TestGateway::with(Options { topup: Some(topup), ..Options::default() }).await);
    let order = async |path: &str, key: &str, body: Value| {
        let request = client().post(gateway.url(&format!("/api/user/topup/{path}"))).bearer_auth(&gateway.key);
        Seen::of(request.header("idempotency-key", key).json(&body).send().await.expect("an answer")).await
    };
    let opened = async || {
        let status = gateway.get("/api/user/self/status").send().await.expect("an answer");
        let status: Value = status.json().await.expect("JSON");
        status["data"]["orders"].as_array().expect("a list").len()
    };
    let bodies = [
        ("x402/orders", json!({"amount_usd": 5})),
        ("crypto/orders", json!({"amount_usd": 5})),
        ("ewallet/orders", json!({"amount_usd": 5, "wallet": "GCASH"})),
    ];
    for (number, (path, body)) in bodies.into_iter().enumerate() {
        // One key for all of them would be another request's.
        let (key, poor) = (format!("{path} 1"), format!("{path} 2"));
        let asked = join_all((0..20).map(|_| order(path, &key, body.clone()))).await;
        let first = asked.iter().find(|seen| seen.status == 200 && !seen.replayed).expect("one is carried out");
        let others = asked.iter().filter(|seen| seen.request != first.request);
        for seen in others {
            let replay = seen.status == 200 && seen.replayed && seen.body == first.body;
            assert!(replay || (seen.status, seen.waits) == (409, true), "{path}: {seen:?}");
        }
        let again = order(path, &key, body.clone()).await;
        assert_eq!((again.replayed, &again.body), (true, &first.body), "{path}: byte for byte");
        assert_eq!(opened().await, number + 1, "{path}");
        // Whatever its status, a refusal may be another thing a moment later.
        for _ in 0..2 {
            let mut little = body.clone();
            little["amount_usd"] = json!(0.001);
            let refused = order(path, &poor, little).await;
            assert!(!refused.replayed && refused.body.contains("AMOUNT"), "{path}: {refused:?}");
        }
        assert_eq!(opened().await, number + 1, "{path}");
    }
    let other = order("x402/orders", "ewallet/orders 1", json!({"amount_usd": 5})).await;
    assert_eq!(other.status, 422, "{}", other.body);
    gateway.assert_books().await;
}
