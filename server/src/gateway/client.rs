//! The client of a request under way, as the task sees it that carries the request out.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

/// The one that waits for an answer of type `T`, and may go.
#[derive(Debug)]
pub struct Client<T> {
    reply: oneshot::Sender<T>,
    absence: Absence,
}

/// How long work goes on for a client that has gone: one deadline for all that is left of it, however many steps that is.
#[derive(Debug, Clone)]
pub struct Absence {
    patience: Duration,
    /// Cancelled when the gateway has to end, and nobody who has gone is worked for any more.
    cut: CancellationToken,
    /// Set when it was seen that the client has gone.
    until: Option<Instant>,
}

impl Absence {
    /// Nobody has gone yet.
    #[must_use]
    pub fn new(patience: Duration, cut: CancellationToken) -> Self {
        Self { patience, cut, until: None }
    }

    /// When the patience ends, for a client that has gone now at the latest.
    pub fn ends(&mut self) -> Instant {
        *self.until.get_or_insert_with(|| Instant::now() + self.patience)
    }

    /// Waits until the patience has ended, for a client that has gone now at the latest.
    pub async fn over(&mut self) {
        let ends = self.ends();
        tokio::select! {
            () = self.cut.cancelled() => {}
            () = sleep_until(ends) => {}
        }
    }
}

impl<T> Client<T> {
    /// A client that is there.
    #[must_use]
    pub fn new(reply: oneshot::Sender<T>, absence: Absence) -> Self {
        Self { reply, absence }
    }

    /// Whether it has gone.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.reply.is_closed()
    }

    /// Does `work` as long as the client waits, and for a bounded time after it has gone; `None` when that is over.
    pub async fn awaits<R>(&mut self, work: impl Future<Output = R>) -> Option<R> {
        tokio::select! {
            biased;
            done = work => Some(done),
            () = self.given_up() => None,
        }
    }

    /// Does `work` to its own end, also for a client that has gone: it is paid for by then, and only waits for what was
    /// bought. `None` when the gateway has to end.
    pub async fn outlasts<R>(&mut self, work: impl Future<Output = R>) -> Option<R> {
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

    async fn given_up(&mut self) {
        self.reply.closed().await;
        self.absence.over().await;
    }

    /// What is left of the patience, for work that goes on after the answer was given.
    #[must_use]
    pub fn absence(&self) -> Absence {
        self.absence.clone()
    }

    /// Gives the answer. An answer that nobody takes is dropped here.
    pub fn answer(self, answer: T) {
        drop(self.reply.send(answer));
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn client() -> (Client<()>, oneshot::Receiver<()>) {
        let (reply, waiting) = oneshot::channel();
        (Client::new(reply, Absence::new(PATIENCE, CancellationToken::new())), waiting)
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_gateway_has_to_end_there_is_no_patience_left() {
        let (mut client, waiting) = client();
        let cut = client.absence.cut.clone();
        cut.cancel();
        assert_eq!(client.awaits(sleep(PATIENCE)).await, Some(()), "this one is still there");
        drop(waiting);
        let gone = Instant::now();
        assert_eq!(client.awaits(sleep(PATIENCE)).await, None);
        client.absence().over().await;
        assert_eq!(gone.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_is_worked_for_without_end() {
        let (mut client, _waiting) = client();
        assert_eq!(client.awaits(sleep(PATIENCE * 100)).await, Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn work_that_outlasts_a_client_ends_by_itself_or_with_the_gateway() {
        let (mut client, waiting) = client();
        let cut = client.absence.cut.clone();
        drop(waiting);
        assert_eq!(client.outlasts(sleep(PATIENCE * 100)).await, Some(()));
        assert_eq!(client.awaits(sleep(PATIENCE / 2)).await, Some(()), "the patience begins with what it is for");
        cut.cancel();
        assert_eq!(client.outlasts(sleep(PATIENCE)).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_is_answered_while_the_gateway_ends() {
        let (mut client, _waiting) = client();
        client.absence.cut.cancel();
        assert_eq!(client.outlasts(sleep(PATIENCE)).await, Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn the_patience_is_one_for_all_steps() {
        let (mut client, waiting) = client();
        assert_eq!(client.awaits(sleep(PATIENCE * 3)).await, Some(()));
        drop(waiting);
        let gone = Instant::now();
        for _ in 0..3 {
            assert_eq!(client.awaits(sleep(PATIENCE * 3 / 10)).await, Some(()));
        }
        assert_eq!(client.awaits(sleep(PATIENCE * 3 / 10)).await, None);
        assert_eq!(gone.elapsed(), PATIENCE);
        assert_eq!(client.absence().ends(), gone + PATIENCE, "what is left is left for the stream too");
    }
}
