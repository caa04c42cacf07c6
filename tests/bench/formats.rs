//! The rows of the formats, of a gateway alone: each client format over a provider of its own, whole and streamed, and
//! each conversion.

use std::time::Duration;

use crate::Failed;
use crate::connection::{Kind, Target};
use crate::format::{Format, model};
use crate::measure::{Measured, WARM_UP_STREAMS};

const CONNECTIONS: u32 = 64;
const WARM_UP: Duration = Duration::from_millis(500);
/// Turns of a small question and of a conversation of ten KiB.
const SMALL: usize = 2;
const CONVERSATION: usize = 20;

/// The name of the rows of a format over its own, streamed. They want a server to themselves, because they tell its memory.
pub(crate) fn streams_of(format: Format) -> String {
    format!("formats/{}/streams", format.name())
}

impl Measured<'_> {
    /// Each format over its own, whole; and each conversion, whole and streamed.
    pub(crate) async fn formats(&mut self, only: &str) -> Result<(), Failed> {
        for format in Format::ALL {
            let name = format!("formats/{}/whole", format.name());
            if name.starts_with(only) {
                let cpu = self.cpu(self.ask(format, format, SMALL, false), CONNECTIONS, WARM_UP).await?;
                self.add(&name, "us/request", cpu);
            }
        }
        for client in Format::ALL {
            self.conversions(client, only).await?;
        }
        Ok(())
    }

    async fn conversions(&mut self, client: Format, only: &str) -> Result<(), Failed> {
        let name = |provider: Format, kind: &str| format!("conversions/{}/{}/{kind}", client.name(), provider.name());
        let wants = |kind: &'static str| {
            Format::ALL.into_iter().filter(move |provider| name(*provider, kind).starts_with(only))
        };
        if wants("whole").next().is_some() {
            let ask = self.ask(client, client, CONVERSATION, false);
            let body_bytes = u64::try_from(ask.body.len())?;
            let same = self.cpu(ask, CONNECTIONS, WARM_UP).await?;
            self.add(&name(client, "whole"), "us/request", same);
            for provider in wants("whole").filter(|provider| *provider != client) {
                let cpu = self.cpu(self.ask(client, provider, CONVERSATION, false), CONNECTIONS, WARM_UP).await?;
                self.add(&name(provider, "whole"), "us/request", cpu);
                // The cost beside the same request to a provider that speaks as the client does.
                let each = cpu.saturating_sub(same) * 1000 * 1024 / body_bytes;
                self.add(&name(provider, "conversion"), "ns/KiB", each);
            }
        }
        for provider in wants("streamed").filter(|provider| *provider != client) {
            let cpu = self.cpu(self.ask(client, provider, SMALL, true), 200, WARM_UP_STREAMS).await?;
            self.add(&name(provider, "streamed"), "us/stream", cpu);
        }
        Ok(())
    }

    /// A format over its own, streamed, and what a stream occupies. The server has done nothing else.
    pub(crate) async fn streams_of(&mut self, format: Format, name: &str) -> Result<(), Failed> {
        let idle = self.server.memory_kib()?;
        for streams in [200, 1000] {
            let cpu = self.cpu(self.ask(format, format, SMALL, true), streams, WARM_UP_STREAMS).await?;
            self.add(&format!("{name}, {streams}"), "us/stream", cpu);
        }
        let each = self.server.memory_peak_kib()?.saturating_sub(idle) / 1000;
        self.add(&format!("{name}, memory of each"), "KiB", each);
        Ok(())
    }

    fn ask(&self, client: Format, provider: Format, turns: usize, stream: bool) -> Target {
        let model = model(provider);
        Target {
            address: self.address.clone(),
            keys: self.keys.clone(),
            path: client.path(&model, stream),
            kind: Kind::Plain,
            version: client == Format::Messages,
            body: client.body(&model, turns, stream),
        }
    }

    /// CPU time of the server for one answer, of those that `connections` connections ask for.
    async fn cpu(&self, target: Target, connections: u32, warm_up: Duration) -> Result<u64, Failed> {
        self.carry(&target, connections, warm_up).await?.each()
    }
}
