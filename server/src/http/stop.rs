//! The word that no more is to be asked, on its way from the listener to each connection.

use tokio::sync::watch;

/// Says it.
#[derive(Debug)]
pub(super) struct Stopper(watch::Sender<bool>);

/// Hears it.
#[derive(Debug, Clone)]
pub(super) struct Stop(watch::Receiver<bool>);

impl Stopper {
    pub(super) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// For one connection.
    pub(super) fn listener(&self) -> Stop {
        Stop(self.0.subscribe())
    }

    /// Tells all.
    pub(super) fn tell(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// Resolves once it was said, or nobody is left to say it.
    pub(super) async fn told(&mut self) {
        let _ = self.0.wait_for(|told| *told).await;
    }
}
