//! The rows that want a server of their own: its start, its first request, its memory, and its accounts.

use std::cell::Cell;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::format::Format;
use crate::load::{closed, one_by_one, percentile};
use crate::measure::{Measured, WARM_UP, WARM_UP_STREAMS, micros};
use crate::report::Figure;
use crate::subject::{Running, Subject};
use crate::{Failed, body, formats};

const CONNECTIONS: u32 = 64;
const STREAMS: u32 = 1000;
/// Accounts that share a load.
const ACCOUNTS: [usize; 2] = [1, 1000];
/// A pause after which a server is idle again.
const REST: Duration = Duration::from_secs(1);

/// A subject of which each row starts another server.
pub(crate) struct Fresh<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) provider: &'a str,
    pub(crate) lasts: Duration,
    pub(crate) taken: &'a mut Vec<Figure>,
}

impl Fresh<'_> {
    /// Takes the rows whose group's name begins with `only`.
    pub(crate) async fn all(&mut self, only: &str) -> Result<(), Failed> {
        if "start".starts_with(only) {
            self.start().await?;
        }
        if "cold".starts_with(only) {
            self.cold().await?;
        }
        if "memory".starts_with(only) {
            self.memory().await?;
        }
        for count in ACCOUNTS {
            let name = format!("accounts/{count}");
            // The accounts are opened by this build, and another one may not know its schema.
            let is_possible = count == 1 || !matches!(self.subject, Subject::OtherGateway(_));
            if is_possible && name.starts_with(only) {
                self.accounts(&name, count).await?;
            }
        }
        if self.subject.build().is_some() {
            self.streamed_formats(only).await?;
        }
        Ok(())
    }

    /// The time from the start of the process to the end of its first answer, and the size of the program.
    async fn start(&mut self) -> Result<(), Failed> {
        let prepared = self.subject.prepare(self.provider, 1).await?;
        let began = Instant::now();
        let running = prepared.start()?;
        let target = running.measured(self.lasts, self.taken).target(body::small());
        one_by_one(&target, Duration::ZERO).await?;
        let took = began.elapsed();
        self.add("start/first answer", "us", micros(took));
        if let Some(build) = self.subject.build() {
            let folder = tempfile::tempdir()?;
            let stripped = folder.path().join("stripped");
            if !Command::new("strip").arg("-o").arg(&stripped).arg(build).status()?.success() {
                return Err("the program could not be stripped".into());
            }
            self.add("start/program, stripped", "KiB", std::fs::metadata(&stripped)?.len() >> 10);
        }
        Ok(())
    }

    /// The first request that a server gets, and those of one connection after it.
    async fn cold(&mut self) -> Result<(), Failed> {
        let running = self.running(1).await?;
        let target = running.measured(self.lasts, self.taken).target(body::small());
        let first = one_by_one(&target, Duration::ZERO).await?;
        self.add("cold/first request", "us", micros(first[0]));
        let mut waited = one_by_one(&target, self.lasts).await?;
        waited.sort_unstable();
        self.add("cold/1 connection p50", "us", micros(percentile(&waited, 50)));
        Ok(())
    }

    /// Memory before a load, after it, and while streams are open.
    async fn memory(&mut self) -> Result<(), Failed> {
        let running = self.running(1).await?;
        let mut measured = running.measured(self.lasts, self.taken);
        tokio::time::sleep(REST).await;
        let idle = measured.server.memory_kib()?;
        measured.add("memory/idle", "KiB", idle);
        measured.carry(&measured.target(body::small()), CONNECTIONS, WARM_UP).await?;
        tokio::time::sleep(REST).await;
        let after = measured.server.memory_kib()?;
        measured.add("memory/after load", "KiB", after);
        let each = open_streams_bytes(&measured).await?.saturating_sub(after * 1024) / u64::from(STREAMS);
        measured.add("memory/open stream", "bytes", each);
        Ok(())
    }

    /// The same load whoever pays.
    async fn accounts(&mut self, name: &str, count: usize) -> Result<(), Failed> {
        let running = self.running(count).await?;
        let measured = running.measured(self.lasts, self.taken);
        let carried = measured.carry(&measured.target(body::small()), CONNECTIONS, WARM_UP).await?;
        let rate = measured.rate(&carried);
        self.add(name, "us/request", carried.each()?);
        self.add(&format!("{name}, rate"), "requests/s", rate);
        Ok(())
    }

    /// Streams of each format over a provider of its own.
    async fn streamed_formats(&mut self, only: &str) -> Result<(), Failed> {
        for format in Format::ALL {
            let name = formats::streams_of(format);
            if name.starts_with(only) {
                let running = self.running(1).await?;
                running.measured(self.lasts, self.taken).streams_of(format, &name).await?;
            }
        }
        Ok(())
    }

    async fn running(&self, accounts: usize) -> Result<Running, Failed> {
        self.subject.prepare(self.provider, accounts).await?.start()
    }

    fn add(&mut self, name: &str, unit: &'static str, value: u64) {
        self.taken.push(Figure { name: name.to_owned(), unit, value });
    }
}

/// Memory of a server while so many streams are open, in bytes: read where the window begins and where it ends.
async fn open_streams_bytes(measured: &Measured<'_>) -> Result<u64, Failed> {
    let most = Cell::new(0);
    closed(&measured.target(body::stream()), STREAMS, WARM_UP_STREAMS, measured.lasts, || {
        most.set(measured.server.memory_kib()?.max(most.get()));
        measured.server.cpu_micros()
    })
    .await?;
    Ok(most.get() * 1024)
}
