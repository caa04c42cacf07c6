//! Too many requests at once: further ones are refused at once, in the shape of their path, and can be sent again.

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tollgate_accounts::NewKey;
use tollgate_tests::gateway::{Options, hello};
use tollgate_tests::reply::{DONE, Reply, Step, chat_stream, completion};
use tollgate_tests::wait::until;
use tollgate_tests::{ReplyGate, TestGateway, client};

async fn full(places: usize) -> TestGateway {
    let config = format!("[listener]\nrequests_in_flight = {places}");
    TestGateway::with(Options { config, ..Options::default() }).await
}

#[tokio::test]
async fn what_finds_no_place_is_refused_in_the_shape_of_its_path() {
    let gateway = full(1).await;
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a"], 1, 1)).step_at(2, Step::Wait(gate.clone())));
    let mut stream = gateway.hello_stream().send().await.expect("an answer");
    stream.chunk().await.expect("a read").expect("a piece");
    for (path, header, status, place, code) in [
        ("/v1/models", ("x", "x"), 503, "/error/code", "overloaded"),
        ("/v1/models", ("x-goog-api-key", "x"), 503, "/error/status", "UNAVAILABLE"),
        ("/v1/models", ("anthropic-version", "1"), 529, "/error/type", "overloaded_error"),
        ("/api/user/self/balance", ("x", "x"), 503, "/code", "OVERLOADED"),
    ] {
        let request = client().get(gateway.url(path)).header(header.0, header.1);
        let reply = request.send().await.expect("an answer");
        assert_eq!(reply.status(), status, "{path} {header:?}");
        for (name, value) in [("retry-after", "1"), ("x-should-retry", "true")] {
            assert_eq!(reply.headers()[name], value, "{path} {header:?}");
        }
        let body: Value = reply.json().await.expect("JSON");
        assert_eq!(body.pointer(place).and_then(Value::as_str), Some(code), "{path}: {body}");
    }
    // The service still tells about itself, and paths without an operation cost nothing.
    for (path, status) in [("/healthz", 200), ("/readyz", 200), ("/metrics", 200), ("/nothing", 404)] {
        assert_eq!(client().get(gateway.url(path)).send().await.expect("an answer").status(), status, "{path}");
    }
    gate.open();
    let mut rest = Vec::new();
    while let Some(piece) = stream.chunk().await.expect("not cut") {
        rest.extend_from_slice(&piece);
    }
    assert!(rest.ends_with(DONE.as_bytes()), "the stream that had the place was not disturbed");
    until("the place to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
}

/// One account cannot take all places, with however many keys; not even with requests whose bodies never come.
#[tokio::test]
async fn an_account_has_its_share_of_the_places() {
    let config = "[listener]\nrequests_in_flight = 10\nrequests_in_flight_per_account = 1".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let other_key = gateway.new_key().await;
    let mut trickling = TcpStream::connect(gateway.address()).await.expect("a connection");
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-length: 100\r\n\r\n{{",
        gateway.key
    );
    trickling.write_all(head.as_bytes()).await.expect("sent");
    let refused = until("the share to be taken", || async {
        let reply = gateway.get("/v1/models").send().await.ok()?;
        (reply.status() == 429).then_some(reply)
    })
    .await;
    assert_eq!(refused.headers()["retry-after"], "1");
    let body: Value = refused.json().await.expect("JSON");
    assert_eq!(body["error"]["code"], "rate_limit_exceeded", "{body}");
    let reply = client().get(gateway.url("/v1/models")).bearer_auth(&other_key).send().await.expect("an answer");
    assert_eq!(reply.status(), 429, "another key of the account");
    let accounts = &gateway.service().accounts;
    let account = accounts.create_account("other", "test").await.expect("an account").id;
    let key = NewKey { account, label: "test".to_owned(), expires_at_ms: None };
    let key = accounts.create_key(key, "test").await.expect("a key");
    let other = client().get(gateway.url("/v1/models")).bearer_auth(key.secret.reveal());
    assert_eq!(other.send().await.expect("an answer").status(), 200, "another account");
    drop(trickling);
    until("the share to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn bodies_that_fill_the_memory_are_refused() {
    let config = "[listener]\nbodies_in_flight_mib = 1".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    for turn in 0..3 {
        let reply = gateway.chat(vec![b' '; 1 << 21]).send().await.expect("an answer");
        assert_eq!((reply.status().as_u16(), &reply.headers()["retry-after"]), (503, &"1".parse().expect("a value")));
        assert_eq!(reply.json::<Value>().await.expect("JSON")["error"]["code"], "overloaded", "{turn}");
        assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200, "{turn}");
    }
    let _ = gateway.upstream.take_received();
    // One that fits takes its part until it is answered.
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::json(200, &completion("a", 1, 1)).after(gate.clone()));
    let long = hello(false).to_string().replace("Hello", &"long ".repeat(1 << 17));
    let first = tokio::spawn(gateway.chat(long.clone()).send());
    until("the provider to be asked", || async { (!gateway.upstream.take_received().is_empty()).then_some(()) }).await;
    assert_eq!(gateway.chat(long.clone()).send().await.expect("an answer").status(), 503);
    gate.open();
    assert_eq!(first.await.expect("no panic").expect("an answer").status(), 200);
    until("its memory to be free", || async {
        (gateway.chat(long.clone()).send().await.ok()?.status() == 200).then_some(())
    })
    .await;
}

/// A window that is never opened blocks no socket, and its client answers every ping.
#[tokio::test]
async fn a_client_that_reads_nothing_keeps_no_place() {
    // Within which it is seen that the place is taken, however busy the machine is.
    let config = "[listener]\nrequests_in_flight = 1\nclient_read_idle_seconds = 3".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let large = completion(&"long ".repeat(3 << 20), 1, 1);
    for (stream, answer) in [(true, Reply::stream(chat_stream(&["a"], 1, 1))), (false, Reply::json(200, &large))] {
        gateway.upstream.answer(answer);
        let body = hello(stream).to_string();
        let io = TokioIo::new(TcpStream::connect(gateway.address()).await.expect("a connection"));
        let mut builder = http2::Builder::new(TokioExecutor::new());
        let handshake = builder.initial_stream_window_size(0).handshake::<_, Full<Bytes>>(io);
        let (mut asker, connection) = handshake.await.expect("a handshake");
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let request = Request::post("http://x/v1/chat/completions").header("content-type", "application/json");
        let request = request.header("authorization", format!("Bearer {}", gateway.key));
        let request = request.body(Full::from(body.clone())).expect("a request");
        let reply = asker.send_request(request).await.expect("an answer");
        assert_eq!(reply.status(), 200);
        assert_place_is_kept_and_let_go(&gateway, reply.headers()["x-request-id"].to_str().expect("text")).await;
        // In HTTP/1 it is the socket that takes no more.
        if !stream {
            let socket = TcpSocket::new_v4().expect("a socket");
            socket.set_recv_buffer_size(4_096).expect("a fresh socket takes options");
            let mut deaf = socket.connect(gateway.address()).await.expect("a connection");
            let head = format!(
                "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-length: {}\r\n\r\n",
                gateway.key,
                body.len()
            );
            deaf.write_all([head.as_bytes(), body.as_bytes()].concat().as_slice()).await.expect("sent");
            let mut answer = Vec::new();
            while !answer.ends_with(b"\r\n\r\n") {
                answer.push(deaf.read_u8().await.expect("a head"));
            }
            let answer = String::from_utf8(answer).expect("text");
            let id = answer.lines().find_map(|line| line.strip_prefix("x-request-id: ")).expect("an id");
            assert_place_is_kept_and_let_go(&gateway, id).await;
        }
    }
    gateway.assert_books().await;
}

async fn assert_place_is_kept_and_let_go(gateway: &TestGateway, request_id: &str) {
    assert_eq!(gateway.get("/v1/models").send().await.expect("an answer").status(), 503, "it has the only place");
    until("the place to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
    assert_eq!(gateway.receipt(request_id).await["status"], "settled");
}

#[tokio::test]
async fn a_place_is_given_back_however_a_request_ends() {
    let gateway = full(1).await;
    for turn in 0..20 {
        // Whole answers, refusals, unread bodies.
        assert_eq!(gateway.hello().send().await.expect("an answer").status(), 200, "{turn}");
        assert_eq!(gateway.chat("{").send().await.expect("an answer").status(), 400, "{turn}");
        let head = client().head(gateway.url("/v1/models")).bearer_auth(&gateway.key);
        assert_eq!(head.send().await.expect("an answer").status(), 200, "{turn}");
    }
    // A client that goes away in the middle of a stream.
    let gate = ReplyGate::default();
    gateway.upstream.answer(Reply::stream(chat_stream(&["a"], 1, 1)).step_at(2, Step::Wait(gate.clone())));
    let mut stream = gateway.hello_stream().send().await.expect("an answer");
    stream.chunk().await.expect("a read").expect("a piece");
    assert_eq!(gateway.get("/v1/models").send().await.expect("an answer").status(), 503);
    drop(stream);
    until("the place to be free", || async {
        (gateway.get("/v1/models").send().await.ok()?.status() == 200).then_some(())
    })
    .await;
    gate.open();
}
