//! The rows of the table, each taken from a server that runs.

use std::time::Duration;

use crate::load::{self, Carried, Kind, Target, percentile};
use crate::process::Server;
use crate::report::Figure;
use crate::{Failed, body};

/// Of an open loop. At 50 streams of two seconds a second, a hundred are under way.
const OPEN_CONNECTIONS: usize = 256;
const WARM_UP: Duration = Duration::from_secs(1);
/// The streams have begun one after the other, and the first have ended, before the window begins.
pub(crate) const WARM_UP_STREAMS: Duration = Duration::from_millis(2500);

/// One server under test, and where its figures go.
pub(crate) struct Measured<'a> {
    pub(crate) server: &'a Server,
    pub(crate) address: String,
    pub(crate) key: String,
    pub(crate) lasts: Duration,
    pub(crate) taken: &'a mut Vec<Figure>,
}

impl Measured<'_> {
    /// Takes the rows of format O whose group's name begins with `only`.
    pub(crate) async fn all(&mut self, only: &str) -> Result<(), Failed> {
        let idle = self.server.memory_kib()?;
        self.add("memory idle", "KiB", idle);
        if "closed".starts_with(only) {
            self.closed().await?;
        }
        if "large".starts_with(only) {
            self.large().await?;
        }
        if "open".starts_with(only) {
            self.open().await?;
        }
        if "streams".starts_with(only) {
            self.streams().await?;
        }
        let (end, peak) = (self.server.memory_kib()?, self.server.memory_peak_kib()?);
        self.add("memory at the end", "KiB", end);
        self.add("memory peak", "KiB", peak);
        Ok(())
    }

    /// What it can carry.
    async fn closed(&mut self) -> Result<(), Failed> {
        for (connections, cpu, rate) in
            [(1, "CPU, 1 connection", "rate, 1"), (64, "CPU, 64", "rate, 64"), (256, "CPU, 256", "rate, 256")]
        {
            let carried = self.carry(&self.target(body::small()), connections, WARM_UP).await?;
            self.add(cpu, "us/request", carried.each()?);
            self.add(rate, "requests/s", carried.answers * 1000 / millis(self.lasts));
        }
        Ok(())
    }

    async fn large(&mut self) -> Result<(), Failed> {
        let carried = self.carry(&self.target(body::large()), 16, WARM_UP).await?;
        self.add("CPU, 16 x 100 KB", "us/request", carried.each()?);
        Ok(())
    }

    /// What a client waits, and for what: the provider is asked once the hold is on the disk.
    async fn open(&mut self) -> Result<(), Failed> {
        let waited = load::open(&self.target(body::small()), 500, OPEN_CONNECTIONS, self.lasts).await?;
        self.add("asks the provider, 500/s p50", "us", micros(percentile(&waited.asked, 50)));
        self.add("asks the provider, 500/s p99", "us", micros(percentile(&waited.asked, 99)));
        let waited = load::open(&self.target(body::small()), 1000, OPEN_CONNECTIONS, self.lasts).await?;
        self.add("first byte, 1,000/s p50", "us", micros(percentile(&waited.first, 50)));
        self.add("first byte, 1,000/s p99", "us", micros(percentile(&waited.first, 99)));
        let peak = self.server.memory_peak_kib()?;
        self.add("memory peak without streams", "KiB", peak);
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

    /// What is carried in a closed loop, and the CPU time of the server for it.
    pub(crate) async fn carry(&self, target: &Target, connections: u32, warm_up: Duration) -> Result<Carried, Failed> {
        load::closed(target, connections, warm_up, self.lasts, || self.server.cpu_micros()).await
    }

    pub(crate) fn target(&self, body: bytes::Bytes) -> Target {
        let path = "/v1/chat/completions".to_owned();
        Target { address: self.address.clone(), key: self.key.clone(), path, version: false, kind: Kind::Plain, body }
    }

    pub(crate) fn add(&mut self, name: &str, unit: &'static str, value: u64) {
        self.taken.push(Figure { name: name.to_owned(), unit, value });
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
