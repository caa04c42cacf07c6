//! Bodies that arrive compressed with gzip, as the operation reads them: taken apart piece by piece while they arrive, so
//! that neither memory nor time is spent on more than the body may be.

use std::io::{self, Write};

use bytes::{Bytes, BytesMut};
use flate2::write::MultiGzDecoder;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;

use super::body_memory::{BodyMemory, BodyMemoryPermit};

/// The bytes that are taken apart between two chances for other tasks: gzip makes a thousand times as much of it at most.
const STEP_BYTES: usize = 2_048;

/// The content encodings that bodies may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyEncoding {
    /// The body is sent as it is.
    Identity,
    /// The body is compressed with gzip.
    Gzip,
}

impl BodyEncoding {
    /// The encoding that the headers name.
    ///
    /// # Errors
    /// The name of an encoding that is not taken; several names where a body was encoded more than once.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, String> {
        let said: Vec<String> = headers
            .get_all(CONTENT_ENCODING)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_ascii_lowercase())
            .filter(|word| word != "identity")
            .collect();
        match said.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => Ok(Self::Identity),
            ["gzip" | "x-gzip"] => Ok(Self::Gzip),
            other => Err(other.join(", ")),
        }
    }
}

/// The reasons why a body cannot be taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InflateError {
    /// It is no gzip data, or ends early.
    Corrupt,
    /// It is larger than it may be.
    TooLarge,
    /// There is no memory left for bodies.
    NoMemory,
}

/// A body on its way out of gzip.
pub(super) struct GzipInflater(MultiGzDecoder<InflateSink>);

/// The bytes that came out so far; each is counted before it is kept.
struct InflateSink {
    whole: BytesMut,
    limit: usize,
    budget: BodyMemory,
    spent: BodyMemoryPermit,
    refused: Option<InflateError>,
}

impl GzipInflater {
    /// A decoder for a body of at most `limit` bytes, counted in `budget` as they come out.
    pub(super) fn new(limit: usize, budget: BodyMemory) -> Self {
        let (whole, spent) = (BytesMut::new(), BodyMemoryPermit::default());
        Self(MultiGzDecoder::new(InflateSink { whole, limit, budget, spent, refused: None }))
    }

    /// Takes what has arrived.
    pub(super) async fn take(&mut self, data: &[u8]) -> Result<(), InflateError> {
        for step in data.chunks(STEP_BYTES) {
            self.0.write_all(step).map_err(|_| self.fault())?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// The whole body, once all has arrived; its checksum is right.
    pub(super) fn finish(mut self) -> Result<Bytes, InflateError> {
        self.0.try_finish().map_err(|_| self.fault())?;
        let sink = self.0.get_mut();
        Ok(std::mem::take(&mut sink.spent).on(std::mem::take(&mut sink.whole).freeze()))
    }

    /// The reason why the decoder stopped: the one it was told here, or that it found no gzip data.
    fn fault(&self) -> InflateError {
        self.0.get_ref().refused.unwrap_or(InflateError::Corrupt)
    }
}

impl Write for InflateSink {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let refused = if self.whole.len() + data.len() > self.limit {
            InflateError::TooLarge
        } else if self.budget.try_acquire(data.len(), &mut self.spent) {
            self.whole.extend_from_slice(data);
            return Ok(data.len());
        } else {
            InflateError::NoMemory
        };
        self.refused = Some(refused);
        Err(io::ErrorKind::OutOfMemory.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).expect("memory");
        encoder.finish().expect("memory")
    }

    /// In pieces of so many bytes.
    async fn inflated(data: &[u8], piece: usize, limit: usize, budget: &BodyMemory) -> Result<Bytes, InflateError> {
        let mut inflater = GzipInflater::new(limit, budget.clone());
        for piece in data.chunks(piece) {
            inflater.take(piece).await?;
        }
        inflater.finish()
    }

    #[tokio::test]
    async fn a_body_comes_out_whole_however_it_arrives() {
        let budget = BodyMemory::new(1 << 20);
        let text: Vec<u8> = (0..100_000_u32).flat_map(|number| number.to_string().into_bytes()).take(200_000).collect();
        let packed = gzip(&text);
        for piece in [1, 7, packed.len()] {
            assert_eq!(inflated(&packed, piece, text.len(), &budget).await.as_deref(), Ok(&text[..]), "{piece}");
            assert_eq!(inflated(&packed, piece, text.len() - 1, &budget).await, Err(InflateError::TooLarge), "{piece}");
        }
        let two = [gzip(b"[1,"), gzip(b"2]")].concat();
        assert_eq!(inflated(&two, 5, 10, &budget).await.as_deref(), Ok(&b"[1,2]"[..]));
        assert_eq!(inflated(&gzip(b""), 5, 0, &budget).await.as_deref(), Ok(&b""[..]));
    }

    #[tokio::test]
    async fn what_is_damaged_is_refused() {
        let budget = BodyMemory::new(1 << 20);
        let packed = gzip(b"a body of some length, of some length");
        for cut in 0..packed.len() {
            assert_eq!(inflated(&packed[..cut], 3, 100, &budget).await, Err(InflateError::Corrupt), "{cut}");
        }
        for at in [0, 1, 2, 12, packed.len() - 6, packed.len() - 1] {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x55;
            assert_eq!(inflated(&damaged, 3, 100, &budget).await, Err(InflateError::Corrupt), "{at}");
        }
        let trailing = [&packed[..], b"more"].concat();
        assert_eq!(inflated(&trailing, 3, 100, &budget).await, Err(InflateError::Corrupt));
    }

    #[tokio::test]
    async fn a_bomb_takes_no_more_than_it_may_and_gives_it_back() {
        let bomb = gzip(&vec![0; 32 << 20]);
        assert!(bomb.len() < 40_000, "{} bytes", bomb.len());
        let (limit, budget) = (1 << 20, BodyMemory::new(2 << 20));
        let mut inflater = GzipInflater::new(limit, budget.clone());
        assert_eq!(inflater.take(&bomb).await, Err(InflateError::TooLarge));
        assert!(inflater.0.get_ref().whole.capacity() <= 2 * limit);
        assert!(!budget.try_acquire(3 << 19, &mut BodyMemoryPermit::default()), "what came out is counted");
        drop(inflater);
        assert!(budget.try_acquire(2 << 20, &mut BodyMemoryPermit::default()));
        let poor = BodyMemory::new(1_000);
        assert_eq!(inflated(&bomb, 100, limit, &poor).await, Err(InflateError::NoMemory));
    }
}
