//! The load: closed loops for what a server can carry, an open loop for what a client waits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::{Failed, provider};

/// What to send where.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) address: String,
    pub(crate) key: String,
    pub(crate) path: String,
    /// Whether the header of format A goes with it.
    pub(crate) version: bool,
    pub(crate) kind: Kind,
    pub(crate) body: Bytes,
}

/// What is different about each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing.
    Plain,
    /// It has an Idempotency-Key of its own.
    Keyed,
    /// It comes from an address of its own, without a key, and is refused.
    Stranger,
}

/// One connection that is used again and again.
struct Connection {
    sender: SendRequest<Full<Bytes>>,
    target: Target,
}

impl Connection {
    async fn open(target: &Target, driving: &mut JoinSet<()>) -> Result<Self, Failed> {
        let stream = TcpStream::connect(&target.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        driving.spawn(async move {
            let _ = connection.await;
        });
        Ok(Self { sender, target: target.clone() })
    }

    /// Sends a request and reads its answer to the end, telling the bytes of each piece to `came`; the time to its first
    /// piece of body, and that piece.
    async fn ask(&mut self, mut came: impl FnMut(u64)) -> Result<(Duration, Bytes), Failed> {
        let request = Request::post(&self.target.path)
            .header("host", &self.target.address)
            .header("content-type", "application/json");
        let request = if self.target.version { request.header("anthropic-version", "2023-06-01") } else { request };
        let key = format!("Bearer {}", self.target.key);
        let request = match self.target.kind {
            Kind::Plain => request.header("authorization", key),
            Kind::Keyed => request.header("authorization", key).header("idempotency-key", next()),
            Kind::Stranger => {
                let [.., a, b, c] = next().to_be_bytes();
                request.header("x-forwarded-for", format!("100.{a}.{b}.{c}"))
            }
        };
        let request = request.body(Full::new(self.target.body.clone()))?;
        let started = Instant::now();
        self.sender.ready().await?;
        let mut response = self.sender.send_request(request).await?;
        let status = response.status();
        let is_expected = match self.target.kind {
            Kind::Plain | Kind::Keyed => status == 200,
            // The password is wrong, or too many wait to be checked.
            Kind::Stranger => matches!(status.as_u16(), 401 | 429),
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
        first.ok_or_else(|| "an empty answer".into())
    }
}

/// No two are the same in this process, and its gateways are new.
fn next() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed)
}

/// What a closed loop saw within its window.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Answers that ended.
    pub(crate) answers: u64,
    /// What came of them and of those under way.
    bytes: u64,
    /// Of one answer.
    length: u64,
    /// Of CPU time, in microseconds.
    spent: u64,
}

impl Carried {
    /// CPU time within the window, in microseconds.
    pub(crate) const fn spent(&self) -> u64 {
        self.spent
    }

    /// CPU time for one answer. Counted by bytes: of streams, those under way at either end of the window count by their
    /// part.
    ///
    /// # Errors
    /// When nothing came within the window.
    pub(crate) fn each(&self) -> Result<u64, Failed> {
        (self.spent * self.length).checked_div(self.bytes).ok_or_else(|| "nothing came within the window".into())
    }
}

#[derive(Default)]
struct Counted {
    answers: AtomicU64,
    bytes: AtomicU64,
    length: AtomicU64,
    stop: AtomicBool,
}

/// Each of `connections` asks again as soon as it is answered. They begin one after the other in four fifths of the
/// warm-up: so streams are at all their places when the window begins, and stay so. `cpu` is read at its begin and its end.
pub(crate) async fn closed(
    target: &Target,
    connections: u32,
    warm_up: Duration,
    lasts: Duration,
    mut cpu: impl FnMut() -> Result<u64, Failed>,
) -> Result<Carried, Failed> {
    let counted = Arc::new(Counted::default());
    let (mut driving, mut asking) = (JoinSet::new(), JoinSet::new());
    let start = Instant::now();
    for number in 0..connections {
        let mut connection = Connection::open(target, &mut driving).await?;
        let (counted, begins) = (counted.clone(), start + warm_up * 4 / 5 * number / connections);
        asking.spawn(async move {
            sleep_until(begins).await;
            while !counted.stop.load(Ordering::Relaxed) {
                let mut length = 0;
                let came = |bytes| {
                    length += bytes;
                    counted.bytes.fetch_add(bytes, Ordering::Relaxed);
                };
                connection.ask(came).await?;
                counted.length.store(length, Ordering::Relaxed);
                counted.answers.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Failed>(())
        });
    }
    sleep_until(start + warm_up).await;
    let mut now = || {
        let [answers, bytes] = [&counted.answers, &counted.bytes].map(|count| count.load(Ordering::Relaxed));
        Ok::<_, Failed>((answers, bytes, cpu()?))
    };
    let before = now()?;
    sleep(lasts).await;
    let after = now()?;
    counted.stop.store(true, Ordering::Relaxed);
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    let length = counted.length.load(Ordering::Relaxed);
    Ok(Carried { answers: after.0 - before.0, bytes: after.1 - before.1, length, spent: after.2 - before.2 })
}

/// What requests waited for, from when they were due, each list sorted.
#[derive(Default)]
pub(crate) struct Waited {
    /// For the provider to be asked.
    pub(crate) asked: Vec<Duration>,
    /// For the first piece of the answer.
    pub(crate) first: Vec<Duration>,
}

/// `per_second` requests are due each second whatever became of those before, over `connections` connections, which
/// must be more than are ever under way.
pub(crate) async fn open(
    target: &Target,
    per_second: u32,
    connections: usize,
    lasts: Duration,
) -> Result<Waited, Failed> {
    let mut driving = JoinSet::new();
    // The one that was used longest ago comes first: a server closes those that are idle.
    let mut idle = VecDeque::new();
    for _ in 0..connections {
        idle.push_back(Connection::open(target, &mut driving).await?);
    }
    let idle = Arc::new(tokio::sync::Mutex::new(idle));
    let free = Arc::new(Semaphore::new(connections));
    let (start, start_told, pause) = (Instant::now(), provider::now(), Duration::from_secs(1) / per_second);
    let total = u32::try_from(u128::from(per_second) * lasts.as_millis() / 1000)?;
    let (mut asking, kind) = (JoinSet::new(), target.kind);
    for number in 0..total {
        let due = start + pause * number;
        sleep_until(due).await;
        let (idle, place) = (idle.clone(), free.clone());
        asking.spawn(async move {
            let _place = place.acquire_owned().await?;
            let mut connection = idle.lock().await.pop_front().ok_or("more places than connections")?;
            let waited = due.elapsed();
            let (took, piece) = connection.ask(|_| ()).await?;
            idle.lock().await.push_back(connection);
            let asked = match kind {
                Kind::Plain | Kind::Keyed => provider::arrival(&piece)?.saturating_sub(start_told + pause * number),
                // No provider is asked.
                Kind::Stranger => Duration::ZERO,
            };
            Ok::<_, Failed>((asked, waited + took))
        });
    }
    let mut waited = Waited::default();
    while let Some(done) = asking.join_next().await {
        let (asked, first) = done??;
        waited.asked.push(asked);
        waited.first.push(first);
    }
    waited.asked.sort_unstable();
    waited.first.sort_unstable();
    Ok(waited)
}

/// The value that `percent` of a sorted list do not exceed.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
