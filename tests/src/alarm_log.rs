//! What the servers of a test ring for: the lines of their log that an operator is woken by, as they are written.

use std::collections::HashMap;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError};

use serde_json::Value;
use tokio::runtime::{Handle, Id};
use tollgate_base::Clock;
use tollgate_telemetry::AlarmFeed;

use crate::wait::until_later;

/// The alarms of each runtime; each test has one of its own.
static RUNG: LazyLock<Mutex<HashMap<Id, Vec<Value>>>> = LazyLock::new(Mutex::default);

/// The alarms of the servers of this test.
#[derive(Debug, Clone, Copy)]
pub struct AlarmLog(Id);

impl AlarmLog {
    /// Those of the servers in this process that run in the runtime of the test which calls.
    ///
    /// # Panics
    /// Outside of one.
    #[must_use]
    pub fn of_this_test() -> Self {
        Self::listen();
        Self(Handle::current().id())
    }

    /// Keeps what rings from now on. Servers of the harness see to it that it is called before they ring.
    ///
    /// # Panics
    /// When another log was started in this process.
    pub(crate) fn listen() {
        static LISTENING: Once = Once::new();
        LISTENING.call_once(|| {
            let (feed, clock) = (AlarmFeed::default(), Clock::system());
            let log = tollgate_telemetry::log("off", true, || Line, &feed, &clock).expect("a filter");
            tracing::dispatcher::set_global_default(log).expect("no other log");
        });
    }

    /// What has rung so far, the fields of each line.
    #[must_use]
    pub fn rung(self) -> Vec<Value> {
        all().get(&self.0).cloned().unwrap_or_default()
    }

    /// Waits until one alarm has rung so often, and no other: the fields of each line.
    ///
    /// # Panics
    /// When it has rung more often, or another has.
    pub async fn ring(self, alarm: &str, times: usize) -> Vec<Value> {
        let rung = until_later(alarm, async || Some(self.rung()).filter(|rung| rung.len() >= times)).await;
        assert!(rung.len() == times && rung.iter().all(|rung| rung["alarm"] == alarm), "{rung:?}");
        rung
    }

    /// Waits until one alarm rings, whatever else does: the fields of its line.
    pub async fn rings(self, alarm: &str) -> Value {
        until_later(alarm, async || self.rung().into_iter().find(|rung| rung["alarm"] == alarm)).await
    }
}

fn all() -> MutexGuard<'static, HashMap<Id, Vec<Value>>> {
    RUNG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A line of the log, which is written at once.
struct Line;

impl io::Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let told: Value = serde_json::from_slice(line)?;
        if let Ok(runtime) = Handle::try_current() {
            all().entry(runtime.id()).or_default().push(told["fields"].clone());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
