//! The rows of format R: responses that the server stores and that it does not, and conversations over stored ones.

use std::time::Duration;

use bytes::Bytes;

use crate::Failed;
use crate::connection::{Kind, Target};
use crate::conversation::TURNS;
use crate::format::{Format, model};
use crate::load::{one_by_one, percentile};
use crate::measure::{Measured, WARM_UP, micros};

const CONNECTIONS: u32 = 64;
/// Conversations at the same time.
const CONVERSATIONS: u32 = 16;
/// The warm-up of conversations: each is past its first turns when the window begins.
const WARM_UP_TURNS: Duration = Duration::from_secs(2);

impl Measured<'_> {
    /// Takes the rows whose names begin with `only`.
    pub(crate) async fn responses(&mut self, only: &str) -> Result<(), Failed> {
        let model = model(Format::Responses);
        let bodies = [
            ("responses/stored", Format::stored_body(&model)),
            ("responses/unstored", Format::Responses.body(&model, 1, false)),
        ];
        for (name, body) in bodies {
            if name.starts_with(only) {
                let carried = self.carry(&self.response(body, Kind::Plain), CONNECTIONS, WARM_UP).await?;
                self.add(name, "us/request", carried.each()?);
                self.add(&format!("{name}, rate"), "requests/s", self.rate(&carried));
            }
        }
        if "responses/conversation".starts_with(only) {
            self.conversations("responses/conversation").await?;
        }
        Ok(())
    }

    /// Many at the same time for the CPU time of a turn, and one alone for the wait of its first turn and its last.
    async fn conversations(&mut self, name: &str) -> Result<(), Failed> {
        let target = self.response(Format::stored_body(&model(Format::Responses)), Kind::Continued);
        let carried = self.carry(&target, CONVERSATIONS, WARM_UP_TURNS).await?;
        self.add(name, "us/turn", carried.each()?);
        let waited = one_by_one(&target, self.lasts).await?;
        for turn in [1, TURNS] {
            let mut waits: Vec<Duration> = waited.iter().skip(turn - 1).step_by(TURNS).copied().collect();
            if waits.is_empty() {
                return Err(format!("no conversation came to turn {turn} within the window").into());
            }
            waits.sort_unstable();
            self.add(&format!("{name}, turn {turn} p50"), "us", micros(percentile(&waits, 50)));
        }
        Ok(())
    }

    fn response(&self, body: Bytes, kind: Kind) -> Target {
        let path = Format::Responses.path(&model(Format::Responses), false);
        Target { path, kind, ..self.target(body) }
    }
}
