//! The rows of the table, each taken from a server that runs.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::connection::{Kind, Target};
use crate::load::{self, Carried, percentile, permille};
use crate::process::Server;
use crate::report::Figure;
use crate::{Failed, body};

/// Of an open loop. At 50 streams of two seconds a second, a hundred are under way.
const OPEN_CONNECTIONS: usize = 256;
pub(crate) const WARM_UP: Duration = Duration::from_secs(1);
/// The streams have begun one after the other, and the first have ended, before the window begins.
pub(crate) const WARM_UP_STREAMS: Duration = Duration::from_millis(2500);
/// Closed loops of small bodies: connections, and the names of their rows.
const CLOSED: [(u32, &str, &str); 5] = [
    (1, "CPU, 1 connection", "rate, 1"),
    (16, "CPU, 16", "rate, 16"),
    (64, "CPU, 64", "rate, 64"),
    (256, "CPU, 256", "rate, 256"),
    (1000, "CPU, 1,000", "rate, 1,000"),
];
/// Closed loops of large ones.
const LARGE: [(u32, &str); 2] = [(16, "CPU, 16 x 100 KB"), (64, "CPU, 64 x 100 KB")];
/// Connections that ask for embeddings: the answers are large.
const EMBEDDING_CONNECTIONS: u32 = 16;

/// One server under test, and the list of its figures.
pub(crate) struct Measured<'a> {
    pub(crate) server: &'a Server,
    pub(crate) address: String,
    pub(crate) keys: Arc<[String]>,
    pub(crate) lasts: Duration,
    pub(crate) taken: &'a mut Vec<Figure>,
}

impl Measured<'_> {
    /// Takes the rows of one server whose group's name begins with `only`.
    pub(crate) async fn all(&mut self, only: &str, open: Duration) -> Result<(), Failed> {
        let idle = self.server.memory_kib()?;
        self.add("memory idle", "KiB", idle);
        if "closed".starts_with(only) {
            self.closed().await?;
        }
        if "large".starts_with(only) {
            self.large().await?;
        }
        if "open".starts_with(only) {
            self.open(open).await?;
        }
        self.responses(only).await?;
        if "embeddings/256".starts_with(only) {
            self.embeddings("embeddings/256").await?;
        }
        if "streams".starts_with(only) {
            self.streams().await?;
        }
        let (end, peak) = (self.server.memory_kib()?, self.server.memory_peak_kib()?);
        self.add("memory at the end", "KiB", end);
        self.add("memory peak", "KiB", peak);
        Ok(())
    }

    /// The load that it can carry.
    async fn closed(&mut self) -> Result<(), Failed> {
        for (connections, cpu, rate) in CLOSED {
            let carried = self.carry(&self.target(body::small()), connections, WARM_UP).await?;
            self.add(cpu, "us/request", carried.each()?);
            self.add(rate, "requests/s", self.rate(&carried));
        }
        Ok(())
    }

    async fn large(&mut self) -> Result<(), Failed> {
        for (connections, cpu) in LARGE {
            let carried = self.carry(&self.target(body::large()), connections, WARM_UP).await?;
            self.add(cpu, "us/request", carried.each()?);
        }
        Ok(())
    }

    /// The waits of a client, and the part before the provider is asked, which is once the hold is on the disk.
    async fn open(&mut self, lasts: Duration) -> Result<(), Failed> {
        let waited = load::open(&self.target(body::small()), 500, OPEN_CONNECTIONS, self.lasts).await?;
        if waited.asked.is_empty() {
            return Err("answers that do not say when the provider was asked".into());
        }
        self.add("asks the provider, 500/s p50", "us", micros(percentile(&waited.asked, 50)));
        self.add("asks the provider, 500/s p99", "us", micros(percentile(&waited.asked, 99)));
        let waited = load::open(&self.target(body::small()), 1000, OPEN_CONNECTIONS, lasts).await?;
        self.add("first byte, 1,000/s p50", "us", micros(percentile(&waited.first, 50)));
        self.add("first byte, 1,000/s p99", "us", micros(percentile(&waited.first, 99)));
        self.add("first byte, 1,000/s p99.9", "us", micros(permille(&waited.first, 999)));
        let peak = self.server.memory_peak_kib()?;
        self.add("memory peak without streams", "KiB", peak);
        Ok(())
    }

    async fn embeddings(&mut self, name: &str) -> Result<(), Failed> {
        let target = Target { path: "/v1/embeddings".to_owned(), ..self.target(body::embeddings()) };
        let carried = self.carry(&target, EMBEDDING_CONNECTIONS, WARM_UP).await?;
        self.add(name, "us/request", carried.each()?);
        Ok(())
    }

    async fn streams(&mut self) -> Result<(), Failed> {
        let memory = self.server.memory_kib()?;
        for (streams, cpu) in [(200, "CPU, 200 streams"), (1000, "CPU, 1,000 streams")] {
            let carried = self.carry(&self.target(body::stream()), streams, WARM_UP_STREAMS).await?;
            self.add(cpu, "us/stream", carried.each()?);
        }
        let each = self.server.memory_kib()?.saturating_sub(memory) / 1000;
        self.add("memory, each of 1,000 streams", "KiB", each);
        let waited = load::open(&self.target(body::stream()), 50, OPEN_CONNECTIONS, self.lasts).await?;
        self.add("first streamed byte p50", "us", micros(percentile(&waited.first, 50)));
        self.add("first streamed byte p99", "us", micros(percentile(&waited.first, 99)));
        Ok(())
    }

    /// A closed loop, and the CPU time of the server for it.
    pub(crate) async fn carry(&self, target: &Target, connections: u32, warm_up: Duration) -> Result<Carried, Failed> {
        load::closed(target, connections, warm_up, self.lasts, || self.server.cpu_micros()).await
    }

    /// Answers a second.
    pub(crate) fn rate(&self, carried: &Carried) -> u64 {
        carried.answers * 1000 / u64::try_from(self.lasts.as_millis()).unwrap_or(u64::MAX).max(1)
    }

    /// A request of format O.
    pub(crate) fn target(&self, body: Bytes) -> Target {
        let path = "/v1/chat/completions".to_owned();
        let (address, keys) = (self.address.clone(), self.keys.clone());
        Target { address, keys, path, version: false, kind: Kind::Plain, body }
    }

    pub(crate) fn add(&mut self, name: &str, unit: &'static str, value: u64) {
        self.taken.push(Figure { name: name.to_owned(), unit, value });
    }
}

pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
