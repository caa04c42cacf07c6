//! Requests as a provider receives them, and providers that do not answer.

use std::future::pending;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

use tollgate_base::Secret;

use super::*;

fn upstream(kind: ProviderKind, base_url: &str) -> UpstreamClient {
    let config = UpstreamConfig {
        base_url: base_url.to_owned(),
        kind,
        api_key: Some(Secret::new("key".to_owned())),
        key_pair: None,
        concurrency_max: None,
        http: HttpVersion::default(),
        output_bound_field: OutputBoundField::default(),
        completions: false,
        unknown_members: UnknownMembers::default(),
        reach: ProviderReach::default(),
    };
    UpstreamClient::build("provider", &config, UpstreamLimits::default()).expect("a client")
}

fn late() -> AnswerDeadlines {
    let whole = Instant::now() + Duration::from_secs(600);
    AnswerDeadlines { begin: whole, whole }
}

async fn send(upstream: &UpstreamClient, action: UpstreamAction) -> Result<UpstreamAnswer, UpstreamError> {
    let services = upstream.services("a/b");
    let body = Bytes::from_static(b"{}");
    let request = UpstreamRequest { services: &services, action, headers: HeaderMap::new(), body };
    upstream.send(request, UpstreamPermit::unbounded(), late()).await
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound").to_string();
    (listener, address)
}

/// Reads a request with the body `{}`, answers it, and returns its text.
async fn serve(listener: &TcpListener) -> String {
    let (mut stream, _) = listener.accept().await.expect("a connection");
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n{}") {
        let mut bytes = vec![0; 4096];
        let length = stream.read(&mut bytes).await.expect("a request");
        request.push_str(std::str::from_utf8(&bytes[..length]).expect("text"));
    }
    let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
    stream.write_all(answer).await.expect("it is read");
    request
}

#[tokio::test]
async fn each_kind_has_its_path_and_headers() {
    let stream = UpstreamAction::Turn { stream: true };
    for (kind, action, user, line, headers) in [
        (Format::Chat, stream, "", "POST /v1/chat/completions", &["authorization: Bearer key"][..]),
        (Format::Chat, UpstreamAction::Embed, "", "POST /v1/embeddings", &["authorization: Bearer key"]),
        (Format::Messages, stream, "", "POST /v1/messages", &["anthropic-version: 2023-06-01", "x-api-key: key"]),
        (Format::Generate, stream, "", "POST /v1/models/a%2Fb:streamGenerateContent?alt=sse", &["x-goog-api-key: key"]),
        (Format::Generate, UpstreamAction::Count, "", "POST /v1/models/a%2Fb:countTokens", &["x-goog-api-key: key"]),
        (
            Format::Messages,
            UpstreamAction::Count,
            "u%40:p@",
            "POST /v1/messages/count_tokens",
            &["anthropic-version: 2023-06-01", "authorization: Basic dUA6cA==", "x-api-key: key"],
        ),
    ] {
        let (listener, address) = listen().await;
        let upstream = upstream(ProviderKind::Speaks(kind), &format!("http://{user}{address}/v1"));
        let (answer, request) = tokio::join!(send(&upstream, action), serve(&listener));
        assert_eq!(answer.expect("an answer").status, 200);
        let (line, host) = (format!("{line} HTTP/1.1"), format!("host: {address}"));
        let mut expected =
            vec![line.as_str(), "accept: */*", "content-length: 2", "content-type: application/json", &host];
        expected.extend(headers);
        expected.sort_unstable();
        let mut lines: Vec<_> = request.lines().filter(|line| !matches!(*line, "" | "{}")).collect();
        lines.sort_unstable();
        assert_eq!(lines, expected);
    }
}

#[tokio::test]
async fn tasks_are_ordered_as_such() {
    let (listener, address) = listen().await;
    let upstream = upstream(ProviderKind::PicturesLater, &format!("http://{address}/v1"));
    let (answer, request) = tokio::join!(send(&upstream, UpstreamAction::Draw), serve(&listener));
    assert_eq!(answer.expect("an answer").status, 200);
    assert!(request.starts_with("POST /v1/services/aigc/text2image/image-synthesis HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("\r\nx-dashscope-async: enable\r\n"), "{request}");
}

#[tokio::test]
async fn a_model_whose_name_is_too_long_for_a_path_is_unreachable() {
    let upstream = upstream(ProviderKind::Speaks(Format::Generate), "http://127.0.0.1:9/v1");
    let services = upstream.services(&"a".repeat(1 << 16));
    let (action, headers) = (UpstreamAction::Count, HeaderMap::new());
    let request = UpstreamRequest { services: &services, action, headers, body: Bytes::new() };
    let sent = upstream.send(request, UpstreamPermit::unbounded(), late()).await;
    assert!(matches!(sent, Err(UpstreamError::Unreachable(_))), "{sent:?}");
}

/// Time stands still and is wound on where all wait, so that nobody waits.
#[tokio::test(start_paused = true)]
async fn a_provider_that_hangs_in_the_handshake_is_too_slow() {
    let (listener, address) = listen().await;
    let mut serving = JoinSet::new();
    serving.spawn(async move {
        let _open: (TcpStream, _) = listener.accept().await.expect("a connection");
        pending::<()>().await;
    });
    let upstream = upstream(ProviderKind::Speaks(Format::Chat), &format!("https://{address}/v1"));
    let sent = send(&upstream, UpstreamAction::Moderate).await;
    assert!(matches!(sent, Err(UpstreamError::TooSlow)), "{sent:?}");
}

/// It reads the request, so that it may have worked on it: the request is not sent again.
#[tokio::test]
async fn a_provider_that_breaks_off_before_its_answer_is_unreachable_and_not_asked_again() {
    let (listener, address) = listen().await;
    let upstream = upstream(ProviderKind::Speaks(Format::Chat), &format!("http://{address}/v1"));
    let breaks_off = async {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut bytes = vec![0; 4096];
        while !bytes.starts_with(b"POST") {
            stream.read_exact(&mut bytes[..4]).await.expect("a request");
        }
        drop(stream);
        listener
    };
    let (sent, listener) = tokio::join!(send(&upstream, UpstreamAction::Moderate), breaks_off);
    assert!(matches!(sent, Err(UpstreamError::Unreachable(_))), "{sent:?}");
    tokio::select! {
        biased;
        again = listener.accept() => panic!("it is asked again: {again:?}"),
        () = tokio::task::yield_now() => {}
    }
}
