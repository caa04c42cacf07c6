//! Waiting for a condition.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// Asks until the answer is there.
///
/// # Panics
/// After half a minute: whatever is waited for here takes milliseconds.
pub async fn until<T, Fut: Future<Output = Option<T>>>(what: &str, mut ask: impl FnMut() -> Fut) -> T {
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < patience, "waited in vain for {what}");
        // The pause between two questions; the wait itself is for the condition.
        sleep(Duration::from_millis(5)).await;
    }
}
