//! A connection of the load client: what it sends, and how it reads what comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Failed;
use crate::conversation::Conversation;

/// A request and the server that gets it.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: String,
    /// Each request takes the next of them.
    pub(crate) keys: Arc<[String]>,
    pub(crate) path: String,
    /// True if the header of format A goes with it.
    pub(crate) version: bool,
    pub(crate) kind: Kind,
    pub(crate) body: Bytes,
}

/// The difference between one request and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// None.
    Plain,
    /// It has an Idempotency-Key of its own.
    Keyed,
    /// It comes from an address of its own, without a key; `NUMBER` in its body is a number of its own.
    Stranger,
    /// It goes on from the answer to the one before, up to the length of a conversation.
    Continued,
}

/// One connection that is used again and again.
pub(crate) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    target: Target,
    conversation: Conversation,
}

impl Connection {
    pub(crate) async fn open(target: &Target, driving: &mut JoinSet<()>) -> Result<Self, Failed> {
        let stream = TcpStream::connect(&target.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        driving.spawn(async move {
            let _ = connection.await;
        });
        Ok(Self { sender, target: target.clone(), conversation: Conversation::default() })
    }

    /// Sends a request and reads its answer to the end, telling the bytes of each piece to `came`; the time to its first
    /// piece of body, and that piece.
    pub(crate) async fn ask(&mut self, mut came: impl FnMut(u64)) -> Result<(Duration, Bytes), Failed> {
        let request = self.request()?;
        let started = Instant::now();
        self.sender.ready().await?;
        let mut response = self.sender.send_request(request).await?;
        let status = response.status();
        let is_expected = match self.target.kind {
            Kind::Plain | Kind::Keyed | Kind::Continued => status == 200,
            // It is let in, the password is wrong, or too many wait for theirs.
            Kind::Stranger => matches!(status.as_u16(), 200 | 401 | 429),
        };
        if !is_expected {
            let body = response.into_body().collect().await?.to_bytes();
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
        let mut first = None;
        while let Some(frame) = response.frame().await {
            let data = frame?.into_data().unwrap_or_default();
            came(u64::try_from(data.len())?);
            first.get_or_insert_with(|| (started.elapsed(), data));
        }
        let (took, piece) = first.ok_or("an empty answer")?;
        if self.target.kind == Kind::Continued {
            self.conversation.answered(&piece)?;
        }
        Ok((took, piece))
    }

    fn request(&self) -> Result<Request<Full<Bytes>>, Failed> {
        let Target { address, keys, path, version, kind, body } = &self.target;
        let request = Request::post(path).header("host", address).header("content-type", "application/json");
        let request = if *version { request.header("anthropic-version", "2023-06-01") } else { request };
        let key = || {
            let turn = if keys.len() > 1 { next_key() % keys.len() } else { 0 };
            format!("Bearer {}", keys[turn])
        };
        let number = next();
        let request = match kind {
            Kind::Plain | Kind::Continued => request.header("authorization", key()),
            Kind::Keyed => request.header("authorization", key()).header("idempotency-key", number),
            Kind::Stranger => {
                let [.., a, b, c] = number.to_be_bytes();
                request.header("x-forwarded-for", format!("100.{a}.{b}.{c}"))
            }
        };
        let body = match kind {
            Kind::Continued => self.conversation.body(body)?,
            Kind::Plain | Kind::Keyed => body.clone(),
            Kind::Stranger => String::from_utf8_lossy(body).replace("NUMBER", &number.to_string()).into(),
        };
        Ok(request.body(Full::new(body))?)
    }
}

/// No two are the same in this process, and its gateways are new.
fn next() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// Counts through the keys, whatever connection asks.
fn next_key() -> usize {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}
