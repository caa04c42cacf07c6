//! The load: closed loops for what a server can carry, an open loop for what a client waits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::connection::{Connection, Target};
use crate::{Failed, provider};

/// Answers of a closed loop within its window.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Answers that ended.
    pub(crate) answers: u64,
    /// Of these answers and of those under way.
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
    /// If nothing came within the window.
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

/// The waits of requests, from when they were due, each list sorted.
#[derive(Default)]
pub(crate) struct Waited {
    /// Until the provider was asked; of those alone whose answers have the time of that.
    pub(crate) asked: Vec<Duration>,
    /// Until the first piece of the answer came.
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
    let mut asking = JoinSet::new();
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
            let asked = provider::arrival(&piece).map(|at| at.saturating_sub(start_told + pause * number));
            Ok::<_, Failed>((asked, waited + took))
        });
    }
    let mut waited = Waited::default();
    while let Some(done) = asking.join_next().await {
        let (asked, first) = done??;
        waited.asked.extend(asked);
        waited.first.push(first);
    }
    waited.asked.sort_unstable();
    waited.first.sort_unstable();
    Ok(waited)
}

/// One connection that asks again as soon as it is answered, once at the least; the wait for the first piece of each answer, in
/// the order in which they came.
pub(crate) async fn one_by_one(target: &Target, lasts: Duration) -> Result<Vec<Duration>, Failed> {
    let mut driving = JoinSet::new();
    let mut connection = Connection::open(target, &mut driving).await?;
    let (end, mut waited) = (Instant::now() + lasts, Vec::new());
    while waited.is_empty() || Instant::now() < end {
        waited.push(connection.ask(|_| ()).await?.0);
    }
    Ok(waited)
}

/// The value that `percent` of a sorted list do not exceed.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    permille(sorted, percent * 10)
}

/// The value that so many thousandths of a sorted list do not exceed.
pub(crate) fn permille(sorted: &[Duration], thousandths: usize) -> Duration {
    sorted.get((sorted.len() * thousandths / 1000).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
