//! Background tasks, which run until the gateway is told to stop.

use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::Service;

/// Starts the workers.
pub(super) fn start(service: &Arc<Service>, tasks: &TaskTracker, stopped: &watch::Receiver<bool>) {
    let Service { gateway, videos, credit, accounts, topups, x402, checkouts, reconciler, .. } = &**service;
    let (gateway, videos, repeats) = (gateway.clone(), videos.clone(), credit.idempotency().clone());
    let (credit, accounts) = (credit.clone(), accounts.clone());
    let (topups, x402, checkouts) = (topups.clone(), x402.clone(), checkouts.clone());
    run_until_stopped(tasks, stopped, async move { gateway.sweep_for_ever().await });
    run_until_stopped(tasks, stopped, async move { videos.sweep_for_ever().await });
    run_until_stopped(tasks, stopped, async move { repeats.purge_for_ever().await });
    let making = credit.clone();
    run_until_stopped(tasks, stopped, async move { making.make_months_for_ever().await });
    run_until_stopped(tasks, stopped, async move { credit.seal_for_ever().await });
    let telling = topups.clone();
    run_until_stopped(tasks, stopped, async move { telling.report_orphaned_for_ever().await });
    run_until_stopped(tasks, stopped, async move { topups.expire_for_ever().await });
    run_until_stopped(tasks, stopped, async move { x402.settle_for_ever().await });
    run_until_stopped(tasks, stopped, async move { checkouts.watch_for_ever().await });
    let (reconciler, comparing) = (reconciler.clone(), service.credit.clone());
    run_until_stopped(tasks, stopped, async move { reconciler.compare_for_ever(&comparing).await });
    run_until_stopped(tasks, stopped, async move { accounts.watch().await });
    let identities = service.identities.clone();
    run_until_stopped(tasks, stopped, async move { identities.end_unseen_for_ever().await });
    let catalog = service.catalog.clone();
    run_until_stopped(tasks, stopped, async move { catalog.follow_for_ever().await });
    let admin = service.admin.clone();
    run_until_stopped(tasks, stopped, async move { admin.count_live_for_ever().await });
    let alarms = service.alarms.clone();
    run_until_stopped(tasks, stopped, async move { alarms.record_for_ever().await });
    run_until_stopped(tasks, stopped, super::allocator::give_back_for_ever());
}

/// Runs an endless task until the gateway is told to stop.
fn run_until_stopped(
    tasks: &TaskTracker,
    stopped: &watch::Receiver<bool>,
    work: impl Future<Output = ()> + Send + 'static,
) {
    let stop = stop_signal(stopped.clone());
    tasks.spawn(async move {
        tokio::select! {
            () = work => {}
            () = stop => {}
        }
    });
}

/// Resolves when the gateway was told to stop.
pub(super) async fn stop_signal(mut stopped: watch::Receiver<bool>) {
    // An error means that the sender is gone, and the gateway with it.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}
