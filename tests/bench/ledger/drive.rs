//! Clients: so many that each ask again once they are answered, or so many asks a second whatever became of those before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tollgate_tests::random::Random;

use super::house::Payer;
use crate::Failed;

const WARM_UP: Duration = Duration::from_millis(500);

/// Something that takes holds and settles them, each on the disk before it is answered.
pub(crate) trait Pairs: Clone + Send + Sync + 'static {
    /// A hold that was taken.
    type Held: Send;

    /// Takes one.
    fn hold(&self, payer: Payer) -> impl Future<Output = Result<Self::Held, Failed>> + Send;

    /// Settles it.
    fn settle(&self, held: Self::Held) -> impl Future<Output = Result<(), Failed>> + Send;
}

/// Pairs carried in a window, and the CPU time for them.
#[derive(Debug)]
pub(crate) struct Carried {
    pub(crate) pairs: u64,
    pub(crate) cpu_micros: u64,
}

/// So many clients, each on an account of its choice each time.
pub(crate) async fn closed<P: Pairs>(
    pairs: &P,
    payers: &[Payer],
    clients: usize,
    lasts: Duration,
    cpu: impl Fn() -> Result<u64, Failed>,
) -> Result<Carried, Failed> {
    let (done, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let payers: Arc<[Payer]> = payers.into();
    let mut asking = JoinSet::new();
    for (seed, _) in (1..).zip(0..clients) {
        let (pairs, payers, done, stop) = (pairs.clone(), payers.clone(), done.clone(), stop.clone());
        asking.spawn(async move {
            let mut random = Random::new(seed);
            while !stop.load(Ordering::Relaxed) {
                let held = pairs.hold(payers[random.below(payers.len())]).await?;
                pairs.settle(held).await?;
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Failed>(())
        });
    }
    sleep(WARM_UP).await;
    let before = (done.load(Ordering::Relaxed), cpu()?);
    sleep(lasts).await;
    let after = (done.load(Ordering::Relaxed), cpu()?);
    stop.store(true, Ordering::Relaxed);
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok(Carried { pairs: after.0 - before.0, cpu_micros: after.1.saturating_sub(before.1) })
}

/// The waits of holds, sorted, from when they were due.
pub(crate) async fn open<P: Pairs>(
    pairs: &P,
    payers: &[Payer],
    per_second: u32,
    lasts: Duration,
) -> Result<Vec<Duration>, Failed> {
    let total = u32::try_from(u128::from(per_second) * lasts.as_millis() / 1000)?;
    let mut dues = paced(total, Duration::from_secs(1) / per_second);
    let mut random = Random::new(1);
    let mut asking = JoinSet::new();
    while let Some(due) = dues.recv().await {
        let (pairs, payer) = (pairs.clone(), payers[random.below(payers.len())]);
        asking.spawn(async move {
            let held = pairs.hold(payer).await?;
            let waited = due.elapsed();
            pairs.settle(held).await?;
            Ok::<_, Failed>(waited)
        });
    }
    let mut waited = Vec::new();
    while let Some(done) = asking.join_next().await {
        waited.push(done??);
    }
    waited.sort_unstable();
    Ok(waited)
}

/// The moments at which asks are due. On a thread of its own: the timers of the runtime are a millisecond wide, which is as
/// long as what is measured.
fn paced(total: u32, pause: Duration) -> mpsc::UnboundedReceiver<Instant> {
    let (tell, dues) = mpsc::unbounded_channel();
    thread::spawn(move || {
        let start = Instant::now();
        for number in 0..total {
            let due = start + pause * number;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            // Nobody asks any more when one of them failed.
            if tell.send(due).is_err() {
                return;
            }
        }
    });
    dues
}
