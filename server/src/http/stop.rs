//! The stop signal from the listener to each connection.

use tokio::sync::watch;

/// Sends the stop signal.
#[derive(Debug)]
pub(super) struct Stopper(watch::Sender<bool>);

/// Receives the stop signal.
#[derive(Debug, Clone)]
pub(super) struct Stop(watch::Receiver<bool>);

impl Stopper {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// A receiver for one connection.
    pub(super) fn listener(&self) -> Stop {
        Stop(self.0.subscribe())
    }

    /// Sends the signal to all receivers.
    pub(super) fn tell(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// Resolves once the signal was sent, or its sender is gone.
    pub(super) async fn told(&mut self) {
        let _ = self.0.wait_for(|told| *told).await;
    }
}
