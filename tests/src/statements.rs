//! What the server asks its database, as it tells its log at its most talkative.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Dispatch, Event, Metadata, Subscriber};

/// Who tells it.
const TOLD_BY: &str = "tollgate_store::query";

/// A statement, and how many rows it found or changed.
type Ran = (String, u64);

/// Collects the statements that are run on this thread, which are all of a server in a runtime of one thread, until it is
/// dropped.
#[derive(Debug)]
pub struct Statements {
    ran: Arc<Mutex<Vec<Ran>>>,
    _default: DefaultGuard,
    /// While there is but one, what another thread comes by first is decided by that thread's, and never heard of here.
    _second: Dispatch,
}

impl Statements {
    /// Collects from now on.
    #[must_use]
    pub fn of_this_thread() -> Self {
        let ran = Arc::default();
        let second = Dispatch::new(Listener(Arc::default()));
        let default = set_default(Listener(Arc::clone(&ran)));
        Self { ran, _default: default, _second: second }
    }

    /// What was run since the last call.
    ///
    /// # Panics
    /// When a caller panicked.
    pub fn take(&self) -> Vec<Ran> {
        std::mem::take(&mut self.ran.lock().expect("nobody panics with it"))
    }

    /// How many statements were run more than once since then.
    ///
    /// # Panics
    /// When a caller panicked.
    #[must_use]
    pub fn repeated(&self) -> usize {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        let ran = self.ran.lock().expect("nobody panics with it");
        for (statement, _) in &*ran {
            *times.entry(statement).or_default() += 1;
        }
        times.values().filter(|times| **times > 1).count()
    }
}

/// Hears the one event, and nothing else.
struct Listener(Arc<Mutex<Vec<Ran>>>);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target() == TOLD_BY
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut told = Told::default();
        event.record(&mut told);
        self.0.lock().expect("nobody panics with it").push((told.statement, told.rows));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Told {
    statement: String,
    rows: u64,
}

impl Visit for Told {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "statement" {
            value.clone_into(&mut self.statement);
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "rows" {
            self.rows = value;
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
