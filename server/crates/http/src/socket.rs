//! A socket whose ends are orderly: a client that stops reading must not keep what is written for it, and one that is still
//! sending when it is answered must be able to read the answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use tollgate_api::generated::limits;

/// Time for which bytes of the client are read and discarded after our end of the connection. Closed at once, the kernel would tell
/// it that the connection broke, and an answer that came before the end of its body, such as that its key is wrong, would be lost.
const LINGER: Duration = Duration::from_secs(2);
/// Most bytes that are discarded: the largest body that would have been taken.
const LINGER_BYTES: usize = limits::MEDIA_BODY;

/// A socket that fails when it has taken nothing for too long while there was something to write.
#[derive(Debug)]
pub(super) struct ClientSocket<S> {
    stream: S,
    longest: Duration,
    /// Runs while the client takes nothing.
    stuck: Option<Pin<Box<Sleep>>>,
    /// Set once our end is closed.
    linger: Option<LingerBudget>,
}

#[derive(Debug)]
struct LingerBudget {
    until: Pin<Box<Sleep>>,
    bytes_left: usize,
}

impl<S: Unpin> ClientSocket<S> {
    pub(super) fn new(stream: S, longest: Duration) -> Self {
        Self { stream, longest, stuck: None, linger: None }
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

impl<S: AsyncRead + Unpin> AsyncRead for ClientSocket<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientSocket<S> {
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
        if self.linger.is_none() {
            ready!(self.bounded(cx, AsyncWrite::poll_shutdown))?;
            self.linger = Some(LingerBudget { until: Box::pin(sleep(LINGER)), bytes_left: LINGER_BYTES });
        }
        self.poll_linger(cx)
    }
}

impl<S: AsyncRead + Unpin> ClientSocket<S> {
    /// Takes what comes until the client ends as well; that it breaks is as good an end.
    fn poll_linger(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, linger: Some(linger), .. } = self else { return Poll::Ready(Ok(())) };
        let mut thrown_away = [0; 8 * 1024];
        loop {
            if linger.bytes_left == 0 || linger.until.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Ok(()));
            }
            let mut buffer = ReadBuf::new(&mut thrown_away);
            let read = ready!(Pin::new(&mut *stream).poll_read(cx, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            linger.bytes_left = linger.bytes_left.saturating_sub(buffer.filled().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::Instant;

    use super::*;

    const LONGEST: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn what_is_still_sent_after_our_end_is_taken_for_a_while() {
        let (ours, mut theirs) = duplex(16);
        let mut socket = ClientSocket::new(ours, LONGEST);
        let start = Instant::now();
        let sending = async {
            theirs.write_all(&[0; 1_000]).await.expect("it is taken");
            let mut end = Vec::new();
            theirs.read_to_end(&mut end).await.expect("our end is told");
            drop(theirs);
        };
        let (ended, ()) = tokio::join!(socket.shutdown(), sending);
        ended.expect("an orderly end");
        assert_eq!(start.elapsed(), Duration::ZERO, "nobody is waited for who has ended");
        // One that stays and says nothing is not waited for much longer.
        let (ours, _theirs) = duplex(16);
        ClientSocket::new(ours, LONGEST).shutdown().await.expect("an end");
        assert_eq!(start.elapsed(), LINGER);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_takes_a_little_is_waited_for_and_one_that_takes_nothing_is_not() {
        let (ours, mut theirs) = duplex(16);
        let mut socket = ClientSocket::new(ours, LONGEST);
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
