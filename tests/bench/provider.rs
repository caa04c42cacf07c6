//! A provider of every format: a fixed answer of 1 KiB, and streams of 100 chunks, one every 20 ms; and of embeddings.

use std::convert::Infallible;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::Failed;
use crate::answer::{Answers, answers, embeddings, unique_response};
use crate::format::Format;

/// Chunks of a stream.
pub(crate) const CHUNKS: u32 = 100;
/// From one chunk to the next.
pub(crate) const CHUNK_EVERY: Duration = Duration::from_millis(20);

/// Serves until the process is killed; prints its address first.
pub(crate) async fn serve() -> Result<(), Failed> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    let mut connections = JoinSet::new();
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        connections.spawn(async move {
            let builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            // A client that hangs up is no event.
            let _ = builder.serve_connection(TokioIo::new(stream), service_fn(answer)).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<BoxBody<Bytes, Infallible>>, Infallible> {
    let is_embedding = request.uri().path() == "/v1/embeddings";
    let (format, by_path) = asked(request.uri().path());
    let body = request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let by_body = || memchr::memmem::find(&body, b"\"stream\":true").is_some();
    let response = Response::builder();
    let response = if by_path.unwrap_or_else(by_body) {
        let body = match format {
            Format::Chat => BodyExt::boxed(StreamBody::new(chunks())),
            other => BodyExt::boxed(StreamBody::new(events(answers(other)))),
        };
        response.header("content-type", "text/event-stream").body(body)
    } else {
        let body = match format {
            Format::Chat if is_embedding => embeddings(),
            Format::Chat => completion().into(),
            Format::Responses => unique_response(),
            other => answers(other).whole.clone(),
        };
        response.header("content-type", "application/json").body(Full::new(body).boxed())
    };
    Ok(response.expect("these headers are valid"))
}

/// The format that a path belongs to, and whether it asks for a stream, where the path is what says so.
fn asked(path: &str) -> (Format, Option<bool>) {
    match path {
        "/v1/messages" => (Format::Messages, None),
        "/v1/responses" => (Format::Responses, None),
        path if path.ends_with(":streamGenerateContent") => (Format::Generate, Some(true)),
        path if path.ends_with(":generateContent") => (Format::Generate, Some(false)),
        _ => (Format::Chat, None),
    }
}

fn events(answers: &'static Answers) -> impl futures_util::Stream<Item = Result<Frame<Bytes>, Infallible>> {
    let start = Instant::now();
    futures_util::stream::unfold((0, &answers.events[..]), move |(index, events)| async move {
        let (event, rest) = events.split_first()?;
        sleep_until(start + CHUNK_EVERY * index).await;
        Some((Ok(Frame::data(event.clone())), (index + 1, rest)))
    })
}

/// The time since 1970: the one clock that load and provider, two processes, share.
pub(crate) fn now() -> Duration {
    SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

/// The time, by [`now`], at which the provider was asked for the answer that `piece` belongs to: its `created`, in nanoseconds
/// here. Answers of format O have it.
pub(crate) fn arrival(piece: &[u8]) -> Option<Duration> {
    const NAME: &[u8] = b"\"created\":";
    let start = memchr::memmem::find(piece, NAME)?;
    let digits = piece[start + NAME.len()..].split(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
    Some(Duration::from_nanos(std::str::from_utf8(digits).ok()?.parse().ok()?))
}

fn completion() -> String {
    let (text, created) = ("word ".repeat(130), now().as_nanos());
    format!(
        "{{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":{created},\"model\":\"m\",\"choices\":[{{\
         \"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":\"{text}\"}},\"finish_reason\":\"stop\"}}],\
         \"usage\":{{\"prompt_tokens\":20,\"completion_tokens\":130,\"total_tokens\":150}}}}"
    )
}

fn chunks() -> impl futures_util::Stream<Item = Result<Frame<Bytes>, Infallible>> {
    let (start, created) = (Instant::now(), now().as_nanos());
    futures_util::stream::unfold(0, move |index| async move {
        if index > CHUNKS + 1 {
            return None;
        }
        sleep_until(start + CHUNK_EVERY * index.min(CHUNKS)).await;
        let event = match index {
            index if index < CHUNKS => chunk(created, index + 1 == CHUNKS),
            index if index == CHUNKS => {
                "data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"choices\":[],\"usage\":\
                 {\"prompt_tokens\":20,\"completion_tokens\":100,\"total_tokens\":120}}\n\n"
                    .to_owned()
            }
            _ => "data: [DONE]\n\n".to_owned(),
        };
        Some((Ok(Frame::data(Bytes::from(event))), index + 1))
    })
}

fn chunk(created: u128, last: bool) -> String {
    let finish = if last { "\"stop\"" } else { "null" };
    format!(
        "data: {{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":{created},\"model\":\"m\",\
         \"system_fingerprint\":\"fp_0123456789\",\"service_tier\":\"default\",\"choices\":[{{\"index\":0,\"delta\":\
         {{\"content\":\" word\"}},\"logprobs\":null,\"finish_reason\":{finish}}}]}}\n\n"
    )
}
