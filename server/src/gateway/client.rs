//! The client of a request under way, as the task sees it that carries the request out.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};

/// The one that waits for an answer of type `T`, and may go.
#[derive(Debug)]
pub struct Client<T> {
    reply: oneshot::Sender<T>,
    absence: Absence,
}

/// How long work goes on for a client that has gone: one deadline for all that is left of it, however many steps that is.
#[derive(Debug, Clone, Copy)]
pub struct Absence {
    patience: Duration,
    /// Set when it was seen that the client has gone.
    until: Option<Instant>,
}

impl Absence {
    /// Nobody has gone yet.
    #[must_use]
    pub fn new(patience: Duration) -> Self {
        Self { patience, until: None }
    }

    /// When the patience ends, for a client that has gone now at the latest.
    pub fn ends(&mut self) -> Instant {
        *self.until.get_or_insert_with(|| Instant::now() + self.patience)
    }
}

impl<T> Client<T> {
    /// A client that is there.
    #[must_use]
    pub fn new(reply: oneshot::Sender<T>, patience: Duration) -> Self {
        Self { reply, absence: Absence::new(patience) }
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

    async fn given_up(&mut self) {
        self.reply.closed().await;
        sleep_until(self.absence.ends()).await;
    }

    /// What is left of the patience, for work that goes on after the answer was given.
    #[must_use]
    pub fn absence(&self) -> Absence {
        self.absence
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
        (Client::new(reply, PATIENCE), waiting)
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_waits_is_worked_for_without_end() {
        let (mut client, _waiting) = client();
        assert_eq!(client.awaits(sleep(PATIENCE * 100)).await, Some(()));
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
