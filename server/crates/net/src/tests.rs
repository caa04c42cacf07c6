//! The client against providers on this machine: versions of HTTP, TLS, the pool, what is sent again, and what is not done.

mod provider;

use std::future::pending;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use h2::Reason;
use http::{Method, Request, Response, StatusCode, Version};
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use self::provider::{Provider, Stream, over_tls, trusting};
use super::*;

/// Far more than anything takes here: where time stands still, it is over at once all the same.
const LONG: Duration = Duration::from_secs(60);

fn config(protocol: HttpProtocol) -> HttpClientConfig {
    HttpClientConfig {
        protocol,
        connect_timeout: LONG,
        idle_connections_max: 8,
        adaptive_window: true,
        resolver: Arc::new(SystemResolver),
    }
}

/// A client that trusts the provider of the tests.
fn client(protocol: HttpProtocol) -> HttpClient {
    HttpClient::with_verifier(&config(protocol), trusting())
}

fn post(url: &str) -> Request<Bytes> {
    let mut request = Request::new(Bytes::from_static(b"{}"));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = url.parse().expect("a URL");
    request
}

async fn whole(response: Response<ResponseBody>) -> Bytes {
    response.into_body().collect().await.expect("a body").to_bytes()
}

/// Serves HTTP/1.1 or HTTP/2, as the peer begins; answers `ok`.
async fn serve(stream: impl Stream + 'static) {
    let service = service_fn(|_| async { Ok::<_, io::Error>(Response::new(Full::new(Bytes::from_static(b"ok")))) });
    // The client closes when the test is over.
    let _ = auto::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

async fn secured(protocols: &'static [&'static str]) -> Provider {
    Provider::start(move |stream, _| async move {
        if let Some(stream) = over_tls(stream, protocols).await {
            serve(stream).await;
        }
    })
    .await
}

/// Answers one request with `answer`, tells its text, and closes.
async fn answer_once(mut stream: TcpStream, answer: String, heard: mpsc::UnboundedSender<String>) {
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n{}") {
        let mut bytes = vec![0; 4096];
        let length = stream.read(&mut bytes).await.expect("a request");
        request.push_str(std::str::from_utf8(&bytes[..length]).expect("text"));
    }
    heard.send(request).expect("the test reads it");
    stream.write_all(answer.as_bytes()).await.expect("it is read");
}

#[tokio::test]
async fn the_version_is_that_of_the_setting_or_of_the_handshake() {
    for (protocol, offered, version) in [
        (HttpProtocol::Negotiated, &["h2", "http/1.1"][..], Version::HTTP_2),
        (HttpProtocol::Negotiated, &["http/1.1"], Version::HTTP_11),
        (HttpProtocol::Negotiated, &[], Version::HTTP_11),
        (HttpProtocol::Http1, &["h2", "http/1.1"], Version::HTTP_11),
        (HttpProtocol::Http2, &["h2", "http/1.1"], Version::HTTP_2),
    ] {
        let provider = secured(offered).await;
        let client = client(protocol);
        for _ in 0..3 {
            let response = client.send(post(&provider.url("https", "/v1"))).await.expect("an answer");
            assert_eq!(response.version(), version, "{protocol:?} {offered:?}");
            assert_eq!(whole(response).await, "ok");
        }
        assert_eq!(provider.connections(), 1, "{protocol:?} {offered:?}");
    }
}

#[tokio::test]
async fn in_the_clear_only_the_setting_chooses_http2() {
    for (protocol, version) in [
        (HttpProtocol::Negotiated, Version::HTTP_11),
        (HttpProtocol::Http1, Version::HTTP_11),
        (HttpProtocol::Http2, Version::HTTP_2),
    ] {
        let provider = Provider::start(|stream, _| serve(stream)).await;
        let client = client(protocol);
        for _ in 0..3 {
            let response = client.send(post(&provider.url("http", "/v1"))).await.expect("an answer");
            assert_eq!(response.version(), version, "{protocol:?}");
            assert_eq!(whole(response).await, "ok");
        }
        assert_eq!(provider.connections(), 1, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_certificate_is_checked_against_those_of_the_system() {
    let provider = secured(&["http/1.1"]).await;
    let client = HttpClient::build(&config(HttpProtocol::Negotiated)).expect("a client");
    let refused = client.send(post(&provider.url("https", "/v1"))).await.expect_err("nobody trusts it");
    // An error of I/O shows what is within it to nobody but its reader.
    assert!(format!("{refused:?}").contains("UnknownIssuer"), "{refused:?}");
    assert!(!refused.is_timeout());
}

#[tokio::test]
async fn a_request_goes_as_it_is_and_the_answer_comes_as_it_is() {
    let (heard, mut requests) = mpsc::unbounded_channel();
    let answer =
        "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope";
    let provider = Provider::start(move |stream, _| answer_once(stream, answer.to_owned(), heard.clone())).await;
    let mut request = post(&provider.url("http", "/v1/chat?a=b"));
    request.headers_mut().insert("x-key", "secret".parse().expect("a value"));
    let response = client(HttpProtocol::Negotiated).send(request).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::FOUND, "it is not followed");
    assert_eq!(whole(response).await, "nope", "it is not decompressed");
    let request = requests.recv().await.expect("a request");
    let mut lines: Vec<_> = request.lines().filter(|line| !line.is_empty()).collect();
    lines.sort_unstable();
    let host = provider.url("host", "").replace("://", ": ");
    assert_eq!(
        lines,
        ["POST /v1/chat?a=b HTTP/1.1", "accept: */*", "content-length: 2", host.as_str(), "x-key: secret", "{}"]
    );
    assert_eq!(provider.connections(), 1);
}

#[tokio::test]
async fn a_pooled_connection_that_the_provider_closed_is_not_used() {
    let (heard, _requests) = mpsc::unbounded_channel();
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    let provider = Provider::start(move |stream, _| answer_once(stream, answer.to_owned(), heard.clone())).await;
    let client = client(HttpProtocol::Negotiated);
    for connections in 1..=3 {
        let response = client.send(post(&provider.url("http", "/v1"))).await.expect("an answer");
        assert_eq!(whole(response).await, "ok");
        assert_eq!(provider.connections(), connections);
    }
}

#[tokio::test]
async fn without_a_pool_each_request_has_a_connection() {
    let provider = Provider::start(|stream, _| serve(stream)).await;
    let config = HttpClientConfig { idle_connections_max: 0, ..config(HttpProtocol::Negotiated) };
    let client = HttpClient::with_verifier(&config, trusting());
    for connections in 1..=3 {
        let response = client.send(post(&provider.url("http", "/v1"))).await.expect("an answer");
        assert_eq!(whole(response).await, "ok");
        assert_eq!(provider.connections(), connections);
    }
}

/// Resets the first `refusals` streams of all connections with `reason`, and answers the others.
async fn refuse(stream: TcpStream, reason: Reason, refusals: usize, streams: Arc<AtomicUsize>) {
    let mut connection = h2::server::handshake(stream).await.expect("a client");
    while let Some(Ok((_, mut respond))) = connection.accept().await {
        if streams.fetch_add(1, Ordering::SeqCst) < refusals {
            respond.send_reset(reason);
        } else {
            respond.send_response(Response::new(()), true).expect("the client waits");
        }
    }
}

#[tokio::test]
async fn what_a_provider_refused_unprocessed_is_sent_again_and_nothing_else() {
    for (reason, refusals, sent, answered) in [
        (Reason::REFUSED_STREAM, 1, 2, true),
        (Reason::REFUSED_STREAM, 2, 3, true),
        (Reason::REFUSED_STREAM, 3, 3, false),
        (Reason::INTERNAL_ERROR, 1, 1, false),
        (Reason::CANCEL, 1, 1, false),
    ] {
        let streams = Arc::new(AtomicUsize::new(0));
        let counter = streams.clone();
        let provider = Provider::start(move |stream, _| refuse(stream, reason, refusals, counter.clone())).await;
        let result = client(HttpProtocol::Http2).send(post(&provider.url("http", "/v1"))).await;
        assert_eq!(result.is_ok(), answered, "{reason:?} {refusals}: {result:?}");
        assert_eq!(streams.load(Ordering::SeqCst), sent, "{reason:?} {refusals}");
    }
}

/// Reads until a stream begins, then closes the connection in good order, as one that has processed no stream.
async fn go_away(mut stream: TcpStream) {
    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const GOAWAY: [u8; 17] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const HEADERS: u8 = 1;
    stream.write_all(&SETTINGS).await.expect("a client");
    stream.read_exact(&mut [0; 24]).await.expect("a preface");
    let mut head = [0; 9];
    while head[3] != HEADERS {
        stream.read_exact(&mut head).await.expect("the head of a frame");
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length.try_into().expect("a small frame")];
        stream.read_exact(&mut payload).await.expect("a frame");
    }
    stream.write_all(&GOAWAY).await.expect("a client");
    // What comes until the client closes would make a reset of the end.
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
}

#[tokio::test]
async fn a_connection_that_closes_in_good_order_is_replaced() {
    let provider = Provider::start(|stream, connection| async move {
        match connection {
            0 => go_away(stream).await,
            _ => serve(stream).await,
        }
    })
    .await;
    let response = client(HttpProtocol::Http2).send(post(&provider.url("http", "/v1"))).await.expect("an answer");
    assert_eq!((response.status(), provider.connections()), (StatusCode::OK, 2));
}

/// Time stands still and is wound on where all wait, so that nobody waits.
#[tokio::test(start_paused = true)]
async fn a_provider_that_hangs_in_the_handshake_is_given_up() {
    let provider = Provider::start(|stream, _| async move {
        let _open = stream;
        pending::<()>().await;
    })
    .await;
    for protocol in [HttpProtocol::Negotiated, HttpProtocol::Http1, HttpProtocol::Http2] {
        let given_up = client(protocol).send(post(&provider.url("https", "/v1"))).await.expect_err("it is silent");
        assert!(given_up.is_timeout(), "{given_up:?}");
    }
}

/// A resolver that never answers.
#[derive(Debug)]
struct Silent;

impl NameResolver for Silent {
    fn resolve(&self, _: HostName) -> Resolution {
        Box::pin(pending())
    }
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_never_resolved_is_given_up() {
    let config = HttpClientConfig { resolver: Arc::new(Silent), ..config(HttpProtocol::Negotiated) };
    let client = HttpClient::with_verifier(&config, trusting());
    let given_up = client.send(post("http://provider.example/v1")).await.expect_err("it has no address");
    assert!(given_up.is_timeout(), "{given_up:?}");
}

#[tokio::test]
async fn a_connection_that_is_reset_is_an_error_and_no_timeout() {
    let provider = Provider::start(|stream, _| async move { drop(stream.set_zero_linger()) }).await;
    for scheme in ["http", "https"] {
        let reset = client(HttpProtocol::Negotiated).send(post(&provider.url(scheme, "/v1"))).await;
        let reset = reset.expect_err("it is reset");
        assert!(matches!(reset, HttpError::Request(_)) && !reset.is_timeout(), "{reset:?}");
    }
}
