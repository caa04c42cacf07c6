//! The client of a request under way: connected, gone, or gone for longer than its request is carried on.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// A client that waits for an answer of type `T`, and may disconnect.
#[derive(Debug)]
pub struct WaitingClient<T> {
    reply: oneshot::Sender<T>,
    absence: DisconnectGrace,
}

/// The time for which work goes on for a client that has gone: one deadline for all its steps.
#[derive(Debug, Clone)]
pub struct DisconnectGrace {
    patience: Duration,
    /// Cancelled when the gateway has to end, which ends the time at once.
    cut: CancellationToken,
    /// The deadline; set when it was seen that the client has gone.
    until: Option<Instant>,
}

impl DisconnectGrace {
    /// The time of a client that has not gone yet.
    #[must_use]
    pub fn new(patience: Duration, cut: CancellationToken) -> Self {
        Self { patience, cut, until: None }
    }

    /// The deadline, for a client that has gone now at the latest.
    pub fn deadline(&mut self) -> Instant {
        *self.until.get_or_insert_with(|| Instant::now() + self.patience)
    }

    /// Waits until the deadline, for a client that has gone now at the latest, or until the gateway has to end.
    pub async fn wait_until_over(&mut self) {
        let ends = self.deadline();
        tokio::select! {
            () = self.cut.cancelled() => {}
            () = sleep_until(ends) => {}
        }
    }
}

impl<T> WaitingClient<T> {
    /// A client that is connected.
    #[must_use]
    pub fn new(reply: oneshot::Sender<T>, absence: DisconnectGrace) -> Self {
        Self { reply, absence }
    }

    /// True if it has disconnected.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.reply.is_closed()
    }

    /// Runs `work` while the client waits, and for a bounded time after it has gone; `None` when that is over.
    pub async fn run_while_connected<R>(&mut self, work: impl Future<Output = R>) -> Option<R> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.gone_too_long() => None,
        }
    }

    /// Runs `work` to its end, also for a client that has gone; `None` when the gateway has to end.
    ///
    /// Such work is paid for, and only waits for what was bought.
    pub async fn run_to_completion<R>(&mut self, work: impl Future<Output = R>) -> Option<R> {
        let ended = async {
            self.reply.closed().await;
            self.absence.cut.cancelled().await;
        };
        tokio::select! {
            biased;
            done = work => Some(done),
            () = ended => None,
        }
    }

    async fn gone_too_long(&mut self) {
        self.reply.closed().await;
        self.absence.wait_until_over().await;
    }

    /// The rest of the time for a client that has gone, for work that goes on after the answer was given.
    #[must_use]
    pub fn absence(&self) -> DisconnectGrace {
        self.absence.clone()
    }

    /// Sends the answer. It is dropped where the client has gone.
    pub fn answer(self, answer: T) {
        drop(self.reply.send(answer));
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn client() -> (WaitingClient<()>, oneshot::Receiver<()>) {
        let (reply, waiting) = oneshot::channel();
        (WaitingClient::new(reply, DisconnectGrace::new(PATIENCE, CancellationToken::new())), waiting)
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_gateway_has_to_end_there_is_no_patience_left() {
        let (mut client, waiting) = client();
        let cut = client.absence.cut.clone();
        cut.cancel();
        assert_eq!(client.run_while_connected(sleep(PATIENCE)).await, Some(()), "this one is still there");
        drop(waiting);
        let gone = Instant::now();
        assert_eq!(client.run_while_connected(sleep(PATIENCE)).await, None);
        client.absence().wait_until_over().await;
        assert_eq!(gone.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_is_worked_for_without_end() {
        let (mut client, _waiting) = client();
        assert_eq!(client.run_while_connected(sleep(PATIENCE * 100)).await, Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_outlasts_a_client_ends_by_itself_or_with_the_gateway() {
        let (mut client, waiting) = client();
        let cut = client.absence.cut.clone();
        drop(waiting);
        assert_eq!(client.run_to_completion(sleep(PATIENCE * 100)).await, Some(()));
        assert_eq!(
            client.run_while_connected(sleep(PATIENCE / 2)).await,
            Some(()),
            "the patience begins with what it is for"
        );
        cut.cancel();
        assert_eq!(client.run_to_completion(sleep(PATIENCE)).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_is_answered_while_the_gateway_ends() {
        let (mut client, _waiting) = client();
        client.absence.cut.cancel();
        assert_eq!(client.run_to_completion(sleep(PATIENCE)).await, Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn the_patience_is_one_for_all_steps() {
        let (mut client, waiting) = client();
        assert_eq!(client.run_while_connected(sleep(PATIENCE * 3)).await, Some(()));
        drop(waiting);
        let gone = Instant::now();
        for _ in 0..3 {
            assert_eq!(client.run_while_connected(sleep(PATIENCE * 3 / 10)).await, Some(()));
        }
        assert_eq!(client.run_while_connected(sleep(PATIENCE * 3 / 10)).await, None);
        assert_eq!(gone.elapsed(), PATIENCE);
        assert_eq!(client.absence().deadline(), gone + PATIENCE, "what is left is left for the stream too");
    }
}
