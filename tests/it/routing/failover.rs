//! The next candidate is asked as long as the client has seen nothing, and never after that.

// suite of this file: waiting

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::net::{TcpSocket, TcpStream};
use tollgate_tests::gateway::{Options, amount, hello};
use tollgate_tests::reply::{DONE, Reply, Step, chat_stream, chunk, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, Upstream};

use crate::routing::faults::breaker::{OPEN, probes_since};

/// A gateway whose model `pair` is to be had at two providers, `fake` first.
struct Pair {
    gateway: TestGateway,
    second: Upstream,
}

impl Pair {
    async fn start() -> Self {
        Self::with("").await
    }

    /// With keys of `[patience]`.
    async fn with(patience: &str) -> Self {
        let second = Upstream::start().await;
        let config = format!(
            "[patience]\n{patience}\n[upstreams.second]\nbase_url = {:?}\n[models.pair]\ncontext_tokens = 1000\n\
             max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
             candidates = [{{ upstream = \"fake\", model = \"inner-a\" }}, {{ upstream = \"second\", model = \"inner-b\" }}]\n",
            second.base_url()
        );
        let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
        Self { gateway, second }
    }

    async fn ask(&self, stream: bool) -> reqwest::Response {
        let body = hello(stream).to_string().replace("small", "pair");
        self.gateway.chat(body).send().await.expect("an answer")
    }

    /// Asks, and sees that the second provider answered and was paid.
    async fn assert_second_answers(&self, stream: bool, what: &str) {
        let _ = self.second.take_received();
        let reply = self.ask(stream).await;
        assert_eq!(reply.status(), 200, "{what}");
        let request_id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
        let text = reply.text().await.expect("a body");
        assert_eq!(text.ends_with(DONE), stream, "{what}: {text}");
        let receipt = self.gateway.receipt(&request_id).await;
        assert_eq!(
            (receipt["upstream"].as_str(), receipt["upstream_model"].as_str(), receipt["rule"].as_str()),
            (Some("second"), Some("inner-b"), Some("reported")),
            "{what}"
        );
        assert_eq!(self.second.take_received().len(), 1, "{what}");
    }
}

fn refusals() -> Vec<Reply> {
    let error = json!({"error": {"message": "no"}});
    let statuses = [302, 401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 504, 529];
    let mut replies: Vec<_> = statuses.iter().map(|status| Reply::json(*status, &error)).collect();
    replies.extend([Reply::hang_up(), Reply::json(200, &error), Reply::raw(200, "text/html", b"<html>".to_vec())]);
    replies
}

#[tokio::test]
async fn a_whole_answer_that_fails_is_had_elsewhere() {
    let pair = Pair::start().await;
    let text = completion("hello", 1, 1).to_string();
    let (half, rest) = text.split_at(30);
    let halves = Reply::raw(200, "application/json", half.into());
    let mut failing = refusals();
    failing.extend([
        Reply::json(200, &json!({})),
        Reply::json(200, &json!({"choices": []})),
        Reply::raw(200, "application/json", Vec::new()),
        halves.clone(),
        halves.then(Step::Cut),
        Reply::raw(200, "application/json", rest.into()),
    ]);
    for answer in failing {
        let what = format!("{answer:?}");
        pair.gateway.upstream.answer(answer);
        pair.assert_second_answers(false, &what).await;
    }
    pair.gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_that_fails_before_its_first_event_is_had_elsewhere() {
    let pair = Pair::start().await;
    pair.second.answer(Reply::stream(chat_stream(&["hello"], 1, 1)));
    let error = "data: {\"error\":{\"message\":\"no\"}}\n\n";
    let none: [&str; 0] = [];
    let mut failing = refusals();
    failing.extend([
        Reply::stream([error]),
        Reply::stream([": wait\n\n", error]),
        Reply::stream([": wait\n\n: wait\n\n"]),
        Reply::stream([": wait\n\n"]).then(Step::Cut),
        Reply::stream(["data: <html>\n\n", DONE]),
        Reply::stream(["<html>no stream at all</html>"]).then(Step::Cut),
        Reply::stream(["data: {\"choices\":["]).then(Step::Cut),
        Reply::stream([DONE]),
        Reply::stream(none),
        Reply::stream(none).then(Step::Cut),
    ]);
    for answer in failing {
        let what = format!("{answer:?}");
        pair.gateway.upstream.answer(answer);
        pair.assert_second_answers(true, &what).await;
    }
    pair.gateway.assert_books().await;
}

#[tokio::test]
async fn a_stream_that_has_begun_is_had_nowhere_else() {
    let pair = Pair::start().await;
    let gate = ReplyGate::default();
    let role = chunk(&json!({"role": "assistant", "content": ""}), None);
    let word = chunk(&json!({"content": "w"}), None);
    let error = "data: {\"error\":{\"message\":\"no\"}}\n\n".to_owned();
    let events = [": wait\n\n".to_owned(), role.clone(), word.clone(), error];
    pair.gateway.upstream.answer(Reply::stream(events).step_at(3, Step::Wait(gate.clone())));
    let mut reply = pair.ask(true).await;
    assert_eq!(reply.status(), 200);
    let first = reply.chunk().await.expect("a read").expect("the first piece, and what came before it");
    assert_eq!(first, format!(": wait\n\n{role}{word}").replace("upstream-model", "pair"));
    gate.open();
    let text = reply.text().await.expect("the rest");
    assert!(text.contains("error") && !text.contains(DONE), "{text}");
    assert!(pair.second.take_received().is_empty());
}

#[tokio::test]
async fn a_request_that_is_at_fault_is_asked_once() {
    let pair = Pair::start().await;
    for (answer, status) in [
        (Reply::json(400, &json!({"error": {}})), 400),
        (Reply::json(413, &json!({"error": {}})), 413),
        (Reply::json(422, &json!({"detail": "no"})), 422),
        (Reply::json(400, &json!({"error": {}})).then(Step::Cut), 400),
    ] {
        pair.gateway.upstream.answer(answer);
        assert_eq!(pair.ask(false).await.status(), status);
        assert!(pair.second.take_received().is_empty(), "a refused request is not tried elsewhere");
    }
}

/// A file or item that is not there, or is not ours, is the fault of the one who names it: no other provider is asked, and
/// the client reads why. With the status of the provider it would look for the fault in its key or address.
#[tokio::test]
async fn a_request_that_names_what_is_not_there_is_at_fault() {
    let pair = Pair::start().await;
    let body = hello(false).to_string().replace("small", "pair").replace("Hello", "see file-abc12345");
    for (status, message, blamed) in [
        (404, "No such File object: file-abc12345", true),
        (403, "No access to file-abc12345", true),
        (431, "a header is too long", true),
        (406, "not acceptable", true),
        (404, "inner-a cannot read file-abc12345", false),
        (403, "key sk-abc has no access", false),
        (401, "No access to file-abc12345", false),
    ] {
        pair.gateway.upstream.answer(Reply::json(status, &json!({"error": {"message": message}})));
        let reply = pair.gateway.chat(body.clone()).send().await.expect("an answer");
        assert_eq!(reply.status(), if blamed { 400 } else { 200 }, "{status} {message}");
        assert_eq!(pair.second.take_received().is_empty(), blamed, "{status} {message}");
        if blamed {
            assert_eq!(reply.headers()["x-should-retry"], "false");
            let told: Value = reply.json().await.expect("JSON");
            assert!(told["error"]["message"].as_str().is_some_and(|told| told.contains(message)), "{told}");
        }
    }
    assert_eq!(pair.gateway.upstream.take_received().len(), 7);
    pair.gateway.assert_books().await;
}

/// What one client can bring about at will must not switch a model off for all.
#[tokio::test]
async fn no_request_opens_the_breaker() {
    let config = "[breaker]\nfailures = 2".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    for status in [400, 403, 404, 405, 406, 409, 413, 415, 422, 425, 431, 451] {
        gateway.upstream.answer(Reply::json(status, &json!({"error": {"message": "no"}})));
        for _ in 0..3 {
            assert_ne!(gateway.hello().send().await.expect("an answer").status(), 503, "{status}");
        }
    }
    gateway.upstream.answer(Reply::json(200, &completion("still here", 1, 1)));
    assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200);
}

/// A provider that names a time is left alone for it, whichever way it says that it is too busy.
#[tokio::test]
async fn an_overloaded_provider_rests_for_as_long_as_it_asks() {
    let config = "[breaker]\nfailures = 5".to_owned();
    for status in [429, 503, 529] {
        let gateway = TestGateway::with(Options { config: config.clone(), ..Options::default() }).await;
        let busy = Reply::json(status, &json!({"error": {"message": "later"}})).header("retry-after", "60");
        gateway.upstream.answer(busy);
        assert_eq!(gateway.hello().send().await.expect("an answer").status(), if status == 429 { 429 } else { 503 });
        let told = gateway.hello().send().await.expect("an answer");
        assert_eq!((told.status().as_u16(), &told.headers()["retry-after"]), (503, &"60".parse().expect("a value")));
        assert_eq!(gateway.upstream.take_received().len(), 1, "{status}");
    }
}

/// When all fail, the client is told what helps it most; what a provider says of its own models and keys stays here.
#[tokio::test]
async fn of_several_failures_the_most_useful_is_told() {
    let pair = Pair::start().await;
    let refuse =
        |status| Reply::json(status, &json!({"error": {"message": "no inner-a here, key sk-abc", "code": "x"}}));
    let limited = |seconds: &str| refuse(429).header("retry-after", seconds);
    for (first, second, status, code, wait) in [
        (refuse(500), limited("7"), 429, "upstream_rate_limited", Some("7")),
        (limited("7"), Reply::hang_up(), 429, "upstream_rate_limited", Some("7")),
        (limited("7"), refuse(503).header("retry-after", "3"), 503, "no_available_channel", Some("3")),
        (refuse(503), refuse(401), 503, "no_available_channel", Some("1")),
        (refuse(504), refuse(404), 504, "upstream_timeout", None),
        (refuse(404), refuse(404), 404, "upstream_refused", None),
        (refuse(404), refuse(500), 502, "bad_gateway", None),
        (refuse(404), refuse(410), 404, "upstream_refused", None),
        (refuse(401), refuse(403), 502, "bad_gateway", None),
        (refuse(500), refuse(400), 400, "x", None),
    ] {
        pair.gateway.upstream.answer(first);
        pair.second.answer(second);
        let reply = pair.ask(false).await;
        assert_eq!(
            (reply.status().as_u16(), reply.headers().get("retry-after").map(http::HeaderValue::as_bytes)),
            (status, wait.map(str::as_bytes))
        );
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(body["error"]["code"], code, "{body}");
        if status != 400 {
            let message = body["error"]["message"].as_str().expect("text");
            assert!(
                (status == 404 || message.contains("'pair'")) && !message.contains("inner") && !message.contains("sk-"),
                "{message}"
            );
        }
    }
    assert_eq!(amount(&pair.gateway.balance().await["available_usd"]), "10");
    pair.gateway.assert_books().await;
}

/// Both before its head and after it; a stream that trickles comments has not begun either.
#[tokio::test]
async fn a_stream_that_does_not_begin_in_time_is_had_elsewhere() {
    // Within which the second one has to begin too, however busy the machine is.
    let pair = Pair::with("first_event_seconds = 2").await;
    pair.second.answer(Reply::stream(chat_stream(&["hello"], 1, 1)));
    let events = || Reply::stream(chat_stream(&["late"], 1, 1));
    for answer in [
        events().after(ReplyGate::default()),
        events().step_at(0, Step::Wait(ReplyGate::default())),
        Reply::stream([": wait\n\n"]).then(Step::Wait(ReplyGate::default())),
    ] {
        let what = format!("{answer:?}");
        pair.gateway.upstream.answer(answer);
        let asked = Instant::now();
        pair.assert_second_answers(true, &what).await;
        assert!(asked.elapsed() >= Duration::from_secs(2), "{what}");
    }
}

/// A model may think for long and then say it at once: only the bound for the whole applies, before the head and after.
#[tokio::test]
async fn a_whole_answer_has_all_the_time() {
    let pair = Pair::with("first_event_seconds = 1\nidle_seconds = 1").await;
    for late_head in [true, false] {
        let gate = ReplyGate::default();
        let answer = Reply::json(200, &completion("thought through", 1, 1));
        pair.gateway.upstream.answer(match late_head {
            true => answer.after(gate.clone()),
            false => answer.step_at(0, Step::Wait(gate.clone())),
        });
        let thinking = tokio::spawn(async move {
            // Longer than either bound: that the time passes and nothing ends is the matter, so it is a real wait.
            tokio::time::sleep(Duration::from_millis(1_500)).await;
            gate.open();
        });
        let reply = pair.ask(false).await;
        assert_eq!(reply.status(), 200);
        assert!(reply.text().await.expect("a body").contains("thought through"));
        thinking.await.expect("it was opened");
    }
    assert!(pair.second.take_received().is_empty());
}

/// The whole time is one for all candidates: when it is over, no further one is asked.
#[tokio::test]
async fn the_whole_time_is_shared_by_all_candidates() {
    let pair = Pair::with("total_seconds = 1").await;
    let never = || Reply::json(200, &completion("x", 1, 1)).after(ReplyGate::default());
    pair.gateway.upstream.answer(never());
    pair.second.answer(never());
    let reply = pair.ask(false).await;
    assert_eq!(reply.status(), 504);
    assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "upstream_timeout");
    assert!(pair.second.take_received().is_empty());
}

/// A listener that accepts nothing and whose queue is full: a connection to it hangs.
#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_given_up_by_the_time_to_connect() {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let deaf = socket.listen(0).expect("a listener");
    let address = deaf.local_addr().expect("an address");
    let mut queued = Vec::new();
    while let Ok(connected) = tokio::time::timeout(Duration::from_millis(300), TcpStream::connect(address)).await {
        queued.push(connected.expect("a place in the queue"));
    }
    let config = format!(
        "[patience]\nconnect_seconds = 1\n[upstreams.deaf]\nbase_url = \"http://{address}/v1\"\n[models.pair]\n\
         context_tokens = 1000\nmax_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
         candidates = [{{ upstream = \"deaf\" }}, {{ upstream = \"fake\" }}]\n"
    );
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let asked = Instant::now();
    let reply = gateway.chat(hello(false).to_string().replace("small", "pair")).send().await.expect("an answer");
    assert_eq!(reply.status(), 200);
    let took = asked.elapsed();
    assert!(Duration::from_secs(1) <= took && took < Duration::from_secs(9), "{took:?}");
    drop((deaf, queued));
}

/// After failures in a row a provider is passed by, so that requests no longer pay for them with their time; the provider
/// is asked again later.
#[tokio::test]
async fn a_provider_that_fails_again_and_again_is_passed_by_for_a_while() {
    let second = Upstream::start().await;
    let config = format!(
        "[breaker]\nfailures = 3\n[upstreams.second]\nbase_url = {:?}\n[models.pair]\ncontext_tokens = 1000\n\
         max_output_tokens = 100\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
         candidates = [{{ upstream = \"fake\", model = \"inner-a\" }}, {{ upstream = \"second\", model = \"inner-b\" }}]\n",
        second.base_url()
    );
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let pair = Pair { gateway, second };
    pair.gateway.upstream.on(|_| Reply::json(500, &json!({"error": {"message": "no"}})));
    for _ in 0..2 {
        assert_eq!(pair.ask(false).await.status(), 200);
    }
    let opened = Instant::now();
    assert_eq!(pair.ask(false).await.status(), 200);
    assert_eq!(pair.gateway.upstream.take_received().len(), 3);
    for _ in 0..3 {
        assert_eq!(pair.ask(false).await.status(), 200);
    }
    let sent = pair.gateway.upstream.take_received().len();
    assert!(sent <= probes_since(opened, OPEN), "passed by: {sent}");
    // Where it is the only one, the client is told when to come back.
    for _ in 0..3 {
        assert_eq!(pair.gateway.hello().send().await.expect("an answer").status(), 502);
    }
    let told = pair.gateway.hello().send().await.expect("an answer");
    assert_eq!(told.status(), 503);
    let wait: u64 = told.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=2).contains(&wait), "{wait}");
    // It mends, and is asked first again when its rest is over.
    pair.gateway.upstream.on(|_| Reply::json(200, &completion("back", 1, 1)));
    let _ = pair.gateway.upstream.take_received();
    until("the first provider", || async {
        let _ = pair.ask(false).await;
        (!pair.gateway.upstream.take_received().is_empty()).then_some(())
    })
    .await;
    pair.gateway.assert_books().await;
}
