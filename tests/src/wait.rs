//! Waiting for a condition.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// A bound for a hang, where what is waited for takes milliseconds. No longer than the half minute that the server gives
/// an answer whose client has gone: one that ends it at once is told from one that waits for that.
const AT_ONCE: Duration = Duration::from_secs(30);
/// A bound for a hang, where the server itself pauses before, for 15 s at a time. Shorter than a minute: what a server
/// does each minute anyway is not taken for what it should do sooner.
const LATER: Duration = Duration::from_secs(50);

/// Asks until the answer is there. For what the server does without a pause.
///
/// # Panics
/// After half a minute: whatever is waited for here takes milliseconds.
pub async fn until<T, Fut: Future<Output = Option<T>>>(what: &str, ask: impl FnMut() -> Fut) -> T {
    until_within(AT_ONCE, what, ask).await
}

/// Asks until the answer is there. For what comes after pauses of the server: between two looks at a chain, say.
///
/// # Panics
/// After 50 s.
pub async fn until_later<T, Fut: Future<Output = Option<T>>>(what: &str, ask: impl FnMut() -> Fut) -> T {
    until_within(LATER, what, ask).await
}

/// Asks until the answer is there, within a bound that the test has a reason for.
///
/// # Panics
/// When the bound is over.
pub async fn until_within<T, Fut: Future<Output = Option<T>>>(
    bound: Duration,
    what: &str,
    mut ask: impl FnMut() -> Fut,
) -> T {
    let end = Instant::now() + bound;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        // The pause between two questions; the wait itself is for the condition.
        sleep(Duration::from_millis(5)).await;
    }
}
