//! What runs beside requests, until the gateway is told to stop.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::Service;

/// Starts the workers.
pub(super) fn start(service: &Arc<Service>, tasks: &TaskTracker, stopped: &watch::Receiver<bool>) {
    let (gateway, stop) = (service.gateway.clone(), told(stopped.clone()));
    tasks.spawn(async move {
        tokio::select! {
            () = gateway.sweep_for_ever() => {}
            () = stop => {}
        }
    });
    let (videos, stop) = (service.videos.clone(), told(stopped.clone()));
    tasks.spawn(async move {
        tokio::select! {
            () = videos.sweep_for_ever() => {}
            () = stop => {}
        }
    });
    let (repeats, stop) = (service.repeats.clone(), told(stopped.clone()));
    tasks.spawn(async move {
        tokio::select! {
            () = repeats.purge_for_ever() => {}
            () = stop => {}
        }
    });
    let (credit, stop) = (service.credit.clone(), told(stopped.clone()));
    tasks.spawn(async move {
        tokio::select! {
            () = credit.seal_for_ever() => {}
            () = stop => {}
        }
    });
    let accounts = service.accounts.clone();
    let stop = told(stopped.clone());
    tasks.spawn(async move {
        tokio::select! {
            () = accounts.watch() => {}
            () = stop => {}
        }
    });
}

/// Resolves when the gateway was told to stop.
pub(super) async fn told(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, and the gateway with it.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
