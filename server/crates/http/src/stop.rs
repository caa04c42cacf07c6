//! The stop signal from the listener to each connection.

use tokio::sync::watch;

/// Sends the stop signal.
#[derive(Debug)]
pub(super) struct StopSender(watch::Sender<bool>);

/// Receives the stop signal.
#[derive(Debug, Clone)]
pub(super) struct StopReceiver(watch::Receiver<bool>);

impl StopSender {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// A receiver for one connection.
    pub(super) fn listener(&self) -> StopReceiver {
        StopReceiver(self.0.subscribe())
    }

    /// Sends the signal to all receivers.
    pub(super) fn send(&self) {
        self.0.send_replace(true);
    }
}

impl StopReceiver {
    /// Resolves once the signal was sent, or its sender is gone.
    pub(super) async fn wait(&mut self) {
        let _ = self.0.wait_for(|told| *told).await;
    }
}
