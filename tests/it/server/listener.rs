//! The listener's bounds: what a client may hold without asking, how large its headers may be, how many connections one
//! address may have.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tollgate_api::generated::errors::RULES;
use tollgate_base::Clock;
use tollgate_http::{Config, HttpServer, ListenerRefusals};
use tollgate_tests::TestGateway;
use tollgate_tests::gateway::Options;
use tollgate_tests::mini_service::router;
use tollgate_tests::wait::until;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];
/// For headers, in the tests that wait until it is over.
const SHORT: Duration = Duration::from_millis(300);
/// For headers, in the test that sends them in time, however busy the machine is, and then waits until it is over.
const AMPLE: Duration = Duration::from_secs(3);
/// What is waited for here takes a second at most.
const PATIENCE: Duration = Duration::from_secs(20);

/// A listener over the small service, with headers due in [`SHORT`].
async fn listening() -> (SocketAddr, JoinSet<()>) {
    listening_with(Config { header_read: SHORT, ..Config::default() }).await
}

async fn listening_with(config: Config) -> (SocketAddr, JoinSet<()>) {
    let server = HttpServer::bind("127.0.0.1:0".parse().expect("an address"), config).await.expect("a free port");
    let address = server.address().expect("a bound socket");
    let refusals = ListenerRefusals { rules: &RULES, clock: Clock::system(), observer: None };
    let mut serving = JoinSet::new();
    serving.spawn(server.serve(router(), refusals, std::future::pending()));
    (address, serving)
}

async fn connect(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(bytes).await.expect("sent");
    stream
}

/// All that comes until the other side closes.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset is a close as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("it is closed");
    String::from_utf8_lossy(&answer).into_owned()
}

/// One answer to a request without a body; the connection stays open.
async fn ask(stream: &mut TcpStream, head: &str) -> (u16, Value) {
    stream.write_all(format!("{head}\r\n\r\n").as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    loop {
        let count = timeout(PATIENCE, stream.read_buf(&mut answer)).await.expect("an answer").expect("a read");
        assert!(count > 0, "closed within an answer: {}", String::from_utf8_lossy(&answer));
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if length == Some(body.len()) {
            return (head[9..12].parse().expect("a status"), serde_json::from_str(body).expect("JSON"));
        }
    }
}

#[tokio::test]
async fn whoever_asks_for_nothing_is_not_kept() {
    let (address, _serving) = listening().await;
    let preface_and_settings = [PREFACE, SETTINGS].concat();
    let silent: [&[u8]; 7] =
        [b"", b"P", b"PRI", &PREFACE[..23], PREFACE, &preface_and_settings, b"GET /v1/things HTTP/1.1\r\nhost:"];
    for bytes in silent {
        let mut stream = connect(address, bytes).await;
        let answer = until_closed(&mut stream).await;
        // Frames of HTTP/2 may have come; an answer to a request may not.
        assert!(!answer.contains(" 200"), "{bytes:?}: {answer:?}");
    }
}

#[tokio::test]
async fn a_dripped_preface_buys_no_time() {
    let (address, _serving) = listening().await;
    let stream = connect(address, b"").await;
    stream.set_nodelay(true).expect("a fresh socket takes options");
    let (mut read, mut write) = stream.into_split();
    // So slow that the whole would take several times what is allowed, so fast that no pause is too long. After a tick that was
    // missed the others come no sooner: the preface never takes less time than it should.
    let mut drip = interval(SHORT / 6);
    drip.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let dripping = async {
        for byte in PREFACE {
            drip.tick().await;
            if write.write_all(&[*byte]).await.is_err() {
                return;
            }
        }
        panic!("the preface was taken whole");
    };
    let closed = async {
        let mut rest = Vec::new();
        let _ = read.read_to_end(&mut rest).await;
        rest
    };
    // A write that fails says the same as a read that ends.
    tokio::select! {
        rest = closed => assert!(rest.is_empty(), "nothing was asked: {rest:?}"),
        () = dripping => {}
    }
}

/// After the first request the time for it is over; the connection is not.
#[tokio::test]
async fn whoever_has_asked_is_kept() {
    let (address, _serving) = listening_with(Config { header_read: AMPLE, ..Config::default() }).await;
    let io = TokioIo::new(connect(address, b"").await);
    let (mut asker, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    // The first at once, each other when as much time as there is for the first has passed since the one before.
    let mut ticks = interval(AMPLE * 4 / 3);
    for _ in 0..3 {
        ticks.tick().await;
        let request = Request::get("http://x/v1/nothing").body(Empty::<Bytes>::new()).expect("a request");
        assert_eq!(asker.send_request(request).await.expect("an answer").status(), 404);
    }
}

/// A client that answers pings and asks nothing more is told to go.
#[tokio::test]
async fn a_connection_is_not_kept_for_nothing() {
    // Its first request has the usual time, and is in time. What ends it is the time after that, whose usual length is far
    // beyond what is waited for here.
    let config = Config { http2_idle: SHORT, ..Config::default() };
    assert!(Config::default().http2_idle > PATIENCE);
    let (address, _serving) = listening_with(config).await;
    let io = TokioIo::new(connect(address, b"").await);
    let (mut asker, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let request = Request::get("http://x/v1/nothing").body(Empty::<Bytes>::new()).expect("a request");
    assert_eq!(asker.send_request(request).await.expect("an answer").status(), 404);
    let ended = timeout(PATIENCE, tasks.join_next()).await.expect("it is closed").expect("one task");
    ended.expect("no panic").expect("closed in order");
    assert!(asker.is_closed());
}

/// The same head over both versions: names and values as given, and nothing besides.
async fn both(address: SocketAddr, path: &str, headers: &[(String, String)]) -> [(u16, Value); 2] {
    let lines: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let mut stream = connect(address, b"").await;
    let one = ask(&mut stream, &format!("GET {path} HTTP/1.1\r\n{}", lines.join("\r\n"))).await;
    let io = TokioIo::new(connect(address, b"").await);
    let (mut asker, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.expect("a handshake");
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    let mut request = Request::get(format!("http://x{path}"));
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let request = request.body(Empty::<Bytes>::new()).expect("a request");
    let reply = asker.send_request(request).await.expect("an answer");
    let status = reply.status().as_u16();
    let body = reply.into_body().collect().await.expect("a body").to_bytes();
    [one, (status, serde_json::from_slice(&body).expect("JSON"))]
}

#[tokio::test]
async fn headers_are_bounded_to_the_byte_in_both_versions() {
    let gateway = TestGateway::start().await;
    let host = || ("host".to_owned(), "x".to_owned());
    let numbered = |count: usize| (0..count).map(|number| (format!("x-{number}"), String::new()));
    // With the path and the first header: `/healthz`, `host`, `x`; and the name of the second.
    let padded = |bytes: usize| vec![host(), ("x-pad".to_owned(), "p".repeat(bytes - 8 - 5 - 5))];
    let counted = |count: usize| std::iter::once(host()).chain(numbered(count - 1)).collect::<Vec<_>>();
    for (headers, status) in
        [(counted(100), 200), (counted(101), 431), (counted(190), 431), (padded(32768), 200), (padded(32769), 431)]
    {
        for (version, (got, body)) in both(gateway.address(), "/healthz", &headers).await.into_iter().enumerate() {
            assert_eq!(got, status, "{} headers over HTTP/{}: {body}", headers.len(), version + 1);
            if status == 431 {
                assert_eq!(body["error"]["code"], "headers_too_large");
            }
        }
    }
    let long = format!("/v1/messages?{}", "q".repeat(33_000));
    for (got, body) in both(gateway.address(), &long, &[host()]).await {
        assert_eq!((got, &body["error"]["type"]), (431, &"request_too_large".into()));
        assert_eq!(body["error"]["details"]["limit"], "32768 bytes, the path included");
    }
    // What never becomes a request has no shape, and one of two statuses.
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "p".repeat(70_000));
    let many = format!("GET /healthz HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(201));
    for (head, status) in
        [(long.as_str(), 431), (many.as_str(), 431), ("GET /healthz HTTP/1.1\r\nno header\r\n\r\n", 400)]
    {
        let mut stream = connect(gateway.address(), b"").await;
        // The answer may come before all is sent.
        let _ = stream.write_all(head.as_bytes()).await;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(timeout(PATIENCE, stream.read_u8()).await.expect("an answer").expect("a whole head"));
        }
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.contains("content-length: 0"), "{answer}");
        assert!(!answer.contains("x-request-id"), "{answer}");
    }
    // Far beyond, memory is bounded by a close or a bare answer.
    let mut stream = connect(gateway.address(), b"GET /healthz HTTP/1.1\r\n").await;
    let flood = "x: y\r\n".repeat(100_000);
    let _ = stream.write_all(flood.as_bytes()).await;
    let answer = until_closed(&mut stream).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
}

/// A gateway to which nobody is a proxy, and an address has two connections.
async fn crowded() -> TestGateway {
    let config = "[listener]\nconnections_per_address = 2\nproxies = []".to_owned();
    TestGateway::with(Options { config, ..Options::default() }).await
}

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: x";

/// A connection that is known to be served.
async fn served(address: SocketAddr) -> TcpStream {
    let mut stream = connect(address, b"").await;
    assert_eq!(ask(&mut stream, HEALTH).await.0, 200);
    stream
}

#[tokio::test]
async fn an_address_that_has_its_share_is_told_so() {
    let gateway = crowded().await;
    let address = gateway.address();
    let (first, _second) = (served(address).await, served(address).await);
    for (path, place, code) in [
        ("/v1/models", "/error/code", "rate_limit_exceeded"),
        ("/v1/messages", "/error/type", "rate_limit_error"),
        ("/api/user/self/balance", "/code", "RATE_LIMITED"),
    ] {
        let mut third = connect(address, b"").await;
        let (status, body) = ask(&mut third, &format!("GET {path} HTTP/1.1\r\nhost: x")).await;
        assert_eq!((status, body.pointer(place).and_then(Value::as_str)), (429, Some(code)), "{path}: {body}");
        assert_eq!(until_closed(&mut third).await, "", "one answer, then the end");
    }
    let client = reqwest::Client::builder().no_proxy().http2_prior_knowledge().build().expect("a client");
    let reply = client.get(gateway.url("/v1/models")).send().await.expect("an answer");
    assert_eq!((reply.status().as_u16(), &reply.headers()["retry-after"]), (429, &"1".parse().expect("a value")));
    // Another address is another matter.
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.2:0".parse().expect("an address")).expect("an address of this machine");
    let mut other = socket.connect(address).await.expect("a connection");
    assert_eq!(ask(&mut other, HEALTH).await.0, 200);
    drop(first);
    until("the place of the first", || async {
        let mut next = connect(address, b"").await;
        (ask(&mut next, HEALTH).await.0 == 200).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_crowd_that_says_nothing_is_closed_without_a_word() {
    let gateway = crowded().await;
    let address = gateway.address();
    let _served = (served(address).await, served(address).await);
    let mut silent = Vec::new();
    for _ in 0..8 {
        silent.push(connect(address, b"").await);
    }
    let mut further = connect(address, b"").await;
    assert_eq!(until_closed(&mut further).await, "");
    // Those before it are still listened to.
    let mut told = silent.remove(0);
    assert_eq!(ask(&mut told, HEALTH).await.0, 429);
}

#[tokio::test]
async fn the_machine_itself_and_its_proxies_are_not_counted() {
    let config = "[listener]\nconnections_per_address = 1".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(served(gateway.address()).await);
    }
}
