//! A gate that holds something up until a test opens it.

use std::sync::Arc;

use tokio::sync::watch;

/// Closed until opened; then open for all, for good.
#[derive(Debug, Clone)]
pub struct ReplyGate(Arc<watch::Sender<bool>>);

impl Default for ReplyGate {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl ReplyGate {
    /// Lets everyone through.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    /// Whether it is.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is open.
    pub async fn passed(&self) {
        let mut open = self.0.subscribe();
        open.wait_for(|open| *open).await.expect("the gate outlives those who wait at it");
    }
}
