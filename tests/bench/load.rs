//! The load: closed loops for what a server can carry, an open loop for what a client waits.

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
    pub(crate) body: Bytes,
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

    /// Sends a request and reads its answer to the end; the time to its first piece of body, and that piece.
    async fn ask(&mut self) -> Result<(Duration, Bytes), Failed> {
        let request = Request::post(&self.target.path)
            .header("host", &self.target.address)
            .header("authorization", format!("Bearer {}", self.target.key))
            .header("content-type", "application/json");
        let request = if self.target.version { request.header("anthropic-version", "2023-06-01") } else { request };
        let request = request.body(Full::new(self.target.body.clone()))?;
        let started = Instant::now();
        self.sender.ready().await?;
        let mut response = self.sender.send_request(request).await?;
        if response.status() != 200 {
            let status = response.status();
            let body = response.into_body().collect().await?.to_bytes();
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
        let mut first = None;
        while let Some(frame) = response.frame().await {
            let data = frame?.into_data().unwrap_or_default();
            first.get_or_insert_with(|| (started.elapsed(), data));
        }
        first.ok_or_else(|| "an empty answer".into())
    }
}

/// Each of `connections` asks again as soon as it is answered. How many were answered within the window, which begins
/// after a warm-up; `window` is called at its begin and its end.
pub(crate) async fn closed(
    target: &Target,
    connections: usize,
    warm_up: Duration,
    lasts: Duration,
    mut window: impl FnMut() -> Result<u64, Failed>,
) -> Result<(u64, u64), Failed> {
    let (count, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut driving = JoinSet::new();
    let mut asking = JoinSet::new();
    for _ in 0..connections {
        let mut connection = Connection::open(target, &mut driving).await?;
        let (count, stop) = (count.clone(), stop.clone());
        asking.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                connection.ask().await?;
                count.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Failed>(())
        });
    }
    sleep(warm_up).await;
    let (spent, counted) = (window()?, count.load(Ordering::Relaxed));
    sleep(lasts).await;
    let (spent, counted) = (window()? - spent, count.load(Ordering::Relaxed) - counted);
    stop.store(true, Ordering::Relaxed);
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok((counted, spent))
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
    let mut idle = Vec::new();
    for _ in 0..connections {
        idle.push(Connection::open(target, &mut driving).await?);
    }
    let idle = Arc::new(tokio::sync::Mutex::new(idle));
    let free = Arc::new(Semaphore::new(connections));
    let (start, start_told, pause) = (Instant::now(), provider::now(), Duration::from_secs(1) / per_second);
    let total = u32::try_from(u128::from(per_second) * lasts.as_millis() / 1000)?;
    let mut asking = JoinSet::new();
    for number in 0..total {
        let due = start + pause * number;
        sleep_until(due).await;
        let (idle, place) = (idle.clone(), free.clone());
        asking.spawn(async move {
            let _place = place.acquire_owned().await?;
            let mut connection = idle.lock().await.pop().ok_or("more places than connections")?;
            let waited = due.elapsed();
            let (took, piece) = connection.ask().await?;
            idle.lock().await.push(connection);
            let asked = provider::arrival(&piece)?.saturating_sub(start_told + pause * number);
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
