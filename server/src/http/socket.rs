//! A socket whose writes end: a client that stops reading must not keep what is written for it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A socket that fails when it has taken nothing for too long while there was something to write.
#[derive(Debug)]
pub(super) struct Socket<S> {
    stream: S,
    longest: Duration,
    /// Runs while it takes nothing.
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<S: Unpin> Socket<S> {
    pub(super) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, stuck: None }
    }

    fn bounded<T>(
        &mut self,
        cx: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(done) = write(Pin::new(&mut self.stream), cx) {
            self.stuck = None;
            return Poll::Ready(done);
        }
        let longest = self.longest;
        ready!(self.stuck.get_or_insert_with(|| Box::pin(sleep(longest))).as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Socket<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Socket<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.bounded(cx, |stream, cx| stream.poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.bounded(cx, |stream, cx| stream.poll_write_vectored(cx, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.bounded(cx, AsyncWrite::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.bounded(cx, AsyncWrite::poll_shutdown)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::*;

    const LONGEST: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_a_little_is_waited_for_and_one_that_takes_nothing_is_not() {
        let (ours, mut theirs) = duplex(16);
        let mut socket = Socket::new(ours, LONGEST);
        let start = Instant::now();
        let reading = async {
            let mut byte = [0; 16];
            for _ in 0..3 {
                sleep(LONGEST - Duration::from_secs(1)).await;
                theirs.read_exact(&mut byte).await.expect("there is something");
            }
            Instant::now()
        };
        let (written, last_read) = tokio::join!(socket.write_all(&[0; 1_000]), reading);
        assert_eq!(written.expect_err("nobody reads on").kind(), io::ErrorKind::TimedOut);
        assert_eq!(last_read - start, 3 * (LONGEST - Duration::from_secs(1)));
        assert_eq!(last_read.elapsed(), LONGEST);
    }
}
