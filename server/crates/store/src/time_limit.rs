//! The time limit of work on a PostgreSQL server.

use std::io;
use std::time::Duration;

use tokio::time::timeout;

/// The longest wait for an answer. It is more than the server gives a statement, so that it answers first if it is there, and
/// less than the five seconds within which a client is told that nothing can be had.
pub(super) const PATIENCE: Duration = Duration::from_secs(4);

/// Runs work with a time limit, as a server that is not heard of any more says nothing of it.
pub(super) async fn in_time<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(no_answer()))
}

pub(super) fn no_answer() -> sqlx::Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into())
}
