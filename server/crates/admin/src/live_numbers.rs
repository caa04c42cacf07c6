//! The numbers of the overview that change while somebody looks.

use serde::Serialize;
use tokio::sync::watch;

/// The numbers of the overview, for all who look at it. Clones are one feed.
#[derive(Debug, Clone, Default)]
pub struct LiveNumbersFeed(watch::Sender<Option<LiveNumbers>>);

impl LiveNumbers {
    /// The numbers as `ConsoleNumbers` of the spec.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts are JSON")
    }
}

impl LiveNumbersFeed {
    /// The number of those who look.
    pub(crate) fn receiver_count(&self) -> usize {
        self.0.receiver_count()
    }

    /// The numbers from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<LiveNumbers>> {
        self.0.subscribe()
    }

    /// Shows numbers to all who look.
    pub(crate) fn send(&self, numbers: LiveNumbers) {
        self.0.send_replace(Some(numbers));
    }
}

/// The numbers, as the page shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct LiveNumbers {
    pub(crate) available: String,
    pub(crate) held: String,
    pub(crate) in_flight: String,
    pub(crate) alarms: String,
    pub(crate) set_aside: String,
    pub(crate) servers: String,
    pub(crate) unsealed: String,
}
